/**
 * A body may be cut anywhere on its way, even inside a character: for every recorded body, pieces of
 * any size give the payload of the whole.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CitationService, type CitationTurn } from '../index.js'
import { recordings, recordingsPresent } from './recordings.js'
import { BODIES, cut, pushed, utf8 } from './stream-bodies.js'

/** Every cut is tried up to here, about as much as a test may take; of longer bodies a choice. */
const ALL_CUTS_UP_TO = 40_000
const CHOSEN_CUTS = 1500

/** Long enough for the longest body on a slow machine. */
const PATIENCE = { timeout: 300_000 }

interface Body {
  name: string
  events: unknown[]
  bytes: Uint8Array
}

const RECORDED: Body[] = recordings().flatMap(({ file, exchanges }) =>
  exchanges.map(({ events, raw }, index) => ({
    name: `${file}, exchange ${index}`,
    events,
    bytes: utf8(raw),
  })),
)

/** A short stream with characters of two, three and four bytes, for the forms no recording has. */
const SHORT = [
  { candidates: [{ content: { parts: [{ text: 'Füße {"a":1} ' }] }, groundingMetadata: {} }] },
  { candidates: [{ content: { parts: [{ text: '漢字 \\" 👩‍👩‍👧' }] } }] },
  {
    candidates: [
      {
        content: { parts: [{ text: '.\n' }] },
        finishReason: 'STOP',
        groundingMetadata: {
          groundingChunks: [{ web: { uri: 'https://é.example/', title: '“é” [x] {y}' } }],
          groundingSupports: [
            { segment: { endIndex: 6, text: 'Füße' }, groundingChunkIndices: [0] },
            {
              segment: { startIndex: 15, endIndex: 43, text: '漢字 \\" 👩‍👩‍👧' },
              groundingChunkIndices: [0],
            },
          ],
        },
      },
    ],
  },
]

const WRITTEN: Body[] = Object.entries(BODIES).map(([form, write]) => ({
  name: `a short stream as ${form}`,
  events: SHORT,
  bytes: utf8(write(SHORT)),
}))

/** Rows for `describe.each`, which writes out in full only what it is given in a list. */
function rows(bodies: Body[]): [name: string, body: Body][] {
  return bodies.map((body) => [body.name, body])
}

/** Every place at which a body can be cut in two; of a long body, chosen ones. */
function places(bytes: Uint8Array): Iterable<number> {
  const { length } = bytes
  if (length <= ALL_CUTS_UP_TO) return Array.from({ length: length + 1 }, (_, at) => at)
  const spread = Array.from({ length: CHOSEN_CUTS }, (_, at) =>
    Math.round((at * length) / CHOSEN_CUTS),
  )
  const inCharacters = [...bytes.keys()].filter((at) => (bytes[at]! & 0xc0) === 0x80)
  return new Set([...spread, ...inCharacters])
}

/** Feeds one turn over and over, and holds each payload against the one of the parsed events. */
function comparer(events: unknown[]): (pieces: readonly Uint8Array[], how: string) => void {
  const turn: CitationTurn = new CitationService({ documents: true }).startTurn()
  const expected = pushed(events)
  const written = JSON.stringify(expected)
  return (pieces, how) => {
    turn.reset()
    for (const piece of pieces) turn.pushBytes(piece)
    const payload = turn.finish()
    // A matcher for each of so many cuts would take longer than all the rest.
    if (JSON.stringify(payload) !== written) expect(payload, how).toEqual(expected)
  }
}

if (!recordingsPresent) {
  test('NO RECORDING COMPARED: the real recordings are not beside this checkout', () => {
    console.warn('No folder ../shared/fixtures beside the project: no real recording was read.')
  })
}

test('the short stream has the spans it was written for', () => {
  const { answer, anchors, diagnostics } = pushed(SHORT)
  expect(answer).toBe('Füße {"a":1} 漢字 \\" 👩‍👩‍👧.\n')
  expect(anchors.map(({ text }) => text)).toEqual(['Füße', '漢字 \\" 👩‍👩‍👧'])
  expect(diagnostics).toEqual([])
})

describe.each(rows([...WRITTEN, ...RECORDED]))('%s', (_, { events, bytes }) => {
  const compare = comparer(events)

  test.each([1, 2, 3, 7, 64])('is the same in pieces of %i bytes', (size) => {
    compare(cut(bytes, size), `pieces of ${size}`)
  })

  test('is the same cut in two anywhere', PATIENCE, () => {
    for (const at of places(bytes)) {
      compare([bytes.subarray(0, at), bytes.subarray(at)], `cut at ${at}`)
    }
  })

  test('is the same cut in many, with empty pieces among them', PATIENCE, () => {
    const cuts = fc.array(fc.nat(bytes.length), { maxLength: 200 })
    fc.assert(
      fc.property(cuts, (found) => {
        const at = [0, ...found.sort((a, b) => a - b), bytes.length]
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end))
        compare(pieces, `cut at ${at}`)
      }),
      { seed: 20_261_116, numRuns: 60 },
    )
  })
})
