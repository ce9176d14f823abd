/**
 * Hosts can add extractors of their own: which one is asked, what it is handed, and that one that
 * fails costs its own sources only and is reported.
 */
import { describe, expect, test } from 'vitest'
import {
  type CitationExtractor,
  CitationService,
  type CitationTurn,
  type TurnPayload,
} from '../index.js'

const A = 'https://a.example/one'
const B = 'https://b.example/two'

/** An extractor that finds one page, whatever the result. */
const finds = (pattern: string | RegExp, title: string, url = A): CitationExtractor => {
  return { pattern, extract: () => [{ title, url }] }
}

function serviceWith(...extractors: CitationExtractor[]): CitationService {
  const service = new CitationService()
  for (const extractor of extractors) service.registerExtractor(extractor)
  return service
}

/** The titles a service finds in a result of this tool. */
function titles(service: CitationService, name: string): (string | undefined)[] {
  const output = { results: [{ title: 'built in', link: A }] }
  return service.extractToolCitations({ name, callId: 'c1', output }).map(({ title }) => title)
}

/** What a turn comes to whose only extractor for `own` is `extract`, among results of another tool. */
function turnWith(extract: CitationExtractor['extract']): [TurnPayload, numbers: number[]] {
  const turn = serviceWith({ pattern: 'own', extract }).startTurn()
  const other = { name: 'web_search', callId: 'w', output: [{ title: 'other', link: B }] }
  turn.addToolResult(other)
  const numbers = turn.addToolResult({ name: 'own', callId: 'c1', output: 'text' })
  return [turn.finish(), numbers]
}

test.each<[pattern: string | RegExp, name: string, matches: boolean]>([
  ['jira', 'jira', true],
  ['jira', 'jira_find', false],
  ['jira', 'my_jira', false],
  ['jira_*', 'jira_find', true],
  ['jira_*', 'jira_', true],
  ['jira_*', 'jira', false],
  ['*_find', 'jira_find', true],
  ['j*a_*d', 'jira_find', true],
  ['j?ra', 'jira', true],
  ['j?ra', 'jra', false],
  ['*', 'anything at all', true],
  ['jir.', 'jira', false],
  ['[j]ira', 'jira', false],
  ['Jira', 'jira', false],
  [/^jira_/, 'jira_find', true],
  [/^jira_/, 'my_jira_find', false],
  [/find/, 'jira_find', true],
  [/JIRA/i, 'jira_find', true],
  [/^jira$/u, 'jira', true],
  [/jira/g, 'jira_find', true],
  [/jira/y, 'jira_find', true],
  [/find/y, 'jira_find', false],
])('the pattern %s and the tool %s: %s', (pattern, name, matches) => {
  const service = serviceWith(finds(pattern, 'own'))
  expect(titles(service, name)).toEqual(matches ? ['own'] : [])
})

test.each<[pattern: RegExp, lastIndex: number, found: string[]]>([
  [/jira/g, 3, ['own']],
  [/jira/y, 3, ['own']],
  [/jira/gy, 100, ['own']],
  [/nothing/g, 2, []],
  [/jira/, 7, ['own']],
])('%s matches every time from the start and keeps its lastIndex of %i', (pattern, at, found) => {
  const service = serviceWith(finds(pattern, 'own'))
  pattern.lastIndex = at
  for (let time = 0; time < 3; time++) {
    expect(titles(service, 'jira')).toEqual(found)
    expect(pattern.lastIndex).toBe(at)
  }
})

describe('which extractor is asked', () => {
  test('the first that matches, in the order they were registered', () => {
    const service = serviceWith(finds('other', 'no'), finds('o*', 'first'), finds('own', 'second'))
    expect(titles(service, 'own')).toEqual(['first'])
  })

  test("the host's before the built-in one", () => {
    expect(titles(serviceWith(), 'web_search')).toEqual(['built in'])
    expect(titles(serviceWith(finds(/search/, 'own')), 'web_search')).toEqual(['own'])
  })

  test('one that matches and finds nothing is not made up for by the built-in one', () => {
    const nothing: CitationExtractor = { pattern: 'web_search', extract: () => [] }
    expect(titles(serviceWith(nothing), 'web_search')).toEqual([])
  })

  test('one that fails is not made up for by the next', () => {
    const failing: CitationExtractor = {
      pattern: 'own',
      extract: () => {
        throw new Error('no')
      },
    }
    expect(titles(serviceWith(failing, finds('own', 'next')), 'own')).toEqual([])
  })

  test('only those of its own service', () => {
    serviceWith(finds('own', 'one'))
    expect(titles(new CitationService(), 'own')).toEqual([])
  })

  test('one that is registered while a turn is under way too', () => {
    const service = new CitationService()
    const turn = service.startTurn()
    const call = { name: 'own', callId: 'c1', output: 'text' }
    expect(turn.addToolResult(call)).toEqual([])
    service.registerExtractor(finds('own', 'late'))
    expect(turn.addToolResult(call)).toEqual([1])
    expect(turn.finish().sources[0]?.title).toBe('late')
  })
})

