/**
 * Hand-written payloads in the shapes providers send, each with the sources that stand in it.
 * Every kind of source a provider has occurs once, so that a spec can bend one field at a time.
 */
import type { CitationSource } from '../index.js'

export const GEMINI_METADATA = {
  webSearchQueries: ['history of rust'],
  searchEntryPoint: { renderedContent: '<div>{"title":"not a source"}</div>' },
  groundingChunks: [
    { web: { uri: 'https://en.example/rust', title: 'History of Rust', domain: 'en.example' } },
    {},
    { retrievedContext: { uri: 'https://docs.example/a', title: 'Manual', text: 'Page words.' } },
    { retrievedContext: { uri: 'gs://bucket/report.pdf', title: 'Report', text: 'More words.' } },
    { maps: { uri: 'https://maps.example/?cid=7', title: 'Café Ü', text: 'Good coffee.' } },
    {
      image: {
        sourceUri: 'https://pics.example/page',
        imageUri: 'https://cdn.example/1.png',
        title: 'A picture',
        domain: 'pics.example',
      },
    },
  ],
  groundingSupports: [
    { segment: { endIndex: 4, text: 'Rust' }, groundingChunkIndices: [0, 2] },
    { segment: { startIndex: 5, endIndex: 9, text: 'runs' }, groundingChunkIndices: [9] },
  ],
}

export const GEMINI_CANDIDATE = {
  content: { role: 'model', parts: [{ text: 'Rust runs.' }] },
  finishReason: 'STOP',
  groundingMetadata: GEMINI_METADATA,
}

export const GEMINI_RESPONSE = { candidates: [GEMINI_CANDIDATE], modelVersion: 'gemini-2.5-pro' }

/** A source of Gemini, which always says which chunk it is. */
export function geminiSource(groundingChunkIndex: number, fields: CitationSource): CitationSource {
  return { ...fields, provider: 'gemini', location: { type: 'grounding', groundingChunkIndex } }
}

export const GEMINI_SOURCES: CitationSource[] = [
  geminiSource(0, {
    title: 'History of Rust',
    url: 'https://en.example/rust',
    domain: 'en.example',
  }),
  geminiSource(2, { title: 'Manual', url: 'https://docs.example/a', citedText: 'Page words.' }),
  geminiSource(3, { title: 'Report', uri: 'gs://bucket/report.pdf', citedText: 'More words.' }),
  geminiSource(4, {
    title: 'Café Ü',
    url: 'https://maps.example/?cid=7',
    citedText: 'Good coffee.',
  }),
  geminiSource(5, { title: 'A picture', url: 'https://pics.example/page', domain: 'pics.example' }),
]

export const OPENAI_ANNOTATIONS = [
  {
    type: 'url_citation',
    url: 'https://node.example/releases?utm_source=openai',
    title: 'Node.js — Releases',
    start_index: 40,
    end_index: 95,
  },
  { type: 'file_citation', file_id: 'file-1', filename: 'notes.md', index: 154 },
  {
    type: 'container_file_citation',
    container_id: 'cntr_1',
    file_id: 'cfile_1',
    filename: 'plot.csv',
    start_index: 12,
    end_index: 44,
  },
  { type: 'file_path', file_id: 'file-2', index: 0 },
]

export const OPENAI_PART = {
  type: 'output_text',
  text: 'The answer.',
  annotations: OPENAI_ANNOTATIONS,
}

export const OPENAI_ITEM = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [OPENAI_PART],
}

export const OPENAI_RESPONSE = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    {
      id: 'ws_1',
      type: 'web_search_call',
      action: { type: 'search', sources: [{ type: 'url', url: 'https://only-searched.example/' }] },
    },
    OPENAI_ITEM,
  ],
}

export const OPENAI_SOURCES: CitationSource[] = [
  {
    title: 'Node.js — Releases',
    url: 'https://node.example/releases?utm_source=openai',
    provider: 'openai-responses',
    location: { type: 'url_citation', startIndex: 40, endIndex: 95 },
  },
  {
    title: 'notes.md',
    fileId: 'file-1',
    provider: 'openai-responses',
    location: { type: 'file_citation', index: 154 },
  },
  {
    title: 'plot.csv',
    fileId: 'cfile_1',
    provider: 'openai-responses',
    location: {
      type: 'container_file_citation',
      startIndex: 12,
      endIndex: 44,
      containerId: 'cntr_1',
    },
  },
  {
    // The only name such a file has.
    title: 'file-2',
    fileId: 'file-2',
    provider: 'openai-responses',
    location: { type: 'file_path', index: 0 },
  },
]

export const ANTHROPIC_CITATIONS = [
  {
    type: 'char_location',
    cited_text: 'The grass is green. ',
    document_index: 0,
    document_title: 'My Document',
    start_char_index: 0,
    end_char_index: 20,
    file_id: 'file_011',
  },
  {
    type: 'page_location',
    cited_text: 'Revenue rose.',
    document_index: 1,
    document_title: 'Q3 Report',
    start_page_number: 5,
    end_page_number: 6,
  },
  {
    type: 'content_block_location',
    cited_text: 'The sky is blue',
    document_index: 2,
    document_title: 'Blocks',
    start_block_index: 1,
    end_block_index: 2,
  },
  {
    type: 'search_result_location',
    cited_text: 'Use the portal.',
    search_result_index: 3,
    source: 'https://hr.example/leave',
    title: 'Leave policy',
    start_block_index: 0,
    end_block_index: 1,
  },
  {
    type: 'web_search_result_location',
    cited_text: 'It’s out now...',
    url: 'https://news.example/ts',
    title: 'TypeScript news',
    encrypted_index: 'Eo8BCioIAhgBIiQ=',
  },
]

export const ANTHROPIC_MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'text', text: 'Grass is ' },
    { type: 'text', text: 'green and more', citations: ANTHROPIC_CITATIONS.slice(0, 3) },
    { type: 'text', text: '. ', citations: null },
    { type: 'text', text: 'Apply online', citations: ANTHROPIC_CITATIONS.slice(3) },
  ],
  stop_reason: 'end_turn',
}

export const ANTHROPIC_SOURCES: CitationSource[] = [
  {
    title: 'My Document',
    citedText: 'The grass is green. ',
    fileId: 'file_011',
    provider: 'anthropic',
    location: { type: 'char_location', startCharIndex: 0, endCharIndex: 20, documentIndex: 0 },
  },
  {
    title: 'Q3 Report',
    citedText: 'Revenue rose.',
    provider: 'anthropic',
    location: { type: 'page_location', startPageNumber: 5, endPageNumber: 6, documentIndex: 1 },
  },
  {
    title: 'Blocks',
    citedText: 'The sky is blue',
    provider: 'anthropic',
    location: {
      type: 'content_block_location',
      startBlockIndex: 1,
      endBlockIndex: 2,
      documentIndex: 2,
    },
  },
  {
    title: 'Leave policy',
    url: 'https://hr.example/leave',
    citedText: 'Use the portal.',
    provider: 'anthropic',
    location: {
      type: 'search_result_location',
      startBlockIndex: 0,
      endBlockIndex: 1,
      searchResultIndex: 3,
    },
  },
  {
    title: 'TypeScript news',
    url: 'https://news.example/ts',
    citedText: 'It’s out now...',
    provider: 'anthropic',
    location: { type: 'web_search_result_location', encryptedIndex: 'Eo8BCioIAhgBIiQ=' },
  },
]
