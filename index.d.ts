/** A provider's name. LLxprt's own names autocomplete; any other string is as good. */
export type CitationProvider =
  | 'gemini'
  | 'anthropic'
  | 'openai-responses'
  | 'openai'
  | (string & {})

/** Characters of a plain text document, end exclusive. */
export interface CharLocation {
  type: 'char_location'
  startCharIndex: number
  endCharIndex: number
  /** Which document of the request, counted from 0. */
  documentIndex: number
}

/** Pages of a PDF, counted from 1, end exclusive: page 5 alone is 5 to 6. */
export interface PageLocation {
  type: 'page_location'
  startPageNumber: number
  endPageNumber: number
  /** Which document of the request, counted from 0. */
  documentIndex: number
}

/** Blocks of a custom content document, counted from 0, end exclusive. */
export interface ContentBlockLocation {
  type: 'content_block_location'
  startBlockIndex: number
  endBlockIndex: number
  /** Which document of the request, counted from 0. */
  documentIndex: number
}

/** Blocks of a search result the request carried, counted from 0, end exclusive. */
export interface SearchResultLocation {
  type: 'search_result_location'
  startBlockIndex: number
  endBlockIndex: number
  /** Which search result of the request, counted from 0. */
  searchResultIndex: number
}

/** A result of Anthropic's own web search. */
export interface WebSearchResultLocation {
  type: 'web_search_result_location'
  /** Send it back unchanged when the message is replayed. */
  encryptedIndex?: string
}

/**
 * The span of the answer that holds the link, end exclusive, as the provider counts: from the start of its own part of
 * the answer, in its own unit. Where it is in the whole answer, in UTF-16, the `anchors` of a `TurnPayload` say.
 */
export interface UrlCitationLocation {
  type: 'url_citation'
  startIndex: number
  endIndex: number
}

/** The place in the answer where a stored file is cited. */
export interface FileCitationLocation {
  type: 'file_citation'
  index: number
}

/** The span of the answer that names a file made in a code container, end exclusive. */
export interface ContainerFileCitationLocation {
  type: 'container_file_citation'
  startIndex: number
  endIndex: number
  containerId?: string
}

/** A file the model made. */
export interface FilePathLocation {
  type: 'file_path'
  index: number
}

/** An entry of Gemini's list of grounding chunks. */
export interface GroundingLocation {
  type: 'grounding'
  groundingChunkIndex: number
  /** Of a document: the first page that the entry is from, counted from 1, where Gemini says so. */
  startPageNumber?: number
  /** One past its last page: page 5 alone is 5 to 6. */
  endPageNumber?: number
}

/** Where a provider points, told apart by `type`. */
export type CitationLocation =
  | CharLocation
  | PageLocation
  | ContentBlockLocation
  | SearchResultLocation
  | WebSearchResultLocation
  | UrlCitationLocation
  | FileCitationLocation
  | ContainerFileCitationLocation
  | FilePathLocation
  | GroundingLocation

/** A further citation of a source that is already listed. */
export interface CitationMention {
  /** What it quotes, where that differs from the first quotation. */
  citedText?: string
  location?: CitationLocation
  /** First and last of other lines of the same file, counted from 1. */
  lineStart?: number
  lineEnd?: number
  /** The name the source has where it was found again, and who found it. */
  id?: string
  toolName?: string
  toolRequestId?: string
  agentId?: string
  /** Another address it was given under, before a redirect was resolved. */
  rawUrl?: string
}

/** What sort of thing a tool found. */
export type CitationSourceType = 'web' | 'file' | 'api' | 'database' | 'memory' | 'skill' | 'mcp'

/** One thing an answer leans on: a page, a document, a passage of one. */
export interface CitationSource {
  /** What people call it. */
  title?: string
  /** Where a browser finds it. As given out here: serialised, http or https, without user name. */
  url?: string
  /**
   * Words of the source, never of the answer; at most 200 characters, then `…`. OpenAI cites files without a passage:
   * these have the words that its file search found in them, where it found a single passage.
   */
  citedText?: string
  /** Who cited it. */
  provider?: CitationProvider
  /** Where the provider points. */
  location?: CitationLocation
  /** What the provider calls it when that is no web address, such as `gs://bucket/report.pdf`. */
  uri?: string
  /** Host name the provider gives for the page. */
  domain?: string
  /** The provider's id of a stored file. */
  fileId?: string
  /** Later citations of the same source that were folded into this one. */
  also?: CitationMention[]
  /** Of a tool's source: its name, the id of the call and the place in its result. */
  id?: string
  /** Of a tool's source: what sort of thing it is. */
  type?: CitationSourceType
  /** The tool that found it. */
  toolName?: string
  /** The id of the call that found it. */
  toolRequestId?: string
  /** The sub-agent that found it, the innermost where agents call agents. */
  agentId?: string
  /** The first words of it, as a preview; at most 200 characters, then `…`. */
  snippet?: string
  author?: string
  /** As the tool says it. */
  publishedDate?: string
  /** When the tool saw it, as the host says it. */
  timestamp?: string
  /** Page of a document, counted from 1. */
  pageNumber?: number
  /** First line of a text file, counted from 1. */
  lineStart?: number
  /** Last line. */
  lineEnd?: number
  /** The address it was given under, before a redirect was resolved. */
  rawUrl?: string
  /** Whether the tool's own output lists it. Blocks leave it out unless `showInlineSources` is true. */
  shownInline?: true
  /** What else the tool said of it, `null` fields aside; at most 2 kB. */
  metadata?: Record<string, unknown>
}

/** What a citation event carries. */
export interface CitationPayload {
  /** Text to go with the sources; empty when they speak for themselves. */
  text: string
  /** In the order of their numbers. */
  sources: CitationSource[]
}

/** A span of the answer that leans on sources. */
export interface CitationAnchor {
  /** First UTF-16 unit: `answer.slice(start, end) === text`. */
  start: number
  /** One past the last UTF-16 unit. */
  end: number
  /** What the answer says there. */
  text: string
  /** Numbers of the sources, as the block lists them: `payload.sources[number - 1]`. */
  sources: number[]
  /** How sure the provider is, from 0 to 1, where it says so: the highest over the sources. */
  confidence?: number
}

/**
 * Why something is missing or not where the provider put it.
 *
 * - `source_not_listed`: a span names a source that the provider did not list.
 * - `span_moved`: a span did not hold the words the provider quotes; it was moved to where they stand.
 * - `span_lost`: a span could not be placed in the answer. Its source stays.
 * - `data_damaged`: bytes that are no JSON, or JSON that was cut off.
 * - `quote_differs`: a citation quotes other words than its place in the request's document holds.
 * - `extractor_failed`: an extractor of the host threw, or returned what is no list of sources.
 */
export type CitationDiagnosticCode =
  | 'source_not_listed'
  | 'span_moved'
  | 'span_lost'
  | 'data_damaged'
  | 'quote_differs'
  | 'extractor_failed'

/** Something that was dropped or mended. Each code is listed once, with a count. */
export interface CitationDiagnostic {
  code: CitationDiagnosticCode
  /** The first case, in words. */
  detail: string
  /** How often. */
  count: number
}

/** What a turn has come to. */
export interface TurnPayload extends CitationPayload {
  /** The visible text of the answer, over all model calls of the turn. */
  answer: string
  /** Spans of the answer and the sources they lean on, sorted by place. */
  anchors: CitationAnchor[]
  /**
   * Numbers of the sources that a span or a marker of the answer points at, ascending. The others were
   * consulted and not cited.
   */
  cited: number[]
  /** What was dropped or mended, and why. */
  diagnostics: CitationDiagnostic[]
}

/** How citations are to be shown. */
export interface CitationConfig {
  /**
   * Whether citations are collected at all. Without them a turn has its text and no sources.
   *
   * @default true
   */
  enabled?: boolean
  /**
   * How markers look in `CitationTurn.renderHtml`. For other text hand it to `markers.formatMarkers`.
   *
   * @default 'brackets'
   */
  format?: 'brackets' | 'superscript' | 'inline-links'
  /**
   * Whether the panel of sources of `CitationTurn.renderHtml` starts open.
   *
   * @default false
   */
  expandSourcesByDefault?: boolean
  /**
   * The most sources a block lists. What the answer cites is always listed.
   *
   * @default Infinity
   */
  maxSourcesDisplayed?: number
  /**
   * Tools whose results are read, with `*` and `?`.
   *
   * @default ['*']
   */
  enabledTools?: string[]
  /**
   * Whether markers of `CitationTurn.renderHtml` show their source when pointed at.
   *
   * @default true
   */
  enableTooltips?: boolean
}

