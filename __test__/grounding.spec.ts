/**
 * Anchored citations of single answers: which passages are anchored, to what, how much of the answer
 * they cover and what is said where they are missing.
 */
import { describe, expect, test } from 'vitest'
import { type AnchoredCitations, grounding, type ProviderInput } from '../index.js'
import { response, snakeCased, streamed, supportOf, web } from './grounded-answers.js'

const TEXT = 'Rust is fast. It is safe.'
const A = web('https://a.example/one', 'One')
const B = web('https://b.example/two', 'Two')

/** A support of bytes, without the words that stand there. */
function bytes(startIndex: number, endIndex: number, groundingChunkIndices = [0]) {
  return { segment: { startIndex, endIndex }, groundingChunkIndices }
}

function anchor(groundingSupports: object[], groundingChunks: object[] = [A, B], text = TEXT) {
  const metadata = { webSearchQueries: ['rust'], groundingChunks, groundingSupports }
  return grounding.anchorCitations(response(text, metadata))
}

/** Each annotation as its place and the chunks it leans on. */
function placesOf({ annotations }: AnchoredCitations) {
  return annotations.map(({ start, end, sources }) => [
    start,
    end,
    sources.map(({ chunkIndex }) => chunkIndex),
  ])
}

type Case = [
  name: string,
  supports: object[],
  places: [start: number, end: number, chunks: number[]][],
  counts: number[],
  coverage: number,
]

/** Of 25 characters, so that each is 4 % of the answer. */
const CASES: Case[] = [
  ['one', [bytes(0, 13)], [[0, 13, [0]]], [1, 0], 52],
  [
    'side by side',
    [bytes(0, 13), bytes(14, 25, [1])],
    [
      [0, 13, [0]],
      [14, 25, [1]],
    ],
    [1, 1],
    96,
  ],
  [
    'touching',
    [bytes(0, 14), bytes(14, 25)],
    [
      [0, 14, [0]],
      [14, 25, [0]],
    ],
    [2, 0],
    100,
  ],
  [
    'overlapping, which counts once',
    [bytes(0, 13), bytes(8, 19, [1])],
    [
      [0, 13, [0]],
      [8, 19, [1]],
    ],
    [1, 1],
    76,
  ],
  [
    'nested, which counts once',
    [bytes(8, 12, [1]), bytes(0, 25)],
    [
      [0, 25, [0]],
      [8, 12, [1]],
    ],
    [1, 1],
    100,
  ],
  [
    'nested, and one that begins in the inner and ends in the outer',
    [bytes(0, 20), bytes(5, 10, [1]), bytes(7, 15)],
    [
      [0, 20, [0]],
      [5, 10, [1]],
      [7, 15, [0]],
    ],
    [2, 1],
    80,
  ],
  ['the same twice', [bytes(0, 13), bytes(0, 13, [1])], [[0, 13, [0, 1]]], [1, 1], 52],
  ['the same twice of one chunk', [bytes(0, 13), bytes(0, 13)], [[0, 13, [0]]], [1, 0], 52],
  [
    'in the wrong order',
    [bytes(14, 25, [1]), bytes(0, 13)],
    [
      [0, 13, [0]],
      [14, 25, [1]],
    ],
    [1, 1],
    96,
  ],
  ['empty', [bytes(5, 5)], [], [0, 0], 0],
  ['empty beside one that is not', [bytes(5, 5), bytes(0, 4, [1])], [[0, 4, [1]]], [0, 1], 16],
  ['reversed', [bytes(13, 0)], [], [0, 0], 0],
  ['beyond the end', [bytes(100, 120)], [], [0, 0], 0],
  ['from inside to beyond the end', [bytes(14, 99)], [[14, 25, [0]]], [1, 0], 44],
  ['of a chunk that is not there', [bytes(0, 13, [7])], [], [0, 0], 0],
  ['of two chunks, one of them not there', [bytes(0, 13, [7, 1])], [[0, 13, [1]]], [0, 1], 52],
  ['of no chunk', [bytes(0, 13, [])], [], [0, 0], 0],
  [
    'with zero left out',
    [{ segment: { endIndex: 4 }, groundingChunkIndices: [0] }],
    [[0, 4, [0]]],
    [1, 0],
    16,
  ],
  [
    'words that stand elsewhere',
    [{ segment: { startIndex: 3, endIndex: 14, text: 'It is safe.' }, groundingChunkIndices: [0] }],
    [[14, 25, [0]]],
    [1, 0],
    44,
  ],
  [
    'words that stand nowhere',
    [{ segment: { endIndex: 4, text: 'Java' }, groundingChunkIndices: [0] }],
    [],
    [0, 0],
    0,
  ],
]

