/**
 * The policy: every gate below, at and above its limit, what falls back to sources alone and what does
 * not, the contract of the request, allow-lists, and responses in the shapes hosts keep them in.
 */
import { describe, expect, test } from 'vitest'
import { type EvaluateOptions, type GroundingGate, grounding } from '../index.js'
import { response, snakeCased, supportOf, TEST_A, TEST_B, web } from './grounded-answers.js'
import { charLocation, link, openAiResponse, urlCitation } from './turns.js'

interface Facts {
  vendor?: string
  model?: string
  calls?: number
  chunks?: number
  supports?: number
  spans?: number
  coverage?: number
}

/** An answer that a policy looks at, with these figures. */
function answered(facts: Facts = {}) {
  const { vendor = 'gemini_direct', model = 'gemini-2.5-pro' } = facts
  const { calls = 1, chunks = 1, supports = 1, spans = 3, coverage = 2 } = facts
  const annotations = Array.from({ length: spans }, (_, at) => {
    return { start: at, end: at + 1, text: 'x', sources: [] }
  })
  const metadata = {
    toolCallCount: calls,
    groundingChunks: chunks,
    groundingSupports: supports,
    anchoredCoveragePct: coverage,
  }
  return { vendor, model, annotations, citations: [], metadata }
}

const evaluate = (facts: Facts, options?: EvaluateOptions) =>
  grounding.evaluateGrounding(answered(facts), options)

/** Which gates are open. */
const open = (gates: GroundingGate[]) => gates.map(({ name, pass }) => [name, pass])

describe('the gates of mode required', () => {
  test.each<[string, Facts, reason: string, pass: boolean]>([
    ['no search', { calls: 0 }, 'tool_call_count', false],
    ['one search', { calls: 1 }, 'anchored_google', true],
    ['many searches', { calls: 9 }, 'anchored_google', true],
    ['no chunk', { chunks: 0 }, 'grounding_chunks', false],
    ['one chunk', { chunks: 1 }, 'anchored_google', true],
    ['many chunks', { chunks: 9 }, 'anchored_google', true],
    ['one support', { supports: 1 }, 'anchored_google', true],
    ['many supports', { supports: 9 }, 'anchored_google', true],
    ['coverage and spans below', { coverage: 1.9, spans: 2 }, 'anchored_coverage_pct', false],
    ['coverage at its limit', { coverage: 2, spans: 0 }, 'anchored_google', true],
    ['coverage above', { coverage: 2.1, spans: 2 }, 'anchored_google', true],
    ['spans at their limit', { coverage: 0, spans: 3 }, 'anchored_google', true],
    ['spans above', { coverage: 1.9, spans: 4 }, 'anchored_google', true],
    ['chunks without supports', { supports: 0, spans: 0, coverage: 0 }, 'unlinked_google', true],
    ['chunks without supports or search', { calls: 0, supports: 0 }, 'tool_call_count', false],
    ['nothing at all', { calls: 0, chunks: 0, supports: 0 }, 'tool_call_count', false],
    ['a search that found nothing', { chunks: 0, supports: 0 }, 'grounding_chunks', false],
    // Supports are there, so sources alone do not do.
    ['supports that cover too little', { spans: 1, coverage: 0.5 }, 'anchored_coverage_pct', false],
  ])('%s', (_, facts, reason, pass) => {
    for (const vendor of ['gemini_direct', 'vertex']) {
      for (const options of [undefined, {}, { mode: 'required' } as const]) {
        const evaluation = evaluate({ ...facts, vendor }, options)
        expect([evaluation.pass, evaluation.reason]).toEqual([pass, reason])
      }
    }
  })

  test('as data', () => {
    expect(evaluate({ calls: 3, chunks: 6, supports: 17, spans: 16, coverage: 89 })).toEqual({
      pass: true,
      reason: 'anchored_google',
      gates: [
        { name: 'tool_call_count', value: 3, limit: 1, pass: true },
        { name: 'grounding_chunks', value: 6, limit: 1, pass: true },
        { name: 'grounding_supports', value: 17, limit: 1, pass: true },
        {
          name: 'anchored_coverage_pct',
          value: { coveragePct: 89, annotations: 16 },
          limit: { coveragePct: 2, annotations: 3 },
          pass: true,
        },
      ],
    })
  })

  test('every gate says for itself whether it is open', () => {
    const { gates } = evaluate({ calls: 0, chunks: 1, supports: 0, spans: 0, coverage: 0 })
    expect(open(gates)).toEqual([
      ['tool_call_count', false],
      ['grounding_chunks', true],
      ['grounding_supports', false],
      ['anchored_coverage_pct', false],
    ])
  })

  test.each<[EvaluateOptions, coverage: number, spans: number, pass: boolean]>([
    [{ minCoveragePct: 50 }, 49.9, 2, false],
    [{ minCoveragePct: 50 }, 50, 2, true],
    [{ minCoveragePct: 50 }, 49.9, 3, true],
    [{ minCoveragePct: 0 }, 0, 0, true],
    [{ minCoveragePct: 100 }, 99.9, 0, false],
    [{ minCoveragePct: 100 }, 100, 0, true],
    [{ minAnnotations: 5 }, 0, 4, false],
    [{ minAnnotations: 5 }, 0, 5, true],
    [{ minAnnotations: 0 }, 0, 0, true],
    [{ minAnnotations: Number.POSITIVE_INFINITY }, 1.9, 500, false],
    [{ minCoveragePct: 50, minAnnotations: 5 }, 49, 4, false],
  ])('limits of the caller: %j, %d %%, %i spans', (options, coverage, spans, pass) => {
    expect(evaluate({ coverage, spans }, options).pass).toBe(pass)
  })
})