/** Options of `extractToolCitations`. */
export interface ToolOptions {
  /**
   * Read the results of tools nobody knows by the addresses in them.
   *
   * @default false
   */
  scanUnknownTools?: boolean
}

/** Options of `CitationService`. */
export interface CitationServiceOptions
  extends AnthropicOptions,
    CitationConfig,
    ToolOptions,
    InlineOptions,
    GroupOptions {}

/** A tool call and its result. */
export interface ToolCall {
  /** The tool's name, as the host registered it. */
  name?: string
  /** Its arguments: some tools name their sources nowhere else. */
  args?: unknown
  /** The id of the call; sources are called after it. */
  callId?: string
  /** When the result came, to be kept with its sources. */
  timestamp?: string
  /**
   * What it returned, in any wrapping: a string, `{ output }`, `{ error }`, a `ToolResult`,
   * `functionResponse` parts, `tool_response` blocks, an MCP `CallToolResult`, plain data, bytes.
   */
  output: unknown
}

/** Makes sources of a tool's results. */
export interface CitationExtractor {
  /** Which tools: a name with `*` and `?`, or a regular expression. */
  pattern: string | RegExp
  /** Gives the sources of one result. Must not be async. */
  extract(
    requestId: string,
    toolName: string,
    // The host knows what its own tool takes and returns.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    parameters: any,
    // biome-ignore lint/suspicious/noExplicitAny: see above
    output: any,
  ): ReadonlyArray<CitationSource | (CitationSource & Record<string, unknown>)> | null | undefined
}

/** What a sub-agent hands over: its payload, or stored data with its sources. */
export type StoredSources =
  | { sources: ReadonlyArray<object> }
  | ReadonlyArray<object>
  | string
  | Uint8Array

/** A citation in an answer. */
export interface CitationMarker {
  /** First UTF-16 unit. */
  start: number
  /** One past the last UTF-16 unit. */
  end: number
  /** As it is written. */
  text: string
  /** Its numbers as written, ranges spelt out; empty where the dialect names sources by id. */
  numbers: number[]
  /** Sources named by a provider's id, such as `turn0search1`, each with its lines if it gives any. */
  ids?: { id: string; lines?: string }[]
  /** Lines of the source, such as `L3-L5`. */
  lines?: string
  dialect: 'brackets' | 'footnote' | 'lenticular' | 'full-width' | 'private-use' | 'superscript'
}

/** Options of `markers.formatMarkers` and `markers.MarkerStream`. */
export interface FormatMarkersOptions {
  /**
   * How markers are written: `[1][2]`, `¹,²`, `[1](https://…)`, `[^1]`, or not at all.
   *
   * @default 'brackets'
   */
  format?: 'brackets' | 'superscript' | 'inline-links' | 'footnotes' | 'remove'
  /**
   * What becomes of numbers that name no source: kept, left out, or written `[7?]`. With `format: 'remove'`
   * they go with the others, unless they are flagged.
   *
   * @default 'keep'
   */
  dangling?: 'keep' | 'strip' | 'flag'
  /**
   * Whether sources are numbered anew, in the order they are cited.
   *
   * @default false
   */
  renumber?: boolean
}

/** An answer with all markers in one dialect. */
export interface FormattedMarkers {
  text: string
  /** With `renumber`: old numbers to new ones. */
  numbers: Record<number, number>
}

/** Options of `renderAnswerHtml` and `CitationTurn.renderHtml`. */
export interface AnswerHtmlOptions extends InlineOptions {
  /**
   * What every id starts with: a letter, then letters, digits, `-` or `_`, 64 at the most. Each answer of a page
   * needs its own.
   *
   * @default 'cite'
   */
  idPrefix?: string
  /**
   * How markers look: `[1]` or `1`, raised; with `inline-links` they lead to the page itself.
   *
   * @default 'brackets'
   */
  format?: 'brackets' | 'superscript' | 'inline-links'
  /**
   * Whether markers show title, host and excerpt of their source when pointed at or focused.
   *
   * @default true
   */
  enableTooltips?: boolean
  /**
   * Whether the panel starts open.
   *
   * @default false
   */
  expandSourcesByDefault?: boolean
  /**
   * The most sources listed at once; the others wait behind "Show all". What the answer cites is always
   * listed.
   *
   * @default Infinity
   */
  maxSourcesDisplayed?: number
}

/** What goes with `renderAnswerHtml`. */
export interface CitationAssets {
  /**
   * A style sheet: light or dark as the `color-scheme` of the page says, narrow and wide, print. Colours
   * are custom properties such as `--cite-link`.
   */
  css: string
  /** A classic script: tooltips, opening and scrolling, dialogs. */
  script: string
}

/** Options of `renderAnswerMarkdown`. */
export interface AnswerMarkdownOptions extends InlineOptions {
  /**
   * Where sources go: footnotes, links in the text, or a numbered list below it.
   *
   * @default 'list'
   */
  style?: 'footnotes' | 'links' | 'list'
  /**
   * Whether quotations stand under their source.
   *
   * @default true
   */
  showExcerpts?: boolean
}

/** A text that quotations are looked up in. */
export interface QuotedDocument {
  text: string
  /** An id the source has: its own, its file's, or that of the tool call. */
  id?: string
  url?: string
  title?: string
}

/** Whether a source says what it is quoted with. */
export interface QuoteVerdict {
  /** Number of the source. */
  source: number
  citedText: string
  /** Word for word, but for blanks and typography, or nowhere. */
  verdict: 'exact' | 'normalized' | 'not_found'
  /** Index of the document it stands in. */
  document?: number
  /** First UTF-16 unit in that document. */
  start?: number
  /** One past the last UTF-16 unit. */
  end?: number
}

/** Options of `grounding.anchorCitations` and `CitationTurn.anchored`. */
export interface AnchorOptions {
  /**
   * Who answered.
   *
   * @default by the shape of the response: 'gemini_direct', 'openai' or 'anthropic'
   */
  vendor?: 'gemini_direct' | 'vertex' | 'openai' | 'anthropic' | (string & {})
  /**
   * Which model answered.
   *
   * @default what the response says, where it says so
   */
  model?: string
  /**
   * How the fields of the result are spelled. With `snake_case`, its type is this one in that spelling.
   *
   * @default 'camelCase'
   */
  keys?: 'camelCase' | 'snake_case'
}

/** Where a source of a grounded answer is, and what it is called. */
export interface AnchoredPage {
  /** The best address there is. */
  resolvedUrl: string | null
  /** The address before redirects were resolved. */
  rawUri: string | null
  title: string | null
  /** Its host; behind a redirect, the name Google gives it, which is that. */
  domain: string | null
  /** `chunk_0`: its place in the provider's list, where it has one; else an id of the source. */
  sourceId: string
}

/** A span of a grounded answer. */
export interface AnchoredAnnotation {
  /** First UTF-16 unit. */
  start: number
  /** One past the last UTF-16 unit. */
  end: number
  text: string
  sources: (AnchoredPage & { chunkIndex?: number })[]
}

/** The citations of a grounded answer, tied to its text. */
export interface AnchoredCitations {
  vendor: string | null
  model: string | null
  annotations: AnchoredAnnotation[]
  /** Every source once, with how many spans lean on it. */
  citations: (AnchoredPage & { count: number })[]
  metadata: {
    /** Sources that a span leans on. */
    anchoredCitationsCount: number
    /** Sources that none leans on. */
    unlinkedSourcesCount: number
    /** Share of the answer's UTF-16 units that lie in a span, in percent, to one decimal. */
    anchoredCoveragePct: number
    /** Why a policy that requires grounding may pass: spans, or of Google sources or at least a search. */
    requiredPassReason:
      | 'anchored_google'
      | 'unlinked_google'
      | 'anchored_openai'
      | 'anchored_anthropic'
      | (string & {})
      | null
    /** Why there are no spans. */
    whyNotAnchored:
      | 'API_RESPONSE_MISSING_GROUNDING_CHUNKS'
      | 'API_RESPONSE_MISSING_GROUNDING_SUPPORTS'
      | 'GROUNDING_SUPPORTS_NOT_PLACED'
      | 'NO_TOOL_CALL'
      | null
    /** Whether something was searched for and nothing came of it. */
    groundingEvidenceMissing: boolean
    /** Searches that were made. */
    toolCallCount: number
    webSearchQueries: string[]
    /** Sources the provider listed. */
    groundingChunks: number
    /** Spans it tied to them. */
    groundingSupports: number
  }
}

