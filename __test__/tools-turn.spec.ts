/**
 * What tools and providers find in one turn has one numbering, and a number that was given out never
 * changes; each page is listed once, cited ones always, and what was shown already is not shown again.
 */
import { describe, expect, test } from 'vitest'
import { type CitationTurn, renderCitationBlock, type TurnPayload } from '../index.js'
import { exaText, googled, type Page, searched, startTurn } from './agent-runs.js'
import { gemini, grounded, link, openAiResponse, support, urlCitation, urls, web } from './turns.js'

const url = (name: string) => `https://${name}.example/`
const page = (name: string): Page => [url(name), name.toUpperCase()]
const search = (callId: string, ...names: string[]) => searched(callId, ...names.map(page))

/** A grounded response of Gemini that names these pages. */
function geminiNames(id: string, ...names: string[]): object {
  return gemini(`Text of ${id}. `, grounded(names.map((name) => web(...page(name)))), id)
}

/** A response of OpenAI that cites these pages. */
function openAiNames(id: string, ...names: string[]): object {
  const text = `Text of ${id} ${names.map((name) => link(url(name))).join(' ')}. `
  const annotations = names.map((name) => urlCitation(text, url(name), name.toUpperCase()))
  return openAiResponse(text, annotations, id)
}

/** A block of these pages under these numbers. */
function block(numbers: Record<number, string>, ...rest: string[]): string {
  const rows = Object.entries(numbers).map(([number, name]) => {
    return `  ${number}. ${name.toUpperCase()} — ${url(name)}`
  })
  return [' Sources:', ...rows, ...rest].join('\n')
}

const rendered = (turn: CitationTurn, options: object = {}) =>
  turn.render({ links: 'plain', ...options })

type Step = { push: object } | { add: string[]; numbers: number[] }

describe('one numbering', () => {
  test.each<[string, Step[], order: string[]]>([
    [
      'tools only',
      [
        { add: ['a', 'b'], numbers: [1, 2] },
        { add: ['c', 'a'], numbers: [3, 1] },
      ],
      ['a', 'b', 'c'],
    ],
    [
      'a provider before',
      [{ push: geminiNames('g1', 'p', 'q') }, { add: ['a', 'q'], numbers: [3, 2] }],
      ['p', 'q', 'a'],
    ],
    [
      'a provider after',
      [{ add: ['a', 'b'], numbers: [1, 2] }, { push: geminiNames('g1', 'p', 'b', 'a', 'q') }],
      ['a', 'b', 'p', 'q'],
    ],
    [
      'a provider between',
      [
        { add: ['a'], numbers: [1] },
        { push: openAiNames('r1', 'p', 'a') },
        { add: ['p', 'b'], numbers: [2, 3] },
      ],
      ['a', 'p', 'b'],
    ],
    [
      'two providers around tools',
      [
        { push: geminiNames('g1', 'p') },
        { add: ['a'], numbers: [2] },
        { push: openAiNames('r1', 'q', 'p') },
        { add: ['q', 'b'], numbers: [3, 4] },
        { push: geminiNames('g2', 'z', 'b') },
        { add: ['z'], numbers: [5] },
      ],
      ['p', 'a', 'q', 'b', 'z'],
    ],
    [
      'a provider that says the same again with more in front',
      [
        { push: geminiNames('g1', 'p') },
        { add: ['a'], numbers: [2] },
        { push: geminiNames('g1', 'x', 'p') },
        { add: ['x', 'a', 'p'], numbers: [3, 2, 1] },
      ],
      ['p', 'a', 'x'],
    ],
  ])('%s', (_, steps, order) => {
    const turn = startTurn()
    const given = new Map<string, number>()
    steps.forEach((step, at) => {
      if ('push' in step) turn.push(step.push)
      else {
        const numbers = turn.addToolResult(search(`c${at}`, ...step.add))
        expect(numbers).toEqual(step.numbers)
        step.add.forEach((name, index) => void given.set(name, numbers[index]!))
      }
      const { sources } = turn.finish()
      for (const [name, number] of given) expect(sources[number - 1]?.url).toBe(url(name))
    })
    expect(urls(turn.finish())).toEqual(order.map(url))
    expect(rendered(turn)).toBe(block(Object.fromEntries(order.map((name, at) => [at + 1, name]))))
  })

  test('the spans of providers point at it', () => {
    const turn = startTurn()
    turn.addToolResult(search('c1', 'a', 'b'))
    const text = 'Rust is fast. It is safe.'
    const chunks = [web(...page('p')), web(...page('b'))]
    const supports = [support(text, 'Rust is fast.', [1]), support(text, 'It is safe.', [0, 1])]
    turn.push(gemini(text, grounded(chunks, supports)))
    const { anchors, cited } = turn.finish()
    expect(anchors.map(({ text, sources }) => [text, sources])).toEqual([
      ['Rust is fast.', [2]],
      ['It is safe.', [2, 3]],
    ])
    expect(cited).toEqual([2, 3])
  })

  test('bytes of a body that is not whole yet change no number', () => {
    const turn = startTurn()
    const body = new TextEncoder().encode(JSON.stringify(geminiNames('g1', 'p', 'q')))
    turn.pushBytes(body.subarray(0, body.length - 60))
    expect(turn.addToolResult(search('c1', 'a'))).toEqual([1])
    turn.pushBytes(body.subarray(body.length - 60))
    expect(urls(turn.finish())).toEqual(['a', 'p', 'q'].map(url))
  })
})

