/**
 * Bodies that are not what they should be: what is whole is read, what is damaged is reported once
 * with a count, and nothing takes longer than its length.
 */
import { describe, expect, test } from 'vitest'
import { CitationService, type CitationTurn } from '../index.js'
import { expectSound, payloadOf, pushedBytes, utf8 } from './stream-bodies.js'

const FIRST = { candidates: [{ content: { parts: [{ text: 'One ' }] } }] }

const LAST = {
  candidates: [
    {
      content: { parts: [{ text: 'two.' }] },
      finishReason: 'STOP',
      groundingMetadata: {
        groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
        groundingSupports: [{ segment: { endIndex: 3, text: 'One' }, groundingChunkIndices: [0] }],
      },
    },
  ],
}

const GOOD = [FIRST, LAST].map((event) => `data: ${JSON.stringify(event)}\n\n`)
const [FIRST_EVENT, LAST_EVENT] = GOOD as [string, string]

const WHOLE = pushedBytes(GOOD.join(''))

test('the undamaged body has one source, one span and nothing to report', () => {
  expect(WHOLE.answer).toBe('One two.')
  expect(WHOLE.sources).toHaveLength(1)
  expect(WHOLE.anchors).toEqual([{ start: 0, end: 3, text: 'One', sources: [1] }])
  expect(WHOLE.diagnostics).toEqual([])
})

describe('damage between events', () => {
  const DAMAGE: [name: string, body: string, count: number][] = [
    ['an event of plain words', 'data: upstream timed out\n\n', 1],
    ['an event that breaks off', `data: ${JSON.stringify(FIRST).slice(0, 30)}\n\n`, 1],
    ['more than one of these', 'data: oops\n\ndata: {"error":\n\n', 2],
  ]

  test.each(DAMAGE)('%s is reported', (_, damage, count) => {
    const payload = pushedBytes(FIRST_EVENT + LAST_EVENT + damage)
    expectSound(payload)
    expect(payload.diagnostics.map(({ code, count }) => ({ code, count }))).toEqual([
      { code: 'data_damaged', count },
    ])
  })

  test.each(DAMAGE)('%s takes nothing from the events around it', (_, damage) => {
    const { answer, sources, anchors } = pushedBytes(FIRST_EVENT + damage + LAST_EVENT)
    expect(answer.endsWith('two.')).toBe(true)
    expect(sources).toEqual(WHOLE.sources)
    expect(anchors.map(({ text }) => text)).toEqual(['One'])
  })
})

describe('a body that breaks off', () => {
  test.each([
    ['server-sent events', GOOD.join('')],
    ['a JSON array', JSON.stringify([FIRST, LAST])],
    ['JSON lines', [FIRST, LAST].map((event) => JSON.stringify(event)).join('\n')],
  ])('inside the last of %s is reported, and what came before is read', (_, body) => {
    const payload = pushedBytes(body.trimEnd().slice(0, -20))
    expectSound(payload)
    expect(payload.answer.startsWith('One ')).toBe(true)
    expect(payload.diagnostics.map(({ code }) => code)).toContain('data_damaged')
  })

  test('anywhere gives a sound payload', () => {
    const body = utf8(GOOD.join(''))
    for (let end = 0; end <= body.length; end++) expectSound(pushedBytes(body.subarray(0, end)))
  })
})

describe('a long wait', () => {
  const BLANKS = utf8(' \n'.repeat(1 << 21))

  /** Milliseconds that many short pieces take behind much that was sent before. */
  function timeOf(turn: CitationTurn, before: Uint8Array, piece: string): number {
    turn.pushBytes(before)
    const start = performance.now()
    for (let count = 0; count < 2000; count++) turn.pushBytes(utf8(piece))
    return performance.now() - start
  }

  test.each([
    ['blanks before the body', BLANKS, '\n'],
    ['a line that does not end', utf8(`data: {"a":"${'x'.repeat(1 << 22)}`), 'x'],
    ['a document that does not end', utf8(`{"a":"${'x'.repeat(1 << 22)}`), 'x'],
    ['a list that does not end', utf8(`[${'{},'.repeat(1 << 20)}`), '{},'],
    ['an event that does not end', utf8('data: [1,\n'.repeat(1 << 18)), 'data: 1,\n'],
  ])('on %s costs no more at its end than at its start', (_, before, piece) => {
    // The same pieces behind next to nothing are the measure. A piece that looked at all before it
    // again would take thousands of times as long, in every try.
    const tries = [1, 2, 3].map(() => {
      const short = timeOf(new CitationService().startTurn(), before.subarray(0, 12), piece)
      return timeOf(new CitationService().startTurn(), before, piece) / (short + 5)
    })
    expect(Math.min(...tries)).toBeLessThan(30)
  })

  test('before the body changes nothing', () => {
    const payload = payloadOf((turn) => {
      turn.pushBytes(BLANKS.subarray(0, 1000))
      for (const event of GOOD) turn.pushBytes(utf8(event))
    })
    expect(payload).toEqual(WHOLE)
  })
})

test.each([
  ['text', 'data: {}'],
  ['nothing', undefined],
  ['a list of numbers', [1, 2]],
  ['a buffer without a view', new ArrayBuffer(2)],
])('%s is no piece of a body', (_, chunk: unknown) => {
  const turn = new CitationService().startTurn()
  expect(() => turn.pushBytes(chunk as Uint8Array)).toThrow(TypeError)
  turn.pushBytes(Buffer.from(GOOD.join('')))
  expect(turn.finish()).toEqual(WHOLE)
})
