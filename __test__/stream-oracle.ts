/**
 * A second opinion on what a stream says: plain walks over parsed events that find the answer, the
 * pages and the spans, with `TextEncoder` for bytes and `Array.from` for characters. Slow and simple.
 */

/** A field of a parsed recording, of any type. */
// biome-ignore lint/suspicious/noExplicitAny: recordings are whatever providers sent.
export type Wire = any

/** A span of the answer, in UTF-16 units, with the numbers of the pages it leans on. */
export interface ToldSpan {
  start: number
  end: number
  text: string
  sources: number[]
}

export interface Told {
  answer: string
  /** How many citations there are, repeats included; of Gemini, how many chunks. */
  citations: number
  /** What is cited, each once, by what tells it from others. */
  pages: string[]
  /** Each span once, sorted. */
  spans: ToldSpan[]
}

type Unit = 'bytes' | 'characters' | 'part'

interface Mark {
  part: string
  unit: Unit
  start?: number
  end?: number
  /** What the provider says stands there. */
  quote?: string
  pages: string[]
}

class Walk {
  readonly parts = new Map<string, string>()
  readonly marks: Mark[] = []
  readonly pages: string[] = []
  citations = 0

  say(part: string, text: unknown): void {
    if (typeof text === 'string') this.parts.set(part, (this.parts.get(part) ?? '') + text)
  }

  cite(page: string, mark?: Omit<Mark, 'pages'>): void {
    this.citations += 1
    if (!this.pages.includes(page)) this.pages.push(page)
    if (mark) this.marks.push({ ...mark, pages: [page] })
  }

  told(): Told {
    const spans = new Map<string, ToldSpan>()
    for (const mark of this.marks) {
      const { start, end, text } = this.#place(mark)
      const held = spans.get(`${start},${end}`)
      const numbers = mark.pages.map((page) => this.pages.indexOf(page) + 1)
      const sources = [...new Set([...(held?.sources ?? []), ...numbers])].sort((a, b) => a - b)
      spans.set(`${start},${end}`, { start, end, text, sources })
    }
    return {
      answer: [...this.parts.values()].join(''),
      citations: this.citations,
      pages: this.pages,
      spans: [...spans.values()].sort((a, b) => a.start - b.start || a.end - b.end),
    }
  }

  #place(mark: Mark): Omit<ToldSpan, 'sources'> {
    const before = [...this.parts.keys()].indexOf(mark.part)
    const base = [...this.parts.values()].slice(0, before).join('').length
    const whole = this.parts.get(mark.part) ?? ''
    let { start, text } = sliced(whole, mark)
    if (mark.quote !== undefined && text !== mark.quote) {
      start = onlyPlace(whole, mark.quote)
      text = mark.quote
    }
    return { start: base + start, end: base + start + text.length, text }
  }
}

/** Cuts text the way its provider counts; `start` is where the cut lies in UTF-16 units. */
function sliced(
  whole: string,
  { unit, start = 0, end = 0 }: Mark,
): { start: number; text: string } {
  if (unit === 'part') return { start: 0, text: whole }
  if (unit === 'characters') {
    const characters = Array.from(whole)
    return {
      start: characters.slice(0, start).join('').length,
      text: characters.slice(start, end).join(''),
    }
  }
  const bytes = new TextEncoder().encode(whole)
  const decode = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to))
  return { start: decode(0, start).length, text: decode(start, end) }
}

/** Where words stand that stand in one place only; offsets beside the text prove nothing else. */
function onlyPlace(whole: string, words: string): number {
  const at = whole.indexOf(words)
  if (at < 0 || whole.includes(words, at + 1)) throw new Error(`not in one place: ${words}`)
  return at
}

/** What a list of events or a list of one body says. */
export function tell(events: readonly Wire[]): Told {
  const walk = new Walk()
  const first: Wire = events.find((event) => event !== null) ?? {}
  if (first.candidates) gemini(events, walk)
  else if (first.steps || first.event_type) interactions(events, walk)
  else if (first.choices) chat(events, walk)
  else if (first.type === 'message-start') cohere(events, walk)
  else if (first.output || first.type?.startsWith('response.')) responses(events, walk)
  else anthropic(events, walk)
  return walk.told()
}