/** Options of `grounding.evaluateGrounding`. */
export interface EvaluateOptions {
  /**
   * Whether an answer without grounding fails.
   *
   * @default 'required'
   */
  mode?: 'required' | 'auto'
  /**
   * The least share of the answer that must lie in spans, in percent, or else `minAnnotations`.
   *
   * @default 2
   */
  minCoveragePct?: number
  /**
   * The least number of spans, or else `minCoveragePct`.
   *
   * @default 3
   */
  minAnnotations?: number
  /** The request the answer is to: it must hold one system and one user message. Handed back untouched. */
  request?: object
  /**
   * Models that may answer, where the request is given.
   *
   * @default ['gemini-2.5-pro']
   */
  allowedModels?: string[]
  /**
   * Vendors that may answer, where the request is given.
   *
   * @default ['gemini_direct', 'vertex']
   */
  allowedVendors?: string[]
}

/** One condition of a policy. */
export interface GroundingGate {
  name:
    | 'tool_call_count'
    | 'grounding_chunks'
    | 'grounding_supports'
    | 'anchored_coverage_pct'
    | 'two_messages'
    | 'model'
    | 'vendor'
  value: unknown
  limit: unknown
  pass: boolean
}

/** What a policy says of an answer. */
export interface GroundingEvaluation {
  pass: boolean
  /** Why it passes, or the name of the first gate that is shut. */
  reason: string | null
  gates: GroundingGate[]
  /** The request, as it was handed over. */
  request?: object
}

/** What is worth watching over many answers. */
export interface GroundingSummary {
  count: number
  medianCoveragePct: number
  groundingEvidenceMissingTotal: number
  /** How many for which reason; `none` for those without. */
  reasons: Record<string, number>
}

/** A source whose address leads through a redirect. */
export interface PendingResolution {
  /** Its number. */
  number: number
  url: string
  /** What Google calls it: the host of the page. */
  title?: string
}

/** Options of `grounding.renderCoverage` and `grounding.coverageSvg`. */
export interface CoverageOptions {
  /**
   * Columns. Fewer than 20 count as 20, and 0 as 80.
   *
   * @default 80
   */
  width?: number
  /**
   * Whether passages are underlined. Without, they stand between `«` and `»`. SVG always shows colours.
   *
   * @default true
   */
  color?: boolean
}

/** A source in stored data. */
export interface StoredSource {
  id: string
  type: CitationSourceType
  /** The tool that found it, or the provider that cited it. */
  toolName?: string
  /** Its address, its path, or what its owner calls it. */
  uri?: string
  title?: string
  domain?: string
  snippet?: string
  /** The provider's id of a stored file. */
  fileId?: string
  citedText?: string
  location?: CitationLocation
  shownInline?: true
  pageNumber?: number
  lineStart?: number
  lineEnd?: number
  agentId?: string
  /** Other names and places of the same source. */
  also?: CitationMention[]
}

/** A marker of an answer and the sources it points at. */
export interface CitationReference {
  id: string
  /** The number shown; of a marker with several, the first that names a source. */
  index: number
  /** First UTF-16 unit of the marker. */
  startIndex: number
  /** One past its last UTF-16 unit. */
  endIndex: number
  /** The marker itself, such as `[2, 3]`. */
  citedText: string
  sourceIds: string[]
}

/** A marker that names something nobody listed. */
export interface UnresolvedReference {
  startIndex: number
  endIndex: number
  citedText: string
  /** The numbers or ids that name no source. */
  names: string[]
}

/** What is stored with a message: its sources, and which of them its markers point at. */
export interface StoredCitationData {
  sources: StoredSource[]
  references: CitationReference[]
  unresolved: UnresolvedReference[]
}

/** Options for sources that a tool's own output lists. */
export interface InlineOptions {
  /**
   * Whether a block lists what a tool has listed in its own output, as `google_web_search` does.
   *
   * @default false
   */
  showInlineSources?: boolean
}

/** Options of `CitationTurn.render`. */
export interface RenderTurnOptions extends RenderOptions {
  /** What the host or a tool has shown already; it is left out. */
  alreadyShown?: AlreadyShown
}

/** Options of `insertMarkers`. */
export interface InsertMarkersOptions {
  /**
   * Whether a space stands before each group of markers.
   *
   * @default false
   */
  spaced?: boolean
}

/**
 * What a provider sent: its SDK's object, parsed JSON, a JSON string, or the whole body as text or bytes, JSON, JSON
 * lines or server-sent events. Of any other shape nothing is read, and nothing is thrown.
 */
export type ProviderInput = object | string | Uint8Array | null | undefined

/** A tool result that lists its own sources, as LLxprt's `google_web_search` does. */
export interface ToolResultWithSources {
  sources?: ReadonlyArray<{ web?: { uri?: string; title?: string } } | CitationSource> | null
}

/** What was shown already: addresses, sources, tool results, or a list of these. */
export type AlreadyShown =
  | string
  | CitationSource
  | ToolResultWithSources
  | ReadonlyArray<string | CitationSource | ToolResultWithSources>
  | null

/** Whether Anthropic's citations are read. */
export interface AnthropicOptions {
  /**
   * Read Anthropic's citations. Off by default: LLxprt sends no documents yet.
   *
   * @default false
   */
  documents?: boolean
}

/** Whether passages are shown one by one or by document. */
export interface GroupOptions {
  /**
   * Whether several passages of one document are one source, under one number.
   *
   * @default false
   */
  groupByDocument?: boolean
}

/** Options of `extractAnthropicCitations`. */
export interface ExtractAnthropicOptions extends AnthropicOptions {
  /** The parameters of the request, for the titles of its documents. */
  request?: object | string | Uint8Array
}

/** Options of the document builders of `anthropic`. */
export interface DocumentOptions {
  /** What it is called. Shown to the model, named in citations, never cited itself. */
  title?: string
  /** What the model should know about it. Never cited. */
  context?: string
  /**
   * Whether it can be cited. All documents of a request must agree on this.
   *
   * @default true
   */
  citations?: boolean
  /** Whether it is cached, and for how long; `true` leaves that to the API. */
  cacheControl?: boolean | '5m' | '1h'
}

interface DocumentBlock<Source> {
  type: 'document'
  source: Source
  title?: string
  context?: string
  citations: { enabled: boolean }
  cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' }
}

/** A plain text document of an Anthropic request. */
export type PlainTextDocument = DocumentBlock<{
  type: 'text'
  media_type: 'text/plain'
  data: string
}>

/** A PDF document of an Anthropic request. */
export type PdfDocument = DocumentBlock<
  { type: 'base64'; media_type: 'application/pdf'; data: string } | { type: 'url'; url: string }
>

/** A block of a custom content document. */
export interface ContentDocumentBlock {
  type: 'text'
  text: string
}

/** A custom content document of an Anthropic request. */
export type CustomContentDocument = DocumentBlock<{
  type: 'content'
  content: ContentDocumentBlock[]
}>

/** A document of an Anthropic request that was uploaded before. */
export type FileDocument = DocumentBlock<{ type: 'file'; file_id: string }>

/** Something about a request that the API would refuse, or take and never cite. */
export interface RequestComplaint {
  code:
    | 'partly_enabled'
    | 'model_cannot_cite'
    | 'structured_output'
    | 'pdf_without_text'
    | 'empty_document'
    | 'not_citable'
  /** Where, such as `messages[0].content[1].citations`. */
  path: string
  /** What is wrong. */
  reason: string
  /** What to do about it. */
  remedy: string
}

/** How the block of sources is written. */
export interface RenderOptions extends InlineOptions {
  /**
   * How links are written. `osc8` makes terminal hyperlinks, `markdown` one Markdown link per line,
   * `plain` prints addresses (right for LLxprt's info items, which break the others), `auto` asks
   * `detectHyperlinks`, once per process unless `terminal` is given.
   *
   * @default 'auto'
   */
  links?: 'auto' | 'osc8' | 'markdown' | 'plain'
  /**
   * What ends a terminal hyperlink. Ink reads `bel` only.
   *
   * @default 'bel'
   */
  terminator?: 'bel' | 'st'
  /**
   * Columns to wrap at; fewer than 20 count as 20, and 0 does not wrap. Links are opened again on each row. Markdown is
   * never wrapped.
   *
   * @default 0
   */
  width?: number
  /**
   * The most sources to list; the rest is counted in a last line. What the answer cites is always
   * listed, where the payload says what that is.
   *
   * @default Infinity
   */
  maxSources?: number
  /**
   * Whether quotations stand under their source.
   *
   * @default true
   */
  showExcerpts?: boolean
  /** The terminal that `links: 'auto'` looks at. */
  terminal?: TerminalDescription
}