describe('a page that tools and providers find', () => {
  const spellings = [url('a'), 'https://A.example', 'https://a.example:443/?utm_source=openai']

  test('is one source that knows all of them, however it is spelled', () => {
    const turn = startTurn()
    const [first, second, third] = spellings as [string, string, string]
    const exa = { name: 'exa_web_search', callId: 'e1', output: exaText([first, 'A', 'Words.']) }
    expect(turn.addToolResult(exa)).toEqual([1])
    expect(turn.addToolResult(searched('w1', [second, 'Other name']))).toEqual([1])
    turn.push(gemini('Text.', grounded([web(third, 'A')])))
    const { sources } = turn.finish()
    expect(sources).toEqual([
      {
        title: 'A',
        url: first,
        domain: 'a.example',
        type: 'web',
        id: 'e1-0',
        toolName: 'exa_web_search',
        toolRequestId: 'e1',
        snippet: 'Words.',
        also: [
          { id: 'w1-0', toolName: 'web_search', toolRequestId: 'w1' },
          { location: { type: 'grounding', groundingChunkIndex: 0 } },
        ],
      },
    ])
    expect(rendered(turn)).toBe(block({ 1: 'a' }))
  })

  test('keeps what the provider said first, and gets what the tool knows', () => {
    const turn = startTurn()
    turn.push(geminiNames('g1', 'a'))
    expect(turn.addToolResult(search('w1', 'a'))).toEqual([1])
    expect(turn.finish().sources).toEqual([
      {
        title: 'A',
        url: url('a'),
        domain: 'a.example',
        provider: 'gemini',
        location: { type: 'grounding', groundingChunkIndex: 0 },
        type: 'web',
        id: 'w1-0',
        toolName: 'web_search',
        toolRequestId: 'w1',
      },
    ])
  })
})

