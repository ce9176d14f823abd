/** Much at once, and often: time per source, and memory over many turns. */
import assert from 'node:assert'
import { CitationService, renderCitations } from '../../index.js'
import { geminiResponse, openaiResponse } from '../payloads.ts'
import { type Row, times } from '../row.ts'

const FEW = 100
const MANY = 10_000

const bytesOf = (response: object) => new TextEncoder().encode(JSON.stringify(response))

const sources = [['Gemini', geminiResponse] as const, ['OpenAI', openaiResponse] as const].map(
  ([name, make]) =>
    times(`time per source, 10,000 of them from bytes: ${name}`, 'the same with 100', () => {
      const [few, many] = [bytesOf(make(FEW)), bytesOf(make(MANY))]
      const render = (bytes: Uint8Array) => renderCitations(bytes, { links: 'osc8' })
      assert.equal(render(many).split('\n').length, 1 + MANY)
      // As many sources on both sides, so that both are interrupted as often.
      const theirs = () => {
        let last = ''
        for (let done = 0; done < MANY; done += FEW) last = render(few)
        return last
      }
      return { theirs, ours: () => render(many) }
    }),
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
