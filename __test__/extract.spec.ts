/**
 * The shapes Gemini and OpenAI send and where in them citations may stand: each is entered at its own
 * level, each kind of source keeps its fields and its place, and everything else gives nothing.
 */
import { describe, expect, test } from 'vitest'
import { extractGeminiCitations, extractOpenAIResponsesCitations } from '../index.js'
import {
  ANTHROPIC_MESSAGE,
  GEMINI_CANDIDATE,
  GEMINI_METADATA,
  GEMINI_RESPONSE,
  GEMINI_SOURCES,
  geminiSource,
  OPENAI_ANNOTATIONS,
  OPENAI_ITEM,
  OPENAI_PART,
  OPENAI_RESPONSE,
  OPENAI_SOURCES,
} from './wire.js'

const web = (uri: string, title: string) => ({ web: { uri, title } })
const responseWith = (...groundingChunks: object[]) => ({
  candidates: [{ groundingMetadata: { groundingChunks } }],
})

const OTHER_CANDIDATE = responseWith(web('https://other.example/', 'Other')).candidates[0]!

/** The same payload as Python writes it. */
function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (typeof value !== 'object' || value === null) return value
  const name = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(value).map(([k, inner]) => [name(k), snakeCased(inner)]))
}

describe('Gemini', () => {
  test.each<[string, object]>([
    ['a whole response', GEMINI_RESPONSE],
    ['a candidate', GEMINI_CANDIDATE],
    ['grounding metadata', GEMINI_METADATA],
    ['a list of one response', [GEMINI_RESPONSE]],
    [
      'a stream whose last event brings the metadata',
      [
        { candidates: [{ content: { parts: [{ text: 'Rust ' }] } }] },
        { candidates: [{ groundingMetadata: {} }] },
        GEMINI_RESPONSE,
      ],
    ],
    [
      'a stream whose last events bring nothing',
      [
        GEMINI_RESPONSE,
        { candidates: [{ groundingMetadata: {} }] },
        { usageMetadata: { totalTokenCount: 5 } },
      ],
    ],
    ['a Code Assist response', { response: GEMINI_RESPONSE, traceId: 't' }],
    ['a stream of Code Assist responses', [{ response: {} }, { response: GEMINI_RESPONSE }]],
    ['names in snake case', snakeCased(GEMINI_RESPONSE) as object],
  ])('reads %s', (_, input) => {
    expect(extractGeminiCitations(input)).toEqual(GEMINI_SOURCES)
  })

  test('reads a neutral GroundingInfo under the index of each entry', () => {
    const info = {
      sources: [
        { title: 'A', url: 'https://a.example/', snippet: 'Words of A.' },
        {},
        { title: 'C', url: 'https://c.example/' },
      ],
      segments: [],
    }
    expect(extractGeminiCitations(info)).toEqual([
      geminiSource(0, { title: 'A', url: 'https://a.example/', citedText: 'Words of A.' }),
      geminiSource(2, { title: 'C', url: 'https://c.example/' }),
    ])
  })

  test('keeps the order of the chunks, whatever the supports cite first', () => {
    const groundingChunks = ['c', 'a', 'b'].map((name) => web(`https://${name}.example/`, name))
    const groundingSupports = [{ groundingChunkIndices: [2] }, { groundingChunkIndices: [0, 1] }]
    expect(extractGeminiCitations({ groundingSupports, groundingChunks })).toEqual([
      geminiSource(0, { title: 'c', url: 'https://c.example/' }),
      geminiSource(1, { title: 'a', url: 'https://a.example/' }),
      geminiSource(2, { title: 'b', url: 'https://b.example/' }),
    ])
  })

  test('keeps repeats: one source per chunk', () => {
    const twice = responseWith(web('https://a.example/', 'A'), web('https://a.example/', 'A'))
    expect(extractGeminiCitations(twice)).toHaveLength(2)
  })

  test.each<[string, object[]]>([
    ['grounds both', [GEMINI_CANDIDATE, OTHER_CANDIDATE]],
    ['grounds the first', [GEMINI_CANDIDATE, {}]],
  ])('reads the first candidate of a response that %s', (_, candidates) => {
    expect(extractGeminiCitations({ candidates })).toEqual(GEMINI_SOURCES)
  })

  test('does not credit the answer that is shown with sources of another candidate', () => {
    expect(extractGeminiCitations({ candidates: [{}, GEMINI_CANDIDATE] })).toEqual([])
    expect(extractGeminiCitations({ candidates: [null, GEMINI_CANDIDATE] })).toEqual([])
  })

  test.each<[string, object, object]>([
    [
      'a page without title',
      { web: { uri: 'https://a.example/x' } },
      { url: 'https://a.example/x' },
    ],
    ['a page without address', { web: { title: 'A page' } }, { title: 'A page' }],
    [
      'a page with empty names',
      { web: { uri: 'https://a.example/x', title: '', domain: '' } },
      {
        url: 'https://a.example/x',
      },
    ],
    [
      'an address with raw blanks',
      web('https://a.example/?q=San Francisco, CA', 'A'),
      {
        title: 'A',
        url: 'https://a.example/?q=San%20Francisco,%20CA',
      },
    ],
    [
      'an address that is none for a browser',
      web('javascript:alert(1)', 'Bad'),
      {
        title: 'Bad',
        uri: 'javascript:alert(1)',
      },
    ],
    [
      'a picture without page',
      { image: { imageUri: 'https://cdn.example/1.png', title: 'P' } },
      {
        title: 'P',
        url: 'https://cdn.example/1.png',
      },
    ],
    [
      'a document whose address is in capitals',
      {
        retrievedContext: { uri: 'HTTPS://Docs.Example/a', title: 'Manual' },
      },
      { title: 'Manual', url: 'https://docs.example/a' },
    ],
  ])('reads %s', (_, chunk, expected) => {
    expect(extractGeminiCitations(responseWith(chunk))).toEqual([geminiSource(0, expected)])
  })

  test('gives a stored document without title the name of its file', () => {
    const retrievedContext = { uri: 'gs://bucket/2026/report.pdf', text: 'Words.' }
    const [source] = extractGeminiCitations(responseWith({ retrievedContext }))
    expect(source).toEqual(
      geminiSource(0, {
        title: expect.stringContaining('report.pdf'),
        uri: 'gs://bucket/2026/report.pdf',
        citedText: 'Words.',
      }),
    )
  })

  test('finds name and address of a file search result, which has neither field', () => {
    const retrievedContext = {
      text: 'Paris is the capital of France.',
      fileSearchStore: 'fileSearchStores/cities-p2hcv3',
      customMetadata: [
        { key: 'year', numericValue: 2026 },
        { key: 'source_url', stringValue: 'https://paris.example/facts' },
      ],
    }
    const [source] = extractGeminiCitations(responseWith({ retrievedContext }))
    expect(source).toEqual(
      geminiSource(0, {
        title: expect.stringMatching(/./),
        url: 'https://paris.example/facts',
        citedText: 'Paris is the capital of France.',
      }),
    )
  })

  describe('pages of a document', () => {
    const read = (retrievedContext: object) => {
      const chunk = { retrievedContext: { title: 'R', ...retrievedContext } }
      const [source] = extractGeminiCitations(responseWith(chunk))
      expect(extractGeminiCitations(snakeCased(responseWith(chunk)) as object)).toEqual([source])
      expect(extractGeminiCitations(JSON.stringify(responseWith(chunk)))).toEqual([source])
      return source
    }
    const place = (startPageNumber?: number, endPageNumber?: number) => ({
      type: 'grounding',
      groundingChunkIndex: 0,
      ...(startPageNumber && { startPageNumber, endPageNumber }),
    })
    const span = (firstPage?: unknown, lastPage?: unknown) => ({
      ragChunk: { pageSpan: { firstPage, lastPage } },
    })

    test.each<[string, object, object]>([
      ['one page', { pageNumber: 4 }, place(4, 5)],
      ['a span of pages, the last one included', span(3, 5), place(3, 6)],
      ['a span of one page', span(3, 3), place(3, 4)],
      ['a span without an end', span(3), place(3, 4)],
      ['a span that ends before it begins', span(3, 2), place(3, 4)],
      ['a page beside a span', { pageNumber: 4, ...span(3, 5) }, place(4, 5)],
      ['no page beside a span', { pageNumber: 0, ...span(3, 5) }, place(3, 6)],
      ['page 0', { pageNumber: 0 }, place()],
      ['a span from page 0', span(0, 2), place()],
      ['a span without a beginning', span(undefined, 2), place()],
      ['pages that are no numbers', { pageNumber: {}, ...span([], true) }, place()],
    ])('%s', (_, context, location) => {
      expect(read(context)).toEqual({ title: 'R', provider: 'gemini', location })
    })

    test('the excerpt is in the chunk where it stands nowhere else', () => {
      const ragChunk = { text: 'In the chunk.' }
      expect(read({ ragChunk })).toHaveProperty('citedText', 'In the chunk.')
      expect(read({ ragChunk, text: 'Beside it.' })).toHaveProperty('citedText', 'Beside it.')
      const nameless = { retrievedContext: { ragChunk } }
      expect(extractGeminiCitations(responseWith(nameless))).toHaveLength(1)
    })
  })

  test('never takes words of the answer for words of the source', () => {
    const [source] = extractGeminiCitations({
      groundingChunks: [web('https://a.example/', 'A')],
      groundingSupports: [{ segment: { endIndex: 4, text: 'Rust' }, groundingChunkIndices: [0] }],
    })
    expect(source).not.toHaveProperty('citedText')
  })

  test.each<[string, object]>([
    ['an empty object', {}],
    ['no candidates', { candidates: [] }],
    ['empty chunks', responseWith({}, {})],
    ['supports without chunks', { groundingSupports: [{ groundingChunkIndices: [0] }] }],
    ['a search that found nothing', { groundingMetadata: { webSearchQueries: ['q'] } }],
    ['an OpenAI response', OPENAI_RESPONSE],
    ['an Anthropic message', ANTHROPIC_MESSAGE],
  ])('finds nothing in %s', (_, input) => {
    expect(extractGeminiCitations(input)).toEqual([])
  })
})

