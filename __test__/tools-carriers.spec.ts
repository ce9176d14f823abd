/**
 * A tool's result comes to the same sources in whatever wrapping a host keeps it, and a call that
 * failed comes to none, whatever it holds.
 */
import { describe, expect, test } from 'vitest'
import { CitationService, extractToolCitations, getDefaultExtractors } from '../index.js'
import { CALL_ID, signed, TOOLS, type ToolExample } from './tool-results.js'

type Wrapping = (tool: ToolExample) => unknown

const SUCCEEDED = 'Tool execution succeeded.'
const PICTURE = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }

const functionResponse = (tool: ToolExample, response: object) => ({
  functionResponse: { id: CALL_ID, name: tool.name, response },
})
const toolResponse = (tool: ToolExample, result: unknown) => ({
  type: 'tool_response',
  callId: CALL_ID,
  toolName: tool.name,
  result,
})
const completedCall = (tool: ToolExample, responseParts: unknown, error?: Error) => ({
  status: error ? 'error' : 'success',
  request: { callId: CALL_ID, name: tool.name, args: tool.args, isClientInitiated: false },
  response: {
    callId: CALL_ID,
    responseParts,
    resultDisplay: undefined,
    error,
    errorType: undefined,
  },
})
const mcpText = (text: string) => ({ content: [{ type: 'text', text }] })

const TEXT_WRAPPINGS: Record<string, Wrapping> = {
  'a string': ({ text }) => text,
  'a list of one string': ({ text }) => [text],
  '{ output }': ({ text }) => ({ output: text }),
  'a Buffer': ({ text }) => Buffer.from(text),
  'a Uint8Array': ({ text }) => new TextEncoder().encode(text),
  'a ToolResult with a string': ({ text }) => ({ llmContent: text, returnDisplay: 'Done.' }),
  'a ToolResult with a part': ({ text }) => ({ llmContent: { text }, returnDisplay: 'Done.' }),
  'a ToolResult with parts': ({ text }) => ({ llmContent: [{ text }], returnDisplay: 'Done.' }),
  'a ToolResult with a list of strings': ({ text }) => ({ llmContent: [text], returnDisplay: '' }),
  'a ToolResult with metadata and no error': ({ text }) => ({
    llmContent: text,
    returnDisplay: 'Done.',
    metadata: { agentId: 'primary' },
    error: undefined,
  }),
  'a functionResponse part': (tool) => functionResponse(tool, { output: tool.text }),
  'a list with a functionResponse part': (tool) => [functionResponse(tool, { output: tool.text })],
  'a functionResponse part with sibling text': (tool) => [
    functionResponse(tool, { output: SUCCEEDED }),
    { text: tool.text },
  ],
  'a functionResponse part with sibling text and picture': (tool) => [
    functionResponse(tool, { output: SUCCEEDED }),
    PICTURE,
    { text: tool.text },
  ],
  'a tool_response block': (tool) => toolResponse(tool, { output: tool.text }),
  'a tool_response block with a bare string': (tool) => toolResponse(tool, tool.text),
  'tool_response and media blocks': (tool) => [
    toolResponse(tool, { output: tool.text }),
    { type: 'media', mimeType: 'image/png', data: 'iVBORw0KGgo=', encoding: 'base64' },
  ],
  'an MCP CallToolResult': ({ text }) => mcpText(text),
  'an MCP CallToolResult that says it is no error': ({ text }) => ({
    ...mcpText(text),
    isError: false,
  }),
  'an MCP CallToolResult inside JSON-RPC': ({ text }) => ({
    jsonrpc: '2.0',
    id: 1,
    result: mcpText(text),
  }),
  'an Anthropic tool_result block': ({ text }) => ({
    type: 'tool_result',
    tool_use_id: CALL_ID,
    content: text,
  }),
  'Anthropic tool_result blocks with text blocks': ({ text }) => [
    { type: 'tool_result', tool_use_id: CALL_ID, content: [{ type: 'text', text }] },
  ],
  'a completed call with parts': (tool) =>
    completedCall(tool, [functionResponse(tool, { output: tool.text })]),
  'a completed call with sibling text': (tool) =>
    completedCall(tool, [functionResponse(tool, { output: SUCCEEDED }), { text: tool.text }]),
  'a completed call with blocks': (tool) =>
    completedCall(tool, [toolResponse(tool, { output: tool.text })]),
}

