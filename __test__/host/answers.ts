/**
 * What providers answer in the host's specs, with the block the specification shows for each. The
 * wire shapes are those of Gemini, OpenAI Responses, Chat Completions and Anthropic.
 */
import type {
  AnthropicMessage,
  ChatCompletion,
  GeminiResponse,
  ProviderResponse,
  ResponsesResponse,
} from './host.js'

export const WIKI = 'https://en.wikipedia.org/wiki/Rust_(programming_language)'
export const BLOG = 'https://blog.rust-lang.org/2015/05/15/Rust-1.0.html'
export const HISTORY = { web: { uri: WIKI, title: 'History of Rust' } }
export const NOTES = { web: { uri: BLOG, title: 'Rust Release Notes' } }

export const RUST_ANSWER = 'The Rust programming language was first released in 2015.'
/** The later chunk is supported first, so an order by supports would be told apart. */
export const RUST: GeminiResponse = {
  candidates: [
    {
      content: { parts: [{ text: RUST_ANSWER }] },
      groundingMetadata: {
        groundingChunks: [HISTORY, NOTES],
        groundingSupports: [
          { segment: { endIndex: 30 }, groundingChunkIndices: [1] },
          { segment: { startIndex: 30, endIndex: 57 }, groundingChunkIndices: [0] },
        ],
      },
    },
  ],
}
export const RUST_BLOCK = ` Sources:\n  1. History of Rust — ${WIKI}\n  2. Rust Release Notes — ${BLOG}`

export const NODE: ResponsesResponse = {
  output: [
    { type: 'web_search_call' },
    {
      type: 'message',
      content: [
        {
          type: 'output_text',
          text: 'The latest Node.js LTS version is 22.x.',
          annotations: [
            {
              type: 'url_citation',
              url: 'https://nodejs.org/en/about/releases',
              title: 'Node.js Release Schedule',
              start_index: 0,
              end_index: 39,
            },
          ],
        },
      ],
    },
  ],
}
export const NODE_BLOCK =
  ' Sources:\n  1. Node.js Release Schedule — https://nodejs.org/en/about/releases'

export const REPORT: AnthropicMessage = {
  content: [
    { type: 'text', text: 'According to the quarterly report, ', citations: null },
    {
      type: 'text',
      text: 'revenue increased by 15%.',
      citations: [
        {
          type: 'char_location',
          cited_text: 'Total revenue for Q3 2025 increased 15% year-over-year to $4.2 billion.',
          document_index: 0,
          document_title: 'Q3 Revenue Report',
          start_char_index: 1204,
          end_char_index: 1289,
        },
      ],
    },
  ],
}
export const REPORT_BLOCK =
  ' Sources:\n  1. "Q3 Revenue Report" (chars 1204–1289):\n     > "Total revenue for Q3 2025 increased 15% year-over-year to $4.2 billion."'

export const TREE_ANSWER = 'The function uses a recursive algorithm to traverse the tree.'
export const TREE: ChatCompletion = {
  choices: [{ message: { role: 'assistant', content: TREE_ANSWER } }],
}

export const REPORT_ANSWER = 'According to the quarterly report, revenue increased by 15%.'
export const NODE_ANSWER = 'The latest Node.js LTS version is 22.x.'
/** Provider, response, what it says, how its sources are listed. */
export const CITING: [string, ProviderResponse, string, string][] = [
  ['gemini', RUST, RUST_ANSWER, RUST_BLOCK],
  ['openai-responses', NODE, NODE_ANSWER, NODE_BLOCK],
  ['codex', NODE, NODE_ANSWER, NODE_BLOCK],
  ['anthropic', REPORT, REPORT_ANSWER, REPORT_BLOCK],
  ['claudecode', REPORT, REPORT_ANSWER, REPORT_BLOCK],
]
