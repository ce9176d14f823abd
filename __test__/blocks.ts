/** Short ways to name sources, places and expected blocks in the tests of rendering. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CitationLocation,
  type CitationSource,
  type RenderOptions,
  renderCitationBlock,
} from '../index.js'

/** The block of `sources`, plain unless told otherwise. */
export function block(sources: CitationSource[], options: RenderOptions = {}): string {
  return renderCitationBlock({ text: '', sources }, { links: 'plain', ...options })
}

/** An expected block: the header and these rows. */
export function lines(...rows: string[]): string {
  return [' Sources:', ...rows].join('\n')
}

/** A response that comes with the package, as JSON. */
export function example(name: string): string {
  return readFileSync(join(__dirname, '../examples', name), 'utf8')
}

export const at = {
  page: (startPageNumber: number, endPageNumber: number): CitationLocation => {
    return { type: 'page_location', startPageNumber, endPageNumber, documentIndex: 0 }
  },
  block: (startBlockIndex: number, endBlockIndex: number): CitationLocation => {
    return { type: 'content_block_location', startBlockIndex, endBlockIndex, documentIndex: 2 }
  },
  result: (startBlockIndex: number, endBlockIndex: number): CitationLocation => {
    return { type: 'search_result_location', startBlockIndex, endBlockIndex, searchResultIndex: 0 }
  },
  chars: (startCharIndex: number, endCharIndex: number): CitationLocation => {
    return { type: 'char_location', startCharIndex, endCharIndex, documentIndex: 0 }
  },
  chunk: (groundingChunkIndex: number): CitationLocation => {
    return { type: 'grounding', groundingChunkIndex }
  },
}

export const RUST = 'https://en.wikipedia.org/wiki/Rust_(programming_language)'
export const NOTES = 'https://blog.rust-lang.org/2015/05/15/Rust-1.0.html'
export const NODE = 'https://nodejs.org/en/about/releases'

export const SEARCH: CitationSource[] = [
  { title: 'History of Rust', url: RUST },
  { title: 'Rust Release Notes', url: NOTES },
]

export const REPORT: CitationSource[] = [
  {
    title: 'Q3 Revenue Report',
    citedText: 'Total revenue for Q3 2025 increased 15% year-over-year to $4.2 billion.',
    location: at.chars(1204, 1289),
  },
]

/** The blocks that the functional specification draws under "User Experience". */
export const SPECIFIED = {
  gemini: lines(`  1. History of Rust — ${RUST}`, `  2. Rust Release Notes — ${NOTES}`),
  anthropic: lines(
    '  1. "Q3 Revenue Report" (chars 1204–1289):',
    '     > "Total revenue for Q3 2025 increased 15% year-over-year to $4.2 billion."',
  ),
  openai: lines(`  1. Node.js Release Schedule — ${NODE}`),
}
