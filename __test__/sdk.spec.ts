/**
 * The official SDKs, as they are, talking to a server on this machine that replays recordings: what
 * they hand out goes into `push`, the bytes they received go into `pushBytes`, and both come to what
 * the recorded events come to.
 */
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CitationService, type TurnPayload } from '../index.js'
import { anthropicAnswer } from './arbitrary-anthropic.js'
import { geminiAnswer, geminiParts } from './arbitrary-gemini.js'
import { openaiAnswer } from './arbitrary-openai.js'
import { type Cutting, Loopback, PIECES } from './loopback.js'
import { recordings } from './recordings.js'
import { BODIES, payloadOf, pushed } from './stream-bodies.js'
import type { Wire } from './stream-oracle.js'

/** A case: its name, and its events or the body that is its only one. */
type Case = [name: string, events: Wire[]]

const SAMPLE = { seed: 20_261_116, numRuns: 3 }

const CASES = {
  gemini: sorted('google/', ({ candidates }) => candidates, fc.sample(geminiAnswer, SAMPLE)),
  interactions: sorted('google/', ({ steps, event_type }) => steps ?? event_type, []),
  responses: sorted(
    'openai/',
    ({ output, type }) => output ?? type,
    fc.sample(openaiAnswer('code points', 2), SAMPLE),
  ),
  anthropic: sorted('anthropic/', ({ type }) => type, fc.sample(anthropicAnswer, SAMPLE)),
}

/** Recorded and generated cases of one provider. Without recordings the generated ones remain. */
function sorted(
  folder: string,
  fits: (event: Wire) => unknown,
  generated: { whole: object; events: object[] }[],
): { streams: Case[]; bodies: Case[] } {
  const recorded = recordings()
    .filter(({ file }) => file.startsWith(folder))
    .flatMap(({ file, exchanges }) =>
      exchanges.map(({ events }, index): Case => [`${file}, exchange ${index}`, events]),
    )
    .filter(([, [first]]) => first && fits(first))
  const made = generated.map(({ events }, index): Case => [`generated ${index}`, events])
  const wholes = generated.map(({ whole }, index): Case => [`generated ${index}`, [whole]])
  return {
    streams: [...recorded.filter(([, { length }]) => length > 1), ...made],
    bodies: [...recorded.filter(([, { length }]) => length === 1), ...wholes],
  }
}

/** Chat Completions streams were never recorded: a completion, cut as its stream would be. */
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4o-mini-search-preview',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: 'Füße 👍🏽 laufen. ([läufer](https://a.example/?utm_source=openai)) Ende.',
        annotations: [
          {
            type: 'url_citation',
            url_citation: {
              url: 'https://a.example/?utm_source=openai',
              title: 'Läufer',
              start_index: 16,
              end_index: 64,
            },
          },
        ],
      },
    },
  ],
}

const COMPLETIONS: Case[] = [
  ['hand-written', [COMPLETION]],
  ...recordings()
    .filter(({ file }) => file.includes('chat-completions'))
    .map(({ file, exchanges }): Case => [file, exchanges[0]!.events]),
]

function chunksOf({ id, choices: [choice] }: Wire): Wire[] {
  const { content, annotations } = choice.message
  const chunk = (delta: object) => ({
    id,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: null }],
  })
  return [
    chunk({ role: 'assistant', content: '' }),
    ...Array.from(content as string, (character) => chunk({ content: character })),
    chunk({ annotations }),
    {
      id,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    },
  ]
}

/** Server-sent events with their names, as OpenAI and Anthropic send them. */
function namedEvents(events: Wire[]): string {
  return events
    .map((event) => `event: ${event.type ?? event.event_type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}

const server = new Loopback()
let google: GoogleGenAI
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  await server.start()
  // SDKs take settings from here; what this machine has must not lead them elsewhere.
  for (const name of Object.keys(process.env)) {
    if (/proxy|^(OPENAI|ANTHROPIC|GOOGLE|GEMINI)_/i.test(name)) vi.stubEnv(name, undefined)
  }
  vi.stubGlobal('fetch', server.fetch)
  google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.origin } })
  openai = new OpenAI({ apiKey: 'none', baseURL: `${server.origin}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
})

afterAll(async () => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  await server.stop()
})

/** Asks an SDK for a body and holds what it hands out, and what came in, against the body itself. */
async function compareBody(body: Wire, cutting: Cutting, ask: () => Promise<object>) {
  server.answer(JSON.stringify(body, null, 2), 'application/json', cutting)
  const response = await ask()
  await expectAll(pushed([response]), pushed([body]))
}

/** Asks an SDK for a stream, likewise. */
async function compareStream(
  body: string,
  events: Wire[],
  cutting: Cutting,
  ask: () => AsyncIterable<object> | Promise<AsyncIterable<object>>,
) {
  server.answer(body, 'text/event-stream', cutting)
  // Live, as hosts do it; some SDKs go on changing what they have handed out.
  const turn = new CitationService({ documents: true }).startTurn()
  for await (const event of await ask()) turn.push(event)
  await expectAll(turn.finish(), pushed(events))
}

/** Likewise, but what the SDK hands out is read when it has handed out everything. */
async function compareKept(
  body: string,
  events: Wire[],
  cutting: Cutting,
  ask: () => AsyncIterable<object>,
) {
  server.answer(body, 'text/event-stream', cutting)
  const kept: object[] = []
  for await (const event of ask()) kept.push(event)
  await expectAll(pushed(kept), pushed(events))
}

async function expectAll(fromSdk: TurnPayload, expected: TurnPayload): Promise<void> {
  expect(fromSdk).toEqual(expected)
  const pieces = await server.received()
  expect(pieces.length).toBeGreaterThan(0)
  const fromBytes = payloadOf((turn) => {
    for (const piece of pieces) turn.pushBytes(piece)
  })
  expect(fromBytes).toEqual(expected)
}

