/** What the tool says about itself, and of command lines that mean nothing. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cite, line, numbered } from './cli.js'
import { readScreen, textOf } from './screen.js'

describe('misuse', () => {
  test.each([
    [['--format', 'pdf'], '--format must be one of terminal, markdown, html, json, svg, got pdf'],
    [['--provider', 'me'], '--provider must be one of gemini, openai, anthropic, got me'],
    [['--links', 'all'], '--links must be one of auto, osc8, markdown, plain, got all'],
    [['--width', '7'], '--width must be 0 or at least 20, got 7'],
    [['--width', 'wide'], '--width must be a whole number, at least 0, got wide'],
    [
      ['--width', '99999999999999999999'],
      '--width must be a whole number from 0 to 9007199254740991, got 99999999999999999999',
    ],
    [['--max', '0'], '--max must be a whole number, at least 1, got 0'],
    [['--max', '1', '--format', 'json'], '--max has no meaning with --format json'],
    [['--coverage', '--format', 'svg'], '--coverage has no meaning with --format svg'],
    [['--verify', 'x', '--format', 'html', 'y'], '--verify has no meaning with --format html'],
    [['--verify', 'x', 'y'], '--verify took all files as documents: name the response before it'],
    [['--jsonl', '--stream'], '--jsonl and --stream do not go together'],
    [['--tool', 'x', '--provider', 'gemini'], '--tool and --provider do not go together'],
    [['--html', 'x', '--format', 'svg'], '--html and --format do not go together'],
    [['--port', '1'], '--port goes with serve'],
    [['serve', '--port', '65536'], '--port must be a whole number from 0 to 65535, got 65536'],
    [['serve', 'file.json'], 'serve takes no file.json'],
    [['serve', '--coverage'], 'serve takes no --coverage'],
    [['a', 'b', '--format', 'svg'], '--format svg draws one answer, and there are several'],
  ])('%j', (args, message) => {
    expect(cite(args)).toEqual({ status: 2, stdout: '', stderr: `${message}\n` })
  })

  test('an option nobody knows', () => {
    const { status, stderr } = cite(['--colour'])
    expect(status).toBe(2)
    expect(stderr).toContain('--colour')
  })

  test('a picture of a log', () => {
    const input = line(numbered(1)) + line(numbered(2))
    expect(cite(['-', '--format', 'svg'], { input }).status).toBe(2)
  })
})

describe('about itself', () => {
  test('--version', () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'))
    expect(cite(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('--help names every option, exit code and format, on rows that fit', () => {
    const { status, stdout } = cite(['--help'])
    expect(status).toBe(0)
    for (const name of [
      'provider',
      'tool',
      'jsonl',
      'stream',
      'format',
      'links',
      'width',
      'coverage',
      'no-excerpts',
      'max',
      'verify',
      'output',
      'html',
      'port',
      'help',
      'version',
    ]) {
      expect(stdout).toContain(`--${name}`)
    }
    expect(stdout).toMatch(/Exit codes: 0 .* 1 .*\n2 .* 3 /)
    expect(Math.max(...stdout.split('\n').map((row) => row.length))).toBeLessThanOrEqual(92)
  })

  test('the gallery shows every provider, plain and hyperlinked', () => {
    const { status, stdout } = cite([])
    expect(status).toBe(0)
    const rows = readScreen(stdout.trimEnd()).map(textOf)
    for (const row of [
      'Gemini with Google Search',
      'An agent with tools of its own',
      'The same, hyperlinked:',
    ]) {
      expect(rows).toContain(row)
    }
    expect(rows.at(-1)).toMatch(/^This terminal does not show hyperlinks: /)
  })
})
