/**
 * What Anthropic really sent: in every recording each citation is found and tied to the words it supports, and
 * wherever the document is in the recording, in the request or in the page that was fetched, its place there
 * holds exactly what it quotes.
 *
 * The second opinion in this file is a plain walk over the parsed recording.
 */
import { describe, expect, test } from 'vitest'
import {
  anthropic,
  CitationService,
  type CitationSource,
  extractAnthropicCitations,
  type TurnPayload,
} from '../index.js'
import { type Exchange, recording, recordings, recordingsPresent } from './recordings.js'
import { checked } from './turns.js'

/** A field of a parsed recording, of any type. */
// biome-ignore lint/suspicious/noExplicitAny: recordings are whatever providers sent.
type Wire = any

interface Counts {
  /** Citations in all. */
  citations: number
  /** Those whose document the recording holds as text or blocks. */
  proven: number
  /** Documents and pages that are cited. */
  documents: number
}

const COUNTS: [file: string, exchange: number, Counts][] = [
  ['content-block-citations.vcr.yaml', 0, { citations: 2, proven: 2, documents: 1 }],
  ['content-block-citations.vcr.yaml', 1, { citations: 2, proven: 2, documents: 1 }],
  ['content-block-citations.vcr.yaml', 2, { citations: 0, proven: 0, documents: 0 }],
  // Pages of a PDF: nothing to hold them against.
  ['pdf-page-location.vcr.yml', 0, { citations: 3, proven: 0, documents: 1 }],
  ['search-result-citations.vcr.yaml', 0, { citations: 1, proven: 1, documents: 1 }],
  ['stream-null-citations-start.cassette.yaml', 0, { citations: 1, proven: 1, documents: 1 }],
  ['text-char-location-stream.vcr.yml', 0, { citations: 1, proven: 1, documents: 1 }],
  ['web-fetch-char-location.vcr.yaml', 0, { citations: 11, proven: 11, documents: 1 }],
  ['web-fetch-char-location.vcr.yaml', 1, { citations: 9, proven: 9, documents: 1 }],
  ['web-fetch-char-location.vcr.yaml', 2, { citations: 0, proven: 0, documents: 0 }],
  // What a web search found is encrypted.
  [
    'web-search-result-in-later-message.recording.json',
    0,
    { citations: 0, proven: 0, documents: 0 },
  ],
  [
    'web-search-result-in-later-message.recording.json',
    1,
    { citations: 15, proven: 0, documents: 6 },
  ],
  [
    'web-search-result-in-later-message.recording.json',
    2,
    { citations: 9, proven: 0, documents: 5 },
  ],
  ['web-search-stream.chunks.txt', 0, { citations: 14, proven: 0, documents: 4 }],
]

function exchangeOf(file: string, index: number): Exchange {
  return recording(`anthropic/${file}`).exchanges[index]!
}

interface Block {
  type: string
  text: string
  citations: Wire[]
  content?: Wire
}

/** The blocks of an answer, put together from its events where it was streamed. */
function blocksOf({ events }: Exchange): Block[] {
  const blocks: Block[] = []
  const open = (block: Wire) => ({
    ...block,
    text: block.text ?? '',
    citations: [...(block.citations ?? [])],
  })
  for (const event of events as Wire[]) {
    if (event.type === 'message') blocks.push(...event.content.map(open))
    if (event.type === 'content_block_start') blocks[event.index] = open(event.content_block)
    if (event.type !== 'content_block_delta') continue
    const block = blocks[event.index]!
    if (event.delta.type === 'text_delta') block.text += event.delta.text
    if (event.delta.type === 'citations_delta') block.citations.push(event.delta.citation)
  }
  return blocks
}

/** Documents and search results that an answer may cite, in the order it counts them. */
function citableOf(exchange: Exchange): { documents: Wire[]; results: Wire[] } {
  const { messages = [] } = (exchange.request ?? {}) as Wire
  const inside = (block: Wire): Wire[] => {
    if (block.type === 'tool_result' && Array.isArray(block.content)) {
      return block.content.flatMap(inside)
    }
    return block.type === 'web_fetch_tool_result' ? [block.content.content] : [block]
  }
  const sent = messages.flatMap(({ content }: Wire) => (Array.isArray(content) ? content : []))
  const all: Wire[] = [...sent, ...blocksOf(exchange)].flatMap(inside)
  return {
    documents: all.filter(({ type }) => type === 'document'),
    results: all.filter(({ type }) => type === 'search_result'),
  }
}

/** Where a citation points, if it points into a text that the recording holds. */
function documentOf(citation: Wire, exchange: Exchange): Wire | undefined {
  const { documents, results } = citableOf(exchange)
  return citation.type === 'search_result_location'
    ? results[citation.search_result_index]
    : documents[citation.document_index]
}

/** What a turn that knows the request comes to. */
function payloadOf(exchange: Exchange, groupByDocument = false): TurnPayload {
  const turn = new CitationService({ documents: true, groupByDocument }).startTurn()
  if (exchange.request) turn.setRequest(exchange.request as object)
  for (const event of exchange.events) turn.push(event as object)
  return checked(turn.finish())
}

