/**
 * Whether sources say what they are quoted with: word for word, but for blanks and typography, or nowhere;
 * in which document and where in it, however many quotations there are and however long it is.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  type CitationSource,
  markers,
  type QuotedDocument,
  type QuoteVerdict,
  type StoredSources,
} from '../index.js'
import { type Exchange, recording, recordingsPresent } from './recordings.js'
import { anthropicStream, charLocation, finished } from './turns.js'

const { verifyQuotes } = markers

/** The verdict on one quotation in one document, with the words that were found. */
function judged(citedText: string, text: string): [verdict: string, words?: string] {
  const verdicts = verifyQuotes([{ title: 'Doc', citedText }], [text])
  expect(verdicts).toHaveLength(1)
  const { verdict, source, document, start, end } = verdicts[0]!
  expect(source).toBe(1)
  if (verdict === 'not_found') {
    expect([document, start, end]).toEqual([undefined, undefined, undefined])
    return [verdict]
  }
  expect(document).toBe(0)
  return [verdict, text.slice(start, end)]
}

test('in a long document', () => {
  const text = 'a word. '.repeat(5_000_000)
  expect(judged('word. a', text)).toEqual(['exact', 'word. a'])
})

describe('word for word', () => {
  test.each<[quote: string, text: string, words?: string]>([
    ['the cat', 'see the cat sit'],
    ['see the cat sit', 'see the cat sit'],
    ['grün', 'Gräser sind grün.'],
    ['漢字', '😀é 漢字 x'],
    ['👨‍👩‍👧', 'x 👨‍👩‍👧 y'],
    ['“it’s”', 'so “it’s” – so'],
    ['a  b', 'a b a  b'],
    ['The grass is green. ', 'The grass is green. The sky.', 'The grass is green.'],
    ['  the cat  ', 'see the cat sit', 'the cat'],
    ['$& [1] (.*)', 'regular $& [1] (.*) words'],
  ])('%j in %j', (quote, text, words = quote) => {
    expect(judged(quote, text)).toEqual(['exact', words])
  })
})

describe('but for blanks and typography', () => {
  test.each<[string, quote: string, text: string, words?: string]>([
    ['straight for curly quotation marks', '"it\'s"', 'so “it’s” so', '“it’s”'],
    ['curly for straight quotation marks', '“it’s”', 'so "it\'s" so', '"it\'s"'],
    ['German and French quotation marks', '"ja"', 'so „ja“ so', '„ja“'],
    ['French quotation marks', '"oui"', 'so «oui» so', '«oui»'],
    ['a hyphen for a dash', 'a - b', 'x a – b x', 'a – b'],
    ['a dash for a hyphen', 'a — b', 'x a - b x', 'a - b'],
    ['a hyphen that does not break', 're-use', 'x re\u2011use x', 're\u2011use'],
    ['a blank that does not break', 'a b', 'x a\u00a0b x', 'a\u00a0b'],
    ['a wide blank', 'a b', '😀é a\u3000b 😀', 'a\u3000b'],
    ['a line break', 'a b', 'x a\nb x', 'a\nb'],
    ['a line break of two characters', 'a b', 'x a\r\nb x', 'a\r\nb'],
    ['a paragraph with an indent', 'a b', 'x a\n\n    b x', 'a\n\n    b'],
    ['a tab', 'a b', 'x a\tb x', 'a\tb'],
    ['blanks that the quotation has more of', 'a   b', 'x a b x', 'a b'],
    ['a soft hyphen', 'example', 'an exam\u00adple', 'exam\u00adple'],
    ['a blank without width', 'example', 'an exam\u200bple', 'exam\u200bple'],
    ['three dots for an ellipsis', 'wait... what', 'so wait… what', 'wait… what'],
    ['an ellipsis for three dots', 'wait… what', 'so wait... what', 'wait... what'],
    ['all at once', '"it\'s" - so...', '😀 “it’s”\n—\u00a0so…', '“it’s”\n—\u00a0so…'],
    ['characters of many bytes around', '漢 - 字', 'é😀漢\u3000–\u3000字😀', '漢\u3000–\u3000字'],
  ])('%s', (_, quote, text, words) => {
    expect(judged(quote, text)).toEqual(['normalized', words])
  })

  test('control characters never reach a quotation, and are no obstacle in a document', () => {
    expect(judged('red words', 'x \u001b[31mred\u0007 words')[0]).toBe('normalized')
    expect(judged('red\u0007 words\u202e', 'x red words')).toEqual(['exact', 'red words'])
  })

  test('word for word wins over the first that is almost the same', () => {
    expect(judged('a b', 'a\u00a0b, a b')).toEqual(['exact', 'a b'])
    const [verdict] = verifyQuotes([{ title: 'T', citedText: 'a b' }], ['a\u00a0b', 'x a b'])
    expect(verdict).toMatchObject({ verdict: 'exact', document: 1, start: 2, end: 5 })
  })
})

