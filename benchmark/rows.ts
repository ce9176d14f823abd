/** The rows of the benchmark. Prints its results as JSON. */
import assert from 'node:assert'
import {
  CitationService,
  dedupeCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  renderCitationBlock,
  renderCitations,
  supportsCitations,
} from '../index.js'
import { streamWithAiSdk } from './ai-sdk.ts'
import { asEvents, geminiResponse, openaiResponse, openaiStream } from './payloads.ts'
import { type Result, race, raceAsync } from './race.ts'
import * as plain from './typescript.ts'

const options = { links: 'osc8' } as const
const results: Result[] = []
const add = (row: string, against: string, theirs: () => unknown, ours: () => unknown) =>
  results.push(race(row, against, theirs, ours))

for (const count of [3, 6, 20]) {
  const providers = [
    [
      'Gemini',
      geminiResponse(count),
      plain.renderGemini,
      plain.extractGemini,
      extractGeminiCitations,
    ],
    [
      'OpenAI',
      openaiResponse(count),
      plain.renderOpenAI,
      plain.extractOpenAI,
      extractOpenAIResponsesCitations,
    ],
  ] as const
  for (const [name, response, render, extract, extractNative] of providers) {
    const bytes = new TextEncoder().encode(JSON.stringify(response))
    const decoder = new TextDecoder()
    const parse = () => JSON.parse(decoder.decode(bytes))
    assert.equal(renderCitations(response, options), render(response as never))
    assert.equal(renderCitations(bytes, options), render(response as never))
    const what = `${name}, ${count} sources`
    add(
      `renderCitations from objects: ${what}`,
      'TypeScript',
      () => render(response as never),
      () => renderCitations(response, options),
    )
    add(
      `renderCitations from bytes: ${what}`,
      'JSON.parse + TypeScript',
      () => render(parse()),
      () => renderCitations(bytes, options),
    )
    const sources = extractNative(response)
    const payload = { text: '', sources }
    add(
      `extract: ${what}`,
      'TypeScript',
      () => extract(response as never),
      () => extractNative(response),
    )
    add(
      `dedupeCitations: ${what}`,
      'TypeScript',
      () => plain.dedupe(sources.map((source) => ({ ...source }))),
      () => dedupeCitations(sources),
    )
    add(
      `renderCitationBlock: ${what}`,
      'TypeScript',
      () => plain.render(sources.map(plain.sanitize)),
      () => renderCitationBlock(payload, options),
    )
  }
}
// A stream: 2,000 pieces of text, 12 citations.
const events = openaiStream(2000, 12)
const body = new TextEncoder().encode(asEvents(events))
/** As much as a TLS record carries. */
const CHUNK = 16_384
const chunks = Array.from({ length: Math.ceil(body.length / CHUNK) }, (_, n) =>
  body.subarray(n * CHUNK, (n + 1) * CHUNK),
)
const turn = new CitationService().startTurn()
const streamed = () => {
  turn.reset()
  for (const chunk of chunks) turn.pushBytes(chunk)
  return turn.render(options)
}
assert.equal(streamed(), plain.streamOpenAI(chunks).block)
add(
  'a stream of 2,000 deltas as bytes',
  'JSON.parse of each event',
  () => plain.streamOpenAI(chunks).block,
  streamed,
)
const delta = JSON.parse(events[100] as string)
turn.reset()
add(
  'a text delta pushed as an event',
  'an empty native call',
  () => supportsCitations(''),
  () => turn.push(delta),
)

raceAsync(
  'a stream of 2,000 deltas as bytes',
  "the AI SDK's doStream",
  () => streamWithAiSdk(body),
  streamed,
).then((result) => process.stdout.write(JSON.stringify([...results, result])))
