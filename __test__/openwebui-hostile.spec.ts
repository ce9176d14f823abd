/**
 * Objects that throw, lie, hold themselves or have no end: no function of the namespace throws on any of
 * them, and what a message carries comes back as it was.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openWebui } from '../index.js'
import { NOTES, PAGE } from './openwebui-messages.js'

const thrower = (): never => {
  throw new Error('do not touch')
}
const throwing = (...names: string[]) =>
  Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { get: thrower, enumerable: true }])),
  )
const circle = (): object => {
  const one: Record<string, unknown> = { document: [], metadata: [], source: {} }
  one.source = one
  one.sources = [one]
  one.data = one
  ;(one.document as unknown[]).push(one)
  ;(one.metadata as unknown[]).push(one)
  return one
}
const FIELDS = ['sources', 'citations', 'type', 'data', 'source', 'document', 'metadata', 'name']
const everything = new Proxy(
  {},
  {
    get: thrower,
    has: thrower,
    ownKeys: thrower,
    getOwnPropertyDescriptor: thrower,
    getPrototypeOf: thrower,
  },
)
let turns = 0
const fickle = new Proxy(
  {},
  {
    get: (target, name): unknown => {
      turns += 1
      if (name === 'length') return 3
      return turns % 3 === 0 ? undefined : turns % 3 === 1 ? fickle : String(target)
    },
  },
) as object

const VALUES: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', Number.NaN],
  ['a big integer', 10n],
  ['a symbol', Symbol('x')],
  ['a function', Object.assign(() => NOTES, { sources: [NOTES] })],
  ['text', 'x\ud83d'],
  ['brackets without end', '['.repeat(100_000)],
  ['bytes', new Uint8Array([0xff, 0x00, 0x7b])],
  ['a date', new Date(Number.NaN)],
  ['a map', new Map([['sources', [NOTES]]])],
  ['a circle', circle()],
  [
    'a list in itself',
    (() => {
      const list: unknown[] = []
      list.push(list)
      return list
    })(),
  ],
  ['getters that throw', throwing(...FIELDS)],
  ['a proxy that throws', everything],
  ['a proxy around it', new Proxy([everything, NOTES], {})],
  [
    'a revoked proxy',
    (() => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    })(),
  ],
  ['a fickle one', fickle],
  [
    'a list of odd things',
    [null, undefined, 7, 'x', [], {}, () => 1, everything, fickle, circle()],
  ],
  ['a long list of nothing', Object.assign([], { length: 2 ** 32 - 1 })],
  ['a list with gaps', { sources: Object.assign([], { 70000: { title: 'far' } }) }],
  [
    'documents without end',
    [{ source: { id: 'x' }, document: Object.assign([], { length: 1e9 }) }],
  ],
  ['odd documents', [{ source: { id: 'x' }, document: [1, true, null, { a: 1n }, [circle()]] }]],
  [
    'odd heads',
    [
      { source: 'text', document: 'one' },
      { source: [], document: ['x'], metadata: 7 },
    ],
  ],
  ['odd metadata', [{ source: { id: 'x' }, document: ['a'], metadata: { source: {} } }]],
  ['odd scores', [{ source: { id: 'x' }, document: ['a'], distances: ['1', null, {}] }]],
  ['a toJSON that throws', [{ ...NOTES, toJSON: thrower }]],
  ['a toJSON that lies', [{ ...NOTES, toJSON: () => 7 }]],
  ['no prototype', Object.assign(Object.create(null), { sources: [NOTES] })],
]

/** Those without end take their time, and one of them at a time is enough. */
const SHORT = VALUES.filter(([name]) => !/long|without end|gaps/.test(name))
const pairs = SHORT.flatMap(([name, value]) =>
  SHORT.map(([other, second]) => [`${name} and ${other}`, value, second] as const),
)