describe('nowhere', () => {
  test.each<[string, quote: string, text: string]>([
    ['other words', 'the dog', 'see the cat sit'],
    ['other letters', 'The cat', 'see the cat sit'],
    ['words with others between', 'the cat', 'the big cat'],
    ['words that are joined', 'the cat', 'thecat'],
    ['an empty document', 'the cat', ''],
    ['more than the document has', 'the cat sits', 'the cat'],
    ['another accent', 'cafe', 'café'],
    ['an ellipsis in the middle', 'the … cat', 'the big cat'],
  ])('%s', (_, quote, text) => {
    expect(judged(quote, text)).toEqual(['not_found'])
  })
})

describe('quotations that were cut', () => {
  const long = 'Ein Satz mit “Wörtern”, der nicht enden will; '.repeat(20)

  test('as providers send them, and as they are kept here', () => {
    const events = anthropicStream([['Ja.', [charLocation('Doc', 0, long)]]])
    const payload = finished(events, { documents: true })
    const kept = payload.sources[0]!.citedText!
    expect(kept).toBe(`${Array.from(long).slice(0, 200).join('')}…`)
    expect(verifyQuotes(payload, [`x ${long}`])).toEqual([
      { source: 1, citedText: kept, verdict: 'exact', document: 0, start: 2, end: 202 },
    ])
    const other = `x ${long.replaceAll('“', '"').replaceAll('”', '"')}`
    expect(verifyQuotes(payload, [other])[0]).toMatchObject({ verdict: 'normalized', start: 2 })
    expect(verifyQuotes(payload, [long.slice(0, 150)])[0]?.verdict).toBe('not_found')
  })

  test.each<[quote: string, text: string, verdict: string, words: string]>([
    ['the cat s…', 'see the cat sit', 'exact', 'the cat s'],
    ['the cat …', 'see the cat sit', 'exact', 'the cat'],
    ['the cat…', 'see the cat… sit', 'exact', 'the cat…'],
    ['the  cat s…', 'see the cat sit', 'normalized', 'the cat s'],
  ])('%j in %j', (quote, text, verdict, words) => {
    expect(judged(quote, text)).toEqual([verdict, words])
  })
})

describe('the document', () => {
  const at = (documentIndex: number) =>
    ({ type: 'char_location', startCharIndex: 0, endCharIndex: 3, documentIndex }) as const
  const page = { type: 'page_location', startPageNumber: 1, endPageNumber: 2 } as const
  const block = { type: 'content_block_location', startBlockIndex: 0, endBlockIndex: 1 } as const
  const signed = { id: 'c1-0', toolRequestId: 'c1', toolName: 'web_fetch', type: 'web' } as const

  /** The words stand in every document, each time at another place. */
  const TEXTS = ['foo', '- foo', '-- foo', '--- foo']
  const shelf = (names: Omit<QuotedDocument, 'text'>[]) =>
    TEXTS.map((text, index) => ({ text, ...names[index] }))

  test.each<[string, CitationSource, Omit<QuotedDocument, 'text'>[], document: number]>([
    ['by its index', { location: at(2) }, [], 2],
    ['by its index, of pages', { location: { ...page, documentIndex: 3 } }, [], 3],
    ['by its index, of blocks', { location: { ...block, documentIndex: 1 } }, [], 1],
    ['by its index before its title', { location: at(2), title: 'T' }, [{ title: 'T' }], 2],
    ['by the id of the source', signed, [{}, {}, { id: 'c1-0' }], 2],
    ['by the id of the call', signed, [{}, { id: 'c1' }], 1],
    ['by the id of a file', { fileId: 'file-1' }, [{}, {}, {}, { id: 'file-1' }], 3],
    [
      'by its address',
      { url: 'https://a.example/x' },
      [{ url: 'https://b.example/x' }, { url: 'https://a.example/x' }],
      1,
    ],
    [
      'by another spelling of its address',
      { url: 'https://a.example/x' },
      [{ url: 'https://a.example/X' }, {}, { url: 'HTTPS://A.example:443/x/?utm_source=openai' }],
      2,
    ],
    ['by its title', { title: 'T' }, [{ title: 'U' }, { title: 'T' }], 1],
    ['by nothing: the first that has it', { title: 'T' }, [{ title: 'U' }], 0],
    ['an index beyond them: the first that has it', { location: at(9) }, [], 0],
    [
      'an index beyond them: by its title',
      { location: at(9), title: 'T' },
      [{}, { title: 'T' }],
      1,
    ],
    [
      'two of that name: the first that has it',
      { title: 'T' },
      [{}, { title: 'T' }, { title: 'T' }],
      1,
    ],
  ])('%s', (_, source, names, document) => {
    const verdicts = verifyQuotes([{ ...source, citedText: 'foo' }], shelf(names))
    const start = TEXTS[document]!.length - 3
    expect(verdicts).toEqual([
      { source: 1, citedText: 'foo', verdict: 'exact', document, start, end: start + 3 },
    ])
  })

  test.each<[string, CitationSource, Omit<QuotedDocument, 'text'>]>([
    ['index', { location: at(1) }, {}],
    ['title', { title: 'T' }, { title: 'T' }],
    ['address', { url: 'https://a.example/' }, { url: 'https://a.example/' }],
    ['id', signed, { id: 'c1-0' }],
  ])('of that %s does not have it: others do not count', (_, source, names) => {
    const documents = ['bar', { text: 'foo', ...names }, 'bar']
    expect(verifyQuotes([{ ...source, citedText: 'bar' }], documents)).toEqual([
      { source: 1, citedText: 'bar', verdict: 'not_found' },
    ])
  })
})

