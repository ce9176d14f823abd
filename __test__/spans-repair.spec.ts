/**
 * Offsets that are wrong: the provider's own words, or the link that must stand there, find the right
 * place; where nothing can be defended the span is dropped, the source stays, and a report says so once.
 */
import { describe, expect, test } from 'vitest'
import type { TurnPayload } from '../index.js'
import {
  bytesOf,
  claims,
  finished,
  finishedWith,
  gemini,
  grounded,
  link,
  openAiResponse,
  places,
  reports,
  support,
  urls,
  web,
} from './turns.js'

const A = 'https://a.example/'
const B = 'https://b.example/b'

/** What a Gemini answer comes to when this segment leans on one page. */
function segment(text: string, segment: object): TurnPayload {
  const supports = [{ segment, groundingChunkIndices: [0] }]
  const payload = finished([gemini(text, grounded([web(A, 'A')], supports))])
  expect(urls(payload)).toEqual([A])
  return payload
}

function expectLost(payload: TurnPayload): void {
  expect(payload.anchors).toEqual([])
  expect(reports(payload)).toEqual({ span_lost: 1 })
}

describe('a quotation that stands elsewhere', () => {
  const TEXT = 'Köln is old. Bonn is small. Köln is old.'
  const OLD = 'Köln is old.'
  const LATER = bytesOf(TEXT.slice(0, TEXT.lastIndexOf(OLD)))
  const first: [number, number] = [0, 12]
  const second: [number, number] = [TEXT.length - 12, TEXT.length]

  test.each<[string, number, number, [number, number]]>([
    ['one too far', 1, 14, first],
    ['nearer to the first', 9, 22, first],
    ['nearer to the second', LATER - 5, LATER + 8, second],
    ['one short of the second', LATER - 1, LATER + 12, second],
    ['one past the second, beyond the end', LATER + 1, LATER + 14, second],
    ['far beyond the end', 1_000_000, 1_000_013, second],
    ['with a wrong end', 0, 5, first],
    ['the wrong way round', 13, 0, first],
  ])('%s, moves the span to the nearest', (_, startIndex, endIndex, place) => {
    const payload = segment(TEXT, { startIndex, endIndex, text: OLD })
    expect(places(payload)).toEqual([place])
    expect(reports(payload)).toEqual({ span_moved: 1 })
  })

  test('a whole answer that lost its leading line break is mended, however long', () => {
    const sentences = Array.from({ length: 150 }, (_, i) => `Satz ${i} ist größer als zuvor.`)
    const sent = `\n${sentences.join(' ')}`
    const supports = sentences.map((sentence) => support(sent, sentence, [0]))
    const payload = finished([gemini(sent.slice(1), grounded([web(A, 'A')], supports))])
    expect(reports(payload)).toEqual({ span_moved: 150 })
    expect(claims(payload)).toEqual(sentences.map((sentence) => [sentence, [1]]))
  })

  test.each([
    ['is not in the answer', 'Aachen is old.'],
    ['differs in case', 'KÖLN IS OLD.'],
    ['is longer than the answer', TEXT + TEXT],
  ])('that %s is lost', (_, text) => {
    expectLost(segment(TEXT, { startIndex: 1, endIndex: 14, text }))
  })

  test.each(['**', '.', ' ', '—', '1.', '- '])('%j is too little to look for', (text) => {
    const marked = `1. **Köln** — is — **old**. - x ${text}`
    expectLost(segment(marked, { startIndex: 5, endIndex: 5 + bytesOf(text), text }))
  })

  test('marks at their right place need no search', () => {
    const payload = segment('Is **bold** now', { startIndex: 3, endIndex: 5, text: '**' })
    expect(places(payload)).toEqual([[3, 5]])
  })
})

