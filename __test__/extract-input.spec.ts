/**
 * In whatever form a payload comes, it gives the same sources: live object of any make, JSON text,
 * bytes. And however broken it is, nothing is thrown, what is whole is read, and nothing is made up.
 */
import { isDeepStrictEqual } from 'node:util'
import { GenerateContentResponse } from '@google/genai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CitationSource,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  type ProviderInput,
} from '../index.js'
import {
  ANTHROPIC_CITATIONS,
  ANTHROPIC_MESSAGE,
  ANTHROPIC_SOURCES,
  GEMINI_METADATA,
  GEMINI_RESPONSE,
  GEMINI_SOURCES,
  OPENAI_ANNOTATIONS,
  OPENAI_ITEM,
  OPENAI_RESPONSE,
  OPENAI_SOURCES,
} from './wire.js'

interface Case {
  extract: (input: ProviderInput) => CitationSource[]
  payload: object
  sources: CitationSource[]
  /** Where else the same sources may be handed over. */
  others: object[]
}

const CASES: [provider: string, Case][] = [
  [
    'Gemini',
    {
      extract: extractGeminiCitations,
      payload: GEMINI_RESPONSE,
      sources: GEMINI_SOURCES,
      others: [[GEMINI_RESPONSE], [{ response: GEMINI_RESPONSE }], GEMINI_METADATA],
    },
  ],
  [
    'OpenAI',
    {
      extract: extractOpenAIResponsesCitations,
      payload: OPENAI_RESPONSE,
      sources: OPENAI_SOURCES,
      others: [OPENAI_ITEM, OPENAI_RESPONSE.output, OPENAI_ITEM.content, OPENAI_ANNOTATIONS],
    },
  ],
  [
    'Anthropic',
    {
      extract: (input) => extractAnthropicCitations(input, { documents: true }),
      payload: ANTHROPIC_MESSAGE,
      sources: ANTHROPIC_SOURCES,
      others: [[ANTHROPIC_MESSAGE], ANTHROPIC_MESSAGE.content, ANTHROPIC_CITATIONS],
    },
  ],
]

const utf8 = (text: string) => new TextEncoder().encode(text)

/** As some servers write JSON: nothing but ASCII. */
const asciiOnly = (json: string) =>
  json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function insideLargerBuffer(bytes: Uint8Array, buffer: ArrayBufferLike): Uint8Array {
  new Uint8Array(buffer).fill(0x7b)
  const view = new Uint8Array(buffer, 5, bytes.length)
  view.set(bytes)
  return view
}

/** Every object and array behind a proxy that hands out proxies, as reactive libraries make them. */
function reactive<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, { get: (target, key) => reactive(Reflect.get(target, key)) })
}

/** A copy in which `make` has made every object anew, innermost first. */
function remade(value: unknown, make: (fields: object) => object): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return make(value.map((item) => remade(item, make)))
  const fields = Object.entries(value).map(([key, inner]) => [key, remade(inner, make)])
  return make(Object.fromEntries(fields))
}

/** An instance without fields of its own: all of them are getters of its class. */
function withPrototypeGetters(fields: object): object {
  if (Array.isArray(fields)) return fields
  class Model {}
  for (const [key, value] of Object.entries(fields)) {
    Object.defineProperty(Model.prototype, key, { get: () => value })
  }
  return new Model()
}

