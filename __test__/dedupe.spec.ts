/**
 * Every source once, in the order of first appearance, without what was shown already; whatever a
 * repeat adds stays with the source, so that no number points at nothing.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AlreadyShown, type CitationSource, dedupeCitations } from '../index.js'
import { at } from './blocks.js'

const page = (url: string, more: CitationSource = {}): CitationSource => ({ url, ...more })
const urls = (sources: CitationSource[]) => sources.map(({ url }) => url)

describe('the same page', () => {
  test.each([
    ['case of scheme and host', 'https://a.example/x', 'HTTPS://A.Example/x'],
    ['default port of https', 'https://a.example/x', 'https://a.example:443/x'],
    ['default port of http', 'http://a.example/x', 'http://a.example:80/x'],
    ['trailing slash', 'https://a.example/x', 'https://a.example/x/'],
    ['no path', 'https://a.example', 'https://a.example/'],
    ['trailing slash before a query', 'https://a.example/x?a=1', 'https://a.example/x/?a=1'],
    ['mark of OpenAI', 'https://a.example/x', 'https://a.example/x?utm_source=openai'],
    [
      'mark of OpenAI after a query',
      'https://a.example/x?a=1',
      'https://a.example/x?a=1&utm_source=openai',
    ],
    [
      'mark of OpenAI before a query',
      'https://a.example/x?a=1',
      'https://a.example/x?utm_source=openai&a=1',
    ],
    [
      'mark of OpenAI before a fragment',
      'https://a.example/x#y',
      'https://a.example/x?utm_source=openai#y',
    ],
    ['international host name', 'https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['dots in a path', 'https://a.example/y', 'https://a.example/x/../y'],
  ])('%s', (_, one, other) => {
    expect(urls(dedupeCitations([page(one), page(other)]))).toEqual([new URL(one).href])
    expect(urls(dedupeCitations([page(other), page(one)]))).toEqual([new URL(other).href])
    expect(dedupeCitations([page(one)], [other])).toEqual([])
    expect(dedupeCitations([page(other)], [one])).toEqual([])
  })
})

describe('another page', () => {
  test.each([
    ['scheme', 'https://a.example/', 'http://a.example/'],
    ['host', 'https://a.example/', 'https://www.a.example/'],
    ['port', 'https://a.example/', 'https://a.example:8443/'],
    ['case of a path', 'https://a.example/x', 'https://a.example/X'],
    ['query', 'https://a.example/?page=1', 'https://a.example/?page=2'],
    ['fragment', 'https://a.example/x#one', 'https://a.example/x#two'],
    ['fragment or none', 'https://a.example/x', 'https://a.example/x#one'],
    ['mark of somebody else', 'https://a.example/x', 'https://a.example/x?utm_source=openai2'],
    ['a mark of another name', 'https://a.example/x', 'https://a.example/x?my_utm_source=openai'],
  ])('%s', (_, one, other) => {
    expect(dedupeCitations([page(one), page(other)])).toHaveLength(2)
    expect(dedupeCitations([page(one)], other)).toHaveLength(1)
  })

  test('titles do not make pages the same', () => {
    const home = [
      { title: 'Home', url: 'https://a.example/' },
      { title: 'Home', url: 'https://b.example/' },
    ]
    expect(dedupeCitations(home)).toEqual(home)
  })
})

describe('what a repeat adds', () => {
  const url = 'https://a.example/x'

  test('place and quotation stay in also, in order', () => {
    expect(
      dedupeCitations([
        page(url, { title: 'X', citedText: 'first', location: at.chunk(0) }),
        page('https://b.example/', { location: at.chunk(1) }),
        page(`${url}/`, { citedText: 'second', location: at.chunk(2) }),
        page(`${url}?utm_source=openai`, { citedText: 'first', location: at.chunk(5) }),
      ]),
    ).toEqual([
      {
        title: 'X',
        url,
        citedText: 'first',
        location: at.chunk(0),
        also: [{ citedText: 'second', location: at.chunk(2) }, { location: at.chunk(5) }],
      },
      page('https://b.example/', { location: at.chunk(1) }),
    ])
  })

  test('an exact repeat adds nothing', () => {
    const source = page(url, { title: 'X', citedText: 'first', location: at.chunk(0) })
    expect(dedupeCitations([source, source])).toEqual([source])
  })

  test('what the first one lacks is taken from the next that has it', () => {
    const repeat = page(url, { title: 'X', domain: 'a.example', fileId: 'f', uri: 'gs://b/x' })
    expect(dedupeCitations([page(url), repeat])).toEqual([repeat])
  })

  test('the first title stays', () => {
    const sources = [page(url, { title: 'One' }), page(url, { title: 'Two' })]
    expect(dedupeCitations(sources)).toEqual([sources[0]])
  })

  test('what a source gathered before is kept, and so is what its repeat gathered', () => {
    const also = (chunk: number) => [{ location: at.chunk(chunk) }]
    expect(dedupeCitations([page(url, { also: also(1) }), page(url, { also: also(2) })])).toEqual([
      page(url, { also: [...also(1), ...also(2)] }),
    ])
  })

  test('deduplicating again changes nothing', () => {
    const once = dedupeCitations([
      page(url, { location: at.chunk(0) }),
      page(url, { location: at.chunk(1) }),
    ])
    expect(dedupeCitations(once)).toEqual(once)
  })
})

describe('passages of documents', () => {
  const passage = (more: CitationSource): CitationSource => ({ title: 'Report', ...more })

  test.each([
    ['characters', passage({ location: at.chars(1, 5) }), passage({ location: at.chars(1, 6) })],
    ['pages', passage({ location: at.page(1, 2) }), passage({ location: at.page(2, 3) })],
    ['blocks', passage({ location: at.block(0, 1) }), passage({ location: at.block(1, 2) })],
    ['kinds of place', passage({ location: at.page(1, 2) }), passage({ location: at.chars(1, 2) })],
    [
      'documents',
      {
        location: { ...at.page(1, 2), documentIndex: 0 } as CitationSource['location'],
        citedText: 'q',
      },
      {
        location: { ...at.page(1, 2), documentIndex: 1 } as CitationSource['location'],
        citedText: 'q',
      },
    ],
    ['files', { fileId: 'file-1', title: 'plan.pdf' }, { fileId: 'file-2', title: 'plan.pdf' }],
    ['names', { uri: 'gs://a/b', title: 'b' }, { uri: 'gs://a/c', title: 'b' }],
    ['quotations without a place', passage({ citedText: 'a' }), passage({ citedText: 'b' })],
  ])('%s tell them apart', (_, one, other) => {
    expect(dedupeCitations([one, other, one, other])).toHaveLength(2)
    expect(dedupeCitations([one, other], one)).toHaveLength(1)
    expect(dedupeCitations([one, other], [one, other])).toEqual([])
  })

  test('places in the answer do not', () => {
    const cited = (index: number): CitationSource => {
      return { title: 'plan.pdf', fileId: 'file-1', location: { type: 'file_citation', index } }
    }
    expect(dedupeCitations([cited(3), cited(9)])).toEqual([
      { ...cited(3), also: [{ location: { type: 'file_citation', index: 9 } }] },
    ])
  })
})

describe('what was shown already', () => {
  const a = page('https://a.example/x', { title: 'A' })
  const b = page('https://b.example/', { title: 'B' })
  const refused = { title: 'Script', uri: 'javascript:alert(1)' }

  test.each<[string, AlreadyShown]>([
    ['an address', 'https://A.example/x/'],
    ['a source', { url: 'https://a.example/x' }],
    ['addresses', ['https://a.example/x', 'https://c.example/']],
    ['sources', [{ title: 'other', url: 'https://a.example/x?utm_source=openai' }]],
    ['a payload', { sources: [a] }],
    [
      'a google_web_search result',
      { sources: [{ web: { uri: 'https://a.example/x', title: 'A' } }] },
    ],
    ['tool results', [{ sources: [{ web: { uri: 'https://a.example/x' } }] }, { sources: null }]],
    ['a mixture', ['https://c.example/', { url: 'https://a.example/x' }, { sources: [] }]],
  ])('as %s', (_, alreadyShown) => {
    expect(dedupeCitations([a, b, a], alreadyShown)).toEqual([b])
  })

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['an empty list', []],
    ['an empty address', ''],
    ['no address', 'Hello'],
    ['a number', 5],
    ['a symbol', Symbol('x')],
    ['a function', () => 'https://a.example/x'],
    ['a list of nonsense', [null, undefined, 3, true, {}, [], { sources: 7 }, { url: 9 }]],
    ['a tool result without sources', { sources: null }],
    [
      'a tool result with nonsense',
      { sources: [null, 1, 'x', { web: null }, { web: { uri: 5 } }] },
    ],
  ])('nonsense hides nothing: %s', (_, alreadyShown) => {
    expect(dedupeCitations([a, b], alreadyShown as never)).toEqual([a, b])
  })

  test('all of it: nothing is left', () => {
    expect(dedupeCitations([a, b, refused], [a, b, refused])).toEqual([])
  })
})

describe('sources of any shape', () => {
  test.each([[null], [undefined], [5], ['x'], [{}], [[]], [[null, 3, {}, { title: '' }]]])(
    '%j gives none',
    (sources) => {
      expect(dedupeCitations(sources as never)).toEqual([])
    },
  )

  test('what is no source is passed over, the rest keeps its order', () => {
    const sources = [
      null,
      page('https://b.example/'),
      7,
      { title: 'T' },
      page('https://a.example/'),
    ]
    expect(dedupeCitations(sources as never)).toEqual([sources[1], sources[3], sources[4]])
  })

  test('given sources are not changed', () => {
    const sources = Object.freeze([
      Object.freeze(page('https://A.example/x', { location: at.chunk(0) })),
      Object.freeze(page('https://a.example/x', { location: at.chunk(1) })),
    ])
    expect(dedupeCitations(sources)).toHaveLength(1)
    expect(sources[0]).toEqual({ url: 'https://A.example/x', location: at.chunk(0) })
  })
})

/** Two sources are the same when these are, by the book: `new URL` and the rules above. */
function nameOf({ url, title, location }: CitationSource): string {
  if (url === undefined) return JSON.stringify([title, location])
  const { protocol, host, pathname, searchParams, hash } = new URL(url)
  const query = [...searchParams].filter(
    ([key, value]) => !(key === 'utm_source' && value === 'openai'),
  )
  return JSON.stringify([protocol, host, pathname.replace(/\/$/, ''), query, hash])
}

