/** Questions this host has answers to, per provider: what the network replies, in order. */
import { anthropic } from '@vybestack/llxprt-code-citations'
import type { Reply } from './server.js'
import type { Release } from './tools.js'
import * as wire from './wire.js'

export interface Scene {
  provider: string
  question: string
  replies: Reply[]
  /** Where only one release can do it. */
  release?: Release
}

export const WIKI = 'https://en.wikipedia.org/wiki/Rust_(programming_language)'
export const BLOG = 'https://blog.rust-lang.org/2015/05/15/Rust-1.0.html'
export const HISTORY = { web: { uri: WIKI, title: 'History of Rust' } }
export const NOTES = { web: { uri: BLOG, title: 'Rust Release Notes' } }

export const RUST_ANSWER = 'The Rust programming language was first released in 2015.'
/** The later chunk is supported first, so an order by supports would be told apart. */
export const RUST_GROUNDING = {
  groundingChunks: [HISTORY, NOTES],
  groundingSupports: [
    { segment: { endIndex: 30 }, groundingChunkIndices: [1] },
    { segment: { startIndex: 30, endIndex: 57 }, groundingChunkIndices: [0] },
  ],
}
export const RUST = wire.geminiAnswer(RUST_ANSWER, RUST_GROUNDING)

export const NODE_ANSWER = 'The latest Node.js LTS version is 22.x.'
export const NODE_PAGE = 'https://nodejs.org/en/about/releases'
export const NODE = wire.responsesAnswer(NODE_ANSWER, [
  {
    type: 'url_citation',
    url: NODE_PAGE,
    title: 'Node.js Release Schedule',
    start_index: 0,
    end_index: 39,
  },
])

const REVENUE = 'Total revenue for Q3 2025 increased 15% year-over-year to $4.2 billion.'
const BEFORE = 'Figures are unaudited. '.repeat(53).slice(0, 1204)
export const DOCUMENT = anthropic.plainTextDocument(`${BEFORE}${REVENUE} Costs were flat.`, {
  title: 'Q3 Revenue Report',
})
export const REPORT_ANSWER = 'According to the quarterly report, revenue increased by 15%.'
export const REPORT = wire.anthropicAnswer(
  { text: 'According to the quarterly report, ' },
  {
    text: 'revenue increased by 15%.',
    citations: [
      {
        type: 'char_location',
        cited_text: REVENUE,
        document_index: 0,
        document_title: 'Q3 Revenue Report',
        start_char_index: BEFORE.length,
        end_char_index: BEFORE.length + REVENUE.length,
      },
    ],
  },
)

export const TREE_ANSWER = 'The function uses a recursive algorithm to traverse the tree.'
export const TREE = wire.completion(TREE_ANSWER)

export const EXA_CALL = {
  callId: 'call-1',
  name: 'exa_web_search',
  args: { query: 'tokio runtime', numResults: 2 },
}
export const EXA = wire.exaAnswer(
  [
    'Title: Tokio - An asynchronous Rust runtime',
    'URL: https://tokio.rs/',
    'Published: 2026-03-02',
    'Author: N/A',
    'Highlights:',
    'Tokio is an asynchronous runtime for the Rust programming language.',
    '',
    '---',
    '',
    'Title: Announcing axum',
    'URL: https://tokio.rs/blog/2021-07-announcing-axum',
    'Published: 2021-07-30',
    'Author: David Pedersen',
    'Highlights:',
    'axum is an easy to use, yet powerful, web framework.',
  ].join('\n'),
)
export const FETCH_CALL = {
  callId: 'call-2',
  name: 'direct_web_fetch',
  args: { url: 'https://docs.rs/hyper', format: 'markdown' },
}
export const PAGE: Reply = { text: '# hyper\n\nA fast and correct HTTP implementation for Rust.' }
export const TOKIO_ANSWER = 'Tokio is a runtime [1]. axum [2] and hyper [3] build on it.'
export const TOKIO_SOURCES = [
  '1. Tokio - An asynchronous Rust runtime — https://tokio.rs/',
  '2. Announcing axum — https://tokio.rs/blog/2021-07-announcing-axum',
  '3. hyper — https://docs.rs/hyper',
]

export const SEARCH_CALL = {
  callId: 'call-3',
  name: 'google_web_search',
  args: { query: 'rust 1.0' },
}
/** The model repeats the list that the tool gave it. */
export const LISTED_ANSWER = `Released in 2015. [1]\n\nSources:\n[1] History of Rust (${WIKI})`

export const SCENES: Scene[] = [
  { provider: 'gemini', question: 'When was Rust released?', replies: [RUST] },
  {
    provider: 'gemini',
    question: 'Search for Rust 1.0',
    release: '0.9',
    replies: [
      wire.geminiCall(SEARCH_CALL),
      wire.geminiSearch('Released in 2015.', [HISTORY]),
      wire.geminiAnswer(LISTED_ANSWER, RUST_GROUNDING),
    ],
  },
  {
    provider: 'gemini',
    question: 'When was Rust released, over a bad line?',
    replies: [
      wire.brokenOff(wire.geminiAnswer('Rust was released in 1999, and', RUST_GROUNDING)),
      RUST,
    ],
  },
  { provider: 'openai-responses', question: 'Which Node.js is LTS?', replies: [NODE] },
  {
    provider: 'openai-responses',
    question: 'What is Tokio?',
    replies: [
      wire.responsesCall(EXA_CALL),
      EXA,
      wire.responsesCall(FETCH_CALL),
      PAGE,
      wire.responsesAnswer(TOKIO_ANSWER, []),
    ],
  },
  { provider: 'anthropic', question: 'How was the third quarter?', replies: [REPORT] },
  {
    provider: 'anthropic',
    question: 'What is Tokio?',
    replies: [
      wire.anthropicCall(EXA_CALL),
      EXA,
      wire.anthropicCall(FETCH_CALL),
      PAGE,
      wire.anthropicAnswer({ text: TOKIO_ANSWER }),
    ],
  },
  { provider: 'openai', question: 'How does this function work?', replies: [TREE] },
]

/** The scene that a question belongs to; any other question gets the provider's first one. */
export function sceneOf(provider: string, question: string, release: Release): Scene | undefined {
  const scenes = SCENES.filter(
    (scene) => scene.provider === provider && (scene.release ?? release) === release,
  )
  return scenes.find((scene) => scene.question === question) ?? scenes[0]
}
