#!/usr/bin/env node
/**
 * Renders saved model responses with their sources. Without a file: a gallery of one answer per
 * provider, plain and hyperlinked.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CitationService, detectHyperlinks } from '../index.js'
import { page } from './page.mjs'

const HELP = `Usage: npm start [-- [options] [file.json … | -]]

Renders a saved response or stream of Gemini, OpenAI, Anthropic and others with its
sources. Which provider it is from is found out by its shape. "-" reads standard input.
A run of tools is { "tools": [{ "name", "args", "callId", "output" }], "answer" }.
Without a file: a gallery, one answer per provider and one with tools.

Options:
  --links MODE    auto, osc8, markdown or plain          (default: auto)
  --width N       wrap at N columns                      (default: the terminal's)
  --no-excerpts   leave quotations out
  --html FILE     write a page of its own instead
  --help          show this
`

const GALLERY = [
  ['Gemini with Google Search', 'gemini-search.json'],
  ['OpenAI Responses with web search', 'openai-web-search.json'],
  ['Anthropic with a document', 'anthropic-document.json'],
  ['An agent with tools of its own', 'tool-run.json'],
]

/** @typedef {import('../index.js').RenderOptions} Options */

/** A problem to tell the user about, without a stack. */
class Complaint extends Error {}

function main() {
  const { values, positionals } = readArguments()
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  /** @type {Options} */
  const options = {
    links: /** @type {Options['links']} */ (values.links),
    width: values.width === undefined ? process.stdout.columns : Number(values.width),
    showExcerpts: !values['no-excerpts'],
  }
  if (values.html !== undefined) {
    writePage(values.html, positionals)
    return
  }
  if (positionals.length > 0) {
    const blocks = positionals.map((file) => `${show(file, options)}\n`)
    process.stdout.write(blocks.join('\n'))
    return
  }
  gallery(options)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        links: { type: 'string', default: 'auto' },
        width: { type: 'string' },
        'no-excerpts': { type: 'boolean', default: false },
        html: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new Complaint(/** @type {Error} */ (error).message)
  }
}

/**
 * @param {string} target
 * @param {string[]} files
 */
function writePage(target, files) {
  /** @type {[string, string | URL][]} */
  const named = files.length > 0 ? files.map((file) => [file, file]) : GALLERY.map(inExamples)
  const answers = named.map(([name, file], index) => {
    const { turn } = read(file)
    return { name, html: turn.renderHtml({ idPrefix: `a${index + 1}` }) }
  })
  try {
    writeFileSync(target, page(answers))
  } catch (error) {
    throw new Complaint(`cannot write ${target}: ${/** @type {Error} */ (error).message}`)
  }
  process.stdout.write(`${target}\n`)
}

/**
 * @param {string[]} entry
 * @returns {[string, string | URL]}
 */
const inExamples = ([name, file]) => [
  /** @type {string} */ (name),
  new URL(`../examples/${file}`, import.meta.url),
]

/** @param {Options} options */
function gallery(options) {
  const { env, platform, stdout } = process
  const support = detectHyperlinks({ env, isTTY: stdout.isTTY, platform })
  for (const [name, path] of GALLERY.map(inExamples)) {
    stdout.write(`${name}\n\n${show(path, { ...options, links: 'plain' })}\n\n`)
    stdout.write(`The same, hyperlinked:\n${block(path, { ...options, links: 'osc8' })}\n\n\n`)
  }
  const answer = support.supported ? 'shows' : 'does not show'
  stdout.write(`This terminal ${answer} hyperlinks: ${support.reason}.\n`)
}

/**
 * The answer of a saved response or stream, with its block of sources.
 *
 * @param {string | URL} file
 * @param {Options} options
 */
function show(file, options) {
  const { turn, answer } = read(file)
  const block = turn.render(options)
  return [answer.trim(), block].filter(Boolean).join('\n\n')
}

/**
 * @param {string | URL} file
 * @param {Options} options
 */
const block = (file, options) => read(file).turn.render(options)

/** @param {string | URL} file */
function read(file) {
  const turn = new CitationService({ documents: true }).startTurn()
  const bytes = bytesOf(file)
  const run = toolRun(bytes)
  for (const call of run?.tools ?? []) turn.addToolResult(call)
  if (!run) turn.pushBytes(bytes)
  const { answer, sources } = turn.finish(run?.answer)
  if (answer === '' && sources.length === 0) {
    throw new Complaint(`${file === '-' ? 'standard input' : file} holds no answer of a provider`)
  }
  return { turn, answer }
}

/**
 * A run of an agent: `{ tools: [{ name, args, callId, output }], answer }`.
 *
 * @param {Buffer} bytes
 * @returns {{ tools: import('../index.js').ToolCall[], answer?: string } | undefined}
 */
function toolRun(bytes) {
  try {
    const run = JSON.parse(bytes.toString())
    return Array.isArray(run.tools) ? run : undefined
  } catch {
    return undefined
  }
}

/** @param {string | URL} file */
function bytesOf(file) {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (error) {
    throw new Complaint(`cannot read ${file}: ${/** @type {Error} */ (error).message}`)
  }
}

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error
})

try {
  main()
} catch (error) {
  if (!(error instanceof Complaint) && !(error instanceof TypeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
