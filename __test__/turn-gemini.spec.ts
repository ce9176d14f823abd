/**
 * Gemini in a turn: however a response is cut into events, early, late, repeated or in pieces, it comes
 * to the same sources and spans; pages it fetched, passages it recited and Interactions are read too.
 */
import { describe, expect, test } from 'vitest'
import {
  extractGeminiCitations,
  type ProviderInput,
  renderCitations,
  type TurnPayload,
} from '../index.js'
import {
  bytesOf,
  claims,
  finished,
  gemini,
  grounded,
  places,
  reports,
  support,
  turnOf,
  urls,
  web,
} from './turns.js'

const FIRST = 'Rust 1.0 came out in 2015 – in May.'
const SECOND = 'It is used in Firefox.'
const ANSWER = `${FIRST} ${SECOND}`
const RUST = web('https://a.example/rust', 'History of Rust')
const FIREFOX = web('https://b.example/firefox', 'Firefox')
const SUPPORTS = [support(ANSWER, FIRST, [0]), support(ANSWER, SECOND, [0, 1])]
const METADATA = grounded([RUST, FIREFOX], SUPPORTS)
const STOP = { finishReason: 'STOP' }

const EXPECTED: TurnPayload = {
  text: '',
  answer: ANSWER,
  sources: [
    {
      title: 'History of Rust',
      url: 'https://a.example/rust',
      provider: 'gemini',
      location: { type: 'grounding', groundingChunkIndex: 0 },
    },
    {
      title: 'Firefox',
      url: 'https://b.example/firefox',
      provider: 'gemini',
      location: { type: 'grounding', groundingChunkIndex: 1 },
    },
  ],
  anchors: [
    { start: 0, end: FIRST.length, text: FIRST, sources: [1] },
    { start: FIRST.length + 1, end: ANSWER.length, text: SECOND, sources: [1, 2] },
  ],
  cited: [1, 2],
  diagnostics: [],
}

const WHOLE = gemini(ANSWER, { ...METADATA, ...STOP })
const HEAD = ANSWER.slice(0, 20)
const TAIL = ANSWER.slice(20)

/** The same with the names Python gives to fields. */
function snakeCased(value: object): string {
  const name = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return JSON.stringify(value).replace(/"\w+":/g, name)
}

describe('a grounded answer comes to the same', () => {
  test.each<[string, ProviderInput[]]>([
    ['as a whole response', [WHOLE]],
    ['as JSON', [JSON.stringify(WHOLE)]],
    ['as bytes', [new TextEncoder().encode(JSON.stringify(WHOLE))]],
    ['with names in snake case', [snakeCased(WHOLE)]],
    ['as a list of chunks', [[gemini(HEAD), gemini(TAIL, METADATA)]]],
    ['wrapped by Code Assist', [{ response: WHOLE, traceId: 't' }]],
    ['without an id', [{ candidates: WHOLE.candidates }]],
    ['with metadata in the last event', [gemini(HEAD), gemini(TAIL, { ...METADATA, ...STOP })]],
    ['with metadata before the text', [gemini([], METADATA), gemini(HEAD), gemini(TAIL, STOP)]],
    [
      'with metadata before the event that finishes',
      [gemini(HEAD), gemini(TAIL, METADATA), gemini('', STOP), { usageMetadata: {} }],
    ],
    [
      'with metadata in a last event without text',
      [gemini(HEAD), gemini(TAIL), gemini('', { ...METADATA, ...STOP })],
    ],
    [
      'with empty metadata before and after',
      [
        gemini(HEAD, { groundingMetadata: {} }),
        gemini(TAIL, METADATA),
        gemini('', { groundingMetadata: {}, ...STOP }),
      ],
    ],
    [
      'with thoughts and tool parts between the text',
      [
        gemini([{ text: 'Let me search – first.', thought: true }, { text: HEAD }]),
        gemini([
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
          { functionCall: { name: 'f', args: { text: 'no answer' } } },
          { text: '', thoughtSignature: 'abc' },
        ]),
        gemini([{ text: TAIL, thought: false }], { ...METADATA, ...STOP }),
      ],
    ],
    [
      'with chunks that come in two events and supports that count over both',
      [
        gemini(HEAD, grounded([RUST], [SUPPORTS[0]!])),
        gemini(TAIL, { ...grounded([FIREFOX], [SUPPORTS[1]!]), ...STOP }),
      ],
    ],
    [
      'with the list of chunks sent again, longer',
      [gemini(HEAD, grounded([RUST], [SUPPORTS[0]!])), gemini(TAIL, { ...METADATA, ...STOP })],
    ],
    [
      'with all metadata sent again in every event',
      [gemini(HEAD, METADATA), gemini(TAIL, METADATA), gemini('', { ...METADATA, ...STOP })],
    ],
    [
      'beside another candidate',
      [
        {
          ...WHOLE,
          candidates: [
            ...WHOLE.candidates,
            gemini('Else.', grounded([web('https://c.example/', 'C')])).candidates[0],
          ],
        },
      ],
    ],
  ])('%s', (_, events) => {
    expect(finished(events)).toEqual(EXPECTED)
  })

  test('cut after any character', () => {
    for (let cut = 1; cut < ANSWER.length; cut++) {
      const events = [gemini(ANSWER.slice(0, cut)), gemini(ANSWER.slice(cut), METADATA)]
      expect(finished(events), `cut at ${cut}`).toEqual(EXPECTED)
    }
  })
})

