/**
 * A small payload does not fill the memory: spans quote the answer, so overlapping ones must not
 * multiply it without end, and empty places of a list cost their sender nothing.
 */
import { expect, test } from 'vitest'
import { extractGeminiCitations } from '../index.js'
import { finished, gemini, grounded, web } from './turns.js'

const ANSWER = 'ein Wort. '.repeat(10_000)

const overlapping = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    segment: { startIndex: at, endIndex: ANSWER.length },
    groundingChunkIndices: [0],
  }))

const payloadOf = (count: number) =>
  finished([gemini(ANSWER, grounded([web('https://a.example/', 'A')], overlapping(count)))])

test('spans that overlap as much as real ones do are all there', () => {
  const { anchors, diagnostics } = payloadOf(20)
  expect(anchors).toHaveLength(20)
  expect(diagnostics).toEqual([])
})

test('more of them quote no more, are reported, and keep their source', () => {
  const { anchors, diagnostics, sources } = payloadOf(4000)
  const quoted = anchors.reduce((sum, anchor) => sum + anchor.text.length, 0)
  expect(quoted).toBeLessThanOrEqual(32 * ANSWER.length)
  expect(diagnostics).toEqual([
    { code: 'span_lost', detail: expect.any(String), count: 4000 - anchors.length },
  ])
  expect(sources).toHaveLength(1)
})

test.each([
  [60_000, 1],
  [70_000, 0],
])('a source behind %i empty places of a list: %i found', (empty, found) => {
  const chunks = new Array(empty)
  chunks.push(web('https://a.example/', 'A'))
  expect(extractGeminiCitations({ groundingChunks: chunks })).toHaveLength(found)
})
