/**
 * Against the floor: an addon that crosses the border as `renderCitations` must, and does nothing
 * there. The rest is our own work.
 */
import assert from 'node:assert'
import { type CitationSource, renderCitations, resolveCitationsEnabled } from '../../index.js'
import { loadFloor } from '../floor.ts'
import { geminiResponse, inTurns, openaiResponse, several } from '../payloads.ts'
import { onFloor, type Row, times } from '../row.ts'
import { extractGemini, extractOpenAI } from '../typescript/index.ts'
import { watched } from '../watched.ts'

const options = { links: 'osc8' } as const

type Maker = (sources: number, first: number) => object
type Extract = (response: unknown) => CitationSource[]

const PROVIDERS: [string, Maker, Extract][] = [
  ['Gemini', (sources, first) => geminiResponse(sources, undefined, first), extractGemini],
  ['OpenAI', openaiResponse, extractOpenAI],
]

/** A response, the strings of it that a block shows, and how long that block is. */
function carried(response: object, extract: Extract, count: number) {
  const strings = extract(response).flatMap(({ title, url }) => [title ?? '', url ?? ''])
  assert.equal(strings.length, 2 * count)
  return { response, strings, length: renderCitations(response, options).length }
}

/** How many properties of a response ours asks for. */
function readsOf(response: object): number {
  const data = watched(response)
  assert.equal(renderCitations(data.value, options), renderCitations(response, options))
  return data.reads()
}

const rendering = [3, 6, 20].flatMap((count) =>
  PROVIDERS.flatMap(([name, make, extract]): Row[] => {
    const what = `renderCitations from objects: ${name}, ${count} sources`
    const prepared = () => {
      const responses = several((first) => make(count, first))
      const inputs = responses.map((response) => carried(response, extract, count))
      const next = inTurns(inputs)
      return {
        inputs,
        next: inTurns(inputs),
        ours: () => renderCitations(next().response, options),
      }
    }
    return [
      times(what, 'a call that carries the same strings', () => {
        const { inputs, next, ours } = prepared()
        const { carry } = loadFloor()
        for (const { strings, length } of inputs) {
          assert.equal(carry(strings, length).length, length)
        }
        const theirs = () => {
          const { strings, length } = next()
          return carry(strings, length)
        }
        return { theirs, ours }
      }),
      times(what, 'a call that fetches the same properties one by one', () => {
        const { inputs, next, ours } = prepared()
        const { carryObject } = loadFloor()
        for (const { response } of inputs) {
          assert.equal(carryObject(response), readsOf(response))
        }
        return { theirs: () => carryObject(next().response), ours }
      }),
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