describe('nothing throws', () => {
  test.each(VALUES)('%s', (_, value) => {
    const input = value as object
    expect(typeof openWebui.buildSourceContext(input)).toBe('string')
    expect(openWebui.sourceEvents(input)).toMatch(/^(data: \{"sources":\[[^\n]*\]\}\n\n)?$/)
    expect(Array.isArray(openWebui.readMessageSources(input))).toBe(true)
    expect(Array.isArray(openWebui.listSources(input))).toBe(true)
    expect(Array.isArray(openWebui.toPayload(input).sources)).toBe(true)
    expect(openWebui.fromPayload(input as never)).toBeTypeOf('object')
    expect(openWebui.replaceSourceMarkers('[1]', input as never)).toMatch(/^(\[1\]|<source_id.*>)$/)
  })

  test('two of them at once', () => {
    for (const [name, first, second] of pairs) {
      expect(() => openWebui.mergeSourceEvent(first as object, second), name).not.toThrow()
      expect(() => openWebui.fromPayload(first as never, second as object), name).not.toThrow()
    }
  })

  test('any JSON', () => {
    const field = fc.constantFrom(...FIELDS, 'id', 'url', 'page', 'distances', 'citation', 'x')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, 1, -0.5, true, '', 'a', 'https://a.example/', 'source', 'citation'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(field, tie('value'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(value, value, (first, second) => {
        const input = first as object
        const json = JSON.stringify(first)
        expect(openWebui.buildSourceContext(json)).toBe(openWebui.buildSourceContext(input))
        expect(openWebui.listSources(json)).toEqual(openWebui.listSources(input))
        const merged = openWebui.mergeSourceEvent(input, second)
        openWebui.fromPayload(openWebui.toPayload(merged as object), input)
      }),
      { numRuns: 1000 },
    )
  })
})

test('a getter that throws costs its own field and no other', () => {
  const message = Object.assign(throwing('bad'), { id: 'm', sources: [PAGE] })
  expect(openWebui.mergeSourceEvent(message, { sources: [NOTES] })).toEqual({
    id: 'm',
    sources: [PAGE, NOTES],
  })
})

test('a setter on the prototype of all objects is not run', () => {
  let ran = 0
  Object.defineProperty(Object.prototype, 'sources', {
    configurable: true,
    get: () => undefined,
    set: () => {
      ran += 1
    },
  })
  try {
    const merged = openWebui.mergeSourceEvent({ id: 'm' }, { type: 'source', data: NOTES })
    expect(Object.getOwnPropertyDescriptor(merged, 'sources')?.value).toEqual([NOTES])
  } finally {
    Reflect.deleteProperty(Object.prototype, 'sources')
  }
  expect(ran).toBe(0)
})

test('long lists come back whole', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({
    source: { id: `s${index % 700}` },
    document: [`d${index}`],
    metadata: [{ index }],
  }))
  const message = { content: '', sources: many }
  const entries = openWebui.listSources(message)
  expect(entries).toHaveLength(700)
  expect(entries[3]?.documents[2]?.metadata).toBe(many[1403]?.metadata[0])
  const payload = openWebui.toPayload(message)
  expect(openWebui.fromPayload(payload)).toEqual(message)
  const fewer = openWebui.fromPayload({ ...payload, sources: payload.sources.slice(100) })
  expect(fewer.sources).toHaveLength(many.filter((_, index) => index % 700 >= 100).length)
  expect(openWebui.mergeSourceEvent(message, { sources: many }).sources).toHaveLength(10_000)
})

test('a carried source of ours speaks only for its own document', () => {
  const forged = { title: 'Bank', url: 'https://bank.example/' }
  const source = {
    document: ['x'],
    metadata: [{ source: 'https://evil.example/', citation: forged }],
  }
  expect(openWebui.toPayload({ sources: [source] }).sources[0]).toMatchObject({
    title: 'https://evil.example/',
    url: 'https://evil.example/',
  })
})
