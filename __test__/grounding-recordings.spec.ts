/**
 * What Google really sent: every recording has the figures that it was counted to have and that a
 * plain oracle finds, which turns bytes into characters with `Buffer` and ticks off each unit of the
 * answer that lies in a span.
 */
import { describe, expect, test } from 'vitest'
import { CitationService, grounding } from '../index.js'
import { type Exchange, recording, recordings, recordingsPresent } from './recordings.js'

/** A field of a parsed recording, of any type. */
// biome-ignore lint/suspicious/noExplicitAny: recordings are whatever providers sent.
type Wire = any

interface Figures {
  calls: number
  queries: number
  chunks: number
  supports: number
  annotations: number
  anchored: number
  unlinked: number
  coverage: number
}

const LOST_CHUNKS = 'API_RESPONSE_MISSING_GROUNDING_CHUNKS'
const LOST_SUPPORTS = 'API_RESPONSE_MISSING_GROUNDING_SUPPORTS'
const NOTHING = [0, 0, 0, 0, 0, 0, 0, 0] as const

type Counted = readonly [
  ...[calls: number, queries: number, chunks: number, supports: number],
  ...[annotations: number, anchored: number, unlinked: number, coverage: number],
]

/** File, exchange, figures, why it may pass, and why it is not anchored. */
const COUNTS: [string, number, Counted, reason: string | null, why: string | null][] = [
  // Uploads, deletions and the like.
  ['file-search-stream-gemini-3.vcr.yaml', 0, NOTHING, null, 'NO_TOOL_CALL'],
  ['file-search-stream-gemini-3.vcr.yaml', 1, NOTHING, null, 'NO_TOOL_CALL'],
  ['file-search-stream-gemini-3.vcr.yaml', 2, NOTHING, null, 'NO_TOOL_CALL'],
  ['file-search-stream-gemini-3.vcr.yaml', 3, [0, 0, 1, 1, 1, 1, 0, 8], 'anchored_google', null],
  [
    'file-search-stream-gemini-3.vcr.yaml',
    4,
    [0, 0, 1, 0, 0, 0, 1, 0],
    'unlinked_google',
    LOST_SUPPORTS,
  ],
  ['file-search-stream-gemini-3.vcr.yaml', 5, NOTHING, null, 'NO_TOOL_CALL'],
  ['google-maps-unary-googleai.json', 0, [1, 1, 20, 4, 4, 4, 16, 17.7], 'anchored_google', null],
  ['google-maps-unary-vertex.json', 0, [1, 1, 20, 39, 39, 20, 0, 95], 'anchored_google', null],
  [
    'google-search-executable-code-part.json',
    0,
    [2, 2, 3, 1, 1, 3, 0, 99],
    'anchored_google',
    null,
  ],
  [
    'google-search-stream-gemini-2.5-pro.vcr.yaml',
    0,
    [1, 1, 5, 8, 8, 5, 0, 73.7],
    'anchored_google',
    null,
  ],
  [
    'google-search-stream-gemini-2.5-pro.vcr.yaml',
    1,
    [1, 1, 4, 7, 7, 4, 0, 80.2],
    'anchored_google',
    null,
  ],
  [
    'google-search-unary-gemini-3.5-flash.vcr.yml',
    0,
    [3, 3, 5, 7, 7, 5, 0, 89.5],
    'anchored_google',
    null,
  ],
  ['google-search-unary.json', 0, [1, 1, 2, 3, 3, 2, 0, 98.4], 'anchored_google', null],
  // One of the ten annotations stands there twice.
  [
    'interactions-google-search-nonascii.cassette.yaml',
    0,
    [1, 1, 9, 9, 4, 7, 0, 46.6],
    'anchored_google',
    null,
  ],
  [
    'interactions-google-search-stream.chunks.txt',
    0,
    [1, 4, 14, 14, 9, 8, 0, 63.3],
    'anchored_google',
    null,
  ],
  [
    'recitation-citationSources-stream.sse.txt',
    0,
    [0, 0, 1, 1, 1, 1, 0, 1.9],
    'anchored_google',
    null,
  ],
  // Two of the three supports name pages that could not be fetched and are not listed.
  [
    'url-context-mixed-validity-unary.json',
    0,
    [0, 0, 1, 3, 1, 1, 0, 31.9],
    'anchored_google',
    null,
  ],
  [
    'url-context-offset-shifted-by-one.json',
    0,
    [0, 0, 1, 4, 4, 1, 0, 79.4],
    'anchored_google',
    null,
  ],
  ['url-context-stream.sse.txt', 0, [0, 0, 1, 3, 3, 1, 0, 98.3], 'anchored_google', null],
  [
    'url-context-supports-without-chunks-vertex.json',
    0,
    [0, 0, 0, 1, 0, 0, 0, 0],
    null,
    'NO_TOOL_CALL',
  ],
]

