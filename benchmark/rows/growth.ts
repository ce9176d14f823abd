/** Much at once, and often: time per source, and memory over many turns. */
import assert from 'node:assert'
import { CitationService, renderCitations } from '../../index.js'
import { loadFloor } from '../floor.ts'
import { geminiResponse, openaiResponse } from '../payloads.ts'
import { onFloor, type Row, type Sides, times } from '../row.ts'

const FEW = 100
const MANY = 10_000

const bytesOf = (response: object) => new TextEncoder().encode(JSON.stringify(response))

const render = (bytes: Uint8Array) => renderCitations(bytes, { links: 'osc8' })

/** As many sources on both sides, so that both are interrupted as often. */
const sides = (few: () => string, many: () => string): Sides => ({
  theirs() {
    let last = ''
    for (let done = 0; done < MANY; done += FEW) last = few()
    return last
  },
  ours: many,
})

/** Bodies with few and with many sources. */
function bodies(make: (sources: number) => object) {
  const [few, many] = [bytesOf(make(FEW)), bytesOf(make(MANY))]
  assert.equal(render(many).split('\n').length, 1 + MANY)
  return { few, many }
}

const sources = [['Gemini', geminiResponse] as const, ['OpenAI', openaiResponse] as const].flatMap(
  ([name, make]): Row[] => {
    const what = 'time per source, 10,000 of them from bytes'
    const against = 'the same with 100'
    return [
      times(`${what}: ${name}`, against, () => {
        const { few, many } = bodies(make)
        return sides(
          () => render(few),
          () => render(many),
        )
      }),
      onFloor(
        times(`${what}, the floor: ${name}`, against, () => {
          const { few, many } = bodies(make)
          const { find } = loadFloor()
          const [short, long] = [render(few).length, render(many).length]
          return sides(
            () => find(few, short),
            () => find(many, long),
          )
        }),
      ),
    ]
  },
)

/** Megabytes the process holds, without what the engine has not collected yet. */
function resident(): number {
  const { gc, Bun } = globalThis as { gc?: () => void; Bun?: { gc(force: boolean): void } }
  for (let time = 0; time < 3; time++) {
    if (Bun) Bun.gc(true)
    else gc?.()
  }
  return process.memoryUsage().rss / 1e6
}

const FIRST = 10_000

const memory: Row = {
  name: 'memory grown by 1,000,000 turns',
  against: `the first ${FIRST.toLocaleString('en')}`,
  measure: 'MB',
  async run({ turns }) {
    const bytes = bytesOf(geminiResponse(1))
    const turn = new CitationService().startTurn()
    const run = (count: number) => {
      for (let time = 0; time < count; time++) {
        turn.reset()
        turn.pushBytes(bytes)
        assert.ok(turn.render())
      }
    }
    run(FIRST)
    const before = resident()
    run(turns - FIRST)
    const value = resident() - before
    return { value, low: value, high: value }
  },
}

export const growth: Row[] = [...sources, memory]
