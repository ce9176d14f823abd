/**
 * What sub-agents found is merged under their names, in whatever way agents call agents: the same
 * sources, numbers and aliases; and their texts get the numbers of the turn they are merged into.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CitationMention, CitationSource, StoredSources, TurnPayload } from '../index.js'
import { agent, credits, type Page, searched, startTurn } from './agent-runs.js'
import { gemini, grounded, urls, web } from './turns.js'

const url = (name: string) => `https://${name}.example/`
const page = (name: string): Page => [url(name), name.toUpperCase()]
const search = (callId: string, ...names: string[]) => searched(callId, ...names.map(page))

/** A turn that has found a, b and c by itself. */
function parent() {
  const turn = startTurn()
  turn.addToolResult(search('own', 'a', 'b', 'c'))
  return turn
}

/** A source of `search` under an agent's name. */
function found(name: string, id: string, agentId?: string): CitationSource {
  const [, title] = page(name)
  const call = { id, toolName: 'web_search', toolRequestId: id.replace(/-\d+$/, '') }
  const source = { title, url: url(name), domain: `${name}.example`, type: 'web', ...call } as const
  return agentId ? { ...source, agentId } : source
}

const alias = (id: string, agentId: string): CitationMention => {
  return { id, toolName: 'web_search', toolRequestId: id.replace(/-\d+$/, ''), agentId }
}

describe('merge', () => {
  test('adds what is new under the name of the agent and answers the number of each', () => {
    const turn = parent()
    expect(turn.merge('researcher', agent(search('r1', 'd', 'b', 'e')))).toEqual([4, 2, 5])
    expect(turn.finish().sources).toEqual([
      found('a', 'own-0'),
      { ...found('b', 'own-1'), also: [alias('r1-1', 'researcher')] },
      found('c', 'own-2'),
      found('d', 'r1-0', 'researcher'),
      found('e', 'r1-2', 'researcher'),
    ])
  })

  const payload = agent(search('r1', 'd', 'a'))
  const json = JSON.stringify(payload)

  test.each<[string, StoredSources]>([
    ['a payload', payload],
    ['parsed JSON', JSON.parse(json)],
    ['its sources', payload.sources],
    ['a JSON string', json],
    ['the JSON of its sources', JSON.stringify(payload.sources)],
    ['bytes', new TextEncoder().encode(json)],
    ['a Buffer', Buffer.from(json)],
  ])('takes %s', (_, stored) => {
    const turn = parent()
    expect(turn.merge('researcher', stored)).toEqual([4, 1])
    expect(turn.finish().sources).toEqual([
      { ...found('a', 'own-0'), also: [alias('r1-1', 'researcher')] },
      found('b', 'own-1'),
      found('c', 'own-2'),
      found('d', 'r1-0', 'researcher'),
    ])
  })

  test('takes data that another implementation has stored', () => {
    const turn = startTurn()
    const stored = {
      sources: [
        { id: 'q-0', type: 'web', toolName: 'web_scrape', uri: url('d'), title: 'D' },
        { id: 'q-1', type: 'file', toolName: 'query_rag_project', uri: '/d.pdf', pageNumber: 5 },
        { id: 'q-2', type: 'web', toolName: 'web_search', uri: url('e'), subAgentId: 'deeper' },
      ],
      references: [{ index: 1, startIndex: 0, endIndex: 3, sourceIds: ['q-0'] }],
    }
    expect(turn.merge('worker', stored)).toEqual([1, 2, 3])
    expect(turn.finish().sources).toMatchObject([
      { id: 'q-0', type: 'web', toolName: 'web_scrape', url: url('d'), agentId: 'worker' },
      { id: 'q-1', type: 'file', uri: '/d.pdf', pageNumber: 5, agentId: 'worker' },
      { id: 'q-2', type: 'web', url: url('e'), agentId: 'deeper' },
    ])
  })

  test('keeps what else is known of a source', () => {
    const known: CitationSource = {
      ...found('d', 'r1-0', 'deeper'),
      citedText: 'Quoted.',
      snippet: 'First words.',
      author: 'Ada',
      publishedDate: '2026-01-02',
      timestamp: '2026-11-16T05:00:00Z',
      metadata: { score: 1, id: 7 },
      also: [{ citedText: 'Quoted too.', ...alias('r2-0', 'other') }],
    }
    const turn = startTurn()
    turn.merge('worker', [known])
    expect(turn.finish().sources).toEqual([known])
  })

  test.each<[string, unknown, numbers: number[]]>([
    ['what is no source', [5, null, {}, { title: 'D', url: url('d') }], [0, 0, 0, 4]],
    ['no JSON', 'not JSON', []],
    ['nothing', null, []],
    ['a number', 7, []],
    ['no sources', { sources: [] }, []],
    ['sources that are no list', { sources: 'all' }, []],
  ])('of %s adds nothing', (_, stored, numbers) => {
    const turn = parent()
    expect(turn.merge('worker', stored as StoredSources)).toEqual(numbers)
    expect(turn.finish().sources).toHaveLength(numbers.includes(4) ? 4 : 3)
  })

  test('the same again adds nothing, also by way of another agent', () => {
    const turn = parent()
    const deep = agent(search('d1', 'a', 'd'))
    const worker = startTurn()
    worker.addToolResult(search('w1', 'e'))
    worker.merge('deep', deep)
    const first = [turn.merge('deep', deep), turn.merge('worker', worker.finish())]
    const once = turn.finish()
    expect(first).toEqual([
      [1, 4],
      [5, 1, 4],
    ])
    expect([turn.merge('deep', deep), turn.merge('worker', worker.finish())]).toEqual(first)
    expect(turn.finish()).toEqual(once)
    expect(once.sources[0]?.also).toEqual([alias('d1-0', 'deep')])
  })

  test('two agents with calls of the same id are told apart', () => {
    const turn = startTurn()
    turn.merge('one', agent(search('call-1', 'a')))
    turn.merge('two', agent(search('call-1', 'a', 'b')))
    expect(turn.finish().sources).toEqual([
      { ...found('a', 'call-1-0', 'one'), also: [alias('call-1-0', 'two')] },
      found('b', 'call-1-1', 'two'),
    ])
  })

  test.each([undefined, null, 5, {}])('an agentId of %j is a TypeError', (agentId) => {
    const merge = () => startTurn().merge(agentId as unknown as string, [])
    expect(merge).toThrow(TypeError)
    expect(merge).toThrow('agentId must be a string')
  })
})

