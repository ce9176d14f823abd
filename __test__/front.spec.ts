/**
 * What is called often is fetched before the call, once it has been called before. Nothing of that may show: what a
 * copy of the package nobody has used gives is what one gives that has been used a lot.
 */
import { runInThisContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import type * as citations from '../load.js'
import { anthropicMessage, geminiResponse, openaiResponse } from './results.js'
import { secondCopy } from './second-copy.js'

type Copy = typeof citations
type Turn = InstanceType<Copy['CitationTurn']>

const used = secondCopy()
let turn: Turn
let stream: InstanceType<Copy['markers']['MarkerStream']>

/** Has everything with a front called until that is open, and this turn known to it. */
beforeAll(() => {
  turn = new used.CitationService().startTurn()
  for (let time = 0; time < 3; time++) {
    used.renderCitations(geminiResponse, { links: 'plain' })
    used.renderCitationBlock({ text: '', sources: [] }, { links: 'plain' })
    turn.reset()
    turn.push(geminiResponse)
    turn.pushBytes(new Uint8Array())
    turn.render({ links: 'plain' })
  }
  turn.reset()
  stream = new used.markers.MarkerStream({ sources: [{ title: 'a' }] })
  for (let time = 0; time < 40; time++) stream.push('a')
})

/** What a call gives or throws. */
function outcome(call: () => unknown): unknown {
  try {
    return { gives: call() }
  } catch (error) {
    const { name, message, code } = error as NodeJS.ErrnoException
    return { throws: name, message, code }
  }
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** Made anew for each call, since some of them do something when they are read. */
const INPUTS: Record<string, () => unknown> = {
  'a response of Gemini': () => geminiResponse,
  'one of OpenAI': () => openaiResponse,
  'one of Anthropic': () => anthropicMessage,
  'a list of responses': () => [geminiResponse, geminiResponse],
  'the bytes of one': () => bytes(openaiResponse),
  'its JSON': () => JSON.stringify(geminiResponse),
  'other numbers': () => new Float64Array(3),
  'a view of bytes': () => new DataView(bytes(geminiResponse).buffer),
  nothing: () => undefined,
  null: () => null,
  'a function': () => Object.assign(() => {}, geminiResponse),
  'an empty object': () => ({}),
  'chunks that are none': () => ({
    candidates: [{ groundingMetadata: { groundingChunks: [1, null, 'x'] } }],
  }),
  'another script': () => JSON.parse(JSON.stringify(geminiResponse).replaceAll('a', 'ä漢😀')),
  'half a character': () => ({
    candidates: [
      {
        groundingMetadata: {
          groundingChunks: [
            { web: { uri: 'https://a.example/', title: 'a\ud83d' } },
            { web: { uri: 'https://b.example/', title: '\ude00b' } },
          ],
        },
      },
    ],
  }),
  'a getter that throws': () => ({
    get candidates() {
      throw new Error('no')
    },
    output: openaiResponse.output,
  }),
  'a proxy': () => new Proxy(geminiResponse, {}),
  'a revoked one': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
}

const OPTIONS: Record<string, () => unknown> = {
  none: () => undefined,
  null: () => null,
  'an empty object': () => ({}),
  osc8: () => ({ links: 'osc8' }),
  'a few': () => ({ links: 'markdown', maxSources: 1, showExcerpts: false }),
  width: () => ({ links: 'plain', width: 40, terminator: 'st' }),
  documents: () => ({ documents: true, links: 'plain' }),
  'what was shown': () => ({ links: 'plain', alreadyShown: ['https://en.example/rust'] }),
  'a wrong word': () => ({ links: 'blue' }),
  'a wrong count': () => ({ maxSources: -1 }),
  'a wrong flag': () => ({ showExcerpts: 1 }),
  'a string': () => 'osc8',
  'a number': () => 7,
  'a function': () => () => {},
  'a getter that throws': () => ({
    get width(): number {
      throw new Error('no')
    },
  }),
}

describe.each(Object.entries(INPUTS))('%s', (_, input) => {
  test.each(Object.entries(OPTIONS))('with options: %s', (_, options) => {
    const unused = secondCopy()
    const render = (copy: Copy) =>
      outcome(() => copy.renderCitations(input() as never, options() as never))
    expect(render(used)).toEqual(render(unused))
  })

  test('in a turn', () => {
    const unused = new (secondCopy().CitationService)().startTurn()
    const run = (turn: Turn) => [
      outcome(() => turn.reset()),
      outcome(() => turn.push(input() as never)),
      outcome(() => turn.render({ links: 'plain' })),
      outcome(() => turn.push(input() as never)),
      outcome(() => turn.pushBytes(input() as never)),
      outcome(() => turn.render()),
      outcome(() => turn.finish()),
    ]
    expect(run(turn)).toEqual(run(unused))
  })
})

test.each(Object.entries(OPTIONS))('a turn with options: %s', (_, options) => {
  const unused = new (secondCopy().CitationService)().startTurn()
  const run = (turn: Turn) => {
    turn.reset()
    turn.push(geminiResponse)
    return outcome(() => turn.render(options() as never))
  }
  expect(run(turn)).toEqual(run(unused))
})

describe('a getter that calls us', () => {
  const block = (copy: Copy) => copy.renderCitations(openaiResponse, { links: 'plain' })

  test('gets what it asked for, and so does who asked it', () => {
    const plain = used.renderCitations(geminiResponse, { links: 'plain' })
    let inner: unknown[] = []
    const event = {
      get candidates() {
        turn.reset()
        turn.push(openaiResponse)
        inner = [block(used), used.extractOpenAIResponsesCitations(openaiResponse).length]
        return geminiResponse.candidates
      },
    }
    expect(used.renderCitations(event, { links: 'plain' })).toBe(plain)
    expect(inner).toEqual([
      block(secondCopy()),
      used.extractOpenAIResponsesCitations(openaiResponse).length,
    ])
    expect(turn.render({ links: 'plain' })).toBe(block(used))
  })

  test('of options', () => {
    let inner = ''
    const options = {
      get links() {
        inner = block(used)
        return 'plain' as const
      },
    }
    expect(used.renderCitations(openaiResponse, options)).toBe(inner)
    turn.reset()
    turn.push(openaiResponse)
    expect(turn.render(options)).toBe(inner)
  })

  test('of an event finds its own turn', () => {
    const providers = (turn: Turn) => {
      turn.reset()
      turn.push({
        get candidates() {
          turn.push(openaiResponse)
          return geminiResponse.candidates
        },
      })
      return turn.finish().sources.map(({ provider }) => provider)
    }
    const unused = new (secondCopy().CitationService)().startTurn()
    expect(providers(turn)).toEqual(providers(unused))
    expect(providers(turn)).toContain('openai-responses')
  })

  test('of options finds its own turn', () => {
    const render = (turn: Turn) => {
      turn.reset()
      turn.push(openaiResponse)
      return turn.render({
        get links() {
          const { length } = turn.finish().sources
          turn.push(geminiResponse)
          return length > 0 ? 'markdown' : 'plain'
        },
      })
    }
    expect(render(turn)).toBe(render(new (secondCopy().CitationService)().startTurn()))
  })

  test('of options is asked before the input is', () => {
    const render = (copy: Copy) => {
      const input: { candidates?: unknown } = {}
      return copy.renderCitations(input, {
        get links() {
          input.candidates = geminiResponse.candidates
          return 'plain' as const
        },
      })
    }
    expect(render(used)).toBe(render(secondCopy()))
    expect(render(used)).not.toBe('')
  })

  test('is not thrown at, whatever the host has made of its microtasks', () => {
    const { queueMicrotask: real } = globalThis
    globalThis.queueMicrotask = () => {
      throw new Error('not today')
    }
    try {
      const copy = secondCopy()
      for (let time = 0; time < 3; time++) block(copy)
      const inner: unknown[] = []
      const options = {
        get links() {
          inner.push(outcome(() => block(copy)))
          return 'plain' as const
        },
      }
      expect(copy.renderCitations(openaiResponse, options)).toBe(block(used))
      expect(inner).toContainEqual({ gives: block(used) })
      expect(inner).not.toContainEqual(expect.objectContaining({ throws: 'Error' }))
    } finally {
      globalThis.queueMicrotask = real
    }
  })

  test('and never comes to an end does no harm to later calls', async () => {
    const forever = (): never => {
      for (;;);
    }
    const endless = {
      get candidates() {
        return forever()
      },
      get sources() {
        return forever()
      },
    }
    const stop = (call: (event: object) => void) => {
      Object.assign(globalThis, { callEndless: () => call(endless) })
      expect(() => runInThisContext('callEndless()', { timeout: 20 })).toThrow(/timed out/)
    }
    const check = () => {
      turn.reset()
      turn.push(openaiResponse)
      expect(turn.render({ links: 'plain' })).toBe(block(secondCopy()))
      expect(block(used)).toBe(block(secondCopy()))
    }
    const calls = [
      (event: object) => turn.push(event),
      (event: object) => used.renderCitations(event),
      (event: object) =>
        used.renderCitationBlock(event as Parameters<Copy['renderCitationBlock']>[0]),
    ]
    // Bun 1.3 keeps to a time limit once in a process.
    const isOldBun = process.versions.bun?.startsWith('1.3.')
    for (const call of isOldBun ? calls.slice(0, 1) : calls) {
      stop(call)
      // At once, and when it works as before.
      check()
      await Promise.resolve()
      check()
    }
  })
})

describe('a method', () => {
  const strangers: Record<string, () => unknown> = {
    undefined: () => undefined,
    null: () => null,
    'a number': () => 1,
    'an object': () => ({}),
    'what inherits from a turn': () => Object.create(turn),
    'a proxy of one': () => new Proxy(turn, {}),
    'a service': () => new used.CitationService(),
    'a stream of markers': () => stream,
    'a turn of another copy': () => new (secondCopy().CitationService)().startTurn(),
    'its prototype': () => used.CitationTurn.prototype,
  }

  test.each(Object.entries(strangers))('refuses %s', (_, make) => {
    const { prototype } = used.CitationTurn
    for (const method of ['reset', 'push', 'pushBytes', 'render'] as const) {
      expect(() => Reflect.apply(prototype[method], make(), [new Uint8Array()])).toThrow(TypeError)
    }
  })

  test.each(
    Object.entries({ ...strangers, 'a turn': () => turn, 'a stream of markers': () => ({}) }),
  )('of a stream of markers refuses %s', (_, make) => {
    const { push } = used.markers.MarkerStream.prototype
    expect(() => Reflect.apply(push, make(), ['a'])).toThrow(TypeError)
  })

  test('of a stream of markers does what it did', () => {
    const unused = new (secondCopy().markers.MarkerStream)({ sources: [{ title: 'a' }] })
    const pieces = [
      'Yes [',
      '1',
      ']',
      '',
      ' \ud83d',
      '\ude00',
      null,
      '[7',
      '].',
      'é\ufffd',
      '\ud800',
      'x',
    ]
    const run = (stream: typeof unused) => [
      ...pieces.map((piece) => outcome(() => stream.push(piece as string))),
      stream.finish(),
    ]
    const fresh = new used.markers.MarkerStream({ sources: [{ title: 'a' }] })
    fresh.push('')
    expect(run(fresh)).toEqual(run(unused))
  })

  test('knows every turn, however many come and go', () => {
    const service = new used.CitationService()
    const page = (number: number) => ({
      candidates: [
        {
          groundingMetadata: { groundingChunks: [{ web: { uri: `https://a.example/${number}` } }] },
        },
      ],
    })
    for (let round = 0; round < 20; round++) {
      const turns = Array.from({ length: 100 }, () => service.startTurn())
      for (const [number, turn] of turns.entries()) turn.push(page(number))
      turns.forEach((turn, number) => {
        expect(turn.render({ links: 'plain' })).toContain(`https://a.example/${number}`)
        if (number % 2 === 0) turn.reset()
      })
      turns.forEach((turn, number) => {
        expect(turn.render() === '').toBe(number % 2 === 0)
      })
    }
  })

  test('takes a turn that is frozen', () => {
    const frozen = Object.freeze(new used.CitationService().startTurn())
    for (let time = 0; time < 3; time++) {
      frozen.reset()
      frozen.push(geminiResponse)
      expect(frozen.render({ links: 'plain' })).toBe(
        used.renderCitations(geminiResponse, { links: 'plain' }),
      )
    }
  })
})

const PAGE = { title: 'A page', url: 'https://a.example/x' }

const passage = (location: object) => ({ title: 'Doc', citedText: 'Grass is green.', location })

const LOCATIONS = [
  { type: 'char_location', documentIndex: 0, startCharIndex: 4, endCharIndex: 19 },
  { type: 'page_location', documentIndex: 1, startPageNumber: 2, endPageNumber: 4 },
  { type: 'content_block_location', documentIndex: 2, startBlockIndex: 0, endBlockIndex: 1 },
  { type: 'search_result_location', searchResultIndex: 3, startBlockIndex: 0, endBlockIndex: 1 },
  { type: 'web_search_result_location', encryptedIndex: 'x' },
  { type: 'grounding', groundingChunkIndex: 5 },
  { type: 'url_citation', startIndex: 1, endIndex: 9 },
]

/** Payloads that are data. */
const PAYLOADS: Record<string, unknown> = {
  pages: { text: '', sources: [PAGE, { url: 'https://b.example/' }, { title: 'No address' }] },
  'pages of which some are cited': { sources: [PAGE, PAGE, { title: 'b' }], cited: [3, 1] },
  'passages of every kind': { sources: LOCATIONS.map(passage) },
  'what tools found': {
    sources: [
      {
        type: 'file',
        title: 'a.ts',
        uri: 'src/a.ts',
        lineStart: 3,
        lineEnd: 9,
        toolName: 'read_file',
      },
      { type: 'file', title: 'a.pdf', uri: 'a.pdf', pageNumber: 7, metadata: { score: 1 } },
      { ...PAGE, type: 'web', snippet: 'Words.', shownInline: true, toolRequestId: 'r' },
      { ...PAGE, type: 'odd', author: 'A', publishedDate: '2026', agentId: 'b', id: 'c' },
    ],
  },
  repeats: {
    sources: [{ ...passage(LOCATIONS[0] ?? {}), also: LOCATIONS.map(passage) }, { fileId: 'f-1' }],
  },
  'chunks of Gemini': { sources: [{ web: { uri: 'https://a.example/', title: 'a' } }] },
  'wrong values': {
    sources: [{ title: 7, url: [], lineStart: 'x', location: 'y', also: {} }, 1, null, 'x'],
  },
  'cited is wrong': { sources: [PAGE, PAGE], cited: [2, 'x', -1, 0.5, null] },
  'a list': [PAGE, { title: 'b' }],
  'one source': PAGE,
  'too many to cross at once': {
    sources: Array.from({ length: 900 }, (_, n) => ({ ...PAGE, url: `https://a.example/${n}` })),
  },
  'another script': { sources: [{ title: 'ä漢😀\u202e', url: 'https://ä.example/漢' }] },
  empty: { sources: [] },
  'an empty object': {},
  nothing: null,
}

describe.each(Object.entries(PAYLOADS))('a payload: %s', (_, payload) => {
  test.each(Object.entries(OPTIONS))('with options: %s', (_, options) => {
    const render = (copy: Copy, input: unknown) =>
      outcome(() => copy.renderCitationBlock(input as never, options() as never))
    const made = render(used, payload)
    expect(made).toEqual(render(secondCopy(), payload))
    // What a string or bytes say is read field by field.
    expect(made).toEqual(render(used, JSON.stringify(payload)))
    expect(made).toEqual(render(used, bytes(payload)))
  })
})

test('payloads that are no data', () => {
  const odd: Record<string, () => unknown> = {
    'a getter that throws': () => ({
      get sources() {
        throw new Error('no')
      },
    }),
    'a source with one': () => ({
      sources: [
        PAGE,
        {
          url: 'https://b.example/',
          get title() {
            throw new Error('no')
          },
        },
      ],
    }),
    'a proxy': () => new Proxy({ sources: [PAGE] }, {}),
    'a list that is a proxy': () => ({ sources: new Proxy([PAGE, PAGE], {}) }),
    'a function': () => Object.assign(() => {}, { sources: [PAGE] }),
    'one that renders': () => ({
      get sources() {
        return [{ title: used.renderCitationBlock({ text: '', sources: [PAGE] }), url: PAGE.url }]
      },
    }),
  }
  for (const make of Object.values(odd)) {
    const render = (copy: Copy) =>
      outcome(() => copy.renderCitationBlock(make() as never, { links: 'plain' }))
    expect(render(used)).toEqual(render(secondCopy()))
  }
})

test('fronts are called what exports are called, and make nothing', () => {
  const { renderCitations, renderCitationBlock, CitationTurn } = used
  expect(renderCitations.name).toBe('renderCitations')
  expect(renderCitationBlock.name).toBe('renderCitationBlock')
  expect(renderCitationBlock.length).toBe(2)
  expect(CitationTurn.prototype.push.name).toBe('push')
  expect(() => Reflect.construct(renderCitations, [])).toThrow(TypeError)
  expect(Object.keys(turn)).toEqual(Object.keys(new (secondCopy().CitationService)().startTurn()))
})
