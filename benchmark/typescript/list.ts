/** The same page, or the same passage, listed once. */
import type { CitationLocation, CitationSource } from '../../index.js'

const isReferrer = (pair: string) =>
  pair === 'utm_source=openai' || pair === 'utm_source=chatgpt.com'

export function pageKey(url: string): string {
  const hash = url.indexOf('#')
  let fragment = hash >= 0 ? url.slice(hash) : ''
  // What only tells a browser which words to mark is no other place.
  const directive = fragment.indexOf(':~:')
  if (directive >= 0) fragment = fragment.slice(0, directive)
  if (fragment === '#') fragment = ''
  const before = hash >= 0 ? url.slice(0, hash) : url
  const mark = before.indexOf('?')
  let path = mark >= 0 ? before.slice(0, mark) : before
  while (path.endsWith('/')) path = path.slice(0, -1)
  if (mark < 0) return path + fragment
  return path + queryKey(before, mark + 1) + fragment
}

/** What is asked for, from `at` on, without pairs that are empty or only say who refers. */
function queryKey(url: string, at: number): string {
  let query = ''
  while (at < url.length) {
    const and = url.indexOf('&', at)
    const end = and < 0 ? url.length : and
    const pair = url.slice(at, end)
    if (pair !== '' && !isReferrer(pair)) query += (query === '' ? '?' : '&') + pair
    at = end + 1
  }
  return query
}

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

function identity({ url, fileId, uri, title, citedText, location }: CitationSource): string {
  if (url !== undefined) return pageKey(url)
  const place = placeKey(location)
  // No address and no clean text has this character.
  return ['', fileId ?? uri ?? title ?? '', place, (place === '' && citedText) || ''].join('\0')
}

export function dedupe(sources: CitationSource[]): CitationSource[] {
  const seen = new Map<string, CitationSource>()
  for (const source of sources) {
    const key = identity(source)
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
