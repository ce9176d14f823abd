/**
 * Anchored citations of other providers, of turns that span several calls, and what is no option.
 */
import { describe, expect, test } from 'vitest'
import { CitationService, grounding, type ProviderInput } from '../index.js'
import { response, supportOf, web } from './grounded-answers.js'
import { charLocation, link, openAiResponse, openAiStream, urlCitation } from './turns.js'

const TEXT = 'Rust is fast. It is safe.'
const A = web('https://a.example/one', 'One')
const B = web('https://b.example/two', 'Two')

describe('OpenAI', () => {
  const url = 'https://node.example/releases'
  const text = `Node 22 is out ${link(url)}. So is 😀.`
  const annotations = [urlCitation(text, url, 'Releases')]

  test.each<[string, ProviderInput]>([
    ['whole', openAiResponse(text, annotations)],
    ['as a list of events', openAiStream(text, annotations)],
  ])('%s', (_, input) => {
    const anchored = grounding.anchorCitations(input)
    const cited = {
      resolvedUrl: url,
      rawUri: url,
      title: 'Releases',
      domain: 'node.example',
      sourceId: 'source_0',
    }
    const [start, end] = [15, 15 + link(url).length]
    const linked = { start, end, text: link(url), sources: [cited] }
    expect(anchored.vendor).toBe('openai')
    expect(anchored.annotations).toEqual([linked])
    expect(anchored.citations).toEqual([{ ...cited, count: 1 }])
    expect(anchored.metadata).toMatchObject({
      anchoredCoveragePct: Math.round(((end - start) / text.length) * 1000) / 10,
      requiredPassReason: 'anchored_openai',
      toolCallCount: 1,
      groundingChunks: 1,
      groundingSupports: 1,
    })
  })

  test('a search without citations does not pass', () => {
    expect(grounding.anchorCitations(openAiResponse('No idea.', [])).metadata).toMatchObject({
      requiredPassReason: null,
      whyNotAnchored: 'API_RESPONSE_MISSING_GROUNDING_CHUNKS',
      groundingEvidenceMissing: true,
      toolCallCount: 1,
    })
  })

  test('what was searched for', () => {
    const action = { type: 'search', query: 'node', queries: ['node', 'node lts'] }
    const search = { id: 'ws-1', type: 'web_search_call', status: 'completed', action }
    const { metadata, model } = grounding.anchorCitations({
      ...openAiResponse('x', []),
      model: 'gpt-5',
      output: [search],
    })
    expect([model, metadata.toolCallCount, metadata.webSearchQueries]).toEqual([
      'gpt-5',
      1,
      action.queries,
    ])
  })
})

describe('Anthropic', () => {
  const citation = charLocation('Garden', 0, 'The grass is green.')
  const search = { type: 'server_tool_use', id: 'srv-1', name: 'web_search', input: { query: 'x' } }
  const said = { type: 'text', text: 'Grass is green.', citations: [citation] }
  const message = (content: object[]) => ({
    id: 'msg-1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4',
    content,
  })

  test('cites a block as a whole', () => {
    const anchored = grounding.anchorCitations(
      message([search, { type: 'text', text: 'So: ' }, said]),
    )
    const { vendor, model, annotations, metadata } = anchored
    expect([vendor, model]).toEqual(['anthropic', 'claude-sonnet-4'])
    expect(annotations).toMatchObject([
      { start: 4, end: 19, text: said.text, sources: [{ title: 'Garden' }] },
    ])
    expect(metadata).toMatchObject({
      anchoredCoveragePct: 78.9,
      requiredPassReason: 'anchored_anthropic',
      whyNotAnchored: null,
      toolCallCount: 1,
    })
  })

  test('a search without citations does not pass', () => {
    const { metadata } = grounding.anchorCitations(message([search, { type: 'text', text: 'No.' }]))
    expect(metadata).toMatchObject({ requiredPassReason: null, toolCallCount: 1 })
  })
})

describe('a turn', () => {
  const whole = response(TEXT, {
    webSearchQueries: ['rust'],
    groundingChunks: [A, B],
    groundingSupports: [supportOf(TEXT, 'Rust is fast.', [0, 1])],
  })
  const said = { type: 'text', text: 'Green.', citations: [charLocation('Garden', 0, 'Green')] }
  const url = 'https://node.example/x'

  test.each<[string, object]>([
    ['Gemini', whole],
    ['Gemini without grounding', response(TEXT)],
    ['OpenAI', openAiResponse(link(url), [urlCitation(link(url), url, 'Node')])],
    ['Anthropic', { id: 'm', type: 'message', role: 'assistant', content: [said] }],
  ])('says the same as the function: %s', (_, input) => {
    const turn = new CitationService({ documents: true }).startTurn()
    turn.push(input)
    for (const options of [
      { model: 'm' },
      { model: 'm', vendor: 'vertex', keys: 'snake_case' },
    ] as const) {
      expect(turn.anchored(options)).toEqual(grounding.anchorCitations(input, options))
    }
  })

  test('of several calls counts over all of them', () => {
    const turn = new CitationService().startTurn()
    turn.push({ ...whole, responseId: 'gen-1' })
    turn.push({ ...whole, responseId: 'gen-2' })
    const { annotations, citations, metadata } = turn.anchored()
    expect(annotations.map(({ start, end }) => [start, end])).toEqual([
      [0, 13],
      [25, 38],
    ])
    expect(citations.map(({ count }) => count)).toEqual([2, 2])
    expect(metadata).toMatchObject({
      anchoredCoveragePct: 52,
      toolCallCount: 2,
      groundingChunks: 4,
      groundingSupports: 2,
    })
  })

  test('of nothing is empty, also after a reset', () => {
    const turn = new CitationService().startTurn()
    const nothing = turn.anchored()
    expect(nothing).toEqual(grounding.anchorCitations(null))
    turn.push(whole)
    turn.reset()
    expect(turn.anchored()).toEqual(nothing)
  })
})

describe('misuse', () => {
  test.each<[unknown, string]>([
    [7, 'options must be an object, got 7'],
    [{ vendor: 7 }, 'options.vendor must be a string, got 7'],
    [{ model: {} }, 'options.model must be a string, got an object'],
    [
      { keys: 'kebab-case' },
      "options.keys must be one of 'camelCase', 'snake_case', got 'kebab-case'",
    ],
  ])('%j', (options, message) => {
    const turn = new CitationService().startTurn()
    for (const call of [
      () => grounding.anchorCitations({}, options as object),
      () => turn.anchored(options as object),
    ]) {
      expect(call).toThrow(TypeError)
      expect(call).toThrow(message)
    }
  })
})