describe('mode auto', () => {
  test.each<[string, Facts, reason: string | null]>([
    ['anchored', {}, 'anchored_google'],
    ['unlinked', { supports: 0 }, 'unlinked_google'],
    ['not searched', { calls: 0, chunks: 0, supports: 0 }, null],
    ['searched in vain', { chunks: 0, supports: 0 }, null],
    ['hardly covered', { coverage: 1, spans: 1 }, null],
    ['strict, not anchored', { vendor: 'openai', supports: 0 }, null],
    ['strict, anchored', { vendor: 'openai' }, 'anchored_openai'],
  ])('%s passes', (_, facts, reason) => {
    const { pass, reason: said, gates } = evaluate(facts, { mode: 'auto' })
    expect([pass, said]).toEqual([true, reason])
    expect(gates).toEqual(evaluate(facts, { mode: 'required' }).gates)
  })
})

describe('other vendors are held to it strictly', () => {
  test.each(['openai', 'anthropic'])('%s', (vendor) => {
    const anchored = evaluate({ vendor })
    expect([anchored.pass, anchored.reason]).toEqual([true, `anchored_${vendor}`])
    const unlinked = evaluate({ vendor, supports: 0, spans: 0, coverage: 0 })
    expect([unlinked.pass, unlinked.reason]).toEqual([false, 'grounding_supports'])
    expect(evaluate({ vendor, calls: 0 }).reason).toBe('tool_call_count')
    expect(evaluate({ vendor, coverage: 1, spans: 1 }).reason).toBe('anchored_coverage_pct')
  })

  test('a vendor nobody knows is not taken for Google', () => {
    const { pass, reason } = evaluate({ vendor: 'mistral', supports: 0, spans: 0, coverage: 0 })
    expect([pass, reason]).toEqual([false, 'grounding_supports'])
  })

  const url = 'https://node.example/releases'
  const text = `Node 22 is out ${link(url)}.`
  const said = { type: 'text', text: 'Green.', citations: [charLocation('Garden', 0, 'Green')] }
  const search = { type: 'server_tool_use', id: 'srv-1', name: 'web_search', input: {} }
  const message = (content: object[]) => ({ id: 'm', type: 'message', role: 'assistant', content })
  const plain = { type: 'text', text: 'Green.' }

  test.each<[string, object, pass: boolean, reason: string]>([
    [
      'OpenAI, cited',
      openAiResponse(text, [urlCitation(text, url, 'Node')]),
      true,
      'anchored_openai',
    ],
    ['OpenAI, searched only', openAiResponse('No idea.', []), false, 'grounding_chunks'],
    ['Anthropic, cited', message([search, said]), true, 'anchored_anthropic'],
    ['Anthropic, searched only', message([search, plain]), false, 'grounding_chunks'],
    ['Anthropic, neither', message([plain]), false, 'tool_call_count'],
  ])('%s', (_, input, pass, reason) => {
    const evaluation = grounding.evaluateGrounding(grounding.anchorCitations(input))
    expect([evaluation.pass, evaluation.reason]).toEqual([pass, reason])
  })
})

