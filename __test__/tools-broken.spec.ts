/** Tool results that are no data at all, or that bite: nothing throws, hangs or spoils prototypes. */
import { describe, expect, test } from 'vitest'
import { anthropic, extractToolCitations, getDefaultExtractors, type ToolCall } from '../index.js'
import { CALL_ID, signed, TOOLS } from './tool-results.js'

const PAGE = { title: 'A', url: 'https://a.example/' }
const PAGE_SOURCE = { ...PAGE, domain: 'a.example', type: 'web' } as const

const search = (output: unknown) =>
  extractToolCitations({ name: 'web_search', callId: CALL_ID, output })
const found = (more: object = {}) => signed('web_search', [{ ...PAGE_SOURCE, ...more }])

const throwing = () => {
  throw new Error('do not touch')
}
const hostileProxy = (target: object) =>
  new Proxy(target, {
    get: throwing,
    has: throwing,
    ownKeys: throwing,
    getOwnPropertyDescriptor: throwing,
    getPrototypeOf: throwing,
  })
const revokedProxy = (target: object) => {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}
const cyclic = () => {
  const value: Record<string, unknown> = { ...PAGE, content: [], results: [], output: null }
  value.output = value
  value.results = [value]
  value.content = [value]
  return value
}
const nested = (depth: number, wrap: (inner: unknown) => unknown) => {
  let value: unknown = PAGE
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}
const detached = () => {
  const bytes = new TextEncoder().encode('[]')
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

const BROKEN: Record<string, () => unknown> = {
  nothing: () => undefined,
  null: () => null,
  'a number': () => Number.NaN,
  'a bigint': () => 10n,
  'a symbol': () => Symbol('x'),
  'a function': () => throwing,
  'a date': () => new Date(0),
  'a map': () => new Map([['results', [PAGE]]]),
  'an error': () => new Error('https://x.example/'),
  'a promise': () => Promise.resolve(PAGE),
  'an empty object': () => ({}),
  'an empty list': () => [],
  'a list of nothing': () => [null, undefined, 1, 10n, Symbol('x'), () => 1],
  'a list with holes': () => new Array(1000),
  'a getter that throws': () =>
    Object.defineProperty({}, 'results', { get: throwing, enumerable: true }),
  'a list with a getter that throws': () =>
    Object.defineProperty([], 0, { get: throwing, enumerable: true }),
  'a proxy that throws': () => hostileProxy({}),
  'a proxy of a list that throws': () => hostileProxy([]),
  'a revoked proxy': () => revokedProxy({}),
  'a revoked proxy of a list': () => revokedProxy([]),
  'detached bytes': detached,
  'other numbers in a row': () => new Uint16Array(4),
  'invalid bytes': () => Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0xf0, 0x9f]),
  'deep lists': () => nested(50_000, (inner) => [inner]),
  'deep objects': () => nested(50_000, (inner) => ({ a: inner })),
  'deep wrappings': () => nested(5_000, (inner) => ({ output: inner })),
  'deep text': () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  'deep text of objects': () => '{"a":'.repeat(20_000),
  'half of JSON': () => '{"results":[{"url":"https://a.exam',
  'lone surrogates': () => '\ud800{"results":[\udfff',
}

describe('what is no result', () => {
  test.each(Object.entries(BROKEN))('%s', (_, make) => {
    for (const name of [...TOOLS.map(({ name }) => name), 'unknown_tool']) {
      for (const output of [make(), [make()], { output: make() }, { llmContent: make() }]) {
        for (const args of [undefined, make()]) {
          const call = { name, args, callId: CALL_ID, output }
          expect(extractToolCitations(call, { scanUnknownTools: true }), name).toEqual([])
        }
      }
    }
  })

  test.each(Object.entries(BROKEN))('%s in place of a call', (_, make) => {
    expect(extractToolCitations(make() as ToolCall)).toEqual([])
  })

  test.each(Object.entries(BROKEN))('%s for every part of a call', (_, make) => {
    const call = { name: make(), args: make(), callId: make(), timestamp: make(), output: make() }
    expect(extractToolCitations(call as ToolCall)).toEqual([])
    for (const extractor of getDefaultExtractors()) {
      const odd = make() as string
      expect(extractor.extract(odd, odd, odd, odd), extractor.name).toEqual([])
    }
  })
})

