/**
 * Proves that a process running the example host prints its own screen and not a byte more, on either output.
 * Native code can write to a descriptor without any function of Node, which no spy sees, so the host runs in a
 * process of its own, by the command its README gives.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BLOG, NODE_ANSWER, NODE_PAGE, RUST_ANSWER, WIKI } from '../examples/llxprt-host/scenes.js'

const START = join(__dirname, '../examples/llxprt-host/start.mjs')
/** Ink gives the cursor back when the process ends, on standard error. */
const CURSOR = '\u001b[?25h'

/** Runs the host as chatty as the environment can make it. */
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [START, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DEBUG: '*', RUST_LOG: 'trace', RUST_BACKTRACE: 'full' },
  })
  return {
    status,
    stderr: stderr.replace(CURSOR, ''),
    rows: stdout.replace(CURSOR, '').split('\n'),
  }
}

const QUESTIONS = ['When was Rust released?', '/provider openai-responses', 'Which Node.js is LTS?']

function screen(lines: string[], shown: boolean): string[] {
  const sources = (...rows: string[]) => (shown ? ['', ' Sources:', ...rows] : [])
  return [
    ...lines,
    '',
    '> When was Rust released?',
    '',
    RUST_ANSWER,
    ...sources(`  1. History of Rust — ${WIKI}`, `  2. Rust Release Notes — ${BLOG}`),
    '',
    '> /provider openai-responses',
    '',
    'ℹ Switched to provider: openai-responses',
    '',
    '> Which Node.js is LTS?',
    '',
    NODE_ANSWER,
    ...sources(`  1. Node.js Release Schedule — ${NODE_PAGE}`),
  ]
}

const DISABLED = ['', '> /set citations disabled', '', 'ℹ Citations disabled.']

describe('a process that runs the host', () => {
  it.each([
    ['default settings', [], screen([], false)],
    ['citations on in the settings file', ['--show-citations'], screen([], true)],
    [
      'citations disabled against the file',
      ['--show-citations', '/set citations disabled'],
      screen(DISABLED, false),
    ],
  ])('prints its screen only, with %s', (_name, args, expected) => {
    const { status, stderr, rows } = run('--style', 'raw', ...args, ...QUESTIONS)
    expect(
      rows
        .map((row) => row.trimEnd())
        .join('\n')
        .trimEnd(),
    ).toBe(expected.join('\n'))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('goes through all its scenes when nobody types', () => {
    const { status, stderr, rows } = run('--release', '0.9')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(rows.filter((row) => row.trimEnd() === 'ℹ  Sources:')).toHaveLength(7)
  })
})
