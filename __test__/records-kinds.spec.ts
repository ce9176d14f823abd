/**
 * Answers and events of all providers are fetched in one call, each by the fields of its kind. Nothing of that may show:
 * whatever is changed in one, it is read like its JSON, and nobody is asked for the same thing again and again.
 */
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  renderCitations,
} from '../load.js'

const candidate = (chunk: object) => ({
  content: { role: 'model', parts: [{ text: 'Ünser Satz. Second.' }] },
  groundingMetadata: {
    webSearchQueries: ['q'],
    groundingChunks: [chunk, { web: { uri: 'https://a.example/w', title: 'Wëb' } }],
    groundingSupports: [
      { segment: { endIndex: 12, text: 'Ünser Satz.' }, groundingChunkIndices: [0, 1] },
    ],
  },
  finishReason: 'STOP',
})
const GEMINI = {
  candidates: [candidate({ maps: { uri: 'https://maps.example/?cid=1', title: 'Café' } })],
  responseId: 'r',
  modelVersion: 'gemini-2.5-pro',
}
const CITATION = {
  type: 'web_search_result_location',
  url: 'https://a.example/c',
  title: 'Cited',
  encrypted_index: 'Eo8B',
  cited_text: 'What it says.',
}
const OPENAI = {
  id: 'resp_1',
  model: 'gpt-5',
  output: [
    { type: 'web_search_call', id: 'ws', action: { type: 'search', query: 'q' } },
    {
      type: 'message',
      content: [
        {
          type: 'output_text',
          text: 'Ünser Satz.',
          annotations: [
            { type: 'url_citation', url: 'https://a.example/o', title: 'O', end_index: 5 },
            { type: 'file_citation', file_id: 'f1', filename: 'a.pdf', index: 3 },
          ],
        },
      ],
    },
  ],
}