function gemini(events: readonly Wire[], walk: Walk): void {
  for (const { content } of events.map((event) => event.candidates[0])) {
    for (const part of content?.parts ?? []) if (!part.thought) walk.say('answer', part.text)
  }
  for (const { groundingMetadata, citationMetadata } of events.map((each) => each.candidates[0])) {
    const chunks: Wire[] = groundingMetadata?.groundingChunks ?? []
    for (const index of chunks.keys()) walk.cite(`chunk ${index}`)
    for (const { segment, groundingChunkIndices } of groundingMetadata?.groundingSupports ?? []) {
      const listed = groundingChunkIndices.filter((index: number) => index < chunks.length)
      const pages = listed.map((index: number) => `chunk ${index}`)
      if (pages.length > 0) walk.marks.push({ ...bytes('answer', segment), pages })
    }
    for (const recited of citationMetadata?.citationSources ?? []) {
      walk.cite(recited.uri, bytes('answer', recited))
    }
  }
}

function bytes(
  part: string,
  { startIndex: start, endIndex: end, text }: Wire,
): Omit<Mark, 'pages'> {
  return { part, unit: 'bytes', start, end, quote: text }
}

function interactions(events: readonly Wire[], walk: Walk): void {
  const cite = (part: string, annotations: Wire[] = []) => {
    for (const { url, start_index: start, end_index: end } of annotations) {
      walk.cite(url, { part, unit: 'bytes', start, end })
    }
  }
  for (const { index, delta, steps } of events) {
    if (delta?.type === 'text') walk.say(`step ${index}`, delta.text)
    cite(`step ${index}`, delta?.annotations)
    for (const [at, { content }] of (steps ?? []).entries()) {
      for (const part of content ?? []) {
        walk.say(`step ${at}`, part.text)
        cite(`step ${at}`, part.annotations)
      }
    }
  }
}

function anthropic(events: readonly Wire[], walk: Walk): void {
  const cite = (part: string, citation: Wire) => {
    const { url, source, cited_text, document_title, title, ...place } = citation
    walk.cite(url ?? JSON.stringify([source, place]), { part, unit: 'part' })
  }
  for (const { content, index, content_block, delta } of events) {
    for (const [at, block] of (content ?? []).entries()) {
      if (block.type === 'text') walk.say(`block ${at}`, block.text)
      for (const citation of block.citations ?? []) cite(`block ${at}`, citation)
    }
    if (content_block?.type === 'text') walk.say(`block ${index}`, content_block.text)
    if (delta?.type === 'text_delta') walk.say(`block ${index}`, delta.text)
    if (delta?.citation) cite(`block ${index}`, delta.citation)
  }
}

/** Of a stream, only the last event, which says everything once more. */
function responses(events: readonly Wire[], walk: Walk): void {
  const last = events.at(-1)
  for (const [at, { content }] of (last.response ?? last).output.entries()) {
    for (const [index, { text, annotations }] of (content ?? []).entries()) {
      const part = `part ${at} ${index}`
      if (annotations) walk.say(part, text)
      for (const each of annotations ?? []) annotated(part, each, walk)
    }
  }
}

function chat(events: readonly Wire[], walk: Walk): void {
  for (const { choices, search_results } of events) {
    walk.say('answer', choices[0].message.content)
    for (const { url } of search_results ?? []) walk.cite(url)
    for (const { url_citation } of choices[0].message.annotations ?? []) {
      annotated('answer', url_citation, walk)
    }
  }
}

function annotated(part: string, annotation: Wire, walk: Walk): void {
  const { url, file_id, index, start_index: start = index, end_index: end = index } = annotation
  const page = url?.replace(/[?&]utm_source=openai$/, '') ?? file_id
  walk.cite(page, { part, unit: 'characters', start, end })
}

function cohere(events: readonly Wire[], walk: Walk): void {
  for (const { type, index, delta } of events) {
    const { content, citations } = delta?.message ?? {}
    if (type.startsWith('content-')) walk.say(`block ${index}`, content?.text)
    if (type !== 'citation-start') continue
    const { start, end, text: quote, content_index, sources } = citations
    const part = `block ${content_index}`
    for (const { id } of sources) walk.cite(id, { part, unit: 'characters', start, end, quote })
  }
}
