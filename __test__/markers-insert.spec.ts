/**
 * Markers behind the spans they belong to: in order, once, behind whole characters, and nothing else in
 * the text changes.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CitationAnchor, insertMarkers } from '../index.js'
import {
  anthropicStream,
  charLocation,
  finished,
  gemini,
  grounded,
  link,
  openAiResponse,
  support,
  urlCitation,
  web,
} from './turns.js'

/** A span that ends at `end`. What it covers makes no difference to its marker. */
function upTo(end: number, ...sources: number[]): CitationAnchor {
  return { start: 0, end, text: '', sources }
}

/** `text` with the markers of these spans. */
function marked(text: string, ...anchors: CitationAnchor[]): string {
  return insertMarkers(text, { anchors })
}

/** What TypeScript would refuse: a value of any type where the declarations want another. */
const wrong = (value: unknown) => value as never

describe('order', () => {
  test.each<[string, CitationAnchor[], string]>([
    ['one span', [upTo(5, 1)], 'héllo[1] wörld.'],
    ['one span with several sources', [upTo(5, 3, 1, 2)], 'héllo[1][2][3] wörld.'],
    ['spans with the same end', [upTo(5, 1), upTo(5, 2)], 'héllo[1][2] wörld.'],
    ['spans with the same end, the later first', [upTo(5, 2), upTo(5, 1)], 'héllo[1][2] wörld.'],
    ['the same source twice', [upTo(5, 2, 2), upTo(5, 1, 2)], 'héllo[1][2] wörld.'],
    ['numbers of two digits', [upTo(5, 10, 2), upTo(5, 9)], 'héllo[2][9][10] wörld.'],
    ['spans in any order', [upTo(12, 1), upTo(5, 2)], 'héllo[2] wörld.[1]'],
    ['nested spans', [{ ...upTo(11, 1), start: 6 }, upTo(12, 2)], 'héllo wörld[1].[2]'],
    ['a span at the start', [upTo(0, 1)], '[1]héllo wörld.'],
    ['no spans', [], 'héllo wörld.'],
    ['a span without sources', [upTo(5)], 'héllo wörld.'],
  ])('%s', (_, anchors, expected) => {
    expect(marked('héllo wörld.', ...anchors)).toBe(expected)
  })

  test('the order of the list makes no difference', () => {
    const list = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 30 })))
    fc.assert(
      fc.property(list, (pairs) => {
        const anchors = pairs.map(([end, source]) => upTo(end, source))
        const out = marked('héllo wörld.', ...anchors)
        expect(marked('héllo wörld.', ...anchors.reverse())).toBe(out)
        for (const [group] of out.matchAll(/(\[\d+\])+/g)) {
          const numbers = [...group.matchAll(/\d+/g)].map(Number)
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
        }
      }),
    )
  })
})

describe('spaced', () => {
  test.each<[boolean | undefined, string]>([
    [true, 'Eins [1][2], zwei [3].'],
    [false, 'Eins[1][2], zwei[3].'],
    [undefined, 'Eins[1][2], zwei[3].'],
  ])('%s', (spaced, expected) => {
    const anchors = [upTo(4, 2), upTo(4, 1), upTo(10, 3)]
    expect(insertMarkers('Eins, zwei.', { anchors }, { spaced })).toBe(expected)
  })

  test('puts no space where there is no marker', () => {
    expect(insertMarkers('Eins.', { anchors: [upTo(4)] }, { spaced: true })).toBe('Eins.')
  })
})

describe('what is no span is passed over', () => {
  test.each<[string, unknown]>([
    ['beyond the end', upTo(6, 1)],
    ['far beyond the end', upTo(2 ** 40, 1)],
    ['negative', upTo(-1, 1)],
    ['NaN', upTo(Number.NaN, 1)],
    ['a fraction', upTo(1.5, 1)],
    ['infinite', upTo(Number.POSITIVE_INFINITY, 1)],
    ['text', { start: 0, end: '3', sources: [1] }],
    ['without an end', { start: 0, sources: [1] }],
    ['without sources', { start: 0, end: 3 }],
    ['with numbers that no source has', upTo(3, 0, -1, 1.5, Number.NaN)],
    ['null', null],
    ['a number', 5],
    ['a list', [0, 3, [1]]],
  ])('%s', (_, anchor) => {
    expect(marked('Eins.', wrong(anchor))).toBe('Eins.')
    expect(marked('Eins.', wrong(anchor), upTo(4, 7))).toBe('Eins[7].')
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ['a payload without anchors', { text: '', sources: [] }],
    ['anchors that are no list', { anchors: 'none' }],
    [
      'anchors that throw',
      {
        get anchors() {
          throw new Error('no')
        },
      },
    ],
  ])('%s', (_, payload) => {
    expect(insertMarkers('Eins.', wrong(payload))).toBe('Eins.')
  })
})

describe('misuse is a TypeError that names the value', () => {
  test.each<[string, () => unknown, string[]]>([
    ['text', () => insertMarkers(wrong(5), { anchors: [] }), ['text', '5']],
    ['no text', () => insertMarkers(wrong(undefined), { anchors: [] }), ['text']],
    ['options', () => insertMarkers('', { anchors: [] }, wrong(true)), ['options', 'true']],
    ['spaced', () => insertMarkers('', { anchors: [] }, wrong({ spaced: 'x' })), ['spaced', "'x'"]],
    ['spaced', () => insertMarkers('', { anchors: [] }, wrong({ spaced: 1 })), ['spaced', '1']],
  ])('%s', (_, call, words) => {
    expect(call).toThrow(TypeError)
    for (const word of words) expect(call).toThrow(word)
  })
})

