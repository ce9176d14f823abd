/** The same bytes through the AI SDK, up to its sources. Ours gives sources, answer and spans. */
import assert from 'node:assert'
import { CitationService } from '../../index.js'
import type { Maker } from '../ai-sdk.ts'
import {
  anthropicResponse,
  asEvents,
  geminiResponse,
  openaiResponse,
  openaiStream,
} from '../payloads.ts'
import { faster, type Row } from '../row.ts'

const RESPONSES: [Maker, (sources: number) => object][] = [
  ['Gemini', geminiResponse],
  ['OpenAI', openaiResponse],
  ['Anthropic', anthropicResponse],
]

const encode = (text: string) => new TextEncoder().encode(text)

/** A turn that is fed and asked for everything. */
function finished(bytes: Uint8Array) {
  const turn = new CitationService({ documents: true }).startTurn()
  return () => {
    turn.reset()
    turn.pushBytes(bytes)
    return turn.finish().sources
  }
}

type Found = { url?: string }[]

/** Both found the same pages; the SDK lists some of them more than once. */
function agree(theirs: Found, ours: Found) {
  const pages = (found: Found) => [...new Set(found.map(({ url }) => url))].sort()
  assert.deepEqual(pages(ours), pages(theirs))
}

/** The SDK is loaded by the rows that need it. */
const sdk = () => import('../ai-sdk.ts')

const whole = RESPONSES.flatMap(([maker, make]): Row[] => {
  const bytes = encode(JSON.stringify(make(6)))
  const name = `a whole turn from bytes, as objects: ${maker}, 6 sources`
  return [
    faster(name, "the AI SDK's generateText", async () => {
      const [theirs, ours] = [(await sdk()).generating(maker, bytes), finished(bytes)]
      agree((await theirs()) as Found, ours())
      return { theirs, ours }
    }),
    faster(name, "the AI SDK's doGenerate", async () => {
      const [theirs, ours] = [(await sdk()).reading(maker, bytes), finished(bytes)]
      agree((await theirs()) as Found, ours())
      return { theirs, ours }
    }),
  ]
})

const stream = faster('a stream of 2,000 deltas as bytes', "the AI SDK's doStream", async () => {
  const bytes = encode(asEvents(openaiStream(2000, 12)))
  const [theirs, ours] = [(await sdk()).streaming('OpenAI', bytes), finished(bytes)]
  agree((await theirs()) as Found, ours())
  return { theirs, ours }
})

export const sdks: Row[] = [...whole, stream]
