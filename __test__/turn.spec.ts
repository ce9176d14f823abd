/**
 * The life of a turn: it can be finished at any time and more than once, forgets on `reset`, knows nothing
 * of other turns, draws what it returns, and survives whatever is pushed into it.
 */
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  CitationTurn,
  dedupeCitations,
  extractGeminiCitations,
  type ProviderInput,
  renderCitationBlock,
  renderCitations,
  type TurnPayload,
} from '../index.js'
import {
  anthropicStream,
  charLocation,
  checked,
  claims,
  finished,
  gemini,
  grounded,
  link,
  openAiStream,
  support,
  turnOf,
  urlCitation,
  urls,
  web,
} from './turns.js'

const A = 'https://a.example/'
const B = 'https://b.example/b'
const ANSWER = 'Rust is fast. It is safe.'
const METADATA = grounded(
  [web(A, 'A'), web(B, 'B')],
  [support(ANSWER, 'Rust is fast.', [0]), support(ANSWER, 'It is safe.', [1])],
)
const GEMINI = [gemini(ANSWER.slice(0, 5)), gemini(ANSWER.slice(5)), gemini('', METADATA)]
const EMPTY: TurnPayload = {
  text: '',
  answer: '',
  sources: [],
  anchors: [],
  cited: [],
  diagnostics: [],
}

/** What TypeScript would refuse: a value of any type where the declarations want another. */
const wrong = (value: unknown) => value as never

describe('finish', () => {
  test('of nothing is empty', () => {
    expect(turnOf([]).finish()).toEqual(EMPTY)
    expect(turnOf([]).render()).toBe('')
    expect(turnOf([]).finish('Words.')).toEqual({ ...EMPTY, answer: 'Words.' })
  })

  test('gives the same each time, reports included', () => {
    const lost = { segment: { endIndex: 4, text: 'Nope' }, groundingChunkIndices: [0, 7] }
    const turn = turnOf([gemini(ANSWER, grounded([web(A, 'A')], [lost]))])
    const first = turn.finish()
    expect(first.diagnostics.map(({ count }) => count)).toEqual([1, 1])
    for (let i = 0; i < 5; i++) expect(turn.finish()).toEqual(first)
    first.sources.length = 0
    expect(turn.finish().sources).toHaveLength(1)
  })

  test.each<[string, object[]]>([
    ['Gemini', GEMINI],
    ['OpenAI', openAiStream(`Yes. ${link(A)}`, [urlCitation(`Yes. ${link(A)}`, A, 'A')])],
    ['Anthropic', anthropicStream([['Yes', [charLocation('Doc', 0, 'Yes.')]], [' and no.']])],
  ])('after every event of %s changes nothing of what comes', (_, events) => {
    const turn = new CitationService({ documents: true }).startTurn()
    for (const event of events) {
      turn.push(event)
      checked(turn.finish())
      turn.render({ links: 'plain' })
    }
    expect(turn.finish()).toEqual(finished(events, { documents: true }))
  })

  test('between two pieces of a body changes nothing of what comes', () => {
    const body = new TextEncoder().encode(
      GEMINI.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
    )
    const expected = finished(GEMINI)
    for (const peek of ['finish', 'render'] as const) {
      for (let cut = 1; cut < body.length; cut++) {
        const turn = turnOf([])
        turn.pushBytes(body.subarray(0, cut))
        turn[peek]()
        turn.pushBytes(body.subarray(cut))
        expect(turn.finish(), `${peek} after ${cut} bytes`).toEqual(expected)
      }
    }
  })
})

describe('reset', () => {
  test('leaves a new turn', () => {
    const turn = turnOf(GEMINI)
    turn.reset()
    expect(turn.finish()).toEqual(EMPTY)
    expect(turn.render()).toBe('')
    for (const event of GEMINI) turn.push(event)
    expect(turn.finish()).toEqual(finished(GEMINI))
  })

  test('forgets half a body and half a call', () => {
    const turn = turnOf([gemini('An answer that was broken o')])
    turn.pushBytes(new TextEncoder().encode('data: {"candidates":[{"content":{"parts":[{"te'))
    turn.reset()
    for (const event of GEMINI) turn.push(event)
    expect(turn.finish()).toEqual(finished(GEMINI))
  })

  test.each([true, false])('keeps the choice of documents: %s', (documents) => {
    const stream = anthropicStream([['Yes', [charLocation('Doc', 0, 'Yes.')]]])
    const turn = turnOf(stream, { documents })
    turn.reset()
    for (const event of stream) turn.push(event)
    expect(turn.finish().sources).toHaveLength(documents ? 1 : 0)
  })
})

