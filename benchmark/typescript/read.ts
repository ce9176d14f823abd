/**
 * What whole responses of three providers cite, whatever is in them: nothing is taken for granted, both spellings are
 * read, and what throws costs only itself. Who already has sources gets the new ones behind them.
 */
import type { CitationLocation, CitationSource } from '../../index.js'
import { isBlank, sanitize } from './clean.ts'
import type { Rules } from './rules.ts'
import { TUNED } from './tuned.ts'

type Bag = Record<string, unknown>

const NONE: unknown[] = []

const bag = (value: unknown): Bag | undefined =>
  typeof value === 'object' && value !== null ? (value as Bag) : undefined
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : NONE)
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const whole = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined

/** Calls `read` with each item that holds something. */
function each(items: unknown, read: (item: Bag, index: number) => void): void {
  const all = list(items)
  for (let index = 0; index < all.length; index++) {
    try {
      const item = bag(all[index])
      if (item) read(item, index)
    } catch {
      // A getter that throws holds nothing.
    }
  }
}

/** Whether somebody could see anything of it. */
function isShown({ title, url, uri, citedText, fileId, location }: CitationSource): boolean {
  if (title !== undefined || url !== undefined) {
    if (!isBlank(title) || !isBlank(url)) return true
  }
  return isPassage(location) || ![uri, citedText, fileId].every(isBlank)
}

/** A place in a source, and so something to show by itself. */
export function isPassage(location: CitationLocation | undefined): boolean {
  switch (location?.type) {
    case 'char_location':
    case 'page_location':
    case 'content_block_location':
    case 'search_result_location':
      return true
    default:
      return false
  }
}

/** What a response of Gemini cites: the chunks in their order, recited passages, pages it was told to read. */
export function extractGemini(
  input: unknown,
  sources: CitationSource[] = [],
  rules: Rules = TUNED,
): CitationSource[] {
  const candidate = bag(list(bag(input)?.candidates)[0])
  if (!candidate) return sources
  const grounding = bag(candidate.groundingMetadata ?? candidate.grounding_metadata)
  each(grounding?.groundingChunks ?? grounding?.grounding_chunks, (chunk, index) => {
    const source = page(bag(chunk.web)) ?? other(chunk)
    if (source) {
      source.provider = 'gemini'
      source.location = { type: 'grounding', groundingChunkIndex: index }
      sources.push(sanitize(source, rules))
    }
  })
  const recited = bag(candidate.citationMetadata ?? candidate.citation_metadata)
  if (recited) {
    each(recited.citationSources ?? recited.citation_sources ?? recited.citations, (recited) => {
      const source = { title: text(recited.title), url: text(recited.uri), provider: 'gemini' }
      if (isShown(source)) sources.push(sanitize(source, rules))
    })
  }
  const fetched = bag(candidate.urlContextMetadata ?? candidate.url_context_metadata)
  each(fetched?.urlMetadata ?? fetched?.url_metadata, (page) => {
    const status = text(page.urlRetrievalStatus ?? page.url_retrieval_status)
    const url = text(page.retrievedUrl ?? page.retrieved_url)
    if (url !== undefined && status?.endsWith('_SUCCESS')) {
      sources.push(sanitize({ url, provider: 'gemini' }, rules))
    }
  })
  return sources
}

function page(web: Bag | undefined): CitationSource | undefined {
  if (!web) return undefined
  const source: CitationSource = {
    title: text(web.title),
    url: text(web.uri),
    domain: text(web.domain),
  }
  return isShown(source) ? source : undefined
}

/** A chunk that is no page of the web: a passage of a document, a place, a picture. */
function other(chunk: Bag): CitationSource | undefined {
  const context = bag(chunk.retrievedContext ?? chunk.retrieved_context)
  if (context) {
    const source = passage(context)
    if (isShown(source)) return source
  }
  const maps = bag(chunk.maps)
  if (maps) {
    const source = { title: text(maps.title), url: text(maps.uri), citedText: text(maps.text) }
    if (isShown(source)) return source
  }
  const image = bag(chunk.image)
  if (!image) return undefined
  const source = {
    title: text(image.title),
    // The page is what must be credited.
    url: text(image.sourceUri ?? image.source_uri) ?? text(image.imageUri ?? image.image_uri),
    domain: text(image.domain),
  }
  return isShown(source) ? source : undefined
}

/** File search names neither page nor title: what there is stands in names and in what the caller attached. */
function passage(context: Bag): CitationSource {
  const uri = text(context.uri)
  const name = text(context.documentName ?? context.document_name)
  const store = text(context.fileSearchStore ?? context.file_search_store)
  return {
    title:
      text(context.title) ??
      attached(context, ['title', 'display_name', 'file_name']) ??
      lastSegment(name ?? uri) ??
      lastSegment(store),
    url: attached(context, ['source_url', 'url']),
    uri: uri ?? name,
    citedText: text(context.text),
  }
}

function attached(context: Bag, names: string[]): string | undefined {
  let [best, found]: [number, string | undefined] = [names.length, undefined]
  each(context.customMetadata ?? context.custom_metadata, (entry) => {
    const rank = names.indexOf(text(entry.key) ?? '')
    const value = text(entry.stringValue ?? entry.string_value)
    if (rank >= 0 && rank < best && value !== undefined) [best, found] = [rank, value]
  })
  return found
}

function lastSegment(path: string | undefined): string | undefined {
  return text(path?.replace(/\/+$/, '').split('/').at(-1))
}