describe.each(CASES)('%s gives the same sources', (_, { extract, payload, sources, others }) => {
  const json = JSON.stringify(payload)
  test.each<[string, ProviderInput]>([
    ['a live object', payload],
    ['JSON', json],
    ['pretty-printed JSON', JSON.stringify(payload, null, 2)],
    [
      'JSON with Windows line ends and tabs',
      JSON.stringify(payload, null, '\t').replaceAll('\n', '\r\n'),
    ],
    ['JSON in ASCII', asciiOnly(json)],
    ['JSON after a byte order mark', `\uFEFF${json}`],
    ['JSON between blank lines', `\r\n ${json}\n\n`],
    ['bytes', utf8(json)],
    ['bytes after a byte order mark', utf8(`\uFEFF${json}`)],
    ['a Buffer', Buffer.from(json)],
    ['an event of a stream', `data: ${json}\n\n`],
    [
      'the bytes of a stream that says more',
      utf8(`: hello\r\nretry: 10\r\n\r\nevent: x\r\ndata: ${json}\r\n\r\ndata: [DONE]\r\n\r\n`),
    ],
    ['a stream that lacks its end, after a byte order mark', utf8(`\uFEFF\nid: 1\ndata:${json}`)],
    ['the first of JSON lines', `${json}\n{"type":"ping"}\n`],
    ['the second of JSON lines', utf8(`{"type":"ping"}\r\n${json}`)],
    ['the second of indented lines', `{"type":"ping"}\n ${json}`],
    ['the third of lines, an indented one', `{}\nnull\n ${json}`],
    ['the second of lines that only return', utf8(`{"type":"ping"}\r${json}`)],
    ['documents with indents', `{\n  "a": 1\n}\n${JSON.stringify(payload, null, 2)}`],
    [
      'a document with lines that are not indented',
      JSON.stringify(payload, null, 1).replace(/\n +/g, '\n'),
    ],
    [
      'a view into a larger buffer',
      insideLargerBuffer(utf8(json), new ArrayBuffer(json.length * 2)),
    ],
    [
      'a view into shared memory',
      insideLargerBuffer(utf8(json), new SharedArrayBuffer(json.length * 2)),
    ],
    ['instances of classes with getters', remade(payload, withPrototypeGetters) as object],
    ['frozen objects', remade(payload, Object.freeze) as object],
    [
      'objects without prototype',
      remade(payload, (fields) =>
        Array.isArray(fields) ? fields : Object.assign(Object.create(null), fields),
      ) as object,
    ],
    ['reactive proxies', reactive(payload)],
  ])('from %s', (_, input) => {
    expect(extract(input)).toEqual(sources)
  })

  test.each(others.map((other, index) => [index, other] as const))(
    'from smaller and larger shape %i, plain and behind reactive proxies',
    (_, other) => {
      expect(extract(other)).toEqual(sources)
      expect(extract(JSON.stringify(other))).toEqual(sources)
      expect(extract(reactive(other))).toEqual(sources)
    },
  )
})

test('reads what the SDK of Google hands out', () => {
  const response = Object.assign(new GenerateContentResponse(), GEMINI_RESPONSE)
  expect(response.text).toBe('Rust runs.')
  expect(extractGeminiCitations(response)).toEqual(GEMINI_SOURCES)
  expect(extractGeminiCitations([new GenerateContentResponse(), response])).toEqual(GEMINI_SOURCES)
})

type Path = (string | number)[]

function pathsOf(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys.flatMap((key): Path[] => [
    [key],
    ...pathsOf(Reflect.get(value, key)).map((rest) => [key, ...rest]),
  ])
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => Reflect.get(inner as object, key), value)
}

/** A copy with another value at `path`. */
function bent(payload: object, path: Path, value: unknown): object {
  const copy = structuredClone(payload)
  Reflect.set(at(copy, path.slice(0, -1)) as object, path.at(-1)!, value)
  return copy
}

/** A copy without the field at `path`. An item of a list leaves its place behind. */
function bare(payload: object, path: Path): object {
  if (typeof path.at(-1) === 'number') return bent(payload, path, {})
  const copy = structuredClone(payload)
  Reflect.deleteProperty(at(copy, path.slice(0, -1)) as object, path.at(-1)!)
  return copy
}

/** Values of every type that `value` is not, as JSON has them. */
function ofOtherType(value: unknown): unknown[] {
  const kind = (each: unknown) => (Array.isArray(each) ? 'array' : typeof each)
  const every = ['text', '', 5, -1, 1.5, true, false, {}, { length: -1 }, [], [5], [[]]]
  return every.filter((each) => kind(each) !== kind(value))
}