describe('of several candidates the one with the index 0 is the answer', () => {
  const other = {
    content: { parts: [{ text: 'Bravo ' }] },
    ...grounded([web('https://c.example/', 'C')]),
    index: 1,
  }
  const event = (...candidates: object[]) => ({ candidates, responseId: 'gen-1' })
  const [head, tail] = [gemini(HEAD).candidates[0]!, gemini(TAIL, METADATA).candidates[0]!]
  const { index: _, ...unnumbered } = head

  test.each<[string, object[]]>([
    ['in events of their own', [event(head), event(other), event(tail), event(other)]],
    ['where another comes first', [event(other), event(head), event(other), event(tail)]],
    ['in the same events', [event(other, head), event(other, tail)]],
    ['left out', [event(unnumbered), event(other), event(tail)]],
    ['whole', [event(other, { ...WHOLE.candidates[0] })]],
  ])('%s', (_, events) => {
    expect(finished(events)).toEqual(EXPECTED)
    expect(finished([events])).toEqual(EXPECTED)
    expect(finished(events.map((event) => JSON.stringify(event)))).toEqual(EXPECTED)
    expect(finished(events.map((response) => ({ response })))).toEqual(EXPECTED)
    const turn = turnOf([])
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    turn.pushBytes(new TextEncoder().encode(body))
    expect(turn.finish()).toEqual(EXPECTED)
  })

  test('events are compared with those of their own candidate', () => {
    const row = ['A', 'x', 'B', 'y', 'C', 'D', 'z', 'w', 'E']
    const of = (text: string) => gemini(text, { index: text < 'a' ? 0 : 1 })
    expect(finished(row.map((text) => JSON.stringify(of(text)))).answer).toBe('ABCDE')
  })

  test.each<[string, object[]]>([
    ['before it', [other, WHOLE.candidates[0]!]],
    ['behind it', [WHOLE.candidates[0]!, other]],
  ])('pages of one %s are not listed either', (_, candidates) => {
    const response = { candidates }
    const pretty = JSON.stringify(response, null, 2)
    const block = renderCitations(WHOLE, { links: 'plain' })
    for (const input of [response, JSON.stringify(response), pretty, Buffer.from(pretty)]) {
      expect(extractGeminiCitations(input)).toEqual(EXPECTED.sources)
      expect(renderCitations(input, { links: 'plain' })).toBe(block)
    }
  })
})

