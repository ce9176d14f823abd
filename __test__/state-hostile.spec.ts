/**
 * What is no stored turn is refused with a `TypeError` that says why; what was tampered with either is
 * refused as well or comes to a turn that is clean, sound and can go on. Nothing else is ever thrown.
 */
import { describe, expect, test } from 'vitest'
import { CitationService, type CitationTurn } from '../index.js'
import { searched } from './agent-runs.js'
import { anthropicEvents, geminiEvents } from './stored-turns.js'
import { BODIES, expectSound, utf8 } from './stream-bodies.js'
import { gemini } from './turns.js'

const SERVICE = new CitationService({ documents: true })

/** What is thrown when this is taken up; fails when nothing is. */
function refusal(data: unknown): unknown {
  try {
    SERVICE.restoreTurn(data as object)
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('misuse', () => {
  const stored = () => JSON.parse(SERVICE.startTurn().serialize()) as Record<string, unknown>

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a boolean', true],
    ['a symbol', Symbol('turn')],
    ['a function', () => stored()],
    ['a big integer', 1n],
    ['no text', ''],
    ['text that is no JSON', 'turn'],
    ['JSON that is cut off', SERVICE.startTurn().serialize().slice(0, -1)],
    ['JSON with something behind it', `${SERVICE.startTurn().serialize()} x`],
    ['JSON null', 'null'],
    ['a JSON number', '1'],
    ['a JSON string', '"{}"'],
    ['no bytes', new Uint8Array()],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00])],
    ['bytes that are no JSON', Buffer.from('turn')],
    ['an empty list', []],
    ['a list of one', [stored()]],
    ['an empty object', {}],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a payload', SERVICE.startTurn().finish()],
    ['no version', { turn: stored().turn }],
    ['a version that is text', { ...stored(), version: '1' }],
    ['a version that is none', { ...stored(), version: null }],
    ['a version below zero', { ...stored(), version: -1 }],
    ['half a version', { ...stored(), version: 1.5 }],
    ['a huge version', { ...stored(), version: 1e30 }],
    ['no turn', { version: 1 }],
    ['a turn that is null', { version: 1, turn: null }],
    ['a turn that is a list', { version: 1, turn: [] }],
    ['a turn with nothing in it', { version: 1, turn: {} }],
    ['a turn in a turn', { version: 1, turn: stored() }],
    ['brackets without end', '['.repeat(100_000)],
    ['objects without end', '{"turn":'.repeat(100_000)],
  ])('%s', (_, data) => {
    const error = refusal(data)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toMatch(/^data .*stored turn/)
  })

  test.each<[unknown, string]>([
    [undefined, 'got undefined'],
    [null, 'got null'],
    [7, 'got 7'],
    [true, 'got true'],
  ])('%j is called by its name', (data, expected) => {
    expect((refusal(data) as TypeError).message).toContain(expected)
  })

  test('a long text is not repeated in the message', () => {
    for (const data of [JSON.stringify('x'.repeat(100_000)), { version: 'x'.repeat(100_000) }]) {
      expect((refusal(data) as TypeError).message.length).toBeLessThan(300)
    }
  })

  test.each([0, 2, 99])('version %i of the format', (version) => {
    const message = `data has version ${version}; this release reads version 1`
    const others = [
      { ...stored(), version },
      { version, other: 'fields' },
    ]
    for (const data of [...others, ...others.map((data) => JSON.stringify(data))]) {
      const error = refusal(data)
      expect(error).toBeInstanceOf(TypeError)
      expect((error as TypeError).message).toBe(message)
    }
  })

  test('an object that throws or has no end', () => {
    const circle = stored()
    circle.turn = circle
    expect(refusal(circle)).toBeInstanceOf(TypeError)
    const trap = {
      get version(): number {
        throw new RangeError('no')
      },
    }
    expect(refusal(trap)).toBeInstanceOf(TypeError)
  })

  test('fields that a later release may add are no reason to refuse', () => {
    const more = { ...stored(), note: 'x' }
    expect(SERVICE.restoreTurn(more).finish()).toEqual(SERVICE.startTurn().finish())
  })
})

/** Turns with something of everything in them, stopped in the middle of a body. */
const VICTIMS: Record<string, CitationTurn> = {
  'stopped in an event': victim('data over several lines', 0.7),
  'stopped in a document': victim('a JSON array', 0.7),
  'stopped in a line': victim('server-sent events', 0.95),
}

function victim(form: string, part: number): CitationTurn {
  const turn = SERVICE.startTurn()
  for (const event of geminiEvents()) turn.push(event)
  const page = { title: 'T', link: 'https://t.example/', snippet: 'Words.', score: 0.5 }
  turn.addToolResult({ name: 'web_search', callId: 'c1', output: { results: [page] } })
  turn.merge('agent', [
    { url: 'https://t.example/', title: 'T', id: 'x-0', citedText: 'Worte.' },
    { uri: 'a.pdf', title: 'a.pdf', type: 'file', pageNumber: 3, id: 'x-1' },
    { uri: 'b.ts', title: 'b.ts', type: 'file', lineStart: 3, lineEnd: 4, id: 'x-2' },
  ])
  for (const event of anthropicEvents()) turn.push(event)
  turn.finish('Das größte Rad 🎡 steht in Wien. Neu.')
  const body = utf8(BODIES[form]!(geminiEvents('gen-9')))
  turn.pushBytes(utf8('data: oops\n\n'))
  const other = SERVICE.startTurn()
  other.pushBytes(body.subarray(0, Math.floor(body.length * part)))
  // The first body of a turn says what form the rest has.
  const [stored, stopped] = [turn, other].map((one) => JSON.parse(one.serialize()))
  stored.turn.splitter = stopped.turn.splitter
  return SERVICE.restoreTurn(stored)
}