/** Options of `renderCitations`. */
export interface RenderCitationsOptions extends RenderTurnOptions, AnthropicOptions, GroupOptions {}

/** A piece of a row, all of it linked or none. */
export interface CitationSegment {
  text: string
  /** Where the text leads. */
  url?: string
}

/** One row of the block. */
export type CitationLine = CitationSegment[]

/** A terminal, as its process sees it. */
export interface TerminalDescription {
  env?: Readonly<Record<string, string | undefined>>
  isTTY?: boolean
  platform?: string
}

/** Whether a terminal shows hyperlinks. */
export interface HyperlinkSupport {
  supported: boolean
  /** Why, in words. */
  reason: string
}

/** What `/set citations …` meant: a value with the message to print, or an error. */
export type ParsedCitationsSetting =
  | { value: 'enabled' | 'disabled'; message: string; error?: undefined }
  | { error: string; value?: undefined; message?: undefined }

/** A source as Open WebUI keeps it with a message: documents, and for each its metadata. */
export interface OpenWebuiSource {
  /** What the documents come from. */
  source?: { id?: string; name?: string; url?: string; [key: string]: unknown }
  /** Texts of the source. */
  document?: string[]
  /** For each document: what it belongs to (`source`), its page from 0, and whatever else. */
  metadata?: OpenWebuiMetadata[]
  /** For each document: how well it fits, as the search said. */
  distances?: number[]
  [key: string]: unknown
}

/** What Open WebUI knows of one document. Fields that it does not know stay with it, unshown. */
export interface OpenWebuiMetadata {
  /** What the document belongs to: sources are counted by this. */
  source?: string
  name?: string
  /** Counted from 0. */
  page?: number
  [key: string]: unknown
}

/** A message of Open WebUI, as far as its sources are concerned. */
export interface OpenWebuiMessage {
  content?: string
  sources?: OpenWebuiSource[]
  /** What older releases call `sources`. */
  citations?: OpenWebuiSource[]
  [key: string]: unknown
}

/**
 * Sources of Open WebUI or of ours: a list, a message, an event, a payload, or one of these as JSON. What is
 * none of these has no sources.
 */
export type OpenWebuiInput = object | string | Uint8Array | null | undefined

/** A payload, a list of sources, or one of these as JSON. */
export type OpenWebuiPayloadInput =
  | CitationPayload
  | ReadonlyArray<CitationSource>
  | string
  | Uint8Array

/** An entry of the list below a message. */
export interface OpenWebuiListedSource {
  /** The number that `[n]` names, from 1. */
  number: number
  /** What its documents belong to. */
  id: string
  name: string
  /** An http or https address, where there is one. */
  url?: string
  documents: OpenWebuiListedDocument[]
}

/** A document of such an entry. */
export interface OpenWebuiListedDocument {
  text: string
  /** Counted from 1. */
  page?: number
  /** As the search said: current releases of Open WebUI send relevance from 0 to 1. */
  score?: number
  /** The very object of the message. */
  metadata: OpenWebuiMetadata
  /** Names of the metadata that the list shows nowhere. */
  notShown: string[]
}

/**
 * Which binding artifact the generated loader actually loaded: `'native'` for
 * a native addon, otherwise the `platformArchABI` of the WASI flavor. Every
 * flavor napi-rs can build is listed, because `NAPI_RS_NATIVE_LIBRARY_PATH`
 * can point the loader at a WASI artifact this package does not build itself.
 */
export declare const __napiBindingTarget: 'native' | 'wasm32-wasi' | 'wasm32-wasip1'

/** An extractor for one tool or family of tools. Listed by `getDefaultExtractors()`. */
export declare class BuiltInExtractor {
  /** What it is called. */
  get name(): string
  /** Which tools it reads. */
  get pattern(): RegExp
  /** What it finds. */
  get type(): CitationSourceType
  /** The sources of a result of such a tool. */
  extract(requestId: string, toolName: string, parameters: unknown, output: unknown): CitationSource[]
}

/**
 * Keeps what all turns of a session share. Make one and start a turn for each prompt.
 *
 * @example
 * ```ts
 * const citations = new CitationService({ enabledTools: ['exa_web_search', 'mcp__*'] })
 * const turn = citations.startTurn()
 * for await (const event of stream) turn.push(event)
 * turn.addToolResult({ name, args, callId, output })
 * console.log(turn.render({ links: 'osc8' }))
 * ```
 */
export declare class CitationService {
  /** @throws `TypeError` when an option has a value it cannot have. */
  constructor(options?: CitationServiceOptions)
  /** The options, with defaults where none were given. */
  get config(): Required<CitationConfig>
  /**
   * Adds an extractor for tools of your own, or instead of a built-in one. The first that matches
   * wins, in the order they were registered, before all built-in ones. One that throws or returns
   * nonsense costs its own sources only, and is reported as `extractor_failed`.
   *
   * A string pattern is a tool's name, with `*` and `?`; a regular expression is searched for.
   *
   * @throws `TypeError` when `extractor` has no `pattern` or no `extract`.
   *
   * @example
   * ```ts
   * citations.registerExtractor({
   *   pattern: /^jira_/,
   *   extract: (requestId, toolName, parameters, output) =>
   *     output.issues.map((issue: Issue) => ({ title: issue.summary, url: issue.self, type: 'api' })),
   * })
   * ```
   */
  registerExtractor(extractor: CitationExtractor): void
  /**
   * The sources of a tool result, read by the host's extractors and the built-in ones. An extractor that
   * fails gives `[]` here, and why is not said: `CitationTurn.addToolResult` reports it.
   */
  extractToolCitations(call: ToolCall): CitationSource[]
  /** A turn with nothing in it. Reuse it with `reset()`: a new one costs more than most turns do. */
  startTurn(): CitationTurn
  /**
   * A turn that goes on where a serialized one was: the same sources, numbers, spans and text. The
   * options are those of this service.
   *
   * @throws `TypeError` when `data` is not what `CitationTurn.serialize` gave, as text, bytes or
   * parsed, or when it was written by a release with another format.
   */
  restoreTurn(data: string | Uint8Array | object): CitationTurn
}

/** What one turn has cited so far. Made by `CitationService.startTurn()`. */
export declare class CitationTurn {
  /**
   * Takes an event, a chunk or a whole response of any provider, as an object, as JSON, JSON lines
   * or server-sent events; which one is found out by its shape. Anything else is passed over. One turn may span several
   * model calls.
   *
   * @example
   * ```ts
   * for await (const chunk of await ai.models.generateContentStream(request)) turn.push(chunk)
   * ```
   */
  push(event: ProviderInput): void
  /**
   * Takes the next bytes of a response body: server-sent events, JSON lines or one JSON document,
   * cut anywhere, even inside a character.
   *
   * @throws `TypeError` when `chunk` is no `Uint8Array`.
   *
   * @example
   * ```ts
   * for await (const chunk of response.body) turn.pushBytes(chunk)
   * ```
   */
  pushBytes(chunk: Uint8Array): void
  /**
   * Takes the result of a tool call. Answers the numbers its sources have in this turn, in their
   * order; a page that is known already keeps the number it has.
   *
   * @example
   * ```ts
   * turn.addToolResult({ name: 'exa_web_search', args, callId, output: result })   // [1, 2, 3]
   * turn.addToolResult({ name: 'direct_web_fetch', args: { url }, callId, output: page })   // [2]
   * ```
   */
  addToolResult(call: ToolCall): number[]
  /**
   * Adds what a sub-agent found, under its name: its payload, or the data stored of it. Answers the
   * number each of its sources has here, in their order (0 for what is no source). Merging the same
   * again adds nothing; sources that came from an agent further down keep its name.
   *
   * @throws `TypeError` when `agentId` is no string.
   *
   * @example
   * ```ts
   * turn.merge('researcher', await researcher.citations())   // [4, 1, 5]
   * ```
   */
  merge(agentId: string, stored: StoredSources): number[]
  /**
   * A sub-agent's text with its `[n]` renumbered to the numbers its sources have in this turn, where
   * they are merged unless they are there. A number that names no source of the sub-agent becomes
   * `[n?]`, so that it does not point at somebody else's.
   *
   * @throws `TypeError` when `text` or `agentId` is no string.
   *
   * @example
   * ```ts
   * turn.mergeAgentText('Tokio is a runtime [1].', stored, 'researcher')   // 'Tokio is a runtime [4].'
   * ```
   */
  mergeAgentText(text: string, stored: StoredSources, agentId?: string): string
  /**
   * Says which documents the request carries, for Anthropic's citations of them: they get their titles, and
   * what they quote is held against the document (`quote_differs` reports where that is not so). Takes the
   * parameters of the request as they were sent.
   *
   * @example
   * ```ts
   * turn.setRequest(params)
   * for await (const event of client.messages.stream(params)) turn.push(event)
   * ```
   */
  setRequest(params: object | string | Uint8Array): void
  /** Forgets everything, as a host must when it tries a model call again. */
  reset(): void
  /**
   * What the turn has come to: sources, spans of the answer, reports. Can be called at any time and
   * more than once.
   *
   * A host that has the answer anyway can leave out the events that carry only text and hand the
   * answer over here; the spans are then places in it.
   *
   * @example
   * ```ts
   * const { answer, sources, anchors } = turn.finish()
   * anchors[0] // { start: 0, end: 57, text: 'The Rust …', sources: [1, 2] }
   * ```
   */
  finish(text?: string): TurnPayload
  /**
   * Everything the turn knows, as JSON with a version, for `CitationService.restoreTurn`.
   *
   * @example
   * ```ts
   * message.metadata.citations = turn.serialize()
   * ```
   */
  serialize(): string
  /**
   * The citations of the turn tied to its text, with the figures a policy asks for; see
   * `grounding.anchorCitations`.
   *
   * @throws `TypeError` when an option has a value it cannot have.
   */
  anchored(options?: AnchorOptions): AnchoredCitations
  /**
   * The block of sources of the turn so far, under the numbers they have in it. What a tool lists in
   * its own output is left out, unless `showInlineSources` is true. No sources: `''`.
   *
   * @throws `TypeError` when an option has a value it cannot have.
   */
  render(options?: RenderTurnOptions): string
  /**
   * The answer of the turn with its sources, as a piece of a page; see `renderAnswerHtml`. What is not
   * chosen here is as the service was told.
   *
   * @throws `TypeError` when an option has a value it cannot have.
   */
  renderHtml(options?: AnswerHtmlOptions): string
}

