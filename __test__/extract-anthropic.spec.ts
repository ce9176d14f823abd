/**
 * Anthropic's citations: silent until documents are switched on, then read wherever they stand, with
 * all five kinds of place. A wrong option is an error that says which one and what it was.
 */
import { describe, expect, test } from 'vitest'
import { type AnthropicOptions, dedupeCitations, extractAnthropicCitations } from '../index.js'
import {
  ANTHROPIC_CITATIONS,
  ANTHROPIC_MESSAGE,
  ANTHROPIC_SOURCES,
  GEMINI_RESPONSE,
} from './wire.js'

const readDocuments = (input: object) => extractAnthropicCitations(input, { documents: true })

describe('Anthropic', () => {
  const events = [
    { type: 'message_start', message: { ...ANTHROPIC_MESSAGE, content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', citations: [] } },
    { type: 'ping' },
    ...ANTHROPIC_CITATIONS.map((citation) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'citations_delta', citation },
    })),
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'green' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ]
  const block = { type: 'text', text: 'green', citations: ANTHROPIC_CITATIONS }
  const shapes: [string, object][] = [
    ['a whole message', ANTHROPIC_MESSAGE],
    ['a list of messages', [{ ...ANTHROPIC_MESSAGE, content: [] }, ANTHROPIC_MESSAGE]],
    ['a content block', block],
    ['a list of content blocks', ANTHROPIC_MESSAGE.content],
    ['a list of citations', ANTHROPIC_CITATIONS],
    ['all events of a stream', events],
    [
      'a content_block_start that brings citations',
      {
        type: 'content_block_start',
        content_block: block,
      },
    ],
  ]

  test.each(shapes)('reads %s when documents are on', (_, input) => {
    expect(readDocuments(input)).toEqual(ANTHROPIC_SOURCES)
  })

  test.each(shapes)('is dormant by default for %s', (_, input) => {
    const off: (AnthropicOptions | undefined)[] = [undefined, {}, { documents: false }]
    for (const options of off) {
      expect(extractAnthropicCitations(input, options)).toEqual([])
      expect(extractAnthropicCitations(JSON.stringify(input), options)).toEqual([])
    }
    expect(extractAnthropicCitations(input)).toEqual([])
  })

  test.each(ANTHROPIC_CITATIONS.map((citation, index) => [citation.type, index] as const))(
    'reads one %s, bare and in its event',
    (_, index) => {
      const citation = ANTHROPIC_CITATIONS[index]!
      const delta = { type: 'citations_delta', citation }
      expect(readDocuments(citation)).toEqual([ANTHROPIC_SOURCES[index]])
      expect(readDocuments({ type: 'content_block_delta', delta })).toEqual([
        ANTHROPIC_SOURCES[index],
      ])
    },
  )

  const provider = 'anthropic'
  const result = { type: 'search_result_location', cited_text: 'Use the portal.' }
  const place = { start_block_index: 0, end_block_index: 1, search_result_index: 0 }
  const location = {
    type: 'search_result_location',
    startBlockIndex: 0,
    endBlockIndex: 1,
    searchResultIndex: 0,
  }
  test.each<[string, string | null, string, object]>([
    ['that is no address', 'Leave', 'HR Policy 2025', { title: 'Leave', uri: 'HR Policy 2025' }],
    [
      'that is its only name',
      null,
      'HR Policy 2025',
      {
        title: 'HR Policy 2025',
        uri: 'HR Policy 2025',
      },
    ],
    [
      'in capitals',
      'Leave',
      'HTTPS://HR.Example/x',
      {
        title: 'Leave',
        url: 'https://hr.example/x',
      },
    ],
  ])('reads a search result with a source %s', (_, title, source, expected) => {
    expect(readDocuments({ ...result, ...place, title, source })).toEqual([
      { ...expected, citedText: 'Use the portal.', provider, location },
    ])
  })

  test('reads a document without title', () => {
    const citation = { ...ANTHROPIC_CITATIONS[1], document_title: null, cited_text: 'Line\r\ntwo' }
    const { title, ...rest } = ANTHROPIC_SOURCES[1]!
    expect(readDocuments([citation])).toEqual([{ ...rest, citedText: 'Line two' }])
  })

  test('gives a citation that has nothing but a place, and lists it like any other', () => {
    const citation = { ...ANTHROPIC_CITATIONS[1], document_title: null, cited_text: '' }
    const source = { provider, location: ANTHROPIC_SOURCES[1]!.location }
    expect(readDocuments([citation])).toEqual([source])
    expect(dedupeCitations(readDocuments([citation]))).toEqual([source])
  })

  test('hands an encrypted index back unchanged, however long', () => {
    const encrypted_index = 'Eo8BCioIAhgBIiQ+/='.repeat(200)
    const [source] = readDocuments({ ...ANTHROPIC_CITATIONS[4], encrypted_index })
    expect(source?.location).toEqual({
      type: 'web_search_result_location',
      encryptedIndex: encrypted_index,
    })
  })

  test('takes the name of a page that it cites without one from the search that found it', () => {
    const url = 'https://a.example/page'
    const found = {
      type: 'web_search_tool_result',
      content: [{ type: 'web_search_result', url, title: 'Found', page_age: null }],
    }
    const citation = { type: 'web_search_result_location', url, title: null, cited_text: 'Words.' }
    const text = { type: 'text', text: 'Said.', citations: [citation] }
    const content = [found, text]
    for (const input of [{ type: 'message', content }, { content }, content]) {
      expect(readDocuments(input)).toMatchObject([{ title: 'Found', url, citedText: 'Words.' }])
    }
    expect(readDocuments([text])).toMatchObject([{ url, citedText: 'Words.' }])
  })

  test.each<[string, object]>([
    ['an empty object', {}],
    ['uncited blocks', { content: [{ type: 'text', text: 'a', citations: null }] }],
    [
      'search results that were not cited',
      {
        content: [
          {
            type: 'web_search_tool_result',
            content: [{ type: 'web_search_result', url: 'https://a.example/', title: 'A' }],
          },
        ],
      },
    ],
    ['a document of the request', { type: 'document', citations: { enabled: true } }],
    ['a citation of unknown kind', [{ type: 'moon_location', cited_text: 'x' }]],
    ['a Gemini response', GEMINI_RESPONSE],
  ])('finds nothing in %s', (_, input) => {
    expect(readDocuments(input)).toEqual([])
  })
})

