/** Answers for the specs of pages, and short ways to render them. */
import {
  type AnswerHtmlOptions,
  type CitationPayload,
  type CitationSource,
  renderAnswerHtml,
} from '../index.js'

export const EXCERPT = `Rust 1.0 was released on 15 May 2015. ${'It has kept its promise of stability since. '.repeat(12)}The end.`

/** Six sources of several sorts; the answer below cites 1, 2 and 4. */
export const SOURCES: CitationSource[] = [
  {
    title: 'Announcing Rust 1.0',
    url: 'https://blog.rust.example/2015/05/15/Rust-1.0.html',
    citedText: EXCERPT,
    provider: 'gemini',
    author: 'The core team',
    publishedDate: '2015-05-15',
    toolName: 'web_search',
    metadata: { score: 0.875, cached: true },
  },
  {
    title: 'History of Rust',
    url: 'https://en.wiki.example/rust',
    citedText: 'It began in 2006 as a side project of one man.',
  },
  { title: 'Ferris', url: 'https://ferris.example/' },
  {
    title: 'Annual report',
    citedText: 'Adoption doubled within two years.',
    provider: 'anthropic',
    location: { type: 'page_location', startPageNumber: 5, endPageNumber: 8, documentIndex: 0 },
  },
  { title: 'The book', url: 'https://book.example/' },
  { title: 'The reference', url: 'https://reference.example/' },
]

const FILLER = 'Words that fill a page so that it can be scrolled. '.repeat(12)

/** Something of everything Markdown has. */
export const ANSWER = `Rust is old [1], it began early [2], and it grew [4]. See [its site](https://rust.example/).

## Numbers

| Year | What |
|-----:|:-----|
| 2006 | a start [2] |

| | Version |
|---|:---:|
| first | 1.0 |

> Stability as a deliverable [1].

1. One
   - nested \`arr[1]\`
2. Two

\`\`\`rust
let answer = sources[1]; // a line that is long enough to scroll on a page that is as narrow as a phone
\`\`\`

![A crab](https://ferris.example/crab.png) and <b>no element</b>.
`

/** The same on many screens, with a marker at the end. */
export const LONG_ANSWER = `${ANSWER}\n${`${FILLER}\n\n`.repeat(12)}That was all [2].`

export const PAYLOAD: CitationPayload = { text: '', sources: SOURCES }

export function rendered(markdown: string, options?: AnswerHtmlOptions): string {
  return renderAnswerHtml(markdown, PAYLOAD, options)
}
