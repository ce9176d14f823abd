/**
 * The declarations about Anthropic's documents, checked by the compiler alone: what the builders make is
 * what the official SDK takes, its requests and locations are taken as they are, and each mistake below
 * is an error (or its `@ts-expect-error` is one).
 */
import type Anthropic from '@anthropic-ai/sdk'
import {
  anthropic,
  type CitationDiagnosticCode,
  CitationService,
  type CitationSource,
  type CustomContentDocument,
  type DocumentOptions,
  extractAnthropicCitations,
  type FileDocument,
  type PdfDocument,
  type PlainTextDocument,
  type RequestComplaint,
  renderCitations,
} from '../index.js'

/** Compiles only where both types are exactly the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => undefined

declare const client: Anthropic
declare const params: Anthropic.MessageCreateParams
declare const betaParams: Anthropic.Beta.MessageCreateParams
declare const message: Anthropic.Message
declare const citation: Anthropic.TextCitation
declare const block: Anthropic.DocumentBlockParam
declare const bytes: Uint8Array
declare const source: CitationSource

export function documentsAreWhatTheSdkTakes(): void {
  const documents: Anthropic.DocumentBlockParam[] = [
    anthropic.plainTextDocument('x'),
    anthropic.pdfDocument(bytes),
    anthropic.pdfDocument(Buffer.from('x')),
    anthropic.pdfDocument('https://files.example/report.pdf'),
    anthropic.customContentDocument(['x', { type: 'text', text: 'y' }]),
    anthropic.fileDocument('file_1', {
      title: 'T',
      context: 'C',
      citations: false,
      cacheControl: '5m',
    }),
  ]
  const content: Anthropic.ContentBlockParam[] = [...documents, { type: 'text', text: '?' }]
  const results: Anthropic.ToolResultBlockParam = {
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    content: [anthropic.plainTextDocument('x')],
  }
  const request: Anthropic.MessageCreateParamsNonStreaming = {
    model: 'claude-opus-4-6',
    max_tokens: 1024,
    messages: [{ role: 'user', content: [...content, results] }],
  }
  void client.messages.create(request)
  void client.messages.stream(request)
  const beta: Anthropic.Beta.BetaRequestDocumentBlock[] = [
    anthropic.plainTextDocument('x'),
    anthropic.pdfDocument(bytes),
    anthropic.customContentDocument(['x']),
    anthropic.fileDocument('file_1'),
  ]
  void beta

  same<PlainTextDocument, ReturnType<typeof anthropic.plainTextDocument>>(true)
  same<PdfDocument, ReturnType<typeof anthropic.pdfDocument>>(true)
  same<CustomContentDocument, ReturnType<typeof anthropic.customContentDocument>>(true)
  same<FileDocument, ReturnType<typeof anthropic.fileDocument>>(true)
  same<string, PlainTextDocument['source']['data']>(true)
  same<string, FileDocument['source']['file_id']>(true)
}

export function aPdfIsToldApartByItsSource(document: PdfDocument): string {
  switch (document.source.type) {
    case 'base64':
      return document.source.data
    case 'url':
      return document.source.url
  }
}

export function requestsAndLocationsAreTakenAsTheyAre(): void {
  same<RequestComplaint[], ReturnType<typeof anthropic.checkCitationRequest>>(true)
  anthropic.checkCitationRequest(params)
  anthropic.checkCitationRequest(betaParams)
  anthropic.checkCitationRequest(JSON.stringify(params))
  anthropic.checkCitationRequest(bytes)

  same<{ text: string; start: number; end: number } | null, ReturnType<typeof anthropic.locate>>(
    true,
  )
  anthropic.locate(block, citation)
  anthropic.locate('text', citation)
  if (source.location) anthropic.locate(anthropic.plainTextDocument('x'), source.location)

  const turn = new CitationService({ documents: true, groupByDocument: true }).startTurn()
  turn.setRequest(params)
  turn.setRequest(betaParams)
  turn.setRequest(JSON.stringify(params))
  turn.setRequest(bytes)
  extractAnthropicCitations(message, { documents: true, request: params })
  renderCitations(message, { documents: true, groupByDocument: true })
  const code: CitationDiagnosticCode = 'quote_differs'
  void code
}

export function complaintsNarrow({ code, path, reason, remedy }: RequestComplaint): string {
  switch (code) {
    case 'partly_enabled':
    case 'model_cannot_cite':
    case 'structured_output':
    case 'pdf_without_text':
    case 'empty_document':
    case 'not_citable':
      return `${path}: ${reason} ${remedy}`
  }
}

export function mistakesAreErrors(): void {
  // @ts-expect-error text is a string
  anthropic.plainTextDocument(1)
  // @ts-expect-error a list is no file
  anthropic.pdfDocument([1, 2])
  // @ts-expect-error a buffer is no Uint8Array
  anthropic.pdfDocument(new ArrayBuffer(1))
  // @ts-expect-error blocks are a list
  anthropic.customContentDocument('x')
  // @ts-expect-error a block has text
  anthropic.customContentDocument([{ type: 'text' }])
  // @ts-expect-error there is no such time
  anthropic.fileDocument('file_1', { cacheControl: '2h' })
  // @ts-expect-error citations are on or off
  anthropic.plainTextDocument('x', { citations: { enabled: true } })
  // @ts-expect-error options are spelled as options
  const options: DocumentOptions = { cache_control: '5m' }
  void options
  // @ts-expect-error a location is no string
  anthropic.locate('text', 'char_location')
  // @ts-expect-error grouping is on or off
  new CitationService({ groupByDocument: 'yes' })
}
