/** Every option of a service: its default, what it does, and that misuse names option and value. */
import { describe, expect, test } from 'vitest'
import { type CitationConfig, CitationService, type CitationServiceOptions } from '../index.js'
import { googled, type Page, searched } from './agent-runs.js'
import { gemini, grounded, support, web } from './turns.js'

const A = 'https://a.example/'
const B = 'https://b.example/'
const C = 'https://c.example/'
const PAGES: Page[] = [
  [A, 'A'],
  [B, 'B'],
  [C, 'C'],
]

const DEFAULTS: Required<CitationConfig> = {
  enabled: true,
  format: 'brackets',
  expandSourcesByDefault: false,
  maxSourcesDisplayed: Number.POSITIVE_INFINITY,
  enabledTools: ['*'],
  enableTooltips: true,
}

/** A block of these sources, each with the number it has. */
const block = (...rows: string[]) => [' Sources:', ...rows].join('\n')

function turnWith(options?: CitationServiceOptions) {
  return new CitationService(options).startTurn()
}

describe('config', () => {
  test.each<[string, CitationServiceOptions | undefined]>([
    ['nothing', undefined],
    ['no options', {}],
    ['undefined options', { enabled: undefined, format: undefined, enabledTools: undefined }],
    ['options that are no part of it', { documents: true, scanUnknownTools: true }],
  ])('%s: the documented defaults', (_, options) => {
    expect(new CitationService(options).config).toEqual(DEFAULTS)
  })

  test.each<CitationConfig>([
    { enabled: false },
    { format: 'superscript' },
    { format: 'inline-links' },
    { expandSourcesByDefault: true },
    { maxSourcesDisplayed: 0 },
    { maxSourcesDisplayed: 7 },
    { maxSourcesDisplayed: Number.POSITIVE_INFINITY },
    { enabledTools: [] },
    { enabledTools: ['exa_web_search', 'mcp__*'] },
    { enableTooltips: false },
  ])('%o is kept', (options) => {
    expect(new CitationService(options).config).toEqual({ ...DEFAULTS, ...options })
  })

  test('cannot be changed from outside', () => {
    const enabledTools = ['web_search']
    const service = new CitationService({ enabledTools })
    enabledTools.push('*')
    service.config.enabledTools.push('*')
    expect(service.config.enabledTools).toEqual(['web_search'])
    expect(
      service.extractToolCitations({ ...searched('c', [A, 'A']), name: 'wikipedia_search' }),
    ).toEqual([])
  })
})

test.each<[enabledTools: string[], name: string, read: boolean]>([
  [['*'], 'web_search', true],
  [[], 'web_search', false],
  [['web_search'], 'web_search', true],
  [['web_search'], 'wikipedia_search', false],
  [['*_search'], 'wikipedia_search', true],
  [['web_?earch'], 'web_search', true],
  [['web_?search'], 'web_search', false],
  [['mcp__*', 'web_*'], 'web_search', true],
  [['WEB_SEARCH'], 'web_search', false],
  [['^web'], 'web_search', false],
  [['own'], 'own', true],
  [['web_*'], 'own', false],
])('of enabledTools %j, %s is read: %s', (enabledTools, name, read) => {
  const service = new CitationService({ enabledTools })
  service.registerExtractor({ pattern: 'own', extract: () => [{ url: A }] })
  const call = { ...searched('c1', [A, 'A']), name }
  expect(service.extractToolCitations(call)).toHaveLength(read ? 1 : 0)
  expect(service.startTurn().addToolResult(call)).toEqual(read ? [1] : [])
})

test('enabledTools is about tools: providers and sub-agents are heard', () => {
  const turn = turnWith({ enabledTools: [] })
  turn.push(gemini('Text.', grounded([web(A, 'A')])))
  expect(turn.merge('helper', [{ url: B, title: 'B' }])).toEqual([2])
})

test('enabled: false leaves the text and no sources', () => {
  const service = new CitationService({ enabled: false })
  const asked: string[] = []
  service.registerExtractor({
    pattern: 'own',
    extract: (id) => {
      asked.push(id)
      return [{ url: A }]
    },
  })
  const turn = service.startTurn()
  const text = 'Rust is a language [1].'
  turn.push(gemini(text, grounded([web(A, 'A')], [support(text, 'Rust', [0])])))
  expect(turn.addToolResult(searched('c1', [B, 'B']))).toEqual([])
  expect(turn.addToolResult({ name: 'own', callId: 'c2', output: '' })).toEqual([])
  turn.merge('helper', [{ url: C, title: 'C' }])
  expect(turn.finish()).toEqual({
    text: '',
    answer: text,
    sources: [],
    anchors: [],
    cited: [],
    diagnostics: [],
  })
  expect(turn.render({ links: 'plain' })).toBe('')
  expect(asked).toEqual([])
  expect(service.extractToolCitations(searched('c1', [B, 'B']))).toEqual([])
  turn.reset()
  expect(turn.addToolResult(searched('c1', [B, 'B']))).toEqual([])
})

