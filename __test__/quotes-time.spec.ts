/** Long documents with many citations, and long answers with many spans, take linear time. */
import { expect, test } from 'vitest'
import { anthropic, CitationService, grounding } from '../index.js'
import { blocks, char, fetched, message, requestWith } from './anthropic-requests.js'
import { expectLinear, times } from './growth.js'

const { customContentDocument, plainTextDocument } = anthropic
const SENTENCE = 'Words that matter. '

/** A turn with a document of this many sentences, and as many citations of it. */
function quoting(document: object, citations: object[]) {
  const turn = new CitationService({ documents: true }).startTurn()
  turn.setRequest(requestWith(document))
  turn.push(message(['So it says.', ...citations]))
  return turn
}

test.each<[string, (size: number) => () => unknown]>([
  [
    'characters, far behind the start',
    (size) => {
      const text = SENTENCE.repeat(size)
      const citations = times(size, (at) => char(0, at * SENTENCE.length, SENTENCE))
      const turn = quoting(plainTextDocument(text), citations)
      return () => turn.finish()
    },
  ],
  [
    'characters, each to the end',
    (size) => {
      const text = SENTENCE.repeat(size)
      const citations = times(size, (at) => ({
        ...char(0, at, SENTENCE),
        end_char_index: text.length,
      }))
      const turn = quoting(plainTextDocument(text), citations)
      return () => turn.finish()
    },
  ],
  [
    'blocks, far behind the start',
    (size) => {
      const document = customContentDocument(times(size, () => SENTENCE))
      const turn = quoting(
        document,
        times(size, (at) => blocks(0, at, at + 1, SENTENCE)),
      )
      return () => turn.finish()
    },
  ],
])('quotations are held against %s', (_, prepare) => {
  expectLinear(8_000, prepare)
})

test('pages that were fetched are searched for quotations', () => {
  expectLinear(4_000, (size) => {
    const page = fetched('https://p.example/', 'P', '“Words” – that matter. '.repeat(size))
    const turn = new CitationService({ documents: true }).startTurn()
    const citations = times(size, (at) => char(0, at, `Words ${at} that are nowhere.`))
    turn.push(message(page, ['So it says.', ...citations]))
    return () => turn.finish()
  })
})

test('a fetched page gives its name to what it says, and to nothing else', () => {
  const page = fetched('https://p.example/', 'P', '“Words” – that matter.')
  const turn = new CitationService({ documents: true }).startTurn()
  const cited = ['"Words" - that', 'matter.', 'Others.'].map((text, at) => char(0, at, text))
  turn.push(message(page, ['So it says.', ...cited]))
  const titles = turn.finish().sources.map(({ title }) => title)
  expect(titles.filter((title) => title === 'P')).toHaveLength(2)
})

test.each([
  ['one behind the other', (at: number) => [at * 19, at * 19 + 18] as const],
  ['one inside the other', (at: number) => [at, 200_000 - at] as const],
])('coverage of spans that stand %s', (_, place) => {
  expectLinear(8_000, (size) => {
    const text = SENTENCE.repeat(size)
    const anchors = times(size, (at) => {
      const [start, end] = place(at)
      return { start, end, text: '', sources: [1 + (at % 9)] }
    })
    return () => {
      grounding.renderCoverage(text, { anchors })
      grounding.coverageSvg(text, { anchors })
    }
  })
})
