/** Untrusted text and addresses, made safe to print. */
import type { CitationSource } from '../../index.js'

export const TITLE_LIMIT = 300
export const EXCERPT_LIMIT = 200

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
export function clean(text: string | undefined, limit: number): string | undefined {
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

/** Whether there is nothing to see. */
export const isBlank = (text: string | undefined) => text === undefined || text.trim() === ''

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const ENDS = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g

/** The address a browser would open, or none. */
export function link(raw: string): string | undefined {
  try {
    const url = new URL(raw)
    const { href } = url
    // A control character inside is never stripped: what remained would be another address.
    if (href !== raw && CONTROL.test(raw.replace(ENDS, ''))) return undefined
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

export function sanitize(source: CitationSource): CitationSource {
  let { uri } = source
  let url: string | undefined
  let refused: string | undefined
  if (source.url !== undefined) {
    url = link(source.url)
    if (url === undefined) refused = source.url
  }
  if (uri !== undefined && isHttp(uri)) {
    const other = link(uri)
    if (other === undefined) refused ??= uri
    else url ??= other
    uri = undefined
  }
  if (uri === undefined && refused !== undefined && !isHttp(refused)) uri = refused
  uri = clean(uri, TITLE_LIMIT)
  const fileId = clean(source.fileId, TITLE_LIMIT)
  let title = clean(source.title, TITLE_LIMIT)
  if (title === undefined && url === undefined) {
    title = clean(refused, TITLE_LIMIT) ?? uri ?? fileId
  }
  return {
    title,
    url,
    uri,
    citedText: clean(source.citedText, EXCERPT_LIMIT),
    provider: source.provider,
    domain: clean(source.domain, TITLE_LIMIT),
    fileId,
    location: source.location,
  }
}