const COUNT = /^\+?\d{1,3}$/

/** What a response of OpenAI cites: pages, and files it was given or has made. */
export function extractOpenAI(
  input: unknown,
  sources: CitationSource[] = [],
  rules: Rules = TUNED,
): CitationSource[] {
  each(bag(input)?.output, (item) => {
    each(item.content, (part) => {
      each(part.annotations, (annotation) => {
        const source = annotated(annotation)
        if (source && isShown(source)) sources.push(sanitize(source, rules))
      })
    })
  })
  return sources
}

function annotated(annotation: Bag): CitationSource | undefined {
  const url = text(annotation.url)
  if (url !== undefined) return cited(annotation, url)
  const nested = bag(annotation.url_citation ?? annotation.urlCitation)
  if (nested) return { ...cited(nested, text(nested.url)), citedText: text(nested.content) }
  const fileId = text(annotation.file_id ?? annotation.fileId)
  const start = whole(annotation.start_index ?? annotation.startIndex)
  const end = whole(annotation.end_index ?? annotation.endIndex)
  const index = whole(annotation.index)
  let location: CitationLocation | undefined
  switch (annotation.type) {
    case 'file_citation':
    case 'file_path':
      if (index !== undefined) location = { type: annotation.type, index }
      break
    case 'container_file_citation':
      if (start !== undefined && end !== undefined) {
        const containerId = text(annotation.container_id ?? annotation.containerId)
        location = { type: annotation.type, startIndex: start, endIndex: end, containerId }
      }
      break
    default:
      return undefined
  }
  const title = text(annotation.filename) ?? fileId
  return { title, fileId, provider: 'openai-responses', location }
}

function cited(fields: Bag, url: string | undefined): CitationSource {
  const start = whole(fields.start_index ?? fields.startIndex)
  const end = whole(fields.end_index ?? fields.endIndex)
  const title = text(fields.title)
  return {
    // Some services count their citations in the title.
    title: title !== undefined && title.length <= 3 && COUNT.test(title) ? undefined : title,
    url,
    provider: 'openai-responses',
    location:
      start !== undefined && end !== undefined
        ? { type: 'url_citation', startIndex: start, endIndex: end }
        : undefined,
  }
}

/** What a message of Anthropic cites. Pages it fetched by itself are not read here. */
export function extractAnthropic(
  input: unknown,
  sources: CitationSource[] = [],
  rules: Rules = TUNED,
): CitationSource[] {
  each(bag(input)?.content, (block) => readBlock(block, sources, rules))
  return sources
}

/** What one block of a message cites. */
export function readBlock(block: Bag, sources: CitationSource[], rules: Rules = TUNED): void {
  each(block.citations, (citation) => {
    const location = located(citation)
    if (location === null) return
    const source: CitationSource = {
      title: text(citation.document_title ?? citation.documentTitle) ?? text(citation.title),
      url: text(citation.url),
      uri: text(citation.source),
      citedText: text(citation.cited_text ?? citation.citedText),
      provider: 'anthropic',
      fileId: text(citation.file_id ?? citation.fileId),
      location,
    }
    if (isShown(source)) sources.push(sanitize(source, rules))
  })
}

/** Where a citation points; `undefined` where it says that badly, and `null` of what is no citation. */
function located(citation: Bag): CitationLocation | undefined | null {
  const { type } = citation
  if (type === 'web_search_result_location') {
    return { type, encryptedIndex: text(citation.encrypted_index ?? citation.encryptedIndex) }
  }
  const documentIndex = whole(citation.document_index ?? citation.documentIndex) ?? 0
  const range = (start: unknown, end: unknown): [number, number] | undefined => {
    const [first, last] = [whole(start), whole(end)]
    return first !== undefined && last !== undefined ? [first, last] : undefined
  }
  const blocks = () =>
    range(
      citation.start_block_index ?? citation.startBlockIndex,
      citation.end_block_index ?? citation.endBlockIndex,
    )
  switch (type) {
    case 'char_location': {
      const at = range(
        citation.start_char_index ?? citation.startCharIndex,
        citation.end_char_index ?? citation.endCharIndex,
      )
      return at && { type, startCharIndex: at[0], endCharIndex: at[1], documentIndex }
    }
    case 'page_location': {
      const at = range(
        citation.start_page_number ?? citation.startPageNumber,
        citation.end_page_number ?? citation.endPageNumber,
      )
      return at && { type, startPageNumber: at[0], endPageNumber: at[1], documentIndex }
    }
    case 'content_block_location': {
      const at = blocks()
      return at && { type, startBlockIndex: at[0], endBlockIndex: at[1], documentIndex }
    }
    case 'search_result_location': {
      const at = blocks()
      const result = whole(citation.search_result_index ?? citation.searchResultIndex)
      if (!at || result === undefined) return undefined
      return { type, startBlockIndex: at[0], endBlockIndex: at[1], searchResultIndex: result }
    }
    default:
      return null
  }
}

/** What a response cites, by its shape. Of Anthropic only with `documents`. */
export function extract(input: unknown, documents: boolean, rules: Rules): CitationSource[] {
  const response = bag(input)
  if (!response) return []
  if ((response.candidates ?? null) !== null) return extractGemini(response, [], rules)
  if ((response.output ?? null) !== null) return extractOpenAI(response, [], rules)
  if (documents && Array.isArray(response.content)) return extractAnthropic(response, [], rules)
  return []
}