describe('google_web_search lists its sources itself', () => {
  /** A turn in which Google found a and b, another search c, and Gemini d. */
  function mixed(): CitationTurn {
    const turn = startTurn()
    turn.addToolResult(googled('g1', 'ab', page('a'), page('b')))
    turn.addToolResult(search('w1', 'c'))
    turn.push(geminiNames('m1', 'd'))
    return turn
  }

  test('so the block leaves them out and keeps the numbers of the others', () => {
    expect(rendered(mixed())).toBe(block({ 3: 'c', 4: 'd' }))
    expect(
      mixed()
        .finish()
        .sources.map(({ shownInline }) => shownInline),
    ).toEqual([true, true, undefined, undefined])
  })

  test('and shows them when asked', () => {
    const all = block({ 1: 'a', 2: 'b', 3: 'c', 4: 'd' })
    expect(rendered(mixed(), { showInlineSources: true })).toBe(all)
  })

  test.each<[string, (turn: CitationTurn) => void]>([
    ['another tool', (turn) => turn.addToolResult(search('w2', 'a', 'e'))],
    ['a provider', (turn) => turn.push(geminiNames('m2', 'a', 'e'))],
  ])('and what %s finds again was shown all the same', (_, find) => {
    const turn = mixed()
    find(turn)
    expect(rendered(turn)).toBe(block({ 3: 'c', 4: 'd', 5: 'e' }))
  })

  test.each<[string, (turn: CitationTurn) => void]>([
    ['another tool', (turn) => turn.addToolResult(search('w2', 'a'))],
    ['a provider', (turn) => turn.push(geminiNames('m2', 'a'))],
  ])('and what %s has found before too', (_, find) => {
    const turn = startTurn()
    find(turn)
    expect(turn.addToolResult(googled('g1', 'ab', page('b'), page('a')))).toEqual([2, 1])
    expect(rendered(turn)).toBe('')
    expect(rendered(turn, { showInlineSources: true })).toBe(block({ 1: 'a', 2: 'b' }))
  })

  test('a stored payload says so as well', () => {
    const stored: TurnPayload = JSON.parse(JSON.stringify(mixed().finish()))
    expect(renderCitationBlock(stored, { links: 'plain' })).toBe(block({ 3: 'c', 4: 'd' }))
  })
})

describe('cited and consulted', () => {
  /** A turn with five pages and this answer. */
  function answered(answer: string): CitationTurn {
    const turn = startTurn()
    turn.addToolResult(search('w1', 'a', 'b', 'c', 'd', 'e'))
    turn.push(gemini(answer))
    return turn
  }

  test.each<[answer: string, cited: number[]]>([
    ['Nothing is cited.', []],
    ['Rust is fast [2].', [2]],
    ['Rust is fast [5], [1].', [1, 5]],
    ['Rust is fast [2, 3].', [2, 3]],
    ['Rust is fast [1][4].', [1, 4]],
    ['Rust is fast [1]. Again [1].', [1]],
    ['Out of range [6] [0] [99].', []],
    ['In code `a[1]` only.', []],
    ['In a block:\n\n```\nb[2]\n```\n', []],
  ])('%j', (answer, cited) => {
    expect(answered(answer).finish().cited).toEqual(cited)
  })

  test('an answer that the host hands over counts instead of the one that was heard', () => {
    const turn = answered('Rust is fast [2].')
    expect(turn.finish('Rust is fast [3].').cited).toEqual([3])
  })

  test('spans and markers count alike', () => {
    const turn = startTurn()
    turn.addToolResult(search('w1', 'a', 'b', 'c'))
    const text = 'Rust is fast. It is safe [3].'
    const supports = [support(text, 'Rust is fast.', [0])]
    turn.push(gemini(text, grounded([web(...page('b'))], supports)))
    expect(turn.finish().cited).toEqual([2, 3])
  })

  test.each<[most: number, block: string]>([
    [0, block({ 2: 'b', 4: 'd' }, '  … and 3 more')],
    [1, block({ 2: 'b', 4: 'd' }, '  … and 3 more')],
    [2, block({ 2: 'b', 4: 'd' }, '  … and 3 more')],
    [3, block({ 1: 'a', 2: 'b', 4: 'd' }, '  … and 2 more')],
    [4, block({ 1: 'a', 2: 'b', 3: 'c', 4: 'd' }, '  … and 1 more')],
    [5, block({ 1: 'a', 2: 'b', 3: 'c', 4: 'd', 5: 'e' })],
  ])('at most %i sources: what is cited is listed, under its number', (maxSources, expected) => {
    const turn = answered('Rust is safe [4] and fast [2].')
    expect(rendered(turn, { maxSources })).toBe(expected)
    const stored = turn.finish()
    expect(renderCitationBlock(stored, { links: 'plain', maxSources })).toBe(expected)
  })
})

