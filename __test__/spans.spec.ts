/**
 * Offsets that are right: whatever unit a provider counts in and whatever text it counts in, the anchor
 * is the same slice of the answer in UTF-16, checked against plain JavaScript.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TurnPayload } from '../index.js'
import {
  bytesOf,
  claims,
  codePointsOf,
  finished,
  gemini,
  grounded,
  link,
  openAiResponse,
  places,
  reports,
  web,
} from './turns.js'

const A = 'https://a.example/'
const B = 'https://b.example/b'

/** What a Gemini answer of these parts comes to when these segments lean on one page. */
function segments(parts: string | object[], ...list: unknown[]): TurnPayload {
  const supports = list.map((segment) => ({ segment, groundingChunkIndices: [0] }))
  return finished([gemini(parts, grounded([web(A, 'A')], supports))])
}

/** Accents, scripts of two and three bytes, characters of two units, and several that join up. */
const PIECES = [
  'a',
  'word',
  ' ',
  '.\n',
  'é',
  'ß',
  '漢字',
  '한',
  '—',
  'e\u0301',
  'o\u0308\u0323',
  '😀',
  '👍🏽',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '❤️',
  'שלום',
  'مرحبا',
  '\u200f',
  '**',
  '𝒳',
]
const texts = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 24 })
  .map((pieces) => {
    return pieces.join('')
  })

/** A text and two places between its code points, the first before the second. */
const slices = texts.chain((text) => {
  const characters = Array.from(text)
  const place = fc.nat({ max: characters.length })
  const before = (count: number) => characters.slice(0, count).join('')
  return fc
    .tuple(place, place)
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => ({ text, start: before(Math.min(a, b)), end: before(Math.max(a, b)) }))
})

