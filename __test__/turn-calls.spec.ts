/**
 * A turn of several model calls: answers are joined in the order of the calls, spans of a later call lie
 * in its part of the joined answer, and one page has one number over all of them.
 */
import { describe, expect, test } from 'vitest'
import type { ProviderInput } from '../index.js'
import {
  anthropicStream,
  charLocation,
  claims,
  finished,
  finishedWith,
  gemini,
  grounded,
  link,
  openAiResponse,
  openAiStream,
  places,
  reports,
  support,
  turnOf,
  urlCitation,
  urls,
  web,
} from './turns.js'

const A = 'https://a.example/'
const B = 'https://b.example/b'
const STOP = { finishReason: 'STOP' }

/** Ends in a character of four bytes and two units, so that a wrong unit shows in every later call. */
const ONE = 'Paris is in France 🗼'
const TWO = `Lyon is smaller. ${link(B)}`
const groundedOne = { ...grounded([web(A, 'A')], [support(ONE, 'Paris', [0])]), ...STOP }
const groundedTwo = {
  ...grounded(
    [web(B, 'B'), web(A, 'A')],
    [support(TWO, 'Lyon', [0]), support(TWO, 'smaller', [1])],
  ),
  ...STOP,
}
const callOne = (id = 'gen-1') => [
  gemini(ONE.slice(0, 9), {}, id),
  gemini(ONE.slice(9), groundedOne, id),
]
const callTwo = (id = 'gen-2') => [
  gemini(TWO.slice(0, 7), {}, id),
  gemini(TWO.slice(7), groundedTwo, id),
]
const withoutId = (events: { candidates: object[] }[]) =>
  events.map(({ candidates }) => ({ candidates }))
const openAiTwo = [urlCitation(TWO, B, 'B')]

/** What both calls of Gemini come to. */
const GEMINI_TWICE = {
  answer: ONE + TWO,
  urls: [A, B],
  claims: [
    ['Paris', [1]],
    ['Lyon', [2]],
    ['smaller', [1]],
  ],
}

function summary(events: ProviderInput[]) {
  const payload = finished(events)
  expect(payload.diagnostics).toEqual([])
  return { answer: payload.answer, urls: urls(payload), claims: claims(payload) }
}

describe('two calls of Gemini', () => {
  test.each<[string, ProviderInput[]]>([
    ['with ids', [...callOne(), ...callTwo()]],
    ['without ids', [...withoutId(callOne()), ...withoutId(callTwo())]],
    ['only the second with an id', [...withoutId(callOne()), ...callTwo()]],
    ['only the first with an id', [...callOne(), ...withoutId(callTwo())]],
    ['of which one came in one piece', [gemini(ONE, groundedOne, 'x'), ...callTwo('y')]],
    ['whose events are mixed', [callOne()[0]!, callTwo()[0]!, callOne()[1]!, callTwo()[1]!]],
    [
      'with a tool call and its end between them',
      [
        ...callOne(),
        gemini([{ functionCall: { name: 'f', args: {} } }], STOP, 'gen-tool'),
        ...callTwo(),
      ],
    ],
  ])('%s', (_, events) => {
    expect(summary(events)).toEqual(GEMINI_TWICE)
  })

  test('a support finds its words in its own call, not in the one before', () => {
    const same = 'Paris is big.'
    const call = (id: string, page: string) =>
      gemini(same, { ...grounded([web(page, page)], [support(same, same, [0])]), ...STOP }, id)
    const payload = finished([call('1', A), call('2', B)])
    expect(places(payload)).toEqual([
      [0, same.length],
      [same.length, 2 * same.length],
    ])
    expect(claims(payload)).toEqual([
      [same, [1]],
      [same, [2]],
    ])
  })
})

