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
import { anthropicResponse, geminiResponse, openaiResponse } from '../payloads.ts'
import { faster, type Row } from '../row.ts'
import * as plain from '../typescript.ts'

const OPTIONS = { links: 'osc8' } as const

interface Provider {
  name: string
  /** What Anthropic's citations and their excerpts need. */
  options?: { documents: true; showExcerpts: true }
  response: (sources: number) => object
  render: (response: object) => string
  extract: (response: object) => CitationSource[]
  extractNative: (response: object) => CitationSource[]
}

const PROVIDERS: Provider[] = [
  {
    name: 'Gemini',
    response: geminiResponse,
    render: plain.renderGemini,
    extract: plain.extractGemini,
    extractNative: extractGeminiCitations,
  },
  {
    name: 'OpenAI',
    response: openaiResponse,
    render: plain.renderOpenAI,
    extract: plain.extractOpenAI,
    extractNative: extractOpenAIResponsesCitations,
  },
  {
    name: 'Anthropic',
    options: { documents: true, showExcerpts: true },
    response: anthropicResponse,
    render: plain.renderAnthropic,
    extract: plain.extractAnthropic,
    extractNative: (message) => extractAnthropicCitations(message, { documents: true }),
  },
]

/** As a body comes, and as a host parses it. */
function body(response: object) {
  const bytes = new TextEncoder().encode(JSON.stringify(response))
  const decoder = new TextDecoder()
  return { bytes, parse: () => JSON.parse(decoder.decode(bytes)) }
}

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
    return plainTurn.size > 0 ? plainTurn.render() : ''
  }
  return { turn, render, plainRender }
}

function rowsOf({ name, response: make, ...provider }: Provider, count: number): Row[] {
  const what = `${name}, ${count} sources`
  const options = { ...OPTIONS, ...provider.options }
  return [
    faster(`renderCitations from objects: ${what}`, 'TypeScript', () => {
      const response = make(count)
      const ours = () => renderCitations(response, options)
      assert.equal(ours(), provider.render(response))
      return { theirs: () => provider.render(response), ours }
    }),
    faster(`renderCitations from bytes: ${what}`, 'JSON.parse + TypeScript', () => {
      const { bytes, parse } = body(make(count))
      const ours = () => renderCitations(bytes, options)
      assert.equal(ours(), provider.render(parse()))
      return { theirs: () => provider.render(parse()), ours }
    }),
    faster(`a reused turn, push and render: ${what}`, 'TypeScript', () => {
      const response = make(count)
      const { turn, render, plainRender } = turns(options)
      const ours = render(() => turn.push(response))
      const theirs = plainRender(() => response)
      assert.equal(ours(), theirs())
      return { theirs, ours }
    }),
    faster(`a whole turn from bytes: ${what}`, 'JSON.parse + TypeScript', () => {
      const { bytes, parse } = body(make(count))
      const { turn, render, plainRender } = turns(options)
      const ours = render(() => turn.pushBytes(bytes))
      const theirs = plainRender(parse)
      assert.equal(ours(), theirs())
      return { theirs, ours }
    }),
    faster(`extract: ${what}`, 'TypeScript', () => {
      const response = make(count)
      return {
        theirs: () => provider.extract(response),
        ours: () => provider.extractNative(response),
      }
    }),
    faster(`dedupeCitations: ${what}`, 'TypeScript', () => {
      const sources = provider.extractNative(make(count))
      return {
        theirs: () => plain.dedupe(sources.map((source) => ({ ...source }))),
        ours: () => dedupeCitations(sources),
      }
    }),
    faster(`renderCitationBlock: ${what}`, 'TypeScript', () => {
      const sources = provider.extractNative(make(count))
      const payload = { text: '', sources }
      return {
        theirs: () => plain.render(sources.map(plain.sanitize)),
        ours: () => renderCitationBlock(payload, options),
      }
    }),
  ]
}

export const responses: Row[] = [3, 6, 20].flatMap((count) =>
  PROVIDERS.flatMap((provider) => rowsOf(provider, count)),
)