const DATA_WRAPPINGS: Record<string, Wrapping> = {
  'plain data': ({ data }) => data,
  '{ output } with data': ({ data }) => ({ output: data }),
  'JSON over many lines': ({ data }) => JSON.stringify(data, null, 2),
  'JSON behind blank lines': ({ text }) => `\n\n${text}\n`,
  'JSON of { output }': ({ text }) => JSON.stringify({ output: text }),
  'JSON of an MCP CallToolResult': ({ text }) => JSON.stringify(mcpText(text)),
  'JSON in a fence': ({ text }) => `Here is what was found:\n\n\`\`\`json\n${text}\n\`\`\``,
  'a functionResponse part with data': (tool) => functionResponse(tool, { output: tool.data }),
  'a tool_response block with data': (tool) => toolResponse(tool, tool.data),
  'structured content': ({ data }) => ({ content: [], structuredContent: data }),
  'structured content and the same as text': ({ data, text }) => ({
    ...mcpText(text),
    structuredContent: data,
  }),
}

const FAILURES: Record<string, Wrapping> = {
  '{ error }': () => ({ error: 'Could not load https://error.example/' }),
  '{ error } with a message': () => ({
    error: { message: 'See https://error.example/', code: 500 },
  }),
  '{ output, error }': ({ text }) => ({ output: text, error: 'It was cut off' }),
  'a ToolResult with an error': ({ text }) => ({
    llmContent: text,
    returnDisplay: text,
    error: { message: 'Something went wrong', type: 'execution_failed' },
  }),
  'an MCP CallToolResult with isError': ({ text, data }) => ({
    ...mcpText(text),
    structuredContent: data,
    isError: true,
  }),
  'an Anthropic tool_result with is_error': ({ text }) => ({
    type: 'tool_result',
    tool_use_id: CALL_ID,
    content: text,
    is_error: true,
  }),
  'a functionResponse with an error': (tool) =>
    functionResponse(tool, { error: 'See https://error.example/' }),
  'a functionResponse with an error and sibling text': (tool) => [
    functionResponse(tool, { error: 'See https://error.example/' }),
    { text: tool.text },
  ],
  'a tool_response with an error': (tool) => ({
    ...toolResponse(tool, { error: 'See https://error.example/' }),
    error: 'execution_failed',
  }),
  'a tool_response with an error beside its output': (tool) => ({
    ...toolResponse(tool, { output: tool.text }),
    error: 'execution_failed',
  }),
  'a completed call with an error': (tool) =>
    completedCall(
      tool,
      [functionResponse(tool, { output: tool.text })],
      new Error('See https://error.example/'),
    ),
}

const pairs = (tools: ToolExample[], wrappings: Record<string, Wrapping>) =>
  tools.flatMap((tool) =>
    Object.entries(wrappings).map(([form, wrap]) => [tool.name, form, tool, wrap] as const),
  )
const extract = ({ name, args }: ToolExample, output: unknown) =>
  extractToolCitations({ name, args, callId: CALL_ID, output })
const expected = ({ name, sources }: ToolExample) => signed(name, sources)
const byName = TOOLS.map((tool) => [tool.name, tool] as const)
const withData = TOOLS.filter(({ data }) => data !== undefined)

describe('a part of type text whose text is empty', () => {
  const url = 'https://z.example/'
  const read = (output: unknown) =>
    extractToolCitations({ name: 'web_search', callId: CALL_ID, output }).map((one) => one.url)

  test.each([
    ['alone', { type: 'text', text: '', url }],
    ['among parts', ['', { type: 'text', text: '', url }]],
    ['as content', { content: [{ type: 'text', text: '', url }] }],
  ])('is data, if it holds any: %s', (_, output) => {
    expect(read(output)).toEqual([url])
    expect(read(JSON.stringify(output))).toEqual([url])
  })

  test('is nothing otherwise', () => {
    expect(read([{ type: 'text', text: '' }, ''])).toEqual([])
    expect(read({ type: 'image', text: '', url })).toEqual([])
  })
})

describe('a text in brackets', () => {
  const url = 'https://z.example/'
  const read = (output: string) =>
    extractToolCitations({ name: 'mcp__a__b', callId: CALL_ID, output }).map((one) => [
      one.url,
      one.title,
    ])

  test.each(['0', '-1.5e3', 'true', 'null'])('is a list, also one that begins with %s', (first) => {
    expect(read(`[${first}, {"url":"${url}","title":"One"}]`)).toEqual([[url, 'One']])
  })

  test.each([
    ['a numbered line', `[1] {"url":"${url}","title":"One"}`],
    ['two numbers', `[1, 2] see ${url}`],
    ['a remark', `[see ${url} for more]`],
  ])('is prose otherwise: %s', (_, text) => {
    expect(read(text)).not.toContainEqual([url, 'One'])
  })
})

