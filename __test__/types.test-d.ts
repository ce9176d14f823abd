/**
 * The declarations, checked by the compiler alone: what the official SDKs hand out is accepted as it
 * is, results narrow, and each mistake below is an error (or its `@ts-expect-error` is one).
 */
import type Anthropic from '@anthropic-ai/sdk'
import type { GenerateContentResponse, GroundingMetadata } from '@google/genai'
import type OpenAI from 'openai'
import {
  type AlreadyShown,
  type CitationLine,
  type CitationLocation,
  type CitationPayload,
  type CitationProvider,
  type CitationSource,
  dedupeCitations,
  detectHyperlinks,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  type HyperlinkSupport,
  insertMarkers,
  layoutCitationBlock,
  type ParsedCitationsSetting,
  type ProviderInput,
  parseCitationsSetting,
  type RenderCitationsOptions,
  type RenderOptions,
  renderAnswerHtml,
  renderAnswerMarkdown,
  renderCitationBlock,
  renderCitations,
  resolveCitationsEnabled,
  sanitizeCitationSource,
  supportsCitations,
} from '../index.js'

/** Compiles only where both types are exactly the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => undefined

declare const gemini: GenerateContentResponse
declare const grounding: GroundingMetadata
declare const geminiStream: readonly GenerateContentResponse[]
declare const response: OpenAI.Responses.Response
declare const responseEvent: OpenAI.Responses.ResponseStreamEvent
declare const annotations: OpenAI.Responses.ResponseOutputText['annotations']
declare const message: Anthropic.Message
declare const messageEvent: Anthropic.RawMessageStreamEvent
declare const content: Anthropic.ContentBlock[]
declare const bytes: Uint8Array
declare const source: CitationSource
declare const payload: CitationPayload

export function whatTheSdksHandOutIsAccepted(): void {
  same<CitationSource[], ReturnType<typeof extractGeminiCitations>>(true)
  extractGeminiCitations(gemini)
  extractGeminiCitations(geminiStream)
  extractGeminiCitations(gemini.candidates)
  extractGeminiCitations(gemini.candidates?.[0]?.groundingMetadata)
  extractGeminiCitations(grounding)

  same<CitationSource[], ReturnType<typeof extractOpenAIResponsesCitations>>(true)
  extractOpenAIResponsesCitations(response)
  extractOpenAIResponsesCitations(response.output)
  extractOpenAIResponsesCitations(responseEvent)
  extractOpenAIResponsesCitations([responseEvent])
  extractOpenAIResponsesCitations(annotations)

  same<CitationSource[], ReturnType<typeof extractAnthropicCitations>>(true)
  extractAnthropicCitations(message)
  extractAnthropicCitations(message, { documents: true })
  extractAnthropicCitations(messageEvent, { documents: true })
  extractAnthropicCitations([messageEvent], { documents: true })
  extractAnthropicCitations(content, {})
  extractAnthropicCitations(message, undefined)

  same<string, ReturnType<typeof renderCitations>>(true)
  for (const input of [gemini, response, message, responseEvent, messageEvent])
    renderCitations(input)
  renderCitations(message, { documents: true, links: 'osc8', width: 80 })
}

export function everyFormOfInputIsAccepted(): void {
  const inputs: ProviderInput[] = ['{}', bytes, Buffer.from('{}'), null, undefined, {}, []]
  inputs.map((input) => extractGeminiCitations(input))
  // @ts-expect-error a number is no response
  extractGeminiCitations(5)
  // @ts-expect-error nor is a boolean
  extractOpenAIResponsesCitations(true)
  // @ts-expect-error nor is a bigint
  extractAnthropicCitations(5n)
  // @ts-expect-error nor is a symbol
  renderCitations(Symbol('x'))
  // @ts-expect-error something must be handed in
  extractGeminiCitations()
  // @ts-expect-error Gemini has no options
  extractGeminiCitations(gemini, { documents: true })
  // @ts-expect-error documents is a boolean
  extractAnthropicCitations(message, { documents: 'yes' })
  // @ts-expect-error a misspelled option
  extractAnthropicCitations(message, { document: true })
}

/** Every kind of place, told apart by `type`; a new kind makes this an error until it is handled. */
export function placesNarrow(location: CitationLocation): string | number | undefined {
  // @ts-expect-error not every place has a page
  location.startPageNumber
  switch (location.type) {
    case 'char_location':
      return location.startCharIndex + location.endCharIndex + location.documentIndex
    case 'page_location':
      // @ts-expect-error pages are not characters
      location.startCharIndex
      return location.startPageNumber + location.endPageNumber + location.documentIndex
    case 'content_block_location':
      return location.startBlockIndex + location.endBlockIndex + location.documentIndex
    case 'search_result_location':
      // @ts-expect-error a search result is no document
      location.documentIndex
      return location.startBlockIndex + location.endBlockIndex + location.searchResultIndex
    case 'web_search_result_location':
      return location.encryptedIndex
    case 'url_citation':
      return location.startIndex + location.endIndex
    case 'file_citation':
      return location.index
    case 'container_file_citation':
      return location.containerId ?? location.startIndex + location.endIndex
    case 'file_path':
      return location.index
    case 'grounding':
      return location.groundingChunkIndex
    default:
      return location satisfies never
  }
}