test.each<[string, (event: string) => ProviderInput]>([
  ['text', (event) => `data: ${event}\n\n`],
  ['bytes', (event) => Buffer.from(`event: x\ndata: ${event}`)],
])('an event of a stream may be pushed as %s, also between pieces of a body', (_, framed) => {
  const [first, ...rest] = GEMINI.map((event) => JSON.stringify(event))
  const turn = turnOf([])
  const body = Buffer.from(`data: ${first}\n\n`)
  turn.pushBytes(body.subarray(0, 9))
  turn.push(framed('{"usageMetadata":{}}'))
  turn.pushBytes(body.subarray(9))
  for (const event of rest) turn.push(framed(event))
  expect(turn.finish()).toEqual(finished(GEMINI))
})

test.each<[string, (body: string) => ProviderInput]>([
  ['text', (body) => body],
  ['bytes', (body) => Buffer.from(body)],
])('JSON lines may be pushed as %s', (_, given) => {
  const turn = turnOf([])
  turn.push(given(`${GEMINI.map((event) => JSON.stringify(event)).join('\n')}\n`))
  expect(turn.finish()).toEqual(finished(GEMINI))
})

test.each<[string, string, number]>([
  ['JSON lines', '\n{}', 34e6],
  ['JSON lines', '\n{}', 17e6],
  ['a document', '', 34e6],
])('%s with an end (%j) and %i blanks are read as a whole', (_, end, blanks) => {
  const [event] = GEMINI.slice(-1)
  const body = `${JSON.stringify(event)}${end}${' '.repeat(blanks)}`
  const expected = renderCitations(event, { links: 'plain' })
  expect(expected).toContain('1. ')
  expect(renderCitations(body, { links: 'plain' })).toBe(expected)
  expect(extractGeminiCitations(body)).toEqual(extractGeminiCitations(event))
  expect(finished([body])).toEqual(finished([event as ProviderInput]))
})

test('two turns of a service know nothing of each other', () => {
  const service = new CitationService()
  const [one, two] = [service.startTurn(), service.startTurn()]
  expect(one).toBeInstanceOf(CitationTurn)
  const other = openAiStream(`Yes. ${link(B)}`, [urlCitation(`Yes. ${link(B)}`, B, 'B')])
  other.forEach((event, at) => {
    two.push(event)
    if (GEMINI[at]) one.push(GEMINI[at])
  })
  expect(one.finish()).toEqual(finished(GEMINI))
  expect(two.finish()).toEqual(finished(other))
  one.reset()
  expect(two.finish()).toEqual(finished(other))
})

describe('render', () => {
  const turn = turnOf(GEMINI)

  test.each([{}, { width: 30 }, { maxSources: 1 }, { showExcerpts: false }])(
    'is the block of the payload with %j',
    (options) => {
      for (const links of ['plain', 'osc8', 'markdown'] as const) {
        const block = renderCitationBlock(turn.finish(), { ...options, links })
        expect(block).not.toBe('')
        expect(turn.render({ ...options, links })).toBe(block)
      }
    },
  )

  test.each<[string, Parameters<typeof dedupeCitations>[1], string[]]>([
    ['an address', 'https://A.example', [B]],
    ['a list of addresses', [A, B], []],
    ['a source', { url: B }, [A]],
    ['a tool result', { sources: [{ web: { uri: A, title: 'Else' } }] }, [B]],
    ['nothing', null, [A, B]],
  ])('leaves out what was shown already: %s', (_, alreadyShown, rest) => {
    const sources = dedupeCitations(turn.finish().sources, alreadyShown)
    expect(sources.map(({ url }) => url)).toEqual(rest)
    // What is left keeps its number: markers in the answer count on it.
    const numbers = rest.map((url) => [A, B].indexOf(url) + 1)
    const rows = turn.render({ links: 'plain', alreadyShown }).split('\n').slice(1)
    expect(rows.map((row) => Number.parseInt(row, 10))).toEqual(numbers)
    expect(urls(turn.finish())).toEqual([A, B])
  })
})

describe('misuse is a TypeError that names the value', () => {
  test.each<[string, () => unknown, string[]]>([
    ['bytes that are a string', () => turnOf([]).pushBytes(wrong('x')), ['Uint8Array', "'x'"]],
    ['bytes that are a list', () => turnOf([]).pushBytes(wrong([1])), ['Uint8Array', 'array']],
    ['bytes that are nothing', () => turnOf([]).pushBytes(wrong(undefined)), ['Uint8Array']],
    ['an answer that is a number', () => turnOf([]).finish(wrong(5)), ['text', '5']],
    ['an answer that is an object', () => turnOf([]).finish(wrong({})), ['text', 'object']],
    ['an option', () => new CitationService(wrong({ documents: 'x' })), ['documents', "'x'"]],
    ['options', () => new CitationService(wrong(true)), ['options', 'true']],
    ['a way to draw', () => turnOf([]).render(wrong({ links: 'html' })), ['links', "'html'"]],
  ])('%s', (_, call, words) => {
    expect(call).toThrow(TypeError)
    for (const word of words) expect(call).toThrow(word)
  })

  test('and leaves the turn as it was', () => {
    const turn = turnOf(GEMINI)
    expect(() => turn.pushBytes(wrong(1))).toThrow(TypeError)
    expect(() => turn.finish(wrong(1))).toThrow(TypeError)
    expect(() => turn.render(wrong({ width: 'wide' }))).toThrow(TypeError)
    expect(turn.finish()).toEqual(finished(GEMINI))
  })
})

