/**
 * Random answers of many scripts: the whole response, its events cut anywhere and its bytes cut
 * anywhere give the same payload, and its spans are the ones that were put into it.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CitationService, type TurnPayload } from '../index.js'
import type { Generated, Planned } from './arbitrary.js'
import { anthropicAnswer } from './arbitrary-anthropic.js'
import { geminiAnswer, geminiParts } from './arbitrary-gemini.js'
import { openaiAnswer } from './arbitrary-openai.js'
import { BODIES, expectSound, payloadOf, pushed, utf8 } from './stream-bodies.js'

const RUNS = { seed: 20_261_116, numRuns: 300 }

const ANSWERS: [name: string, answer: fc.Arbitrary<Generated>][] = [
  ['Gemini', geminiAnswer],
  ['OpenAI with code points', openaiAnswer('code points', 3)],
  ['OpenAI with UTF-16 units', openaiAnswer('UTF-16', 3)],
  ['Anthropic', anthropicAnswer],
]

/** The forms providers use; all others are tried on recordings. */
const form = fc.constantFrom(
  'server-sent events',
  'server-sent events with CRLF',
  'JSON lines',
  'a JSON array that arrives item by item',
)

function expectPlanned(payload: TurnPayload, { answer, pages, anchors }: Planned): void {
  expectSound(payload)
  expect(payload.answer).toBe(answer)
  expect(payload.anchors).toEqual(anchors)
  expect(payload.sources).toHaveLength(pages.length)
  expect(payload.diagnostics).toEqual([])
}

describe.each(ANSWERS)('%s', (_, answers) => {
  test('finds in a whole response the spans that were put into it', () => {
    fc.assert(
      fc.property(answers, (generated) => {
        const payload = pushed([generated.whole])
        expectPlanned(payload, generated)
        expect(pushed([JSON.stringify(generated.whole)])).toEqual(payload)
      }),
      RUNS,
    )
  })

  test('finds the same in events cut anywhere', () => {
    fc.assert(
      fc.property(answers, (generated) => {
        const payload = pushed(generated.events)
        expectPlanned(payload, generated)
        expect(payload).toEqual(pushed([generated.whole]))
      }),
      RUNS,
    )
  })

  test('finds the same in bytes cut anywhere', () => {
    fc.assert(
      fc.property(answers, form, fc.array(fc.nat(), { maxLength: 20 }), (generated, form, cuts) => {
        const body = utf8(BODIES[form]!(generated.events))
        const at = [0, ...cuts.map((cut) => cut % body.length).sort((a, b) => a - b), body.length]
        const payload = payloadOf((turn) => {
          at.slice(1).forEach((end, index) => {
            turn.pushBytes(body.subarray(at[index], end))
          })
        })
        expect(payload).toEqual(pushed([generated.whole]))
      }),
      RUNS,
    )
  })

  test('lists the pages in their order, each once', () => {
    fc.assert(
      fc.property(answers, ({ events, pages }) => {
        const urls = pushed(events).sources.map(({ url }) => url?.replace('?utm_source=openai', ''))
        expect(urls).toEqual(pages.map((page) => (page.startsWith('https:') ? page : undefined)))
      }),
      RUNS,
    )
  })
})

describe('a host that has the answer itself', () => {
  test('needs to push only what Gemini says about sources', () => {
    fc.assert(
      fc.property(geminiAnswer, (generated) => {
        const turn = new CitationService().startTurn()
        turn.push({ candidates: [{ groundingMetadata: generated.metadata }] })
        expectPlanned(turn.finish(generated.answer), generated)
      }),
      RUNS,
    )
  })

  test.each(['code points', 'UTF-16'] as const)(
    'needs to push only the annotations of OpenAI, counted in %s',
    (unit) => {
      fc.assert(
        fc.property(openaiAnswer(unit, 1), (generated) => {
          const turn = new CitationService().startTurn()
          for (const event of generated.cites) turn.push(event)
          expectPlanned(turn.finish(generated.answer), generated)
        }),
        RUNS,
      )
    },
  )
})

test('Gemini may count in a part that it names, among thoughts and tool parts', () => {
  fc.assert(
    fc.property(geminiParts, (generated) => {
      expectPlanned(pushed([generated.whole]), generated)
    }),
    RUNS,
  )
})

test('Anthropic without documents has the answer and nothing else', () => {
  const service = new CitationService()
  fc.assert(
    fc.property(anthropicAnswer, ({ answer, events, whole }) => {
      for (const values of [events, [whole]]) {
        const turn = service.startTurn()
        for (const value of values) turn.push(value)
        expect(turn.finish()).toEqual({
          text: '',
          answer,
          sources: [],
          anchors: [],
          cited: [],
          diagnostics: [],
        })
      }
    }),
    RUNS,
  )
})