interface Mark {
  start: number
  end: number
  pages: string[]
}

/** What an exchange says, by a plain walk over its events. */
interface Told {
  answer: string
  calls: number
  queries: string[]
  /** Each chunk, or of other answers each citation, by what tells its page from others. */
  chunks: string[]
  supports: number
  marks: Mark[]
}

/** The units of `text` that `from` to `to` are in bytes; where other words are quoted, theirs. */
function unitsOf(text: string, from: number, to: number, quote?: string) {
  const bytes = Buffer.from(text)
  const start = bytes.subarray(0, from).toString().length
  const words = bytes.subarray(from, to).toString()
  if (quote === undefined || quote === words) return { start, end: start + words.length }
  const at = text.indexOf(quote)
  expect(at, 'words that stand in one place only').toBe(text.lastIndexOf(quote))
  return { start: at, end: at + quote.length }
}

function told(events: Wire[]): Told {
  return events.some((event) => event?.steps ?? event?.event_type)
    ? toldBySteps(events)
    : toldByCandidates(events)
}

function toldByCandidates(events: Wire[]): Told {
  const candidates = events.flatMap((event) => event?.candidates?.[0] ?? [])
  const metadata = candidates.map((candidate) => candidate.groundingMetadata ?? {})
  const parts: Wire[] = candidates.flatMap((candidate) => candidate.content?.parts ?? [])
  const answer = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('')
  const chunks: Wire[] = metadata.flatMap((each) => each.groundingChunks ?? [])
  const supports: Wire[] = metadata.flatMap((each) => each.groundingSupports ?? [])
  const recited: Wire[] = candidates.flatMap((each) => each.citationMetadata?.citationSources ?? [])
  const queries = metadata.flatMap((each) => [
    ...(each.webSearchQueries ?? []),
    ...(each.retrievalQueries ?? []),
  ])
  const marks = supports.map(({ segment, groundingChunkIndices: listed }): Mark => {
    const known = listed.filter((index: number) => index < chunks.length)
    const { startIndex = 0, endIndex, text } = segment
    return { ...unitsOf(answer, startIndex, endIndex, text), pages: known.map(String) }
  })
  const recitals = recited.map(({ startIndex = 0, endIndex, uri }): Mark => {
    return { ...unitsOf(answer, startIndex, endIndex), pages: [uri] }
  })
  return {
    answer,
    calls: queries.length,
    queries,
    chunks: [...chunks.map((_, index) => String(index)), ...recited.map(({ uri }) => uri)],
    supports: supports.length + recited.length,
    marks: [...marks, ...recitals].filter(({ pages }) => pages.length > 0),
  }
}

/** Interactions: steps, whose annotations count in bytes of their own text. */
function toldBySteps(events: Wire[]): Told {
  const steps = new Map<number, { text: string; annotations: Wire[] }>()
  const queries: string[] = []
  let calls = 0
  const hear = (at: number, said: Wire) => {
    const step = steps.get(at) ?? { text: '', annotations: [] }
    if (said.type === 'text') step.text += said.text ?? ''
    step.annotations.push(...(said.annotations ?? []))
    steps.set(at, step)
    queries.push(...(said.arguments?.queries ?? []))
  }
  for (const { index, step, delta, steps: whole } of events) {
    if (step?.type === 'google_search_call') calls += 1
    if (delta) hear(index, delta)
    for (const [at, each] of (whole ?? []).entries()) {
      if (each.type === 'google_search_call') calls += 1
      for (const said of [each, ...(each.content ?? [])]) hear(at, said)
    }
  }
  const marks: Mark[] = []
  let answer = ''
  for (const { text, annotations } of steps.values()) {
    for (const { start_index = 0, end_index, url } of annotations) {
      const { start, end } = unitsOf(text, start_index, end_index)
      marks.push({ start: answer.length + start, end: answer.length + end, pages: [url] })
    }
    answer += text
  }
  const once = [...new Map(marks.map((mark) => [JSON.stringify(mark), mark])).values()]
  const chunks = once.flatMap(({ pages }) => pages)
  return { answer, calls, queries, chunks, supports: once.length, marks: once }
}

