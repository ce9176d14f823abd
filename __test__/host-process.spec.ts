/**
 * Proves that a process running the host prints its own transcript and not a byte more, on either
 * output. Native code can write to a descriptor without any function of Node, which no spy sees, so
 * the host runs in a process of its own.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { CITING, TREE_ANSWER } from './host/answers.js'
import type { SettingsFile } from './host/host.js'

const ADDON = join(__dirname, '../index.js')

/** A session of the host that goes through all providers and prints to standard output. */
async function program(file: SettingsFile, commands: string[]): Promise<string> {
  const contents = `
    import { CITING, TREE } from './host/answers.js'
    import { Session } from './host/host.js'
    const write = (text) => process.stdout.write(text)
    const file = ${JSON.stringify(file)}
    const session = new Session({ release: '0.11', documents: true, file, write })
    for (const command of ${JSON.stringify(commands)}) session.command(command)
    for (const [provider, response] of [...CITING, ['openai', TREE]]) {
      session.command('/provider ' + provider)
      await session.prompt({ kind: 'chunk', response })
    }`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: __dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [
      {
        name: 'keep the addon outside',
        setup({ onResolve }) {
          const path = pathToFileURL(ADDON).href
          onResolve({ filter: /^\.\.\/\.\.\/index\.js$/ }, () => ({ path, external: true }))
        },
      },
    ],
  })
  return outputFiles[0]!.text
}

/** Runs a program as chatty as the environment can make it. */
function run(input: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DEBUG: '*', RUST_LOG: 'trace', RUST_BACKTRACE: 'full' },
  })
  return { status, stdout, stderr }
}

describe('a process that runs the host', () => {
  const hidden = [...CITING.map(([, , answer]) => answer), TREE_ANSWER]
  const shown = [...CITING.map(([, , answer, block]) => `${answer}\n\n${block}`), TREE_ANSWER]
  it.each([
    ['default settings', {}, [], hidden],
    ['citations disabled', { ui: { showCitations: true } }, ['/set citations disabled'], hidden],
    ['citations enabled', {}, ['/set citations enabled'], shown],
    ['citations on in the settings file', { ui: { showCitations: true } }, [], shown],
  ])('prints its transcript only, with %s', async (_name, file, commands, expected) => {
    expect(run(await program(file, commands))).toEqual({
      status: 0,
      stdout: `${expected.join('\n')}\n`,
      stderr: '',
    })
  })
})