/** One of each kind. */
const KINDS: Record<string, object> = {
  'a place on a map': GEMINI,
  'a passage of a document': {
    candidates: [
      candidate({
        retrievedContext: {
          uri: 'gs://bucket/a.pdf',
          documentName: 'documents/ä',
          customMetadata: [
            { key: 'source_url', stringValue: 'https://a.example/d' },
            { key: 'title', stringValue: 'Its title' },
          ],
          fileSearchStore: 'fileSearchStores/s',
          text: 'A passage.',
        },
      }),
    ],
  },
  'a page of a document': {
    candidates: [
      candidate({ retrievedContext: { title: 'P', pageNumber: 4, text: 'A passage.' } }),
      candidate({ retrievedContext: { title: 'P', page_number: 4 } }),
    ],
  },
  'pages of a document': {
    candidates: [
      candidate({
        retrievedContext: {
          title: 'P',
          ragChunk: { text: 'A passage.', pageSpan: { firstPage: 3, lastPage: 5 } },
        },
      }),
    ],
  },
  'a picture': {
    candidates: [
      candidate({ image: { sourceUri: 'https://a.example/i', title: 'P', domain: 'a.example' } }),
    ],
  },
  'an answer of OpenAI': OPENAI,
  'an answer of OpenAI from files': {
    ...OPENAI,
    output: [
      {
        ...{ type: 'file_search_call', id: 'fs', queries: ['q'] },
        results: [{ file_id: 'f1', filename: 'b.pdf', text: 'Wörds.', score: 0.5 }],
      },
      OPENAI.output[1],
    ],
  },
  'a search of OpenAI in files': {
    ...{ type: 'response.output_item.done', output_index: 0 },
    item: { type: 'file_search_call', results: [{ file_id: 'f1', text: 'Wörds.' }] },
  },
  'an answer of Gemini in a wrapper': { response: GEMINI, traceId: 't' },
  'the last event of OpenAI': { type: 'response.completed', response: OPENAI },
  'text of OpenAI': {
    ...{ type: 'response.output_text.delta', output_index: 1, content_index: 0 },
    ...{ item_id: 'i', delta: 'Text.' },
  },
  'an annotation of OpenAI': {
    type: 'response.output_text.annotation.added',
    ...{ output_index: 1, content_index: 0, annotation_index: 2 },
    annotation: { type: 'url_citation', url: 'https://a.example/a', title: 'A', end_index: 4 },
  },
  'a part of OpenAI': {
    type: 'response.content_part.done',
    ...{ output_index: 1, content_index: 0, part: OPENAI.output[1]?.content?.[0] },
  },
  'an item of OpenAI': {
    ...{ type: 'response.output_item.done', output_index: 1, item: OPENAI.output[1] },
  },
  'all text of OpenAI': {
    type: 'response.output_text.done',
    ...{ output_index: 1, content_index: 0, text: 'Ünser Satz.' },
  },
  'a message of Anthropic': {
    id: 'msg_1',
    type: 'message',
    model: 'claude',
    content: [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      { type: 'text', text: 'Ünser Satz. ', citations: [CITATION] },
      {
        type: 'text',
        text: 'Second.',
        citations: [
          {
            type: 'char_location',
            ...{ document_index: 0, document_title: 'Döc', start_char_index: 1 },
            ...{ end_char_index: 9, cited_text: 'the text', file_id: 'file_1' },
          },
        ],
      },
      {
        type: 'web_fetch_tool_result',
        content: { url: 'https://a.example/f', content: { title: 'Fetched' } },
      },
    ],
  },
  'a message of Anthropic that has searched': {
    type: 'message',
    content: [
      {
        ...{ type: 'web_search_tool_result', tool_use_id: 's' },
        content: [
          { type: 'web_search_result', url: 'https://a.example/c', title: 'Föund' },
          { type: 'web_search_result', url: 'https://a.example/d', title: 'D' },
        ],
      },
      { type: 'text', text: 'Ünser Satz. ', citations: [{ ...CITATION, title: null }] },
    ],
  },
  'what a search of Anthropic has found': {
    ...{ type: 'content_block_start', index: 1 },
    content_block: {
      type: 'web_search_tool_result',
      content: [{ type: 'web_search_result', url: 'https://a.example/c', title: 'Föund' }],
    },
  },
  'text of Anthropic': {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'text_delta', text: 'Téxt.' },
  },
  'a citation of Anthropic': {
    type: 'content_block_delta',
    index: 1,
    delta: { type: 'citations_delta', citation: CITATION },
  },
  'a block of Anthropic': {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'text', text: 'T', citations: [CITATION] },
  },
  'a chat completion': {
    id: 'c',
    choices: [
      {
        message: {
          content: 'Ünser Satz.',
          annotations: [
            {
              type: 'url_citation',
              url_citation: {
                ...{ url: 'https://a.example/u', title: 'U', start_index: 0 },
                ...{ end_index: 5, content: 'Quoted.' },
              },
            },
            { type: 'url_citation', url: 'https://a.example/flat', title: 'Flat' },
          ],
        },
      },
    ],
  },
  'a chat that names a page twice': {
    choices: [
      {
        message: {
          content: 'Text.',
          annotations: [
            { type: 'url_citation', url: 'https://a.example/' },
            { type: 'url_citation', url: 'https://a.example/', title: 'A' },
            { type: 'url_citation', url_citation: { url: 'https://a.example/', content: 'Q.' } },
          ],
        },
      },
    ],
  },
  'a piece of a chat': { id: 'c', choices: [{ index: 0, delta: { content: 'Text.' } }] },
  'what a chat has searched': {
    id: 'c',
    citations: ['https://a.example/1', 'https://a.example/2'],
    search_results: [{ title: 'One', url: 'https://a.example/1', snippet: 'S.' }],
    choices: [{ delta: { content: 'Text[1].' } }],
  },
  'text of Cohere': {
    type: 'content-delta',
    index: 0,
    delta: { message: { content: { text: 'Text.' } } },
  },
  'text of an interaction': {
    event_type: 'content.delta',
    index: 0,
    delta: { type: 'text', text: 'Text.' },
  },
  'annotations of an interaction': {
    event_type: 'content.delta',
    index: 0,
    delta: {
      type: 'text_annotation',
      annotations: [{ type: 'url_citation', url: 'https://a.example/i', end_index: 4 }],
    },
  },
  'sources of the host': {
    sources: [{ title: 'Héad', url: 'https://a.example/h', snippet: 'S.' }, {}],
    segments: [{ startIndex: 0, endIndex: 4, text: 'Héa', sourceIndices: [0] }],
  },
  'sources of a tool': {
    sources: [{ web: { uri: 'https://a.example/t', title: 'T' } }, { title: 'Only a title' }],
  },
  'an event of the host': { type: 'content', value: 'Text.' },
}

