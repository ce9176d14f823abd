/**
 * What providers really sent: every recording gives as many sources as it was counted to hold, each
 * with the values that stand in it, and gives the same ones as an object, as JSON and as bytes.
 *
 * The second opinion in this file is a plain walk over the parsed recording.
 */
import { describe, expect, test } from 'vitest'
import {
  type CitationLocation,
  type CitationSource,
  dedupeCitations,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
} from '../index.js'
import { type Exchange, recording, recordings, recordingsPresent } from './recordings.js'

type Extract = (input: string | object) => CitationSource[]

const EXTRACTORS = {
  google: extractGeminiCitations,
  anthropic: (input) => extractAnthropicCitations(input, { documents: true }),
  openai: extractOpenAIResponsesCitations,
} satisfies Record<string, Extract>

type Provider = keyof typeof EXTRACTORS

/** File, which exchange of it, how many sources it names, and of how many pages where known. */
const COUNTS: [file: `${Provider}/${string}`, exchange: number, sources: number, pages?: number][] =
  [
    ['google/file-search-stream-gemini-3.vcr.yaml', 0, 0],
    ['google/file-search-stream-gemini-3.vcr.yaml', 1, 0],
    ['google/file-search-stream-gemini-3.vcr.yaml', 2, 0],
    ['google/file-search-stream-gemini-3.vcr.yaml', 3, 1],
    ['google/file-search-stream-gemini-3.vcr.yaml', 4, 1],
    ['google/file-search-stream-gemini-3.vcr.yaml', 5, 0],
    ['google/google-maps-unary-googleai.json', 0, 20, 20],
    ['google/google-maps-unary-vertex.json', 0, 20, 20],
    ['google/google-search-executable-code-part.json', 0, 3, 3],
    ['google/google-search-stream-gemini-2.5-pro.vcr.yaml', 0, 5, 5],
    ['google/google-search-stream-gemini-2.5-pro.vcr.yaml', 1, 4, 4],
    ['google/google-search-unary-gemini-3.5-flash.vcr.yml', 0, 5, 5],
    ['google/google-search-unary.json', 0, 2, 2],
    ['google/url-context-mixed-validity-unary.json', 0, 1, 1],
    ['google/url-context-offset-shifted-by-one.json', 0, 1, 1],
    ['google/url-context-stream.sse.txt', 0, 1, 1],
    ['google/url-context-supports-without-chunks-vertex.json', 0, 0],
    ['anthropic/content-block-citations.vcr.yaml', 0, 2],
    ['anthropic/content-block-citations.vcr.yaml', 1, 2],
    // The follow-up talks about the two citations, which stand in its request; it has none itself.
    ['anthropic/content-block-citations.vcr.yaml', 2, 0],
    ['anthropic/pdf-page-location.vcr.yml', 0, 3],
    ['anthropic/search-result-citations.vcr.yaml', 0, 1],
    ['anthropic/stream-null-citations-start.cassette.yaml', 0, 1],
    ['anthropic/text-char-location-stream.vcr.yml', 0, 1],
    ['anthropic/web-fetch-char-location.vcr.yaml', 0, 11],
    ['anthropic/web-fetch-char-location.vcr.yaml', 1, 9],
    ['anthropic/web-fetch-char-location.vcr.yaml', 2, 0],
    ['anthropic/web-search-result-in-later-message.recording.json', 0, 0],
    ['anthropic/web-search-result-in-later-message.recording.json', 1, 15],
    ['anthropic/web-search-result-in-later-message.recording.json', 2, 9],
    ['anthropic/web-search-stream.chunks.txt', 0, 14, 4],
    ['openai/code-interpreter-stream.chunks.txt', 0, 1],
    ['openai/file-search-stream.chunks.txt', 0, 2],
    ['openai/web-search-stream-short.vcr.yaml', 0, 1, 1],
    ['openai/web-search-stream-short.vcr.yaml', 1, 1, 1],
    ['openai/web-search-stream-short.vcr.yaml', 2, 0],
    ['openai/web-search-stream.chunks.txt', 0, 12, 7],
    ['openai/web-search.json', 0, 10, 7],
  ]

/** A field of a parsed recording, of any type. */
// biome-ignore lint/suspicious/noExplicitAny: recordings are whatever providers sent.
type Wire = any

/** What a host would hand over: the body, all events of a stream, or the event that sums it up. */
function inputOf(provider: Provider, { events }: Exchange): object {
  const summary = events.find((event: Wire) => event?.type === 'response.completed')
  if (provider === 'openai' && summary) return summary
  return events.length === 1 ? (events[0] as object) : events
}

