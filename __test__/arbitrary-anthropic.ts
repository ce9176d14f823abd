/**
 * Random answers as Anthropic sends them: text blocks with citations, among thoughts and tool calls.
 */
import fc from 'fast-check'
import {
  cuts,
  type Generated,
  inPieces,
  numbers,
  page,
  pageUrl,
  someText,
  spansOf,
} from './arbitrary.js'

const citation = fc.oneof(
  page.map((index) => ({
    type: 'web_search_result_location',
    url: pageUrl(index),
    title: `Page ${index}`,
    cited_text: 'Words of the page...',
    encrypted_index: 'Eo8B',
  })),
  fc.nat(3).map((index) => ({
    type: 'char_location',
    cited_text: 'Words of the document. ',
    document_index: index,
    document_title: `Document ${index}`,
    start_char_index: index * 100,
    end_char_index: index * 100 + 23,
  })),
)

const anthropicBlock = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('text'),
      text: someText,
      citations: fc.array(citation, { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('thinking', 'tool_use'),
      text: someText,
      citations: fc.constant([]),
    }),
  },
)

/** The SDK's own stream counts these. */
const USAGE = { input_tokens: 9, output_tokens: 1 }

export const anthropicAnswer: fc.Arbitrary<Generated> = fc
  .record({
    blocks: fc.array(anthropicBlock, { minLength: 1, maxLength: 8 }),
    cuts,
    late: fc.boolean(),
  })
  .map(({ blocks, cuts, late }) => {
    const shown = blocks.map((block) => ({
      ...block,
      text: block.kind === 'text' ? block.text : '',
    }))
    const keyOf = (each: object) => ('url' in each ? String(each.url) : JSON.stringify(each))
    const pages = [...new Set(shown.flatMap(({ citations }) => citations.map(keyOf)))]
    const cited = spansOf(shown).filter(({ segment }) => segment.citations.length > 0)
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      usage: USAGE,
    }
    const written = blocks.map(({ kind, text, citations }) => {
      if (kind === 'thinking') return { type: kind, thinking: text, signature: '' }
      if (kind === 'tool_use') return { type: kind, id: 'tool_1', name: 'find', input: { q: text } }
      return { type: kind, text, ...(citations.length > 0 && { citations }) }
    })
    return {
      answer: shown.map((block) => block.text).join(''),
      pages,
      anchors: cited.map(({ segment, start, end, text }) => ({
        start,
        end,
        text,
        sources: numbers(segment.citations.map(keyOf), pages),
      })),
      whole: { ...message, content: written, stop_reason: 'end_turn' },
      events: [
        { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
        ...blocks.flatMap((block, index) => anthropicEvents(block, index, cuts, late)),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ],
    }
  })

function anthropicEvents(
  block: { kind: string; text: string; citations: readonly object[] },
  index: number,
  cuts: readonly number[],
  late: boolean,
): object[] {
  const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields })
  const pieces = inPieces(block.text, cuts)
  const stop = { type: 'content_block_stop', index }
  const start = (content_block: object) => ({ type: 'content_block_start', index, content_block })
  if (block.kind === 'thinking') {
    const thoughts = pieces.map((thinking) => delta({ type: 'thinking_delta', thinking }))
    return [start({ type: 'thinking', thinking: '' }), ...thoughts, stop]
  }
  if (block.kind === 'tool_use') {
    const opened = start({ type: 'tool_use', id: 'tool_1', name: 'find', input: {} })
    const json = JSON.stringify({ q: block.text })
    return [opened, delta({ type: 'input_json_delta', partial_json: json }), stop]
  }
  const cites = block.citations.map((citation) => delta({ type: 'citations_delta', citation }))
  const texts = pieces.map((text) => delta({ type: 'text_delta', text }))
  return [
    start({ type: 'text', text: '', ...(cites.length > 0 && { citations: [] }) }),
    { type: 'ping' },
    ...(late ? [...texts, ...cites] : [...cites, ...texts]),
    stop,
  ]
}
