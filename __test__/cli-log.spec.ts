/** Logs of many responses: order, bad lines, memory, pipes, progress. */
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import headless from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import { batchesOf } from '../bin/cite/batches.mjs'
import { Progress } from '../bin/cite/progress.mjs'
import type { TurnPayload } from '../index.js'
import { blockOf, cite, ended, folder, line, numbered, start } from './cli.js'

const { file, path } = folder()
const PATIENCE_MS = 300_000
const MEGABYTE = 2 ** 20

// Before 1.4 its pipes take all that is written to them, and it says nothing at the end of a process with workers.
const [major = 0, minor = 0] = (process.versions.bun ?? '9.9').split('.').map(Number)
const testWithPipes = test.skipIf(major < 2 && minor < 4)

type LinePayload = TurnPayload & { line: number }

/** What makes the lines of a log long without making them slow to read. */
const PADDING = 'x'.repeat(6000)

/** Writes a log of so many responses and answers how long it is. */
function writeLog(name: string, count: number, padding = PADDING): number {
  const log = openSync(path(name), 'w')
  let size = 0
  for (let number = 1; number <= count; number++)
    size += writeSync(log, line(numbered(number, padding)))
  closeSync(log)
  return size
}

/** Says at its end, on standard error, how much memory it had at most. A file: Bun imports no `data:` first. */
const WATCHER = `import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => process.stderr.write('most ' + process.resourceUsage().maxRSS))
`

async function watched(args: string[]) {
  const watcher = file('watcher.mjs', WATCHER)
  const { status, stdout, stderr } = await ended(start(args, ['--import', watcher]))
  return { status, stdout, most: Number(/most (\d+)/.exec(stderr)?.[1]) * 1024 }
}

describe('a long log', () => {
  testWithPipes(
    'keeps its order on all cores, and needs no more memory than a short one',
    async () => {
      const short = writeLog('short.jsonl', 12_000)
      const long = writeLog('long.jsonl', 40_000)
      const before = await watched([path('short.jsonl'), '--format', 'json'])
      const after = await watched([path('long.jsonl'), '--format', 'json'])
      expect([before.status, after.status]).toEqual([0, 0])
      const lines = after.stdout.trimEnd().split('\n')
      expect(lines).toHaveLength(40_000)
      for (const [at, text] of lines.entries()) {
        const payload: LinePayload = JSON.parse(text)
        expect([payload.line, payload.answer]).toEqual([at + 1, `Answer ${at + 1}.`])
        expect(payload.anchors).toHaveLength(1)
        expect(payload.sources[0]!.url).toBe(`https://a.example/${at + 1}`)
      }
      expect(after.most - before.most).toBeLessThan((long - short) / 2)
    },
    PATIENCE_MS,
  )

  test(
    'comes to the same as its lines one by one',
    () => {
      const count = 400
      writeLog('some.jsonl', count)
      const numbers = Array.from({ length: count }, (_, at) => at + 1)
      expect(cite([path('some.jsonl')]).stdout).toBe(numbers.map(blockOf).join('\n'))
    },
    PATIENCE_MS,
  )

  testWithPipes(
    'is read no faster than its result is taken',
    async () => {
      const child = start(['-', '--jsonl', '--format', 'json'])
      const block = Buffer.from(line(numbered(1, PADDING)).repeat(100))
      let taken = 0
      let isOver = false
      const feeding = (async () => {
        while (!isOver) {
          await new Promise((flushed) => child.stdin!.write(block, flushed))
          taken += block.length
        }
        child.stdin!.end()
      })()
      // Nobody reads the result: after a while nothing more is taken in.
      let last = -1
      while (taken !== last) {
        last = taken
        await setTimeout(3000)
      }
      isOver = true
      const { status, stdout } = await ended(child)
      await feeding
      expect(status).toBe(0)
      expect(last).toBeLessThan(64 * MEGABYTE)
      const lines = stdout.trimEnd().split('\n')
      expect(lines.length * (block.length / 100)).toBeGreaterThanOrEqual(last)
      for (const [at, text] of lines.entries()) expect(JSON.parse(text).line).toBe(at + 1)
    },
    PATIENCE_MS,
  )

  test(
    'may be left by its reader',
    async () => {
      writeLog('left.jsonl', 2000)
      const child = start([path('left.jsonl')])
      const [first] = await once(child.stdout!, 'data')
      expect(String(first).startsWith(blockOf(1))).toBe(true)
      child.stdout!.destroy()
      const { status, stderr } = await ended(child)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    },
    PATIENCE_MS,
  )
})

