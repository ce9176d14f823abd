/**
 * Answers nobody has recorded: random texts of many scripts with random citations. This file has what
 * all providers share; the files beside it write such answers down as one provider would send them.
 */
import fc from 'fast-check'

/** What was put into an answer, and so what must be found in it. Spans are in UTF-16 units. */
export interface Planned {
  answer: string
  /** What is cited, each once, in the order in which it is first cited or listed. */
  pages: string[]
  anchors: { start: number; end: number; text: string; sources: number[]; confidence?: number }[]
}

export interface Generated extends Planned {
  /** The response in one piece. */
  whole: object
  /** The same response as a stream. */
  events: object[]
}

/** Accents, CJK, joined and coloured emoji, flags, combining marks, right to left, JSON's own marks. */
const FRAGMENTS = [
  ...['plain words ', 'one', ' ', '.\n\n', '**', '`x` ', '"', '\\', '{}', '$&', '\u2028', '\t'],
  ...['naïve café ', 'Straße', '漢字', 'かな', '한국어', '。', 'שלום ', 'مرحبا ', '\u200F'],
  ...['😀', '👩‍👩‍👧‍👦', '👍🏽', '🇩🇪', '𝔘', '☝️', 'e\u0301', '\u0301', '\u200D', 'ก็', 'क्षि'],
]

/** Any text, even none. */
export const text = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 })
  .map((list) => list.join(''))
/** Text that is not empty. */
export const someText = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 8 })
  .map((list) => list.join(''))

const PAGE_COUNT = 5
export const page = fc.nat(PAGE_COUNT - 1)
export const pageUrl = (index: number) => `https://site-${index}.example/page`

/** Cuts text between characters, anywhere; at least one piece. */
export function inPieces(whole: string, cuts: readonly number[]): string[] {
  const characters = Array.from(whole)
  const at = [...cuts.map((cut) => cut % (characters.length + 1)), characters.length]
  const ends = [...new Set(at)].sort((a, b) => a - b)
  return ends.map((end, index) => characters.slice(ends[index - 1] ?? 0, end).join(''))
}

export const cuts = fc.array(fc.nat(200), { maxLength: 12 })

export function utf8Length(value: string): number {
  return new TextEncoder().encode(value).length
}

/** The numbers of pages, as a span lists them. */
export function numbers(keys: readonly string[], pages: readonly string[]): number[] {
  return [...new Set(keys.map((key) => pages.indexOf(key) + 1))].sort((a, b) => a - b)
}

/** The spans of segments that stand side by side. */
export function spansOf<S extends { text: string }>(segments: readonly S[]) {
  let at = 0
  return segments.map((segment) => {
    const start = at
    at += segment.text.length
    return { segment, start, end: at, text: segment.text }
  })
}
