/**
 * A panic is a JavaScript error and nothing else: nothing is printed, the process goes on, and the next
 * call works. Needs an addon with an export that panics and builds one, so it runs only with
 * `PANIC_TEST=1`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(__dirname, '..')
const LIBRARIES: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'libllxprt_code_citations.so',
  darwin: 'libllxprt_code_citations.dylib',
  win32: 'llxprt_code_citations.dll',
}

/** Panics many times, works in between, and prints what it caught. */
const PROGRAM = `
const { Worker, isMainThread } = require('node:worker_threads')
const addon = require('./panics.node')
const caught = new Set()
for (let round = 0; round < 500; round++) {
  for (const panics of [() => addon.panicWhileReading('näive'), addon.panicWithoutWords]) {
    try { caught.add('returned ' + panics()) }
    catch (error) { caught.add([error instanceof Error, error.name, error.message].join(' ')) }
  }
  const sources = [{ title: 'A', url: 'https://a.example/' + round }]
  const block = addon.renderCitationBlock({ sources }, { links: 'plain' })
  if (block !== ' Sources:\\n  1. A — https://a.example/' + round) throw new Error(block)
}
const turn = new addon.CitationService().startTurn()
turn.pushBytes(Buffer.from('{"candidates":[{"content":{"parts":[{"text":"still here"}]}}]}'))
process.stdout.write([...caught, turn.finish().answer].join('; ') + '\\n')
if (isMainThread && process.argv[2]) {
  for (let count = 0; count < Number(process.argv[2]); count++) new Worker(__filename)
}
`
const CAUGHT =
  'true Error panicked over näive; true Error panic from Rust code: Any { .. }; still here\n'

describe.skipIf(!process.env.PANIC_TEST)('a panic', () => {
  let folder: string

  beforeAll(() => {
    const flags = ['build', '--quiet', '--lib', '--features', 'panic-test']
    execFileSync('cargo', flags, { cwd: ROOT, stdio: 'inherit' })
    folder = mkdtempSync(join(tmpdir(), 'panics-'))
    const built = join(ROOT, 'target', 'debug', LIBRARIES[process.platform]!)
    copyFileSync(built, join(folder, 'panics.node'))
    writeFileSync(join(folder, 'panics.cjs'), PROGRAM)
  }, 600_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([0, 4])(
    'is an error, prints nothing and harms no later call; also in %i workers',
    (workers) => {
      const { stdout, stderr, status, signal } = spawnSync(
        process.execPath,
        [join(folder, 'panics.cjs'), String(workers)],
        { encoding: 'utf8', env: { ...process.env, RUST_BACKTRACE: '1' } },
      )
      const expected = { stdout: CAUGHT.repeat(workers + 1), stderr: '', status: 0, signal: null }
      expect({ stdout, stderr, status, signal }).toEqual(expected)
    },
  )
})