test('every tool of the table has an example', () => {
  expect(TOOLS.map(({ name }) => name).sort()).toEqual(
    [
      ...['web_search', 'wikipedia_search', 'web_scrape', 'query_rag_project', 'http_client'],
      ...['mcp.docs__search', 'mcp__docs__search', 'exa_web_search', 'codesearch'],
      ...['direct_web_fetch', 'google_web_fetch', 'google_web_search', 'github'],
      ...['read_file', 'read_many_files', 'search_file_content', 'ast_grep'],
    ].sort(),
  )
})

describe('wrappings', () => {
  test.each(pairs(TOOLS, TEXT_WRAPPINGS))('%s: %s', (_, __, example, wrap) => {
    expect(extract(example, wrap(example))).toStrictEqual(expected(example))
  })

  test.each(pairs(withData, DATA_WRAPPINGS))('%s: %s', (_, __, example, wrap) => {
    expect(extract(example, wrap(example))).toStrictEqual(expected(example))
  })
})

describe('what the wrapping says of the call', () => {
  const introducing = [
    'a functionResponse part',
    'a functionResponse part with sibling text',
    'a tool_response block',
    'tool_response and media blocks',
    'a completed call with parts',
    'a completed call with blocks',
  ]
  const named = introducing.map((form) => [form, TEXT_WRAPPINGS[form]!] as const)

  test.each(named)('%s brings name and id along', (_, wrap) => {
    for (const example of withData.filter(({ name }) => name !== 'http_client')) {
      expect(extractToolCitations({ output: wrap(example) })).toStrictEqual(expected(example))
    }
  })

  test('a completed call brings its arguments along', () => {
    for (const example of TOOLS) {
      const output = completedCall(example, [functionResponse(example, { output: example.text })])
      expect(extractToolCitations({ output }), example.name).toStrictEqual(expected(example))
    }
  })

  test('the name and id that are given come first', () => {
    const [example] = TOOLS
    const output = toolResponse({ ...example!, name: 'other' }, { output: example!.text })
    const found = extractToolCitations({ name: 'web_search', callId: 'mine', output })
    expect(found).toStrictEqual(signed('web_search', example!.sources, 'mine'))
  })
})

describe('calls that failed', () => {
  test.each(pairs(TOOLS, FAILURES))('%s: %s', (_, __, example, wrap) => {
    expect(extract(example, wrap(example))).toStrictEqual([])
  })

  test('a tool that returns data may say so in JSON', () => {
    for (const example of withData) {
      const output = JSON.stringify({ error: 'See https://error.example/' })
      expect(extract(example, output), example.name).toStrictEqual([])
    }
  })

  test.each([null, undefined, false, ''])('error: %j is none', (error) => {
    for (const example of TOOLS) {
      const output = { llmContent: example.text, returnDisplay: 'Done.', error }
      expect(extract(example, output), example.name).toStrictEqual(expected(example))
    }
  })
})

describe('other ways in', () => {
  test.each(byName)('%s: its built-in extractor', (_, example) => {
    const matching = getDefaultExtractors().filter(({ pattern }) => pattern.test(example.name))
    expect(matching).toHaveLength(1)
    const { name, args, text } = example
    expect(matching[0]!.extract(CALL_ID, name, args, text)).toStrictEqual(expected(example))
    expect(matching[0]!.extract(CALL_ID, name, args, { error: text })).toStrictEqual([])
    expect(example.sources.map(({ type }) => type)).toContain(matching[0]!.type)
  })

  test.each(byName)('%s: the service', (_, example) => {
    const { name, args, text } = example
    const service = new CitationService()
    const found = service.extractToolCitations({ name, args, callId: CALL_ID, output: text })
    expect(found).toStrictEqual(expected(example))
  })

  test('arguments may be the JSON the model wrote', () => {
    for (const example of TOOLS) {
      const { name, args, text } = example
      const call = { name, args: JSON.stringify(args), callId: CALL_ID, output: text }
      expect(extractToolCitations(call), name).toStrictEqual(expected(example))
    }
  })

  test('a timestamp is kept with every source', () => {
    for (const example of TOOLS) {
      const { name, args, text } = example
      const timestamp = '2025-06-01T12:00:00Z'
      const found = extractToolCitations({ name, args, callId: CALL_ID, timestamp, output: text })
      const wanted = expected(example).map((source) => ({ ...source, timestamp }))
      expect(found, name).toStrictEqual(wanted)
    }
  })
})