export function sourcesAreChecked(): void {
  const providers: CitationProvider[] = ['gemini', 'anthropic', 'openai', 'openai-responses']
  // The names of LLxprt autocomplete only while the union is not plain `string`.
  same<Same<CitationProvider, string>, false>(true)
  providers.push('perplexity')
  const name: string = providers[0]!
  const whole: CitationSource = {
    title: 'T',
    url: 'https://a.example/',
    citedText: 'q',
    provider: name,
    location: { type: 'grounding', groundingChunkIndex: 0 },
    uri: 'gs://a/b',
    domain: 'a.example',
    fileId: 'file-1',
    also: [{ citedText: 'r' }, { location: { type: 'file_path', index: 1 } }],
  }
  same<CitationSource, ReturnType<typeof sanitizeCitationSource>>(true)
  sanitizeCitationSource(whole)
  sanitizeCitationSource({})
  // @ts-expect-error a title is text
  sanitizeCitationSource({ title: 5 })
  // @ts-expect-error a misspelled field
  sanitizeCitationSource({ titel: 'T' })
  // @ts-expect-error text is no source
  sanitizeCitationSource('https://a.example/')
  // @ts-expect-error a place needs its numbers
  sanitizeCitationSource({ location: { type: 'grounding' } })
  // @ts-expect-error a kind of place nobody knows
  sanitizeCitationSource({ location: { type: 'line_location', line: 1 } })
  // @ts-expect-error may be missing
  whole.title.length
}

export function deduplicationIsChecked(): void {
  const fixed: readonly CitationSource[] = [source]
  const constant = [{ title: 'A', url: 'https://a.example/' }] as const
  same<CitationSource[], ReturnType<typeof dedupeCitations>>(true)
  dedupeCitations(fixed)
  dedupeCitations(constant)
  dedupeCitations(extractGeminiCitations(gemini), 'https://a.example/')
  dedupeCitations(fixed, ['https://a.example/'] as const)
  dedupeCitations(fixed, fixed)
  dedupeCitations(fixed, source)
  dedupeCitations(fixed, payload)
  dedupeCitations(fixed, null)
  const toolResult = {
    llmContent: 'text',
    returnDisplay: 'text',
    sources: [{ web: { uri: 'https://a.example/', title: 'A' } }],
  }
  dedupeCitations(fixed, toolResult)
  dedupeCitations(fixed, [toolResult, 'https://b.example/', source])
  // LLxprt keeps the chunks of the SDK in its tool result.
  dedupeCitations(fixed, { sources: grounding.groundingChunks })
  const shown: AlreadyShown = toolResult
  dedupeCitations(fixed, shown)
  // @ts-expect-error a list of sources, not one
  dedupeCitations(source)
  // @ts-expect-error a payload is no list
  dedupeCitations(payload)
  // @ts-expect-error numbers were never shown
  dedupeCitations(fixed, [1, 2])
}