describe.each(CASES)('%s', (_, { extract, payload, sources }) => {
  const paths = pathsOf(payload)

  test('null counts as not there, at every single place', () => {
    for (const path of paths) {
      const broken = bent(payload, path, null)
      expect(extract(broken), path.join('.')).toEqual(extract(bare(payload, path)))
      expect(extract(JSON.stringify(broken)), path.join('.')).toEqual(extract(broken))
    }
  })

  test('a value of another type counts as not there, at every single place', () => {
    for (const path of paths) {
      for (const value of ofOtherType(at(payload, path))) {
        const broken = bent(payload, path, value)
        const place = `${path.join('.')}: ${JSON.stringify(value)}`
        expect(extract(broken), place).toEqual(extract(bare(payload, path)))
        expect(extract(JSON.stringify(broken)), place).toEqual(extract(broken))
      }
    }
  })

  test('one broken field costs one source at the most', () => {
    for (const path of paths.filter((path) => typeof at(payload, path) !== 'object')) {
      const found = extract(bent(payload, path, null))
      const lost = sources.filter((full) => !found.some((each) => isDeepStrictEqual(each, full)))
      expect(lost.length, path.join('.')).toBeLessThanOrEqual(1)
      expect(found.length, path.join('.')).toBeLessThanOrEqual(sources.length)
    }
  })

  test('an object and its JSON agree, whatever stands in it', () => {
    const word = fc.constantFrom('type', 'url', 'title', 'content', 'https://a.example/', 'text')
    const value = fc.oneof(word, fc.jsonValue(), fc.dictionary(word, fc.jsonValue()))
    fc.assert(
      fc.property(fc.constantFrom(...paths), value, (path, replaced) => {
        const json = JSON.stringify(bent(payload, path, replaced))
        const live = extract(JSON.parse(json))
        expect(extract(json)).toEqual(live)
        expect(extract(utf8(json))).toEqual(live)
      }),
      { numRuns: 500 },
    )
  })

  test('JSON that was cut off gives no address, id or place that was not in it', () => {
    const json = JSON.stringify(payload)
    for (let end = 0; end < json.length; end++) {
      for (const input of [json.slice(0, end), utf8(json).subarray(0, end)]) {
        for (const { url, uri, fileId, location } of extract(input)) {
          const honest = sources.some((full) => isPart({ url, uri, fileId, location }, full))
          expect(honest, `${json.slice(0, end).slice(-60)} gave ${url ?? uri}`).toBe(true)
        }
      }
    }
  })

  test('getters that throw cost what they hide and leave nothing behind', () => {
    for (const path of paths) {
      const copy = structuredClone(payload)
      Object.defineProperty(at(copy, path.slice(0, -1)), path.at(-1)!, {
        get() {
          throw new Error('not yours')
        },
      })
      expect(extract(copy), path.join('.')).toEqual(extract(bare(payload, path)))
    }
    expect(extract(payload)).toEqual(sources)
  })
})

test.each([
  [
    'a spelling that is null first',
    '{"url":"https://a.example/","startIndex":null,"start_index":3,"end_index":9}',
  ],
  [
    'a spelling that is null last',
    '{"url":"https://a.example/","start_index":3,"startIndex":null,"end_index":9}',
  ],
  [
    'two spellings that differ',
    '{"url":"https://a.example/","start_index":3,"startIndex":5,"end_index":9}',
  ],
  ['a name that occurs twice', '{"url":"https://a.example/","title":"A","title":"B"}'],
  ['a name that is null the second time', '{"url":"https://a.example/","title":"A","title":null}'],
  ['a name with escapes', '{"\\u0075rl":"https://a.example/"}'],
  [
    'an object that looks like a list',
    '{"annotations":{"length":1,"0":{"url":"https://a.example/"}}}',
  ],
  ['numbers in other notations', '{"url":"https://a.example/","start_index":3.0,"end_index":9e1}'],
  [
    'a number that is no position',
    '{"url":"https://a.example/","start_index":3,"end_index":1e400}',
  ],
])('read alike as object and as JSON: %s', (_, json) => {
  expect(extractOpenAIResponsesCitations(json)).toEqual(
    extractOpenAIResponsesCitations(JSON.parse(json)),
  )
})

function isPart(part: unknown, whole: unknown): boolean {
  if (part === undefined || part === whole) return true
  if (typeof part !== 'object' || part === null) return false
  const held = Object.entries(part)
  return held.every(([key, value]) => isPart(value, Reflect.get(whole ?? {}, key)))
}