type Path = (string | number)[]

/** The way to everything in a value that is no object and no list; of many bytes, the first and last. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Object.entries(value)
  const isLong = entries.length > 16 && entries.every(([, item]) => typeof item === 'number')
  const some = isLong ? [entries[0]!, entries.at(-1)!] : entries
  return some.flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

/** A stored turn with something else at this place, as text. */
function tampered(stored: string, path: Path, json: string): string {
  const copy = JSON.parse(stored)
  const parent = path.slice(0, -1).reduce((inner, key) => inner[key], copy)
  parent[path.at(-1)!] = '\u0001'
  // Numbers that JavaScript cannot hold can only be put in as text.
  return JSON.stringify(copy).replace('"\\u0001"', () => json)
}

/** What steers terminals or makes text read otherwise than it is. */
const STEERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u

/** Everything a source says, but for what its tool and its provider want back unchanged. */
function words(value: object): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (key === 'metadata' || key === 'encryptedIndex') return []
    if (typeof inner === 'string') return [inner]
    return typeof inner === 'object' && inner ? words(inner) : []
  })
}

function expectClean(turn: CitationTurn): void {
  const payload = turn.finish()
  expectSound(payload)
  const { sources, diagnostics } = payload
  const shown = [...sources, ...diagnostics].flatMap(words)
  shown.push(...turn.render({ links: 'plain' }).split('\n'))
  expect(shown.filter((text) => STEERS.test(text))).toEqual([])
  const named = sources.flatMap(({ rawUrl: _, also, ...source }) => [
    ...words(source),
    ...(also ?? []).flatMap(({ rawUrl: _, ...mention }) => words(mention)),
  ])
  expect(named.filter((text) => Array.from(text).length > 301)).toEqual([])
  const quoted = sources.flatMap(({ citedText = '', snippet = '' }) => [citedText, snippet])
  expect(quoted.filter((text) => Array.from(text).length > 201)).toEqual([])
  const linked = sources.flatMap(({ url }) => url ?? [])
  expect(linked.filter((url) => !/^https?:\/\/[^@]*$/.test(url))).toEqual([])
  const said = sources.map(({ metadata = {} }) => JSON.stringify(metadata))
  expect(said.filter((json) => json.length > 2048)).toEqual([])
}

/** Goes on with a turn in every way there is. */
function goOn(turn: CitationTurn): void {
  turn.pushBytes(utf8('"}}]}\n\ndata: {"candidates":[{"content":{"parts":[{"text":"ö"}]}}]}\n\n'))
  turn.push(gemini('Mehr.', {}, 'gen-1'))
  turn.push(gemini('Mehr.', {}, 'gen-77'))
  turn.push(anthropicEvents()[3]!)
  turn.addToolResult(searched('c9', ['https://c9.example/', 'C9']))
  turn.addToolResult(searched(undefined, ['https://d9.example/', 'D9']))
  turn.merge('other', [{ url: 'https://e9.example/', title: 'E9' }])
  const restored = SERVICE.restoreTurn(turn.serialize())
  expect(restored.finish()).toEqual(turn.finish())
}

const HOSTILE: Record<string, string> = {
  'text that steers': JSON.stringify('a\u001b[31m\nb\u202e\u0007\u009b'),
  'an address that runs': '"javascript:alert(1)"',
  'an address with a user name': '"https://a.example@evil.example/"',
  'long text': JSON.stringify('Wort '.repeat(3000)),
  'long metadata': JSON.stringify(JSON.stringify({ a: 'z'.repeat(9000) })),
  'no text': '""',
  'half a character': '"\\ud83d"',
  zero: '0',
  one: '1',
  'two, which is inside a character': '2',
  'below zero': '-1',
  'half a number': '0.5',
  'the greatest whole number': '9007199254740991',
  'more than 32 bits': '4294967296',
  'almost 32 bits': '4294967295',
  '64 bits': '18446744073709551615',
  'more than 64 bits': '18446744073709551616',
  'a huge number': '1e308',
  'too huge a number': '1e999',
  'no number': 'NaN',
  null: 'null',
  true: 'true',
  'a list': '[]',
  'an object': '{}',
}

describe.each(Object.entries(VICTIMS))('a turn that is %s', (name, turn) => {
  const stored = turn.serialize()
  const all = leaves(JSON.parse(stored))
  // The turns are the same but for the body they were stopped in.
  const isFirst = name === Object.keys(VICTIMS)[0]
  const places = isFirst ? all : all.filter((path) => path.includes('splitter'))

  test('is clean and goes on when nobody touches it', () => {
    expectClean(SERVICE.restoreTurn(stored))
    goOn(SERVICE.restoreTurn(stored))
    expect(places.length).toBeGreaterThan(isFirst ? 100 : 5)
  })

  test.each(Object.entries(HOSTILE))('with %s anywhere in it', (_, json) => {
    const wrong: string[] = []
    for (const path of places) {
      const data = tampered(stored, path, json)
      try {
        const restored = SERVICE.restoreTurn(data)
        expectClean(restored)
        goOn(restored)
        expectClean(restored)
      } catch (error) {
        const refused = error instanceof TypeError && error.message.startsWith('data ')
        if (!refused) wrong.push(`${path.join('.')}: ${String(error).split('\n')[0]}`)
      }
    }
    expect(wrong).toEqual([])
  })
})