describe('real payloads', () => {
  const rust = 'Rust is fast. It is safe.'
  const chunk = web('https://a.example/', 'A')
  test.each<[string, object, pass: boolean, reason: string]>([
    ['test A', TEST_A, true, 'anchored_google'],
    ['test B', TEST_B, false, 'grounding_chunks'],
    [
      'only chunks',
      response(rust, { webSearchQueries: ['q'], groundingChunks: [chunk] }),
      true,
      'unlinked_google',
    ],
    ['no tool call', response(rust), false, 'tool_call_count'],
    [
      'one span of half the answer',
      response(rust, {
        webSearchQueries: ['q'],
        groundingChunks: [chunk],
        groundingSupports: [supportOf(rust, 'It is safe.', [0])],
      }),
      true,
      'anchored_google',
    ],
  ])('%s', (_, input, pass, reason) => {
    const spelled = (['camelCase', 'snake_case'] as const).map((keys) =>
      grounding.evaluateGrounding(grounding.anchorCitations(input, { keys })),
    )
    for (const evaluation of spelled) {
      expect([evaluation.pass, evaluation.reason]).toEqual([pass, reason])
    }
  })
})

describe('responses as hosts keep them', () => {
  const page = { resolved_url: 'https://a.example/', raw_uri: 'https://a.example/', title: 'A' }
  const citation = { ...page, domain: 'a.example', source_id: 'chunk_0', count: 3 }
  const annotation = { start: 0, end: 4, text: 'Rust', sources: [] }
  const figures = { anchored_coverage_pct: 89, tool_call_count: 3 }
  const top = { content: 'Rust is fast.', vendor: 'gemini_direct', model: 'gemini-2.5-pro' }
  const camel = { anchoredCoveragePct: 89, toolCallCount: 3 }

  test.each<[string, object]>([
    ['citations at the top', { citations: [citation], metadata: figures }],
    ['citations in the metadata', { metadata: { ...figures, citations: [citation] } }],
    ['both', { citations: [citation], metadata: { ...figures, citations: [citation] } }],
    ['null at the top', { citations: null, metadata: { ...figures, citations: [citation] } }],
    ['none at the top', { citations: [], metadata: { ...figures, citations: [citation] } }],
    ['camelCase, at the top', { citations: [citation], metadata: camel }],
    ['camelCase, in the metadata', { metadata: { ...camel, citations: [citation] } }],
    ['figures in both spellings', { citations: [citation], metadata: { ...camel, ...figures } }],
  ])('%s', (_, shape) => {
    const anchored = { ...top, annotations: [annotation], ...shape }
    for (const input of [anchored, JSON.stringify(anchored) as unknown as object]) {
      const { pass, reason, gates } = grounding.evaluateGrounding(input)
      expect(gates.map(({ value }) => value)).toEqual([
        3,
        1,
        1,
        { coveragePct: 89, annotations: 1 },
      ])
      expect([pass, reason]).toEqual([true, 'anchored_google'])
    }
  })

  test('citations alone are sources without spans', () => {
    const { reason } = grounding.evaluateGrounding({
      ...top,
      citations: [citation],
      metadata: figures,
    })
    expect(reason).toBe('unlinked_google')
  })

  test('what is counted is taken over what is listed', () => {
    const metadata = { ...figures, grounding_chunks: 6, grounding_supports: 17 }
    const { gates } = grounding.evaluateGrounding({ ...top, citations: [citation], metadata })
    expect(gates.slice(0, 3).map(({ value }) => value)).toEqual([3, 6, 17])
  })
})

