/** What each provider sends for an answer: the whole response, and the events of its stream. */
import { pick } from './answers.mjs'

/** @typedef {import('./answers.mjs').Answer} Answer */
/** @typedef {{ whole: object, events: object[], named: boolean }} Sent a response; `named`: its events have names */

const utf8 = new TextEncoder()
const bytes = (/** @type {string} */ text) => utf8.encode(text).length

/** Text in pieces of a few letters, as tokens come. */
const pieces = (/** @type {string} */ text) => text.match(/.{1,7}/gsu) ?? []

/** Letters that say nothing, as tokens and paddings are made of. @param {number} seed @param {number} length */
function opaque(seed, length) {
  let [text, state] = ['', seed + 1]
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647
    text += state.toString(36)
  }
  return text.slice(0, length)
}

/** @param {Answer} answer @returns {Sent} */
export function gemini({ sentences, pages }) {
  let end = 0
  const groundingSupports = sentences.map((text, at) => {
    const startIndex = end
    end += bytes(text)
    const segment = { ...(startIndex > 0 && { startIndex }), endIndex: end, text }
    end += 1
    return { segment, groundingChunkIndices: [at % pages.length], confidenceScores: [0.91] }
  })
  const groundingChunks = pages.map(({ url, site, title, words }, n) => {
    if (n % 7 === 5) return { retrievedContext: { uri: url, title, text: words } }
    if (n % 7 === 6) return { maps: { uri: url, title, placeId: `places/${opaque(n, 27)}` } }
    const uri = `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${opaque(bytes(url) * 97 + n, 160)}`
    return { web: n % 7 === 4 ? { uri: url, title, domain: site } : { uri, title: site } }
  })
  const groundingMetadata = {
    searchEntryPoint: { renderedContent: '<div class="chip">bridge</div>\n'.repeat(40) },
    groundingChunks,
    groundingSupports,
    webSearchQueries: ['bridge closed', 'ferry "numbers"'],
  }
  const said = (/** @type {string} */ text, /** @type {object} */ more) => ({
    candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...more }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: bytes(text), totalTokenCount: 99 },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'Zq1',
  })
  const text = sentences.join(' ')
  return {
    whole: said(text, { finishReason: 'STOP', groundingMetadata }),
    events: [
      ...pieces(text).map((piece) => said(piece, {})),
      said('', { finishReason: 'STOP', groundingMetadata }),
    ],
    named: false,
  }
}

/** @param {Answer} answer @returns {Sent} */
export function openai({ sentences, pages }) {
  let text = ''
  const annotations = sentences.map((sentence, at) => {
    const { url, site, title } = pick(pages, at)
    const address = `${url}${url.includes('?') ? '&' : '?'}utm_source=openai`
    text += `${sentence} `
    const start_index = Array.from(text).length
    text += `([${site}](${address}))`
    const end_index = Array.from(text).length
    text += '\n'
    return { type: 'url_citation', start_index, end_index, title, url: address }
  })
  const id = `msg_${opaque(5, 48)}`
  const part = { type: 'output_text', annotations, logprobs: [], text }
  const item = { id, type: 'message', status: 'completed', content: [part], role: 'assistant' }
  const sources = pages.map(({ url }) => ({ type: 'url', url }))
  const search = {
    id: `ws_${opaque(6, 48)}`,
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'bridge', sources },
  }
  const whole = {
    id: `resp_${opaque(7, 48)}`,
    object: 'response',
    created_at: 1_760_000_000,
    status: 'completed',
    model: 'gpt-5',
    output: [{ id: 'rs_1', type: 'reasoning', summary: [] }, search, item],
    tools: [{ type: 'web_search', search_context_size: 'medium' }],
    usage: { input_tokens: 900, output_tokens: 300 },
  }
  const at = { item_id: id, output_index: 2, content_index: 0 }
  const events = [
    { type: 'response.created', response: { ...whole, output: [], status: 'in_progress' } },
    { type: 'response.web_search_call.searching', item_id: search.id, output_index: 1 },
    { type: 'response.output_item.done', output_index: 1, item: search },
    { type: 'response.output_item.added', output_index: 2, item: { ...item, content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '', annotations: [] } },
    ...pieces(text).map((delta, n) => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
      logprobs: [],
      obfuscation: opaque(n, 16 - delta.length),
    })),
    ...annotations.map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...at,
      annotation_index,
      annotation,
    })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: 2, item },
    { type: 'response.completed', response: whole },
  ]
  const counted = events.map(({ type, ...event }, sequence_number) => ({
    type,
    sequence_number,
    ...event,
  }))
  return { whole, events: counted, named: true }
}