describe('whole characters', () => {
  test.each<[string, string]>([
    ['a character of two units', '😀'],
    ['a family', '👩‍👩‍👧‍👦'],
    ['a skin tone', '👍🏽'],
    ['a combining accent', 'e\u0301'],
    ['several combining marks', 'o\u0308\u0323'],
    ['a flag', '🇩🇪'],
    ['a flag of tags', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a variation selector', '❤️'],
    ['a keycap', '1️⃣'],
    ['Hangul of three parts', '\u1112\u1161\u11ab'],
  ])('%s is never cut', (_, character) => {
    const text = `ab${character}cd`
    for (let end = 3; end < 2 + character.length; end++) {
      expect(marked(text, upTo(end, 1)), `ends at ${end}`).toBe(`ab${character}[1]cd`)
    }
    expect(marked(text, upTo(2, 1))).toBe(`ab[1]${character}cd`)
    expect(marked(text, upTo(2 + character.length, 1))).toBe(`ab${character}[1]cd`)
  })

  test.each(['\n', '\r\n', '\n\n', '\n  '])('the start of a line is no place: %j', (gap) => {
    // A marker there would be part of what follows, which may be a list, a heading or code.
    for (let end = 2; end <= 2 + gap.length; end++) {
      expect(marked(`ab${gap}cd`, upTo(end, 1)), `ends at ${end}`).toBe(`ab[1]${gap}cd`)
    }
  })

  test('a marker stands at the first boundary at or behind the end of its span', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    const pieces = [
      'a',
      ' ',
      'é',
      '漢',
      'e\u0301',
      '😀',
      '👍🏽',
      '👩‍👩‍👧',
      '🇩🇪',
      '🇫🇷',
      'שָ',
      '\u200d',
      '.',
    ]
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 20 })
    fc.assert(
      fc.property(texts, fc.nat({ max: 60 }), (list, end) => {
        const text = `a${list.join('')}`
        const boundaries = [...segmenter.segment(text)].map(({ index }) => index)
        const place = [...boundaries, text.length].find((boundary) => boundary >= end)
        const expected =
          place === undefined ? text : `${text.slice(0, place)}[1]${text.slice(place)}`
        expect(marked(text, upTo(end, 1))).toBe(expected)
      }),
      { numRuns: 500 },
    )
  })

  test('without its markers prose is what it was', () => {
    const words = fc.constantFrom('Wort ', 'naïve ', '漢字', '😀', '. ', '\n', '\n\n', 'שלום ')
    const ends = fc.array(fc.nat({ max: 80 }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(words), ends, fc.boolean(), (list, places, spaced) => {
        const text = list.join('')
        const anchors = places.map((end, at) => upTo(end, at + 1, 3))
        const out = insertMarkers(text, { anchors }, { spaced })
        expect(out.replace(spaced ? / (\[\d\])+/g : /(\[\d\])+/g, '')).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the payload of a turn', () => {
  const A = 'https://a.example/'

  test('of Gemini', () => {
    const answer = 'Größe: 5 m 😀. Alter: 3.'
    const supports = [support(answer, 'Größe: 5 m 😀.', [1, 0]), support(answer, 'Alter: 3', [1])]
    const chunks = [web(A, 'A'), web('https://b.example/', 'B')]
    const payload = finished([gemini(answer, grounded(chunks, supports))])
    expect(insertMarkers(payload.answer, payload)).toBe('Größe: 5 m 😀.[1][2] Alter: 3[2].')
  })

  test('of OpenAI, behind links and at the point a file is cited', () => {
    const answer = `Ja ${link(A)}, wie in den Notizen .`
    const index = answer.length - 1
    const file = { type: 'file_citation', file_id: 'f', filename: 'n.md', index }
    const payload = finished([openAiResponse(answer, [urlCitation(answer, A, 'A'), file])])
    expect(insertMarkers(payload.answer, payload)).toBe(`Ja ${link(A)}[1], wie in den Notizen [2].`)
  })

  test('of Anthropic, behind each block', () => {
    const blocks: [string, object[]?][] = [
      ['Gras ist grün', [charLocation('N', 0, 'Gras.'), charLocation('N', 9, 'Grün.')]],
      [', und '],
      ['der Himmel blau', [charLocation('N', 9, 'Grün.')]],
      ['.'],
    ]
    const payload = finished(anthropicStream(blocks), { documents: true })
    expect(insertMarkers(payload.answer, payload)).toBe(
      'Gras ist grün[1][2], und der Himmel blau[2].',
    )
  })
})

test('behind the spans of a very long answer too', () => {
  const anchors = [{ start: 0, end: 5, text: 'xxxxx', sources: [1] }]
  const marked = insertMarkers('x'.repeat(40_000_000), { anchors })
  expect(marked.slice(0, 10)).toBe('xxxxx[1]xx')
  expect(marked.length).toBe(40_000_003)
})