describe('sources and spans', () => {
  test('a span with several supports is one anchor, as sure as the surest source', () => {
    const scored = (chunk: number, ...confidenceScores: number[]) => {
      return { ...support(ANSWER, FIRST, [chunk]), confidenceScores }
    }
    const supports = [scored(1, 0.25, 0.5), scored(0, 0.75), scored(1)]
    const { anchors } = finished([gemini(ANSWER, grounded([RUST, FIREFOX], supports))])
    expect(anchors).toEqual([
      { start: 0, end: FIRST.length, text: FIRST, sources: [1, 2], confidence: 0.75 },
    ])
  })

  test('chunks of the same page share a number, and both indices lead to it', () => {
    const again = web('https://A.example/rust/', 'Rust again')
    const supports = [support(ANSWER, FIRST, [0]), support(ANSWER, SECOND, [2, 1])]
    const payload = finished([gemini(ANSWER, grounded([RUST, FIREFOX, again], supports))])
    expect(urls(payload)).toEqual(['https://a.example/rust', 'https://b.example/firefox'])
    expect(payload.sources[0]?.also).toEqual([
      { location: { type: 'grounding', groundingChunkIndex: 2 } },
    ])
    expect(claims(payload)).toEqual([
      [FIRST, [1]],
      [SECOND, [1, 2]],
    ])
  })

  test('an empty chunk takes an index but no number', () => {
    const supports = [support(ANSWER, FIRST, [0]), support(ANSWER, SECOND, [1])]
    const payload = finished([gemini(ANSWER, grounded([{}, FIREFOX], supports))])
    expect(urls(payload)).toEqual(['https://b.example/firefox'])
    expect(claims(payload)).toEqual([[SECOND, [1]]])
    expect(reports(payload)).toEqual({ source_not_listed: 1 })
  })

  describe('passages on pages', () => {
    const store = (text: string, more: object = {}) => {
      const named = { fileSearchStore: 'fileSearchStores/s', pageNumber: 3, ...more }
      return { retrievedContext: { text, ...named } }
    }
    test.each<[string, object[], object[]]>([
      ['the same page of two documents of a store', [store('A.'), store('B.')], [[1], [2]]],
      [
        'of two documents of the same name',
        [store('A.', { title: 'r.pdf' }), store('B.', { title: 'r.pdf' })],
        [[1], [2]],
      ],
      ['two pages', [store('A.'), store('A.', { pageNumber: 4 })], [[1], [2]]],
      ['the same one twice', [store('A.'), store('A.')], [[1], [1]]],
    ])('%s', (_, chunks, numbers) => {
      const supports = [support(ANSWER, FIRST, [0]), support(ANSWER, SECOND, [1])]
      const response = gemini(ANSWER, grounded(chunks, supports))
      for (const event of [response, JSON.stringify(response)]) {
        expect(claims(finished([event]))).toEqual([
          [FIRST, numbers[0]],
          [SECOND, numbers[1]],
        ])
      }
    })
  })

  test('chunks that no support names are sources too', () => {
    const payload = finished([gemini(ANSWER, grounded([RUST, FIREFOX]))])
    expect(payload).toEqual({ ...EXPECTED, anchors: [], cited: [] })
  })
})

describe('pages fetched for the answer', () => {
  const page = (retrievedUrl: string | undefined, status: string) => {
    return { retrievedUrl, urlRetrievalStatus: `URL_RETRIEVAL_STATUS_${status}` }
  }
  const fetched = (...urlMetadata: object[]) => ({ urlContextMetadata: { urlMetadata } })

  test('those that were fetched are listed behind those that were cited', () => {
    const pages = fetched(
      page('https://p.example/1', 'SUCCESS'),
      page('https://p.example/2', 'ERROR'),
      page('https://p.example/3', 'PAYWALL'),
      page('https://p.example/4', 'UNSAFE'),
      page('https://p.example/5', 'UNSPECIFIED'),
      page(undefined, 'SUCCESS'),
      page('https://p.example/1', 'SUCCESS'),
      page('https://a.example/rust', 'SUCCESS'),
    )
    const cited = ['https://a.example/rust', 'https://b.example/firefox']
    for (const events of [
      [gemini(HEAD, pages), gemini(TAIL, METADATA)],
      [gemini(ANSWER, { ...pages, ...METADATA })],
    ]) {
      const payload = finished(events)
      expect(urls(payload)).toEqual([...cited, 'https://p.example/1'])
      expect(payload.anchors).toEqual(EXPECTED.anchors)
    }
  })

  test('alone they are sources without a span', () => {
    const payload = finished([gemini(ANSWER, fetched(page('https://p.example/1', 'SUCCESS')))])
    expect(urls(payload)).toEqual(['https://p.example/1'])
    expect(payload.anchors).toEqual([])
  })
})

