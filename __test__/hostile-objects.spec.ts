/**
 * Whatever is handed over, as whichever argument: every export returns, or throws a `TypeError` that says
 * what is wrong with which argument. It does so soon, leaves no exception behind and no trace in prototypes.
 */
import { afterEach, describe, expect, test } from 'vitest'
import * as citations from '../index.js'
import { ENDLESS, ODD, VAST } from './hostile-objects.js'

type Call = (...values: never[]) => unknown

const SERVICE = new citations.CitationService({ documents: true, scanUnknownTools: true })

/** Calls a method of a new turn, and then asks the turn what it has come to. */
function ofTurn(name: keyof citations.CitationTurn): Call {
  return (...values) => {
    const turn = SERVICE.startTurn()
    const call = () => (turn[name] as Call)(...values)
    try {
      return call()
    } finally {
      turn.finish()
      turn.serialize()
      turn.render()
    }
  }
}

const ofService = (name: keyof citations.CitationService): Call => {
  return (...values) => {
    const service = new citations.CitationService({ documents: true, scanUnknownTools: true })
    return (service[name] as unknown as Call).apply(service, values)
  }
}

/** A call of a tool that brings this home. */
const result = (name: string, output: unknown) => {
  citations.extractToolCitations({ name, args: output, output }, { scanUnknownTools: true })
}

function hostExtractor(returned: unknown): void {
  const service = new citations.CitationService()
  service.registerExtractor({ pattern: '*', extract: () => returned as never })
  service.startTurn().addToolResult({ name: 'x', output: 'x' })
}

/** The functions of a namespace; classes are made below. */
const functions = (of: object, prefix = ''): [string, Call][] =>
  Object.entries(of)
    .filter(([name, value]) => typeof value === 'function' && !/^[A-Z]/.test(name))
    .map(([name, call]) => [`${prefix}${name}`, call as Call])

const TOOLS = [
  'web_search',
  'query_rag_project',
  'http_client',
  'mcp__a__b',
  'read_file',
  'unknown',
]

const CALLS: [string, Call][] = [
  ...functions(citations),
  ...functions(citations.markers, 'markers.'),
  ...functions(citations.grounding, 'grounding.'),
  ...functions(citations.anthropic, 'anthropic.'),
  ...functions(citations.openWebui, 'openWebui.'),
  ...(['push', 'pushBytes', 'addToolResult', 'merge', 'mergeAgentText', 'setRequest'] as const).map(
    (name): [string, Call] => [`turn.${name}`, ofTurn(name)],
  ),
  ...(['finish', 'anchored', 'render', 'renderHtml'] as const).map((name): [string, Call] => [
    `turn.${name}`,
    ofTurn(name),
  ]),
  ...(['registerExtractor', 'extractToolCitations', 'restoreTurn'] as const).map(
    (name): [string, Call] => [`service.${name}`, ofService(name)],
  ),
  ...TOOLS.map((name): [string, Call] => [
    `a result of ${name}`,
    (output: never) => result(name, output),
  ]),
  ['what an extractor of the host returns', (returned: never) => hostExtractor(returned)],
  ['new CitationService', (options: never) => new citations.CitationService(options)],
  [
    'new MarkerStream',
    (...[payload, options]: [never, never]) =>
      new citations.markers.MarkerStream(payload, options).push('x [1]'),
  ],
]

/** What a call says of its misuse, if that is what it throws. Anything else it throws is thrown on. */
function misuse(call: Call, values: unknown[]): string | undefined {
  try {
    call(...(values as never[]))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return error.message
  }
}

const NAMES_AN_ARGUMENT = /^[a-z][\w.]* (?:must be|is no stored turn|has version)/i

/** Arguments that are in order, for those before the odd one. */
const ORDINARY = ['An answer [1].', { sources: [{ url: 'https://a.example/' }] }, {}]

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('every export is called', () => {
  const names = CALLS.map(([name]) => name)
  expect(names).toEqual(expect.arrayContaining(['renderCitations', 'grounding.auditLine']))
  expect(names.length).toBeGreaterThan(50)
})

describe.each(CALLS)('%s', (_, call) => {
  test.each([0, 1, 2])('takes anything as argument %i', (position) => {
    for (const [name, make] of ODD) {
      const said = misuse(call, [...ORDINARY.slice(0, position), make()])
      if (said !== undefined) expect(said, name).toMatch(NAMES_AN_ARGUMENT)
    }
  })

  test.each(VAST)('comes to an end with %s', (_, make) => {
    for (const position of [0, 1]) {
      const said = misuse(call, [...ORDINARY.slice(0, position), make()])
      if (said !== undefined) expect(said).toMatch(NAMES_AN_ARGUMENT)
    }
  })
})

test.each<[string, () => unknown]>([
  ['blocks', () => citations.anthropic.customContentDocument(ENDLESS as string[])],
  ['documents', () => citations.markers.verifyQuotes([], ENDLESS as string[])],
  ['results', () => citations.grounding.summarizeGrounding(ENDLESS as object[])],
  ['sources', () => citations.dedupeCitations(ENDLESS as object[])],
  ['shown', () => citations.dedupeCitations([{ title: 'x' }], ENDLESS as string[])],
  ['addresses', () => citations.grounding.applyResolvedUrls([] as never, ENDLESS as never)],
  ['tools', () => new citations.CitationService({ enabledTools: ENDLESS as string[] })],
])('a list without end comes to an end: %s', (_, call) => {
  const said = misuse(call, [])
  if (said !== undefined) expect(said).toMatch(NAMES_AN_ARGUMENT)
})

test.each([...VAST, ['a long text', () => 'x'.repeat(40_000_000)] as const])(
  'what is said of %s has its shape',
  (_, make) => {
    const { grounding, markers } = citations
    expect(grounding.anchorCitations(make() as object).metadata.groundingChunks).toBe(0)
    expect(grounding.evaluateGrounding(make() as object)).toMatchObject({ pass: false })
    expect(grounding.summarizeGrounding([make() as object])).toMatchObject({ count: 1 })
    expect(markers.formatMarkers('x', make() as never)).toEqual({ text: 'x', numbers: {} })
  },
)
