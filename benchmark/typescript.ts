/**
 * The same rules in plain TypeScript: what a host would write by hand, with care for speed. The
 * benchmark's yardstick, and an oracle for the results.
 */
import type { CitationLocation, CitationSource } from '../index.js'

type Chunk = { web?: { uri?: string; title?: string; domain?: string } }
type Support = {
  segment?: { startIndex?: number; endIndex?: number }
  groundingChunkIndices?: number[]
}
type Grounding = { groundingChunks?: Chunk[]; groundingSupports?: Support[] }
type GeminiResponse = {
  candidates?: { content?: { parts?: { text?: string }[] }; groundingMetadata?: Grounding }[]
}

type Annotation = {
  type: string
  url?: string
  title?: string
  start_index?: number
  end_index?: number
}
type OpenAIResponse = {
  output?: { content?: { text?: string; annotations?: Annotation[] }[] }[]
}

type AnthropicCitation = {
  type: string
  url?: string
  title?: string | null
  cited_text?: string
  encrypted_index?: string
}
type AnthropicMessage = {
  content?: { type: string; text?: string; citations?: AnthropicCitation[] | null }[]
}

export function extractGemini(response: GeminiResponse): CitationSource[] {
  const sources: CitationSource[] = []
  const chunks = response?.candidates?.[0]?.groundingMetadata?.groundingChunks ?? []
  for (let index = 0; index < chunks.length; index++) {
    const web = chunks[index]?.web
    if (!web || (!web.uri && !web.title)) continue
    sources.push(
      sanitize({
        title: web.title,
        url: web.uri,
        domain: web.domain,
        provider: 'gemini',
        location: { type: 'grounding', groundingChunkIndex: index },
      }),
    )
  }
  return sources
}

export function extractOpenAI(response: OpenAIResponse): CitationSource[] {
  const sources: CitationSource[] = []
  for (const item of response?.output ?? []) {
    for (const part of item?.content ?? []) {
      for (const annotation of part?.annotations ?? []) {
        if (annotation?.type !== 'url_citation') continue
        let location: CitationLocation | undefined
        if (Number.isInteger(annotation.start_index) && Number.isInteger(annotation.end_index)) {
          location = {
            type: 'url_citation',
            startIndex: annotation.start_index as number,
            endIndex: annotation.end_index as number,
          }
        }
        sources.push(
          sanitize({
            title: annotation.title,
            url: annotation.url,
            provider: 'openai-responses',
            location,
          }),
        )
      }
    }
  }
  return sources
}

/** Of Anthropic's citations, those of pages that it found. */
export function extractAnthropic(message: AnthropicMessage): CitationSource[] {
  const sources: CitationSource[] = []
  for (const block of message?.content ?? []) {
    for (const citation of block?.citations ?? []) {
      if (citation?.type !== 'web_search_result_location') continue
      sources.push(
        sanitize({
          title: citation.title ?? undefined,
          url: citation.url,
          citedText: citation.cited_text,
          provider: 'anthropic',
          location: { type: citation.type, encryptedIndex: citation.encrypted_index },
        }),
      )
    }
  }
  return sources
}

