/** Whose responses the rows are about, and how each side reads them. */
import {
  type CitationSource,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
} from '../index.js'
import { anthropicResponse, geminiResponse, openaiResponse } from './payloads.ts'
import { extractAnthropic, extractGemini, extractOpenAI, type Rules } from './typescript/index.ts'

export interface Provider {
  name: string
  /** Anthropic's citations and their excerpts must be asked for. */
  options: { links: 'osc8'; documents?: true; showExcerpts?: true }
  make: (sources: number, first: number) => object
  extract: (response: object, rules?: Rules) => CitationSource[]
  extractNative: (response: object) => CitationSource[]
}

export const PROVIDERS: Provider[] = [
  {
    name: 'Gemini',
    options: { links: 'osc8' },
    make: (sources, first) => geminiResponse(sources, undefined, first),
    extract: (response, rules) => extractGemini(response, [], rules),
    extractNative: extractGeminiCitations,
  },
  {
    name: 'OpenAI',
    options: { links: 'osc8' },
    make: openaiResponse,
    extract: (response, rules) => extractOpenAI(response, [], rules),
    extractNative: extractOpenAIResponsesCitations,
  },
  {
    name: 'Anthropic',
    options: { links: 'osc8', documents: true, showExcerpts: true },
    make: anthropicResponse,
    extract: (response, rules) => extractAnthropic(response, [], rules),
    extractNative: (message) => extractAnthropicCitations(message, { documents: true }),
  },
]