describe('the request', () => {
  const GEMINI = {
    model: 'gemini-2.5-pro',
    config: { systemInstruction: 'Be brief.', tools: [{ googleSearch: {} }] },
    contents: [{ role: 'user', parts: [{ text: 'Is Rust fast?' }] }],
  }
  const system = { role: 'system', content: 'Be brief.' }
  const user = { role: 'user', content: 'Is Rust fast?' }

  test.each<[string, object, counted: [system: number, user: number, other: number]]>([
    ['Gemini', GEMINI, [1, 1, 0]],
    [
      'Gemini on the wire',
      { systemInstruction: { parts: [{ text: 'x' }] }, contents: GEMINI.contents },
      [1, 1, 0],
    ],
    [
      'Gemini, snake_case',
      { system_instruction: { parts: [] }, contents: GEMINI.contents },
      [1, 1, 0],
    ],
    ['Gemini, contents as text', { ...GEMINI, contents: 'Is Rust fast?' }, [1, 1, 0]],
    ['OpenAI Responses', { instructions: 'Be brief.', input: 'Is Rust fast?' }, [1, 1, 0]],
    [
      'OpenAI Responses, as items',
      { input: [{ role: 'developer', content: 'x' }, user] },
      [1, 1, 0],
    ],
    ['OpenAI Chat', { messages: [system, user] }, [1, 1, 0]],
    ['Anthropic', { system: 'Be brief.', messages: [user] }, [1, 1, 0]],
    ['generic, the other way round', { messages: [user, system] }, [1, 1, 0]],
    ['no system message', { messages: [user] }, [0, 1, 0]],
    ['no user message', { messages: [system] }, [1, 0, 0]],
    ['two system messages', { messages: [system, system, user] }, [2, 1, 0]],
    ['two user messages', { messages: [system, user, user] }, [1, 2, 0]],
    [
      'a history',
      { messages: [system, user, { role: 'assistant', content: 'Yes.' }, user] },
      [1, 2, 1],
    ],
    [
      'a history of Gemini',
      { ...GEMINI, contents: [...GEMINI.contents, { role: 'model', parts: [] }] },
      [1, 1, 1],
    ],
    ['a system message twice over', { system: 'x', messages: [system, user] }, [2, 1, 0]],
    ['nothing', {}, [0, 0, 0]],
  ])('%s', (_, request, [system, user, other]) => {
    const pass = system === 1 && user === 1 && other === 0
    const before = structuredClone(request)
    const evaluation = evaluate({}, { request })
    expect(evaluation.gates).toHaveLength(7)
    expect(evaluation.gates[4]).toEqual({
      name: 'two_messages',
      value: { system, user, other },
      limit: { system: 1, user: 1, other: 0 },
      pass,
    })
    expect([evaluation.pass, evaluation.reason]).toEqual(
      pass ? [true, 'anchored_google'] : [false, 'two_messages'],
    )
    expect(evaluation.request).toBe(request)
    expect(request).toEqual(before)
    // What was agreed on holds in any mode.
    expect(evaluate({ calls: 0 }, { request, mode: 'auto' }).pass).toBe(pass)
  })

  test('a frozen one', () => {
    const request = Object.freeze({ messages: Object.freeze([system, user]) })
    const evaluation = evaluate({}, { request })
    expect(evaluation.request).toBe(request)
    expect(evaluation.pass).toBe(true)
  })

  test('none: no such gates, and none handed back', () => {
    for (const options of [{}, { request: undefined }]) {
      const evaluation = evaluate({ model: 'gpt-5', vendor: 'vertex' }, options)
      expect(evaluation.gates).toHaveLength(4)
      expect(evaluation.pass).toBe(true)
      expect('request' in evaluation).toBe(false)
    }
  })

  const request = { messages: [system, user] }

  test.each<[Facts, EvaluateOptions, shut: string | null]>([
    [{}, {}, null],
    [{ vendor: 'vertex' }, {}, null],
    [{ model: 'gemini-2.0-flash' }, {}, 'model'],
    [{ model: 'gemini-2.5-pro-preview' }, {}, 'model'],
    [{ model: '' }, {}, 'model'],
    [{ vendor: 'openai' }, {}, 'vendor'],
    [{ vendor: '' }, {}, 'vendor'],
    [{ model: 'gpt-5', vendor: 'openai' }, {}, 'model'],
    [{ model: 'gpt-5', vendor: 'openai' }, { allowedModels: ['gpt-5'] }, 'vendor'],
    [
      { model: 'gpt-5', vendor: 'openai' },
      { allowedModels: ['gpt-5'], allowedVendors: ['openai'] },
      null,
    ],
    [{ model: 'b' }, { allowedModels: ['a', 'b'] }, null],
    [{}, { allowedModels: ['a', 'b'] }, 'model'],
    [{}, { allowedModels: [] }, 'model'],
    [{}, { allowedVendors: [] }, 'vendor'],
  ])('%j with %j', (facts, options, shut) => {
    const { pass, reason, gates } = evaluate(facts, { ...options, request })
    expect(pass).toBe(shut === null)
    if (shut) expect(reason).toBe(shut)
    const { allowedModels = ['gemini-2.5-pro'], allowedVendors = ['gemini_direct', 'vertex'] } =
      options
    const { model = 'gemini-2.5-pro', vendor = 'gemini_direct' } = facts
    const models = {
      name: 'model',
      value: model,
      limit: allowedModels,
      pass: allowedModels.includes(model),
    }
    const vendors = {
      name: 'vendor',
      value: vendor,
      limit: allowedVendors,
      pass: allowedVendors.includes(vendor),
    }
    expect(gates.slice(5)).toEqual([models, vendors])
  })
})

test('both spellings are the same to the policy', () => {
  const facts = answered({ calls: 2, chunks: 4, supports: 5, spans: 2, coverage: 12.5 })
  expect(grounding.evaluateGrounding(snakeCased(facts) as object)).toEqual(
    grounding.evaluateGrounding(facts),
  )
})