describe('bytes of Gemini', () => {
  test.each<[string, string, number | undefined, number, [number, number]]>([
    ['plain letters', 'plain text', 6, 10, [6, 10]],
    ['behind an accent', 'é is e', 3, 5, [2, 4]],
    ['an accent', 'é is e', undefined, 2, [0, 1]],
    ['a combining accent', 'e\u0301x', undefined, 3, [0, 2]],
    ['behind a combining accent', 'e\u0301x', 3, 4, [2, 3]],
    ['the second of two ideographs', '漢字 ok', 3, 6, [1, 2]],
    ['behind ideographs', '漢字 ok', 7, 9, [3, 5]],
    ['a character of two units', 'é😀x', 2, 6, [1, 3]],
    ['behind a character of two units', 'é😀x', 6, 7, [3, 4]],
    ['a skin tone', '👍🏽!', undefined, 8, [0, 4]],
    ['behind a skin tone', '👍🏽!', 8, 9, [4, 5]],
    ['a family', '👩‍👩‍👧x', undefined, 18, [0, 8]],
    ['behind a family', '👩‍👩‍👧x', 18, 19, [8, 9]],
    ['a flag', 'x🇩🇪', 1, 9, [1, 5]],
    ['Hebrew', 'שלום x', undefined, 8, [0, 4]],
    ['behind Hebrew', 'שלום x', 9, 10, [5, 6]],
  ])('%s', (_, text, startIndex, endIndex, place) => {
    const quoted = { startIndex, endIndex, text: text.slice(...place) }
    for (const segment of [quoted, { startIndex, endIndex }]) {
      const payload = segments(text, segment)
      expect(places(payload)).toEqual([place])
      expect(payload.diagnostics).toEqual([])
    }
  })

  test('agree with JavaScript for any slice of any text, cut into events anywhere', () => {
    fc.assert(
      fc.property(slices, fc.boolean(), fc.nat(), ({ text, start, end }, quoted, seed) => {
        const quote = end.slice(start.length)
        const at = { startIndex: bytesOf(start), endIndex: bytesOf(end) }
        const segment = quoted ? { ...at, text: quote } : at
        const characters = Array.from(text)
        const cut = seed % (characters.length + 1)
        const metadata = grounded([web(A, 'A')], [{ segment, groundingChunkIndices: [0] }])
        const payload = finished([
          gemini(characters.slice(0, cut).join('')),
          gemini(characters.slice(cut).join(''), metadata),
        ])
        expect(payload.answer).toBe(text)
        expect(payload.anchors).toEqual([
          { start: start.length, end: end.length, text: quote, sources: [1] },
        ])
        expect(payload.diagnostics).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test.each([undefined, null, 0])('a start that is %s is zero', (startIndex) => {
    const text = 'Ein Satz.'
    expect(places(segments(text, { startIndex, endIndex: 9, text }))).toEqual([[0, 9]])
    expect(places(segments(text, { startIndex, endIndex: 3 }))).toEqual([[0, 3]])
  })

  test.each<[string, number, number, string]>([
    ['in its last character', 1, 3, '漢'],
    ['in its first character', 2, 5, '漢b'],
    ['in both', 2, 6, '漢b😀'],
    ['inside one character', 2, 3, '漢'],
    ['inside two units', 6, 8, '😀'],
  ])(
    'a span that begins or ends %s grows to whole characters, and says so',
    (_, from, to, text) => {
      const payload = segments('a漢b😀c', { startIndex: from, endIndex: to })
      expect(claims(payload)).toEqual([[text, [1]]])
      expect(reports(payload)).toEqual({ span_moved: 1 })
    },
  )
})

describe('the part a segment counts in', () => {
  const ONE = { text: 'Über eins. ' }
  const TWO = { text: 'Und zwei.' }
  const THOUGHT = { text: 'Hm, hm, hm.', thought: true }
  const CODE = { executableCode: { language: 'PYTHON', code: '1' } }
  const zwei = { startIndex: 4, endIndex: 8 }
  const eins = { startIndex: 6, endIndex: 10 }

  test.each<[string, object[], object, string]>([
    ['the second', [ONE, TWO], { partIndex: 1, ...zwei }, 'zwei'],
    ['the first', [ONE, TWO], { partIndex: 0, ...eins }, 'eins'],
    ['the first, as zero is left out', [ONE, TWO], eins, 'eins'],
    ['the third, behind a thought', [THOUGHT, ONE, TWO], { partIndex: 2, ...zwei }, 'zwei'],
    ['the second, behind a thought', [THOUGHT, ONE, TWO], { partIndex: 1, ...eins }, 'eins'],
    ['the second, behind code', [CODE, ONE], { partIndex: 1, ...eins }, 'eins'],
    [
      'the third, behind an empty part',
      [ONE, { text: '' }, TWO],
      { partIndex: 2, ...zwei },
      'zwei',
    ],
    ['none: all visible text', [THOUGHT, ONE, TWO], { startIndex: 16, endIndex: 20 }, 'zwei'],
  ])('%s', (_, parts, segment, text) => {
    for (const quoted of [segment, { ...segment, text }]) {
      const payload = segments(parts, quoted)
      expect(claims(payload)).toEqual([[text, [1]]])
      expect(payload.diagnostics).toEqual([])
    }
  })

  test('the quotation decides where the number of the part is wrong', () => {
    const segment = { partIndex: 1, startIndex: 16, endIndex: 20, text: 'zwei' }
    const payload = segments([ONE, TWO], segment)
    expect(claims(payload)).toEqual([['zwei', [1]]])
    expect(payload.diagnostics).toEqual([])
  })

  test('words that moved are looked for near their part', () => {
    const same = 'Ja, gut. '
    const segment = { partIndex: 1, startIndex: 1, endIndex: 9, text: 'Ja, gut.' }
    const payload = segments([{ text: same }, { text: same }], segment)
    expect(places(payload)).toEqual([[same.length, same.length + 8]])
    expect(reports(payload)).toEqual({ span_moved: 1 })
  })
})

describe('supports without a place', () => {
  test.each<[string, object]>([
    ['missing', {}],
    ['null', { segment: null }],
    ['a number', { segment: 5 }],
    ['text', { segment: 'Ein' }],
    ['a list', { segment: [0, 3] }],
    ['empty', { segment: {} }],
    ['empty at its place', { segment: { startIndex: 3, endIndex: 3 } }],
    ['the wrong way round', { segment: { startIndex: 4, endIndex: 2 } }],
  ])('a segment that is %s anchors nothing, and the source stays', (_, fields) => {
    const supports = [{ ...fields, groundingChunkIndices: [0] }]
    const payload = finished([gemini('Ein Satz.', grounded([web(A, 'A')], supports))])
    expect(payload.anchors).toEqual([])
    expect(payload.sources).toHaveLength(1)
  })
})

describe('characters of OpenAI', () => {
  /** An annotation of the link to `url`, counted in `unit`. */
  const cited = (text: string, url: string, unit: (text: string) => number) => {
    const start_index = unit(text.slice(0, text.indexOf(link(url))))
    return {
      type: 'url_citation',
      url,
      title: 'T',
      start_index,
      end_index: start_index + link(url).length,
    }
  }
  const utf16Of = (text: string) => text.length

  test('code points or UTF-16 units: the link decides, in any text', () => {
    fc.assert(
      fc.property(texts, texts, texts, fc.boolean(), (before, between, after, utf16) => {
        const text = `${before}${link(A)}${between}${link(B)}${after}`
        const unit = utf16 ? utf16Of : codePointsOf
        const payload = finished([
          openAiResponse(text, [cited(text, A, unit), cited(text, B, unit)]),
        ])
        expect(places(payload)).toEqual([
          [before.length, before.length + link(A).length],
          [text.indexOf(link(B)), text.indexOf(link(B)) + link(B).length],
        ])
        expect(payload.diagnostics).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('a stored file is cited at a point', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const index = codePointsOf(before)
        const annotation = { type: 'file_citation', file_id: 'f', filename: 'n.md', index }
        const { anchors } = finished([openAiResponse(before + after, [annotation])])
        expect(anchors).toEqual([
          { start: before.length, end: before.length, text: '', sources: [1] },
        ])
      }),
    )
  })

  const PATH = 'sandbox:/mnt/data/plot.csv'
  const container = (start_index: number, end_index: number) => {
    const file = { container_id: 'c', file_id: 'cf', filename: 'plot.csv' }
    return { type: 'container_file_citation', ...file, start_index, end_index }
  }

  test.each([
    ['code points', codePointsOf],
    ['UTF-16 units', utf16Of],
  ])('a file of a container is cited by its path, in %s', (_, unit) => {
    const text = `😀😀 Größe: [plot](${PATH}).`
    const start = unit(text.slice(0, text.indexOf(PATH)))
    const payload = finished([openAiResponse(text, [container(start, start + PATH.length)])])
    expect(claims(payload)).toEqual([[PATH, [1]]])
    expect(payload.sources[0]).toMatchObject({ title: 'plot.csv', fileId: 'cf' })
    expect(payload.diagnostics).toEqual([])
  })

  test.each<[string, object]>([
    ['a picture of a container, which has no place', container(0, 0)],
    ['a file the model made', { type: 'file_path', file_id: 'f', index: 3 }],
    ['a page without a place', { type: 'url_citation', url: A, title: 'T' }],
    ['a page at zero', { type: 'url_citation', url: A, title: 'T', start_index: 0, end_index: 0 }],
  ])('%s is a source without an anchor and without a report', (_, annotation) => {
    const payload = finished([openAiResponse('A picture.', [annotation])])
    expect(payload.sources).toHaveLength(1)
    expect(payload.anchors).toEqual([])
    expect(payload.diagnostics).toEqual([])
  })
})