describe('mergeAgentText', () => {
  // In the parent its four sources have the numbers 4, 2, 5 and 6.
  const stored = agent(search('r1', 'd', 'b', 'e', 'f'))

  test.each<[string, text: string, renumbered: string]>([
    ['a marker', 'Tokio is a runtime [1].', 'Tokio is a runtime [4].'],
    ['a list', 'It is fast [2, 3].', 'It is fast [2, 5].'],
    ['a list without spaces', 'It is fast [1,4].', 'It is fast [4, 6].'],
    ['neighbours', 'It is safe [1][4].', 'It is safe [4][6].'],
    ['all of them', '[1] a [2, 3] b [1][4] c', '[4] a [2, 5] b [4][6] c'],
    ['one that is another’s', 'Not ours [4][5].', 'Not ours [6][5?].'],
    ['one that is nobody’s', 'Dangling [9].', 'Dangling [9?].'],
    ['one of a list', 'Some [1, 9].', 'Some [4][9?].'],
    ['inline code', 'Use `list[1]` and `[1]` [1].', 'Use `list[1]` and `[1]` [4].'],
    [
      'a block of code',
      'So [1]:\n\n```js\na = [1]\n```\n\nand [2].',
      'So [4]:\n\n```js\na = [1]\n```\n\nand [2].',
    ],
    ['no marker', 'Nothing [here] or [].', 'Nothing [here] or [].'],
    ['other scripts', '東京は[1]。🦀[3]', '東京は[4]。🦀[5]'],
    ['nothing', '', ''],
  ])('%s', (_, text, renumbered) => {
    const turn = parent()
    expect(turn.mergeAgentText(text, stored, 'researcher')).toBe(renumbered)
    expect(turn.mergeAgentText(text, JSON.stringify(stored), 'researcher')).toBe(renumbered)
  })

  test('merges the sources under the name', () => {
    const [turn, other] = [parent(), parent()]
    turn.mergeAgentText('Text [1].', stored, 'researcher')
    other.merge('researcher', stored)
    expect(turn.finish()).toEqual(other.finish())
  })

  test('adds nothing when they are merged already', () => {
    const turn = parent()
    turn.merge('researcher', stored)
    const before = turn.finish()
    expect(turn.mergeAgentText('Text [1].', stored)).toBe('Text [4].')
    expect(turn.mergeAgentText('Text [1].', stored, 'researcher')).toBe('Text [4].')
    expect(turn.finish()).toEqual(before)
  })

  test('without a name the sources have none', () => {
    const turn = startTurn()
    expect(turn.mergeAgentText('Text [2].', stored)).toBe('Text [2].')
    expect(turn.finish().sources.map(({ agentId }) => agentId)).toEqual(Array(4).fill(undefined))
  })

  test('of places that hold no source nothing is made up', () => {
    const sources = [{ url: url('d') }, {}, { url: url('e') }]
    expect(parent().mergeAgentText('[1][2][3]', sources, 'w')).toBe('[4][2?][5]')
  })

  test.each<[string, unknown[]]>([
    ['text', [5, []]],
    ['text', [undefined, []]],
    ['agentId', ['Text.', [], 7]],
  ])('misuse of %s is a TypeError', (what, parameters) => {
    const call = () => startTurn().mergeAgentText(...(parameters as [string, []]))
    expect(call).toThrow(TypeError)
    expect(call).toThrow(`${what} must be a string`)
  })
})

