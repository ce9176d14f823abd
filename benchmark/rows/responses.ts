/** Whole responses, from objects and from bytes, against the same rules in TypeScript. */
import assert from 'node:assert'
import {
  CitationService,
  type CitationSource,
  dedupeCitations,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  renderCitationBlock,
  renderCitations,
} from '../../index.js'
import { anthropicResponse, geminiResponse, inTurns, openaiResponse, several } from '../payloads.ts'
import { faster, type Row } from '../row.ts'
import * as plain from '../typescript/index.ts'

const OPTIONS = { links: 'osc8' } as const

interface Provider {
  name: string
  /** What Anthropic's citations and their excerpts need. */
  options?: { documents: true; showExcerpts: true }
  response: (sources: number, first: number) => object
  extract: (response: object) => CitationSource[]
  extractNative: (response: object) => CitationSource[]
}

const PROVIDERS: Provider[] = [
  {
    name: 'Gemini',
    response: (sources, first) => geminiResponse(sources, undefined, first),
    extract: plain.extractGemini,
    extractNative: extractGeminiCitations,
  },
  {
    name: 'OpenAI',
    response: openaiResponse,
    extract: plain.extractOpenAI,
    extractNative: extractOpenAIResponsesCitations,
  },
  {
    name: 'Anthropic',
    options: { documents: true, showExcerpts: true },
    response: anthropicResponse,
    extract: plain.extractAnthropic,
    extractNative: (message) => extractAnthropicCitations(message, { documents: true }),
  },
]

/** A turn of each side that is used again and again. */
function turns({ documents = false, ...options }: { documents?: boolean; links: 'osc8' }) {
  const turn = new CitationService({ documents }).startTurn()
  const plainTurn = new plain.Turn()
  const render = (take: () => void) => () => {
    turn.reset()
    take()
    return turn.render(options)
  }
  const plainRender = (read: () => object) => () => {
    plainTurn.reset()
    plainTurn.push(read() as never)
    return plainTurn.size > 0 ? plainTurn.render(plain.renderingOf(options)) : ''
  }
  return { turn, render, plainRender }
}

/** Both sides take the same inputs, each in its own time. On all of them they must come to the same. */
function alike<T>(inputs: T[], theirs: (input: () => T) => () => unknown, ours: typeof theirs) {
  const sides = { theirs: theirs(inTurns(inputs)), ours: ours(inTurns(inputs)) }
  // What is not there and what is there as nothing is the same.
  const plainly = (made: unknown) =>
    typeof made === 'string' ? made : JSON.parse(JSON.stringify(made))
  for (const _ of inputs) assert.deepEqual(plainly(sides.ours()), plainly(sides.theirs()))
  return sides
}

function rowsOf({ name, response: make, ...provider }: Provider, count: number): Row[] {
  const what = `${name}, ${count} sources`
  const options = { ...OPTIONS, ...provider.options }
  const responses = () => several((first) => make(count, first))
  const encoder = new TextEncoder()
  const bodies = () => responses().map((response) => encoder.encode(JSON.stringify(response)))
  const decoder = new TextDecoder()
  const parse = (body: Uint8Array) => JSON.parse(decoder.decode(body))
  return [
    faster(`renderCitations from objects: ${what}`, 'TypeScript', () =>
      alike(
        responses(),
        (next) => () => plain.renderCitations(next(), options),
        (next) => () => renderCitations(next(), options),
      ),
    ),
    faster(`renderCitations from bytes: ${what}`, 'JSON.parse + TypeScript', () =>
      alike(
        bodies(),
        (next) => () => plain.renderCitations(next(), options),
        (next) => () => renderCitations(next(), options),
      ),
    ),
    faster(`a reused turn, push and render: ${what}`, 'TypeScript', () => {
      const { turn, render, plainRender } = turns(options)
      return alike(
        responses(),
        (next) => plainRender(next),
        (next) => render(() => turn.push(next())),
      )
    }),
    faster(`a whole turn from bytes: ${what}`, 'JSON.parse + TypeScript', () => {
      const { turn, render, plainRender } = turns(options)
      return alike(
        bodies(),
        (next) => plainRender(() => parse(next())),
        (next) => render(() => turn.pushBytes(next())),
      )
    }),
    faster(`extract: ${what}`, 'TypeScript', () =>
      alike(
        responses(),
        (next) => () => provider.extract(next()),
        (next) => () => provider.extractNative(next()),
      ),
    ),
    faster(`dedupeCitations: ${what}`, 'TypeScript', () =>
      alike(
        responses().map(provider.extractNative),
        (next) => () => plain.dedupe(next().map(plain.sanitize)),
        (next) => () => dedupeCitations(next()),
      ),
    ),
    faster(`renderCitationBlock: ${what}`, 'TypeScript', () =>
      alike(
        responses().map((response) => ({ text: '', sources: provider.extractNative(response) })),
        (next) => () =>
          plain.render(next().sources.map(plain.sanitize), plain.renderingOf(options)),
        (next) => () => renderCitationBlock(next(), options),
      ),
    ),
  ]
}

export const responses: Row[] = [3, 6, 20].flatMap((count) =>
  PROVIDERS.flatMap((provider) => rowsOf(provider, count)),
)
