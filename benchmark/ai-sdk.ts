/**
 * What a user would take instead: the AI SDK, fed the same bytes through its `fetch` option. What it
 * sends is thrown away.
 */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'

// It would print about models it has no tables for, and our standard output is for figures.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

export type Maker = 'Gemini' | 'OpenAI' | 'Anthropic'

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'q' }] }]

/** A model of the SDK whose network is one recorded answer. */
function modelOf(maker: Maker, body: Uint8Array, type: string) {
  const answer = async () =>
    new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } })
  const options = { apiKey: 'none', fetch: answer as typeof globalThis.fetch }
  if (maker === 'Gemini') return createGoogleGenerativeAI(options)('gemini-2.5-pro')
  if (maker === 'OpenAI') return createOpenAI(options).responses('gpt-5-mini')
  return createAnthropic(options)('claude-opus-4-6')
}

/** The sources of a whole answer, as an application asks for them. */
export function generating(maker: Maker, body: Uint8Array) {
  const model = modelOf(maker, body, 'application/json')
  return async () => (await generateText({ model, prompt: 'q', maxRetries: 0 })).sources
}

/** The same one floor down, where the SDK does nothing but read the answer. */
export function reading(maker: Maker, body: Uint8Array) {
  const model = modelOf(maker, body, 'application/json')
  return async () => {
    const { content } = await model.doGenerate({ prompt })
    return content.filter((part) => part.type === 'source')
  }
}

/** The sources of a streamed answer. */
export function streaming(maker: Maker, body: Uint8Array) {
  const model = modelOf(maker, body, 'text/event-stream')
  return async () => {
    const { stream } = await model.doStream({ prompt })
    const sources = []
    const reader = stream.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.type === 'source') sources.push(next.value)
    }
    return sources
  }
}