describe('bad lines', () => {
  const input = [
    line(numbered(1)),
    'nonsense\n',
    '\r\n',
    line(numbered(4)),
    '{"candidates": [{"content": {"parts": [{"text": "cut\n',
    '7\n',
    line({ error: { message: 'overloaded' } }),
    line(numbered(8)),
  ].join('')

  test('are reported with their number, counted, and stop nothing', () => {
    const log = file('bad.jsonl', input)
    const { status, stdout, stderr } = cite([log])
    expect(status).toBe(1)
    expect(stdout).toBe([1, 4, 8].map(blockOf).join('\n'))
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/bad\.jsonl:2: no JSON: .*Unexpected/),
      expect.stringMatching(/bad\.jsonl:5: no JSON: .*Unterminated string/),
      expect.stringMatching(/bad\.jsonl:6: no response: 7$/),
      expect.stringMatching(/bad\.jsonl: 3 of 7 lines could not be read$/),
    ])
  })

  test('leave gaps in the numbers of payloads; a line with nothing in it does not', () => {
    const { stdout } = cite(['-', '--format', 'json'], { input })
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one))
    expect(lines.map((payload) => payload.line)).toEqual([1, 4, 7, 8])
    expect(lines[2]).toMatchObject({ answer: '', sources: [], anchors: [] })
  })

  test(
    'far down in a long log have the right number',
    () => {
      writeLog('deep.jsonl', 1000)
      const log = openSync(path('deep.jsonl'), 'a')
      writeSync(log, `oops\n${line(numbered(1002))}`)
      closeSync(log)
      const { status, stdout, stderr } = cite([path('deep.jsonl'), '--format', 'json'])
      expect(status).toBe(1)
      expect(stderr).toContain('deep.jsonl:1001: no JSON: ')
      expect(stdout).toContain('\n{"line":1002,')
    },
    PATIENCE_MS,
  )

  test('and nothing else: nothing is found', () => {
    const { status, stdout, stderr } = cite(['-', '--jsonl'], { input: 'a\nb\n' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('standard input: 2 of 2 lines could not be read\n')
    expect(stderr).toContain('standard input holds no answer of a provider\n')
  })
})

describe('batches', () => {
  const cut = async (text: string, piece: number, limits: { size: number; longest: number }) => {
    const bytes = Buffer.from(text)
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    }
    const batches = []
    for await (const { bytes, ...batch } of batchesOf(pieces(), limits)) {
      expect(bytes.buffer.byteLength).toBe(bytes.length)
      batches.push({ text: Buffer.from(bytes).toString(), ...batch })
    }
    return batches
  }

  test.each([1, 2, 3, 7, 100])(
    'hold whole lines and know which, in pieces of %i',
    async (piece) => {
      const text = 'one\ntwo\n\nfour\nfive'
      const batches = await cut(text, piece, { size: 6, longest: 100 })
      expect(batches.map((batch) => batch.text).join('')).toBe(text)
      for (const batch of batches) {
        const before = text.split('\n').slice(0, batch.firstLine - 1)
        expect(text.startsWith(before.map((one) => `${one}\n`).join('') + batch.text)).toBe(true)
      }
      expect(batches.slice(0, -1).every((batch) => batch.text.endsWith('\n'))).toBe(true)
    },
  )

  test.each([1, 2, 3])('pass over a line that is too long, in pieces of %i', async (piece) => {
    const batches = await cut(`one\n${'x'.repeat(50)}\nthree\n${'y'.repeat(60)}`, piece, {
      size: 1,
      longest: 9,
    })
    expect(batches).toEqual([
      { text: 'one\n', firstLine: 1 },
      { text: '', firstLine: 2, tooLong: 50 },
      { text: 'three\n', firstLine: 3 },
      { text: '', firstLine: 4, tooLong: 60 },
    ])
  })
})

describe('progress', () => {
  /** What is on a screen after each report, one per second. */
  async function screens(isTTY: boolean, total?: number) {
    const terminal = new headless.Terminal({ cols: 60, rows: 3, allowProposedApi: true })
    let now = 0
    let written = ''
    const progress = new Progress({ isTTY, write: (text) => (written += text) }, total, () => now)
    const rows: string[] = []
    const look = async () => {
      await new Promise<void>((done) => terminal.write(written, done))
      written = ''
      rows.push(terminal.buffer.active.getLine(0)!.translateToString(true))
    }
    for (const at of [1, 2, 3]) {
      progress.add(10 ** at, 500_000)
      await look()
      now = at * 1000
    }
    progress.clear()
    await look()
    terminal.dispose()
    return rows
  }

  test('is one line, after a while, and gone at the end', async () => {
    expect(await screens(true, 2_000_000)).toEqual([
      '',
      '110 lines, 1.0 MB, 50 %',
      '1110 lines, 1.5 MB, 75 %',
      '',
    ])
    expect((await screens(true))[2]).toBe('1110 lines, 1.5 MB')
  })

  test('is not shown where there is no terminal', async () => {
    expect(await screens(false, 2_000_000)).toEqual(['', '', '', ''])
  })
})