test('a tree of five levels keeps every source and who found it', () => {
  const levels = ['root', 'lead', 'worker', 'helper', 'scout']
  let stored: TurnPayload | undefined
  for (const [depth, name] of [...levels.entries()].reverse()) {
    const turn = startTurn()
    turn.addToolResult(search(`${name}-call`, name, 'shared'))
    const below = levels[depth + 1]
    if (stored && below) turn.merge(below, JSON.stringify(stored))
    stored = turn.finish()
  }
  expect(credits(stored!)).toEqual([
    [url('root'), undefined],
    [url('shared'), undefined],
    [url('lead'), 'lead'],
    [url('worker'), 'worker'],
    [url('helper'), 'helper'],
    [url('scout'), 'scout'],
  ])
  const others = levels.slice(1).map((name) => alias(`${name}-call-1`, name))
  expect(stored?.sources[1]?.also).toEqual(others)
})

test('what the provider of an agent further down cites keeps its name', () => {
  const scout = startTurn()
  scout.push(gemini('Text.', grounded([web(...page('p'))])))
  const lead = startTurn()
  lead.merge('scout', scout.finish())
  const root = startTurn()
  root.merge('lead', lead.finish())
  expect(credits(lead.finish())).toEqual([[url('p'), 'scout']])
  expect(credits(root.finish())).toEqual([[url('p'), 'scout']])
})

test("what a turn's own provider cites is not put down to an agent that found it too", () => {
  const turn = startTurn()
  turn.push(gemini('Text.', grounded([web(...page('p'))])))
  expect(turn.merge('scout', agent(search('s1', 'p')))).toEqual([1])
  const { sources } = turn.finish()
  expect(sources[0]?.agentId).toBeUndefined()
  expect(sources[0]?.also).toEqual([alias('s1-0', 'scout')])
})

interface Found {
  /** Which pages each of its calls found. */
  calls: string[][]
  /** Which pages its provider cites, if it does. */
  grounding: string[]
}

/** An agent's own work, then its children's, as a payload in one of the forms it is stored in. */
function run(agents: Found[], parents: number[], at = 0): TurnPayload {
  const turn = startTurn()
  const { calls, grounding } = agents[at]!
  calls.forEach((names, call) => void turn.addToolResult(search(`call-${call}`, ...names)))
  if (grounding.length)
    turn.push(gemini('Text.', grounded(grounding.map((name) => web(...page(name))))))
  for (const [child, parent] of parents.entries()) {
    if (child === 0 || parent !== at) continue
    const below = run(agents, parents, child)
    turn.merge(`agent-${child}`, child % 2 ? below : JSON.stringify(below))
  }
  return turn.finish()
}

/** Everybody who found a source. */
function finders({ id, toolName, agentId, also = [] }: CitationSource): Set<string> {
  const all = [{ id, toolName, agentId }, ...also]
  return new Set(all.map(({ id, toolName, agentId }) => `${agentId} ${toolName} ${id}`))
}

const pool = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')

/** Agents in the order they are asked, and two ways in which they call each other. */
function family(grounding: fc.Arbitrary<string[]>) {
  const calls = fc.array(fc.array(pool, { maxLength: 4 }), { maxLength: 3 })
  const agents = fc.array(fc.record({ calls, grounding }), { minLength: 1, maxLength: 7 })
  return agents.chain((agents) =>
    fc.tuple(fc.constant(agents), tree(agents.length), tree(agents.length)),
  )
}

/** The parent of each agent, such that agents come in the order in which they are asked. */
function tree(size: number): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(), { minLength: size, maxLength: size }).map((choices) => {
    const parents = [0]
    for (let at = 1; at < size; at++) {
      // Below the one before, or below any that it works for.
      const open = [at - 1]
      for (let up = at - 1; up > 0; up = parents[up]!) open.push(parents[up]!)
      parents.push(open[choices[at]! % open.length]!)
    }
    return parents
  })
}

test.each<[string, fc.Arbitrary<string[]>]>([
  ['tools', fc.constant([])],
  ['tools and providers', fc.uniqueArray(pool, { maxLength: 2 })],
])('whichever way agents with %s are merged, it comes to the same', (_, grounding) => {
  fc.assert(
    fc.property(family(grounding), ([agents, one, other]) => {
      const [first, second] = [run(agents, one), run(agents, other)]
      expect(urls(second)).toEqual(urls(first))
      expect(credits(second)).toEqual(credits(first))
      expect(second.sources.map(finders)).toEqual(first.sources.map(finders))
      const names = agents.flatMap(({ calls, grounding }) => [...calls.flat(), ...grounding])
      expect(new Set(urls(first))).toEqual(new Set(names.map(url)))
    }),
    { seed: 20_261_116, numRuns: 300 },
  )
})