describe('a call of Gemini that a proxy ends in every event', () => {
  const HEAD = 'Größe 😀 one. '
  const MIDDLE = 'Second '
  const TAIL = 'claim.'
  const ALL = HEAD + MIDDLE + TAIL
  const chunk = (text: string, fields: object = STOP) => ({
    candidates: [{ content: { parts: [{ text }] }, ...fields }],
  })
  const quoted = [support(ALL, HEAD.trim(), [0]), support(ALL, 'Second claim.', [0])]
  const unquoted = quoted.map(({ segment: { text, ...segment }, ...rest }) => {
    return { segment, ...rest }
  })
  const cites = (supports: object[]) => grounded([web(A, 'A')], supports)
  const expected = {
    answer: ALL,
    urls: [A],
    claims: [
      [HEAD.trim(), [1]],
      ['Second claim.', [1]],
    ],
  }
  const empty = { finishReason: '' }
  const unspecified = { finishReason: 'FINISH_REASON_UNSPECIFIED' }

  describe.each([
    ['quoted', quoted],
    ['not quoted', unquoted],
  ])('and whose spans are %s', (_, supports) => {
    test.each<[string, object[]]>([
      ['with a reason', [chunk(HEAD), chunk(MIDDLE), chunk(TAIL, { ...cites(supports), ...STOP })]],
      [
        'with an empty one',
        [
          chunk(HEAD, empty),
          chunk(MIDDLE, unspecified),
          chunk(TAIL, { ...cites(supports), ...STOP }),
        ],
      ],
      [
        'with sources in an event without text behind it',
        [
          chunk(HEAD),
          chunk(MIDDLE),
          chunk(TAIL),
          chunk('', { ...cites(supports), ...STOP }),
          chunk(''),
        ],
      ],
      [
        'with sources in an event of their own behind it',
        [chunk(HEAD), chunk(MIDDLE), chunk(TAIL), chunk(''), { candidates: [cites(supports)] }],
      ],
    ])('%s', (_, events) => {
      expect(summary(events)).toEqual(expected)
      expect(summary([events])).toEqual(expected)
      expect(summary(events.map((event) => JSON.stringify(event)))).toEqual(expected)
      const given = finishedWith(`Well: ${ALL} So.`, events)
      expect(claims(given)).toEqual(expected.claims)
    })
  })

  test('and that cites more in every event', () => {
    const events = [
      chunk(HEAD, { ...cites(quoted.slice(0, 1)), ...STOP }),
      chunk(MIDDLE),
      chunk(TAIL, { ...cites(quoted), ...STOP }),
    ]
    expect(summary(events)).toEqual(expected)
  })

  test('is told from two calls that cite, of which the second is off by one', () => {
    const cut = (text: string, end: number) =>
      chunk(text, {
        ...cites([{ segment: { endIndex: end }, groundingChunkIndices: [0] }]),
        ...STOP,
      })
    const payload = finished([cut('One.', 4), cut('Two.', 5)])
    expect(claims(payload)).toEqual([
      ['One.', [1]],
      ['Two.', [1]],
    ])
  })
})

describe('a call of Gemini behind one without an id, whose spans are a little off', () => {
  const FIRST = 'I will look that up. And more text here. '
  const call = (text: string, fields: object = {}) => ({
    candidates: [{ content: { parts: [{ text }] }, ...fields, ...STOP }],
  })
  const spans = (...places: [start: number, end: number][]) =>
    grounded(
      [web(A, 'A')],
      places.map(([startIndex, endIndex]) => ({
        segment: { startIndex, endIndex },
        groundingChunkIndices: [0],
      })),
    )
  const recited = { citationMetadata: { citationSources: [{ endIndex: 20, uri: A }] } }

  test.each<[string, string, object, string[], object]>([
    ['one too far', 'Rust is old.', spans([0, 13]), ['Rust is old.'], { span_moved: 1 }],
    [
      'of which one ends behind it',
      'Rust is old. Very.',
      spans([0, 12], [13, 19]),
      ['Rust is old.', 'Very.'],
      { span_moved: 1 },
    ],
    [
      'of which one begins behind it',
      'Rust is old.',
      spans([0, 12], [12, 13]),
      ['Rust is old.'],
      { span_lost: 1 },
    ],
    ['in a character', 'Zürich', spans([1, 2]), ['ü'], { span_moved: 1 }],
    ['of which one is empty', 'Rust is old.', spans([5, 5], [0, 4]), ['Rust'], { span_lost: 1 }],
    ['of a recitation', 'Rust is old.', recited, ['Rust is old.'], { span_moved: 1 }],
  ])('%s, keeps them', (_, text, fields, words, reported) => {
    const payload = finished([call(FIRST), call(text, fields)])
    expect(claims(payload)).toEqual(words.map((words) => [words, [1]]))
    for (const { start } of payload.anchors) expect(start).toBeGreaterThanOrEqual(FIRST.length)
    expect(reports(payload)).toEqual(reported)
  })
})

