/**
 * The two answers the requirements were written from, with exactly their figures: one that is
 * anchored and one whose search left nothing behind; in every form they travel in, either spelling.
 */
import { describe, expect, test } from 'vitest'
import { type AnchoredCitations, CitationService, grounding } from '../index.js'
import {
  ANSWER_A,
  formsOf,
  HOSTS_A,
  QUERIES_A,
  QUERIES_B,
  REDIRECT,
  serverSent,
  snakeCased,
  streamed,
  TEST_A,
  TEST_B,
} from './grounded-answers.js'

const AUDIT_A =
  'AUDIT vendor=gemini_direct model=gemini-2.5-pro tool_calls=3 queries=3 chunks=6 supports=17 annotations=16 anchored_sources=6 unlinked_sources=0 coverage_pct=89.0 reason=anchored_google'
const AUDIT_B =
  'AUDIT vendor=gemini_direct model=gemini-2.5-pro tool_calls=5 queries=5 chunks=0 supports=0 annotations=0 anchored_sources=0 unlinked_sources=0 coverage_pct=0.0 reason=unlinked_google'

const METADATA_A: AnchoredCitations['metadata'] = {
  anchoredCitationsCount: 6,
  unlinkedSourcesCount: 0,
  anchoredCoveragePct: 89,
  requiredPassReason: 'anchored_google',
  whyNotAnchored: null,
  groundingEvidenceMissing: false,
  toolCallCount: 3,
  webSearchQueries: QUERIES_A,
  groundingChunks: 6,
  groundingSupports: 17,
}

const METADATA_B: AnchoredCitations['metadata'] = {
  anchoredCitationsCount: 0,
  unlinkedSourcesCount: 0,
  anchoredCoveragePct: 0,
  requiredPassReason: 'unlinked_google',
  whyNotAnchored: 'API_RESPONSE_MISSING_GROUNDING_CHUNKS',
  groundingEvidenceMissing: true,
  toolCallCount: 5,
  webSearchQueries: QUERIES_B,
  groundingChunks: 0,
  groundingSupports: 0,
}

describe('test A, anchored', () => {
  test.each(formsOf(TEST_A))('%s', (_, input) => {
    const anchored = grounding.anchorCitations(input)
    expect(anchored.metadata).toEqual(METADATA_A)
    expect(anchored.annotations).toHaveLength(16)
    expect(anchored.vendor).toBe('gemini_direct')
    expect(anchored.model).toBe('gemini-2.5-pro')
    expect(grounding.auditLine(anchored)).toBe(AUDIT_A)
    const { pass, reason } = grounding.evaluateGrounding(anchored, { mode: 'required' })
    expect([pass, reason]).toEqual([true, 'anchored_google'])
  })

  test.each(formsOf(TEST_A))('all forms say the same as the first: %s', (_, input) => {
    expect(grounding.anchorCitations(input)).toEqual(grounding.anchorCitations(TEST_A))
  })

  const { annotations, citations } = grounding.anchorCitations(TEST_A)

  test('the first annotation lies where the requirements show it', () => {
    const page = { title: 'nrel.example', domain: 'nrel.example', sourceId: 'chunk_0' }
    const address = { resolvedUrl: `${REDIRECT}AUZIYQ0`, rawUri: `${REDIRECT}AUZIYQ0` }
    expect(annotations[0]).toEqual({
      start: 103,
      end: 232,
      text: expect.stringMatching(/^Key highlights include/),
      sources: [{ ...page, ...address, chunkIndex: 0 }],
    })
  })

  test('every annotation is a slice of the answer, also behind multi-byte characters', () => {
    for (const { start, end, text } of annotations) expect(ANSWER_A.slice(start, end)).toBe(text)
    expect(annotations.map(({ start }) => start)).toEqual(
      annotations.map(({ text }) => ANSWER_A.indexOf(text)),
    )
    expect(Buffer.byteLength(ANSWER_A)).toBeGreaterThan(ANSWER_A.length)
  })

  test('two supports of one span are one annotation with the sources of both', () => {
    expect(annotations.map(({ sources }) => sources.map(({ chunkIndex }) => chunkIndex))).toEqual([
      ...[[0], [0, 1], [1], [2], [2, 3], [3], [4], [4]],
      ...[[4, 5], [5], [0], [2], [1], [3], [5], [0, 4]],
    ])
  })

  test('every page is listed once, with how many spans lean on it', () => {
    expect(citations).toEqual(
      HOSTS_A.map((host, index) => ({
        resolvedUrl: `${REDIRECT}AUZIYQ${index}`,
        rawUri: `${REDIRECT}AUZIYQ${index}`,
        title: host,
        domain: host,
        sourceId: `chunk_${index}`,
        count: [4, 3, 3, 3, 4, 3][index],
      })),
    )
  })
})

describe('test B, nothing came of the search', () => {
  test.each(formsOf(TEST_B))('%s', (_, input) => {
    const anchored = grounding.anchorCitations(input)
    expect(anchored).toEqual({
      vendor: 'gemini_direct',
      model: 'gemini-2.5-pro',
      annotations: [],
      citations: [],
      metadata: METADATA_B,
    })
    expect(grounding.auditLine(anchored)).toBe(AUDIT_B)
  })

  test.each([
    ['empty lists', { groundingChunks: [], groundingSupports: [] }],
    ['nulls, as SDKs write them', { groundingChunks: null, groundingSupports: null }],
  ])('the same with %s', (_, nothing) => {
    const [candidate] = TEST_B.candidates
    const metadata = { webSearchQueries: QUERIES_B, ...nothing }
    const input = { ...TEST_B, candidates: [{ ...candidate, groundingMetadata: metadata }] }
    for (const spelled of [input, snakeCased(input) as object]) {
      expect(grounding.auditLine(grounding.anchorCitations(spelled))).toBe(AUDIT_B)
    }
  })
})

