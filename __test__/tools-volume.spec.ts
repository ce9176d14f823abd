/**
 * Ten thousand tool results of 50 kB in one turn: the last cost no more than the first, and what is
 * kept of them is their sources. Times are compared with each other, never with a clock.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { CitationService, type CitationTurn, type ToolCall } from '../index.js'
import { exaText } from './agent-runs.js'
import { collect } from './collect.ts'
import { gemini, grounded, web } from './turns.js'

const RESULTS = 10_000
const SIZE = 50_000
const PROSE = 'Some words of a page that go on and on. '.repeat(SIZE / 40)

const url = (at: number) => `https://pages.example/${at}`

/** A result of 50 kB that names a page of its own and one that all share. */
const TOOLS: [name: string, result: (at: number) => ToolCall][] = [
  [
    'exa_web_search',
    (at) => {
      const output = exaText([url(at), `Page ${at}`, PROSE], [url(0), 'Shared', 'Words.'])
      return { name: 'exa_web_search', callId: `c${at}`, output }
    },
  ],
  [
    'direct_web_fetch',
    (at) => {
      const output = { llmContent: `# Page ${at}\n\n${PROSE}`, returnDisplay: '' }
      return { name: 'direct_web_fetch', callId: `c${at}`, args: { url: url(at) }, output }
    },
  ],
  [
    'mcp__docs__find',
    (at) => {
      const pages = [at, 0].map((at) => ({
        url: url(at),
        title: `Page ${at}`,
        text: PROSE.slice(at % 9, 25_000),
      }))
      const content = [{ type: 'text', text: JSON.stringify({ pages }) }]
      return { name: 'mcp__docs__find', callId: `c${at}`, output: { content } }
    },
  ],
  [
    'web_search',
    (at) => {
      const pages = [at, 0].map((at) => ({
        link: url(at),
        title: `Page ${at}`,
        snippet: PROSE.slice(at % 9, 25_000),
      }))
      return { name: 'web_search', callId: `c${at}`, output: { results: pages } }
    },
  ],
]

/** Milliseconds for the results from one to another, the making of them not counted. */
function timeOf(from: number, to: number, take: (at: number) => () => unknown): number {
  let time = 0
  // In portions: a single result is too short for the clock.
  for (let at = from; at < to; at += 100) {
    const portion = Array.from({ length: 100 }, (_, index) => take(at + index))
    const start = performance.now()
    for (const run of portion) run()
    time += performance.now() - start
  }
  return time
}

/** Takes all results and compares the halves. Work that grows with what is there triples. */
function expectEven(start: () => (at: number) => () => unknown, count = RESULTS): void {
  let excess = Number.POSITIVE_INFINITY
  // A busy moment spoils one try; growing work spoils all.
  for (let tries = 0; tries < 3 && excess >= 0; tries++) {
    const take = start()
    take(0)()
    const first = timeOf(1, count / 2 + 1, take)
    const second = timeOf(count / 2 + 1, count + 1, take)
    excess = second - (2 * first + 20)
  }
  expect(excess).toBeLessThan(0)
}

const startTurn = () => new CitationService().startTurn()

describe('a result costs no more when there were many before', () => {
  test.each(TOOLS)('%s', (_, result) => {
    let turn: CitationTurn | undefined
    expectEven(() => {
      const started = startTurn()
      turn = started
      return (at) => {
        const call = result(at)
        return () => started.addToolResult(call)
      }
    })
    expect(turn?.finish().sources).toHaveLength(RESULTS + 1)
  })

  test('all of the same page', () => {
    expectEven(() => {
      const turn = startTurn()
      return (at) => {
        const output = { results: [{ link: url(0), title: 'Shared', snippet: PROSE }] }
        return () => turn.addToolResult({ name: 'web_search', callId: `c${at}`, output })
      }
    })
  })

  test('between what providers cite', () => {
    expectEven(() => {
      const turn = startTurn()
      return (at) => {
        const event = gemini('', grounded([web(`${url(at)}?provider`, 'Cited')]), `call-${at}`)
        const output = { results: [{ link: url(at), title: 'Found' }] }
        return () => {
          turn.push(event)
          turn.addToolResult({ name: 'web_search', callId: `c${at}`, output })
        }
      }
    }, 4000)
  })

  test('found by sub-agents', () => {
    expectEven(() => {
      const turn = startTurn()
      return (at) => {
        const sources = [at, 0].map((at) => ({
          id: `c${at}-0`,
          type: 'web',
          url: url(at),
          snippet: PROSE,
        }))
        return () => turn.merge(`agent-${at}`, { sources })
      }
    })
  })
})

describe('what is kept', () => {
  afterEach(collect)

  /** Megabytes of this process, after what is no longer used is gone. */
  async function megabytes(): Promise<number> {
    for (let round = 0; round < 3; round++) {
      collect()
      await new Promise((done) => setTimeout(done, 5))
    }
    return process.memoryUsage().rss / 1e6
  }

  test.each(TOOLS)('%s: the sources, not the outputs', async (_, result) => {
    const turn = startTurn()
    for (let at = 0; at < 500; at++) turn.addToolResult(result(at))
    const before = await megabytes()
    for (let at = 500; at < RESULTS; at++) turn.addToolResult(result(at))
    const payload = turn.finish()
    const grown = (await megabytes()) - before
    // Half a gigabyte went in.
    expect(grown).toBeLessThan(100)
    expect(payload.sources.length).toBeGreaterThanOrEqual(RESULTS)
    expect(JSON.stringify(payload.sources).length).toBeLessThan(RESULTS * 1000)
  })

  test('finish and render again and again keep nothing', async () => {
    const turn = startTurn()
    for (let at = 0; at < 1000; at++) turn.addToolResult(TOOLS[0]![1](at))
    const look = () => [turn.finish().sources.length, turn.render({ links: 'plain' }).length]
    const first = look()
    const before = await megabytes()
    for (let time = 0; time < 100; time++) expect(look()).toEqual(first)
    expect((await megabytes()) - before).toBeLessThan(50)
  })

  test('reset lets go of everything', async () => {
    const turn = startTurn()
    const fill = () => {
      for (let at = 0; at < 2000; at++) turn.addToolResult(TOOLS[3]![1](at))
      turn.reset()
    }
    fill()
    const before = await megabytes()
    for (let time = 0; time < 5; time++) fill()
    expect((await megabytes()) - before).toBeLessThan(50)
  })

  test('the outputs themselves are collected while the turn goes on', async () => {
    const service = new CitationService()
    service.registerExtractor({ pattern: 'own', extract: (id) => [{ title: id, url: url(0) }] })
    const turn = service.startTurn()
    let left = 0
    const registry = new FinalizationRegistry<number>(() => {
      left -= 1
    })
    for (let at = 0; at < 1000; at++) {
      const call = { ...TOOLS[3]![1](at), ...(at % 2 && { name: 'own' }) }
      turn.addToolResult(call)
      left += 1
      registry.register(call.output as object, at)
    }
    for (let round = 0; round < 20 && left > 10; round++) await megabytes()
    expect(left).toBeLessThanOrEqual(10)
    expect(turn.finish().sources.length).toBeGreaterThan(1)
  })
})
