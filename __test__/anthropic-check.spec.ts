/**
 * What the API would refuse about citations in a request, or take and never cite, is found before it is
 * sent: each complaint with its code and its place, and none about a request that is right.
 */
import { describe, expect, test } from 'vitest'
import { anthropic, type RequestComplaint } from '../index.js'
import { MEADOW, MEADOW_PAYLOAD, requestWith, searchResult } from './anthropic-requests.js'

const { checkCitationRequest, customContentDocument, fileDocument, pdfDocument } = anthropic
const { plainTextDocument } = anthropic

type Found = [code: RequestComplaint['code'], path: string]

/** The complaints, each as its code and its place. */
function found(request: object | string | Uint8Array): Found[] {
  return checkCitationRequest(request).map(({ code, path }) => [code, path])
}

const cited = plainTextDocument(MEADOW.text)
const silent = plainTextDocument(MEADOW.text, { citations: false })
const asked = requestWith(cited)

/** Documents in the result of a tool, as the second message of three. */
function requestWithToolResult(...content: object[]) {
  const use = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content }
  const messages = [
    { role: 'user', content: 'Read it.' },
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ type: 'text', text: 'Here.' }, result] },
  ]
  return { model: 'claude-opus-4-6', max_tokens: 1024, messages }
}

describe('a request that is right', () => {
  test.each<[string, object | string | Uint8Array]>([
    ['the documented one', JSON.parse(MEADOW_PAYLOAD)],
    ['the documented one, as JSON', MEADOW_PAYLOAD],
    ['the documented one, as bytes', new TextEncoder().encode(MEADOW_PAYLOAD)],
    ['without documents', requestWith()],
    ['with a string as content', { messages: [{ role: 'user', content: 'Hello' }] }],
    ['citations on all documents', requestWith(cited, cited, cited)],
    ['citations on none', requestWith(silent, { ...cited, citations: null }, silent)],
    ['citations that are not mentioned', requestWith({ type: 'document', source: cited.source })],
    ['a file', requestWith(fileDocument('file_1', { title: 'A file', context: 'About it.' }))],
    ['a PDF at an address', requestWith(pdfDocument('https://files.example/a.pdf', MEADOW))],
    ['custom content', requestWith(customContentDocument(['One.', 'Two.'], { title: 'Ab' }))],
    [
      'custom content in one string',
      requestWith({ ...cited, source: { type: 'content', content: 'One.' } }),
    ],
    ['search results that cite', requestWith(searchResult('Leave', ['Use the portal.']))],
    ['documents in a tool result', requestWithToolResult(cited, cited)],
    [
      'an output setting that is no format',
      { ...asked, output_config: { effort: 'high' }, temperature: 0 },
    ],
    [
      'an output format of null',
      { ...asked, output_config: { format: null }, output_format: null },
    ],
    [
      'an output format without citations',
      { ...requestWith(silent), output_config: { format: { type: 'json_schema', schema: {} } } },
    ],
    ['tools with strict input', { ...asked, tools: [{ name: 'find', strict: true }] }],
    ['Haiku 3 without citations', { ...requestWith(silent), model: 'claude-3-haiku-20240307' }],
    [
      'an empty document that does not cite',
      requestWith(plainTextDocument('', { citations: false })),
    ],
    [
      'a title and a context that are short',
      requestWith(plainTextDocument('Long enough.', { title: 'T', context: 'C' })),
    ],
  ])('%s gives no complaint', (_, request) => {
    expect(checkCitationRequest(request)).toEqual([])
  })
})

describe('citations on some documents only', () => {
  test.each<[string, object, Found[]]>([
    [
      'off on the second',
      requestWith(cited, silent),
      [['partly_enabled', 'messages[0].content[1].citations']],
    ],
    [
      'left out on the first, null on the third',
      requestWith({ type: 'document', source: cited.source }, cited, { ...cited, citations: null }),
      [
        ['partly_enabled', 'messages[0].content[0].citations'],
        ['partly_enabled', 'messages[0].content[2].citations'],
      ],
    ],
    [
      'in another message',
      {
        ...asked,
        messages: [...asked.messages, { role: 'user', content: [silent] }],
      },
      [['partly_enabled', 'messages[1].content[0].citations']],
    ],
    [
      'in a tool result',
      requestWithToolResult(cited, silent),
      [['partly_enabled', 'messages[2].content[1].content[1].citations']],
    ],
    [
      'on search results',
      requestWith(searchResult('A', ['a']), searchResult('B', ['b'], false)),
      [['partly_enabled', 'messages[0].content[1].citations']],
    ],
  ])('%s', (_, request, expected) => {
    expect(found(request)).toEqual(expected)
    expect(found(JSON.stringify(request))).toEqual(expected)
  })

  test('documents and search results are held apart', () => {
    expect(found(requestWith(cited, searchResult('A', ['a'], false)))).toEqual([])
    expect(found(requestWith(silent, searchResult('A', ['a'])))).toEqual([])
  })

  test('twelve that are off are named in the order of the request', () => {
    const off = Array.from({ length: 12 }, () => silent)
    const paths = found(requestWith(cited, ...off)).map(([, path]) => path)
    expect(paths).toEqual(off.map((_, at) => `messages[0].content[${at + 1}].citations`))
  })
})

