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
/** Titles as pages have them: some name a file or a price, some have more than ASCII. */
const TITLES = [
  'Release notes and history',
  'Why the code was rewritten – The Example News',
  'Node.js 22.1.0 is here: 5 things to know',
  'A “fearless” upgrade at a $9.3 billion valuation | Example',
]
const title = (n: number) => `${TITLES[n % TITLES.length]}, part ${n}`
const sentence = (n: number) =>
  `Sentence number ${n} of the answer says something that a page supports. `

const TOKEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** As opaque as the tokens of Google's redirects, and as long: they have 144 to 192 characters. */
function token(n: number): string {
  let [text, seed] = ['AUZIYQ', n + 1]
  while (text.length < 144 + ((n * 11) % 48)) {
    seed = (seed * 48_271) % 2_147_483_647
    text += TOKEN[seed % TOKEN.length]
  }
  return text
}

type Web = { uri: string; title: string }

/** A page as Google Search hands it on: a redirect, with the name of the site for a title. */
const redirected = (n: number): Web => ({
  uri: `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${token(n)}`,
  title: SITES[n % SITES.length] as string,
})

/** A page under its own name and address. */
export const direct = (n: number): Web => ({ uri: page(n), title: title(n) })

export function geminiResponse(sources: number, web = redirected, first = 0) {
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
            web: web(first + n),
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

export function openaiResponse(sources: number, first = 0) {
  let text = ''
  const annotations = Array.from({ length: sources }, (_, index) => {
    const n = first + index
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
    created_at: 1_750_000_000,
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

/** An answer of Claude that searched the web: each sentence is a block that cites a page. */
export function anthropicResponse(sources: number, first = 0) {
  const listed = Array.from({ length: sources }, (_, n) => ({
    url: page(first + n),
    title: title(first + n),
  }))
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-6',
    content: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: listed.map((one) => ({
          type: 'web_search_result',
          ...one,
          encrypted_content: 'EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5'.repeat(30),
          page_age: 'April 30, 2025',
        })),
      },
      ...listed.map((one, n) => ({
        type: 'text',
        text: sentence(n),
        citations: [
          {
            type: 'web_search_result_location',
            ...one,
            encrypted_index: 'Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm'.repeat(4),
            cited_text: `What the page says about sentence ${n}.`,
          },
        ],
      })),
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 400, server_tool_use: { web_search_requests: 1 } },
  }
}

/** How many responses a row takes in turns: nobody gets the same one twice, and engines remember what they have seen. */
const SEVERAL = 64

/** An odd number, so that each response begins with another kind of page. */
const APART = 101

/** Responses as alike as those of one day, each about other pages, as an SDK hands them on. */
export const several = (make: (first: number) => object): object[] =>
  Array.from({ length: SEVERAL }, (_, n) => JSON.parse(JSON.stringify(make(n * APART))))

/** The next of them at each call, and after the last the first. */
export function inTurns<T>(list: readonly T[]): () => T {
  let at = 0
  return () => {
    const next = list[at] as T
    at = at + 1 === list.length ? 0 : at + 1
    return next
  }
}

/** Text in so many pieces, of a letter to a dozen each, in no order that anybody could learn. */
function inPieces(text: string, pieces: number): string[] {
  let [start, seed] = [0, 1]
  const list: string[] = []
  while (list.length < pieces - 1) {
    seed = (seed * 48_271) % 0x7fff_ffff
    const end = start + 1 + (seed % 12)
    list.push(text.slice(start, end))
    start = end
  }
  return [...list, text.slice(start)]
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** What OpenAI adds to a piece of text, so that its length does not tell the words: letters up to sixteen together. */
export function padding(piece: string, n: number): string {
  const letter = (at: number) => LETTERS[((n + 7) * (at + 11) * 31) % LETTERS.length]
  return Array.from({ length: 16 - (piece.length % 16) }, (_, at) => letter(at)).join('')
}

/** A streamed OpenAI answer: text in small pieces, then citations, then the repeats. */
export function openaiStream(deltas: number, citations: number): string[] {
  const response = openaiResponse(citations)
  const part = response.output[1]?.content?.[0]
  if (!part) throw new Error('no part')
  const base = { item_id: `msg_${'68c2e7054ae48193'.repeat(3)}`, output_index: 1, content_index: 0 }
  const text = part.text + 'and so on '.repeat(Math.ceil(deltas * 0.65))
  const whole = { ...part, text }
  const events: object[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...response.output[1], content: [] },
    },
    { type: 'response.content_part.added', ...base, part: { ...part, text: '', annotations: [] } },
    ...inPieces(text, deltas).map((delta, n) => ({
      type: 'response.output_text.delta',
      ...base,
      delta,
      logprobs: [],
      obfuscation: padding(delta, n),
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
  return events.map((event, sequence_number) =>
    // In the order in which they come.
    JSON.stringify({ type: undefined, sequence_number, ...event }),
  )
}

export const asEvents = (events: string[]) =>
  events.map((event) => `event: ${JSON.parse(event).type}\ndata: ${event}\n\n`).join('')

/** As much as a TLS record carries. */
const CHUNK = 16_384

/** A body as it comes in. */
export function chunksOf(text: string): Uint8Array[] {
  const body = new TextEncoder().encode(text)
  return Array.from({ length: Math.ceil(body.length / CHUNK) }, (_, n) =>
    body.subarray(n * CHUNK, (n + 1) * CHUNK),
  )
}

/** Pages that an answer cites, by number or by the id a provider gave them. */
export const listedPages = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `turn0search${n}`,
    title: title(n),
    url: page(n),
  }))

const raised = (n: number) =>
  String(n).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] as string)

