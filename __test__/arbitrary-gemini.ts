/**
 * Random answers as Gemini sends them: text in parts, a list of chunks, supports in UTF-8 bytes.
 */
import fc from 'fast-check'
import {
  cuts,
  type Generated,
  inPieces,
  numbers,
  type Planned,
  page,
  pageUrl,
  someText,
  spansOf,
  utf8Length,
} from './arbitrary.js'

const scores = fc.constantFrom(0.25, 0.5, 0.9375, 1)
const geminiSegment = fc.record({
  text: someText,
  /** Places in the list of chunks, taken modulo its length. */
  chunks: fc.array(fc.nat(20), { maxLength: 3 }),
  scores: fc.option(fc.array(scores, { minLength: 3, maxLength: 3 })),
  quoted: fc.boolean(),
})

/** How Gemini spreads a list over a stream: in one event, what is new, or all so far each time. */
const spread = fc.constantFrom('once', 'new', 'all')

export const geminiAnswer: fc.Arbitrary<Generated & { metadata: object }> = fc
  .record({
    segments: fc.array(geminiSegment, { minLength: 1, maxLength: 6 }),
    listed: fc.array(page, { minLength: 1, maxLength: 6 }),
    cuts,
    spread,
    id: fc.option(fc.constant('resp-1')),
    metadataAt: fc.nat(20),
  })
  .map(({ segments, listed, cuts, spread, id, metadataAt }) => {
    // A list that begins like the one before it counts as sent again, so news must be news.
    const pagesListed = spread === 'new' ? [...new Set(listed)] : listed
    const groundingChunks = pagesListed.map((index) => ({
      web: { uri: pageUrl(index), title: `Page ${index}` },
    }))
    const pages = [...new Set(pagesListed.map(pageUrl))]
    const answer = segments.map((segment) => segment.text).join('')
    const cited = spansOf(segments)
      .map((span) => ({
        ...span,
        indices: span.segment.chunks.map((index) => index % pagesListed.length),
      }))
      .filter(({ indices }) => indices.length > 0)
    const groundingSupports = cited.map(({ segment, start, text, indices }) => {
      const startIndex = utf8Length(answer.slice(0, start))
      return {
        segment: {
          // Protocol buffers leave out zeros.
          ...(startIndex > 0 && { startIndex }),
          endIndex: startIndex + utf8Length(text),
          ...(segment.quoted && { text }),
        },
        groundingChunkIndices: indices,
        ...(segment.scores && { confidenceScores: segment.scores.slice(0, indices.length) }),
      }
    })
    const metadata = { groundingChunks, groundingSupports }
    const parts = inPieces(answer, cuts)
    const response = (texts: string[], groundingMetadata: object | undefined, last: boolean) => ({
      candidates: [
        {
          content: { role: 'model', parts: texts.map((piece) => ({ text: piece })) },
          ...(groundingMetadata && { groundingMetadata }),
          ...(last && { finishReason: 'STOP' }),
        },
      ],
      ...(id && { responseId: id }),
    })
    return {
      answer,
      pages,
      metadata,
      anchors: cited.map(({ segment, start, end, text, indices }) => ({
        start,
        end,
        text,
        sources: numbers(
          indices.map((index) => pageUrl(pagesListed[index]!)),
          pages,
        ),
        ...(segment.scores && { confidence: Math.max(...segment.scores.slice(0, indices.length)) }),
      })),
      whole: response(parts, metadata, true),
      events: parts.map((piece, index) => {
        const carried = carriedBy(index, parts.length, metadata, spread, metadataAt)
        return response([piece], carried, index === parts.length - 1)
      }),
    }
  })

/** What the event at `index` carries of the metadata. */
function carriedBy(
  index: number,
  count: number,
  metadata: { groundingChunks: object[]; groundingSupports: object[] },
  spread: string,
  metadataAt: number,
): object | undefined {
  const { groundingChunks, groundingSupports } = metadata
  if (spread === 'once') return index === metadataAt % count ? metadata : {}
  const share = (list: object[], at: number) => Math.floor((list.length * at) / count)
  const from = spread === 'new' ? index : 0
  const chunks = groundingChunks.slice(
    share(groundingChunks, from),
    share(groundingChunks, index + 1),
  )
  const last = index === count - 1
  return {
    ...(chunks.length > 0 && { groundingChunks: chunks }),
    ...(last && { groundingSupports }),
  }
}

/** A response whose supports say which part they count in, among thoughts and tool parts. */
export const geminiParts: fc.Arbitrary<Planned & { whole: object }> = fc
  .array(fc.record({ text: someText, kind: fc.constantFrom('text', 'text', 'thought', 'tool') }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((list) => {
    const visible = (kind: string) => kind === 'text'
    const shown = list.map(({ text, kind }) => ({ kind, text: visible(kind) ? text : '' }))
    const anchors = spansOf(shown).filter(({ segment }) => visible(segment.kind))
    const parts = list.map(({ text, kind }) => {
      if (kind === 'tool') return { executableCode: { code: text, language: 'PYTHON' } }
      return { text, ...(kind === 'thought' && { thought: true }) }
    })
    const groundingSupports = list.flatMap(({ text, kind }, partIndex) =>
      visible(kind)
        ? [{ segment: { partIndex, endIndex: utf8Length(text), text }, groundingChunkIndices: [0] }]
        : [],
    )
    const groundingChunks = [{ web: { uri: pageUrl(0), title: 'Page 0' } }]
    return {
      answer: shown.map(({ text }) => text).join(''),
      pages: [pageUrl(0)],
      anchors: anchors.map(({ start, end, text }) => ({ start, end, text, sources: [1] })),
      whole: {
        candidates: [
          { content: { parts }, groundingMetadata: { groundingChunks, groundingSupports } },
        ],
      },
    }
  })