/**
 * Finds the markers of an answer and says which sources they point at, in the form applications store
 * with a message. Sources without an id are given one, from `streamId`. A marker that names no source
 * is listed in `unresolved`, never invented.
 *
 * @throws `TypeError` when `streamId` or `text` is no string.
 *
 * @example
 * ```ts
 * buildCitationData('stream-1', 'Tokio is a runtime [1].', turn.finish().sources)
 * // { sources: [{ id: 'req-1-0', type: 'web', … }],
 * //   references: [{ id: 'stream-1-ref-0', index: 1, startIndex: 19, endIndex: 22, citedText: '[1]', sourceIds: ['req-1-0'] }],
 * //   unresolved: [] }
 * ```
 */
export declare function buildCitationData(streamId: string, text: string, sources: StoredSources): StoredCitationData

/**
 * The style and the script that go with `renderAnswerHtml`. Include each once; the script also serves
 * answers that are added later. Neither needs `unsafe-inline` when served as a file, and no handler is
 * written into the HTML.
 *
 * @example
 * ```ts
 * const { css, script } = citationAssets()
 * app.get('/cite.css', (_, reply) => reply.type('text/css').send(css))
 * app.get('/cite.js', (_, reply) => reply.type('text/javascript').send(script))
 * ```
 */
export declare function citationAssets(): CitationAssets

/**
 * Lists every source once, in the order of first appearance, without what was shown already.
 *
 * Pages are matched by address (case of the host, default port, trailing slash and
 * `utm_source=openai` do not count), passages of documents by document and place. What a repeat
 * adds stays in `also`.
 *
 * @example
 * ```ts
 * dedupeCitations([{ url: 'https://a.example/x' }, { url: 'https://A.example/x/' }])   // one source
 * dedupeCitations(sources, toolResult)           // without what google_web_search has listed itself
 * dedupeCitations(sources, ['https://a.example/x'])
 * ```
 */
export declare function dedupeCitations(sources: ReadonlyArray<CitationSource> | string | Uint8Array, alreadyShown?: AlreadyShown): CitationSource[]

/**
 * Whether this terminal shows hyperlinks (OSC 8), and why. Looks at nothing but its argument.
 *
 * `FORCE_HYPERLINK` decides when it is set (`0` and `false` mean no); inside tmux and GNU screen
 * the answer is no.
 *
 * @example
 * ```ts
 * detectHyperlinks({ env: process.env, isTTY: process.stdout.isTTY, platform: process.platform })
 * // { supported: true, reason: 'iTerm.app 3.5.0' }
 * ```
 */
export declare function detectHyperlinks(terminal: TerminalDescription): HyperlinkSupport

/**
 * The sources of an Anthropic message, one per citation, in the order of the text.
 *
 * Dormant unless `documents` is true: then a `Message`, content blocks, citations or stream
 * events are read, with all five kinds of location. Anything else gives `[]`. With the `request`, documents
 * whose citations come without a title are called what they are called there.
 *
 * @throws `TypeError` when an option has a value it cannot have.
 *
 * @example
 * ```ts
 * extractAnthropicCitations(message)                       // []
 * extractAnthropicCitations(message, { documents: true })
 * // [{ title: 'My Document', citedText: 'The grass is green. ', provider: 'anthropic', location: { type: 'char_location', … } }]
 * ```
 */
export declare function extractAnthropicCitations(input: ProviderInput, options?: ExtractAnthropicOptions): CitationSource[]

/**
 * The sources of a Gemini or Vertex response, in the order of its grounding chunks.
 *
 * Takes a `GenerateContentResponse`, a list of streamed ones, a candidate, its
 * `groundingMetadata`, or LLxprt's neutral `GroundingInfo`. Anything else gives `[]`.
 *
 * @example
 * ```ts
 * const response = await ai.models.generateContent({ model, contents, config: { tools: [{ googleSearch: {} }] } })
 * extractGeminiCitations(response)
 * // [{ title: 'History of Rust', url: 'https://…', provider: 'gemini', location: { type: 'grounding', groundingChunkIndex: 0 } }]
 * ```
 */
export declare function extractGeminiCitations(input: ProviderInput): CitationSource[]

/**
 * The sources of an OpenAI Responses answer, one per annotation, in the order of the text.
 *
 * Takes a `Response`, an output item, a content part, a list of annotations, or a stream event
 * that holds one of these. Anything else gives `[]`.
 *
 * @example
 * ```ts
 * const response = await openai.responses.create({ model, input, tools: [{ type: 'web_search' }] })
 * extractOpenAIResponsesCitations(response)
 * // [{ title: 'Node.js Releases', url: 'https://…', provider: 'openai-responses', location: { type: 'url_citation', startIndex: 40, endIndex: 95 } }]
 * ```
 */
export declare function extractOpenAIResponsesCitations(input: ProviderInput): CitationSource[]

/**
 * The sources of a tool result, read by the built-in extractor of that tool.
 *
 * `output` may be a string, `{ output }`, a `ToolResult`, `functionResponse` parts, `tool_response`
 * blocks, an MCP `CallToolResult`, plain data or bytes. Errors, empty results and notices of limits
 * give `[]`, and so do tools nobody knows, unless `scanUnknownTools` is true. For extractors of your
 * own, see `CitationService.registerExtractor`.
 *
 * @throws `TypeError` when an option has a value it cannot have.
 *
 * @example
 * ```ts
 * extractToolCitations({ name: 'web_search', callId: 'req-1', output: { results: [{ title: 'React 19', link: 'https://react.dev/blog' }] } })
 * // [{ title: 'React 19', url: 'https://react.dev/blog', domain: 'react.dev', type: 'web', id: 'req-1-0', toolName: 'web_search', toolRequestId: 'req-1' }]
 * ```
 */
export declare function extractToolCitations(call: ToolCall, options?: ToolOptions): CitationSource[]

/**
 * The sources as a model reads them, one line each; the numbers are those it must cite by. Text of a
 * source never leaves its line.
 *
 * @example
 * ```ts
 * formatSourcesForPrompt(turn.finish().sources)
 * // [1] example.com: Page Title - "snippet…"
 * // [2] file.pdf: Document (page 5) - "…"
 * ```
 */
export declare function formatSourcesForPrompt(sources: StoredSources): string

/**
 * Rules for a model that is to cite: how a citation is written and when. For a system prompt, together
 * with `formatSourcesForPrompt`.
 */