describe('numbers that are no offsets', () => {
  const TEXT = 'Erst dies. Dann das.'
  const bad: [string, unknown][] = [
    ['negative', -5],
    ['NaN', Number.NaN],
    ['a fraction', 1.5],
    ['infinite', Number.POSITIVE_INFINITY],
    ['huge', 1e300],
    ['beyond exact numbers', 2 ** 60],
    ['text', '4'],
    ['a big integer', 4n],
    ['an object', { valueOf: () => 4 }],
  ]

  test.each(bad)('%s: the quotation finds the place', (_, startIndex) => {
    const payload = segment(TEXT, { startIndex, endIndex: 20, text: 'Dann das.' })
    expect(places(payload)).toEqual([[11, 20]])
  })

  test.each(bad)('%s as a start: without a quotation no place is made up', (_, startIndex) => {
    expectLost(segment(TEXT, { startIndex, endIndex: 10 }))
  })

  test.each(bad)('%s as an end: without a quotation no anchor leaves the answer', (_, endIndex) => {
    const payload = segment(TEXT, { startIndex: 11, endIndex })
    for (const { start, end } of payload.anchors) expect([start, end]).toEqual([11, 20])
    expect(payload.diagnostics).toHaveLength(1)
  })

  test('beyond the end: clipped where it begins inside, lost where it does not', () => {
    const clipped = segment(TEXT, { startIndex: 11, endIndex: 99 })
    expect(claims(clipped)).toEqual([['Dann das.', [1]]])
    expect(reports(clipped)).toEqual({ span_moved: 1 })
    expectLost(segment(TEXT, { startIndex: 20, endIndex: 21 }))
    expectLost(segment(TEXT, { startIndex: 90, endIndex: 99 }))
    expectLost(segment('', { startIndex: 0, endIndex: 4 }))
  })

  test.each(bad)('%s in an annotation of OpenAI: the source stays', (_, index) => {
    const at = { start_index: index, end_index: index }
    const payload = finished([
      openAiResponse(TEXT, [
        { type: 'url_citation', url: A, title: 'A', ...at },
        { type: 'file_citation', file_id: 'f', filename: 'n.md', index },
        { type: 'container_file_citation', file_id: 'c', filename: 'c.csv', ...at },
      ]),
    ])
    expect(payload.sources.map(({ title }) => title)).toEqual(['A', 'n.md', 'c.csv'])
    expect(payload.anchors).toEqual([])
  })
})

describe('sources that are not listed', () => {
  const TEXT = 'Ein Satz.'
  const leaning = (...groundingChunkIndices: unknown[]) => {
    const supports = [{ segment: { endIndex: 9, text: TEXT }, groundingChunkIndices }]
    return finished([gemini(TEXT, grounded([web(A, 'A'), {}, web(B, 'B')], supports))])
  }

  test.each<[string, unknown[], number[]]>([
    ['beyond the list', [0, 3], [1]],
    ['an empty chunk', [1, 2], [2]],
    ['far beyond the list', [0, 2 ** 40], [1]],
    ['negative', [-1, 2], [2]],
    ['a fraction', [0.5, 2], [2]],
    ['NaN', [0, Number.NaN], [1]],
  ])('an index that is %s is dropped and reported', (_, indices, numbers) => {
    const payload = leaning(...indices)
    expect(claims(payload)).toEqual([[TEXT, numbers]])
    expect(reports(payload)).toEqual({ source_not_listed: 1 })
  })

  test('a span that leans on nothing listed is no anchor', () => {
    const payload = leaning(7, 8, 9)
    expect(payload.anchors).toEqual([])
    expect(reports(payload)).toEqual({ source_not_listed: 3 })
  })

  test('supports without any list are reported', () => {
    const groundingSupports = [support(TEXT, TEXT, [0, 1])]
    const payload = finished([gemini(TEXT, { groundingMetadata: { groundingSupports } })])
    expect(payload).toMatchObject({ sources: [], anchors: [] })
    expect(reports(payload)).toEqual({ source_not_listed: 2 })
  })

  test('an index that names the same source twice counts once', () => {
    expect(claims(leaning(0, 0, 2, 0))).toEqual([[TEXT, [1, 2]]])
  })
})

