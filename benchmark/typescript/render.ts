/** The block of sources as terminal text. */
import type { CitationLocation, CitationSource } from '../../index.js'
import { isPassage } from './read.ts'

export interface Rendering {
  hyperlinks: boolean
  terminator: string
  maxSources: number
  showExcerpts: boolean
}

const LINK_LIMIT = 1000
/** More passages than this say no more. */
const MOST_PLACES = 50

export function render(sources: CitationSource[], options: Rendering): string {
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
      block += isLinked && !isMisleading(title, url) ? open + title + close : title
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

/** Behind a redirect of Google's the name is the host of the page. */
const REDIRECT =
  /^https?:\/\/(?:vertexaisearch\.cloud\.google\.com\/(?:grounding-api-redirect\/|redirect)|(?:www\.)?google\.com\/url\?)/
/** A dot as it stands in the name or the number of a host: no text without one names any. */
const NAMING =
  /[.\u3002\uff0e\uff61](?:[A-Za-z\u0080-\uffff]{2}|\d+[.\u3002\uff0e\uff61]\d+[.\u3002\uff0e\uff61]\d)/
const WIDE_DOTS = /[\u3002\uff0e\uff61]/g
const WORD = /[\p{Alphabetic}\p{N}.-]+/gu
const ENDS = /^[.-]+|[.-]+$/g
const FILE = /^(?:[jt]sx?|mjs|json|html?|css|md|pdf|txt|csv|xml|ya?ml|toml|py|rb|php|cpp|java)$/i
const LETTERS = /^\p{Alphabetic}{2,}$/u
const DIGIT = /^[0-9]/
const BYTE = /^\d{1,10}$/

/** Whether a title contains a host name, and the link goes elsewhere. */
function isMisleading(title: string, url: string): boolean {
  if (!NAMING.test(title) || REDIRECT.test(url)) return false
  const text = title.replace(WIDE_DOTS, '.')
  let dot = text.indexOf('.')
  while (dot >= 0) {
    // Only what stands around a dot can be a name: most of a title need not be taken apart.
    const space = text.indexOf(' ', dot)
    const end = space < 0 ? text.length : space
    const words = text.slice(text.lastIndexOf(' ', dot) + 1, end)
    if (NAMING.test(words) && words.match(WORD)?.some((word) => isElsewhere(word, url))) return true
    dot = text.indexOf('.', end)
  }
  return false
}

/** Whether a word is the name of a host, and not of the one that the link goes to. */
function isElsewhere(word: string, url: string): boolean {
  if (!word.includes('.')) return false
  const name = word.replace(ENDS, '')
  return looksLikeHost(name) && !isSameHouse(name.toLowerCase(), hostOf(url))
}

/** The host of a serialised address, without port. */
function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  const end = url.indexOf('/', start)
  const authority = end < 0 ? url.slice(start) : url.slice(start, end)
  const colon = authority.lastIndexOf(':')
  return colon >= 0 && !authority.endsWith(']') ? authority.slice(0, colon) : authority
}

function looksLikeHost(word: string): boolean {
  const dot = word.lastIndexOf('.')
  if (dot <= 0) return false
  const last = word.slice(dot + 1)
  if (DIGIT.test(last)) {
    const parts = word.split('.')
    return parts.length === 4 && parts.every((part) => BYTE.test(part) && Number(part) < 256)
  }
  return LETTERS.test(last) && !FILE.test(last)
}

const isSameHouse = (one: string, other: string) =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