describe('what an extractor is handed', () => {
  const args = { query: 'rust', deep: { list: [1] } }

  test.each<[string, unknown]>([
    ['a string', 'text'],
    ['an object', { results: [] }],
    ['a list', [1, 2]],
    ['bytes', new Uint8Array([1, 2])],
    ['an empty string', ''],
    ['a number', 0],
    ['false', false],
    ['null', null],
    ['undefined', undefined],
  ])('id, name, arguments and %s, the very same objects', (_, output) => {
    const seen: unknown[][] = []
    const service = serviceWith({
      pattern: 'own',
      extract: (...parameters) => {
        seen.push(parameters)
        return []
      },
    })
    service.extractToolCitations({ name: 'own', callId: 'c1', args, output })
    expect(seen).toHaveLength(1)
    expect(seen[0]?.slice(0, 2)).toEqual(['c1', 'own'])
    expect(seen[0]?.[2]).toBe(args)
    expect(seen[0]?.[3]).toBe(output)
  })

  test('itself as `this`', () => {
    class Tracker implements CitationExtractor {
      readonly pattern = /^ticket_/
      readonly base = 'https://tickets.example/'
      extract(_id: string, name: string) {
        return [{ title: name, url: `${this.base}${name}` }]
      }
    }
    const sources = serviceWith(new Tracker()).extractToolCitations({ name: 'ticket_7', output: 1 })
    expect(sources[0]?.url).toBe('https://tickets.example/ticket_7')
  })
})

describe('an extractor that fails', () => {
  const thrower = (thrown: unknown) => () => {
    throw thrown
  }

  test.each<[string, CitationExtractor['extract'], detail: string]>([
    ['throws', thrower(new Error('no such field')), 'no such field'],
    ['throws by accident', (_, __, parameters) => parameters.query.length, 'query'],
    ['throws a string', thrower('just words'), 'just words'],
    ['throws null', thrower(null), 'threw'],
    ['throws undefined', thrower(undefined), 'threw'],
    ['throws a number', thrower(7), 'threw'],
    ['throws a symbol', thrower(Symbol('s')), 'threw'],
    [
      'throws what throws',
      thrower({
        get message() {
          throw new Error('again')
        },
      }),
      'threw',
    ],
    ...(
      [
        ['a string', 'https://a.example/', "'https://a.example/'"],
        ['a number', 5, '5'],
        ['true', true, 'true'],
        ['a Promise', Promise.resolve([{ url: A }]), 'object'],
        ['one source', { url: A, title: 'A' }, 'object'],
        ['a function', () => [], 'function'],
        ['a Map', new Map([['url', A]]), 'object'],
        ['a list of strings', [A], 'no sources'],
        ['a list of lists', [[{ url: A }]], 'no sources'],
        ['a list of nothing', [null], 'no sources'],
        ['a list of empty sources', [{}, { title: ' ' }], 'no sources'],
        ['a list of sources that have other types', [{ url: 5, title: [] }], 'no sources'],
      ] as [string, unknown, string][]
    ).map(([what, returned, detail]): [string, CitationExtractor['extract'], string] => [
      `returns ${what}`,
      () => returned as [],
      detail,
    ]),
  ])('%s: costs its own sources and is reported', (_, extract, detail) => {
    const [{ sources, diagnostics }, numbers] = turnWith(extract)
    expect(numbers).toEqual([])
    expect(sources.map(({ title }) => title)).toEqual(['other'])
    expect(diagnostics).toEqual([
      { code: 'extractor_failed', detail: expect.stringContaining(detail), count: 1 },
    ])
    expect(diagnostics[0]?.detail).toContain('own')
  })

  test.each([undefined, null, []])('returns %s: nothing found, and nothing to report', (value) => {
    const [{ sources, diagnostics }, numbers] = turnWith(() => value)
    expect(numbers).toEqual([])
    expect(sources).toHaveLength(1)
    expect(diagnostics).toEqual([])
  })

  test('what is sound among nonsense stays, with ids that have no gaps', () => {
    const items = ['text', { url: A, title: 'A' }, {}, 7, { url: 'https://c.example/' }]
    const [{ sources, diagnostics }, numbers] = turnWith(() => items as [])
    expect(numbers).toEqual([2, 3])
    expect(sources.slice(1).map(({ id }) => id)).toEqual(['c1-0', 'c1-1'])
    expect(diagnostics).toMatchObject([{ code: 'extractor_failed', count: 1 }])
  })

  test('is counted each time, under the first detail', () => {
    let times = 0
    const turn = serviceWith({
      pattern: 'own',
      extract: () => {
        times += 1
        throw new Error(`failure ${times}`)
      },
    }).startTurn()
    for (let call = 0; call < 3; call++) turn.addToolResult({ name: 'own', output: '' })
    const { diagnostics } = turn.finish()
    expect(diagnostics).toMatchObject([{ code: 'extractor_failed', count: 3 }])
    expect(diagnostics[0]?.detail).toContain('failure 1')
    turn.reset()
    expect(turn.finish().diagnostics).toEqual([])
  })

  test('outside of a turn costs its sources and throws nothing', () => {
    const service = serviceWith({ pattern: 'own', extract: thrower(new Error('no')) })
    expect(service.extractToolCitations({ name: 'own', output: '' })).toEqual([])
  })
})

