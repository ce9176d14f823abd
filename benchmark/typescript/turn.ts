/** One turn, and one stream, as a host would keep them. */
import type { CitationSource } from '../../index.js'
import { dedupe } from './list.ts'
import { extractGemini, extractOpenAI, readBlock } from './read.ts'
import { type Rendering, render } from './render.ts'

type GeminiResponse = {
  candidates?: {
    content?: { parts?: { text?: string }[] }
    groundingMetadata?: {
      groundingSupports?: {
        segment?: { startIndex?: number; endIndex?: number }
        groundingChunkIndices?: number[]
      }[]
    }
  }[]
}
type OpenAIResponse = { output?: { content?: { text?: string }[] }[] }
type AnthropicMessage = { content?: { type: string; text?: string }[] }

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
    extractGemini(response, this.#sources)
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
    extractOpenAI(response, this.#sources)
    for (let at = first; at < this.#sources.length; at++) {
      const location = this.#sources[at]?.location
      if (location?.type !== 'url_citation') continue
      this.#spans.push({ start: location.startIndex, end: location.endIndex, sources: [at] })
    }
  }

  #pushAnthropic(message: AnthropicMessage): void {
    for (const block of message.content ?? []) {
      const start = this.#text.length
      const first = this.#sources.length
      if (block.type === 'text') this.#text += block.text ?? ''
      readBlock(block, this.#sources)
      for (let at = first; at < this.#sources.length; at++) {
        this.#spans.push({ start, end: this.#text.length, sources: [at] })
      }
    }
  }

  /** How much it holds: the engine must not find out that nobody asks for it. */
  get size(): number {
    return this.#text.length + this.#spans.length
  }

  render(options: Rendering): string {
    return render(dedupe(this.#sources), options)
  }
}

/** A streamed OpenAI answer, event by event: split, parse, collect. */
export function streamOpenAI(
  chunks: Iterable<Uint8Array>,
  options: Rendering,
): { text: string; block: string } {
  const decoder = new TextDecoder()
  let rest = ''
  let text = ''
  const annotations = new Map<string, object>()
  for (const chunk of chunks) {
    const lines = rest + decoder.decode(chunk, { stream: true })
    let start = 0
    let end = lines.indexOf('\n')
    while (end >= 0) {
      if (lines.startsWith('data: ', start)) {
        const event = JSON.parse(lines.slice(start + 6, end))
        if (event.type === 'response.output_text.delta') text += event.delta
        else if (event.type === 'response.output_text.annotation.added') {
          const { output_index, content_index, annotation_index } = event
          annotations.set(`${output_index}/${content_index}/${annotation_index}`, event.annotation)
        }
      }
      start = end + 1
      end = lines.indexOf('\n', start)
    }
    rest = lines.slice(start)
  }
  const output = [{ content: [{ annotations: [...annotations.values()] }] }]
  return { text, block: render(dedupe(extractOpenAI({ output })), options) }
}