describe('links of OpenAI', () => {
  const TEXT = `Eins ${link(A)}. Zwei ${link(B)} und drei ${link(A)}.`
  const cite = (start_index: number, end_index: number, url = A) => {
    return finished([
      openAiResponse(TEXT, [{ type: 'url_citation', url, title: 'T', start_index, end_index }]),
    ])
  }
  const last = TEXT.lastIndexOf(link(A))

  test.each<[string, number, number, [number, number]]>([
    ['at the words before it', 0, 4, [5, 5 + link(A).length]],
    ['near the second', last - 6, last - 1, [last, last + link(A).length]],
    ['beyond the end', 900, 990, [last, last + link(A).length]],
  ])('a span %s moves to the nearest link', (_, start, end, place) => {
    const payload = cite(start, end)
    expect(places(payload)).toEqual([place])
    expect(reports(payload)).toEqual({ span_moved: 1 })
  })

  test.each([-4, -2, -1, 1, 2, 4])('a span that is off by %i is the whole link again', (off) => {
    const payload = cite(5 + off, 5 + link(A).length + off)
    expect(claims(payload)).toEqual([[link(A), [1]]])
    expect(reports(payload)).toEqual({ span_moved: 1 })
  })

  test.each<[string, string]>([
    ['without its parentheses', link(A).slice(1, -1)],
    ['by its address', A],
    ['with the words before it', `Eins ${link(A)}`],
  ])('a link that is cited %s is not cut', (_, words) => {
    const start = TEXT.indexOf(words)
    const payload = cite(start, start + words.length)
    expect(claims(payload)).toEqual([[words, [1]]])
    expect(payload.diagnostics).toEqual([])
  })

  test('a span that holds its link and goes on behind it keeps all of it', () => {
    const words = `${link(A).slice(1)}. Zwei`
    const start = TEXT.indexOf(words)
    const payload = cite(start, start + words.length)
    expect(claims(payload)).toEqual([[words, [1]]])
    expect(payload.diagnostics).toEqual([])
  })

  /** What a span from the start of `from` to the end of `to` comes to. */
  const between = (text: string, from: string, to: string) => {
    const end_index = text.indexOf(to) + to.length
    const at = { start_index: text.indexOf(from), end_index }
    return claims(finished([openAiResponse(text, [{ type: 'url_citation', url: A, ...at }])]))
  }

  test.each<[string, string]>([
    ['another paragraph', 'The range is [0, 1) and so on.\n\nSee '],
    ['another link', `The range [0, 1) [of](${B}) `],
    ['the same line', 'The range is [0, 1) and so on. '],
  ])('a label with a bracket too many is none that begins in %s', (_, before) => {
    const words = `([a] b](${A}))`
    expect(between(`${before}${words}.`, words, words)).toEqual([[words, [1]]])
  })

  test.each(['another paragraph.\n\n', `[link](${B}) `])(
    'a cut label that begins nowhere: %s',
    (before) => {
      const text = `The range [0, 1) in ${before}a] b](${A}).`
      expect(between(text, `b](${A}`, A)).toEqual([[`b](${A}`, [1]]])
    },
  )

  test.each([0, 1, 2])('a claim whose link is %i short keeps its words', (short) => {
    const text = `Rust is an old language ${link(A)}. So is Go.`
    const words = text.slice(0, text.indexOf('. So'))
    const cut = words.slice(0, words.length - short)
    expect(between(text, 'Rust', cut)).toEqual([[words, [1]]])
  })

  test('a service that cites the claim has no link to show for it', () => {
    const payload = cite(0, 4, 'https://elsewhere.example/')
    expect(claims(payload)).toEqual([['Eins', [1]]])
    expect(payload.diagnostics).toEqual([])
  })

  test.each([
    ['beyond the end', 900, 990],
    ['the wrong way round', 9, 3],
  ])('a span %s without a link is lost', (_, start, end) => {
    const payload = cite(start, end, 'https://elsewhere.example/')
    expect(urls(payload)).toEqual(['https://elsewhere.example/'])
    expectLost(payload)
  })

  test('a point beyond the end is lost', () => {
    const annotation = { type: 'file_citation', file_id: 'f', filename: 'n.md', index: 500 }
    const payload = finished([openAiResponse('Kurz.', [annotation])])
    expect(payload.sources).toHaveLength(1)
    expectLost(payload)
  })
})