describe('passages the model recited', () => {
  const start = bytesOf(`${FIRST} `)
  const recited = [
    { endIndex: bytesOf(FIRST), uri: 'https://r.example/1', license: '' },
    { startIndex: start, endIndex: bytesOf(ANSWER), uri: 'https://r.example/2', title: 'Two' },
    { startIndex: 2, endIndex: 9, uri: '', license: 'mit' },
    { startIndex: 2, endIndex: 9 },
  ]

  test.each(['citations', 'citationSources'])('under %s, in the middle of a stream', (name) => {
    const metadata = { citationMetadata: { [name]: recited } }
    const payload = finished([gemini(HEAD, metadata), gemini(TAIL, metadata), gemini('', STOP)])
    expect(urls(payload)).toEqual(['https://r.example/1', 'https://r.example/2'])
    expect(payload.sources[1]?.title).toBe('Two')
    expect(claims(payload)).toEqual([
      [FIRST, [1]],
      [SECOND, [2]],
    ])
  })
})

describe('Interactions', () => {
  const cite = (quote: string, fields: object) => {
    const start_index = bytesOf(ANSWER.slice(0, ANSWER.indexOf(quote)))
    return { start_index, end_index: start_index + bytesOf(quote), ...fields }
  }
  const annotations = [
    cite(FIRST, { type: 'url_citation', url: 'https://a.example/rust', title: 'History of Rust' }),
    cite(SECOND, { type: 'file_citation', file_name: 'notes.md', document_uri: 'gs://b/notes.md' }),
    cite(SECOND, { type: 'place_citation', name: 'Office', url: 'https://maps.example/?cid=1' }),
    cite(SECOND, { type: 'url_citation', url: 'https://a.example/rust', title: 'History of Rust' }),
    cite(FIRST, { type: 'speech_metadata' }),
  ]
  const delta = (fields: object, index = 1) => ({ event_type: 'step.delta', index, delta: fields })
  const thought = { content: { type: 'text', text: 'Hm.' }, type: 'thought_summary' }
  const stream = [
    { event_type: 'interaction.created', interaction: { id: 'v1', object: 'interaction' } },
    { event_type: 'interaction.status_update', interaction_id: 'v1', status: 'in_progress' },
    { event_type: 'step.start', index: 0, step: { type: 'thought' } },
    delta(thought, 0),
    { event_type: 'step.start', index: 1, step: { type: 'model_output' } },
    ...Array.from(ANSWER).map((text) => delta({ type: 'text', text })),
    delta({ type: 'text_annotation_delta', annotations }),
    { event_type: 'step.stop', index: 1 },
    { event_type: 'interaction.completed', interaction: { id: 'v1', status: 'completed' } },
  ]
  const output = { type: 'model_output', content: [{ type: 'text', text: ANSWER, annotations }] }
  const unary = { id: 'v1', object: 'interaction', status: 'completed' }

  test.each<[string, object[]]>([
    ['a stream', stream],
    ['a whole interaction', [{ ...unary, steps: [{ type: 'thought', summary: [] }, output] }]],
    [
      'an interaction that repeats its input',
      [
        {
          ...unary,
          steps: [
            { type: 'user_input', content: [{ type: 'text', text: 'What about Rust?' }] },
            output,
          ],
        },
      ],
    ],
  ])('%s', (_, events) => {
    const payload = finished(events)
    expect(payload.answer).toBe(ANSWER)
    expect(payload.sources.map(({ title, url, uri }) => ({ title, url, uri }))).toEqual([
      { title: 'History of Rust', url: 'https://a.example/rust' },
      { title: 'notes.md', uri: 'gs://b/notes.md' },
      { title: 'Office', url: 'https://maps.example/?cid=1' },
    ])
    expect(places(payload)).toEqual(places(EXPECTED))
    expect(claims(payload)).toEqual([
      [FIRST, [1]],
      [SECOND, [1, 2, 3]],
    ])
    expect(payload.diagnostics).toEqual([])
  })
})