describe('good results with something broken in them', () => {
  test.each<[string, () => unknown]>([
    ['nothing', () => null],
    ['a list', () => []],
    ['a number', () => 7],
    ['a proxy that throws', () => hostileProxy({})],
    ['a revoked proxy', () => revokedProxy({})],
  ])('%s among the records', (_, make) => {
    expect(search({ results: [make(), PAGE, make()] })).toStrictEqual(found())
  })

  test('a record that cannot be written as metadata is kept without it', () => {
    const record = { ...PAGE, rank: 1, big: 10n, call: throwing, toJson: { toJSON: throwing } }
    const own = Object.assign(record, { self: record, deep: nested(50_000, (inner) => [inner]) })
    Object.defineProperty(own, 'getter', { get: throwing, enumerable: true })
    expect(search([own])).toStrictEqual(found({ metadata: { rank: 1, toJson: {} } }))
  })

  // Node-API values of long lists are good only while they are visited.
  test.each([64, 65, 200])('a list of %i parts is read to its end', (count) => {
    const numbers = Array.from({ length: count }, (_, index) => index)
    const links = numbers.map((index) => {
      return { type: 'resource_link', uri: `https://e.example/${index}`, name: `n${index}` }
    })
    const sources = extractToolCitations({ name: 'mcp__a__b', output: { content: links } })
    expect(sources.map(({ title }) => title)).toEqual(links.map(({ name }) => name))
    const { source } = anthropic.customContentDocument(numbers.map((index) => `block ${index}`))
    expect(source.content.map(({ text }) => text)).toEqual(numbers.map((index) => `block ${index}`))
  })

  test('a page that holds itself is one page', () => {
    for (const { name } of TOOLS) {
      for (const output of [cyclic(), [cyclic()]]) {
        expect(extractToolCitations({ name, output }).length, name).toBeLessThanOrEqual(1)
      }
    }
  })

  test('a value that holds itself many times is not walked many times', () => {
    let reads = 0
    const value = {}
    for (const name of ['request', 'socket', 'parser']) {
      const get = () => {
        reads += 1
        return value
      }
      Object.defineProperty(value, name, { get, enumerable: true })
    }
    for (const name of [...TOOLS.map(({ name }) => name), 'unknown_tool']) {
      reads = 0
      expect(extractToolCitations({ name, output: value }, { scanUnknownTools: true })).toEqual([])
      expect(reads, name).toBeLessThan(10_000)
    }
  })

  test('lone surrogates become U+FFFD', () => {
    const output = [{ title: 'a\ud800b', url: PAGE.url, snippet: '\udfffc \ud83d' }]
    expect(search(output)).toStrictEqual(found({ title: 'a\ufffdb', snippet: '\ufffdc \ufffd' }))
    expect(search(JSON.stringify(output))).toStrictEqual(search(output))
    const text = 'Title: a\ud800b\nURL: https://a.example/\nText: c\udfff'
    expect(extractToolCitations({ name: 'codesearch', output: text })).toMatchObject([
      { title: 'a\ufffdb', url: PAGE.url, snippet: 'c\ufffd' },
    ])
  })

  test('invalid bytes become U+FFFD', () => {
    const [head, tail] = ['[{"title":"a', '","url":"https://a.example/"}]']
    const output = Buffer.concat([Buffer.from(head!), Buffer.from([0xff]), Buffer.from(tail!)])
    expect(search(output)).toStrictEqual(found({ title: 'a\ufffd' }))
  })

  test('at most a thousand sources of one call', () => {
    const output = Array.from({ length: 20_000 }, (_, n) => ({ url: `https://a.example/${n}` }))
    for (const form of [output, JSON.stringify(output)]) {
      const sources = search(form)
      expect(sources).toHaveLength(1000)
      expect(sources[999]!.id).toBe(`${CALL_ID}-999`)
    }
  })

  test('at most 2 kB of metadata', () => {
    const output = [{ ...PAGE, long: 'x'.repeat(3000), short: 'y', list: Array(2000).fill(1) }]
    expect(search(output)).toStrictEqual(found({ metadata: { short: 'y' } }))
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key${n}`, 'value']))
    const [source] = search([{ ...PAGE, ...many }])
    expect(JSON.stringify(source!.metadata).length).toBeLessThanOrEqual(2048)
    const named = [{ ...PAGE, short: 'y', ['k'.repeat(5000)]: 1 }]
    expect(search(named)).toStrictEqual(found({ metadata: { short: 'y' } }))
  })
})

describe('prototypes', () => {
  const text =
    '[{"title":"A","url":"https://a.example/","__proto__":{"spoiled":1},' +
    '"constructor":{"prototype":{"spoiled":1}},"metadata":{"__proto__":{"spoiled":1},"rank":1}}]'

  test.each([
    ['text', text],
    ['data', JSON.parse(text) as unknown],
    ['bytes', Buffer.from(text)],
  ])('are not spoiled by %s', (_, output) => {
    const [source] = search(output)
    expect(source!.metadata).toMatchObject({ rank: 1 })
    expect(Object.getPrototypeOf(source)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(source!.metadata)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>).spoiled).toBeUndefined()
    expect((Object as unknown as Record<string, unknown>).spoiled).toBeUndefined()
  })
})

test('what is given is left as it was', () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze)
    return Object.freeze(value)
  }
  for (const { name, args, data, text, sources } of TOOLS) {
    const output = freeze(structuredClone(data ?? text))
    const call = freeze({ name, args: structuredClone(args), callId: CALL_ID, output })
    expect(extractToolCitations(call), name).toStrictEqual(signed(name, sources))
    expect(output).toStrictEqual(data ?? text)
  }
})