describe("links of OpenAI in the host's answer", () => {
  /** Annotations of every link to the page, in UTF-16 units. */
  const all = (text: string, words = link(A)) =>
    [...text.matchAll(new RegExp(words.replace(/[^\w\s]/g, '\\$&'), 'g'))].map(({ index }) => {
      const at = { start_index: index, end_index: index + words.length }
      return { type: 'url_citation', url: A, title: 'T', ...at }
    })
  /** Where they stand in the text. */
  const linked = (text: string, words = link(A)) =>
    all(text, words).map(({ start_index, end_index }) => [start_index, end_index])

  const TEXT = `\n\nÄ one ${link(A)}. Two ${link(A)} and ${link(A)}.\n`

  test.each<[string, string]>([
    ['trimmed', TEXT.trim()],
    ['trimmed in front', TEXT.trimStart()],
    ['trimmed behind', TEXT.trimEnd()],
    ['continued', `${TEXT} More.`],
    ['with words before it', `${'Before. '.repeat(20)}${TEXT}`],
    ['trimmed, with words before it', `Note: ${TEXT.trim()}`],
    ['with words in between', TEXT.replace('Two', `${'Well then. '.repeat(20)}Two`)],
    ['with other line breaks', TEXT.replaceAll('\n', '\r\n')],
    ['with other words in between', TEXT.replace('one', 'thing')],
  ])('%s: spans are the links', (_, answer) => {
    const payload = finishedWith(answer, [openAiResponse(TEXT, all(TEXT))])
    expect(places(payload)).toEqual(linked(answer))
  })

  test('equal links keep their order where as much is trimmed as lies between them', () => {
    const item = `- ${link(A)}\n`
    for (const blanks of [item.length, item.length * 2 - 3, item.length * 3]) {
      const text = '\n'.repeat(blanks) + item.repeat(5)
      const payload = finishedWith(text.trim(), [openAiResponse(text, all(text))])
      expect(places(payload), `${blanks}`).toEqual(linked(text.trim()))
    }
  })

  test.each<[string, (at: number) => string]>([
    ['equal', () => A],
    ['different', (at) => `${A}${at}.html`],
  ])('%s links in an answer whose every line is another are all found', (_, url) => {
    const lines = Array.from({ length: 300 }, (_, at) => `${link(url(at))}.\n`)
    const text = lines.join('')
    const ends = lines.map((_, at) => lines.slice(0, at + 1).join('').length - 2)
    const annotations = lines.map((_, at) => {
      const end_index = ends[at]!
      const start_index = end_index - link(url(at)).length
      return { type: 'url_citation', url: url(at), title: 'T', start_index, end_index }
    })
    const answer = text.replaceAll('\n', '\r\n')
    for (const before of ['', 'Words by the host. '.repeat(20)]) {
      const payload = finishedWith(before + answer, [openAiResponse(text, annotations)])
      const shifts = annotations.map((one, at) => ({ ...one, shift: before.length + at }))
      expect(places(payload)).toEqual(
        shifts.map(({ start_index, end_index, shift }) => [start_index + shift, end_index + shift]),
      )
    }
  })

  test('links with other words in between and around each are all found', () => {
    const urls = Array.from({ length: 300 }, (_, at) => `${A}${at}`)
    const line = (url: string) => `${link(url)}\n`
    const text = urls.map(line).join('')
    const [head, tail] = [urls.slice(0, 9), urls.slice(9)].map((some) => some.map(line).join(''))
    const answer = `${head}${'Words by the host.\n'.repeat(90)}${tail}`.replaceAll('\n', '\r\n')
    const cited = (text: string) =>
      urls.flatMap((url) => all(text, link(url)).map((one) => ({ ...one, url })))
    const payload = finishedWith(answer, [openAiResponse(text, cited(text))])
    expect(places(payload)).toEqual(
      cited(answer).map(({ start_index, end_index }) => [start_index, end_index]),
    )
  })

  test('several parts with the same words, each link at its place', () => {
    const text = `See ${link(A)}. `
    const part = { type: 'output_text', text, annotations: all(text) }
    const message = { type: 'message', content: [part, part] }
    const payload = finishedWith(`${text}${text}.`, [
      { id: 'r', object: 'response', output: [message] },
    ])
    expect(places(payload)).toEqual(linked(text + text))
  })

  test.each([60, 120])('links behind %i that are gone are all found', (gone) => {
    const urls = Array.from({ length: gone + 20 }, (_, at) => `${A}${at}`)
    const claim = (url: string, at: number) => `Claim ${at} of so many words ${link(url)}.\n`
    const lines = urls.map(claim)
    const cited = (text: string, some: string[]) =>
      some.flatMap((url) => all(text, link(url)).map((one) => ({ ...one, url })))
    const text = lines.join('')
    const answer = `${lines.slice(gone).join('')}Bye.`
    const payload = finishedWith(answer, [openAiResponse(text, cited(text, urls))])
    expect(places(payload)).toEqual(
      cited(answer, urls.slice(gone)).map(({ start_index, end_index }) => [start_index, end_index]),
    )
  })

  describe('that repeats what it says', () => {
    const C = 'https://c.example/'
    const pages = [A, B, C].map((url) => ({ url, words: link(url) }))
    const part = (name: string) =>
      pages.map(({ words }, at) => `${name} ${'one two three'.split(' ')[at]} ${words}. `).join('')
    const TWICE = `${part('Summary')}\n\n${part('Details')}`
    const cited = (text: string) =>
      pages
        .flatMap(({ url, words }) => all(text, words).map((one) => ({ ...one, url })))
        .sort((a, b) => a.start_index - b.start_index)
    const first = link(A)
    const cut = Math.floor(first.length / 2)

    test.each<[string, string]>([
      ['without its first link', TWICE.replace(first, '')],
      ['without its first sentence', TWICE.replace(`Summary one ${first}. `, '')],
      ['with a marker for its first link', TWICE.replace(first, '[1]')],
      [
        'with a marker in its first link',
        TWICE.replace(first, `${first.slice(0, cut)} [1]${first.slice(cut)}`),
      ],
      ['without its second link', TWICE.replace(link(B), '')],
    ])('%s: the other spans stay with their links', (_, answer) => {
      const payload = finishedWith(answer, [openAiResponse(TWICE, cited(TWICE))])
      const links = cited(answer).map(({ start_index, end_index }) => [start_index, end_index])
      expect(places(payload)).toEqual(links)
    })
  })

  test('a claim without a link follows its words', () => {
    const text = '\n\nKöln is old. Bonn is small.'
    const words = 'Bonn is small.'
    const payload = finishedWith(text.trim(), [openAiResponse(text, all(text, words))])
    expect(claims(payload)).toEqual([[words, [1]]])
  })

  test('a link that gave way to a marker is lost', () => {
    const answer = `${TEXT.replaceAll(link(A), '[1]')}And so on, for as long as it was.`
    const payload = finishedWith(answer, [openAiResponse(TEXT, all(TEXT))])
    expect(payload.anchors).toEqual([])
    expect(reports(payload)).toEqual({ span_lost: 3 })
  })

  test('a link that was changed is found by its address', () => {
    const other = `[page](${A})`
    const answer = TEXT.trim().replaceAll(link(A), other)
    const payload = finishedWith(answer, [openAiResponse(TEXT, all(TEXT).slice(0, 1))])
    expect(places(payload)).toEqual(linked(answer, other).slice(0, 1))
  })
})

describe('reports', () => {
  test('come once per kind with a count, however many cases there are', () => {
    const TEXT = 'Ein Satz steht hier.'
    const moved = { segment: { startIndex: 1, endIndex: 4, text: 'Satz' } }
    const lost = { segment: { startIndex: 1, endIndex: 4, text: 'Nirgends' } }
    const cases = Array.from({ length: 10_000 }, () => [
      { ...lost, groundingChunkIndices: [0] },
      { ...moved, groundingChunkIndices: [9] },
    ]).flat()
    const few = [{ ...moved, groundingChunkIndices: [0] }]
    const payload = finished([gemini(TEXT, grounded([web(A, 'A')], [...few, ...cases]))])
    expect(reports(payload)).toEqual({
      span_lost: 10_000,
      source_not_listed: 10_000,
      span_moved: 1,
    })
    for (const { detail } of payload.diagnostics) {
      expect(detail).not.toBe('')
      expect(detail.length).toBeLessThan(200)
    }
    expect(payload.sources).toHaveLength(1)
  })

  test('say nothing where nothing is wrong', () => {
    expect(segment('Ein Satz.', { endIndex: 9, text: 'Ein Satz.' }).diagnostics).toEqual([])
  })
})
