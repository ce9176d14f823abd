/**
 * Exa's records read with regular expressions: the rules of the package's own reader, as a host would
 * write them by hand. For tool results that are text.
 */
import type { CitationSource } from '../index.js'
import { TUNED } from './typescript/index.ts'

const { clean, link, pageKey } = TUNED

interface TextCall {
  name: string
  args?: { numResults?: number }
  callId: string
  output: string
}

const SEPARATOR = '\n\n---\n\n'
const WORDS = '(?:Highlights|Code/Highlights|Text|Code|Content):'
/** The orders servers write the fields of a record in; each order is kept for a whole result. */
const HEADS = [
  `Title:(?<title>.*)\nURL:(?<url>.*)\nPublished:(?<published>.*)\nAuthor:(?<author>.*)\n${WORDS}`,
  `Title:(?<title>.*)\nURL:(?<url>.*)\n${WORDS}`,
  '(?:Title:(?<title>.*)\n)(?:Author:(?<author>.*)\n)?' +
    `(?:Published(?: Date)?:(?<published>.*)\n)?URL:(?<url>.*)\n${WORDS}`,
].map((head) => new RegExp(head, 'y'))
/** The host of a serialised address. */
const HOST = /^https?:\/\/(?:www\.)?(\[[^\]]*\]|[^/:?#]*)/
const ADDRESS = /^https?:\/\/\S+$/i

/** Errors, empty results and notices of limits. */
const NOTICE =
  /^\s*(?:$|Error:|Error (?:performing|fetching|executing|reading|during|searching) |(?:Web |Code )?[Ss]earch failed|Failed to |Request failed|Tool execution (?:failed|succeeded\.)|Operation cancelled|No (?:search results|code snippets or documentation|results|matches)(?: or information)? found|No files matching |File not found|Invalid parameters|.* output exceeded token limit \()/
const SHORT_NOTICE = /rate limit|too many requests|api key at https:\/\//i
const LONGEST_NOTICE = 700
const CLIPPED = '...[middle clipped due to token limits]...'
const TRUNCATED = /(?:^|\n)[^\n]*\n*\[Output truncated due to token limit\]\s*$/
const SAMPLED = /\[Sampled .* lines due to token limit\]\s*$/
/** Where such a line may stand; a pattern without a start would be tried everywhere. */
const TAIL = 4096

/** What a limit on tokens left that can still be trusted: whole lines. */
function wholeLines(text: string): string {
  const tail = text.slice(-TAIL)
  if (tail.includes('due to token limit]')) {
    if (SAMPLED.test(tail)) return ''
    return text.slice(0, -TAIL) + tail.replace(TRUNCATED, '')
  }
  const clip = text.indexOf(CLIPPED)
  if (clip < 0) return text
  const before = text.slice(0, text.lastIndexOf('\n', clip) + 1)
  const behind = text.indexOf('\n', clip)
  return before + (behind < 0 ? '' : text.slice(behind + 1))
}

const known = (text: string | undefined) => {
  const value = text?.trim()
  return value === '' || value === 'N/A' ? undefined : value
}

/** The page itself is never kept; this much is enough for a preview. */
const SNIPPET = 2048

/** The record whose head starts at `at`, without a signature. */
function record(text: string, at: number, end: number, head: RegExp): CitationSource | undefined {
  head.lastIndex = at
  const fields = head.exec(text)?.groups
  if (!fields || head.lastIndex > end) return undefined
  const raw = fields.url?.trim() ?? ''
  if (!ADDRESS.test(raw)) return undefined
  const words = text.slice(head.lastIndex, end).trim()
  const url = link(raw)
  const source: CitationSource = {}
  const title = clean(known(fields.title), 300) ?? (url === undefined ? raw : undefined)
  const author = clean(known(fields.author), 300)
  const published = clean(known(fields.published), 300)
  const snippet = clean(words.slice(0, SNIPPET), 200)
  if (title !== undefined) source.title = title
  if (url !== undefined) {
    source.url = url
    source.domain = HOST.exec(url)?.[1]
  }
  if (snippet !== undefined) source.snippet = snippet
  if (author !== undefined) source.author = author
  if (published !== undefined) source.publishedDate = published
  source.type = 'web'
  return source
}

/** The sources of a search, signed. */
export function extractExa({ name, args, callId, output }: TextCall): CitationSource[] {
  if (NOTICE.test(output)) return []
  if (output.length <= LONGEST_NOTICE && SHORT_NOTICE.test(output)) return []
  const text = wholeLines(output).replaceAll('\r\n', '\n').trimStart()
  const sources: CitationSource[] = []
  const seen = new Set<string | undefined>()
  let head: RegExp | undefined
  for (let at = 0; at <= text.length; ) {
    const next = text.indexOf(SEPARATOR, at)
    const end = next < 0 ? text.length : next
    // The first record says which order this server writes; without it there are none.
    head ??= HEADS.find((one) => record(text, 0, end, one))
    if (!head) return []
    const source = record(text, at, end, head)
    if (source && !seen.has(source.url)) {
      seen.add(source.url)
      source.id = `${callId}-${sources.length}`
      source.toolName = name
      source.toolRequestId = callId
      sources.push(source)
    }
    if (next < 0) break
    at = end + SEPARATOR.length
  }
  // More than were asked for: somebody forged a record, and only the first is certain.
  const asked = args?.numResults
  return asked !== undefined && sources.length > Math.max(1, asked) ? sources.slice(0, 1) : sources
}

/** The sources of a turn under their numbers; a page that is known keeps the number it has. */
export class ToolTurn {
  #sources: CitationSource[] = []
  #numbers = new Map<string, number>()

  reset(): void {
    this.#sources = []
    this.#numbers = new Map()
  }

  addToolResult(call: TextCall): number[] {
    return extractExa(call).map((source) => {
      const key = source.url === undefined ? (source.title ?? '') : pageKey(source.url)
      const held = this.#numbers.get(key)
      if (held === undefined) {
        this.#numbers.set(key, this.#sources.push(source))
        return this.#sources.length
      }
      const { id, toolName, toolRequestId } = source
      const first = this.#sources[held - 1] as CitationSource
      first.also = [...(first.also ?? []), { id, toolName, toolRequestId }]
      return held
    })
  }
}
