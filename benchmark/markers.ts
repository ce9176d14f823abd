/**
 * The marker rules of this package in plain TypeScript with regular expressions, for an answer as a
 * whole and in pieces: what a careful host would write. A stream never reads a construct twice that it
 * has decided, and gives out as much as ours after every piece. Left out is what costs time and what
 * the benchmark does not ask for: limits on hostile text, the other formats, other ways with dangling
 * numbers.
 */
import type { CitationSource } from '../index.js'
import { Lines } from './lines.ts'
import { Paragraph } from './paragraph.ts'
import { type Marker, mayBecome, OPENS, shapeAt } from './shapes.ts'

/** All markers as `[1][2]`, numbered in the order they are cited; `[7?]` where no source is named. */
export class MarkerStream {
  /** What is still needed, from the start of the paragraph that is open. */
  #text = ''
  /** How far lines are read, and whether the one there is open: as text, or as it is. */
  #at = 0
  #place: 'start' | 'text' | 'solid' = 'start'
  #lines = new Lines()
  #paragraph: { start: number; inline: Paragraph } | undefined
  /** Up to where text was written, and what of it is to be handed out. */
  #written = 0
  #out = ''
  #wroteBracket = false
  #order = new Map<number, number>()
  readonly #ids: Map<string, number>
  readonly #known: number

  constructor(sources: CitationSource[]) {
    this.#known = sources.length
    this.#ids = new Map(sources.map(({ id }, index) => [id ?? '', index + 1]))
  }

  push(delta: string): string {
    this.#text += delta
    this.#scan(false)
    this.#write(this.#firstInDoubt())
    this.#forget()
    return this.#take()
  }

  finish(): string {
    this.#scan(true)
    this.#write(this.#text.length)
    return this.#take()
  }

  get numbers(): Record<number, number> {
    return Object.fromEntries(this.#order)
  }

  #take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  #scan(complete: boolean): void {
    const text = this.#text
    while (this.#at < text.length) {
      const end = text.indexOf('\n', this.#at)
      const ended = end >= 0
      if (this.#place === 'start' && !this.#startLine(ended ? end : text.length, ended || complete))
        break
      this.#at = ended ? end + 1 : text.length
      if (ended) this.#place = 'start'
    }
    if (complete) this.#endParagraph()
    else this.#read(false)
  }

  /** Reads the start of a line; false when more of it must come. */
  #startLine(end: number, ended: boolean): boolean {
    const to = this.#text[end - 1] === '\r' && end > this.#at ? end - 1 : end
    const line = this.#lines.read(this.#text.slice(this.#at, to), ended)
    if (line === undefined) return false
    if (line !== 'continues') this.#endParagraph()
    this.#place = line === 'solid' ? 'solid' : 'text'
    if (line !== 'solid') {
      this.#paragraph ??= { start: this.#at, inline: new Paragraph(this.#known) }
    }
    return true
  }

  #endParagraph(): void {
    this.#read(true)
    this.#paragraph = undefined
  }

  #read(complete: boolean): void {
    if (!this.#paragraph) return
    const { start, inline } = this.#paragraph
    inline.read(this.#text.slice(start, this.#at), complete)
    for (const marker of inline.take()) {
      this.#write(start + marker.start)
      this.#written = start + marker.end
      this.#out += this.#format(marker)
      this.#wroteBracket = true
    }
  }

  #write(to: number): void {
    if (to <= this.#written) return
    // `[1](` would open a link.
    if (this.#wroteBracket && this.#text[this.#written] === '(') this.#out += ' '
    this.#wroteBracket = false
    this.#out += this.#text.slice(this.#written, to)
    this.#written = to
  }

  #format({ names }: Marker): string {
    let out = ''
    const named = names.map((name) => this.#named(name))
    for (const one of named.length > 1 ? new Set(named) : named) out += `[${one}]`
    return out
  }

  #named(name: number | string): string {
    const number = typeof name === 'string' ? this.#ids.get(name) : name
    if (number === undefined) return '?'
    if (number > this.#known) return `${number}?`
    let given = this.#order.get(number)
    if (given === undefined) {
      given = this.#order.size + 1
      this.#order.set(number, given)
    }
    return String(given)
  }

  /** Where the first thing starts that may still turn out to be a marker. */
  #firstInDoubt(): number {
    const paragraph = this.#paragraph
    const settled = paragraph ? paragraph.start + paragraph.inline.settled : this.#at
    OPENS.lastIndex = Math.max(settled, this.#written)
    for (let found = OPENS.exec(this.#text); found; found = OPENS.exec(this.#text)) {
      const { index } = found
      if (shapeAt(this.#text, index) || mayBecome(this.#text, index)) return index
    }
    return this.#text.length
  }

  /** Lets go of what stands before the open paragraph. */
  #forget(): void {
    const done = Math.min(this.#written, this.#paragraph?.start ?? this.#at)
    if (done === 0) return
    this.#text = this.#text.slice(done)
    this.#at -= done
    this.#written -= done
    if (this.#paragraph) this.#paragraph.start -= done
  }
}

export function formatMarkers(text: string, sources: CitationSource[]) {
  const stream = new MarkerStream(sources)
  const formatted = stream.push(text) + stream.finish()
  return { text: formatted, numbers: stream.numbers }
}
