/**
 * Short ways to write what providers stream and to read what a turn has come to. Offsets are computed
 * here in plain JavaScript, in the unit each provider counts in, so that no number is taken on trust.
 */
import { expect } from 'vitest'
import {
  CitationService,
  type CitationServiceOptions,
  type CitationTurn,
  type ProviderInput,
  type TurnPayload,
} from '../index.js'

/** A turn that has taken these events, one by one. */
export function turnOf(events: ProviderInput[], options?: CitationServiceOptions): CitationTurn {
  const turn = new CitationService(options).startTurn()
  for (const event of events) turn.push(event)
  return turn
}

/** What a turn of these events comes to, after a check of what holds for every payload. */
export function finished(events: ProviderInput[], options?: CitationServiceOptions): TurnPayload {
  return checked(turnOf(events, options).finish())
}

/** The same where the host hands over the answer. */
export function finishedWith(answer: string, events: ProviderInput[]): TurnPayload {
  const payload = checked(turnOf(events).finish(answer))
  expect(payload.answer).toBe(answer)
  return payload
}

/** Anchors are slices of the answer, sorted, with numbers of listed sources; reports come once. */
export function checked(payload: TurnPayload): TurnPayload {
  const { answer, anchors, sources, diagnostics } = payload
  for (const { start, end, text, sources: numbers } of anchors) {
    expect(end).toBeLessThanOrEqual(answer.length)
    expect(text).toBe(answer.slice(start, end))
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(numbers.length).toBeGreaterThan(0)
    for (const number of numbers) expect(sources[number - 1]).toBeDefined()
  }
  const sorted = [...anchors].sort((a, b) => a.start - b.start || a.end - b.end)
  expect(anchors).toEqual(sorted)
  expect(new Set(diagnostics.map(({ code }) => code)).size).toBe(diagnostics.length)
  return payload
}

/** Each anchor as the words it covers and the numbers of its sources. */
export function claims({ anchors }: TurnPayload): [text: string, sources: number[]][] {
  return anchors.map(({ text, sources }) => [text, sources])
}

/** Each anchor as its place. */
export function places({ anchors }: TurnPayload): [start: number, end: number][] {
  return anchors.map(({ start, end }) => [start, end])
}

export function urls({ sources }: TurnPayload): (string | undefined)[] {
  return sources.map(({ url }) => url)
}

/** How often each thing was reported. */
export function reports({ diagnostics }: TurnPayload): Record<string, number> {
  return Object.fromEntries(diagnostics.map(({ code, count }) => [code, count]))
}

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length
export const codePointsOf = (text: string): number => Array.from(text).length

export const web = (uri: string, title: string) => ({ web: { uri, title } })

/** A Gemini response or chunk: text or parts, and what else the candidate holds. */
export function gemini(parts: string | object[], candidate: object = {}, responseId = 'gen-1') {
  const content = { role: 'model', parts: typeof parts === 'string' ? [{ text: parts }] : parts }
  return { responseId, candidates: [{ content, index: 0, ...candidate }] }
}

/** Grounding metadata as a candidate holds it. */
export function grounded(groundingChunks: object[], groundingSupports: object[] = []) {
  return { groundingMetadata: { groundingChunks, groundingSupports } }
}

/** A support of `quote` in `answer`, in bytes and with zero left out, as Gemini writes it. */
export function support(answer: string, quote: string, groundingChunkIndices: number[]) {
  const at = answer.indexOf(quote)
  expect(at).toBeGreaterThanOrEqual(0)
  const startIndex = bytesOf(answer.slice(0, at))
  const segment = { endIndex: startIndex + bytesOf(quote), text: quote }
  return { segment: startIndex ? { startIndex, ...segment } : segment, groundingChunkIndices }
}

/** A link as OpenAI writes it into the answer. */
export const link = (url: string) => `([${new URL(url).host}](${url}))`

/** The annotation of the link to `url` in `answer`, in code points. */
export function urlCitation(answer: string, url: string, title: string) {
  const at = answer.indexOf(link(url))
  expect(at).toBeGreaterThanOrEqual(0)
  const start_index = codePointsOf(answer.slice(0, at))
  const end_index = start_index + codePointsOf(link(url))
  return { type: 'url_citation', url, title, start_index, end_index }
}

/** A whole OpenAI response whose message is the second output item, behind the search. */
export function openAiResponse(text: string, annotations: object[], id = 'resp-1') {
  const part = { type: 'output_text', text, annotations }
  const message = { id: `msg-${id}`, type: 'message', role: 'assistant', content: [part] }
  const search = { id: `ws-${id}`, type: 'web_search_call', status: 'completed', action: null }
  return { id, object: 'response', status: 'completed', output: [search, message] }
}

/** The events of that response, in which each annotation comes four times. */
export function openAiStream(text: string, annotations: object[], id = 'resp-1'): object[] {
  const response = openAiResponse(text, annotations, id)
  const [search, item] = response.output as [object, { id: string; content: object[] }]
  const at = { item_id: item.id, output_index: 1, content_index: 0 }
  const opened = { type: 'output_text', text: '', annotations: [] }
  const delta = (piece: string) => ({ type: 'response.output_text.delta', ...at, delta: piece })
  return [
    { type: 'response.created', response: { ...response, output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: search },
    { type: 'response.output_item.done', output_index: 0, item: search },
    { type: 'response.output_item.added', output_index: 1, item: { ...item, content: [] } },
    { type: 'response.content_part.added', ...at, part: opened },
    ...Array.from(text).map(delta),
    ...annotations.map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...at,
      annotation_index,
      annotation,
    })),
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part: item.content[0] },
    { type: 'response.output_item.done', output_index: 1, item },
    { type: 'response.completed', response },
  ]
}

/** A citation of a text document by Anthropic. */
export function charLocation(document_title: string, start: number, cited_text: string) {
  const end_char_index = start + cited_text.length
  const at = { document_index: 0, start_char_index: start, end_char_index }
  return { type: 'char_location', cited_text, document_title, ...at }
}

/** The events of an Anthropic message: in each block all citations come before its text. */
export function anthropicStream(blocks: [text: string, citations?: object[]][], id = 'msg-1') {
  const message = { id, type: 'message', role: 'assistant', content: [], stop_reason: null }
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(([text, citations], index) => {
      const delta = (delta: object) => ({ type: 'content_block_delta', index, delta })
      const content_block = { type: 'text', text: '', ...(citations && { citations: [] }) }
      return [
        { type: 'content_block_start', index, content_block },
        { type: 'ping' },
        ...(citations ?? []).map((citation) => delta({ type: 'citations_delta', citation })),
        ...Array.from(text).map((piece) => delta({ type: 'text_delta', text: piece })),
        { type: 'content_block_stop', index },
      ]
    }),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
}
