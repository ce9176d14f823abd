/**
 * No payload costs more than linear time: eight times the input takes about eight times as long, where
 * quadratic work would take sixty-four times. Times are compared with each other, never with a clock.
 */
import { test } from 'vitest'
import { CitationService, type CitationTurn, insertMarkers } from '../index.js'
import { expectLinear, times } from './growth.js'
import { charLocation, gemini, grounded, openAiResponse, web } from './turns.js'

const A = 'https://a.example/'

function turn(...events: object[]): CitationTurn {
  const turn = new CitationService({ documents: true }).startTurn()
  for (const event of events) turn.push(event)
  return turn
}

/** A grounded answer of ten bytes per support. */
function supported(size: number, segment: (at: number) => object): CitationTurn {
  const supports = times(size, (at) => ({ segment: segment(at), groundingChunkIndices: [0] }))
  return turn(gemini('ein Wort. '.repeat(size), grounded([web(A, 'A')], supports)))
}

test.each<[string, number, (size: number) => () => unknown]>([
  [
    'supports whose words are nowhere',
    20_000,
    (size) => {
      const made = supported(size, (at) => ({
        startIndex: at,
        endIndex: at + 9,
        text: `Nie ${at}`,
      }))
      return () => made.finish()
    },
  ],
  [
    'supports whose words are everywhere but there',
    20_000,
    (size) => {
      const made = supported(size, (at) => ({
        startIndex: at * 10 + 1,
        endIndex: 0,
        text: 'Wort.',
      }))
      return () => made.finish()
    },
  ],
  [
    "supports that are placed in the host's answer",
    80_000,
    (size) => {
      const made = supported(size, (at) => ({ startIndex: at * 10, endIndex: at * 10 + 9 }))
      return () => made.finish(`\n${'ein Wort. '.repeat(size)}`)
    },
  ],
  [
    'annotations that span the answer and whose link is not in it',
    20_000,
    (size) => {
      const text = 'ein Wort. '.repeat(size)
      const page = (at: number) => ({ type: 'url_citation', url: `${A}${at}`, title: 'T' })
      const spans = times(size, (at) => ({ ...page(at), start_index: 0, end_index: text.length }))
      const made = turn(openAiResponse(text, spans))
      return () => made.finish()
    },
  ],
  [
    'annotations that cut links without a beginning',
    20_000,
    (size) => {
      const link = `](${A}) `
      const page = { type: 'url_citation', url: A, title: 'T' }
      const spans = times(size, (at) => {
        const start_index = at * link.length
        return { ...page, start_index, end_index: start_index + link.length }
      })
      const made = turn(openAiResponse(link.repeat(size), spans))
      return () => made.finish()
    },
  ],
  [
    "annotations of the same link, all of them elsewhere in the host's answer",
    4_000,
    (size) => {
      const link = `([a](${A})) `
      const page = { type: 'url_citation', url: A, title: 'T' }
      const spans = times(size, (at) => {
        const start_index = at * link.length
        return { ...page, start_index, end_index: start_index + link.length - 1 }
      })
      const made = turn(openAiResponse(link.repeat(size), spans))
      return () => made.finish(`${link.slice(0, -1)}\n\n`.repeat(size))
    },
  ],
  [
    'annotations of the same link, of which nobody knows which is which',
    4_000,
    (size) => {
      const link = `([a](${A}))`
      const page = { type: 'url_citation', url: A, title: 'T' }
      const spans = times(size, (at) => {
        const start_index = 2 + at * (link.length + 1)
        return { ...page, start_index, end_index: start_index + link.length }
      })
      const made = turn(openAiResponse(`\n\n${`${link}\n`.repeat(size)}`, spans))
      const before = 'Ein Wort. '.repeat(size)
      return () => made.finish(`${before}${` ${link}\r`.repeat(size)}`)
    },
  ],
  [
    "supports of the whole of an answer that the host's only holds",
    20_000,
    (size) => {
      const made = supported(size, () => ({ startIndex: 0, endIndex: size * 10 }))
      return () => made.finish(`\n${'ein Wort. '.repeat(size)}.`)
    },
  ],
  [
    'blocks that are each cited',
    20_000,
    (size) => {
      const block = (at: number) => {
        return { type: 'text', text: 'Ja. ', citations: [charLocation('D', at, 'Ja.')] }
      }
      const made = turn({ id: 'm', type: 'message', content: times(size, block) })
      return () => made.finish()
    },
  ],
  [
    'events of ever new blocks',
    20_000,
    (size) => {
      const made = turn()
      const delta = { type: 'text_delta', text: 'Ja. ' }
      const events = times(size, (index) => ({ type: 'content_block_delta', index, delta }))
      return () => events.forEach((event) => void made.push(event))
    },
  ],
  [
    'events of ever new calls',
    20_000,
    (size) => {
      const made = turn()
      const events = times(size, (at) => JSON.stringify(gemini('Ja. ', {}, `call-${at}`)))
      return () => events.forEach((event) => void made.push(event))
    },
  ],
  [
    'events of one long answer',
    40_000,
    (size) => {
      const made = turn()
      const event = gemini('Ja. ')
      return () => {
        for (let at = 0; at < size; at++) made.push(event)
        made.finish()
      }
    },
  ],
  [
    'chunks that come one by one',
    20_000,
    (size) => {
      const made = turn()
      const events = times(size, (at) => gemini('', grounded([web(`${A}${at}`, 'T')])))
      return () => {
        for (const event of events) made.push(event)
        made.finish()
      }
    },
  ],
])('%s', (_, size, prepare) => {
  expectLinear(size, prepare)
})

test.each<[string, number, string, number]>([
  ['behind code', 20_000, '`a` b ', 5],
  ['inside code', 20_000, '`a` b ', 2],
  ['behind fences', 8_000, '```\na\n```\nb\n', 11],
  ['inside flags', 16_000, '🇩🇪', 2],
  ['inside one character of many marks', 8_000, '\u0301', 1],
  ['between brackets that never close', 20_000, '[', 1],
  ['between backticks of any number', 20_000, '`` ` ', 3],
])('markers %s', (_, size, piece, offset) => {
  expectLinear(size, (size) => {
    const text = `e${piece.repeat(size)}`
    const anchors = times(size, (at) => {
      return { start: 0, end: 1 + at * piece.length + offset, text: '', sources: [1] }
    })
    return () => insertMarkers(text, { anchors })
  })
})

test('an event of a stream with many unknown fields behind its text', () => {
  expectLinear(160_000, (size) => {
    const fields = ',"a":1'.repeat(size)
    const event = `data: {"choices":[{"delta":{"content":"hi"}}]${fields}}\n\n`
    const body = new TextEncoder().encode(event)
    const turn = new CitationService().startTurn()
    return () => turn.pushBytes(body)
  })
})
