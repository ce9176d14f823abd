/** Answers with markers for the specs of `markers`, and the sources they name. */
import { expect } from 'vitest'
import { type CitationMarker, type CitationSource, markers } from '../index.js'

/** So many pages, the first at `https://s1.example/`. */
export function pages(count: number): CitationSource[] {
  return Array.from({ length: count }, (_, at) => {
    return { title: `Page ${at + 1}`, url: `https://s${at + 1}.example/` }
  })
}

/** OpenAI's private-use form of a citation of these ids and lines. */
export function privateUse(...words: string[]): string {
  return `\ue200cite\ue202${words.join('\ue202')}\ue201`
}

/** The dialect a marker is written in, by its first characters. */
function dialectOf(marker: string): CitationMarker['dialect'] {
  if (marker.startsWith('[^')) return 'footnote'
  if (marker.startsWith('[')) return 'brackets'
  if (marker.startsWith('【')) return 'lenticular'
  if (marker.startsWith('［')) return 'full-width'
  return marker.startsWith('\ue200') ? 'private-use' : 'superscript'
}

/** A case: an answer with its markers between `⟦` and `⟧`, the numbers of each, the sources if any. */
export type Case = [marked: string, numbers?: number[][], sources?: number]

/** The text of a case, and the places of its markers in UTF-16 units. */
export function unmarked(marked: string): { text: string; spans: [number, number][] } {
  const pieces = marked.split(/[⟦⟧]/)
  const spans: [number, number][] = []
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    if (index % 2) spans.push([at, at + piece.length])
    at += piece.length
  }
  return { text: pieces.join(''), spans }
}

/** That exactly the markers between `⟦` and `⟧` are found, with exact spans, numbers and dialects. */
export function expectMarkers([marked, numbers = [], sources]: Case): void {
  const { text, spans } = unmarked(marked)
  expect(spans, 'one list of numbers for each marker').toHaveLength(numbers.length)
  const found = markers.parseMarkers(text, sources === undefined ? undefined : pages(sources))
  for (const { start, end, text: written } of found) expect(text.slice(start, end)).toBe(written)
  expect(found).toEqual(
    spans.map(([start, end], at) => {
      const written = text.slice(start, end)
      return { start, end, text: written, numbers: numbers[at], dialect: dialectOf(written) }
    }),
  )
}