describe('supports', () => {
  test.each(CASES)('%s', (_, supports, places, counts, coverage) => {
    const anchored = anchor(supports)
    expect(placesOf(anchored)).toEqual(places)
    for (const { start, end, text } of anchored.annotations) {
      expect(text).toBe(TEXT.slice(start, end))
    }
    expect(anchored.citations.map(({ count }) => count)).toEqual(counts)
    const linked = counts.filter((count) => count > 0).length
    expect(anchored.metadata).toEqual({
      anchoredCitationsCount: linked,
      unlinkedSourcesCount: 2 - linked,
      anchoredCoveragePct: coverage,
      requiredPassReason: places.length > 0 ? 'anchored_google' : 'unlinked_google',
      whyNotAnchored: places.length > 0 ? null : 'GROUNDING_SUPPORTS_NOT_PLACED',
      groundingEvidenceMissing: false,
      toolCallCount: 1,
      webSearchQueries: ['rust'],
      groundingChunks: 2,
      groundingSupports: supports.length,
    })
  })

  test('coverage is rounded to one decimal', () => {
    const text = 'abcdefghi'
    expect(anchor([bytes(0, 1)], [A], text).metadata.anchoredCoveragePct).toBe(11.1)
    expect(anchor([bytes(0, 6)], [A], text).metadata.anchoredCoveragePct).toBe(66.7)
    expect(anchor([bytes(0, 9)], [A], text).metadata.anchoredCoveragePct).toBe(100)
  })

  test('what is no support is passed over', () => {
    const odd = [null, 7, 'x', [], {}, { segment: null, groundingChunkIndices: [0] }] as object[]
    expect(placesOf(anchor([...odd, bytes(0, 13)]))).toEqual([[0, 13, [0]]])
  })
})

describe('multi-byte answers', () => {
  test.each<[name: string, text: string, words: string, start: number, coverage: number]>([
    ['emoji before', '😀😀 Rust is fast.', 'Rust is fast.', 5, 72.2],
    ['emoji inside', 'So 👩‍👩‍👧 it is.', '👩‍👩‍👧 it', 3, 61.1],
    ['CJK', '錆は速い。安全だ。', '安全だ。', 5, 44.4],
    ['combining characters', 'Cafe\u0301 au lait. Bon.', 'Cafe\u0301 au lait.', 0, 73.7],
    ['the same composed', 'Caf\u00e9 au lait. Bon.', 'Caf\u00e9 au lait.', 0, 72.2],
    ['right to left', 'שלום. Rust.', 'שלום.', 0, 45.5],
    ['all of it', '🦀', '🦀', 0, 100],
  ])('%s', (_, text, words, start, coverage) => {
    const whole = response(text, {
      groundingChunks: [A],
      groundingSupports: [supportOf(text, words, [0])],
    })
    for (const input of [whole, snakeCased(whole) as object, streamed(whole, 4)]) {
      const { annotations, metadata } = grounding.anchorCitations(input)
      expect(annotations).toMatchObject([{ start, end: start + words.length, text: words }])
      expect(metadata.anchoredCoveragePct).toBe(coverage)
    }
  })

  test('a support that cuts a character is widened to it', () => {
    expect(placesOf(anchor([bytes(1, 3)], [A], '😀漢'))).toEqual([[0, 2, [0]]])
  })
})

describe('chunks', () => {
  test('the same page twice is one citation; its spans count once each', () => {
    const chunks = [
      A,
      web('https://A.example/one/', 'One again'),
      B,
      web('https://a.example/one', ''),
    ]
    const anchored = anchor([bytes(0, 13, [0, 1, 3]), bytes(14, 25, [1, 2])], chunks)
    expect(placesOf(anchored)).toEqual([
      [0, 13, [0, 1, 3]],
      [14, 25, [1, 2]],
    ])
    expect(anchored.citations).toEqual([
      { ...page('https://a.example/one', 'One', 'a.example'), sourceId: 'chunk_0', count: 2 },
      { ...page('https://b.example/two', 'Two', 'b.example'), sourceId: 'chunk_2', count: 1 },
    ])
    expect(anchored.metadata.groundingChunks).toBe(4)
    expect(anchored.metadata.anchoredCitationsCount).toBe(2)
  })

  test('a raw address is the one before redirects, serialised', () => {
    const chunks = [web('https://A.example', 'One'), web('https://b.example/', 'Two')]
    const anchored = anchor([bytes(0, 13, [0]), bytes(14, 25, [1])], chunks)
    const raw = anchored.annotations.flatMap(({ sources }) => sources.map(({ rawUri }) => rawUri))
    expect(raw).toEqual(['https://a.example/', 'https://b.example/'])
  })

  test('an empty chunk takes an index and is no source', () => {
    const anchored = anchor([bytes(0, 13, [1]), bytes(14, 25, [2])], [A, {}, B])
    expect(placesOf(anchored)).toEqual([[14, 25, [2]]])
    expect(anchored.citations.map(({ sourceId, count }) => [sourceId, count])).toEqual([
      ['chunk_0', 0],
      ['chunk_2', 1],
    ])
    expect(anchored.metadata).toMatchObject({ groundingChunks: 2, groundingSupports: 2 })
  })

  test.each<[string, object, Partial<AnchoredCitations['citations'][number]>]>([
    ['a host with www', web('https://www.c.example/x', 'C'), { domain: 'c.example', title: 'C' }],
    [
      'a domain of its own',
      { web: { uri: 'https://c.example/', title: 'C', domain: 'see.example' } },
      { domain: 'see.example' },
    ],
    ['no title', web('https://c.example/', ''), { title: null, domain: 'c.example' }],
    [
      'a script',
      web('javascript:alert(1)', 'J'),
      { resolvedUrl: null, rawUri: 'javascript:alert(1)', domain: null },
    ],
    [
      'a stored file',
      { retrievedContext: { uri: 'gs://bucket/report.pdf', title: 'Report' } },
      { resolvedUrl: null, rawUri: 'gs://bucket/report.pdf', title: 'Report' },
    ],
    [
      'a place',
      { maps: { uri: 'https://maps.example/?cid=7', title: 'Café Ü' } },
      { resolvedUrl: 'https://maps.example/?cid=7', title: 'Café Ü' },
    ],
  ])('%s', (_, chunk, expected) => {
    const anchored = anchor([bytes(0, 13)], [chunk])
    expect(anchored.citations).toMatchObject([{ ...expected, sourceId: 'chunk_0', count: 1 }])
    expect(anchored.annotations[0]!.sources).toMatchObject([{ ...expected, chunkIndex: 0 }])
  })
})

