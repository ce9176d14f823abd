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

/** The span of the answer that holds the link, end exclusive. */
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
}

/** One thing an answer leans on: a page, a document, a passage of one. */
export interface CitationSource {
  /** What people call it. */
  title?: string
  /** Where a browser finds it. As given out here: serialised, http or https, without user name. */
  url?: string
  /** Words of the source, never of the answer; at most 200 characters, then `…`. */
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
 * - `data_damaged`: bytes that are no JSON.
 */
export type CitationDiagnosticCode =
  | 'source_not_listed'
  | 'span_moved'
  | 'span_lost'
  | 'data_damaged'

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
  /** What was dropped or mended, and why. */
  diagnostics: CitationDiagnostic[]
}

/** Options of `CitationService`. */
export interface CitationServiceOptions extends AnthropicOptions {}

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
 * What a provider sent: its SDK's object, parsed JSON, a JSON string, or the bytes of the body.
 * Of any other shape nothing is read, and nothing is thrown.
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

/** Options of `extractAnthropicCitations`. */
export interface AnthropicOptions {
  /**
   * Read Anthropic's citations. Off by default: LLxprt sends no documents yet.
   *
   * @default false
   */
  documents?: boolean
}

/** How the block of sources is written. */
export interface RenderOptions {
  /**
   * How links are written. `osc8` makes terminal hyperlinks, `markdown` one Markdown link per line
   * (what LLxprt's info items turn into links), `plain` prints addresses, `auto` asks
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
   * Columns to wrap at, at least 20; 0 does not wrap. Links are opened again on each row. Markdown is
   * never wrapped.
   *
   * @default 0
   */
  width?: number
  /**
   * The most sources to list; the rest is counted in a last line.
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
export interface RenderCitationsOptions extends RenderTurnOptions, AnthropicOptions {}

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