/** All that is read of an input. */
function reads(input: object | string, service: CitationService) {
  const turn = service.startTurn()
  // Twice, for what is done first is done another way the second time.
  for (let time = 0; time < 2; time++) {
    turn.reset()
    turn.push(input)
  }
  return {
    turn: turn.finish(),
    block: renderCitations(input, { ...SHOWN, documents: true }),
    shown: renderCitations(input, { links: 'plain' }),
    gemini: extractGeminiCitations(input),
    openai: extractOpenAIResponsesCitations(input),
    anthropic: extractAnthropicCitations(input, { documents: true }),
  }
}

type Path = (string | number)[]

function paths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...path, key]))]
}

/** A copy with another value at that place. */
function changed(value: object, [first, ...rest]: Path, to: unknown): object {
  const copy = Array.isArray(value) ? [...value] : { ...value }
  const fields = copy as Record<string, unknown>
  const key = String(first)
  fields[key] = rest.length === 0 ? to : changed(fields[key] as object, rest, to)
  return copy
}

const VALUES = [
  ...[undefined, null, 7, -1, true, '', 'text', 'https://b.example/', '\ud83d', [], {}],
  ...[[null], ['a', 'é'], [7], [{}], { text: 'inner' }, [{ type: 'text', text: 'T' }]],
]

/** Where a value may be that an answer of another kind has. */
const FOREIGN = {
  ...{ candidates: [], output: [], choices: [], delta: 'd', response: {}, content: [] },
  ...{ sources: [], message: {}, citations: [CITATION], type: 'message', event_type: 'e' },
  ...{ groundingSupports: [], grounding_supports: null, segments: [] },
}

const SHOWN = { links: 'plain', showExcerpts: true } as const

describe.each(Object.entries(KINDS))('%s', (name, whole) => {
  const service = new CitationService({ documents: true })

  test('is read like its JSON, whatever is changed in it', () => {
    const inputs = paths(whole)
      .slice(1)
      .flatMap((path) => VALUES.map((value) => changed(whole, path, value)))
    for (const input of [whole, ...inputs]) {
      const json = JSON.stringify(input)
      expect(reads(input, service), json).toEqual(reads(json, service))
    }
  })

  test('is read like its JSON with fields of other kinds', () => {
    for (const [name, value] of Object.entries(FOREIGN)) {
      for (const input of [
        { ...whole, [name]: value },
        { [name]: value, ...whole },
      ]) {
        const json = JSON.stringify(input)
        expect(reads(input, service), json).toEqual(reads(json, service))
      }
    }
  })

  test('has the same block in one call and in a turn that has read all of it', () => {
    const turn = service.startTurn()
    for (const path of paths(whole).slice(1)) {
      for (const value of VALUES) {
        const input = changed(whole, path, value)
        for (const given of [input, [input, GEMINI], [OPENAI, input], { ...input, ...OPENAI }]) {
          turn.reset()
          turn.push(given)
          const waiting = turn.render(SHOWN)
          turn.finish()
          const json = JSON.stringify(given)
          expect(waiting, json).toBe(turn.render(SHOWN))
          expect(renderCitations(given, { ...SHOWN, documents: true }), json).toBe(waiting)
        }
      }
    }
  })

  // Their lists are fetched on their own.
  if (/^sources of|^annotations of/.test(name)) return

  test('is asked for each value once, or twice if it may be of two kinds', () => {
    const asked = new Map<string, number>()
    const watch = (value: unknown, path: string): unknown => {
      if (typeof value !== 'object' || value === null) return value
      return new Proxy(value, {
        get(target, key) {
          const inner = `${path}/${String(key)}`
          const found = Reflect.get(target, key)
          if (found !== undefined) asked.set(inner, (asked.get(inner) ?? 0) + 1)
          return watch(found, inner)
        },
      })
    }
    const turn = service.startTurn()
    turn.push(whole)
    turn.reset()
    turn.push(watch(whole, '') as object)
    expect(asked.size).toBeGreaterThan(0)
    expect([...asked].filter(([, times]) => times > 2)).toEqual([])
  })
})