function page(url: string, title: string, domain: string) {
  return { resolvedUrl: url, rawUri: url, title, domain }
}

const NOTHING = {
  anchoredCitationsCount: 0,
  unlinkedSourcesCount: 0,
  anchoredCoveragePct: 0,
  requiredPassReason: null,
  whyNotAnchored: 'NO_TOOL_CALL',
  groundingEvidenceMissing: false,
  toolCallCount: 0,
  webSearchQueries: [],
  groundingChunks: 0,
  groundingSupports: 0,
}

test.each<[string, (documents: string[]) => string]>([
  ['JSON lines', (documents) => documents.join('\n')],
  ['a list', (documents) => `[${documents.join(',')}]`],
  ['events', (documents) => documents.map((json) => `data: ${json}\n\n`).join('')],
])('a body of %s is the same as text and as bytes', (_, bodyOf) => {
  const metadata = { groundingChunks: [A, B], groundingSupports: [bytes(14, 25, [1])] }
  const chunks = [response(TEXT.slice(0, 13)), response(TEXT.slice(13), metadata)]
  const body = bodyOf(chunks.map((chunk) => JSON.stringify(chunk)))
  const anchored = grounding.anchorCitations(body)
  expect(placesOf(anchored)).toEqual([[14, 25, [1]]])
  expect(grounding.anchorCitations(new TextEncoder().encode(body))).toEqual(anchored)
})

describe('without grounding', () => {
  test.each<[string, ProviderInput]>([
    ['no metadata', response(TEXT)],
    ['empty metadata', response(TEXT, {})],
    [
      'empty lists',
      response(TEXT, { webSearchQueries: [], groundingChunks: [], groundingSupports: [] }),
    ],
    ['no text', response('', {})],
  ])('%s', (_, input) => {
    const { annotations, citations, metadata } = grounding.anchorCitations(input)
    expect([annotations, citations, metadata]).toEqual([[], [], NOTHING])
  })

  test('chunks without supports: found, and not linked', () => {
    expect(anchor([]).metadata).toMatchObject({
      anchoredCitationsCount: 0,
      unlinkedSourcesCount: 2,
      anchoredCoveragePct: 0,
      requiredPassReason: 'unlinked_google',
      whyNotAnchored: 'API_RESPONSE_MISSING_GROUNDING_SUPPORTS',
      groundingEvidenceMissing: false,
    })
  })

  test('supports without chunks: searched, and nothing to lean on', () => {
    expect(anchor([bytes(0, 13)], []).metadata).toMatchObject({
      requiredPassReason: 'unlinked_google',
      whyNotAnchored: 'API_RESPONSE_MISSING_GROUNDING_CHUNKS',
      groundingEvidenceMissing: true,
      groundingChunks: 0,
      groundingSupports: 1,
    })
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['a number', 7],
    ['text', 'no response'],
    ['an empty list', []],
    ['an empty object', {}],
    ['bytes of nothing', new Uint8Array()],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe, 0x00)],
    ['a list of garbage', [null, 7, 'x', [[]]]],
    ['metadata of another type', { candidates: [{ groundingMetadata: 'x' }] }],
    [
      'a throwing property',
      {
        get candidates(): never {
          throw new Error('mine')
        },
      },
    ],
  ])('garbage never throws: %s', (_, input) => {
    const { annotations, citations, metadata } = grounding.anchorCitations(input as ProviderInput)
    expect([annotations, citations, metadata]).toEqual([[], [], NOTHING])
  })
})
