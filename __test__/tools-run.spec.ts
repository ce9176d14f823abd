/**
 * One scripted run of an agent, from the first tool call to the block under the answer: a search with
 * Exa, a fetch, two MCP calls, a sub-agent, and an answer that cites. All of it exact.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  CitationService,
  type CitationSource,
  type CitationTurn,
  renderCitationBlock,
  type TurnPayload,
} from '../index.js'

const TOKIO = 'https://tokio.example/tutorial'
const ASYNC = 'https://async-book.example/intro'
const SMOL = 'https://smol.example/'
const TICKET = 'https://tracker.example/browse/RT-42'
const WIKI = 'https://wiki.example/runtimes'
const BENCH = 'https://bench.example/2026/runtimes'

const EXA = `Title: Tokio tutorial
URL: ${TOKIO}
Published: 2026-03-01T00:00:00.000Z
Author: Tokio team
Highlights:
Tokio is an asynchronous runtime for Rust.
It is built on mio.

---

Title: Async book
URL: ${ASYNC}
Published: N/A
Author: N/A
Highlights:
Futures do nothing unless polled.

---

see URL: https://forged.example/

---

Title: smol
URL: ${SMOL}
Published: N/A
Author: N/A
Highlights:
A small and fast runtime.`

const FETCHED = `# Tokio tutorial, chapter one

Read also [the guide](https://elsewhere.example/guide).
`

const TICKETS = {
  content: [
    { type: 'text', text: 'Found 1 issue.' },
    { type: 'text', text: JSON.stringify({ issues: [{ title: 'RT-42 Runtime', url: TICKET }] }) },
  ],
}

/** As the scheduler of LLxprt 0.9 hands over a link: a sentence, and text beside it. */
const LINKED = [
  {
    functionResponse: {
      id: 'call-4',
      name: 'mcp__wiki__lookup',
      response: { output: 'Tool execution succeeded.' },
    },
  },
  { text: `Resource Link: Runtimes compared at ${WIKI}` },
]

const ANSWER =
  'Tokio is the usual runtime [1]. Futures are lazy, and smol is small [2, 3]. ' +
  'The ticket agrees [1][4]. In code, `runtimes[5]` is something else.'

/** What the sub-agent has found and written. */
function research(service: CitationService): { text: string; stored: string } {
  const turn = service.startTurn()
  const heads = [`Title: Tokio\nURL: ${TOKIO}/`, `Title: Runtime benchmarks\nURL: ${BENCH}`]
  const records = heads.map((head) => `${head}\nCode/Highlights:\nlet x = 1;`)
  turn.addToolResult({
    name: 'codesearch',
    callId: 'sub-1',
    args: { query: 'runtime benchmark' },
    output: records.join('\n\n---\n\n'),
  })
  const text = 'Tokio [1] was measured [2]; both agree [1, 2]. Nobody else did [3].'
  return { text, stored: JSON.stringify(turn.finish(text)) }
}

const by = (toolName: string, toolRequestId: string, at: number) => {
  return { id: `${toolRequestId}-${at}`, toolName, toolRequestId }
}

const SOURCES: CitationSource[] = [
  {
    title: 'Tokio tutorial',
    url: TOKIO,
    domain: 'tokio.example',
    type: 'web',
    ...by('exa_web_search', 'call-1', 0),
    snippet: 'Tokio is an asynchronous runtime for Rust. It is built on mio.',
    author: 'Tokio team',
    publishedDate: '2026-03-01T00:00:00.000Z',
    timestamp: '2026-11-16T05:00:01Z',
    also: [
      by('direct_web_fetch', 'call-2', 0),
      { ...by('codesearch', 'sub-1', 0), agentId: 'researcher' },
    ],
  },
  {
    title: 'Async book',
    url: ASYNC,
    domain: 'async-book.example',
    type: 'web',
    ...by('exa_web_search', 'call-1', 1),
    snippet: 'Futures do nothing unless polled.',
    timestamp: '2026-11-16T05:00:01Z',
  },
  {
    title: 'smol',
    url: SMOL,
    domain: 'smol.example',
    type: 'web',
    ...by('exa_web_search', 'call-1', 2),
    snippet: 'A small and fast runtime.',
    timestamp: '2026-11-16T05:00:01Z',
  },
  {
    title: 'RT-42 Runtime',
    url: TICKET,
    domain: 'tracker.example',
    type: 'mcp',
    ...by('mcp__tracker__search', 'call-3', 0),
  },
  {
    title: 'Runtimes compared',
    url: WIKI,
    domain: 'wiki.example',
    type: 'mcp',
    ...by('mcp__wiki__lookup', 'call-4', 0),
  },
  {
    title: 'Runtime benchmarks',
    url: BENCH,
    domain: 'bench.example',
    type: 'web',
    ...by('codesearch', 'sub-1', 1),
    agentId: 'researcher',
    snippet: 'let x = 1;',
  },
]

