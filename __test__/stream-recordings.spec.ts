/**
 * Real streams and responses, as a turn sees them: whatever form they arrive in, the payload is the
 * same, and it is what a plain walk over the recording finds.
 */
import { describe, expect, test } from 'vitest'
import { CitationService } from '../index.js'
import { type Exchange, recording, recordings, recordingsPresent } from './recordings.js'
import { BODIES, cut, expectSound, payloadOf, pushed, pushedBytes, utf8 } from './stream-bodies.js'
import { tell, type Wire } from './stream-oracle.js'

/** File, exchange, citations it was counted to hold (of Gemini: chunks), sources listed, spans. */
const COUNTS: [
  file: string,
  exchange: number,
  citations: number,
  sources: number,
  spans: number,
][] = [
  ['google/file-search-stream-gemini-3.vcr.yaml', 0, 0, 0, 0],
  ['google/file-search-stream-gemini-3.vcr.yaml', 1, 0, 0, 0],
  ['google/file-search-stream-gemini-3.vcr.yaml', 2, 0, 0, 0],
  ['google/file-search-stream-gemini-3.vcr.yaml', 3, 1, 1, 1],
  ['google/file-search-stream-gemini-3.vcr.yaml', 4, 1, 1, 0],
  ['google/file-search-stream-gemini-3.vcr.yaml', 5, 0, 0, 0],
  ['google/google-maps-unary-googleai.json', 0, 20, 20, 4],
  ['google/google-maps-unary-vertex.json', 0, 20, 20, 39],
  ['google/google-search-executable-code-part.json', 0, 3, 3, 1],
  ['google/google-search-stream-gemini-2.5-pro.vcr.yaml', 0, 5, 5, 8],
  ['google/google-search-stream-gemini-2.5-pro.vcr.yaml', 1, 4, 4, 7],
  ['google/google-search-unary-gemini-3.5-flash.vcr.yml', 0, 5, 5, 7],
  ['google/google-search-unary.json', 0, 2, 2, 3],
  ['google/interactions-google-search-nonascii.cassette.yaml', 0, 10, 7, 4],
  ['google/interactions-google-search-stream.chunks.txt', 0, 14, 8, 9],
  ['google/recitation-citationSources-stream.sse.txt', 0, 1, 1, 1],
  // Two of the three supports name pages that could not be fetched and are not listed.
  ['google/url-context-mixed-validity-unary.json', 0, 1, 1, 1],
  ['google/url-context-offset-shifted-by-one.json', 0, 1, 1, 4],
  ['google/url-context-stream.sse.txt', 0, 1, 1, 3],
  ['google/url-context-supports-without-chunks-vertex.json', 0, 0, 0, 0],
  ['anthropic/content-block-citations.vcr.yaml', 0, 2, 2, 2],
  ['anthropic/content-block-citations.vcr.yaml', 1, 2, 2, 2],
  ['anthropic/content-block-citations.vcr.yaml', 2, 0, 0, 0],
  // Three passages of one page.
  ['anthropic/pdf-page-location.vcr.yml', 0, 3, 1, 3],
  ['anthropic/search-result-citations.vcr.yaml', 0, 1, 1, 1],
  ['anthropic/stream-null-citations-start.cassette.yaml', 0, 1, 1, 1],
  ['anthropic/text-char-location-stream.vcr.yml', 0, 1, 1, 1],
  ['anthropic/web-fetch-char-location.vcr.yaml', 0, 11, 11, 11],
  ['anthropic/web-fetch-char-location.vcr.yaml', 1, 9, 9, 9],
  ['anthropic/web-fetch-char-location.vcr.yaml', 2, 0, 0, 0],
  ['anthropic/web-search-result-in-later-message.recording.json', 0, 0, 0, 0],
  ['anthropic/web-search-result-in-later-message.recording.json', 1, 15, 6, 11],
  ['anthropic/web-search-result-in-later-message.recording.json', 2, 9, 5, 7],
  ['anthropic/web-search-stream.chunks.txt', 0, 14, 4, 9],
  ['openai/chat-completions-search-preview.vcr.yml', 0, 3, 2, 3],
  ['openai/code-interpreter-stream.chunks.txt', 0, 1, 1, 1],
  // Two places that cite one file.
  ['openai/file-search-stream.chunks.txt', 0, 2, 1, 2],
  ['openai/web-search-stream-short.vcr.yaml', 0, 1, 1, 1],
  ['openai/web-search-stream-short.vcr.yaml', 1, 1, 1, 1],
  ['openai/web-search-stream-short.vcr.yaml', 2, 0, 0, 0],
  ['openai/web-search-stream.chunks.txt', 0, 12, 7, 12],
  ['openai/web-search.json', 0, 10, 7, 10],
  // Two places that cite one document.
  ['other/cohere-v2-stream.vcr.yml', 0, 2, 1, 2],
  ['other/perplexity-sonar.vcr.yml', 0, 6, 6, 0],
]

