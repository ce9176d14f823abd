/** What the tool reads, and what it says of what it cannot read. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { TurnPayload } from '../index.js'
import { blockOf, cite, example, folder, installed, line, numbered } from './cli.js'
import { recordings, recordingsPresent } from './recordings.js'
import { isControl } from './screen.js'
import { pushedBytes } from './stream-bodies.js'

const { file, path } = folder()

const payloads = (args: string[], input?: string): TurnPayload[] => {
  const { stdout, stderr } = cite([...args, '--format', 'json'], { input })
  expect(stderr).toBe('')
  return stdout
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one))
}
const addresses = (args: string[], input?: string) =>
  payloads(args, input).map(({ sources }) => sources.map(({ url }) => url))

const GEMINI = numbered(1)
const OPENAI = JSON.parse(readFileSync(example('openai-web-search.json'), 'utf8'))
const ANTHROPIC = JSON.parse(readFileSync(example('anthropic-document.json'), 'utf8'))
const RUN = JSON.parse(readFileSync(example('tool-run.json'), 'utf8'))
const MCP = RUN.tools[2].output

describe('one answer', () => {
  test.each([
    ['a response', JSON.stringify(GEMINI)],
    ['a response behind a byte order mark', `\uFEFF${JSON.stringify(GEMINI, null, 2)}`],
    ['a response in a list', JSON.stringify([GEMINI])],
    ['a response that Code Assist wraps', JSON.stringify({ response: GEMINI })],
    ['server-sent events', `data: ${JSON.stringify(GEMINI)}\r\n\r\n`],
    ['a log of one', line(GEMINI)],
    ['a record of a batch', line({ key: '1', response: { status_code: 200, body: GEMINI } })],
    ['a record that keeps the body as text', line({ response: `data: ${line(GEMINI)}\n` })],
  ])('%s', (_, input) => {
    const expected = { status: 0, stdout: blockOf(1), stderr: '' }
    expect(cite(['-'], { input })).toEqual(expected)
    expect(cite(['cite', file('one', input)])).toEqual(expected)
  })

  test('a response that lists its tools is no run of them', () => {
    const tools = [{ type: 'web_search', name: 'web_search' }]
    expect(payloads(['-'], JSON.stringify({ ...OPENAI, tools }))).toEqual(
      payloads([example('openai-web-search.json')]),
    )
  })

  test('a payload that was written before', () => {
    for (const name of ['gemini-coverage.json', 'tool-run.json', 'anthropic-document.json']) {
      const saved = cite([example(name), '--format', 'json']).stdout
      expect(cite(['-'], { input: saved })).toEqual(cite([example(name)]))
    }
  })

  test('a payload that somebody else wrote steers nothing', () => {
    const sources = [{ title: '\u001b[31mred', url: 'javascript:alert(1)' }]
    const anchors = [
      null,
      { start: 0, end: 99, sources: [7] },
      { start: 0, end: 1, text: 'a', sources: [1] },
    ]
    const [payload] = payloads(
      ['-'],
      line({ answer: 'a\u001b[2J', sources, anchors, cited: [0, 1, 'x'] }),
    )
    expect(payload).toMatchObject({ anchors: [anchors[2]], cited: [1] })
    expect(payload!.sources[0]).toEqual({ title: '[31mred', uri: 'javascript:alert(1)' })
  })

  test('several files, a blank line between them', () => {
    const one = file('1.json', JSON.stringify(numbered(1)))
    const two = file('2.json', JSON.stringify(numbered(2)))
    const { stdout } = cite([one, two])
    expect(stdout).toBe(`${blockOf(1)}\n${blockOf(2)}`)
    expect(payloads([one, two]).map((payload) => 'file' in payload && payload.file)).toEqual([
      one,
      two,
    ])
  })
})

describe.skipIf(!recordingsPresent)('a recording', () => {
  const bodies = recordings().flatMap(({ file, exchanges }) =>
    exchanges
      .filter(({ events }) => events.length > 0)
      .slice(0, 1)
      .map(({ raw }) => [file, raw] as const),
  )

  test.each(bodies)('%s', (name, raw) => {
    const expected = pushedBytes(raw)
    const { status, stdout } = cite(['-', '--format', 'json'], { input: raw })
    if (expected.answer === '' && expected.sources.length === 0)
      expect([name, status]).toEqual([name, 1])
    else expect(JSON.parse(stdout)).toEqual(expected)
  })
})

describe('tools', () => {
  const NOTE = ['https://notes.example/runtime-choice']

  test.each([
    ['a bare MCP result', MCP],
    ['an answer of an MCP server', { jsonrpc: '2.0', id: 1, result: MCP }],
    ['a call with its result', { name: 'mcp__notes__search', args: {}, output: MCP }],
    ['a run without an answer', { tools: [RUN.tools[2]] }],
  ])('%s', (_, value) => {
    expect(addresses(['-'], JSON.stringify(value))).toEqual([NOTE])
  })

  test('a run with its answer, as the README writes it', () => {
    const { stdout } = cite([example('tool-run.json')])
    expect(stdout).toContain(RUN.answer)
    expect(stdout).toContain('1. Tokio - An asynchronous Rust runtime — https://tokio.rs/')
  })

  test('text of a tool that is named', () => {
    const input = RUN.tools[0].output
    const found = ['https://tokio.rs/', 'https://tokio.rs/blog/2021-07-announcing-axum']
    expect(addresses(['-', '--tool', 'exa_web_search'], input)).toEqual([found])
  })

  test('text of a tool nobody knows is read by its addresses', () => {
    expect(addresses(['-', '--tool', 'mine'], 'see https://a.example/ there\nand there')).toEqual([
      ['https://a.example/'],
    ])
  })

  test('a log of results', () => {
    const log = line({ results: [{ title: 'A', link: 'https://a.example/' }] }).repeat(2)
    expect(addresses(['-', '--tool', 'web_search', '--jsonl'], log)).toEqual([
      ['https://a.example/'],
      ['https://a.example/'],
    ])
  })

  test('nothing in it', () => {
    expect(cite(['-', '--tool', 'web_search'], { input: '{"results":[]}' })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'standard input holds no source of web_search\n',
    })
  })
})

describe('--provider', () => {
  const log = [GEMINI, OPENAI, ANTHROPIC].map(line).join('')

  test.each([
    ['gemini', 1],
    ['openai', 2],
    ['anthropic', 3],
  ])('%s: of a log only line %i', (provider, at) => {
    const found = payloads(['-', '--provider', provider], log)
    expect(found).toEqual([
      { line: at, ...payloads(['-'], JSON.stringify([GEMINI, OPENAI, ANTHROPIC][at - 1]))[0] },
    ])
  })

  test('a file of somebody else', () => {
    expect(cite([example('gemini-search.json'), '--provider', 'openai'])).toEqual({
      status: 1,
      stdout: '',
      stderr: `${example('gemini-search.json')} holds no answer of openai\n`,
    })
  })

  test('a fragment that does not say whose it is', () => {
    const chunks = JSON.stringify([{ web: { uri: 'https://a.example/', title: 'A' } }])
    const citations = JSON.stringify(ANTHROPIC.content[1].citations)
    const found = ['gemini', 'anthropic'].map((provider, at) => {
      const input = at === 0 ? `{"groundingChunks":${chunks}}` : citations
      return payloads(['-', '--provider', provider], input)[0]!.sources.length
    })
    expect(found).toEqual([1, 1])
  })
})

describe('--stream and --jsonl', () => {
  const chunks = ['The ', 'end.'].map((text) => ({
    candidates: [{ content: { parts: [{ text }] } }],
  }))
  const body = chunks.map(line).join('')

  test('decide where lines could be either', () => {
    const answers = (...args: string[]) =>
      payloads(['-', ...args], body).map(({ answer }) => answer)
    expect(answers()).toEqual(['The end.'])
    expect(answers('--stream')).toEqual(['The end.'])
    expect(answers('--jsonl')).toEqual(['The ', 'end.'])
  })
})

test.skipIf(process.platform === 'win32')(
  'an installed package reads what is piped into it',
  () => {
    const command = installed(path)
    const run = (args: string[], input: string) => {
      const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' })
      return { status, stdout, stderr }
    }
    const expected = { status: 0, stdout: blockOf(1), stderr: '' }
    expect(run([], JSON.stringify(GEMINI))).toEqual(expected)
    expect(run(['cite', '--links', 'plain'], JSON.stringify(GEMINI))).toEqual(expected)
  },
)

describe('what cannot be read', () => {
  test.each([
    ['text', 'hello\n', ':1: no JSON: '],
    ['a number', '7', ' holds no answer of a provider'],
    ['nothing', '', ':1: no JSON: '],
    ['JSON of something else', '{"hello": "world"}', ' holds no answer of a provider'],
    ['a comma too many', '{\n  "a": 1,\n  "b": [1,,2]\n}\n', ':3: no JSON: '],
    ['a comma too few', '{\n  "a": 1\n  "b": []\n}\n', ':3: no JSON: '],
    ['a name without quotes', '{\n  "a": [0.5e1, true],\n  b: 1\n}\n', ':3: no JSON: '],
    ['the wrong bracket', '{\n  "a": [1, {"b": null}\n}\n}\n', ':3: no JSON: '],
    ['a strange escape', '{\n  "\\u00e4\\n": "\\q"\n}\n', ':2: no JSON: '],
    ['a string that does not end', '[\n  "a",\n  "b\n]\n', ':3: no JSON: '],
    ['something behind it', '{\n  "a": 1\n}\n}\n', ':4: no JSON: '],
    ['JSON that is cut off', '{\n  "candidates": [\n    {', ':3: no JSON: '],
    ['events of something else', 'data: {"hello": "world"}\n\n', ' holds no answer of a provider'],
  ])('%s', (_, input, message) => {
    const name = file('strange', input)
    const { status, stdout, stderr } = cite([name])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr.startsWith(`${name}${message}`), stderr).toBe(true)
    expect(stderr.split('\n')).toHaveLength(2)
  })

  test('a file that is not there, or a folder, does not keep others from being shown', () => {
    const there = file('there.json', JSON.stringify(GEMINI))
    const { status, stdout, stderr } = cite([path('missing'), path('.'), there])
    expect({ status, stdout }).toEqual({ status: 1, stdout: blockOf(1) })
    expect(stderr).toMatch(/^cannot read .*missing: ENOENT.*\ncannot read .*: EISDIR.*\n$/)
  })

  test('a stream that was cut off is shown as far as it goes', () => {
    const input = `data: ${JSON.stringify(GEMINI)}\n\ndata: {"candidates": [{"content": `
    const { status, stdout, stderr } = cite(['-'], { input })
    expect({ status, stdout }).toEqual({ status: 0, stdout: blockOf(1) })
    expect(stderr).toBe('standard input: an event is no JSON: {"candidates": [{"content":\n')
  })

  test('names and data that steer terminals are said without doing so', () => {
    const { stderr } = cite([path('\u001b[31mred\u0007'), '-'], { input: '\u001b]0;title\u0007' })
    expect([...stderr].filter((character) => isControl(character) && character !== '\n')).toEqual(
      [],
    )
    expect(stderr).toContain('[31mred')
  })
})
