/** Writes down answers as providers stream them, in as many pieces as they would. */
import type { ToolRequest } from './conversation.js'
import type { Reply } from './server.js'

/** Pieces of a text, cut behind blanks. */
const pieces = (text: string) => text.match(/\S*\s+|\S+/g) ?? []

/** A chunk of Gemini's stream. The last one says why the model stopped. */
export function geminiChunk(text: string, last = false, groundingMetadata?: unknown) {
  const content = { role: 'model', parts: text === '' ? [] : [{ text }] }
  return {
    candidates: [
      {
        content,
        ...(groundingMetadata === undefined ? {} : { groundingMetadata }),
        ...(last ? { finishReason: 'STOP' } : {}),
      },
    ],
  }
}

/** A Gemini stream that is grounded at its end. */
export function geminiAnswer(text: string, groundingMetadata?: unknown): Reply {
  const chunks = pieces(text).map((piece) => geminiChunk(piece))
  return { events: [...chunks, geminiChunk('', true, groundingMetadata)] }
}

export function geminiCall({ callId: id, name, args }: ToolRequest): Reply {
  const content = { role: 'model', parts: [{ functionCall: { id, name, args } }] }
  return { events: [{ candidates: [{ content, finishReason: 'STOP' }] }] }
}

/** What `google_web_search` asks Gemini for: one document, not a stream. */
export function geminiSearch(text: string, groundingChunks?: unknown): Reply {
  const groundingMetadata = groundingChunks === undefined ? {} : { groundingChunks }
  const content = { role: 'model', parts: [{ text }] }
  return { json: { candidates: [{ content, finishReason: 'STOP', groundingMetadata }] } }
}

/** A Responses stream: the text in pieces, its annotations one by one, then everything whole. */
export function responsesAnswer(text: string, annotations: readonly object[]): Reply {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const content = [{ type: 'output_text', text, annotations }]
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }
  return responses([
    ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    ...annotations.map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...at,
      annotation_index,
      annotation,
    })),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', output: [item] } },
  ])
}

export function responsesCall({ callId: call_id, name, args }: ToolRequest): Reply {
  const item = { type: 'function_call', call_id, name, arguments: JSON.stringify(args) }
  return responses([
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_0', output: [item] } },
  ])
}

function responses(events: object[]): Reply {
  const created = { type: 'response.created', response: { id: 'resp', output: [] } }
  return {
    events: [created, ...events].map((event, sequence_number) => ({ ...event, sequence_number })),
  }
}

interface AnthropicText {
  text: string
  citations?: readonly object[]
}

/** A Messages stream of text blocks, each with the citations it carries. */
export function anthropicAnswer(...blocks: AnthropicText[]): Reply {
  return anthropic(
    blocks.flatMap(({ text, citations = [] }, index) => [
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
      ...citations.map((citation) => blockDelta(index, { type: 'citations_delta', citation })),
      ...pieces(text).map((piece) => blockDelta(index, { type: 'text_delta', text: piece })),
      { type: 'content_block_stop', index },
    ]),
  )
}

export function anthropicCall({ callId: id, name, args }: ToolRequest): Reply {
  const index = 0
  const partial_json = JSON.stringify(args)
  return anthropic([
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    },
    blockDelta(index, { type: 'input_json_delta', partial_json }),
    { type: 'content_block_stop', index },
  ])
}

function blockDelta(index: number, delta: object) {
  return { type: 'content_block_delta', index, delta }
}

function anthropic(events: object[]): Reply {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
  return { events: [{ type: 'message_start', message }, ...events, { type: 'message_stop' }] }
}

/** A Chat Completions stream. */
export function completion(text: string): Reply {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  return { events: [...pieces(text).map((content) => chunk({ content })), chunk({}, 'stop')] }
}

/** The answer of Exa's MCP server to a tool call. */
export function exaAnswer(text: string): Reply {
  const result = { content: [{ type: 'text', text }] }
  return { events: [{ jsonrpc: '2.0', id: 1, result }] }
}

/** A stream that breaks off before its last event. */
export function brokenOff(reply: Reply): Reply {
  return 'events' in reply ? { events: reply.events.slice(0, -1) } : reply
}