interface Named {
  name: string
  provider: string
  exchange: Exchange
}

const EXCHANGES: Named[] = recordings().flatMap(({ file, provider, exchanges }) =>
  exchanges.map((exchange, index) => ({ name: `${file}, exchange ${index}`, provider, exchange })),
)

const STREAMS = EXCHANGES.filter(({ exchange }) => exchange.events.length > 1)

/** Exchanges whose events say which answer and which place of it they belong to. */
const IDENTIFIED = EXCHANGES.filter(({ provider, exchange: { kind } }) =>
  provider === 'anthropic' ? kind === 'json' : provider === 'openai',
)

const RESPONSES_STREAMS = STREAMS.filter(({ provider }) => provider === 'openai')

/** Rows for `describe.each`, which writes out in full only what it is given in a list. */
function named(exchanges: Named[]): [name: string, exchange: Exchange][] {
  return exchanges.map(({ name, exchange }) => [name, exchange])
}

/** Whether an event does nothing but cite. */
function onlyCites({ type, delta }: Wire): boolean {
  return (
    type === 'response.output_text.annotation.added' ||
    type === 'citation-start' ||
    delta?.type === 'citations_delta' ||
    delta?.type === 'text_annotation_delta'
  )
}

/** Whether an event says again what others have said. */
function repeats({ type }: Wire): boolean {
  return /^response\.(completed|output_text\.done|(content_part|output_item)\.done)$/.test(type)
}

const METADATA = ['groundingMetadata', 'citationMetadata', 'urlContextMetadata'] as const

/** Gemini's metadata taken off its events, empty objects left behind, and put on the one at `to`. */
function metadataMoved(events: Wire[], to: number): Wire[] {
  const moved = structuredClone(events)
  for (const key of METADATA) {
    const holders = moved.map(({ candidates }) => candidates[0]).filter((each) => each[key])
    const holder = holders.find((each) => Object.keys(each[key]).length > 0)
    if (!holder) continue
    const metadata = holder[key]
    for (const each of holders) each[key] = {}
    moved.at(to).candidates[0][key] = metadata
  }
  return moved
}

/** The same stream with everything that cites behind its first event or before its last one. */
function reordered(events: Wire[], citing: 'early' | 'late'): Wire[] {
  if (events[0].candidates) return metadataMoved(events, citing === 'early' ? 0 : -1)
  const said = events.filter((event) => !repeats(event))
  const cites = said.filter(onlyCites)
  const rest = said.filter((event) => !onlyCites(event))
  return rest.toSpliced(citing === 'early' ? 1 : -1, 0, ...cites)
}