describe('quotations of a payload', () => {
  test('repeated ones too, each in its own document', () => {
    const location = charLocation('D', 0, 'xx')
    const blocks: [string, object[]][] = [
      ['A', [{ ...location, cited_text: 'foo' }]],
      ['B', [{ ...location, cited_text: 'bar' }]],
      ['C', [{ ...location, document_index: 1, cited_text: 'nope' }]],
    ]
    const payload = finished(anthropicStream(blocks), { documents: true })
    expect(payload.sources).toHaveLength(2)
    expect(payload.sources[0]?.also?.[0]?.citedText).toBe('bar')
    expect(verifyQuotes(payload, ['😀 bar foo', 'nop'])).toEqual([
      { source: 1, citedText: 'foo', verdict: 'exact', document: 0, start: 7, end: 10 },
      { source: 1, citedText: 'bar', verdict: 'exact', document: 0, start: 3, end: 6 },
      { source: 2, citedText: 'nope', verdict: 'not_found' },
    ])
  })

  test('a page that two calls read, each in the result of its own call', () => {
    const found = { url: 'https://a.example/', type: 'web', toolName: 'web_fetch' } as const
    const also = [{ id: 'c2-0', toolRequestId: 'c2', toolName: 'web_fetch', citedText: 'bar' }]
    const source = { ...found, id: 'c1-0', toolRequestId: 'c1', citedText: 'foo', also }
    for (const [first, second] of [
      ['c1', 'c2'],
      ['c1-0', 'c2-0'],
    ]) {
      const documents = [
        { id: second, text: '- bar' },
        { id: first, text: '-- foo' },
      ]
      expect(verifyQuotes([source], documents)).toEqual([
        { source: 1, citedText: 'foo', verdict: 'exact', document: 1, start: 3, end: 6 },
        { source: 1, citedText: 'bar', verdict: 'exact', document: 0, start: 2, end: 5 },
      ])
    }
  })

  test.each<[string, StoredSources]>([
    ['a payload', { sources: [{ title: 'A' }, { title: 'B', citedText: 'foo' }] }],
    ['a list', [{ title: 'A' }, { title: 'B', citedText: 'foo' }]],
    ['JSON', '{"sources":[{"title":"A"},{"title":"B","citedText":"foo"}]}'],
  ])('%s: sources without one have no verdict', (_, payload) => {
    expect(verifyQuotes(payload, ['foo'])).toEqual([
      { source: 2, citedText: 'foo', verdict: 'exact', document: 0, start: 0, end: 3 },
    ])
  })

  test('previews are no quotations', () => {
    expect(verifyQuotes([{ title: 'A', type: 'web', snippet: 'foo' }], ['foo'])).toEqual([])
  })

  test('no documents: nothing is found', () => {
    const verdict: QuoteVerdict = { source: 1, citedText: 'foo', verdict: 'not_found' }
    expect(verifyQuotes([{ title: 'A', citedText: 'foo' }], [])).toEqual([verdict])
  })

  test.each([[], {}, null, undefined, 7, '', 'no JSON'])('no sources: %j', (payload) => {
    expect(verifyQuotes(payload as StoredSources, ['foo'])).toEqual([])
  })
})