const PATHS = [
  'POST /v1beta/models/any-model:generateContent',
  'POST /v1beta/models/any-model:streamGenerateContent?alt=sse',
  'POST /v1beta/interactions',
  'POST /v1/responses',
  'POST /v1/chat/completions',
  'POST /v1/messages',
]

const CUTTINGS = Object.keys(PIECES) as Cutting[]

describe.each(CUTTINGS)('in %s', (cutting) => {
  describe('@google/genai', () => {
    const request = { model: 'any-model', contents: 'Who?' }

    test.each(CASES.gemini.bodies)('generateContent: %s', async (_, [body]) => {
      await compareBody(body, cutting, () => google.models.generateContent(request))
    })

    test.each(CASES.gemini.streams)('generateContentStream: %s', async (_, events) => {
      const body = BODIES['server-sent events with CRLF']!(events)
      await compareStream(body, events, cutting, () => google.models.generateContentStream(request))
    })

    test.each(CASES.interactions.bodies)('interactions.create: %s', async (_, [body]) => {
      await compareBody(body, cutting, () =>
        google.interactions.create({ model: 'any-model', input: 'Who?' }),
      )
    })

    test.each(CASES.interactions.streams)(
      'interactions.create as stream: %s',
      async (_, events) => {
        await compareStream(namedEvents(events), events, cutting, () =>
          google.interactions.create({ model: 'any-model', input: 'Who?', stream: true }),
        )
      },
    )
  })

  describe('openai', () => {
    const request = { model: 'any-model', input: 'Who?' }
    const chat = { model: 'any-model', messages: [{ role: 'user', content: 'Who?' }] } as const

    test.each(CASES.responses.bodies)('responses.create: %s', async (_, [body]) => {
      await compareBody(body, cutting, () => openai.responses.create(request))
    })

    test.each(CASES.responses.streams)('responses.create as stream: %s', async (_, events) => {
      await compareStream(namedEvents(events), events, cutting, () =>
        openai.responses.create({ ...request, stream: true }),
      )
    })

    test.each(CASES.responses.streams)('responses.stream: %s', async (_, events) => {
      await compareStream(namedEvents(events), events, cutting, () =>
        openai.responses.stream(request),
      )
    })

    test.each(CASES.responses.streams)('responses.stream, read later: %s', async (_, events) => {
      await compareKept(namedEvents(events), events, cutting, () =>
        openai.responses.stream(request),
      )
    })

    test.each(COMPLETIONS)('chat.completions.create: %s', async (_, [body]) => {
      await compareBody(body, cutting, () =>
        openai.chat.completions.create({ ...chat, messages: [...chat.messages] }),
      )
    })

    test.each(COMPLETIONS)('chat.completions.create as stream: %s', async (_, [body]) => {
      const events = chunksOf(body)
      expect(pushed(events)).toEqual(pushed([body]))
      const sent = BODIES['a last event that says it is done']!(events)
      await compareStream(sent, events, cutting, () =>
        openai.chat.completions.create({ ...chat, messages: [...chat.messages], stream: true }),
      )
    })
  })

  describe('@anthropic-ai/sdk', () => {
    const request: Anthropic.MessageCreateParamsNonStreaming = {
      model: 'any-model',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Who?' }],
    }

    test.each(CASES.anthropic.bodies)('messages.create: %s', async (_, [body]) => {
      await compareBody(body, cutting, () => anthropic.messages.create(request))
    })

    test.each(CASES.anthropic.streams)('messages.create as stream: %s', async (_, events) => {
      await compareStream(namedEvents(events), events, cutting, () =>
        anthropic.messages.create({ ...request, stream: true }),
      )
    })

    test.each(CASES.anthropic.streams)('messages.stream: %s', async (_, events) => {
      await compareStream(namedEvents(events), events, cutting, () =>
        anthropic.messages.stream(request),
      )
    })

    test.each(CASES.anthropic.streams)('messages.stream, read later: %s', async (_, events) => {
      await compareKept(namedEvents(events), events, cutting, () =>
        anthropic.messages.stream(request),
      )
    })

    test.each(CASES.anthropic.streams)('messages.stream by its events: %s', async (_, events) => {
      server.answer(namedEvents(events), 'text/event-stream', cutting)
      const turn = new CitationService({ documents: true }).startTurn()
      const stream = anthropic.messages.stream(request)
      stream.on('streamEvent', (event) => turn.push(event))
      const message = await stream.finalMessage()
      const expected = pushed(events)
      await expectAll(turn.finish(), expected)
      expect(pushed([message])).toEqual(expected)
      turn.push(message)
      expect(turn.finish()).toEqual(expected)
    })
  })
})

test('the hand-written completion cites its link', () => {
  const link = '([läufer](https://a.example/?utm_source=openai))'
  expect(pushed([COMPLETION]).anchors).toEqual([{ start: 18, end: 66, text: link, sources: [1] }])
})

test('reading what an SDK hands out calls none of its getters that warn', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  for (const { whole, answer } of fc.sample(geminiParts, { ...SAMPLE, numRuns: 20 })) {
    server.answer(JSON.stringify(whole), 'application/json', 'one piece')
    const response = await google.models.generateContent({ model: 'any-model', contents: 'Who?' })
    expect(pushed([response]).answer).toBe(answer)
  }
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

test('nothing has left this machine', () => {
  // Bun does not tell where it connects to.
  expect([...server.hosts]).toEqual(process.versions.bun ? [] : ['127.0.0.1'])
  const asked = [...new Set(server.requests)]
  expect(asked.filter((request) => !PATHS.includes(request))).toEqual([])
})