export declare function getCitationGuidelines(): string

/**
 * The extractors that are built in, in the order they are tried.
 *
 * @example
 * ```ts
 * getDefaultExtractors().map((extractor) => extractor.pattern)   // [/^web_search$/, …]
 * ```
 */
export declare function getDefaultExtractors(): BuiltInExtractor[]

/**
 * The answer with `[1][2]` behind each span that leans on sources.
 *
 * Markers ascend where several spans end at the same place. They never stand inside a link, an
 * address, code or a user-perceived character, but behind it; at the start of a line they would be
 * part of what follows, so they go back to the words before. Behind a fence that is still open all is
 * code: there they are left out.
 *
 * Apart from its markers the text comes back as it was given, control characters included, so that it can
 * still be told where everything was. Whoever prints it must clean it, or use one of the renderings.
 *
 * @throws `TypeError` when an option has a value it cannot have.
 *
 * @example
 * ```ts
 * const payload = turn.finish()
 * insertMarkers(payload.answer, payload)
 * // 'The Rust programming language was first released in 2015.[1][2]'
 * ```
 */
export declare function insertMarkers(text: string, payload: Pick<TurnPayload, 'anchors'> | string | Uint8Array, options?: InsertMarkersOptions): string

/**
 * The same block as rows of segments, each with its text and the address it leads to, for Ink and
 * other interfaces that draw text themselves. `links` and `terminator` have no meaning here.
 *
 * @throws `TypeError` when an option has a value it cannot have.
 *
 * @example
 * ```tsx
 * layoutCitationBlock(payload, { width: 80 }).map((row, i) => (
 *   <Text key={i}>{row.map(({ text, url }) => (url ? createOsc8Link(text, url) : text)).join('')}</Text>
 * ))
 * ```
 */
export declare function layoutCitationBlock(payload: CitationPayload | string | Uint8Array, options?: RenderOptions): CitationLine[]

/**
 * Reads the value of `/set citations …`.
 *
 * @example
 * ```ts
 * parseCitationsSetting('Enabled')
 * // { value: 'enabled', message: 'Citations enabled. Structured source references will appear …' }
 * parseCitationsSetting('maybe')
 * // { error: "Invalid citations mode 'maybe'. Valid modes are: enabled, disabled" }
 * ```
 */
export declare function parseCitationsSetting(value: unknown): ParsedCitationsSetting

/**
 * An answer in Markdown as a piece of a page: markers become links to a panel of sources below it.
 *
 * CommonMark with tables; HTML in the answer is shown as text, pictures become links, and links lead to http
 * or https or nowhere. An answer without markers gets them from the spans of the payload. It works without
 * any script; `citationAssets` gives the style, and the script for tooltips and dialogs. Answers on the
 * same page need an `idPrefix` each.
 *
 * @throws `TypeError` when `markdown` is no string, or an option has a value it cannot have.
 *
 * @example
 * ```ts
 * const payload = turn.finish()
 * message.innerHTML = renderAnswerHtml(payload.answer, payload, { idPrefix: `m${message.id}` })
 * ```
 */
export declare function renderAnswerHtml(markdown: string, payload: CitationPayload | TurnPayload | StoredCitationData | string | Uint8Array, options?: AnswerHtmlOptions): string

/**
 * An answer with its sources as Markdown for other programs: footnotes, links in the text, or a numbered
 * list below it. Titles are escaped and addresses encoded, so that neither can end its link.
 *
 * Control characters, bidirectional and invisible ones are gone from the answer too, as they are from a page;
 * tabs stay, and line breaks, each as a line feed.
 *
 * What a style has no place for is listed below the text: with `footnotes` sources nobody points at, with
 * `links` also those that have no address. An answer with footnotes of its own gets a list.
 *
 * @throws `TypeError` when `markdown` is no string, or an option has a value it cannot have.
 *
 * @example
 * ```ts
 * renderAnswerMarkdown('Rust is old [1].', payload, { style: 'footnotes' })
 * // Rust is old [^1].
 * //
 * // [^1]: [History of Rust](https://en.example/rust)
 * //
 * ```
 */
export declare function renderAnswerMarkdown(markdown: string, payload: CitationPayload | TurnPayload | StoredCitationData | string | Uint8Array, options?: AnswerMarkdownOptions): string

/**
 * The block of sources of a payload, as text without a final line break. No sources: `''`.
 *
 * @throws `TypeError` when an option has a value it cannot have.
 *
 * @example
 * ```ts
 * renderCitationBlock({ text: '', sources: [{ title: 'History of Rust', url: 'https://en.example/rust' }] })
 * //  Sources:
 * //   1. History of Rust — https://en.example/rust
 * ```
 */
export declare function renderCitationBlock(payload: CitationPayload | string | Uint8Array, options?: RenderOptions): string

/**
 * From a response to its block in one call: extract, clean, deduplicate, render.
 *
 * The response may be of Gemini, OpenAI Responses or, with `documents`, Anthropic; which one is
 * found out by its shape. Nothing to cite: `''`.
 *
 * @throws `TypeError` when an option has a value it cannot have.
 *
 * @example
 * ```ts
 * renderCitations(response, { links: 'osc8', width: process.stdout.columns })
 * renderCitations(await (await fetch(url, init)).bytes(), { links: 'plain' })
 * ```
 */
export declare function renderCitations(input: ProviderInput, options?: RenderCitationsOptions): string

/**
 * Whether the user wants to see citations: session setting, then stored setting, then merged
 * settings, else no. Takes LLxprt's `Config`, its runtime of 0.11, or nothing; never throws, never
 * logs.
 *
 * @example
 * ```ts
 * resolveCitationsEnabled(this.chat.getConfig())         // turn.ts
 * resolveCitationsEnabled(config, settings)              // useGeminiStream.ts
 * ```
 */
export declare function resolveCitationsEnabled(config?: unknown, settings?: unknown): boolean

/**
 * Cleans one source: text that cannot steer a terminal, at most 200 characters of excerpt, an
 * http or https address or none. A source whose address is refused keeps its place and its name.
 *
 * @example
 * ```ts
 * sanitizeCitationSource({ title: 'a\u001b[31mb', url: 'javascript:alert(1)' })
 * // { title: 'a[31mb', uri: 'javascript:alert(1)' }
 * ```
 */
export declare function sanitizeCitationSource(source: CitationSource): CitationSource

/**
 * Whether a provider of LLxprt, by name or alias, has an API that cites by itself. Advisory:
 * extraction runs whenever there is citation data, whatever this says.
 *
 * @example
 * ```ts
 * supportsCitations('gemini')   // true
 * supportsCitations('openai')   // false: Chat Completions has none
 * ```
 */
export declare function supportsCitations(provider: string): boolean

export declare namespace anthropic {
  /**
   * What the API would refuse about citations in a request, and what it would take and never cite: each with
   * where, why and what to do. A valid request gives `[]`.
   *
   * @example
   * ```ts
   * anthropic.checkCitationRequest({ model: 'claude-3-haiku-20240307', max_tokens: 1024, messages })
   * // [{ code: 'model_cannot_cite', path: 'model', reason: 'Claude Haiku 3 does not cite', remedy: 'take another …' }]
   * ```
   */
  export function checkCitationRequest(params: object | string | Uint8Array): RequestComplaint[]
  /**
   * A document of blocks of your own: cited by block, never split further. For transcripts, lists, chunks of
   * a retrieval.
   *
   * @throws `TypeError` when `blocks` is no list of strings or content blocks, or an option has a value it
   * cannot have.
   *
   * @example
   * ```ts
   * anthropic.customContentDocument(['First chunk.', 'Second chunk.'], { title: 'Notes' })
   * ```
   */
  export function customContentDocument(blocks: ReadonlyArray<string | ContentDocumentBlock>, options?: DocumentOptions): CustomContentDocument
  /**
   * A document that was uploaded before, by its `file_id`.
   *
   * @throws `TypeError` when `fileId` is no string, or an option has a value it cannot have.
   */
  export function fileDocument(fileId: string, options?: DocumentOptions): FileDocument
  /**
   * The words a citation points at in its document, and where they stand there. `null` where that cannot be
   * told: pages of a PDF, files, places beyond the end.
   *
   * @example
   * ```ts
   * anthropic.locate(document, { type: 'char_location', startCharIndex: 0, endCharIndex: 20, documentIndex: 0 })
   * // { text: 'The grass is green. ', start: 0, end: 20 }
   * ```
   */
  export function locate(document: string | object, location: CitationLocation | object | null | undefined): { text: string; start: number; end: number } | null
  /**
   * A PDF document: cited by page. Bytes are encoded here; a string is an http or https address, or base64.
   *
   * @throws `TypeError` when `file` is neither, or an option has a value it cannot have.
   *
   * @example
   * ```ts
   * anthropic.pdfDocument(await readFile('report.pdf'), { title: 'Report', cacheControl: '1h' })
   * anthropic.pdfDocument('https://example.com/report.pdf')
   * ```
   */
  export function pdfDocument(file: Uint8Array | string, options?: DocumentOptions): PdfDocument
  /**
   * A plain text document: cited by sentence, in characters. Citations are on unless `citations` is false.
   *
   * The text that citations quote is not billed, neither in the answer nor when the answer is sent again.
   *
   * @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
   *
   * @example
   * ```ts
   * const content = [
   *   anthropic.plainTextDocument('The grass is green. The sky is blue.', { title: 'My Document' }),
   *   { type: 'text' as const, text: 'What color is the grass?' },
   * ]
   * await client.messages.create({ model, max_tokens: 1024, messages: [{ role: 'user', content }] })
   * ```
   */
  export function plainTextDocument(text: string, options?: DocumentOptions): PlainTextDocument
}

