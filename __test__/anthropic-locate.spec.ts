/**
 * The words a citation points at, and where they stand in the document: code points in, UTF-16 out, for text,
 * blocks and search results, in either spelling; and `null` where that cannot be told.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropic, extractAnthropicCitations } from '../index.js'
import {
  blocks,
  char,
  fetched,
  message,
  pages,
  results,
  searchResult,
} from './anthropic-requests.js'

const { customContentDocument, fileDocument, locate, pdfDocument, plainTextDocument } = anthropic

type Passage = { text: string; start: number; end: number }

/** A location of characters, as payloads spell it. */
function characters(startCharIndex: number, endCharIndex: number) {
  return { type: 'char_location', startCharIndex, endCharIndex, documentIndex: 0 } as const
}

/** The same as it travels. */
function wired(start_char_index: number, end_char_index: number) {
  const place = { document_index: 0, document_title: null, start_char_index, end_char_index }
  return { type: 'char_location', cited_text: '', ...place }
}

describe('characters of a text', () => {
  const meadow = 'The grass is green. The sky is blue.'

  test.each<[string, start: number, end: number, expected: Passage]>([
    [meadow, 0, 20, { text: 'The grass is green. ', start: 0, end: 20 }],
    [meadow, 20, 36, { text: 'The sky is blue.', start: 20, end: 36 }],
    [meadow, 0, 36, { text: meadow, start: 0, end: 36 }],
    ['👍🏽 ok. Nächster.', 0, 6, { text: '👍🏽 ok.', start: 0, end: 8 }],
    ['👍🏽 ok. Nächster.', 7, 16, { text: 'Nächster.', start: 9, end: 18 }],
    ['👩‍👩‍👧 Familie', 6, 13, { text: 'Familie', start: 9, end: 16 }],
    ['👩‍👩‍👧 Familie', 0, 5, { text: '👩‍👩‍👧', start: 0, end: 8 }],
    ['草は緑です。空は青い。', 6, 11, { text: '空は青い。', start: 6, end: 11 }],
    ['𠮷野家で食べた。二番目。', 8, 12, { text: '二番目。', start: 9, end: 13 }],
    ['🇩🇪🇫🇷 x', 2, 4, { text: '🇫🇷', start: 4, end: 8 }],
    ['e\u0301te\u0301 fini', 0, 5, { text: 'e\u0301te\u0301', start: 0, end: 5 }],
    ['a\r\nb\r\nc', 3, 6, { text: 'b\r\n', start: 3, end: 6 }],
    ['\uFEFFfirst', 1, 6, { text: 'first', start: 1, end: 6 }],
    ['nul\0inside', 3, 6, { text: '\0in', start: 3, end: 6 }],
  ])('of %j from %i to %i', (text, start, end, expected) => {
    for (const document of [
      text,
      plainTextDocument(text),
      plainTextDocument(text, { title: 'T' }),
    ]) {
      expect(locate(document, characters(start, end))).toEqual(expected)
      expect(locate(document, wired(start, end))).toEqual(expected)
    }
    expect(text.slice(expected.start, expected.end)).toBe(expected.text)
  })

  test('of any text is the slice of its code points', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(text, fc.nat(70), fc.nat(70), (text, start, end) => {
        const points = Array.from(text)
        const passage = locate(plainTextDocument(text), characters(start, end))
        if (start > end || end > points.length) {
          expect(passage).toBeNull()
          return
        }
        const before = points.slice(0, start).join('')
        const words = points.slice(start, end).join('')
        const place = { start: before.length, end: before.length + words.length }
        expect(passage).toEqual({ text: words, ...place })
        expect(text.slice(place.start, place.end)).toBe(words)
      }),
    )
  })

  test('deep in a long text are found', () => {
    const text = 'Grüße 👍🏽. '.repeat(200_000)
    const at = Array.from(text).length - 10
    const passage = locate(text, characters(at, at + 9))
    expect(passage).toEqual({ text: 'Grüße 👍🏽.', start: text.length - 12, end: text.length - 1 })
  })

  test('of a page that the model fetched', () => {
    const { content } = fetched('https://p.example/', 'Page', 'Alpha. Beta.').content
    expect(locate(content, char(0, 7, 'Beta.'))).toEqual({ text: 'Beta.', start: 7, end: 12 })
  })

  test('of a document as the extractor places them', () => {
    const document = plainTextDocument('🌱 Grass. 🌊 Sea.')
    const answer = message(['The sea.', char(0, 9, '🌊 Sea.')])
    const [source] = extractAnthropicCitations(answer, { documents: true })
    expect(locate(document, source!.location!)).toEqual({ text: '🌊 Sea.', start: 10, end: 17 })
  })

  test('of text with half of a surrogate pair have their place', () => {
    const passage = locate('a\uD83Cb. Next.', characters(5, 10))
    expect(passage).toEqual({ text: 'Next.', start: 5, end: 10 })
  })
})