describe('OpenAI Responses', () => {
  test.each<[string, object]>([
    ['a whole response', OPENAI_RESPONSE],
    ['an output item', OPENAI_ITEM],
    ['a list of output items', OPENAI_RESPONSE.output],
    ['a content part', OPENAI_PART],
    ['a list of content parts', [{ type: 'refusal', refusal: 'no' }, OPENAI_PART]],
    ['a list of annotations', OPENAI_ANNOTATIONS],
    ['response.completed', { type: 'response.completed', response: OPENAI_RESPONSE }],
    ['response.incomplete', { type: 'response.incomplete', response: OPENAI_RESPONSE }],
    ['response.output_item.done', { type: 'response.output_item.done', item: OPENAI_ITEM }],
    ['response.content_part.done', { type: 'response.content_part.done', part: OPENAI_PART }],
    [
      'every response.output_text.annotation.added',
      OPENAI_ANNOTATIONS.map((annotation, index) => ({
        type: 'response.output_text.annotation.added',
        annotation_index: index,
        annotation,
      })),
    ],
  ])('reads %s', (_, input) => {
    expect(extractOpenAIResponsesCitations(input)).toEqual(OPENAI_SOURCES)
  })

  test.each(OPENAI_ANNOTATIONS.map((annotation, index) => [annotation.type, index] as const))(
    'reads one %s, bare and in its event',
    (_, index) => {
      const annotation = OPENAI_ANNOTATIONS[index]!
      const event = { type: 'response.output_text.annotation.added', annotation }
      expect(extractOpenAIResponsesCitations(annotation)).toEqual([OPENAI_SOURCES[index]])
      expect(extractOpenAIResponsesCitations(event)).toEqual([OPENAI_SOURCES[index]])
    },
  )

  test('keeps the order of items, parts and annotations, repeats included', () => {
    const cite = (name: string) => ({ type: 'url_citation', url: `https://${name}.example/` })
    const part = (...names: string[]) => ({ type: 'output_text', annotations: names.map(cite) })
    const output = [
      { type: 'message', content: [part('c', 'a'), part()] },
      { type: 'reasoning', summary: [] },
      { type: 'message', content: [part('b'), part('a')] },
    ]
    const urls = extractOpenAIResponsesCitations({ output }).map(({ url }) => url)
    expect(urls).toEqual(['c', 'a', 'b', 'a'].map((name) => `https://${name}.example/`))
  })

  const page = { url: 'https://a.example/x', title: 'A', start_index: 3, end_index: 9 }
  const location = { type: 'url_citation', startIndex: 3, endIndex: 9 }
  const named = { title: 'A', url: 'https://a.example/x' }

  test.each<[string, object, object]>([
    [
      'nested as in Chat Completions',
      { type: 'url_citation', url_citation: page },
      {
        ...named,
        location,
      },
    ],
    ['without type', page, { ...named, location }],
    ['with nothing but an address', { url: page.url }, { url: page.url }],
    ['without title', { ...page, title: '' }, { url: page.url, location }],
    ['in camel case', { ...named, startIndex: 3, endIndex: 9 }, { ...named, location }],
    ['without span', { type: 'url_citation', ...named }, named],
    ['with half a span', { type: 'url_citation', ...named, start_index: 3 }, named],
    ['with a span before the text', { ...page, start_index: -1 }, named],
    ['with a span between characters', { ...page, end_index: 9.5 }, named],
    [
      'with an address that is none',
      { ...page, url: 'data:text/html,x' },
      {
        title: 'A',
        uri: 'data:text/html,x',
        location,
      },
    ],
  ])('reads a citation %s', (_, annotation, expected) => {
    const provider = 'openai-responses'
    expect(extractOpenAIResponsesCitations([annotation])).toEqual([{ ...expected, provider }])
  })

  test.each<[string, object]>([
    ['an empty object', {}],
    ['a text delta', { type: 'response.output_text.delta', delta: 'https://a.example/' }],
    ['response.output_text.done', { type: 'response.output_text.done', text: 'done' }],
    [
      'an event without its annotation',
      {
        type: 'response.output_text.annotation.added',
        annotation: null,
      },
    ],
    ['response.created', { type: 'response.created', response: { output: [] } }],
    ['an item that has only begun', { type: 'response.output_item.added', item: { content: [] } }],
    ['results that were searched but not cited', OPENAI_RESPONSE.output[0]!],
    ['annotations of another kind', [{ type: 'file', file: { name: 'a.pdf' } }]],
    ['a Gemini response', GEMINI_RESPONSE],
  ])('finds nothing in %s', (_, input) => {
    expect(extractOpenAIResponsesCitations(input)).toEqual([])
  })
})
