#!/usr/bin/env node
/**
 * Shows what models said with its sources: saved responses, streams, logs, results of tools. Without
 * a file: a gallery of one answer per provider, plain and hyperlinked.
 */
import { readFileSync } from 'node:fs'
import { readArguments } from './cite/arguments.mjs'
import { Complaint, EXIT, Misuse, ReaderGone, tell } from './cite/complaint.mjs'
import { citeFiles, inputOf } from './cite/files.mjs'
import { examples, gallery } from './cite/gallery.mjs'
import { HELP } from './cite/help.mjs'
import { serve } from './cite/serve.mjs'

/** @returns {Promise<number>} the exit code */
async function main() {
  const command = readArguments(process.argv.slice(2))
  switch (command.command) {
    case 'help':
      process.stdout.write(HELP)
      return EXIT.fine
    case 'version':
      process.stdout.write(`${version()}\n`)
      return EXIT.fine
    case 'serve':
      await serve(command.port)
      return EXIT.fine
    case 'cite':
      return cite(command)
  }
}

/** @param {import('./cite/arguments.mjs').CiteCommand} command */
async function cite(command) {
  if (command.files.length > 0) return citeFiles(command, command.files.map(inputOf))
  const inputs = examples()
  // An installed package has no examples, and whoever pipes something into it wants that shown.
  if (inputs.length === 0 && process.stdin.isTTY)
    throw new Misuse('no file is given: --help lists what can be')
  if (inputs.length === 0) return citeFiles(command, [inputOf('-')])
  if (!command.isPlain) return citeFiles(command, inputs)
  gallery(inputs, command.look)
  return EXIT.fine
}

const version = () =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

process.stdout.on('error', (error) => {
  // A reader that has seen enough, such as `head`, is no error.
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') return
  tell(`cannot write the result: ${error.message}`)
  process.exitCode = EXIT.failed
})

try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof Complaint) {
    tell(error.message)
    process.exitCode = error.exitCode
  } else if (!(error instanceof ReaderGone)) {
    throw error
  }
}