export declare namespace grounding {
  /**
   * The citations of a grounded answer, tied to its text: spans with the sources they lean on, every source
   * once with its count, and the figures a policy asks for.
   *
   * Takes a response of Gemini or Vertex, whole, as a list of chunks or as bytes, with either spelling of its fields;
   * OpenAI's and Anthropic's are taken as well.
   *
   * @throws `TypeError` when an option has a value it cannot have.
   *
   * @example
   * ```ts
   * const anchored = grounding.anchorCitations(response, { model: 'gemini-2.5-pro' })
   * anchored.metadata.anchoredCoveragePct   // 89
   * grounding.auditLine(anchored)           // 'AUDIT vendor=gemini_direct model=gemini-2.5-pro tool_calls=3 …'
   * ```
   */
  export function anchorCitations(input: ProviderInput, options?: AnchorOptions): AnchoredCitations
  /**
   * The payload with the pages' own addresses in it. Sources that turn out to be the same page become one, under
   * the number that was first; spans follow. The address each was given under stays in `rawUrl`. Where
   * numbers change, markers in the text of the answer are left alone, and `numbers[n - 1]` is the new number of
   * source n.
   *
   * @example
   * ```ts
   * grounding.applyResolvedUrls(payload, { 'https://vertexaisearch.cloud.google.com/…': 'https://example.com/page' })
   * ```
   */
  export function applyResolvedUrls(payload: TurnPayload | string | Uint8Array, resolved: Readonly<Record<string, string>> | ReadonlyMap<string, string>): TurnPayload & { numbers?: number[] }
  /**
   * One line for a log: `AUDIT vendor=… model=… tool_calls=… coverage_pct=… reason=…`. Nothing untrusted in it
   * can start another field or line.
   */
  export function auditLine(anchored: object): string
  /**
   * The same as SVG, for a report. Follows the reader's light or dark mode.
   *
   * @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
   */
  export function coverageSvg(text: string, payload: Pick<TurnPayload, 'anchors'> | string | Uint8Array, options?: CoverageOptions): string
  /**
   * Holds an answer against a policy: did it search, did it find something, are its words tied to that.
   *
   * In mode `required`, spans that cover `minCoveragePct` of the answer, or `minAnnotations` of them, pass;
   * Google's answers also pass with sources alone where there are no spans at all (`unlinked_google`). In
   * mode `auto` grounding is welcome and its want no failure. With the `request`, it must hold exactly one
   * system and one user message, and model and vendor must be allowed; the request comes back untouched.
   *
   * `anchored` may also be a response that has `citations` at its top or in its `metadata`, in either spelling.
   *
   * @throws `TypeError` when an option has a value it cannot have.
   *
   * @example
   * ```ts
   * grounding.evaluateGrounding(anchored, { mode: 'required' })
   * // { pass: true, reason: 'anchored_google', gates: [{ name: 'tool_call_count', value: 3, limit: 1, pass: true }, …] }
   * ```
   */
  export function evaluateGrounding(anchored: object, options?: EvaluateOptions): GroundingEvaluation
  /**
   * The sources of a payload whose address leads through a redirect of Google. Nothing is fetched here: look
   * them up as you like, and hand the pages' own addresses to `applyResolvedUrls`.
   *
   * @example
   * ```ts
   * grounding.pendingResolutions(payload)
   * // [{ number: 1, url: 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/…', title: 'example.com' }]
   * ```
   */
  export function pendingResolutions(payload: StoredSources): PendingResolution[]
  /**
   * The answer for a terminal, with the passages that lean on sources underlined (or between `«` and `»`, with
   * `color: false`) and numbered, and one line below it: a bar of how much of it they cover.
   *
   * @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
   */
  export function renderCoverage(text: string, payload: Pick<TurnPayload, 'anchors'> | string | Uint8Array, options?: CoverageOptions): string
  /**
   * What is worth watching over many answers: the middle of their coverage, how often a search came to nothing,
   * and how many passed for which reason.
   *
   * @example
   * ```ts
   * grounding.summarizeGrounding(today)
   * // { count: 120, medianCoveragePct: 71.4, groundingEvidenceMissingTotal: 3, reasons: { anchored_google: 110, none: 10 } }
   * ```
   */
  export function summarizeGrounding(results: ReadonlyArray<object>): GroundingSummary
}

export declare namespace markers {
  /**
   * The same for an answer that comes in pieces. What `push` and `finish` give, put together, is what
   * `formatMarkers` makes of the whole, however it is cut. As little as possible is held back: text from the
   * first thing that may still become a marker on, at most 64 characters of it (4 kB in OpenAI's
   * private-use form); behind a backtick or bracket that may still turn out to open code or a link, what
   * follows the first marker, at most 4 kB. Numbers that were shown never change.
   *
   * @example
   * ```ts
   * const stream = new markers.MarkerStream(payload, { format: 'superscript' })
   * for await (const delta of deltas) write(stream.push(delta))
   * write(stream.finish())
   * ```
   */
  export class MarkerStream {
    /** @throws `TypeError` when an option has a value it cannot have. */
    constructor(payload?: StoredSources | null, options?: FormatMarkersOptions)
    /**
     * Takes the next piece of the answer and gives what can be shown now.
     *
     * @throws `TypeError` when `delta` is no string.
     */
    push(delta: string): string
    /** What was held back, when nothing follows. */
    finish(): string
    /** With `renumber`: old numbers to new ones, as far as sources were cited. */
    get numbers(): Record<number, number>
  }
  /**
   * What lands on a clipboard: the answer with its markers as `[n]`, and below it a plain list of the sources
   * it cites, or of all where it cites none. An answer without markers gets them from the spans of the
   * payload. Its other text stays as it was given, control characters included; that of sources is cleaned.
   *
   * @throws `TypeError` when `text` is no string.
   *
   * @example
   * ```ts
   * markers.copyText('Yes 【1†source】.', payload)
   * // Yes [1].
   * //
   * // Sources:
   * // [1] History of Rust — https://en.example/rust
   * ```
   */
  export function copyText(text: string, payload: CitationPayload | TurnPayload | StoredCitationData | string | Uint8Array): string
  /**
   * An answer with all its markers in one dialect. Text inside code, links and definitions comes back byte
   * for byte.
   *
   * `payload` says which sources there are: numbers beyond them are dangling. With `renumber`, sources
   * are numbered in the order they are cited, and `numbers` maps old numbers to new ones.
   *
   * @throws `TypeError` when `text` is no string, or an option has a value it cannot have.
   *
   * @example
   * ```ts
   * markers.formatMarkers('Yes 【2†source】 and [7].', payload, { dangling: 'flag' }).text   // 'Yes [2] and [7?].'
   * markers.formatMarkers('Yes [3], no [1].', payload, { renumber: true })
   * // { text: 'Yes [1], no [2].', numbers: { 3: 1, 1: 2 } }
   * markers.formatMarkers('Yes [3], no [1].', payload, { format: 'remove' }).text            // 'Yes, no.'
   * ```
   */
  export function formatMarkers(text: string, payload?: StoredSources | null, options?: FormatMarkersOptions): FormattedMarkers
  /**
   * Every marker of an answer, in every dialect models write: `[1]`, `[2, 3]`, `[1-3]`, `[[1]]`, `[^1]`,
   * `【1†source】`, `［1］`, `¹`, and OpenAI's private-use form.
   *
   * Never in code (fenced, indented, inline), links, images, definitions or HTML; CommonMark says what those
   * are, also while a fence is still open. A bracket right behind a word is a citation in `Paris[1].` and none
   * in `arr[0][1] = 2` or `a[1].x`: a blank, the end, another marker or the punctuation of a sentence must
   * follow, and where `sources` are given every number must name one of them. 0 is never a citation. The list
   * has at most 1,048,576 markers, the first ones.
   *
   * @throws `TypeError` when `text` is no string.
   *
   * @example
   * ```ts
   * markers.parseMarkers('Paris [1] and `a[1]`.')
   * // [{ start: 6, end: 9, text: '[1]', numbers: [1], dialect: 'brackets' }]
   * ```
   */
  export function parseMarkers(text: string, sources?: StoredSources): CitationMarker[]
  /**
   * Looks up every quotation (`citedText`, also of repeated citations) in the document it is said to be from:
   * word for word (`exact`), but for blanks and typography (`normalized`), or not at all (`not_found`).
   *
   * A document is found by the index the citation gives, else by id, address or title; a citation that fits
   * none of them is looked up in all. A quotation that was cut at 200 characters is looked up as far as it
   * goes.
   *
   * @throws `TypeError` when `documents` is not a list of strings or of objects with `text`.
   *
   * @example
   * ```ts
   * markers.verifyQuotes(payload, [{ title: 'My Document', text: 'The grass is green. The sky is blue.' }])
   * // [{ source: 1, citedText: 'The grass is green.', verdict: 'exact', document: 0, start: 0, end: 19 }]
   * ```
   */
  export function verifyQuotes(payload: StoredSources, documents: ReadonlyArray<string | QuotedDocument>): QuoteVerdict[]
}

