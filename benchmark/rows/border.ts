/**
 * Against the floor: an addon that crosses the border as `renderCitations` must, and does nothing
 * there. The rest is our own work.
 */
import assert from 'node:assert'
import { renderCitations, resolveCitationsEnabled } from '../../index.js'
import { loadFloor } from '../floor.ts'
import { geminiResponse, openaiResponse } from '../payloads.ts'
import { race } from '../race.ts'
import { figure, median, onFloor, type Row, times } from '../row.ts'
import { extractGemini, extractOpenAI } from '../typescript.ts'
import { watched } from '../watched.ts'

const options = { links: 'osc8' } as const

const PROVIDERS = [
  ['Gemini', geminiResponse, extractGemini],
  ['OpenAI', openaiResponse, extractOpenAI],
] as const

/** The response, and the strings of it that a block shows. */
function carried(make: (sources: number) => object, extract: typeof extractGemini, count: number) {
  const response = make(count)
  const strings = extract(response).flatMap(({ title, url }) => [title ?? '', url ?? ''])
  assert.equal(strings.length, 2 * count)
  const ours = () => renderCitations(response, options)
  return { response, strings, ours, length: ours().length }
}

/** How many properties ours asks for, of the response and of its options. */
function readsOf(response: object) {
  const [data, chosen] = [watched(response), watched(options)]
  assert.equal(renderCitations(data.value, chosen.value), renderCitations(response, options))
  return { ofResponse: data.reads(), ofOptions: chosen.reads() }
}

const rendering = [3, 6, 20].flatMap((count) =>
  PROVIDERS.flatMap(([name, make, extract]): Row[] => {
    const what = `renderCitations from objects: ${name}, ${count} sources`
    return [
      times(what, 'a call that carries the same strings', () => {
        const { strings, length, ours } = carried(make, extract as typeof extractGemini, count)
        const { carry } = loadFloor()
        assert.equal(carry(strings, length).length, length)
        return { theirs: () => carry(strings, length), ours }
      }),
      times(what, 'a call that fetches the same properties', () => {
        const { response, ours } = carried(make, extract as typeof extractGemini, count)
        const { carryObject } = loadFloor()
        assert.equal(carryObject(response), readsOf(response).ofResponse)
        return { theirs: () => carryObject(response), ours }
      }),
      {
        name: `the border's share of renderCitations: ${name}, ${count} sources`,
        against: 'property reads and strings at the price of the floor',
        measure: '%',
        async run(pace) {
          const { response, strings, length, ours } = carried(
            make,
            extract as typeof extractGemini,
            count,
          )
          const { nothing, carry, carryObject } = loadFloor()
          const empty = await race(nothing, () => carry(strings, length), pace)
          const [call, strung] = [0, 1].map(
            (side) => median(empty.map((round) => round[side] as number)).value,
          ) as [number, number]
          const { ofResponse, ofOptions } = readsOf(response)
          const fetched = carryObject(response)
          // Carrying a string fetches it from its list, so that read is paid for already.
          const reads = ofResponse + ofOptions - strings.length
          const rounds = await race(() => carryObject(response), ours, pace)
          return figure(rounds, (their, our) => {
            const each = (their - call) / fetched
            return (100 * (strung + reads * each)) / our
          })
        },
      },
    ]
  }),
)

/** A host that keeps its settings as LLxprt does. */
class Config {
  readonly #settings = new Map<string, unknown>([['citations', 'disabled']])

  getEphemeralSetting(key: string): unknown {
    return this.#settings.get(key)
  }
}

const disabled = times('resolveCitationsEnabled, disabled', 'an empty native call', () => {
  const config = new Config()
  const { nothing } = loadFloor()
  assert.equal(resolveCitationsEnabled(config), false)
  return { theirs: () => nothing(), ours: () => resolveCitationsEnabled(config) }
})

export const border: Row[] = [...rendering, disabled].map(onFloor)
