/** Streams: against parsing each event, and as bytes per second. */
import assert from 'node:assert'
import { CitationService } from '../../index.js'
import { loadFloor } from '../floor.ts'
import { asEvents, chunksOf, openaiStream, padding } from '../payloads.ts'
import { race } from '../race.ts'
import { faster, figure, onFloor, type Row, times } from '../row.ts'
import { renderingOf, streamOpenAI } from '../typescript/index.ts'

const options = { links: 'osc8' } as const

const parsing = faster('a stream of 2,000 deltas as bytes', 'JSON.parse of each event', () => {
  const chunks = chunksOf(asEvents(openaiStream(2000, 12)))
  const turn = new CitationService().startTurn()
  const ours = () => {
    turn.reset()
    for (const chunk of chunks) turn.pushBytes(chunk)
    return turn.render(options)
  }
  const theirs = () => streamOpenAI(chunks, renderingOf(options)).block
  assert.equal(ours(), theirs())
  return { theirs, ours }
})

const WORDS = 'The scheduler polls every task fairly, so that no queue starves. '.split(/(?<= )/)
const word = (n: number) => WORDS[n % WORDS.length] as string

/** A text delta as each provider sends it. */
const DELTAS: Record<string, (n: number) => object> = {
  'OpenAI Responses': (n) => ({
    type: 'response.output_text.delta',
    sequence_number: n,
    item_id: `msg_${'68c2e7054ae48193'.repeat(3)}`,
    output_index: 1,
    content_index: 0,
    delta: word(n),
    logprobs: [],
    obfuscation: padding(word(n), n),
  }),
  'Chat Completions': (n) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_750_000_000,
    model: 'gpt-5-mini',
    choices: [{ index: 0, delta: { content: word(n) }, logprobs: null, finish_reason: null }],
  }),
  Anthropic: (n) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: word(n) },
  }),
  Gemini: (n) => ({
    candidates: [{ content: { parts: [{ text: word(n) }], role: 'model' }, index: 0 }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: n, totalTokenCount: 12 + n },
    modelVersion: 'gemini-2.5-pro',
    responseId: 'r-1',
  }),
}

const pushed = Object.entries(DELTAS).map(([provider, make]) =>
  times(`a text delta pushed as an event: ${provider}`, 'an empty native call', () => {
    const turn = new CitationService({ documents: true }).startTurn()
    const [delta, { nothing }] = [make(7), loadFloor()]
    return { theirs: () => nothing(), ours: () => turn.push(delta) }
  }),
)

/** Not more than fit into a round, or every round would be interrupted. */
const DELTA_COUNT = 2000

const rates = Object.entries(DELTAS).map(
  ([provider, make]): Row => ({
    name: `text deltas as bytes: ${provider}`,
    against: 'the clock',
    measure: 'GB/s',
    async run(pace) {
      const events = Array.from({ length: DELTA_COUNT }, (_, n) => JSON.stringify(make(n)))
      const body = events.map((event) => `data: ${event}\n\n`).join('')
      const chunks = chunksOf(body)
      const turn = new CitationService({ documents: true }).startTurn()
      const ours = () => {
        turn.reset()
        for (const chunk of chunks) turn.pushBytes(chunk)
      }
      ours()
      assert.equal(
        turn.finish().answer,
        Array.from({ length: DELTA_COUNT }, (_, n) => word(n)).join(''),
      )
      const rounds = await race(() => undefined, ours, pace)
      // Bytes per nanosecond are gigabytes per second.
      return figure(rounds, (_, our) => body.length / our)
    },
  }),
)

export const streams: Row[] = [parsing, ...pushed.map(onFloor), ...rates]