const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ue200-\ue206]|\udb40[\udc00-\udc7f]/
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'g')
const BREAKS = /[\t\n\r]+/g
/** A character that is never joined with its neighbours: no need to ask the segmenter. */
const SINGLE = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function clean(text: string | undefined, limit: number): string | undefined {
  if (text === undefined) return undefined
  let line = UNSAFE.test(text) ? text.replace(BREAKS, ' ').replace(UNSAFE_ALL, '') : text
  if (line.length > limit && SINGLE.test(line.slice(0, limit + 1))) {
    line = `${line.slice(0, limit)}…`
  } else if (line.length > limit) {
    let count = 0
    for (const { index } of segmenter.segment(line)) {
      if (count++ === limit) {
        line = `${line.slice(0, index)}…`
        break
      }
    }
  }
  return line.trim() === '' ? undefined : line
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

export function link(raw: string): string | undefined {
  if (CONTROL.test(raw)) return undefined
  try {
    const url = new URL(raw)
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
    if (url.username || url.password) return undefined
    return url.href
  } catch {
    return undefined
  }
}

export function sanitize(source: CitationSource): CitationSource {
  const title = clean(source.title, 300)
  const url = source.url === undefined ? undefined : link(source.url)
  return {
    title: title ?? (url === undefined ? clean(source.url, 300) : undefined),
    url,
    citedText: clean(source.citedText, 200),
    provider: source.provider,
    location: source.location,
    domain: clean(source.domain, 300),
  }
}

export function pageKey(url: string): string {
  const directive = url.indexOf('#:~:')
  if (directive >= 0) url = url.slice(0, directive)
  const hash = url.indexOf('#')
  const fragment = hash >= 0 && hash < url.length - 1 ? url.slice(hash) : ''
  const before = hash >= 0 ? url.slice(0, hash) : url
  const mark = before.indexOf('?')
  let path = mark >= 0 ? before.slice(0, mark) : before
  while (path.endsWith('/')) path = path.slice(0, -1)
  if (mark < 0) return path + fragment
  const pairs = before
    .slice(mark + 1)
    .split('&')
    .filter((pair) => pair && pair !== 'utm_source=openai' && pair !== 'utm_source=chatgpt.com')
  return (pairs.length ? `${path}?${pairs.join('&')}` : path) + fragment
}

export function dedupe(sources: CitationSource[]): CitationSource[] {
  const seen = new Map<string, CitationSource>()
  for (const source of sources) {
    const key = source.url ? pageKey(source.url) : JSON.stringify([source.title, source.location])
    const held = seen.get(key)
    if (!held) {
      seen.set(key, source)
      continue
    }
    held.title ??= source.title
    const also = { citedText: source.citedText, location: source.location }
    held.also = held.also ? [...held.also, also] : [also]
  }
  return [...seen.values()]
}

const HOST = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
const FILE = /\.(?:[jt]sx?|mjs|json|html?|css|md|pdf|txt|csv|xml|ya?ml|toml|py|rb|php|cpp|java)$/i

/** Behind a redirect of Google's the name is the host of the page. */
const REDIRECT =
  /^https?:\/\/(?:vertexaisearch\.cloud\.google\.com\/(?:grounding-api-redirect\/|redirect)|(?:www\.)?google\.com\/url\?)/

function isMisleading(title: string, url: string): boolean {
  if (!title.includes('.') || REDIRECT.test(url)) return false
  const host = new URL(url).hostname
  for (const [named] of title.matchAll(HOST)) {
    const name = named.toLowerCase()
    if (!/\.\p{L}{2,}$/u.test(name) || FILE.test(name)) continue
    if (name !== host && !name.endsWith(`.${host}`) && !host.endsWith(`.${name}`)) return true
  }
  return false
}

const osc8 = (label: string, url: string) => `\u001b]8;;${url}\u0007${label}\u001b]8;;\u0007`

export function render(sources: CitationSource[]): string {
  if (sources.length === 0) return ''
  let block = ' Sources:'
  for (let index = 0; index < sources.length; index++) {
    const source = sources[index] as CitationSource
    const { url, title, citedText } = source
    const label = `  ${index + 1}. `
    block += `\n${label}`
    if (title !== undefined) {
      const linked = url !== undefined && url.length <= 1000 && !isMisleading(title, url)
      block += linked ? osc8(title.trim(), url) : title.trim()
    }
    if (url !== undefined) {
      if (title !== undefined) block += ' — '
      block += url.length <= 1000 ? osc8(url, url) : url
    }
    if (citedText !== undefined) block += `\n${' '.repeat(label.length)}> "${citedText.trim()}"`
  }
  return block
}

export const renderGemini = (response: GeminiResponse) => render(dedupe(extractGemini(response)))
export const renderOpenAI = (response: OpenAIResponse) => render(dedupe(extractOpenAI(response)))
export const renderAnthropic = (message: AnthropicMessage) =>
  render(dedupe(extractAnthropic(message)))

/** A streamed OpenAI answer, event by event: split, parse, collect. */
export function streamOpenAI(chunks: Iterable<Uint8Array>): { text: string; block: string } {
  const decoder = new TextDecoder()
  let rest = ''
  let text = ''
  const annotations = new Map<string, Annotation>()
  for (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    let end = rest.indexOf('\n\n')
    while (end >= 0) {
      for (const line of rest.slice(0, end).split('\n')) {
        if (!line.startsWith('data: ')) continue
        const event = JSON.parse(line.slice(6))
        if (event.type === 'response.output_text.delta') text += event.delta
        else if (event.type === 'response.output_text.annotation.added') {
          const { output_index, content_index, annotation_index } = event
          annotations.set(`${output_index}/${content_index}/${annotation_index}`, event.annotation)
        }
      }
      rest = rest.slice(end + 2)
      end = rest.indexOf('\n\n')
    }
  }
  const output = [{ content: [{ annotations: [...annotations.values()] }] }]
  return { text, block: renderOpenAI({ output }) }
}

/** What one turn has cited so far: text, spans and sources, kept until it is rendered. */
export class Turn {
  #text = ''
  #spans: { start: number; end: number; sources: number[] }[] = []
  #sources: CitationSource[] = []

  reset(): void {
    this.#text = ''
    this.#spans = []
    this.#sources = []
  }

  push(response: GeminiResponse & OpenAIResponse & AnthropicMessage): void {
    if (response.candidates) this.#pushGemini(response)
    else if (response.output) this.#pushOpenAI(response)
    else if (response.content) this.#pushAnthropic(response)
  }

  #pushGemini(response: GeminiResponse): void {
    const { content, groundingMetadata } = response.candidates?.[0] ?? {}
    const first = this.#sources.length
    for (const part of content?.parts ?? []) this.#text += part?.text ?? ''
    this.#sources.push(...extractGemini(response))
    for (const { segment, groundingChunkIndices } of groundingMetadata?.groundingSupports ?? []) {
      const sources = (groundingChunkIndices ?? []).map((index) => first + index)
      this.#spans.push({ start: segment?.startIndex ?? 0, end: segment?.endIndex ?? 0, sources })
    }
  }

  #pushOpenAI(response: OpenAIResponse): void {
    const first = this.#sources.length
    for (const item of response.output ?? []) {
      for (const part of item?.content ?? []) this.#text += part?.text ?? ''
    }
    this.#sources.push(...extractOpenAI(response))
    for (let at = first; at < this.#sources.length; at++) {
      const location = this.#sources[at]?.location
      if (location?.type !== 'url_citation') continue
      this.#spans.push({ start: location.startIndex, end: location.endIndex, sources: [at] })
    }
  }

  #pushAnthropic(message: AnthropicMessage): void {
    for (const block of message.content ?? []) {
      const [start, first] = [this.#text.length, this.#sources.length]
      if (block.type === 'text') this.#text += block.text ?? ''
      this.#sources.push(...extractAnthropic({ content: [block] }))
      for (let at = first; at < this.#sources.length; at++) {
        this.#spans.push({ start, end: this.#text.length, sources: [at] })
      }
    }
  }

  /** How much it holds: the engine must not find out that nobody asks for it. */
  get size(): number {
    return this.#text.length + this.#spans.length
  }

  render(): string {
    return render(dedupe(this.#sources))
  }
}