export declare namespace openWebui {
  /**
   * The context for a model: `<source id="1" name="…">…</source>` and a line break for each document.
   *
   * Documents are numbered by what they belong to: the `source` of their metadata, else the `id` of their
   * source, else `N/A`; the first gets 1. A document that has neither of these nor a name gets a tag without
   * an `id`, and so is never cited: no list could show it. Sources of ours are numbered by their places.
   *
   * A name is escaped as in HTML and cut at 300 characters. In a document only the `<` of what could be read
   * as a `source`, `context` or `user_query` tag becomes `&lt;`, however that tag is spelled; the rest stays as
   * it is, for code and mark-up are worth more to a model that way. Control characters, invisible and
   * bidirectional ones are removed, line breaks and tabs stay.
   *
   * @example
   * ```ts
   * openWebui.buildSourceContext([
   *   { source: { id: 'f1', name: 'notes.md' }, document: ['Tokio is a runtime.'], metadata: [{ source: 'notes.md' }] },
   * ])
   * // <source id="1" name="notes.md">Tokio is a runtime.</source>
   * ```
   */
  export function buildSourceContext(sources: OpenWebuiInput): string
  /**
   * A payload as a message: a copy of `message`, or of the one the payload came from, with the `answer` as
   * `content` and the sources in the form of Open WebUI.
   *
   * Sources that the message had already are put back as they were, with all they carry; new ones are made,
   * with the whole source of ours in `metadata[0].citation`, which Open WebUI keeps and does not show. The order
   * is that of the payload, so its numbers hold; sources that it does not have any more go.
   *
   * @example
   * ```ts
   * openWebui.fromPayload(turn.finish(), { id, role: 'assistant' })
   * // { id, role: 'assistant', content: '…', sources: [{ source: …, document: […], metadata: […] }] }
   * openWebui.fromPayload(openWebui.toPayload(message))   // the same again
   * ```
   */
  export function fromPayload<Message extends object = OpenWebuiMessage>(payload: OpenWebuiPayloadInput, message?: Message | null): Message & OpenWebuiMessage
  /**
   * The list below a message: every source once, under the number that `buildSourceContext` gives it and
   * `[n]` names, with all its documents, in the order they came in.
   *
   * `page` counts from 1, as readers do; the `page` of metadata counts from 0. `score` is the distance as the
   * search said it. `metadata` is the very object of the message; `notShown` names what of it appears nowhere
   * in the list. Documents that nobody can name have no number and are left out.
   *
   * @example
   * ```ts
   * openWebui.listSources(message)
   * // [{ number: 1, id: 'notes.md', name: 'notes.md',
   * //    documents: [{ text: 'Tokio is …', page: 3, score: 0.91, metadata: { … }, notShown: ['hash'] }] }]
   * ```
   */
  export function listSources(message: OpenWebuiInput): OpenWebuiListedSource[]
  /**
   * The message with the sources of an event behind those it has.
   *
   * Takes `{ type: 'source' | 'citation', data }`, frames `{ sources }` and `{ citations }`, `chat:completion`
   * events that hold one, and each of them as JSON or as a `data:` line. `citations` of older messages become
   * `sources`. The message is not changed: what comes back is a copy with the same values in all other
   * fields. An event that brings no source (also one of a code execution, which Open WebUI sends under the same
   * type) gives back the very message.
   *
   * @example
   * ```ts
   * message = openWebui.mergeSourceEvent(message, { type: 'source', data: source })
   * ```
   */
  export function mergeSourceEvent<Message extends object>(message: Message, event: unknown): Message & { sources?: OpenWebuiSource[] }
  /**
   * The prompt with context and query in their places: `{{CONTEXT}}` or `[context]`, `{{QUERY}}` or `[query]`,
   * each as often as it stands there. What is put in is not looked at again, whatever it holds.
   *
   * Without a template, or with a blank one, ours is taken: it asks for `[id]` behind what rests on a source,
   * only when the `<source>` tag has an `id`. A template need not have a place for the query, which may be
   * sent on its own; one without a place for the context would lose every source, and is refused.
   *
   * @throws `TypeError` when `context` or `query` is no string, or `template` has no place for the context.
   *
   * @example
   * ```ts
   * openWebui.ragTemplate(openWebui.buildSourceContext(sources), 'What is Tokio?')
   * openWebui.ragTemplate(context, query, 'Context: [context] Query: [query]')
   * ```
   */
  export function ragTemplate(context: string, query: string, template?: string | null): string
  /**
   * The sources a message keeps: its `sources`, or the `citations` of older releases. The very list, or `[]`.
   *
   * @example
   * ```ts
   * openWebui.readMessageSources({ citations: [source] })   // [source]
   * ```
   */
  export function readMessageSources(message: OpenWebuiInput): OpenWebuiSource[]
  /**
   * The answer with `<source_id data="n" title="…" />` for each `[n]`, in one pass: what a name holds is
   * never replaced. Names are strings, or entries of `listSources`; those that are blank become `N/A`.
   *
   * Code, links and HTML stay as they are, and so do numbers without a name, footnotes (`[^1]`) and raised
   * numbers. `[1, 2]` and `[1-3]` become one element for each number.
   *
   * @throws `TypeError` when `text` is no string.
   *
   * @example
   * ```ts
   * openWebui.replaceSourceMarkers('A runtime [1].', openWebui.listSources(message))
   * // 'A runtime <source_id data="1" title="notes.md" />.'
   * ```
   */
  export function replaceSourceMarkers(text: string, names: ReadonlyArray<string | { name?: string | null } | null | undefined>): string
  /**
   * The frame that tells a client of its sources, to be written into the response before the first words of
   * the answer: `data: {"sources":[…]}` and a blank line. Only sources that have a name or an id, or whose
   * documents have one, are sent; none: `''`.
   *
   * @example
   * ```ts
   * response.write(openWebui.sourceEvents(turn.finish()))
   * ```
   */
  export function sourceEvents(payload: OpenWebuiInput): string
  /**
   * A message as a payload: `answer` is its content, `sources` are those of `listSources` under the same
   * numbers, and `cited` those that a marker of the content names.
   *
   * A source has the name as `title`, the address as `url`, the first document as `citedText` and the others in
   * `also`, each on one line and up to 10,000 characters long, so that `renderAnswerHtml` can show them whole; the
   * first page as `pageNumber`, all pages and scores in `metadata`. What was made by `fromPayload` is the source it
   * was made of. `openWebui` is the very message, so that `fromPayload` loses nothing.
   *
   * @example
   * ```ts
   * renderCitationBlock(openWebui.toPayload(message))
   * ```
   */
  export function toPayload<Message extends object | string>(message: Message): TurnPayload & { openWebui?: Message extends string | Uint8Array ? OpenWebuiMessage : Message }
}