describe('two calls of OpenAI', () => {
  const FIRST = `Paris ${link(A)} 🗼`
  const first = [urlCitation(FIRST, A, 'A')]
  const BOTH = `Lyon ${link(B)} and Nice ${link(A)}`
  const second = [urlCitation(BOTH, B, 'B'), urlCitation(BOTH, A, 'A')]
  const expected = {
    answer: FIRST + BOTH,
    urls: [A, B],
    claims: [
      [link(A), [1]],
      [link(B), [2]],
      [link(A), [1]],
    ],
  }

  test.each<[string, ProviderInput[]]>([
    ['streamed', [...openAiStream(FIRST, first, 'r1'), ...openAiStream(BOTH, second, 'r2')]],
    ['whole', [openAiResponse(FIRST, first, 'r1'), openAiResponse(BOTH, second, 'r2')]],
    [
      'streamed, then repeated whole',
      [
        ...openAiStream(FIRST, first, 'r1'),
        ...openAiStream(BOTH, second, 'r2'),
        openAiResponse(FIRST, first, 'r1'),
      ],
    ],
  ])('%s', (_, events) => {
    expect(summary(events)).toEqual(expected)
  })
})

test('annotations alone, of two calls that only the id of their item tells apart', () => {
  const added = (item_id: string, url: string) => ({
    type: 'response.output_text.annotation.added',
    item_id,
    output_index: 0,
    content_index: 0,
    annotation_index: 0,
    annotation: { type: 'url_citation', url, title: 'T', start_index: 0, end_index: 4 },
  })
  expect(urls(finished([added('msg-1', A), added('msg-2', B)]))).toEqual([A, B])
})

describe('calls of different providers', () => {
  const anthropic = anthropicStream([['Nice', [charLocation('Towns', 0, 'Nice.')]], [' is nice.']])
  const twice = { answer: ONE + TWO, urls: [A, B] }

  test.each<[string, ProviderInput[], object]>([
    [
      'Gemini, then OpenAI',
      [...callOne(), ...openAiStream(TWO, openAiTwo)],
      {
        ...twice,
        claims: [
          ['Paris', [1]],
          [link(B), [2]],
        ],
      },
    ],
    [
      'Gemini without ids, then OpenAI',
      [...withoutId(callOne()), ...openAiStream(TWO, openAiTwo)],
      {
        ...twice,
        claims: [
          ['Paris', [1]],
          [link(B), [2]],
        ],
      },
    ],
    [
      'OpenAI, then Gemini',
      [...openAiStream(TWO, openAiTwo), ...callOne()],
      {
        answer: TWO + ONE,
        urls: [B, A],
        claims: [
          [link(B), [1]],
          ['Paris', [2]],
        ],
      },
    ],
    [
      'OpenAI, then Gemini without ids',
      [...openAiStream(TWO, openAiTwo), ...withoutId(callOne())],
      {
        answer: TWO + ONE,
        urls: [B, A],
        claims: [
          [link(B), [1]],
          ['Paris', [2]],
        ],
      },
    ],
    [
      'Anthropic, dormant, then Gemini',
      [...anthropic, ...callOne()],
      { answer: `Nice is nice.${ONE}`, urls: [A], claims: [['Paris', [1]]] },
    ],
    [
      'Chat Completions, then Gemini',
      [{ id: 'c', citations: [B], choices: [{ message: { content: 'Hm. ' } }] }, ...callOne()],
      { answer: `Hm. ${ONE}`, urls: [B, A], claims: [['Paris', [2]]] },
    ],
  ])('%s', (_, events, expected) => {
    expect(summary(events)).toEqual(expected)
  })

  test('Anthropic with documents between two calls of Gemini', () => {
    const payload = finished([...callOne(), ...anthropic, ...callTwo()], { documents: true })
    expect(payload.answer).toBe(`${ONE}Nice is nice.${TWO}`)
    expect(payload.sources.map(({ title }) => title)).toEqual(['A', 'Towns', 'B'])
    expect(claims(payload)).toEqual([
      ['Paris', [1]],
      ['Nice', [2]],
      ['Lyon', [3]],
      ['smaller', [1]],
    ])
  })
})

test('numbers stay as they are while a turn goes on', () => {
  const turn = turnOf(callOne())
  const before = turn.finish()
  for (const event of callTwo()) turn.push(event)
  const after = turn.finish()
  expect(after.sources[0]?.url).toBe(before.sources[0]?.url)
  expect(after.anchors.slice(0, before.anchors.length)).toEqual(before.anchors)
})
