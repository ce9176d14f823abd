/**
 * The text of a paragraph, read with regular expressions: code, tags, links, and the markers outside of
 * them that are citations where they stand. For `markers.ts`.
 */
import { ADDRESS, TAG, TITLE } from './lines.ts'
import { isAt, LONGEST, type Marker, matchAt, mayBecome, OUTER, SQUARE, shapeAt } from './shapes.ts'

/** What may mean anything. */
const TOKEN = /[\\`<[\]【［\ue200¹²³⁰⁴-⁹]/g

const BACKTICKS = /`+/g
const ANGLES = new RegExp(
  `<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\\s<>]*>|[^\\s<>@]+@[A-Za-z0-9.-]+>|${TAG}|` +
    '!---?>|!--[^]*?-->|\\?[^]*?\\?>|!\\[CDATA\\[[^]*?\\]\\]>|![A-Za-z][^>]*>)',
  'y',
)
const MAY_BE_ANGLES = /<(?:[A-Za-z!?/]|[^\s<>]*$)/y
const LINK = new RegExp(`\\(\\s*(?:${ADDRESS})?(?:\\s+${TITLE})?\\s*\\)`, 'y')
/** An address with something behind it that is no title. */
const NO_LINK = /\(\s*[^\s<]\S*\s+[^\s"'()]/y

const LINE_START = /(?:^|\n)[ \t>+*-]*$/
const CALL = /[\w$]\([\w$]*$/
/** A formula goes on: `²⁺`, `¹⁴C`, `10⁻³`. */
const FORMULA = /[\p{N}\p{Ll}\p{Lu}⁺⁻⁼⁽⁾ⁿⁱ⁄₊₋₌₍₎]/u
/** A sentence goes on behind a bracket, or ends: no operator, no member, no call. */
const SENTENCE = new RegExp(
  '[*_)"\'”’»]*(?:$|[ \\t]+(?![ \\t=+<>%]|[-*/&|^!:?]=|&&|\\|\\||\\* )|' +
    `(?:[.,;:!]|\\?(?!\\.))(?![\\w$=:(])|\\||[^\\S \\t]|(?=${SQUARE.source}))|` +
    '[*_)"\'”’»]+[^\\0-\\x7f]|(?![\\p{N}\\p{Ll}\\p{Lu}⁺⁻⁼⁽⁾ⁿⁱ⁄₊₋₌₍₎])[^\\0-\\x7f]',
  'yu',
)
const UNFINISHED = /[*_)"'”’»]*(?:[ \t]*[-*/&|^!:?]?|[.,;:!?]|\[[[^]?[\d ,;–‑-]*\]?)$/y
const WORD = /(^|.)([\p{Ll}\p{Lu}]+)$/su
const MULTIPLIED = /^(?:cosh|feet|foot|inch|meters?|metres?|miles?|sinh|tanh|yard)$/

/** The text of one paragraph, read as far as it has come. Positions count from its start. */
export class Paragraph {
  at = 0
  #found: Marker[] = []
  #text = ''
  #complete = false
  #open: { at: number; image: boolean; dead: boolean }[] = []
  #missing = new Set<number>()
  #nested = -1
  #citationEnd = -1
  #bracketEnd = -1
  #escapeEnd = -1
  readonly #known: number

  constructor(known: number) {
    this.#known = known
  }

  /** Up to where all is decided. */
  get settled(): number {
    return Math.min(this.at, this.#found[0]?.start ?? this.at)
  }

  /** The markers that no bracket around them can make part of a link any more. */
  take(): Marker[] {
    const found = this.#found
    if (found.length === 0) return found
    if (!this.#complete && this.#open.some(({ dead }) => !dead)) return []
    this.#found = []
    return found
  }

  read(text: string, complete: boolean): void {
    this.#text = text
    this.#complete = complete
    while (this.at < text.length) {
      TOKEN.lastIndex = this.at
      const token = TOKEN.exec(text)
      this.at = token ? token.index : text.length
      if (token && !this.#token(token[0])) return
    }
  }

  /** Reads one construct; false when more text must come. */
  #token(first: string): boolean {
    switch (first) {
      case '\\':
        return this.#escape()
      case '`':
        return this.#code()
      case '<':
        return this.#angles()
      case ']':
        return this.#close()
      default:
        return this.#marker(first)
    }
  }

  #isEnd(at: number): boolean {
    return at >= this.#text.length
  }

  #escape(): boolean {
    if (this.#isEnd(this.at + 1) && !this.#complete) return false
    const escapes = /[!-/:-@[-`{-~]/.test(this.#text[this.at + 1] ?? '')
    this.at += escapes ? 2 : 1
    if (escapes) this.#escapeEnd = this.at
    return true
  }

  #code(): boolean {
    const opening = matchAt(BACKTICKS, this.#text, this.at)?.[0].length ?? 1
    const start = this.at + opening
    if (this.#isEnd(start) && !this.#complete) return false
    if (!this.#missing.has(opening)) {
      BACKTICKS.lastIndex = start
      for (let run = BACKTICKS.exec(this.#text); run; run = BACKTICKS.exec(this.#text)) {
        const end = BACKTICKS.lastIndex
        if (this.#isEnd(end) && !this.#complete) return false
        if (run[0].length !== opening) continue
        this.at = end
        return true
      }
      if (!this.#complete) return false
      this.#missing.add(opening)
    }
    this.at = start
    return true
  }

  #angles(): boolean {
    const found = matchAt(ANGLES, this.#text, this.at)
    if (!found && !this.#complete && isAt(MAY_BE_ANGLES, this.#text, this.at)) return false
    this.at += found?.[0].length ?? 1
    return true
  }

  /** The end of `(address "title")` at `at`; 0 where there is none, -1 when more must come. */
  #link(at: number): number {
    if (this.#isEnd(at)) return this.#complete ? 0 : -1
    if (this.#text[at] !== '(') return 0
    if (isAt(LINK, this.#text, at)) return LINK.lastIndex
    return this.#complete || isAt(NO_LINK, this.#text, at) ? 0 : -1
  }

  #close(): boolean {
    const bracket = this.#open.at(-1)
    this.at++
    if (!bracket) return true
    const end = bracket.dead ? 0 : this.#link(this.at)
    if (end < 0) {
      this.at--
      return false
    }
    this.#open.pop()
    if (end > 0) {
      this.#found = this.#found.filter(({ start }) => start < bracket.at)
      if (!bracket.image) this.#noLinkAround()
      this.at = end
    }
    this.#bracketEnd = this.at
    return true
  }

  /** No link holds another. */
  #noLinkAround(): void {
    for (const bracket of this.#open) bracket.dead ||= !bracket.image
  }

  #marker(first: string): boolean {
    const { at } = this
    const image = first === '[' && this.#text[at - 1] === '!' && this.#escapeEnd !== at
    const marker = shapeAt(this.#text, at)
    if (!this.#complete && mayBecome(this.#text, at)) return false
    if (!marker) {
      this.#nested = isAt(OUTER, this.#text, at) ? OUTER.lastIndex : -1
      if (first === '[') this.#open.push({ at, image, dead: false })
      this.at++
      return true
    }
    if (!this.#complete && this.#isEnd(marker.end)) return false
    const end = first === '[' ? this.#link(marker.end) : 0
    if (end < 0) return false
    if (end > 0) {
      if (!image) this.#noLinkAround()
      this.at = end
      return true
    }
    const accepted = this.#accepts(marker, first)
    if (accepted === undefined) return false
    if (accepted && this.#nested !== at) {
      this.#citationEnd = marker.end
      this.#found.push(marker)
    } else {
      this.#bracketEnd = marker.end
    }
    this.at = marker.end
    return true
  }

  #isKnown(marker: Marker): boolean {
    return marker.names.every((name) => typeof name === 'string' || name <= this.#known)
  }

  /** Whether this is a citation where it stands; `undefined` when more text must come. */
  #accepts(marker: Marker, first: string): boolean | undefined {
    const { start, end, names } = marker
    const before = this.#text[start - 1] ?? ''
    if (before === '\\' || before === '[') return false
    if (names.some((name) => typeof name === 'number' && name >= 1000 && name > this.#known)) {
      return false
    }
    const next = this.#text[end] ?? ''
    if (next === ':' && LINE_START.test(this.#text.slice(Math.max(0, start - LONGEST), start))) {
      return false
    }
    if (first === '【' || first === '［' || first === '\ue200') return true
    if (first !== '[') return !FORMULA.test(next) && this.#mayBeRaised(marker, before)
    if (this.#citationEnd === start) return true
    if (this.#bracketEnd === start) return false
    return /[\w$)]/.test(before) ? this.#endsAWord(marker) : true
  }

  /** The rule for a bracket right behind a word. */
  #endsAWord(marker: Marker): boolean | undefined {
    const footnote = this.#text[marker.start + 1] === '^'
    if (!footnote && !this.#isKnown(marker)) return false
    let at = marker.end
    while (this.#text[at] === '[') {
      const next = shapeAt(this.#text, at)
      if (!next && !this.#complete && mayBecome(this.#text, at)) return undefined
      if (!next || !this.#isKnown(next)) return false
      at = next.end
    }
    if (!this.#complete && isAt(UNFINISHED, this.#text, at)) return undefined
    const before = this.#text.slice(Math.max(0, marker.start - LONGEST), marker.start)
    if (this.#text[at] === ')' && CALL.test(before)) return false
    return isAt(SENTENCE, this.#text, at)
  }

  /** The rule for raised numbers, which may be exponents. */
  #mayBeRaised(marker: Marker, before: string): boolean {
    if (this.#citationEnd === marker.start || before.trim() === '') return true
    if (!/\p{Alphabetic}/u.test(before)) return !FORMULA.test(before) && !/[)\]}^$]/.test(before)
    if (!this.#isKnown(marker)) return false
    const word = WORD.exec(this.#text.slice(Math.max(0, marker.start - LONGEST), marker.start))
    if (!word) return true
    const [, bound = '', name = ''] = word
    return !/[\d_\\]/.test(bound) && name.length > 3 && !MULTIPLIED.test(name)
  }
}
