/**
 * Against the floor: an addon that crosses the border as `renderCitations` must, and does nothing
 * there. The rest is our own work.
 */
import assert from 'node:assert'
import { renderCitations, resolveCitationsEnabled } from '../../index.js'
import { loadFloor } from '../floor.ts'
import { geminiResponse, openaiResponse } from '../payloads.ts'
import { onFloor, type Row, times } from '../row.ts'
import { extractGemini, extractOpenAI } from '../typescript/index.ts'
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

/** How many properties of a response ours asks for. */
function readsOf(response: object): number {
  const data = watched(response)
  assert.equal(renderCitations(data.value, options), renderCitations(response, options))
  return data.reads()
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
      times(what, 'a call that fetches the same properties one by one', () => {
        const { response, ours } = carried(make, extract as typeof extractGemini, count)
        const { carryObject } = loadFloor()
        assert.equal(carryObject(response), readsOf(response))
        return { theirs: () => carryObject(response), ours }
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