/** A location with its fields spelled as they travel. */
function spelledAsSent(location: object | undefined): object {
  const name = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(location ?? {}).map(([key, at]) => [name(key), at]))
}

/** Whether a source, or a repeat that was folded into it, is this citation. */
function isSourceOf(citation: Wire, { url, location, also = [] }: CitationSource): boolean {
  if (citation.url) return url === new URL(citation.url).href
  const places = [location, ...also.map(({ location }) => location)].map(spelledAsSent)
  return places.some((place) =>
    Object.entries(place).every(([key, value]) => citation[key] === value),
  )
}

if (!recordingsPresent) {
  test('NOTHING COMPARED: the real recordings are not beside this checkout', () => {
    console.warn('No folder ../shared/fixtures beside the project: no real recording was read.')
  })
} else {
  test('every recording of Anthropic is in the table', () => {
    const all = recordings()
      .filter(({ provider }) => provider === 'anthropic')
      .flatMap(({ file, exchanges }) => exchanges.map((_, index) => `${file} ${index}`))
    expect(COUNTS.map(([file, index]) => `anthropic/${file} ${index}`).sort()).toEqual(all.sort())
  })

  describe.each(COUNTS)('%s, exchange %i', (file, index, { citations, proven, documents }) => {
    const exchange = exchangeOf(file, index)
    const blocks = blocksOf(exchange)
    const cited = blocks.filter((block) => block.citations.length > 0)
    const all = cited.flatMap((block) => block.citations)

    test(`has ${citations} citations, and all are found`, () => {
      expect(all).toHaveLength(citations)
      const input = exchange.events as object[]
      const found = extractAnthropicCitations(input, { documents: true })
      expect(found).toHaveLength(citations)
      for (const [at, source] of found.entries()) expect(isSourceOf(all[at], source)).toBe(true)
    })

    test('ties each to the words it supports', () => {
      const { answer, anchors, sources, diagnostics } = payloadOf(exchange)
      const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => text)
      expect(answer).toBe(texts.join(''))
      expect(anchors.map(({ text }) => text)).toEqual(cited.map(({ text }) => text))
      expect(diagnostics).toEqual([])
      for (const [at, { sources: numbers }] of anchors.entries()) {
        for (const citation of cited[at]!.citations) {
          const named = numbers.filter((number) => isSourceOf(citation, sources[number - 1]!))
          expect(named).toHaveLength(1)
        }
      }
    })

    test(`quotes ${proven} times what its document holds there`, () => {
      const located = all.flatMap((citation) => {
        const document = documentOf(citation, exchange)
        const passage = document && anthropic.locate(document, citation)
        return passage ? [{ citation, document, passage }] : []
      })
      expect(located).toHaveLength(proven)
      for (const { citation, document, passage } of located) {
        expect(passage.text).toBe(citation.cited_text)
        const { data, content } = document.source
        const pieces: string[] = (content ?? document.content ?? []).map(({ text }: Wire) => text)
        const whole: string = data ?? pieces.join('')
        expect(whole.slice(passage.start, passage.end)).toBe(citation.cited_text)
      }
    })

    test(`cites ${documents} documents, grouped`, () => {
      const grouped = payloadOf(exchange, true)
      const key = ({ url, document_index, search_result_index }: Wire) =>
        url ?? `${document_index} ${search_result_index}`
      const distinct = [...new Set(all.map(key))]
      expect(distinct).toHaveLength(documents)
      expect(grouped.sources).toHaveLength(documents)
      const numbers = cited.map((block) => {
        const named = block.citations.map((citation) => distinct.indexOf(key(citation)) + 1)
        return [...new Set(named)].sort((a, b) => a - b)
      })
      expect(grouped.anchors.map(({ sources }) => sources)).toEqual(numbers)
    })

    test('was asked for by a request about which there is nothing to say', () => {
      if (exchange.request === undefined) {
        expect(file).toBe('web-search-stream.chunks.txt')
        return
      }
      expect(anthropic.checkCitationRequest(exchange.request as object)).toEqual([])
    })
  })

  test('pages that were fetched have their address', () => {
    for (const index of [0, 1]) {
      const { sources } = payloadOf(exchangeOf('web-fetch-char-location.vcr.yaml', index))
      const urls = new Set(sources.map(({ url, title }) => `${title} ${url}`))
      expect([...urls]).toEqual(['Home - Docs by LangChain https://docs.langchain.com/'])
    }
  })

  test('offsets count characters and nothing else', () => {
    // The only document with characters of more than one byte before its citations.
    const exchange = exchangeOf('web-fetch-char-location.vcr.yaml', 0)
    const [{ source }] = citableOf(exchange).documents as [Wire]
    const bytes = Buffer.from(source.data)
    for (const citation of blocksOf(exchange).flatMap((block) => block.citations)) {
      const { start_char_index: start, end_char_index: end, cited_text } = citation
      expect(
        Array.from(source.data as string)
          .slice(start, end)
          .join(''),
      ).toBe(cited_text)
      expect(bytes.subarray(start, end).toString()).not.toBe(cited_text)
    }
  })
}