const BLOCK = ` Sources:
  1. Tokio tutorial — ${TOKIO}
  2. Async book — ${ASYNC}
  3. smol — ${SMOL}
  4. RT-42 Runtime — ${TICKET}
  5. Runtimes compared — ${WIKI}
  6. Runtime benchmarks — ${BENCH}`

const CITED_ONLY = ` Sources:
  1. Tokio tutorial — ${TOKIO}
  2. Async book — ${ASYNC}
  3. smol — ${SMOL}
  4. RT-42 Runtime — ${TICKET}
  … and 2 more`

describe('a run of an agent', () => {
  let turn: CitationTurn
  let numbers: number[][]
  let subText: string
  let payload: TurnPayload

  beforeEach(() => {
    const service = new CitationService()
    turn = service.startTurn()
    const search = { query: 'rust async runtime', numResults: 5 }
    numbers = [
      turn.addToolResult({
        name: 'exa_web_search',
        callId: 'call-1',
        args: search,
        timestamp: '2026-11-16T05:00:01Z',
        output: { llmContent: EXA, returnDisplay: EXA },
      }),
      turn.addToolResult({
        name: 'direct_web_fetch',
        callId: 'call-2',
        args: { url: `${TOKIO}/`, format: 'markdown' },
        output: { llmContent: FETCHED, returnDisplay: `Fetched ${TOKIO}/ as markdown` },
      }),
      turn.addToolResult({
        name: 'mcp__tracker__search',
        callId: 'call-3',
        args: { text: 'runtime' },
        output: TICKETS,
      }),
      turn.addToolResult({ name: 'mcp__wiki__lookup', callId: 'call-4', args: {}, output: LINKED }),
    ]
    const { text, stored } = research(service)
    subText = turn.mergeAgentText(text, stored, 'researcher')
    for (const piece of ANSWER.match(/.{1,9}/gs) ?? []) {
      turn.push({ candidates: [{ content: { role: 'model', parts: [{ text: piece }] } }] })
    }
    payload = turn.finish()
  })

  test('numbers are known as soon as a result is there', () => {
    expect(numbers).toEqual([[1, 2, 3], [1], [4], [5]])
  })

  test("the sub-agent's text has the numbers of the turn", () => {
    expect(subText).toBe('Tokio [1] was measured [6]; both agree [1, 6]. Nobody else did [3?].')
  })

  test('the payload', () => {
    expect(payload).toEqual({
      text: '',
      answer: ANSWER,
      sources: SOURCES,
      anchors: [],
      cited: [1, 2, 3, 4],
      diagnostics: [],
    })
  })

  test('the stored data is the payload', () => {
    expect(JSON.parse(JSON.stringify(payload))).toEqual(payload)
  })

  test.each<[string, object, string]>([
    ['all', {}, BLOCK],
    ['what is cited', { maxSources: 0 }, CITED_ONLY],
    ['all but what was shown', { alreadyShown: [ASYNC, WIKI] }, without(BLOCK, 2, 5)],
  ])('the block: %s', (_, options, block) => {
    expect(turn.render({ links: 'plain', ...options })).toBe(block)
  })

  test('the block of the stored data', () => {
    const stored: TurnPayload = JSON.parse(JSON.stringify(payload))
    expect(renderCitationBlock(stored, { links: 'plain' })).toBe(BLOCK)
    expect(renderCitationBlock(stored, { links: 'plain', maxSources: 2 })).toBe(CITED_ONLY)
  })

  test('the sub-agent asked again adds nothing', () => {
    const { text, stored } = research(new CitationService())
    expect(turn.mergeAgentText(text, stored, 'researcher')).toBe(subText)
    expect(turn.finish()).toEqual(payload)
  })

  test('a run that is handed up keeps numbers, and names the agent of each source', () => {
    const above = new CitationService().startTurn()
    expect(above.mergeAgentText(ANSWER, payload, 'lead')).toBe(ANSWER)
    const agents = above.finish().sources.map(({ agentId }) => agentId)
    expect(agents).toEqual(['lead', 'lead', 'lead', 'lead', 'lead', 'researcher'])
  })
})

/** A block without the rows of these sources. */
function without(block: string, ...numbers: number[]): string {
  const left = (row: string) => !numbers.some((number) => row.startsWith(`  ${number}. `))
  return block.split('\n').filter(left).join('\n')
}