describe('blocks', () => {
  const texts = ['Ein Absatz 👍🏽. ', '', '二番目。', 'Last.']
  const CASES: [start: number, end: number, expected: Passage][] = [
    [0, 1, { text: 'Ein Absatz 👍🏽. ', start: 0, end: 17 }],
    [1, 2, { text: '', start: 17, end: 17 }],
    [2, 3, { text: '二番目。', start: 17, end: 21 }],
    [2, 4, { text: '二番目。Last.', start: 17, end: 26 }],
    [0, 4, { text: texts.join(''), start: 0, end: 26 }],
  ]

  test.each(CASES)(
    'of custom content from %i to %i',
    (startBlockIndex, endBlockIndex, expected) => {
      const type = 'content_block_location' as const
      const document = customContentDocument(texts, { title: 'T' })
      const location = { type, startBlockIndex, endBlockIndex, documentIndex: 3 }
      expect(locate(document, location)).toEqual(expected)
      expect(locate(document, blocks(3, startBlockIndex, endBlockIndex, ''))).toEqual(expected)
      expect(texts.join('').slice(expected.start, expected.end)).toBe(expected.text)
    },
  )

  test.each(CASES)(
    'of a search result from %i to %i',
    (startBlockIndex, endBlockIndex, expected) => {
      const type = 'search_result_location' as const
      const result = searchResult('Leave', texts)
      const location = { type, startBlockIndex, endBlockIndex, searchResultIndex: 0 }
      expect(locate(result, location)).toEqual(expected)
      expect(locate(result, results(0, startBlockIndex, endBlockIndex, ''))).toEqual(expected)
    },
  )

  test('of content in one string are that string', () => {
    const document = { type: 'document', source: { type: 'content', content: 'All of it.' } }
    expect(locate(document, blocks(0, 0, 1, ''))).toEqual({ text: 'All of it.', start: 0, end: 10 })
  })

  test('count pictures and give no words of them', () => {
    const image = { type: 'image', source: { type: 'file', file_id: 'file_1' } }
    const content = [{ type: 'text', text: 'Before. ' }, image, { type: 'text', text: 'After.' }]
    const document = { type: 'document', source: { type: 'content', content } }
    expect(locate(document, blocks(0, 2, 3, ''))).toEqual({ text: 'After.', start: 8, end: 14 })
  })
})

describe('nothing', () => {
  const text = plainTextDocument('👍🏽 ok.')
  const custom = customContentDocument(['a', 'b'])
  const huge = Number.MAX_SAFE_INTEGER

  test.each<[string, string | object, object]>([
    ['an end one beyond the text', text, characters(0, 7)],
    ['an end that only UTF-16 reaches', text, characters(0, 8)],
    ['a start beyond the text', text, characters(7, 9)],
    ['an end before the start', text, characters(4, 2)],
    ['huge places', text, characters(huge - 1, huge)],
    ['places beyond all integers', text, characters(0, 1e300)],
    ['a start below zero', text, characters(-1, 2)],
    ['half a character', text, characters(0.5, 2)],
    ['no number', text, characters(Number.NaN, 2)],
    ['numbers as strings', text, { ...characters(0, 1), startCharIndex: 'zero' }],
    ['a location without its end', text, { type: 'char_location', startCharIndex: 0 }],
    ['a location without its kind', text, { startCharIndex: 0, endCharIndex: 2 }],
    ['a location of unknown kind', text, { ...characters(0, 2), type: 'moon_location' }],
    ['blocks beyond the last', custom, blocks(0, 1, 3, '')],
    ['blocks that end before they start', custom, blocks(0, 2, 1, '')],
    ['huge blocks', custom, blocks(0, huge - 1, huge, '')],
    ['blocks of a text', text, blocks(0, 0, 1, '')],
    ['characters of blocks', custom, characters(0, 1)],
    ['pages of a PDF', pdfDocument(Buffer.from('%PDF-1.7')), pages(0, 1, 2)],
    ['pages at an address', pdfDocument('https://files.example/a.pdf'), pages(0, 1, 2)],
    ['pages of a text', text, pages(0, 1, 2)],
    ['characters of a file', fileDocument('file_1'), characters(0, 1)],
    ['characters of a PDF', pdfDocument('JVBERi0xLjc='), characters(0, 1)],
    [
      'a result of a web search',
      text,
      { type: 'web_search_result_location', url: 'https://a.example/' },
    ],
    ['a link of OpenAI', text, { type: 'url_citation', start_index: 0, end_index: 1 }],
  ])('is at %s', (_, document, location) => {
    expect(locate(document, location)).toBeNull()
  })

  test('is in nothing, and nothing throws', () => {
    const hostile: unknown[] = [
      undefined,
      null,
      5,
      10n,
      Symbol('x'),
      () => 'x',
      [],
      {},
      { source: 5 },
      { source: { type: 'text', data: 5 } },
      { source: { type: 'content', content: 5 } },
      {
        get source() {
          throw new Error('no')
        },
      },
      new Proxy({}, { get: () => fail() }),
    ]
    for (const value of hostile) {
      expect(locate(value as object, characters(0, 1))).toBeNull()
      expect(locate(text, value as object)).toBeNull()
      expect(locate(value as object, value as object)).toBeNull()
    }
  })

  function fail(): never {
    throw new Error('a trap')
  }

  test('throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (document, location) => {
        const passage = locate(document as object, location as object)
        expect(passage === null || typeof passage.text === 'string').toBe(true)
      }),
    )
    fc.assert(
      fc.property(fc.anything(), (source) => {
        locate({ type: 'document', source }, characters(0, 1))
        locate(
          { type: 'document', source: { type: 'content', content: source } },
          blocks(0, 0, 1, ''),
        )
      }),
    )
  })
})
