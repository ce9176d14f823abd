/** The same page, or the same passage, listed once. */
import type { CitationLocation, CitationSource } from '../../index.js'
import type { Rules } from './rules.ts'
import { TUNED } from './tuned.ts'

/** Places inside a source tell passages apart; places in the answer do not. */
function placeKey(location: CitationLocation | undefined): string {
  switch (location?.type) {
    case 'char_location':
      return `c${location.documentIndex},${location.startCharIndex},${location.endCharIndex}`
    case 'page_location':
      return `p${location.documentIndex},${location.startPageNumber},${location.endPageNumber}`
    case 'content_block_location':
      return `b${location.documentIndex},${location.startBlockIndex},${location.endBlockIndex}`
    case 'search_result_location':
      return `s${location.searchResultIndex},${location.startBlockIndex},${location.endBlockIndex}`
    default:
      return ''
  }
}

function identity(source: CitationSource, rules: Rules): string {
  const { url, fileId, uri, title, citedText, location } = source
  if (url !== undefined) return rules.pageKey(url)
  const place = placeKey(location)
  // Words beside a file that is cited without a place are what a search found there, and say nothing about which it is.
  const isFile = fileId !== undefined && location?.type === 'file_citation'
  const quote = place === '' && !isFile ? citedText : undefined
  // No address and no clean text has this character.
  return ['', fileId ?? uri ?? title ?? '', place, quote || ''].join('\0')
}

export function dedupe(sources: CitationSource[], rules: Rules = TUNED): CitationSource[] {
  const seen = new Map<string, CitationSource>()
  for (const source of sources) {
    const key = identity(source, rules)
    const held = seen.get(key)
    if (held) fold(held, source)
    else seen.set(key, source)
  }
  return seen.size === sources.length ? sources : [...seen.values()]
}

/** Adds what a repeat knows to the source that was first. */
function fold(held: CitationSource, repeat: CitationSource): void {
  held.title ??= repeat.title
  held.uri ??= repeat.uri
  held.domain ??= repeat.domain
  held.fileId ??= repeat.fileId
  if (held.citedText === undefined) held.citedText = repeat.citedText
  const citedText = repeat.citedText === held.citedText ? undefined : repeat.citedText
  const isThere = JSON.stringify(repeat.location) === JSON.stringify(held.location)
  const location = isThere ? undefined : repeat.location
  if (citedText !== undefined || location !== undefined) {
    held.also = held.also ?? []
    held.also.push({ citedText, location })
  }
}
