/** Responses of the size providers send: an answer, its sources, and the bulk nobody reads. */

const STYLE =
  '<style>.container{align-items:center;border-radius:8px;display:flex;padding:8px 12px}</style>'

const SITES = [
  'en.wikipedia.example',
  'blog.rust-lang.example',
  'docs.nodejs.example',
  'news.site.example',
]
const PAGES = [
  'wiki/Rust_(programming_language)',
  '2015/05/15/Rust-1.0.html',
  'en/about/releases',
  'a/b/c?id=4711&lang=en',
]

const page = (n: number) => `https://${SITES[n % SITES.length]}/${n}/${PAGES[n % PAGES.length]}`
const title = (n: number) => `Release notes and history, part ${n}`
const sentence = (n: number) =>
  `Sentence number ${n} of the answer says something that a page supports. `

export function geminiResponse(sources: number) {
  const text = Array.from({ length: sources * 2 }, (_, n) => sentence(n)).join('')
  let at = 0
  return {
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        finishReason: 'STOP',
        index: 0,
        groundingMetadata: {
          webSearchQueries: ['history of rust', 'rust 1.0 release date'],
          searchEntryPoint: { renderedContent: STYLE.repeat(20) },
          groundingChunks: Array.from({ length: sources }, (_, n) => ({
            web: { uri: page(n), title: title(n) },
          })),
          groundingSupports: Array.from({ length: sources * 2 }, (_, n) => {
            const segment = {
              startIndex: at,
              endIndex: at + sentence(n).length - 1,
              text: sentence(n).trim(),
            }
            at += sentence(n).length
            return { segment, groundingChunkIndices: [n % sources] }
          }),
        },
      },
    ],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 512, totalTokenCount: 524 },
    modelVersion: 'gemini-2.5-pro',
    responseId: 'r-1',
  }
}

export function openaiResponse(sources: number) {
  let text = ''
  const annotations = Array.from({ length: sources }, (_, n) => {
    text += sentence(n)
    const url = `${page(n)}${page(n).includes('?') ? '&' : '?'}utm_source=openai`
    const link = `([${SITES[n % SITES.length]}](${url}))`
    const start_index = text.length
    text += link
    return { type: 'url_citation', start_index, end_index: text.length, url, title: title(n) }
  })
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5-mini',
    output: [
      {
        id: 'ws_1',
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'q' },
      },
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations, logprobs: [] }],
      },
    ],
    usage: { input_tokens: 100, output_tokens: 400, total_tokens: 500 },
  }
}

/** The bytes of a streamed OpenAI answer: text in small pieces, then citations, then the repeats. */
export function openaiStream(deltas: number, citations: number): string[] {
  const response = openaiResponse(citations)
  const part = response.output[1]?.content?.[0]
  if (!part) throw new Error('no part')
  const base = { item_id: 'msg_1', output_index: 1, content_index: 0 }
  const size = Math.ceil(part.text.length / deltas) || 1
  const filler = 'and so on '.repeat(deltas).slice(0, deltas * 5)
  const text = part.text + filler
  const whole = { ...part, text }
  const step = Math.max(size, Math.ceil(text.length / deltas))
  const pieces = Array.from({ length: deltas }, (_, n) => text.slice(n * step, (n + 1) * step))
  const events: object[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...response.output[1], content: [] },
    },
    { type: 'response.content_part.added', ...base, part: { ...part, text: '', annotations: [] } },
    ...pieces.map((delta) => ({
      type: 'response.output_text.delta',
      ...base,
      delta,
      logprobs: [],
      obfuscation: 'x7Qk2',
    })),
    ...whole.annotations.map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...base,
      annotation_index,
      annotation,
    })),
    { type: 'response.output_text.done', ...base, text, logprobs: [] },
    { type: 'response.content_part.done', ...base, part: whole },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { ...response.output[1], content: [whole] },
    },
    {
      type: 'response.completed',
      response: {
        ...response,
        output: [response.output[0], { ...response.output[1], content: [whole] }],
      },
    },
  ]
  return events.map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }))
}

export const asEvents = (events: string[]) =>
  events.map((event) => `event: ${JSON.parse(event).type}\ndata: ${event}\n\n`).join('')
