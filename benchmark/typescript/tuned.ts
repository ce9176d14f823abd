/**
 * The rules that a block rests on, as fast as we and others could make them in TypeScript: most texts and addresses are
 * plain, and one look says so. plain.ts says the same in as few words.
 */
import type { Rules } from './rules.ts'

/** Kept as they are, and never joined with their neighbours: most texts have no other characters. */
const PLAIN =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2190-\u21ff\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uff01-\uff5e]*$/
/** Controls, bidirectional and invisible characters, stray citation marks, tags. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ue200-\ue206]|\udb40[\udc00-\udc7f]/
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'g')
const BREAKS = /[\t\n\r]+/g
const NEWLINES = /\n+/g
/** More marks on a letter than any language has. */
const PILED = /([\p{Mn}\p{Me}]{8})[\p{Mn}\p{Me}]+/gu
const HALVES = /[\ud800-\udfff]/
/** Lone halves of characters, which are none. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** One line of at most `limit` characters as a reader counts them; what is blank then is nothing. */
function clean(text: string | undefined, limit: number): string | undefined {
  if (text === undefined) return undefined
  const line = text.length > limit ? cut(text, limit) : PLAIN.test(text) ? text : tidy(text)
  return line.trim() === '' ? undefined : line
}

function tidy(text: string): string {
  const whole = HALVES.test(text) ? text.replace(LONE, '\ufffd') : text
  if (!UNSAFE.test(whole)) return whole.replace(PILED, '$1')
  // Breaks with nothing between them that is seen are one.
  const lines = whole.replace(BREAKS, '\n')
  const seen = lines.replace(UNSAFE_ALL, (found) => (found === '\n' ? found : ''))
  return seen.replace(NEWLINES, ' ').replace(PILED, '$1')
}

function cut(text: string, limit: number): string {
  if (PLAIN.test(text.slice(0, limit + 2))) return cutAt(text, limit, limit + 1)
  // Where the start says all, the rest need not be looked at.
  const start = text.length > 2 * limit ? tidy(text.slice(0, 2 * limit)) : ''
  if (start.length > limit + 2 && PLAIN.test(start.slice(0, limit + 2))) {
    return `${start.slice(0, limit)}…`
  }
  const line = tidy(text)
  if (line.length <= limit) return line
  if (PLAIN.test(line.slice(0, limit + 2))) return cutAt(line, limit, limit + 1)
  let count = 0
  let end = -1
  for (const { index } of segmenter.segment(line)) {
    if (count === limit) end = index
    if (count++ > limit) return cutAt(line, end, index)
  }
  return end < 0 ? line : cutAt(line, end, line.length)
}

/** Cuts before `end`, unless all that follows, up to `next`, is the mark of an earlier cut. */
function cutAt(line: string, end: number, next: number): string {
  return next === line.length && line.slice(end) === '…' ? line : `${line.slice(0, end)}…`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const BLANKS = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g

/** The address a browser would open, or none. */
function link(raw: string): string | undefined {
  try {
    const url = new URL(raw)
    const { href } = url
    // A control character inside is never stripped: what remained would be another address.
    if (href !== raw && CONTROL.test(raw.replace(BLANKS, ''))) return undefined
    if (!href.startsWith('https:') && !href.startsWith('http:')) return undefined
    // Only an address with an @ can name somebody: most need not be asked.
    if (href.includes('@') && (url.username || url.password)) return undefined
    return href
  } catch {
    return undefined
  }
}

const HTTP = /^\s*http/i

/** Whether this starts like a web address, once it is clean. */
function isHttp(raw: string): boolean {
  return HTTP.test(PLAIN.test(raw) ? raw : tidy(raw))
}

const isReferrer = (pair: string) =>
  pair === 'utm_source=openai' || pair === 'utm_source=chatgpt.com'

function pageKey(url: string): string {
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

export const TUNED: Rules = { clean, link, isHttp, pageKey, isMisleading }