test('any piece of a document is found in it, where it stands or before', () => {
  const piece = fc.constantFrom('a', 'b', ' ', '\n', 'é', '漢', '😀', '“', '–', '…', '\u00ad', '.')
  const text = fc.array(piece, { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(text, fc.nat(30), fc.nat(30), (pieces, one, two) => {
      const document = pieces.join('')
      const quote = pieces.slice(Math.min(one, two), Math.max(one, two)).join('')
      const verdicts = verifyQuotes([{ title: 'T', citedText: quote }], [document])
      if (!/[\p{L}\p{So}]/u.test(quote)) return
      expect(verdicts[0]?.verdict).not.toBe('not_found')
      const { start, end } = verdicts[0]!
      const found = document.slice(start, end)
      expect(found).not.toMatch(/\p{Surrogate}/u)
      expect(found).not.toBe('')
    }),
    { numRuns: 500 },
  )
})

test('many quotations of a long document take linear time', () => {
  const words = (count: number) =>
    Array.from({ length: count }, (_, at) => `Wört ${at} –`).join(' ')
  /** The shortest of three runs with this many quotations, half of them not word for word. */
  function time(count: number, document: string): number {
    const sources = Array.from({ length: count }, (_, at) => ({
      title: 'T',
      citedText: at % 2 ? `Wört ${at} –` : `Wört ${at} -`,
    }))
    const runs = [1, 2, 3].map(() => {
      const start = performance.now()
      const verdicts = verifyQuotes(sources, [document])
      expect(verdicts.every(({ verdict }) => verdict !== 'not_found')).toBe(true)
      return performance.now() - start
    })
    return Math.min(...runs)
  }
  const large = words(80_000)
  expect(Buffer.byteLength(large)).toBeGreaterThan(1_000_000)
  const small = words(10_000)
  let excess = Number.POSITIVE_INFINITY
  // A busy moment spoils one try; quadratic work spoils all.
  for (let tries = 0; tries < 3 && excess >= 0; tries++) {
    // Eight times the document, and eight times the quotations.
    const document = time(200, large) - (20 * time(200, small) + 30)
    const quotations = time(1600, large) - (20 * time(200, large) + 30)
    excess = Math.max(document, quotations)
  }
  expect(excess).toBeLessThan(0)
})

describe('misuse', () => {
  test.each<[unknown, string]>([
    [undefined, 'documents must be a list, got undefined'],
    [null, 'documents must be a list, got null'],
    ['text', "documents must be a list, got 'text'"],
    [{ text: 'foo' }, 'documents must be a list, got an object'],
    [[7], 'documents must be strings or objects with text, got 7'],
    [['foo', {}], 'documents must be strings or objects with text, got an object'],
    [[{ text: 7 }], 'documents must be strings or objects with text, got an object'],
    [[null], 'documents must be strings or objects with text, got null or undefined'],
    [['foo', undefined], 'documents must be strings or objects with text, got null or undefined'],
  ])('%j', (documents, message) => {
    const run = () => verifyQuotes([{ citedText: 'foo' }], documents as string[])
    expect(run).toThrow(TypeError)
    expect(run).toThrow(message)
  })
})

/** Every text document in what was sent and received: what Anthropic's indices count. */
function textDocuments(value: unknown): QuotedDocument[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, title, source, content } = value as Record<string, unknown>
  const { data, content: blocks = content } = (source ?? {}) as Record<string, unknown>
  if (type !== 'document' && type !== 'search_result')
    return Object.values(value).flatMap(textDocuments)
  const texts = Array.isArray(blocks) ? blocks.map(({ text }: { text: string }) => text) : [data]
  const url = typeof source === 'string' ? { url: source } : {}
  return [{ text: texts.join('\n'), ...(title ? { title: String(title) } : {}), ...url }]
}

if (!recordingsPresent) {
  test('NOTHING COMPARED: the real recordings are not beside this checkout', () => {
    console.warn('No folder ../shared/fixtures beside the project: no real recording was read.')
  })
} else {
  /** What a recorded answer came to. */
  function answered({ events }: Exchange) {
    const turn = new CitationService({ documents: true }).startTurn()
    for (const event of events) turn.push(event as object)
    return turn.finish()
  }

  test.each<[file: string, exchange: number, verdicts: QuoteVerdict['verdict'][]]>([
    ['anthropic/content-block-citations.vcr.yaml', 0, ['exact', 'exact']],
    ['anthropic/content-block-citations.vcr.yaml', 1, ['exact', 'exact']],
    ['anthropic/search-result-citations.vcr.yaml', 0, ['exact']],
    ['anthropic/stream-null-citations-start.cassette.yaml', 0, ['normalized']],
    ['anthropic/text-char-location-stream.vcr.yml', 0, ['exact']],
  ])('%s, exchange %i, quotes what it was sent', (file, index, expected) => {
    const exchange = recording(file).exchanges[index]!
    const payload = answered(exchange)
    const documents = textDocuments(exchange.request)
    const verdicts = verifyQuotes(payload, documents)
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(expected)
    for (const { source, start } of verdicts) {
      const location = payload.sources[source - 1]?.location
      if (location?.type === 'char_location') expect(start).toBe(location.startCharIndex)
    }
    const others = documents.map((one) => ({ ...one, text: one.text.replaceAll('e', 'ë') }))
    for (const { verdict } of verifyQuotes(payload, others)) expect(verdict).toBe('not_found')
  })
}
