/**
 * One reader, two inputs: a live object, its JSON and its bytes give the same, whatever is in them.
 * Trees are grown from every key the readers know, and from generated answers with a part replaced.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  extractToolCitations,
  grounding,
  renderCitations,
} from '../index.js'
import { anthropicAnswer } from './arbitrary-anthropic.js'
import { geminiAnswer } from './arbitrary-gemini.js'
import { openaiAnswer } from './arbitrary-openai.js'

/** Every key of the readers, in every spelling. */
const KEYS = Array.from(
  readFileSync(join(__dirname, '../src/input/key.rs'), 'utf8').matchAll(
    /^ {4}[A-Z]\w+ ("[^;]+);/gm,
  ),
  ([, spellings]) => spellings!.split(' | ').map((name) => JSON.parse(name) as string),
).flat()

const WORDS = [
  ...['text', 'message', 'output_text', 'url_citation', 'file_citation', 'container_file_citation'],
  ...['char_location', 'page_location', 'web_search_result_location', 'search_result_location'],
  ...['content_block_start', 'content_block_delta', 'text_delta', 'citations_delta', 'document'],
  ...['response.completed', 'response.output_text.delta', 'web_search_call', 'chat.completion'],
  ...['https://a.example/', 'HTTPS://B.example/x?utm_source=openai', 'javascript:alert(1)', 'a'],
  ...[
    '',
    ' ',
    'naïve 漢字 😀',
    '\ud83d',
    'x\ude00y',
    '\u0000',
    '\u001b]0;t\u0007',
    '"\\/\b',
    '\u2028',
  ],
]
const NUMBERS = [
  0,
  1,
  2,
  3,
  -1,
  0.5,
  1e21,
  2 ** 53,
  2 ** 53 + 2,
  -0,
  5e-324,
  1.7976931348623157e308,
]

const key = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
)
const leaf = fc.oneof(
  fc.constantFrom<unknown>(...WORDS, ...NUMBERS, true, false, null),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const { tree } = fc.letrec<{ tree: unknown; branch: unknown; list: unknown }>((tie) => ({
  branch: fc.dictionary(key, tie('tree'), { maxKeys: 6, depthIdentifier: 'tree' }),
  list: fc.array(tie('tree'), { maxLength: 4, depthIdentifier: 'tree' }),
  tree: fc.oneof(
    { depthSize: 'medium', depthIdentifier: 'tree' },
    leaf,
    tie('branch'),
    tie('branch'),
    tie('list'),
  ),
}))

const answers = fc
  .oneof(geminiAnswer, anthropicAnswer, openaiAnswer('UTF-16', 2))
  .map(({ whole }) => whole)

/** A generated answer with one part replaced. */
const bentAnswers = fc.tuple(answers, fc.nat(), tree).map(([whole, place, replaced]) => {
  const copy = JSON.parse(JSON.stringify(whole))
  const holders: [Record<string, unknown>, string][] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      holders.push([value as Record<string, unknown>, name])
      visit(inner)
    }
  }
  visit(copy)
  const [holder, name] = holders[place % holders.length]!
  holder[name] = replaced
  return copy as object
})

/** An object, or a list of them. Lists of lists are no response: a stream of bytes is one list deeper. */
function isResponse(value: unknown): value is object {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null
  return Array.isArray(value) ? !value.some(Array.isArray) : isObject(value)
}

const given = fc.oneof(bentAnswers, tree.filter(isResponse))

/** What is read of a value in each of its forms. */
type Reader = (input: object | string | Uint8Array) => unknown

type Turn = ReturnType<CitationService['startTurn']>

const turnOf = (feed: (turn: Turn) => void) => {
  const turn = new CitationService({ documents: true }).startTurn()
  feed(turn)
  // What is no response at all is reported of bytes, and is nobody's business in an object.
  const { diagnostics: _, ...payload } = turn.finish()
  return payload
}

const READERS: [string, Reader][] = [
  ['extractGeminiCitations', extractGeminiCitations],
  ['extractOpenAIResponsesCitations', extractOpenAIResponsesCitations],
  ['extractAnthropicCitations', (input) => extractAnthropicCitations(input, { documents: true })],
  ['renderCitations', (input) => renderCitations(input, { links: 'osc8', width: 60 })],
  ['renderCitations of documents', (input) => renderCitations(input, { documents: true })],
  ['anchorCitations', (input) => grounding.anchorCitations(input)],
  ['a tool', (output) => extractToolCitations({ name: 'mcp__a__b', callId: 'c', output })],
]

describe.each(READERS)('%s', (_, read) => {
  test('agrees on an object, its JSON and its bytes', () => {
    fc.assert(
      fc.property(given, (value) => {
        const json = JSON.stringify(value)
        const live = read(JSON.parse(json))
        expect(read(json)).toEqual(live)
        expect(read(Buffer.from(json))).toEqual(live)
      }),
      { numRuns: 1000 },
    )
  })
})

test('a block is the same in one call, in a turn that has yet to read, and in one that has read', () => {
  const options = { links: 'plain', showExcerpts: true } as const
  const blocks = (value: object, push: (turn: Turn) => void) => {
    const turn = new CitationService({ documents: true }).startTurn()
    push(turn)
    const waiting = turn.render(options)
    turn.finish()
    return [waiting, turn.render(options), renderCitations(value, { ...options, documents: true })]
  }
  fc.assert(
    fc.property(given, (value) => {
      const json = JSON.stringify(value)
      const [block, ...others] = [
        ...blocks(value, (turn) => turn.push(value)),
        ...blocks(Buffer.from(json), (turn) => turn.pushBytes(Buffer.from(json))),
      ]
      for (const other of others) expect(other).toBe(block)
    }),
    { numRuns: 1000 },
  )
})

test('a turn agrees on an object and its bytes, however they are cut', () => {
  fc.assert(
    fc.property(given, fc.integer({ min: 1, max: 40 }), (value, length) => {
      const json = JSON.stringify(value)
      const live = turnOf((turn) => turn.push(JSON.parse(json)))
      const bytes = Buffer.from(json)
      expect(turnOf((turn) => turn.pushBytes(bytes))).toEqual(live)
      const pieces = turnOf((turn) => {
        for (let at = 0; at < bytes.length; at += length) {
          turn.pushBytes(bytes.subarray(at, at + length))
        }
      })
      expect(pieces).toEqual(live)
    }),
    { numRuns: 1000 },
  )
})

test('what a block shows is not over with chunks that are none of the response', () => {
  const chunks = { grounding_chunks: [] }
  const note = { type: 'url_citation', url: 'https://a.example/', title: 'A' }
  const content = [{ type: 'output_text', text: 'x', annotations: [note] }]
  const response = { metadata: chunks, output: [{ type: 'message', content }] }
  expect(renderCitations(JSON.stringify(response), { links: 'plain' })).toBe(
    ' Sources:\n  1. A — https://a.example/',
  )
})

test('the keys are those of the readers', () => {
  expect(KEYS).toContain('groundingMetadata')
  expect(KEYS).toContain('grounding_metadata')
  expect(KEYS.length).toBeGreaterThan(150)
})