/** The sources as a plain walk over the recording finds them. */
const WALKS: Record<Provider, (events: Wire[]) => CitationSource[]> = {
  google: (events) =>
    events
      .flatMap((event) => event.candidates?.[0]?.groundingMetadata?.groundingChunks ?? [])
      .map((chunk: Wire, groundingChunkIndex) => {
        const page = chunk.web ?? chunk.maps
        const location = { type: 'grounding', groundingChunkIndex } as const
        return page
          ? source('gemini', { title: page.title, url: page.uri, citedText: page.text, location })
          : // File search names no page; the title is derived, so it is no part of this opinion.
            source('gemini', {
              title: expect.any(String),
              url: attached(chunk.retrievedContext, 'source_url'),
              citedText: chunk.retrievedContext.text,
              location,
            })
      }),
  anthropic: (events) => {
    const blocks = events.flatMap((event) => event.content ?? event.content_block ?? [])
    // Citations of a page the model fetched name no address; the result of the fetch does.
    const fetched = blocks.filter((block: Wire) => block.type === 'web_fetch_tool_result')
    return events
      .flatMap((event) => [
        ...(event.content ?? []).flatMap((block: Wire) => block.citations ?? []),
        ...(event.delta?.citation ? [event.delta.citation] : []),
      ])
      .map((citation) => {
        const { cited_text, document_title, title, url, source: name, ...location } = citation
        return source('anthropic', {
          // What has no other name is called by what the caller called it.
          title: document_title ?? title ?? name,
          url: url ?? fetched[location.document_index]?.content.url,
          uri: name,
          citedText: cited_text,
          location: camelCased(location),
        })
      })
  },
  openai: (events) =>
    (events.at(-1)?.response ?? events[0]).output
      .flatMap((item: Wire) => item.content ?? [])
      .flatMap((part: Wire) => part.annotations ?? [])
      .map((annotation: Wire) => {
        const { title, filename, url, file_id, ...location } = annotation
        return source('openai-responses', {
          title: title ?? filename,
          url,
          fileId: file_id,
          location: camelCased(location),
        })
      }),
}

/** A source as it is given out: serialised address, one line of excerpt, no empty fields. */
function source(provider: string, { url, citedText, ...fields }: CitationSource): CitationSource {
  const given = {
    provider,
    ...fields,
    url: url && new URL(url).href,
    citedText: citedText && excerpt(citedText),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value))
}

function excerpt(text: string): string {
  const line = text.replace(/[\r\n\t]+/g, ' ')
  const characters = [...new Intl.Segmenter().segment(line)].map(({ segment }) => segment)
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : line
}

function camelCased(fields: Record<string, unknown>): CitationLocation {
  const name = (key: string) => key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const renamed = Object.entries(fields).map(([key, value]) => [name(key), value])
  return Object.fromEntries(renamed) as CitationLocation
}

function attached(context: Wire, name: string): string | undefined {
  return context.customMetadata?.find((entry: Wire) => entry.key === name)?.stringValue
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

function exchangeOf(file: string, index: number): Exchange {
  const found = recording(file).exchanges[index]
  if (!found) throw new Error(`${file} has no exchange ${index}`)
  return found
}

if (!recordingsPresent) {
  test('NOTHING COMPARED: the real recordings are not beside this checkout', () => {
    console.warn('No folder ../shared/fixtures beside the project: no real recording was read.')
  })
} else {
  describe.each(COUNTS)('%s, exchange %i', (file, index, sources, pages) => {
    const provider = file.split('/')[0] as Provider
    const extract: Extract = EXTRACTORS[provider]
    const found = () => extract(inputOf(provider, exchangeOf(file, index)))

    test(`names ${sources} sources`, () => {
      expect(found()).toHaveLength(sources)
    })

    test('gives out what the recording says, in its order', () => {
      const walk = sources === 0 ? [] : WALKS[provider](exchangeOf(file, index).events)
      expect(walk).toHaveLength(sources)
      expect(found()).toEqual(walk)
    })

    if (pages !== undefined) {
      test(`cites ${pages} pages`, () => {
        const listed = dedupeCitations(found())
        expect(listed).toHaveLength(pages)
        const mentions = listed.flatMap(({ also }) => also ?? [])
        expect(listed.length + mentions.length).toBe(sources)
      })
    }
  })

  describe.each(recordings().map(({ file, exchanges }) => ({ file, exchanges })))(
    '$file, whoever reads it',
    ({ exchanges }) => {
      test.each(Object.entries(EXTRACTORS))(
        'is the same as object, JSON and bytes for the reader of %s',
        (provider, extract: Extract) => {
          for (const each of exchanges) {
            const input = inputOf(provider as Provider, each)
            const fromObject = extract(input)
            expect(extract(JSON.stringify(input))).toEqual(fromObject)
            expect(extract(JSON.stringify(input, null, '\t'))).toEqual(fromObject)
            expect(extract(bytesOf(input))).toEqual(fromObject)
            if (each.kind === 'json') expect(extract(each.raw)).toEqual(fromObject)
          }
        },
      )
    },
  )

  test('every Anthropic recording is silent while documents are off', () => {
    for (const { exchanges } of recordings().filter(({ provider }) => provider === 'anthropic')) {
      for (const each of exchanges) expect(extractAnthropicCitations(each.events)).toEqual([])
    }
  })

  test('nothing of the recordings is changed by reading them', () => {
    for (const { exchanges } of recordings()) {
      for (const { events } of exchanges) {
        const before = structuredClone(events)
        for (const extract of Object.values<Extract>(EXTRACTORS)) extract(events)
        expect(events).toEqual(before)
      }
    }
  })
}
