/** Finding out what a file holds: one document, the events of one response, or a log of many. */
import { describe, expect, test } from 'vitest'
import { kindOf } from '../bin/cite/kind.mjs'
import { line, numbered } from './cli.js'
import { recordings, recordingsPresent } from './recordings.js'
import { BODIES } from './stream-bodies.js'

const kind = (text: string, isAll = true) => kindOf(Buffer.from(text), isAll)

const chunk = (text: string, more: object = {}, id?: string) => ({
  candidates: [{ content: { parts: [{ text }] }, ...more }],
  ...(id && { responseId: id }),
})
const GROUNDED = {
  groundingMetadata: { groundingChunks: [{ web: { uri: 'https://a.example/' } }] },
}
const FINISHED = { finishReason: 'STOP' }

describe('lines that are JSON each', () => {
  test.each<[string, unknown[], 'log' | 'events']>([
    ['different responses of Gemini', [numbered(1), numbered(2)], 'log'],
    ['the same response of Gemini twice', [numbered(1), numbered(1)], 'log'],
    [
      'responses of Gemini that do not say they are finished',
      [chunk('a', GROUNDED), chunk('b', GROUNDED)],
      'log',
    ],
    [
      'finished responses of Gemini without an id',
      [chunk('a', FINISHED), chunk('b', FINISHED)],
      'log',
    ],
    [
      'unfinished responses with ids of their own',
      [chunk('a', {}, '1'), chunk('b', {}, '2')],
      'log',
    ],
    [
      'chunks of Gemini',
      [chunk('a', {}, '1'), chunk('b', { ...FINISHED, ...GROUNDED }, '1')],
      'events',
    ],
    ['chunks of Gemini without an id', [chunk('a'), chunk('b'), chunk('', FINISHED)], 'events'],
    [
      'chunks of Code Assist',
      [{ response: chunk('a') }, { response: chunk('b', FINISHED) }],
      'events',
    ],
    [
      'events of OpenAI',
      [
        { type: 'response.created', response: {} },
        { type: 'response.output_text.delta', delta: 'a' },
      ],
      'events',
    ],
    [
      'responses of OpenAI',
      [
        { object: 'response', output: [] },
        { object: 'response', output: [] },
      ],
      'log',
    ],
    [
      'completions',
      [{ choices: [{ message: { content: 'a' } }] }, { choices: [{ message: { content: 'b' } }] }],
      'log',
    ],
    [
      'chunks of a completion',
      [{ choices: [{ delta: { content: 'a' } }] }, { choices: [{ delta: {} }] }],
      'events',
    ],
    [
      'messages of Anthropic',
      [
        { type: 'message', role: 'assistant', content: [] },
        { type: 'error', error: {} },
      ],
      'log',
    ],
    ['events of Anthropic', [{ type: 'message_start', message: {} }, { type: 'ping' }], 'events'],
    ['events of Cohere', [{ type: 'message-start' }, { type: 'content-delta' }], 'events'],
    [
      'events of Interactions',
      [{ event_type: 'content.delta' }, { event_type: 'content.stop' }],
      'events',
    ],
    [
      'batch records',
      [
        { custom_id: 'a', response: { body: {} } },
        { custom_id: 'b', response: { body: {} } },
      ],
      'log',
    ],
    [
      'runs of tools',
      [
        { tools: [], answer: 'a' },
        { tools: [], answer: 'b' },
      ],
      'log',
    ],
    ['lists of chunks', [[chunk('a'), chunk('b', FINISHED)], [chunk('c', FINISHED)]], 'log'],
  ])('%s', (_, values, expected) => {
    const text = values.map(line).join('')
    expect(kind(text)).toBe(expected)
    expect(kind(text.trimEnd())).toBe(expected)
    expect(kind(`\uFEFF\n${text.replaceAll('\n', '\r\n\r\n')}`)).toBe(expected)
  })

  test.each([
    ['first', [`{"cut": "off\n`, line(numbered(1)), line(numbered(2))]],
    ['second', [line(numbered(1)), 'nonsense\n', line(numbered(2))]],
    ['last', [line(numbered(1)), line(numbered(2)), '{"cut": "off']],
  ])('are a log though the %s is bad', (_, lines) => {
    expect(kind(lines.join(''))).toBe('log')
  })
})

describe('one document', () => {
  test.each([
    ['on one line', JSON.stringify(numbered(1))],
    ['with indents', JSON.stringify(numbered(1), null, 2)],
    ['with indents, as a list', JSON.stringify([numbered(1), numbered(2)], null, 2)],
    ['with an item per line and no indents', '{"candidates":[\n{},\n{"a":1}\n,\n{"a":2}\n]}'],
    ['as an array that arrives item by item', `[${line(numbered(1))},\n${line(numbered(2))}]`],
    ['cut off', JSON.stringify(numbered(1), null, 2).slice(0, 200)],
    ['nothing', ''],
    ['no JSON', 'hello\nthere\n'],
  ])('%s', (_, text) => {
    expect(kind(text)).toBe('document')
  })
})

describe('with more to come', () => {
  test.each([
    ['nothing yet', ''],
    ['a line that is not over', '{"candidates": ['],
    ['one line', line(numbered(1))],
    ['one line and a half', `${line(numbered(1))}{"candi`],
  ])('%s says nothing', (_, text) => {
    expect(kind(text, false)).toBeUndefined()
  })

  test('two lines do, though a third is cut inside a character', () => {
    const whole = Buffer.from(`${line(numbered(1))}${line(numbered(2))}{"a":"ü`)
    expect(kindOf(whole.subarray(0, -1), false)).toBe('log')
  })
})

describe.skipIf(!recordingsPresent)('recorded streams, in every form', () => {
  const streams = recordings().flatMap(({ file, exchanges }) =>
    exchanges
      .filter((exchange) => exchange.kind !== 'json' && exchange.events.length > 1)
      .map((exchange, index) => [`${file} ${index}`, exchange.events] as const),
  )

  test.each(streams)('%s', (_, events) => {
    for (const [name, body] of Object.entries(BODIES)) {
      const expected = name.startsWith('a JSON array') ? 'document' : 'events'
      expect([name, kind(body(events))]).toEqual([name, expected])
    }
  })
})

describe.skipIf(!recordingsPresent)('recorded responses', () => {
  const whole = recordings().flatMap(({ file, exchanges }) =>
    exchanges
      .filter((exchange) => exchange.kind === 'json' && exchange.events.length === 1)
      .map((exchange, index) => [`${file} ${index}`, exchange.events[0]] as const),
  )

  test.each(whole)('%s', (_, response) => {
    expect(kind(JSON.stringify(response))).toBe('document')
    expect(kind(JSON.stringify(response, null, 2))).toBe('document')
    expect(kind(line(response).repeat(3))).toBe('log')
  })
})
