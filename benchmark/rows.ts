/** The rows of the benchmark. Prints its results as JSON. */
import assert from 'node:assert'
import {
  CitationService,
  dedupeCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  extractToolCitations,
  markers,
  renderCitationBlock,
  renderCitations,
  supportsCitations,
} from '../index.js'
import { streamWithAiSdk } from './ai-sdk.ts'
import { formatMarkers, MarkerStream } from './markers.ts'
import {
  asEvents,
  cut,
  exaCall,
  geminiResponse,
  listedPages,
  markedAnswer,
  openaiResponse,
  openaiStream,
} from './payloads.ts'
import { type Result, race, raceAsync } from './race.ts'
import { extractExa, ToolTurn } from './tools.ts'
import * as plain from './typescript.ts'

const options = { links: 'osc8' } as const
const results: Result[] = []
const add = (row: string, against: string, theirs: () => unknown, ours: () => unknown) =>
  results.push(race(row, against, theirs, ours))

const turn = new CitationService().startTurn()
const plainTurn = new plain.Turn()

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
    const reused = () => {
      turn.reset()
      turn.push(response)
      return turn.render(options)
    }
    const plainReused = () => {
      plainTurn.reset()
      plainTurn.push(response as never)
      return plainTurn.size > 0 ? plainTurn.render() : ''
    }
    assert.equal(reused(), plainReused())
    add(`a reused turn, push and render: ${what}`, 'TypeScript', plainReused, reused)
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

// An answer of 100 kB with 200 markers, whole and as it streams in.
const pages = listedPages(20)
const answer = markedAnswer(20)
const pieces = cut(answer, 5000)
const rewriting = { dangling: 'flag', renumber: true } as const
interface Stream {
  push(delta: string): string
  finish(): string
}
const joined = (stream: Stream) => {
  let text = ''
  for (const piece of pieces) text += stream.push(piece)
  return text + stream.finish()
}
const shown = (stream: Stream) => [...pieces.map((piece) => stream.push(piece)), stream.finish()]
const marked = () => markers.formatMarkers(answer, pages, rewriting)
const markedPieces = () => joined(new markers.MarkerStream(pages, rewriting))
assert.equal(markers.parseMarkers(answer, pages).length, 200)
assert.deepEqual(marked(), formatMarkers(answer, pages))
assert.equal(markedPieces(), marked().text)
// Neither side holds back what the other shows.
assert.deepEqual(shown(new MarkerStream(pages)), shown(new markers.MarkerStream(pages, rewriting)))
add(
  'formatMarkers: 100 kB, 200 markers',
  'TypeScript',
  () => formatMarkers(answer, pages).text,
  () => marked().text,
)
add(
  'MarkerStream: the same as 5,000 deltas',
  'TypeScript',
  () => joined(new MarkerStream(pages)),
  markedPieces,
)

// A search that found 20 pages, 40 kB.
const search = exaCall(20)
const plainTools = new ToolTurn()
const found = () => {
  turn.reset()
  return turn.addToolResult(search)
}
const plainFound = () => {
  plainTools.reset()
  return plainTools.addToolResult(search)
}
assert.deepEqual(extractToolCitations(search), extractExa(search))
assert.equal(extractExa(search).length, 20)
assert.deepEqual(found(), plainFound())
add('a reused turn, addToolResult: 20 Exa records', 'TypeScript', plainFound, found)
add(
  'extractToolCitations: 20 Exa records',
  'TypeScript',
  () => extractExa(search),
  () => extractToolCitations(search),
)

raceAsync(
  'a stream of 2,000 deltas as bytes',
  "the AI SDK's doStream",
  () => streamWithAiSdk(body),
  streamed,
).then((result) => process.stdout.write(JSON.stringify([...results, result])))