describe('maxSourcesDisplayed', () => {
  test.each<[most: number, block: string]>([
    [0, block('  … and 3 more')],
    [1, block(`  1. A — ${A}`, '  … and 2 more')],
    [2, block(`  1. A — ${A}`, `  2. B — ${B}`, '  … and 1 more')],
    [3, block(`  1. A — ${A}`, `  2. B — ${B}`, `  3. C — ${C}`)],
    [9, block(`  1. A — ${A}`, `  2. B — ${B}`, `  3. C — ${C}`)],
  ])('%i', (maxSourcesDisplayed, expected) => {
    const turn = turnWith({ maxSourcesDisplayed })
    turn.addToolResult(searched('c1', ...PAGES))
    expect(turn.render({ links: 'plain' })).toBe(expected)
    expect(turn.finish().sources).toHaveLength(3)
  })

  test('is what render does unless it is told otherwise', () => {
    const turn = turnWith({ maxSourcesDisplayed: 1 })
    turn.addToolResult(searched('c1', ...PAGES))
    const two = block(`  1. A — ${A}`, `  2. B — ${B}`, '  … and 1 more')
    expect(turn.render({ links: 'plain', maxSources: 2 })).toBe(two)
    const all = turn.render({ links: 'plain', maxSources: Number.POSITIVE_INFINITY })
    expect(all).toBe(block(`  1. A — ${A}`, `  2. B — ${B}`, `  3. C — ${C}`))
  })
})

test('showInlineSources is what render does unless it is told otherwise', () => {
  const turn = turnWith({ showInlineSources: true })
  turn.addToolResult(googled('c1', 'a', [A, 'A']))
  expect(turn.render({ links: 'plain' })).toBe(block(`  1. A — ${A}`))
  expect(turn.render({ links: 'plain', showInlineSources: false })).toBe('')
})

test.each([
  [false, 0],
  [true, 1],
])('scanUnknownTools %s: of a tool nobody knows %i sources', (scanUnknownTools, found) => {
  const call = { name: 'nobody_knows', callId: 'c1', output: `See ${A} for more.` }
  const service = new CitationService({ scanUnknownTools })
  expect(service.extractToolCitations(call)).toHaveLength(found)
  expect(service.startTurn().addToolResult(call)).toHaveLength(found)
})

test.each<[option: string, value: unknown, shown: string]>([
  ['enabled', 'yes', "'yes'"],
  ['enabled', 1, '1'],
  ['format', 'footnotes', "'footnotes'"],
  ['format', 5, '5'],
  ['format', '', "''"],
  ['expandSourcesByDefault', 'true', "'true'"],
  ['maxSourcesDisplayed', -1, '-1'],
  ['maxSourcesDisplayed', 1.5, '1.5'],
  ['maxSourcesDisplayed', Number.NaN, 'NaN'],
  ['maxSourcesDisplayed', '10', "'10'"],
  ['maxSourcesDisplayed', Number.NEGATIVE_INFINITY, 'inf'],
  ['enabledTools', 'web_search', "'web_search'"],
  ['enabledTools', ['web_search', 7], '7'],
  ['enabledTools', { 0: '*' }, 'object'],
  ['enabledTools', [null], 'null'],
  ['enableTooltips', 0, '0'],
  ['documents', 'no', "'no'"],
  ['scanUnknownTools', {}, 'object'],
  ['showInlineSources', [], 'array'],
])('options.%s: %j is a TypeError that says so', (option, value, shown) => {
  const make = () => new CitationService({ [option]: value } as CitationServiceOptions)
  expect(make).toThrow(TypeError)
  expect(make).toThrow(`options.${option} must be`)
  expect(make).toThrow(new RegExp(`got .*${shown}`, 'i'))
})

test.each([5, 'all', true])('options %j: is a TypeError', (options) => {
  const make = () => new CitationService(options as unknown as CitationServiceOptions)
  expect(make).toThrow(TypeError)
  expect(make).toThrow('options must be an object')
})