describe('an extractor that means harm', () => {
  const closed = new Proxy(
    {},
    {
      get: () => {
        throw new Error('closed')
      },
    },
  )
  const halfOpen = {
    url: A,
    get title(): string {
      throw new Error('closed')
    },
  }

  test.each<[string, unknown[], found: string[]]>([
    ['items that cannot be read', [closed, { url: A }], [A]],
    ['fields that cannot be read', [halfOpen], [A]],
    ['a list without end', new Array(2 ** 32 - 1), []],
    ['what is frozen', [Object.freeze({ url: A })], [A]],
    ['an address that leads elsewhere', [{ url: 'javascript:alert(1)', title: 'A' }], []],
  ])('%s: does none', (_, returned, found) => {
    const [{ sources }] = turnWith(() => returned as [])
    expect(sources.flatMap(({ url }) => url ?? [])).toEqual([B, ...found])
  })

  test('text that would steer a terminal is cleaned', () => {
    const [{ sources }] = turnWith(() => [{ title: 'a\u001b[31mb', snippet: 'c\u0007d', url: A }])
    expect(sources[1]).toMatchObject({ title: 'a[31mb', snippet: 'cd' })
  })

  test('one that asks for itself without end is reported like any that throws', () => {
    const service = new CitationService()
    const turn = service.startTurn()
    const call = { name: 'own', callId: 'c1', output: '' }
    service.registerExtractor({
      pattern: 'own',
      extract: () => turn.addToolResult(call).map((number) => ({ title: `${number}` })),
    })
    expect(turn.addToolResult(call)).toEqual([])
    expect(turn.finish().diagnostics[0]?.code).toBe('extractor_failed')
  })

  test('one that registers others or resets the turn does so for what comes after', () => {
    const service = new CitationService()
    const turn = service.startTurn()
    turn.addToolResult({ name: 'web_search', callId: 'w', output: [{ title: 'B', link: B }] })
    service.registerExtractor({
      pattern: 'own',
      extract: () => {
        service.registerExtractor(finds('*', 'later'))
        turn.reset()
        return [{ title: 'own', url: A }]
      },
    })
    expect(turn.addToolResult({ name: 'own', output: '' })).toEqual([1])
    expect(turn.finish().sources.map(({ title }) => title)).toEqual(['own'])
    expect(titles(service, 'other')).toEqual(['later'])
  })
})

test('an extractor may use the turn that asks it', () => {
  const service = new CitationService()
  const turn: CitationTurn = service.startTurn()
  const during: unknown[] = []
  service.registerExtractor({
    pattern: 'own',
    extract: () => {
      const found = [{ title: 'inner', link: B }]
      during.push(turn.addToolResult({ name: 'web_search', callId: 'c2', output: found }))
      during.push(turn.finish().sources.length, turn.render({ links: 'plain' }))
      return [{ title: 'outer', url: A }]
    },
  })
  expect(turn.addToolResult({ name: 'own', callId: 'c1', output: '' })).toEqual([2])
  expect(during).toEqual([[1], 1, ` Sources:\n  1. inner — ${B}`])
  expect(turn.finish().sources.map(({ title }) => title)).toEqual(['inner', 'outer'])
})

test.each<[string, unknown]>([
  ['extractor', undefined],
  ['extractor', null],
  ['extractor', 'web_search'],
  ['extractor.pattern', {}],
  ['extractor.pattern', { extract: () => [] }],
  ['extractor.pattern', { pattern: 5, extract: () => [] }],
  ['extractor.pattern', { pattern: ['web_search'], extract: () => [] }],
  ['extractor.extract', { pattern: 'own' }],
  ['extractor.extract', { pattern: /own/, extract: 'function' }],
])('misuse is a TypeError that names %s: %o', (what, extractor) => {
  const service = new CitationService()
  expect(() => service.registerExtractor(extractor as CitationExtractor)).toThrow(TypeError)
  expect(() => service.registerExtractor(extractor as CitationExtractor)).toThrow(`${what} must be`)
})
