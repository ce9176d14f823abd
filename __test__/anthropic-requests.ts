/**
 * Requests and answers of Anthropic's Messages API as they travel, for the specs about its documents:
 * the documented example, and short ways to write others.
 */
import { anthropic, type DocumentOptions } from '../index.js'

/** The text of the documented example, its question and what its document is called. */
export const MEADOW = {
  text: 'The grass is green. The sky is blue.',
  title: 'My Document',
  context: 'This is a trustworthy document.',
  question: 'What color is the grass and sky?',
}

/** The documented payload, to the byte. */
export const MEADOW_PAYLOAD = `{
    "model": "claude-opus-4-6",
    "max_tokens": 1024,
    "messages": [
        {
            "role": "user",
            "content": [
                {
                    "type": "document",
                    "source": {
                        "type": "text",
                        "media_type": "text\\/plain",
                        "data": "The grass is green. The sky is blue."
                    },
                    "title": "My Document",
                    "context": "This is a trustworthy document.",
                    "citations": {
                        "enabled": true
                    }
                },
                {
                    "type": "text",
                    "text": "What color is the grass and sky?"
                }
            ]
        }
    ]
}`

/** The documented answer to it. */
export const MEADOW_RESPONSE = {
  model: 'claude-opus-4-6',
  id: 'msg_01UuYAyW8Kue2Z5NfaoBgxpW',
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'text', text: 'According to the document:\n\n- ' },
    {
      citations: [char(0, 0, 'The grass is green. ', 'My Document')],
      type: 'text',
      text: 'The grass is green.',
    },
    { type: 'text', text: '\n- ' },
    {
      citations: [char(0, 20, 'The sky is blue.', 'My Document')],
      type: 'text',
      text: 'The sky is blue.',
    },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: {
    input_tokens: 612,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 54,
    service_tier: 'standard',
    inference_geo: 'global',
  },
} as const

/** A request with these blocks before its question. */
export function requestWith(...blocks: object[]) {
  const content = [...blocks, { type: 'text', text: 'What do they say?' }]
  return { model: 'claude-opus-4-6', max_tokens: 1024, messages: [{ role: 'user', content }] }
}

/** The same with plain text documents, each with its title or without one. */
export function requestOf(...documents: [text: string, title?: string][]) {
  const built = documents.map(([text, title]) => {
    const options: DocumentOptions = title === undefined ? {} : { title }
    return anthropic.plainTextDocument(text, options)
  })
  return requestWith(...built)
}

/** A citation of characters, counted as the API does: in code points. */
export function char(
  document_index: number,
  start_char_index: number,
  cited_text: string,
  document_title: string | null = null,
) {
  const end_char_index = start_char_index + Array.from(cited_text).length
  const place = { document_index, document_title, start_char_index, end_char_index }
  return { type: 'char_location', cited_text, ...place } as const
}

/** A citation of pages. */
export function pages(document_index: number, start: number, end: number, cited_text = 'Words.') {
  const place = { document_index, start_page_number: start, end_page_number: end }
  return { type: 'page_location', cited_text, document_title: null, ...place } as const
}

/** A citation of blocks of a custom content document. */
export function blocks(document_index: number, start: number, end: number, cited_text: string) {
  const place = { document_index, start_block_index: start, end_block_index: end }
  return { type: 'content_block_location', cited_text, document_title: null, ...place } as const
}

/** A citation of blocks of a search result. */
export function results(result: number, start: number, end: number, cited_text: string) {
  const place = { start_block_index: start, end_block_index: end, search_result_index: result }
  const name = { source: `hr-${result}`, title: null }
  return { type: 'search_result_location', cited_text, ...name, ...place } as const
}

/** A search result of the caller. */
export function searchResult(title: string, texts: string[], enabled = true) {
  const content = texts.map((text) => ({ type: 'text', text }))
  const named = { source: 'https://hr.example/leave', title }
  return { type: 'search_result', ...named, content, citations: { enabled } }
}

/** What the API answers when it has fetched a page by itself. */
export function fetched(url: string, title: string | null, data: string) {
  const source = { type: 'text', media_type: 'text/plain', data }
  const document = { type: 'document', source, title, citations: { enabled: true } }
  const content = { type: 'web_fetch_result', url, retrieved_at: null, content: document }
  return { type: 'web_fetch_tool_result', tool_use_id: 'srvtoolu_1', content }
}

/** A piece of an answer with its citations, or a block of another kind. */
export type Piece = readonly [text: string, ...citations: object[]] | object

function blockOf(piece: Piece): object {
  if (!Array.isArray(piece)) return piece
  const [text, ...citations] = piece
  return { type: 'text', text, ...(citations.length > 0 && { citations }) }
}

/** A whole answer. */
export function message(...pieces: Piece[]) {
  const named = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-6' }
  return { ...named, content: pieces.map(blockOf), stop_reason: 'end_turn' }
}

/** The events of an answer: in each block all citations come before its text. */
export function eventsOf(answer: { content: readonly object[] }): object[] {
  const { content, ...rest } = answer
  // The SDK's own stream counts these.
  const usage = { input_tokens: 9, output_tokens: 1 }
  return [
    { type: 'message_start', message: { usage, ...rest, content: [], stop_reason: null } },
    ...content.flatMap((block, index) => [
      ...blockEvents(block as Block, index),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
}

interface Block {
  type: string
  text?: string
  citations?: readonly object[]
}

function blockEvents(block: Block, index: number): object[] {
  const { text, citations } = block
  const start = (content_block: object) => ({ type: 'content_block_start', index, content_block })
  if (text === undefined) return [start(block)]
  const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields })
  return [
    start({ type: 'text', text: '', ...(citations && { citations: [] }) }),
    { type: 'ping' },
    ...(citations ?? []).map((citation) => delta({ type: 'citations_delta', citation })),
    ...Array.from(text).map((letter) => delta({ type: 'text_delta', text: letter })),
  ]
}

/** Server-sent events with their names, as the API sends them. */
export function serverSent(events: readonly object[]): string {
  return events
    .map((event) => `event: ${(event as Block).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}
