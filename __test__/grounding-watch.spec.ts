/**
 * What is watched over many answers, the line of an audit whatever stands in it, and that the policy
 * throws at misuse only and never lets garbage through.
 */
import { describe, expect, test } from 'vitest'
import { type EvaluateOptions, grounding } from '../index.js'
import { snakeCased, TEST_A, TEST_B } from './grounded-answers.js'

/** An answer that covers so much, and why it passed. */
function covering(anchoredCoveragePct: number, requiredPassReason: string | null = null) {
  return { metadata: { anchoredCoveragePct, requiredPassReason } }
}

describe('summary', () => {
  test.each<[string, coverage: number[], median: number]>([
    ['none', [], 0],
    ['one', [71.4], 71.4],
    ['an odd number, in any order', [90, 10, 40], 40],
    ['an even number, in any order', [90, 10, 50, 30], 40],
    ['two', [0, 89], 44.5],
    ['equal ones', [5, 5, 5, 5], 5],
    ['a far one', [1, 2, 100], 2],
    ['numbers and not their spelling', [9, 10, 100], 10],
  ])('median of %s', (_, coverage, median) => {
    const summary = grounding.summarizeGrounding(coverage.map((each) => covering(each)))
    expect(summary).toEqual({
      count: coverage.length,
      medianCoveragePct: median,
      groundingEvidenceMissingTotal: 0,
      reasons: coverage.length > 0 ? { none: coverage.length } : {},
    })
  })

  test('of real answers, in either spelling', () => {
    const results = [TEST_A, TEST_B, TEST_B].map((input) => grounding.anchorCitations(input))
    const snake = results.map((result) => snakeCased(result) as object)
    const expected = {
      count: 3,
      medianCoveragePct: 0,
      groundingEvidenceMissingTotal: 2,
      reasons: { anchored_google: 1, unlinked_google: 2 },
    }
    expect(grounding.summarizeGrounding(results)).toEqual(expected)
    expect(grounding.summarizeGrounding(snake)).toEqual(expected)
    expect(grounding.summarizeGrounding([...results, ...snake])).toMatchObject({ count: 6 })
  })

  test('reasons are counted by name', () => {
    const reasons = [
      'anchored_google',
      null,
      'unlinked_google',
      'anchored_google',
      'anchored_openai',
    ]
    const results = reasons.map((reason) => covering(1, reason))
    expect(grounding.summarizeGrounding(results).reasons).toEqual({
      anchored_google: 2,
      none: 1,
      unlinked_google: 1,
      anchored_openai: 1,
    })
  })

  test('a reason named like a property of objects is a name', () => {
    const { reasons } = grounding.summarizeGrounding([
      covering(1, '__proto__'),
      covering(1, 'constructor'),
    ])
    expect(Object.entries(reasons).sort()).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
    ])
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['text', 'results'],
    ['an object', { 0: {} }],
  ])('garbage sums up to nothing: %s', (_, results) => {
    expect(grounding.summarizeGrounding(results as object[])).toEqual({
      count: 0,
      medianCoveragePct: 0,
      groundingEvidenceMissingTotal: 0,
      reasons: {},
    })
  })
})

