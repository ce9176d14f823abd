/**
 * Mistral, which puts references between pieces of text, and Cohere, which quotes what it supports and
 * cites its thoughts too.
 */
import { describe, expect, test } from 'vitest'
import { type ProviderInput, renderCitationBlock } from '../index.js'
import { claims, finished, places, reports, turnOf } from './turns.js'

describe('Mistral', () => {
  const text = (text: string) => ({ type: 'text', text })
  const PARIS = {
    type: 'tool_reference',
    tool: 'web_search',
    title: 'Paris',
    url: 'https://paris.example/',
    description: 'The capital.',
  }
  const SEINE = { type: 'tool_reference', tool: 'web_search', title: 'Seine' }
  const CONTENT = [text('Ünser Paris is big.'), PARIS, text(' It has a river'), SEINE, text('.')]
  const ANSWER = 'Ünser Paris is big. It has a river.'
  const chunk = (content: object[]) => ({ id: 'm', choices: [{ delta: { content } }] })

  test.each<[string, ProviderInput[]]>([
    ['a message', [{ id: 'm', choices: [{ message: { role: 'assistant', content: CONTENT } }] }]],
    ['a stream of pieces', CONTENT.map((piece) => chunk([piece]))],
    ['a stream of JSON', CONTENT.map((piece) => JSON.stringify(chunk([piece])))],
  ])('%s with references to pages, each where it stands', (_, events) => {
    const payload = finished(events)
    expect(payload.answer).toBe(ANSWER)
    expect(payload.sources.map(({ title, url, citedText }) => ({ title, url, citedText }))).toEqual(
      [
        { title: 'Paris', url: 'https://paris.example/', citedText: 'The capital.' },
        { title: 'Seine' },
      ],
    )
    // A reference says where it stands, not how much of the text before it leans on it.
    expect(payload.anchors.map(({ end, sources }) => [end, sources])).toEqual([
      [ANSWER.indexOf(' It'), [1]],
      [ANSWER.length - 1, [2]],
    ])
    expect(payload.diagnostics).toEqual([])
  })

  test('references into results the turn has not seen are reported', () => {
    const references = { type: 'reference', reference_ids: [0, 3, 'call-1'] }
    const payload = finished([chunk([text('Paris.'), references, text(' Yes.')])])
    expect(payload).toMatchObject({ answer: 'Paris. Yes.', sources: [], anchors: [] })
    expect(Object.keys(reports(payload))).toEqual(['source_not_listed'])
  })
})

describe('Cohere', () => {
  const RUBY = {
    id: 'doc:0',
    title: 'Ruby',
    text: 'Ruby was made by Matz.',
    url: 'https://r.example/',
  }
  const document = (fields: { id: string }) => ({
    type: 'document',
    id: fields.id,
    document: fields,
  })
  const tool = {
    type: 'tool',
    id: 'search:0',
    tool_output: { snippet: 'In 1993.', title: 'Dates' },
  }
  const ANSWER = '💎 Ruby was made by Yukihiro Matsumoto in 1993.'
  const cite = (quote: string, sources: object[], fields: object = {}) => {
    const start = Array.from(ANSWER.slice(0, ANSWER.indexOf(quote))).length
    return {
      start,
      end: start + quote.length,
      text: quote,
      sources,
      type: 'TEXT_CONTENT',
      ...fields,
    }
  }
  const CITATIONS = [
    cite('Yukihiro Matsumoto', [document(RUBY)], { content_index: 1 }),
    cite('1993', [document(RUBY), tool], { content_index: 1 }),
    { ...cite('Ruby', [document({ id: 'doc:9' })]), type: 'THINKING_CONTENT', content_index: 0 },
    { ...cite('Ruby', [document({ id: 'doc:8' })]), type: 'PLAN' },
  ]
  const delta = (type: string, index: number, message: object) => ({
    type,
    index,
    delta: { message },
  })
  const stream = [
    {
      id: 'co-1',
      type: 'message-start',
      delta: { message: { role: 'assistant', content: [], tool_plan: '', citations: [] } },
    },
    delta('tool-plan-delta', 0, { tool_plan: 'I will search.' }),
    delta('content-start', 0, { content: { type: 'thinking', thinking: '' } }),
    delta('content-delta', 0, { content: { thinking: 'Ruby is old.' } }),
    delta('content-start', 1, { content: { type: 'text', text: '' } }),
    ...Array.from(ANSWER).map((text) => delta('content-delta', 1, { content: { text } })),
    // One citation per event, as a bare object.
    ...CITATIONS.map((citations, index) => delta('citation-start', index, { citations })),
    { type: 'citation-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
  ]
  const content = [
    { type: 'thinking', thinking: 'Ruby is old.' },
    { type: 'text', text: ANSWER },
  ]
  const response = { id: 'co-1', message: { role: 'assistant', content, citations: CITATIONS } }

  test.each<[string, ProviderInput[]]>([
    ['a stream', stream],
    ['a stream of JSON', stream.map((event) => JSON.stringify(event))],
    ['a whole response', [response]],
    ['a stream and the response it adds up to', [...stream, response]],
  ])('%s cites the words of the answer, not thoughts or plans', (_, events) => {
    const payload = finished(events)
    expect(payload.answer).toBe(ANSWER)
    expect(payload.sources.map(({ title, url, citedText }) => ({ title, url, citedText }))).toEqual(
      [
        { title: 'Ruby', url: 'https://r.example/', citedText: 'Ruby was made by Matz.' },
        { title: 'Dates', citedText: 'In 1993.' },
      ],
    )
    expect(claims(payload)).toEqual([
      ['Yukihiro Matsumoto', [1]],
      ['1993', [1, 2]],
    ])
    expect(payload.diagnostics).toEqual([])
  })

  test('an index that counts UTF-16 units is known by the words', () => {
    const at = ANSWER.indexOf('1993')
    const utf16 = { ...cite('1993', [tool], { content_index: 1 }), start: at, end: at + 4 }
    const message = { content, citations: [utf16] }
    const payload = finished([{ id: 'co-2', message }])
    expect(places(payload)).toEqual([[at, at + 4]])
    expect(payload.diagnostics).toEqual([])
  })
})

test('what a turn draws of any dialect is the block of its payload', () => {
  const turn = turnOf([
    { id: 'x', citations: ['https://one.example/'], choices: [{ message: { content: 'Yes.' } }] },
  ])
  expect(turn.render({ links: 'plain' })).toBe(' Sources:\n  1. https://one.example/')
  expect(turn.render({ links: 'plain' })).toBe(
    renderCitationBlock(turn.finish(), { links: 'plain' }),
  )
})