export function renderingIsChecked(links: RenderOptions['links']): void {
  same<string, ReturnType<typeof renderCitationBlock>>(true)
  same<CitationLine[], ReturnType<typeof layoutCitationBlock>>(true)
  same<'auto' | 'osc8' | 'markdown' | 'plain' | undefined, typeof links>(true)
  const options: RenderOptions = {
    links: 'auto',
    terminator: 'st',
    width: process.stdout.columns,
    maxSources: Number.POSITIVE_INFINITY,
    showExcerpts: false,
    terminal: { env: process.env, isTTY: process.stdout.isTTY, platform: process.platform },
  }
  renderCitationBlock(payload)
  renderCitationBlock(payload, options)
  renderCitationBlock({ text: '', sources: [] }, { width: undefined })
  const more: RenderCitationsOptions = { ...options, documents: true, alreadyShown: [source] }
  renderCitations(gemini, more)
  for (const { text, url } of layoutCitationBlock(payload, { width: 80 }).flat()) {
    same<string, typeof text>(true)
    same<string | undefined, typeof url>(true)
  }
  // @ts-expect-error no such way to write links
  renderCitationBlock(payload, { links: 'html' })
  // @ts-expect-error links are not switched on and off
  renderCitationBlock(payload, { links: true })
  // @ts-expect-error no such terminator
  renderCitationBlock(payload, { terminator: 'nul' })
  // @ts-expect-error a width is a number
  renderCitationBlock(payload, { width: '80' })
  // @ts-expect-error a misspelled option
  renderCitationBlock(payload, { widht: 80 })
  // @ts-expect-error a payload has sources
  renderCitationBlock({ text: '' })
  // @ts-expect-error a payload has a text
  renderCitationBlock({ sources: [] })
  // @ts-expect-error a list is no payload
  renderCitationBlock([source])
  // @ts-expect-error a response is no payload
  layoutCitationBlock(gemini)
  // @ts-expect-error what was shown is for renderCitations
  renderCitationBlock(payload, { alreadyShown: [] })
  // @ts-expect-error the environment is an object
  renderCitationBlock(payload, { terminal: { env: 'TERM=xterm' } })
  // @ts-expect-error numbers were never shown
  renderCitations(gemini, { alreadyShown: 5 })
}

export function terminalsAreChecked(): void {
  same<HyperlinkSupport, ReturnType<typeof detectHyperlinks>>(true)
  const { supported, reason } = detectHyperlinks({
    env: process.env,
    isTTY: true,
    platform: 'win32',
  })
  same<boolean, typeof supported>(true)
  same<string, typeof reason>(true)
  detectHyperlinks({})
  detectHyperlinks({ env: { TERM: undefined } as const })
  // @ts-expect-error a terminal must be described
  detectHyperlinks()
  // @ts-expect-error variables are text
  detectHyperlinks({ env: { FORCE_HYPERLINK: 1 } })
  // @ts-expect-error a misspelled field
  detectHyperlinks({ isTty: true })
}

export function settingsAreChecked(parsed: ParsedCitationsSetting): string {
  same<boolean, ReturnType<typeof resolveCitationsEnabled>>(true)
  same<ParsedCitationsSetting, ReturnType<typeof parseCitationsSetting>>(true)
  resolveCitationsEnabled()
  resolveCitationsEnabled(null, { merged: {} })
  parseCitationsSetting(5)
  supportsCitations('gemini')
  // @ts-expect-error a provider has a name
  supportsCitations(null)
  // @ts-expect-error the value may be missing
  parsed.value.length
  if (parsed.error !== undefined) {
    same<undefined, typeof parsed.value>(true)
    return parsed.error
  }
  same<'enabled' | 'disabled', typeof parsed.value>(true)
  return parsed.message
}

/** What was stored comes back as text or bytes. */
export function payloadsMayBeJson(json: string, bytes: Uint8Array): string[] {
  renderCitationBlock(json)
  layoutCitationBlock(bytes)
  dedupeCitations(json)
  return [
    insertMarkers('So.', bytes),
    renderAnswerHtml('So.', json),
    renderAnswerMarkdown('So.', bytes),
  ]
}