/** @param {Answer} answer @returns {Sent} */
export function anthropic({ sentences, pages }) {
  const results = {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_9',
    content: pages.map(({ url, title }, n) => ({
      type: 'web_search_result',
      url,
      title,
      encrypted_content: opaque(n, 700),
      page_age: null,
    })),
  }
  const blocks = sentences.map((text, at) => {
    const { url, title, words } = pick(pages, at)
    const found = {
      type: 'web_search_result_location',
      url,
      title,
      encrypted_index: opaque(at, 100),
      cited_text: words,
    }
    const quoted = {
      type: 'char_location',
      cited_text: words,
      document_index: 0,
      document_title: title,
      start_char_index: at * 50,
      end_char_index: at * 50 + words.length,
      file_id: null,
    }
    return { text, citations: at % 4 === 3 ? [] : at % 4 === 2 ? [quoted] : [found] }
  })
  const message = { id: 'msg_9', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' }
  const usage = { input_tokens: 2000, output_tokens: 250 }
  const content = [results, ...blocks.map((block) => ({ type: 'text', ...block }))]
  const delta = (/** @type {number} */ index, /** @type {object} */ delta) => ({
    type: 'content_block_delta',
    index,
    delta,
  })
  const ended = { stop_reason: 'end_turn', stop_sequence: null }
  const events = [
    { type: 'message_start', message: { ...message, content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: results },
    { type: 'content_block_stop', index: 0 },
    ...blocks.flatMap(({ text, citations }, n) => [
      {
        type: 'content_block_start',
        index: n + 1,
        content_block: { type: 'text', text: '', citations: [] },
      },
      ...citations.map((citation) => delta(n + 1, { type: 'citations_delta', citation })),
      ...pieces(text).map((text) => delta(n + 1, { type: 'text_delta', text })),
      { type: 'content_block_stop', index: n + 1 },
    ]),
    { type: 'message_delta', delta: ended, usage },
    { type: 'message_stop' },
  ]
  return { whole: { ...message, content, ...ended, usage }, events, named: true }
}

/** @param {Answer} answer @returns {Sent} */
export function chat({ sentences, pages }) {
  const annotations = pages.map(({ url, title }, n) => ({
    type: 'url_citation',
    url_citation: { url, title, start_index: n, end_index: n + 4 },
  }))
  const text = sentences.map((sentence, at) => `${sentence}[${1 + (at % pages.length)}]`).join(' ')
  const base = { id: 'gen-3', model: 'sonar', created: 1_760_000_000 }
  const search_results = pages.map(({ url, title, words }) => ({ title, url, snippet: words }))
  const message = { role: 'assistant', content: text, annotations }
  const said = (/** @type {object} */ delta) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: null }],
  })
  return {
    whole: {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      search_results,
    },
    events: [
      ...pieces(text).map((content) => said({ content })),
      { ...said({ annotations }), search_results },
    ],
    named: false,
  }
}

/** A body of server-sent events. @param {Sent} sent */
export function body({ events, named }) {
  const frames = events.map((event) => {
    const name = named && 'type' in event ? `event: ${event.type}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  return utf8.encode(frames.join(''))
}