/** Compares all pairs. */
function dedupedByTheBook(sources: CitationSource[], shown: string[]): CitationSource[] {
  const kept: CitationSource[] = []
  for (const { url, ...rest } of sources) {
    const source: CitationSource = url === undefined ? rest : { ...rest, url: new URL(url).href }
    const held = kept.find((other) => nameOf(other) === nameOf(source))
    if (!held) {
      kept.push(source)
      continue
    }
    const mention: NonNullable<CitationSource['also']>[number] = {}
    if (held.citedText === undefined) held.citedText = source.citedText
    else if (source.citedText !== held.citedText) mention.citedText = source.citedText
    if (JSON.stringify(source.location) !== JSON.stringify(held.location)) {
      mention.location = source.location
    }
    if (mention.citedText || mention.location) held.also = [...(held.also ?? []), mention]
  }
  const hidden = shown.map((url) => nameOf({ url }))
  return kept.filter((source) => !hidden.includes(nameOf(source)))
}

test('agrees with a comparison of all pairs by `new URL`', () => {
  const url = fc
    .tuple(
      fc.constantFrom('http', 'https', 'HTTPS'),
      fc.constantFrom('a.example', 'A.Example', 'b.example', 'a.example:443', 'a.example:8080'),
      fc.constantFrom('', '/', '/x', '/x/', '/X', '/x/y', '/%7Ex', '/a b', '/./x'),
      fc.constantFrom(
        '',
        '?a=1',
        '?a=2',
        '?utm_source=openai',
        '?a=1&utm_source=openai',
        '?utm_source=openai&a=1',
      ),
      fc.constantFrom('', '#one', '#two'),
    )
    .map(([scheme, host, path, query, hash]) => `${scheme}://${host}${path}${query}${hash}`)
  const cited = fc.option(fc.constantFrom('p', 'q'), { nil: undefined })
  const onPage = fc.record({ url, citedText: cited, location: fc.nat(5).map(at.chunk) })
  const passage = fc.record({
    title: fc.constantFrom('Report', 'Contract'),
    citedText: cited,
    location: fc.nat(3).map((start) => at.chars(start, start + 1)),
  })
  const source = fc.oneof<fc.Arbitrary<CitationSource>[]>(onPage, onPage, passage)
  fc.assert(
    // More than a handful, because long lists may be compared in another way than short ones.
    fc.property(
      fc.array(source, { maxLength: 80, size: 'max' }),
      fc.array(url, { maxLength: 3 }),
      (sources, shown) => {
        expect(dedupeCitations(sources, shown)).toEqual(dedupedByTheBook(sources, shown))
      },
    ),
    { numRuns: 300 },
  )
})
