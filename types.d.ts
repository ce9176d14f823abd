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