describe('options', () => {
  const call = (options: unknown) => () =>
    extractAnthropicCitations(ANTHROPIC_MESSAGE, options as AnthropicOptions)

  test.each<[string, unknown]>([
    ['left out', undefined],
    ['null', null],
    ['empty', {}],
    ['with documents undefined', { documents: undefined }],
    ['with documents null', { documents: null }],
    ['with options of other functions', { links: 'plain', width: 'wide' }],
  ])('may be %s', (_, options) => {
    expect(call(options)()).toEqual([])
  })

  test('are read from the prototype too, as of any settings object', () => {
    class Settings {
      get documents() {
        return true
      }
    }
    expect(call(new Settings())()).toEqual(ANTHROPIC_SOURCES)
  })

  test.each<[unknown, string]>([
    ['yes', "'yes'"],
    ['', "''"],
    ['true', "'true'"],
    [1, '1'],
    [0, '0'],
    [[], 'an array'],
    [{}, 'an object'],
  ])('documents: %j is refused, and named', (documents, named) => {
    expect(call({ documents })).toThrow(TypeError)
    expect(call({ documents })).toThrow('documents')
    expect(call({ documents })).toThrow(named)
  })

  test.each<[unknown, string]>([
    ['documents', "'documents'"],
    ['', "''"],
    [true, 'true'],
    [false, 'false'],
    [5, '5'],
  ])('%j instead of options is refused, and named', (options, named) => {
    expect(call(options)).toThrow(TypeError)
    expect(call(options)).toThrow('options')
    expect(call(options)).toThrow(named)
  })

  test.each([10n, Symbol('yes')])('%s is refused, and not called an object', (value) => {
    for (const options of [value, { documents: value }]) {
      expect(call(options)).toThrow(TypeError)
      expect(call(options)).not.toThrow('got an object')
    }
  })

  test('a refused option throws even when there is nothing to read', () => {
    const options = { documents: 'yes' } as unknown as AnthropicOptions
    expect(() => extractAnthropicCitations(null, options)).toThrow(TypeError)
  })
})