/** How models mark a citation of page `n`, in all dialects; the last points nowhere. */
const markersOf = (n: number) => [
  `[${n}]`,
  `[${n}, ${(n % 20) + 1}]`,
  `【${n}†source】`,
  `[${(n % 18) + 1}-${(n % 18) + 3}]`,
  `[^${n}]`,
  `\ue200cite\ue202turn0search${n - 1}\ue202turn0search${n % 20}\ue201`,
  `［${n}］`,
  `[[${n}]]`,
  n % 2 === 0 ? `【${n}†L${n}-L${n + 9}】` : raised(n),
  `[${n + 20}]`,
]

const CODE = `for (let row = 1; row < grid.length; row++) {
  const left = grid[row][1] ?? grid[row - 1][2]
  // See [1] and [2] for why the first row is left out.
  totals[1] = totals[1] + left * weights[2][3]
}`

/** A part of an answer: headings, prose, a list, a quotation, code; ten markers in all. */
function section(n: number): string {
  const cite = markersOf((n % 20) + 1)
  const prose = (at: number) =>
    `The scheduler — rewritten for release ${n}.${at} — polls every task “fairly”, so that no queue ` +
    'starves while others are served; what it costs in latency was measured on four machines over a ' +
    'week, with and without the new work stealing, and the difference is smaller than the noise'
  return [
    `## Part ${n}: what changed in release ${n}`,
    `${prose(1)} ${cite[0]}. ${prose(2)}.\n${prose(3)}${cite[1]}, as *others* found. ${prose(4)}.`,
    `${prose(5)}: set \`limits[1]\` and \`args[2][0]\`, never \`\`a \`b[3]\` c\`\`, as the ` +
      `[guide [2]](https://docs.runtime.example/guide_(v${n})/limits "Limits [3]") says ${cite[2]}. ${prose(6)}.`,
    [1, 2, 3].map((at) => `- **Point ${at}**: ${prose(at)} ${cite[at + 2]}.`).join('\n'),
    `\`\`\`ts\n${CODE}\n${CODE.replaceAll('row', 'line')}\n\`\`\``,
    `> ${prose(7)} ${cite[6]}\n> ${prose(8)}.`,
    `1. ${prose(9)} ${cite[7]}\n\n       indented[1] = code[2]\n\n2. ${prose(10)}; ${prose(11)}${cite[8]}.`,
    `Whether x[1] == y[2].z holds, see <https://docs.runtime.example/x[1]> ${cite[9]}. ${prose(12)}.`,
  ].join('\n\n')
}

/** An answer of about 5 kB and ten markers per section. */
export const markedAnswer = (sections: number) =>
  Array.from({ length: sections }, (_, n) => section(n)).join('\n\n')

/** A text in so many pieces of the same length. */
export function cut(text: string, pieces: number): string[] {
  const at = (piece: number) => Math.floor((text.length * piece) / pieces)
  return Array.from({ length: pieces }, (_, n) => text.slice(at(n), at(n + 1)))
}

/** A search of Exa as LLxprt's tool returns it: about 2 kB of highlights per page. */
export function exaCall(records: number) {
  const highlights = Array.from({ length: 24 }, (_, n) => `“${sentence(n).trim()}” — [...]`)
  const record = (n: number) =>
    `Title: ${title(n)}\nURL: ${page(n)}\nPublished: 2025-0${(n % 9) + 1}-11T08:00:00.000Z\n` +
    `Author: ${n % 3 === 0 ? 'N/A' : `Author ${n}`}\nHighlights:\n${highlights.slice(n % 5).join('\n')}`
  return {
    name: 'exa_web_search',
    args: { query: 'history of rust', numResults: records },
    callId: 'call-1',
    output: Array.from({ length: records }, (_, n) => record(n)).join('\n\n---\n\n'),
  }
}