describe('the model', () => {
  test.each([
    'claude-3-haiku-20240307',
    'claude-3-haiku-latest',
    'anthropic.claude-3-haiku-20240307-v1:0',
    'us.anthropic.claude-3-haiku-20240307-v1:0',
    'arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
    'claude-3-haiku@20240307',
    'publishers/anthropic/models/claude-3-haiku@20240307',
    'anthropic/claude-3-haiku',
    'Claude-3-Haiku-20240307',
  ])('%s cannot cite', (model) => {
    expect(found({ ...asked, model })).toEqual([['model_cannot_cite', 'model']])
    const results = requestWith(searchResult('Leave', ['Use the portal.']))
    expect(found({ ...results, model })).toEqual([['model_cannot_cite', 'model']])
  })

  test.each([
    'claude-3-5-haiku-20241022',
    'claude-3-5-haiku@20241022',
    'anthropic.claude-3-5-haiku-20241022-v1:0',
    'anthropic/claude-3.5-haiku',
    'claude-haiku-4-5',
    'claude-haiku-4-5-20251001',
    'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    'claude-3-opus-20240229',
    'claude-3-sonnet-20240229',
    'claude-opus-4-6',
    'my-own-model',
    '',
  ])('%s can, as far as anybody knows', (model) => {
    expect(found({ ...asked, model })).toEqual([])
  })
})

describe('structured output', () => {
  const format = { type: 'json_schema', schema: { type: 'object' } }

  test.each<[string, object, Found[]]>([
    [
      'as output_config.format',
      { output_config: { format } },
      [['structured_output', 'output_config.format']],
    ],
    ['as output_format', { output_format: format }, [['structured_output', 'output_format']]],
    [
      'with an effort beside it',
      { output_config: { effort: 'low', format } },
      [['structured_output', 'output_config.format']],
    ],
  ])('%s', (_, config, expected) => {
    expect(found({ ...asked, ...config })).toEqual(expected)
  })
})

describe('documents without anything to cite', () => {
  const source = 'messages[0].content[0].source'
  const content = (content: unknown) => ({ ...cited, source: { type: 'content', content } })

  test.each<[string, object]>([
    ['empty text', plainTextDocument('')],
    ['blanks', plainTextDocument(' \n\t\u00A0 ')],
    ['no blocks', customContentDocument([])],
    ['empty blocks', customContentDocument(['', ' '])],
    ['an empty string as content', content('')],
    ['an empty PDF', pdfDocument(new Uint8Array())],
    ['an empty PDF in base64', pdfDocument(' ')],
  ])('%s', (_, document) => {
    expect(found(requestWith(document))).toEqual([['empty_document', source]])
  })

  const at = (field: string): Found[] => [['not_citable', `messages[0].content[0].${field}`]]
  const long = 'All of the agreement, from its first word to its last one, stands in here.'

  test.each<[string, object, Found[]]>([
    ['a context beside nothing', plainTextDocument(' ', { context: long }), at('context')],
    ['a title beside nothing', plainTextDocument(' ', { title: long }), at('title')],
    [
      'a title beside nothing, and a short context',
      plainTextDocument(' ', { title: long, context: 'Short.' }),
      at('title'),
    ],
    [
      'a context beside nothing, and a short title',
      plainTextDocument(' ', { title: 'Short.', context: long }),
      at('context'),
    ],
    [
      'a context beside empty blocks',
      customContentDocument(['', ' '], { context: long }),
      at('context'),
    ],
  ])('%s', (_, document, expected) => {
    const empty: Found = ['empty_document', 'messages[0].content[0].source']
    expect(found(requestWith(document))).toEqual([empty, ...expected])
  })

  test('letters are counted, not their bytes', () => {
    const text = 'a'.repeat(30)
    expect(found(requestWith(plainTextDocument(text, { context: '合'.repeat(29) })))).toEqual([])
  })
})

test('everything wrong at once is said at once', () => {
  const request = {
    ...requestWith(plainTextDocument(''), silent, customContentDocument([])),
    model: 'claude-3-haiku-20240307',
    output_config: { format: { type: 'json_schema', schema: {} } },
  }
  const complaints = checkCitationRequest(request)
  expect(complaints.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
    'empty_document messages[0].content[0].source',
    'empty_document messages[0].content[2].source',
    'model_cannot_cite model',
    'partly_enabled messages[0].content[1].citations',
    'structured_output output_config.format',
  ])
  for (const complaint of complaints) {
    expect(Object.keys(complaint)).toEqual(['code', 'path', 'reason', 'remedy'])
    expect(complaint.reason).toMatch(/^.{20,}[^.]$/)
    expect(complaint.remedy).toMatch(/^.{20,}[^.]$/)
  }
})

test('the documented complaint is made in these words', () => {
  const request = { ...asked, model: 'claude-3-haiku-20240307' }
  const [complaint, ...others] = checkCitationRequest(request)
  expect(others).toEqual([])
  expect(complaint).toMatchObject({
    code: 'model_cannot_cite',
    path: 'model',
    reason: 'Claude Haiku 3 does not cite',
  })
  expect(complaint?.remedy).toMatch(/^take another /)
})

test('looking at a request leaves it as it is', () => {
  const request = requestWith(cited, silent, pdfDocument(Buffer.from('%PDF-1.7')))
  const before = structuredClone(request)
  checkCitationRequest(request)
  expect(request).toEqual(before)
})