describe('audit line', () => {
  const FIELDS = [
    ...['vendor', 'model', 'tool_calls', 'queries', 'chunks', 'supports', 'annotations'],
    ...['anchored_sources', 'unlinked_sources', 'coverage_pct', 'reason'],
  ]

  /** The fields of a line, read as a log reader does: split at blanks, then at the first `=`. */
  function read(line: string): [string, string][] {
    const [kind, ...fields] = line.split(/\s/u)
    expect(kind).toBe('AUDIT')
    return fields.map((field) => {
      const at = field.indexOf('=')
      return [field.slice(0, at), field.slice(at + 1)]
    })
  }

  const HOSTILE: [string, string][] = [
    ['a blank', 'gemini 2.5 pro'],
    ['another field', 'x reason=anchored_google'],
    ['another line', 'x\nAUDIT vendor=vertex reason=anchored_google'],
    ['a line break of two characters', 'x\r\nAUDIT vendor=vertex'],
    ['tabs and form feeds', 'x\treason=y\freason=z\vreason=w'],
    ['line separators of Unicode', 'x\u2028reason=y\u2029reason=z\u0085reason=w'],
    ['blanks of Unicode', 'x\u00a0reason=y\u3000reason=z\u2003reason=w\u1680v\u202fu\u205ft'],
    ['a byte order mark', 'x\ufeffreason=y'],
    ['escape sequences', '\u001b[2J\u001b]0;title\u0007x\u009b31m'],
    ['directions', 'x\u202eelgoog_derohcna=nosaer\u2066y\u200f'],
    ['nothing but blanks', ' \n\t '],
    ['nothing but controls', '\u0000\u0007\u001b'],
    ['a lone surrogate', 'x\ud800y'],
    ['a name without end', 'x '.repeat(100_000)],
  ]

  test.each(HOSTILE)('%s starts no field and no line', (_, name) => {
    for (const anchored of [
      { vendor: name },
      { model: name },
      { metadata: { requiredPassReason: name } },
      { vendor: name, model: name, metadata: { required_pass_reason: name } },
    ]) {
      const line = grounding.auditLine(anchored)
      expect(read(line).map(([field]) => field)).toEqual(FIELDS)
      for (const [, value] of read(line)) expect(value).not.toBe('')
      expect(line).not.toMatch(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
      expect(line.length).toBeLessThan(600)
    }
  })

  test('a name is kept as far as it can be', () => {
    const line = grounding.auditLine({ vendor: 'vertex', model: 'my model', metadata: {} })
    expect(line).toMatch(/^AUDIT vendor=vertex model=my_model tool_calls=0 /)
  })

  test('coverage has one decimal', () => {
    const shares = [0, 2, 71.4, 89, 100].map((share) => grounding.auditLine(covering(share)))
    expect(shares.map((line) => Object.fromEntries(read(line)).coverage_pct)).toEqual([
      ...['0.0', '2.0', '71.4', '89.0', '100.0'],
    ])
  })
})

const EMPTY =
  'AUDIT vendor=unknown model=unknown tool_calls=0 queries=0 chunks=0 supports=0 annotations=0 anchored_sources=0 unlinked_sources=0 coverage_pct=0.0 reason=none'

const GARBAGE: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a symbol', Symbol('x')],
  ['text', 'no report'],
  ['JSON of another type', '7'],
  ['a list', [1, null]],
  ['an empty object', {}],
  [
    'fields of other types',
    { vendor: 7, model: [], annotations: 'x', citations: {}, metadata: [] },
  ],
  [
    'figures of other types',
    { metadata: { toolCallCount: '3', groundingChunks: {}, anchoredCoveragePct: [] } },
  ],
  ['figures below zero', { metadata: { toolCallCount: -1, grounding_chunks: -5 } }],
  [
    'figures that are no numbers',
    { metadata: { toolCallCount: Number.NaN, anchoredCoveragePct: Number.NaN } },
  ],
  ['a function', () => 1],
]

