/** The rows of the benchmark. Prints its results as JSON. */
import assert from 'node:assert'
import {
  dedupeCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  renderCitationBlock,
  renderCitations,
  supportsCitations,
} from '../index.js'
import { geminiResponse, openaiResponse } from './payloads.ts'
import { type Result, race } from './race.ts'
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
add(
  'an empty call',
  'a TypeScript function',
  () => String('gemini' in plain),
  () => supportsCitations(''),
)

process.stdout.write(JSON.stringify(results))