test('nested annotations are read in both spellings, in every form', () => {
  const page = { url: 'https://a.example/', title: 'A', start_index: 1, end_index: 4 }
  const location = { type: 'url_citation' as const, startIndex: 1, endIndex: 4 }
  const source = { title: 'A', url: page.url, provider: 'openai-responses', location }
  for (const nested of [{ url_citation: page }, { urlCitation: page }]) {
    const annotations = [{ type: 'url_citation', ...nested }]
    const response = {
      output: [{ type: 'message', content: [{ type: 'output_text', annotations }] }],
    }
    const json = JSON.stringify(response)
    for (const form of [response, json, Buffer.from(json)]) {
      expect(extractOpenAIResponsesCitations(form)).toEqual([source])
    }
  }
})

test('of two spellings the first that is there counts, in every form', () => {
  const both = { sourceUri: 7, source_uri: 'https://a.example/', imageUri: 'https://b.example/' }
  const fields = {
    title: 'T',
    provider: 'gemini',
    location: { type: 'grounding' as const, groundingChunkIndex: 0 },
  }
  const cases: [object, string][] = [
    [both, 'https://b.example/'],
    [{ ...both, sourceUri: null }, 'https://a.example/'],
  ]
  for (const [image, url] of cases) {
    const groundingChunks = [{ image: { ...image, title: 'T' } }]
    const response = { candidates: [{ groundingMetadata: { groundingChunks } }] }
    const json = JSON.stringify(response)
    for (const form of [response, json, Buffer.from(json)]) {
      expect(extractGeminiCitations(form)).toEqual([{ ...fields, url }])
    }
  }
})

describe('damaged text', () => {
  const titled = (title: string) =>
    JSON.stringify({ groundingChunks: [{ web: { uri: 'https://a.example/', title } }] })
  const titlesIn = (input: ProviderInput) => extractGeminiCitations(input).map(({ title }) => title)

  test.each([
    ['a byte no text has', [0xff]],
    ['the first byte of two', [0xc3]],
    ['three bytes of four', [0xf0, 0x9f, 0x98]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0xbd]],
    ['an overlong slash', [0xc0, 0xaf]],
  ])('bytes that are no UTF-8 are replaced: %s', (_, broken) => {
    const [before, after] = titled('a|b').split('|') as [string, string]
    const bytes = Uint8Array.from([...utf8(before), ...broken, ...utf8(after)])
    const expected = new TextDecoder().decode(Uint8Array.from([0x61, ...broken, 0x62]))
    expect(titlesIn(bytes)).toEqual([expected])
  })

  test.each([
    ['high', 'a\ud83db'],
    ['low', 'a\ude00b'],
    ['swapped', 'a\ude00\ud83db'],
    ['last', 'ab\ud83d'],
  ])('lone surrogates are replaced in objects, JSON and escapes alike: %s', (_, title) => {
    const expected = [new TextDecoder().decode(utf8(title))]
    expect(titlesIn({ groundingChunks: [{ web: { title } }] })).toEqual(expected)
    expect(titlesIn(titled(title))).toEqual(expected)
    expect(titlesIn(titled('|').replace('|', title))).toEqual(expected)
  })
})

test.each(CASES)('%s finds nothing in what is no payload', (_, { extract, payload }) => {
  const inputs: unknown[] = [
    ...[undefined, null, 5, Number.NaN, true, false, Symbol('x'), 10n, () => {}, class {}],
    ...['', ' ', 'text', '5', 'null', 'true', '"text"', '[', '{', '}', '{"', '[]', '{}', '[[]]'],
    ...[[], {}, [[payload]], [null, 5, 'text'], new Map([['candidates', [1]]]), new Set([payload])],
    ...[new Date(0), /x/, new Error('x'), Promise.resolve(payload), new URL('https://a.example/')],
    ...[
      new Uint8Array(),
      new Uint8Array([0, 255, 0]),
      new Uint16Array(utf8(JSON.stringify(payload))),
    ],
    ...[utf8(JSON.stringify(payload)).buffer, Buffer.from(JSON.stringify(payload), 'utf16le')],
  ]
  for (const input of inputs) {
    expect(extract(input as ProviderInput), String(input)).toEqual([])
  }
})