describe('garbage', () => {
  test.each(GARBAGE)('%s does not pass', (_, garbage) => {
    const { pass, reason } = grounding.evaluateGrounding(garbage as object)
    expect([pass, reason]).toEqual([false, 'tool_call_count'])
    expect(grounding.auditLine(garbage as object)).toBe(EMPTY)
  })

  test('a property that throws does not throw on, and does not pass', () => {
    const anchored = Object.defineProperty({ vendor: 'vertex' }, 'metadata', {
      enumerable: true,
      get() {
        throw new Error('mine')
      },
    })
    expect(grounding.evaluateGrounding(anchored).pass).toBe(false)
    expect(grounding.auditLine(anchored)).toMatch(
      /^AUDIT vendor=(vertex|unknown) [^\n]+ reason=none$/,
    )
  })

  const GOOD = {
    vendor: 'gemini_direct',
    model: 'gemini-2.5-pro',
    annotations: [{}, {}, {}],
    metadata: { toolCallCount: 1, groundingChunks: 1, groundingSupports: 1 },
  }

  /** What prompts and SDKs put into their objects. */
  const COMMON: [string, unknown][] = [
    ['half a character', 'x\ud800'],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a signal', new AbortController().signal],
    ['no number', Number.NaN],
    ['deep nesting', Array.from({ length: 300 }).reduce<object>((inner) => ({ inner }), {})],
  ]
  const refuse = () => {
    throw new Error('mine')
  }
  const around: Record<string, unknown> = {}
  around.self = around
  /** What no JSON holds. */
  const RARE: [string, unknown][] = [
    ['a way around', around],
    ['a big integer', 10n],
    ['what cannot be looked at', new Proxy({}, { get: refuse, ownKeys: refuse })],
  ]

  test.each(COMMON)('beside the figures, %s changes nothing', (_, odd) => {
    const { pass, reason } = grounding.evaluateGrounding({ ...GOOD, content: odd })
    expect([pass, reason]).toEqual([true, 'anchored_google'])
  })

  test.each(RARE)('beside the figures, %s does not throw', (_, odd) => {
    expect(grounding.evaluateGrounding({ ...GOOD, content: odd }).gates).toHaveLength(4)
    expect(grounding.auditLine({ ...GOOD, content: odd })).toMatch(/^AUDIT /)
    expect(grounding.summarizeGrounding([{ ...GOOD, content: odd }]).count).toBe(1)
  })

  const [system, user] = [
    { role: 'system', content: 'x' },
    { role: 'user', content: 'y' },
  ]

  test.each([...COMMON, ...RARE])('in a request, %s does not open the contract', (_, odd) => {
    const request = { messages: [system, user, user], config: { odd } }
    const evaluation = grounding.evaluateGrounding(GOOD, { request })
    expect([evaluation.pass, evaluation.reason]).toEqual([false, 'two_messages'])
    expect(evaluation.request).toBe(request)
  })

  test.each(COMMON)('in a request, %s does not break the contract', (_, odd) => {
    const request = { messages: [system, user], config: { odd } }
    expect(grounding.evaluateGrounding(GOOD, { request }).pass).toBe(true)
  })
})

describe('misuse', () => {
  test.each<[options: unknown, message: string]>([
    [7, 'options must be an object, got 7'],
    [{ mode: 'always' }, "options.mode must be one of 'required', 'auto', got 'always'"],
    [{ mode: 1 }, "options.mode must be one of 'required', 'auto', got 1"],
    [{ minCoveragePct: -1 }, 'options.minCoveragePct must be a number from 0 to 100, got -1'],
    [{ minCoveragePct: 101 }, 'options.minCoveragePct must be a number from 0 to 100, got 101'],
    [
      { minCoveragePct: Number.NaN },
      'options.minCoveragePct must be a number from 0 to 100, got NaN',
    ],
    [{ minCoveragePct: '2' }, "options.minCoveragePct must be a number from 0 to 100, got '2'"],
    [{ minAnnotations: -1 }, 'options.minAnnotations must be a whole number from 0, got -1'],
    [{ minAnnotations: 1.5 }, 'options.minAnnotations must be a whole number from 0, got 1.5'],
    [{ minAnnotations: '3' }, "options.minAnnotations must be a whole number from 0, got '3'"],
    [
      { allowedModels: 'gemini-2.5-pro' },
      "options.allowedModels must be a list of strings, got 'gemini-2.5-pro'",
    ],
    [{ allowedModels: [7] }, 'options.allowedModels must be a list of strings, got 7'],
    [{ allowedVendors: {} }, 'options.allowedVendors must be a list of strings, got an object'],
    [
      { allowedVendors: ['vertex', null] },
      'options.allowedVendors must be a list of strings, got null in it',
    ],
  ])('%j', (options, message) => {
    const call = () => grounding.evaluateGrounding({}, options as EvaluateOptions)
    expect(call).toThrow(TypeError)
    expect(call).toThrow(message)
  })

  test.each(['text', 7, true])('a request that is no object: %j', (request) => {
    const call = () => grounding.evaluateGrounding({}, { request: request as unknown as object })
    expect(call).toThrow(TypeError)
  })
})