if (!recordingsPresent) {
  test('NOTHING COMPARED: the real recordings are not beside this checkout', () => {
    console.warn('No folder ../shared/fixtures beside the project: no real recording was read.')
  })
} else {
  test('every exchange of every recording is counted here', () => {
    const counted = COUNTS.map(([file, index]) => `${file}, exchange ${index}`)
    expect(counted.toSorted()).toEqual(EXCHANGES.map(({ name }) => name).toSorted())
  })

  describe.each(COUNTS)('%s, exchange %i', (file, index, citations, sources, spans) => {
    const { events } = recording(file).exchanges[index]!

    test(`holds ${citations} citations, lists ${sources} sources, finds ${spans} spans`, () => {
      const told = tell(events)
      expect([told.citations, told.pages.length, told.spans.length]).toEqual([
        citations,
        sources,
        spans,
      ])
      const payload = pushed(events)
      expect([payload.sources.length, payload.anchors.length]).toEqual([sources, spans])
    })

    test('has the answer and the spans a plain walk finds', () => {
      const told = tell(events)
      const { answer, anchors } = pushed(events)
      expect(answer).toBe(told.answer)
      const found = anchors.map(({ confidence, ...span }) => span)
      expect(found).toEqual(told.spans)
    })
  })

  describe.each(named(EXCHANGES))('%s', (_, { events, raw, pieces }) => {
    const expected = pushed(events)

    test('gives a sound payload', () => {
      expectSound(expected)
    })

    test('is the same as JSON strings, as JSON bytes and as one list', () => {
      const json = events.map((event) => JSON.stringify(event))
      expect(pushed(json)).toEqual(expected)
      expect(pushed(json.map(utf8))).toEqual(expected)
      expect(pushed([events])).toEqual(expected)
      expect(pushed([JSON.stringify(events)])).toEqual(expected)
    })

    test('is the same as the body it came in', () => {
      expect(pushedBytes(raw)).toEqual(expected)
      if (pieces) {
        const arrived = payloadOf((turn) => {
          for (const piece of pieces) turn.pushBytes(utf8(piece))
        })
        expect(arrived).toEqual(expected)
      }
    })

    test.each(Object.keys(BODIES))('is the same as %s', (form) => {
      const body = BODIES[form]!(events)
      expect(pushedBytes(body)).toEqual(expected)
      expect(pushedBytes(body, 5)).toEqual(expected)
    })

    test('is the same again after a reset, whatever was read before', () => {
      const turn = new CitationService({ documents: true }).startTurn()
      for (const piece of cut(raw, 1000).slice(0, -1)) turn.pushBytes(piece)
      for (const event of events.slice(0, -1)) turn.push(event as object)
      for (let round = 0; round < 2; round++) {
        turn.reset()
        turn.pushBytes(utf8(raw))
        expect(turn.finish()).toEqual(expected)
        turn.reset()
        for (const event of events) turn.push(event as object)
        expect(turn.finish()).toEqual(expected)
      }
    })

    test('is the same when the host asks for it at every event', () => {
      const asked = payloadOf((turn) => {
        for (const event of events) {
          turn.push(event as object)
          expectSound(turn.finish())
          turn.render({ links: 'plain' })
        }
      })
      expect(asked).toEqual(expected)
    })

    test.each(['finish', 'render'] as const)(
      'is the same when the host calls %s at every piece of the body',
      (ask) => {
        const asked = payloadOf((turn) => {
          for (const piece of cut(raw, 100)) {
            turn.pushBytes(piece)
            turn[ask]()
          }
        })
        expect(asked).toEqual(expected)
      },
    )

    test('is the same when the host has the answer too', () => {
      const turn = new CitationService({ documents: true }).startTurn()
      for (const event of events) turn.push(event as object)
      expect(turn.finish(expected.answer)).toEqual(expected)
    })
  })

  describe.each(named(STREAMS))('%s, in another order', (_, { events }) => {
    test.each(['early', 'late'] as const)('may cite %s', (citing) => {
      expect(pushed(reordered(events, citing))).toEqual(pushed(events))
    })
  })

  describe.each(named(IDENTIFIED))('%s, sent again', (_, { events }) => {
    test('says nothing new', () => {
      expect(pushed([...events, ...events])).toEqual(pushed(events))
      expect(pushed(events.flatMap((event) => [event, event, event]).concat(events))).toEqual(
        pushed(events),
      )
    })
  })

  describe.each(named(RESPONSES_STREAMS))('%s, in short', (_, { events }) => {
    test('is what its last event says', () => {
      const last = events.at(-1) as Wire
      expect(last.type).toBe('response.completed')
      expect(pushed([last])).toEqual(pushed(events))
      expect(pushed([last.response])).toEqual(pushed(events))
    })

    test('needs none of its repeats', () => {
      expect(pushed(events.filter((event) => !repeats(event)))).toEqual(pushed(events))
    })
  })

  test('Perplexity as a stream, which repeats its lists and its text so far, is the same', () => {
    const body = recording('other/perplexity-sonar.vcr.yml').exchanges[0]!.events[0] as Wire
    const content: string = body.choices[0].message.content
    const words = content.split(/(?<= )/)
    const chunk = (soFar: string, piece: string, object: string) => ({
      ...body,
      object,
      choices: [{ index: 0, message: { content: soFar }, delta: { content: piece } }],
    })
    const stream = words.map((word, index) =>
      chunk(words.slice(0, index + 1).join(''), word, 'chat.completion.chunk'),
    )
    const payload = pushed([...stream, chunk(content, '', 'chat.completion.done')])
    expect(payload.answer).toBe(content)
    expect(payload).toEqual(pushed([body]))
  })

  const SEVERAL_CALLS = [
    'anthropic/content-block-citations.vcr.yaml',
    'anthropic/web-fetch-char-location.vcr.yaml',
    'anthropic/web-search-result-in-later-message.recording.json',
    'google/file-search-stream-gemini-3.vcr.yaml',
    'google/google-search-stream-gemini-2.5-pro.vcr.yaml',
    'openai/web-search-stream-short.vcr.yaml',
  ]

  describe.each(SEVERAL_CALLS)('%s, all calls in one turn', (file) => {
    const { exchanges } = recording(file)
    const alone = exchanges.map(({ events }) => pushed(events))
    const answer = alone.map((payload) => payload.answer).join('')
    const spans = alone.flatMap(({ anchors }, call) => {
      const before = alone.slice(0, call).map((payload) => payload.answer)
      const base = before.join('').length
      return anchors.map(({ start, end, text }) => ({ start: base + start, end: base + end, text }))
    })

    test('stand one behind the other', () => {
      const payload = pushed(exchanges.flatMap(({ events }) => events))
      expectSound(payload)
      expect(payload.answer).toBe(answer)
      expect(payload.anchors.map(({ start, end, text }) => ({ start, end, text }))).toEqual(spans)
    })

    test('may arrive as bodies of different kinds', () => {
      const whole = pushed(exchanges.flatMap(({ events }) => events))
      const bodies = exchanges.map(({ raw }) => raw)
      const received = payloadOf((turn) => {
        for (const body of bodies) for (const piece of cut(body, 50)) turn.pushBytes(piece)
      })
      expect(received).toEqual(whole)
    })
  })
}