describe('nonsense is passed over', () => {
  const angry = new Proxy(
    {},
    {
      get: () => {
        throw new Error('get')
      },
      has: () => {
        throw new Error('has')
      },
      ownKeys: () => {
        throw new Error('ownKeys')
      },
      getPrototypeOf: () => {
        throw new Error('getPrototypeOf')
      },
    },
  )
  const cycle: Record<string, unknown> = { candidates: [] }
  cycle.candidates = [cycle]
  cycle.content = cycle
  cycle.parts = [cycle, cycle]
  cycle.groundingMetadata = cycle
  cycle.groundingChunks = cycle
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()

  test.each<[string, unknown]>([
    ['numbers', 5],
    ['NaN', Number.NaN],
    ['big integers', 10n],
    ['symbols', Symbol('s')],
    ['functions', () => GEMINI[0]],
    ['flags', true],
    ['null', null],
    ['undefined', undefined],
    ['text that is no JSON', 'Rust is fast.'],
    ['JSON of a number', '5'],
    ['bytes that are no JSON', new Uint8Array([0xff, 0xfe, 0])],
    ['empty lists', [[], [[]], [null]]],
    ['dates, maps, errors', [new Date(), new Map([['candidates', 1]]), new Error('candidates')]],
    ['proxies that throw', angry],
    ['proxies inside a response', { candidates: [angry], responseId: angry }],
    ['revoked proxies', [revoked.proxy]],
    ['cycles', cycle],
    ['fields of other types', { candidates: 5, choices: 'x', output: { length: 3 }, type: {} }],
    ['events of other types', { type: 'response.completed', response: 5 }],
    ['an empty object without a prototype', Object.create(null)],
  ])('%s', (_, nonsense) => {
    const turn = turnOf([GEMINI[0]!])
    expect(turn.push(wrong(nonsense))).toBeUndefined()
    expect(turn.finish().sources).toEqual([])
    for (const event of GEMINI.slice(1)) turn.push(event)
    expect(turn.finish()).toEqual(finished(GEMINI))
  })

  test('instances of classes are read like plain objects, through their getters', () => {
    class Response {
      readonly #candidates = gemini(ANSWER, METADATA).candidates
      get candidates() {
        return this.#candidates
      }
      get text(): string {
        throw new Error('a getter nobody asked for')
      }
    }
    expect(claims(finished([new Response()]))).toEqual(claims(finished(GEMINI)))
  })
})

describe('a getter that calls the turn it is being read by', () => {
  const inner: [string, (turn: CitationTurn) => unknown][] = [
    ['push', (turn) => turn.push(gemini('Inner.', METADATA, 'inner'))],
    ['pushBytes', (turn) => turn.pushBytes(new TextEncoder().encode('{"candidates":[]}\n'))],
    ['finish', (turn) => turn.finish()],
    ['render', (turn) => turn.render({ links: 'plain' })],
    ['reset', (turn) => turn.reset()],
  ]

  test.each(inner)('%s, and whatever that throws stays inside', (_, call) => {
    for (const guarded of [true, false]) {
      const turn = turnOf([])
      const event: ProviderInput = {
        responseId: 'outer',
        get candidates() {
          try {
            call(turn)
          } catch (error) {
            if (!guarded) throw error
          }
          return gemini('Outer.', grounded([web(A, 'A')])).candidates
        },
      }
      expect(() => turn.push(event)).not.toThrow()
      checked(turn.finish())
      turn.reset()
      for (const one of GEMINI) turn.push(one)
      expect(turn.finish()).toEqual(finished(GEMINI))
    }
  })

  test('does not wake citations of Anthropic that are switched off', () => {
    const turn = turnOf([])
    turn.push({
      type: 'message',
      id: 'msg',
      content: [
        {
          type: 'text',
          text: 'Yes',
          get citations() {
            try {
              turn.push(GEMINI[0])
            } catch {}
            return [charLocation('Doc', 0, 'Yes.')]
          },
        },
      ],
    })
    expect(turn.finish().sources).toEqual([])
  })
})