describe('whoever answered', () => {
  test('Vertex has the same figures under its own name', () => {
    const anchored = grounding.anchorCitations(TEST_A, { vendor: 'vertex' })
    expect(anchored.vendor).toBe('vertex')
    expect(anchored.metadata).toEqual(METADATA_A)
    expect(grounding.auditLine(anchored)).toBe(AUDIT_A.replace('gemini_direct', 'vertex'))
  })

  test('what the caller says of the model goes before what the response says', () => {
    const { model } = grounding.anchorCitations(TEST_A, { model: 'gemini-2.5-flash' })
    expect(model).toBe('gemini-2.5-flash')
  })

  test('the model of a name with a path is its last part', () => {
    const modelVersion = 'publishers/google/models/gemini-2.5-pro'
    expect(grounding.anchorCitations({ ...TEST_A, modelVersion }).model).toBe('gemini-2.5-pro')
  })

  test('a stream whose last chunk alone names the model', () => {
    const chunks = streamed(TEST_A).map(
      ({ modelVersion: _, ...chunk }: { modelVersion?: string }) => chunk,
    )
    const input = [...chunks.slice(0, -1), { ...chunks.at(-1), modelVersion: 'gemini-2.5-pro' }]
    expect(grounding.auditLine(grounding.anchorCitations(input))).toBe(AUDIT_A)
  })
})

describe('a turn says the same', () => {
  function turnOf(events: object[]) {
    const turn = new CitationService().startTurn()
    for (const event of events) turn.push(event)
    return turn
  }

  test.each([
    ['test A, whole', TEST_A, [TEST_A], AUDIT_A],
    ['test A, in chunks', TEST_A, streamed(TEST_A), AUDIT_A],
    ['test B, whole', TEST_B, [TEST_B], AUDIT_B],
    ['test B, in chunks', TEST_B, streamed(TEST_B), AUDIT_B],
  ])('%s', (_, whole, events, audit) => {
    const turn = turnOf(events)
    expect(turn.anchored()).toEqual(grounding.anchorCitations(whole))
    expect(grounding.auditLine(turn.anchored())).toBe(audit)
    const snake = { keys: 'snake_case', vendor: 'vertex', model: 'm' } as const
    expect(turn.anchored(snake)).toEqual(grounding.anchorCitations(whole, snake))
  })

  test.each([1, 7, 64, 4096])('bytes in pieces of %i', (size) => {
    const bytes = serverSent(streamed(TEST_A))
    const turn = new CitationService().startTurn()
    for (let at = 0; at < bytes.length; at += size) turn.pushBytes(bytes.subarray(at, at + size))
    expect(turn.anchored({ model: 'gemini-2.5-pro' })).toEqual(grounding.anchorCitations(TEST_A))
  })
})

describe('in snake_case', () => {
  const PAGE = ['resolved_url', 'raw_uri', 'title', 'domain', 'source_id']
  const METADATA = [
    ...['anchored_citations_count', 'unlinked_sources_count', 'anchored_coverage_pct'],
    ...['required_pass_reason', 'why_not_anchored', 'grounding_evidence_missing'],
    // What the gates are about.
    ...['tool_call_count', 'web_search_queries', 'grounding_chunks', 'grounding_supports'],
  ]
  type Fields = Record<string, unknown>
  const keysOf = (value: unknown) => Object.keys(value as Fields).sort()

  test.each([
    ['test A', TEST_A, 16, 6],
    ['test B', TEST_B, 0, 0],
  ])('%s has the field names of the requirements and no others', (_, input, spans, pages) => {
    const written = grounding.anchorCitations(input, { keys: 'snake_case' }) as unknown as Fields
    const annotations = written.annotations as Fields[]
    const citations = written.citations as Fields[]
    expect(keysOf(written)).toEqual(['annotations', 'citations', 'metadata', 'model', 'vendor'])
    expect([annotations.length, citations.length]).toEqual([spans, pages])
    for (const annotation of annotations) {
      expect(keysOf(annotation)).toEqual(['end', 'sources', 'start', 'text'])
      for (const source of annotation.sources as Fields[]) {
        expect(keysOf(source)).toEqual([...PAGE, 'chunk_index'].sort())
      }
    }
    for (const citation of citations) expect(keysOf(citation)).toEqual([...PAGE, 'count'].sort())
    expect(keysOf(written.metadata)).toEqual(METADATA.sort())
  })

  test.each([
    ['test A', TEST_A, AUDIT_A],
    ['test B', TEST_B, AUDIT_B],
  ])('%s has the values it has in camelCase, and is read like it', (_, input, audit) => {
    const snake = grounding.anchorCitations(input, { keys: 'snake_case' })
    const camel = grounding.anchorCitations(input, { keys: 'camelCase' })
    expect(snake).toEqual(snakeCased(camel))
    expect(camel).toEqual(grounding.anchorCitations(input))
    expect(grounding.auditLine(snake)).toBe(audit)
    expect(grounding.evaluateGrounding(snake)).toEqual(grounding.evaluateGrounding(camel))
  })
})
