/** What a user would take instead: the AI SDK, fed the same bytes through its `fetch` option. */
import { createOpenAI } from '@ai-sdk/openai'

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'q' }] }]

/** Streams a recorded answer through the SDK and counts its sources. */
export async function streamWithAiSdk(body: Uint8Array): Promise<number> {
  const fetch = async () =>
    new Response(body as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': 'text/event-stream' },
    })
  const model = createOpenAI({ apiKey: 'none', fetch: fetch as typeof globalThis.fetch }).responses(
    'gpt-5',
  )
  const { stream } = await model.doStream({ prompt })
  let sources = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (next.value.type === 'source') sources++
  }
  return sources
}