function figuresOf({ answer, calls, queries, chunks, supports, marks }: Told): Figures {
  const spans = new Set(marks.map(({ start, end }) => `${start} ${end}`))
  const linked = new Set(marks.flatMap(({ pages }) => pages))
  const covered = Array.from(answer.split(''), (_, unit) =>
    marks.some(({ start, end }) => start <= unit && unit < end),
  )
  const share = covered.filter(Boolean).length / Math.max(answer.length, 1)
  return {
    calls,
    queries: queries.length,
    chunks: chunks.length,
    supports,
    annotations: spans.size,
    anchored: linked.size,
    unlinked: new Set(chunks).size - linked.size,
    coverage: Math.round(share * 1000) / 10,
  }
}

/** The model an exchange names, without its path. */
function modelOf(events: Wire[]): string | null {
  const named = events.map((each) => each?.modelVersion ?? each?.interaction?.model ?? each?.model)
  return (
    named
      .find((name) => typeof name === 'string')
      ?.split('/')
      .at(-1) ?? null
  )
}

const inputOf = ({ events }: Exchange) => (events.length === 1 ? events[0] : events) as object

if (!recordingsPresent) {
  test('NOTHING COMPARED: the real recordings are not beside this checkout', () => {
    console.warn('No folder ../shared/fixtures beside the project: no real recording was read.')
  })
} else {
  test('every exchange of every recording of Google is counted here', () => {
    const google = recordings().filter(({ provider }) => provider === 'google')
    const all = google.flatMap(({ file, exchanges }) =>
      exchanges.map((_, index) => `${file} ${index}`),
    )
    expect(COUNTS.map(([file, index]) => `google/${file} ${index}`).toSorted()).toEqual(
      all.toSorted(),
    )
  })

  describe.each(COUNTS)('%s, exchange %i', (file, index, counted, reason, why) => {
    const exchange = recording(`google/${file}`).exchanges[index]!
    const events = exchange.events as Wire[]
    const anchored = grounding.anchorCitations(inputOf(exchange))
    const { metadata } = anchored
    const [calls, queries, chunks, supports, annotations, linked, unlinked, coverage] = counted

    test('the oracle finds the figures it was counted to have', () => {
      expect(Object.values(figuresOf(told(events)))).toEqual(counted)
    })

    test('so does the package', () => {
      expect({
        chunks: metadata.groundingChunks,
        supports: metadata.groundingSupports,
        annotations: anchored.annotations.length,
        anchored: metadata.anchoredCitationsCount,
        unlinked: metadata.unlinkedSourcesCount,
        coverage: metadata.anchoredCoveragePct,
      }).toEqual({ chunks, supports, annotations, anchored: linked, unlinked, coverage })
    })

    test('searches and what they were for', () => {
      expect(metadata.webSearchQueries).toEqual(told(events).queries)
      expect([metadata.toolCallCount, metadata.webSearchQueries.length]).toEqual([calls, queries])
    })

    test('reasons', () => {
      expect([metadata.requiredPassReason, metadata.whyNotAnchored]).toEqual([reason, why])
      expect(metadata.groundingEvidenceMissing).toBe(why === LOST_CHUNKS)
    })

    test('the model it names', () => {
      expect(anchored.model).toBe(modelOf(events))
    })

    test('annotations are slices of the answer, where the oracle has them', () => {
      const { answer, marks } = told(events)
      const places = new Set(marks.map(({ start, end }) => `${start} ${end}`))
      expect(anchored.annotations.map(({ start, end }) => `${start} ${end}`).toSorted()).toEqual(
        [...places].toSorted(),
      )
      for (const { start, end, text } of anchored.annotations) {
        expect(text).toBe(answer.slice(start, end))
      }
    })

    test('is the same as bytes and in a turn', () => {
      const options = { model: 'm' }
      const expected = grounding.anchorCitations(inputOf(exchange), options)
      expect(grounding.anchorCitations(Buffer.from(exchange.raw), options)).toEqual(expected)
      const turn = new CitationService().startTurn()
      for (const event of events) turn.push(event)
      expect(turn.anchored(options)).toEqual(expected)
    })

    test('one line of audit with these figures', () => {
      const line = grounding.auditLine(anchored)
      expect(line).toContain(
        ` chunks=${chunks} supports=${supports} annotations=${annotations} anchored_sources=${linked} unlinked_sources=${unlinked} coverage_pct=${coverage.toFixed(1)} reason=${reason ?? 'none'}`,
      )
      expect(line).not.toContain('\n')
    })
  })
}
