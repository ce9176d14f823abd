/**
 * The rules that a block rests on, as a host would write them: what they must do and nothing else, with what the
 * language has for it. tuned.ts says the same with care for speed.
 */
import type { Rules } from './rules.ts'

/** Controls, bidirectional and invisible characters, stray citation marks, tags; breaks are asked for by themselves. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ue200-\ue206\u{e0000}-\u{e007f}]/gu
const BREAKS = /[\t\n\r]+/g
/** More marks on a letter than any language has. */
const PILED = /([\p{Mn}\p{Me}]{8})[\p{Mn}\p{Me}]+/gu
/** Halves of characters, which are none. */
const LONE = /\p{Cs}/gu
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const tidy = (text: string) =>
  text.replace(LONE, '\ufffd').replace(UNSAFE, '').replace(BREAKS, ' ').replace(PILED, '$1')

function clean(text: string | undefined, limit: number): string | undefined {
  if (text === undefined) return undefined
  const line = cut(tidy(text), limit)
  return line.trim() === '' ? undefined : line
}

function cut(line: string, limit: number): string {
  if (line.length <= limit) return line
  const characters = Array.from(segmenter.segment(line), ({ segment }) => segment)
  // What an earlier cut left: the limit, and the mark that says so.
  const isCut = characters.length === limit + 1 && characters[limit] === '…'
  return characters.length <= limit || isCut ? line : `${characters.slice(0, limit).join('')}…`
}

const CONTROL = /\p{Cc}/u
const BLANKS = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g

function link(raw: string): string | undefined {
  // A control character inside is never stripped: what remained would be another address.
  if (CONTROL.test(raw.replace(BLANKS, ''))) return undefined
  try {
    const { protocol, username, password, href } = new URL(raw)
    const isWeb = protocol === 'https:' || protocol === 'http:'
    return isWeb && username === '' && password === '' ? href : undefined
  } catch {
    return undefined
  }
}

const isHttp = (raw: string) => tidy(raw).trimStart().slice(0, 4).toLowerCase() === 'http'

const PARTS = /^([^?#]*)(\?[^#]*)?(#.*)?$/s
const REFERRERS = ['utm_source=openai', 'utm_source=chatgpt.com']

function pageKey(url: string): string {
  const [, path = '', query = '', fragment = ''] = PARTS.exec(url) ?? []
  const pairs = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !REFERRERS.includes(pair))
  const asked = pairs.length > 0 ? `?${pairs.join('&')}` : ''
  // What only tells a browser which words to mark is no other place.
  const place = fragment.replace(/:~:.*$/s, '')
  return path.replace(/\/+$/, '') + asked + (place === '#' ? '' : place)
}

/** Behind a redirect of Google's the name is the host of the page. */
const REDIRECT =
  /^https?:\/\/(?:vertexaisearch\.cloud\.google\.com\/(?:grounding-api-redirect\/|redirect)|(?:www\.)?google\.com\/url\?)/
const WIDE_DOTS = /[\u3002\uff0e\uff61]/g
const WORD = /[\p{Alphabetic}\p{N}.-]+/gu
const FILE = /\.(?:[jt]sx?|mjs|json|html?|css|md|pdf|txt|csv|xml|ya?ml|toml|py|rb|php|cpp|java)$/i
const NAME = /.\.\p{Alphabetic}{2,}$/u
const NUMBERS = /^\d{1,10}(?:\.\d{1,10}){3}$/

function isMisleading(title: string, url: string): boolean {
  if (REDIRECT.test(url)) return false
  const { hostname } = new URL(url)
  const words = title.replace(WIDE_DOTS, '.').match(WORD) ?? []
  return words
    .map((word) => word.replace(/^[.-]+|[.-]+$/g, ''))
    .some((word) => isHost(word) && !isSameHouse(word.toLowerCase(), hostname))
}

const isHost = (word: string) =>
  NUMBERS.test(word)
    ? word.split('.').every((part) => Number(part) < 256)
    : NAME.test(word) && !FILE.test(word)

const isSameHouse = (one: string, other: string) =>
  one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)

export const PLAIN: Rules = { clean, link, isHttp, pageKey, isMisleading }