test.each<[string, NonNullable<Parameters<CitationTurn['render']>[0]>['alreadyShown'], string]>([
  ['an address', url('b'), block({ 1: 'a', 3: 'c' })],
  ['another spelling', 'HTTPS://B.example', block({ 1: 'a', 3: 'c' })],
  ['addresses', [url('a'), url('c')], block({ 2: 'b' })],
  ['a source', { url: url('a'), title: 'other' }, block({ 2: 'b', 3: 'c' })],
  ['a tool result', { sources: [{ web: { uri: url('c') } }] }, block({ 1: 'a', 2: 'b' })],
  ['all of them', ['a', 'b', 'c'].map(url), ''],
  ['others', [url('x')], block({ 1: 'a', 2: 'b', 3: 'c' })],
])('alreadyShown, %s: the others keep their numbers', (_, alreadyShown, expected) => {
  const turn = startTurn()
  turn.addToolResult(search('w1', 'a', 'b', 'c'))
  expect(rendered(turn, { alreadyShown })).toBe(expected)
  expect(urls(turn.finish())).toEqual(['a', 'b', 'c'].map(url))
})

test('reset forgets tools and providers, and numbers start again', () => {
  const turn = startTurn()
  const first = () => [
    turn.addToolResult(search('w1', 'a')),
    turn.addToolResult(searched(undefined, page('b'))),
    turn.finish(),
  ]
  const before = first()
  turn.push(geminiNames('m1', 'p'))
  turn.reset()
  expect(turn.finish()).toMatchObject({ answer: '', sources: [], cited: [], diagnostics: [] })
  expect(rendered(turn)).toBe('')
  expect(first()).toEqual(before)
})

test('the time of a call stays with its sources', () => {
  const turn = startTurn()
  const [early, late] = ['2026-11-16T05:00:00Z', '2026-11-16T06:00:00Z']
  turn.addToolResult({ ...search('w1', 'a'), timestamp: early })
  turn.addToolResult({ ...search('w2', 'a', 'b'), timestamp: late })
  turn.addToolResult(search('w3', 'c'))
  const times = turn.finish().sources.map(({ timestamp }) => timestamp)
  expect(times).toEqual([early, late, undefined])
})

test('calls without an id are told apart', () => {
  const turn = startTurn()
  turn.addToolResult(searched(undefined, page('a'), page('b')))
  turn.addToolResult(searched(undefined, page('c')))
  turn.addToolResult(search('w1', 'd', 'e'))
  const { sources } = turn.finish()
  expect(new Set(sources.map(({ id }) => id)).size).toBe(5)
  const requests = sources.map(({ toolRequestId }) => toolRequestId)
  expect(requests[0]).toBe(requests[1])
  expect(requests[2]).not.toBe(requests[0])
  const places = [0, 1, 0, 0, 1]
  expect(sources.map(({ id }) => id)).toEqual(places.map((at, index) => `${requests[index]}-${at}`))
  expect(requests.slice(3)).toEqual(['w1', 'w1'])
})

test.each(['web_search', 'web_scrape', 'mcp__docs__find', 'github', 'http_client', 'read_file'])(
  'a call of %s that has no result has no sources',
  (name) => {
    for (const output of [null, undefined, '']) {
      const args = { url: url('a'), html_url: url('b'), absolute_path: '/c' }
      const turn = startTurn()
      expect(turn.addToolResult({ name, callId: 'c1', args, output })).toEqual([])
      expect(turn.finish().sources).toEqual([])
    }
  },
)
