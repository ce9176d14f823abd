/** The block of sources as terminal text. */
import type { CitationLocation, CitationSource } from '../../index.js'
import { isPassage } from './read.ts'
import type { Rules } from './rules.ts'
import { TUNED } from './tuned.ts'

export interface Rendering {
  hyperlinks: boolean
  terminator: string
  maxSources: number
  showExcerpts: boolean
}

const LINK_LIMIT = 1000
/** More passages than this say no more. */
const MOST_PLACES = 50

export function render(
  sources: CitationSource[],
  options: Rendering,
  rules: Rules = TUNED,
): string {
  if (sources.length === 0) return ''
  const { hyperlinks, terminator, maxSources, showExcerpts } = options
  const listed = Math.min(sources.length, maxSources)
  const close = `\u001b]8;;${terminator}`
  let block = ' Sources:'
  for (let index = 0; index < listed; index++) {
    const source = sources[index] as CitationSource
    const { url } = source
    const label = `  ${index + 1}. `
    const title = titleOf(source)
    const isLinked = hyperlinks && url !== undefined && url.length <= LINK_LIMIT
    const open = isLinked ? `\u001b]8;;${url}${terminator}` : ''
    block += `\n${label}`
    if (title !== undefined) {
      block += isLinked && !rules.isMisleading(title, url) ? open + title + close : title
      block += placesOf(source)
    }
    if (url !== undefined) {
      if (title !== undefined) block += ' — '
      block += isLinked ? open + url + close : url
      if (title === undefined) block += placesOf(source)
    }
    if (showExcerpts && (source.citedText !== undefined || source.also !== undefined)) {
      const excerpts = excerptsOf(source)
      if (excerpts.length > 0 && url === undefined) block += ':'
      for (const excerpt of excerpts) block += `\n${' '.repeat(label.length)}> "${excerpt}"`
    }
  }
  const hidden = sources.length - listed
  return hidden > 0 ? `${block}\n  … and ${hidden} more` : block
}

/** What a source is called besides its address. */
function titleOf({ title, url, fileId, location }: CitationSource): string | undefined {
  const name = title?.trim()
  if (url !== undefined) return name === url ? undefined : name
  if (name !== undefined) return fileId !== undefined || isPassage(location) ? `"${name}"` : name
  if (location && 'documentIndex' in location)
    return `Document ${(location.documentIndex ?? 0) + 1}`
  return 'Untitled source'
}

/** Further passages of the same document. */
function passagesOf({ location, also }: CitationSource) {
  if (!also || !isPassage(location)) return []
  return also.filter((mention) => isPassage(mention.location)).slice(0, MOST_PLACES)
}

function excerptsOf(source: CitationSource): string[] {
  if (source.also === undefined) {
    return source.citedText === undefined ? [] : [source.citedText.trim()]
  }
  const excerpts = [source.citedText, ...passagesOf(source).map(({ citedText }) => citedText)]
  const words = excerpts.filter((excerpt) => excerpt !== undefined)
  return words.length < 2 ? words.map(trim) : [...new Set(words.map(trim))]
}

const trim = (text: string) => text.trim()

/** Where in a document, all passages in one bracket. */
function placesOf(source: CitationSource): string {
  // A page, which most sources are, is cited as a whole.
  const own = placeOf(source.location)
  if (own === undefined) return ''
  if (source.also === undefined) return ` (${own})`
  const others = passagesOf(source).map(({ location }) => placeOf(location))
  return ` (${[...new Set([own, ...others])].join(', ')})`
}

function placeOf(location: CitationLocation | undefined): string | undefined {
  switch (location?.type) {
    case 'char_location':
      return `chars ${location.startCharIndex}–${location.endCharIndex}`
    case 'page_location':
      return range('page', location.startPageNumber, location.endPageNumber)
    case 'content_block_location':
    case 'search_result_location':
      return range('block', location.startBlockIndex + 1, location.endBlockIndex + 1)
    default:
      return undefined
  }
}

/** Counted as people count: both ends named. */
function range(what: string, first: number, end: number): string {
  return end - 1 <= first ? `${what} ${first}` : `${what}s ${first}–${end - 1}`
}
