/**
 * `@anthropic-ai/sdk`, as it is, against a server on this machine: what the builders make arrives byte for byte,
 * and a streamed answer comes to the same citations as a whole one, whichever way the SDK hands it out.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { anthropic, CitationService, type CitationTurn, type TurnPayload } from '../index.js'
import {
  blocks,
  char,
  eventsOf,
  fetched,
  MEADOW,
  MEADOW_PAYLOAD,
  MEADOW_RESPONSE,
  message,
  pages,
  results,
  searchResult,
  serverSent,
} from './anthropic-requests.js'
import { checked } from './turns.js'

type Params = Anthropic.MessageCreateParamsNonStreaming

const HOST = '127.0.0.1'

let server: Server
let client: Anthropic
/** The bodies that arrived, as they arrived. */
let arrived: { path: string; body: Buffer }[] = []
let answer: { content: readonly object[] } = MEADOW_RESPONSE

beforeAll(async () => {
  // The SDK takes settings from here; what this machine has must not lead it elsewhere.
  for (const name of Object.keys(process.env)) {
    if (/proxy|^ANTHROPIC_/i.test(name)) vi.stubEnv(name, undefined)
  }
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    arrived.push({ path: `${request.method} ${request.url}`, body })
    const streamed = JSON.parse(body.toString()).stream === true
    response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
    response.end(streamed ? serverSent(eventsOf(answer)) : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const { port } = server.address() as AddressInfo
  client = new Anthropic({ apiKey: 'none', baseURL: `http://${HOST}:${port}`, maxRetries: 0 })
})

beforeEach(() => {
  arrived = []
  answer = MEADOW_RESPONSE
})

afterAll(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** A request of these blocks and a question. */
function paramsOf(...documents: Anthropic.ContentBlockParam[]): Params {
  const content = [...documents, { type: 'text' as const, text: MEADOW.question }]
  return { model: 'claude-opus-4-6', max_tokens: 1024, messages: [{ role: 'user', content }] }
}

const bytes = randomBytes(300_000)

const DOCUMENTS: [string, () => Anthropic.DocumentBlockParam[]][] = [
  [
    'the documented one',
    () => [
      anthropic.plainTextDocument(MEADOW.text, { title: MEADOW.title, context: MEADOW.context }),
    ],
  ],
  ['text beyond ASCII', () => [anthropic.plainTextDocument('Grüße 👍🏽 草は緑\u2028\0"\\/')]],
  ['a PDF of 300 kB', () => [anthropic.pdfDocument(bytes, { cacheControl: '1h' })]],
  ['a PDF at an address', () => [anthropic.pdfDocument('https://files.example/a.pdf?x=1&y=ü')]],
  ['blocks', () => [anthropic.customContentDocument(['a', { type: 'text', text: 'b' }])]],
  ['a file', () => [anthropic.fileDocument('file_011CNha8i', { title: 'T', cacheControl: true })]],
  [
    'all of them, cached',
    () => [
      anthropic.plainTextDocument('a', { cacheControl: true }),
      anthropic.pdfDocument(bytes, { cacheControl: '5m' }),
      anthropic.customContentDocument(['b'], { cacheControl: '1h' }),
      anthropic.fileDocument('file_1', { cacheControl: '5m' }),
    ],
  ],
]

describe('a request', () => {
  test.each(DOCUMENTS)('with %s arrives byte for byte', async (_, documents) => {
    const params = paramsOf(...documents())
    expect(anthropic.checkCitationRequest(params)).toEqual([])
    await client.messages.create(params)
    await client.messages.create({ ...params, stream: true }).then(drain)
    await client.messages.stream(params).finalMessage()
    expect(arrived.map(({ path }) => path)).toEqual(Array(3).fill('POST /v1/messages'))
    const [whole, streamed, helper] = arrived.map(({ body }) => body.toString())
    expect(whole).toBe(JSON.stringify(params))
    expect(streamed).toBe(JSON.stringify({ ...params, stream: true }))
    expect(JSON.parse(helper!)).toEqual({ ...params, stream: true })
  })

  test('is the documented one', async () => {
    const { text, title, context } = MEADOW
    await client.messages.create(paramsOf(anthropic.plainTextDocument(text, { title, context })))
    expect(arrived[0]?.body.toString()).toBe(JSON.stringify(JSON.parse(MEADOW_PAYLOAD)))
  })

  test('brings the bytes of a PDF', async () => {
    await client.messages.create(paramsOf(anthropic.pdfDocument(bytes)))
    const { messages } = JSON.parse(arrived[0]!.body.toString())
    const { data } = messages[0].content[0].source
    expect(Buffer.from(data, 'base64').equals(bytes)).toBe(true)
  })

  test('takes documents in tool results, and goes to the beta as well', async () => {
    const content = [anthropic.plainTextDocument('a'), anthropic.fileDocument('file_1')]
    const use = { type: 'tool_use' as const, id: 'toolu_1', name: 'read', input: {} }
    const params: Params = {
      ...paramsOf(),
      messages: [
        { role: 'user', content: 'Read.' },
        { role: 'assistant', content: [use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
      ],
    }
    await client.messages.create(params)
    await client.beta.messages.create(params)
    for (const { body } of arrived) expect(body.toString()).toBe(JSON.stringify(params))
  })
})

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

/** An answer with every kind of citation, its request, and how many of them there are. */
const REQUEST = paramsOf(
  anthropic.plainTextDocument(MEADOW.text, { title: 'Meadow' }),
  anthropic.pdfDocument(bytes, { title: 'Paper' }),
  anthropic.customContentDocument(['One. ', 'Zwei 👍🏽. '], { title: 'List' }),
  searchResult('Leave', ['Use the portal.']) as Anthropic.SearchResultBlockParam,
)
const ALL_KINDS = message(
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_fetch', input: {} },
  fetched('https://p.example/', 'Page', 'Alpha. 👍🏽 Beta.'),
  ['Füße 👍🏽 laufen. '],
  ['Green', char(0, 0, 'The grass is green. ')],
  [', ', char(0, 20, 'The sky is blue.'), pages(1, 5, 8, 'Pages.\r\nMore.')],
  ['zwei', blocks(2, 1, 2, 'Zwei 👍🏽. ')],
  [' 草は緑 ', results(0, 0, 1, 'Use the portal.'), char(3, 7, '👍🏽 Beta.')],
  [
    'news',
    {
      type: 'web_search_result_location',
      url: 'https://news.example/',
      title: 'News',
      cited_text: 'It is out...',
      encrypted_index: 'Eo8B',
    },
  ],
  ['.'],
)

const ANSWERS: [string, { content: readonly object[] }, Params, citations: number][] = [
  ['the documented answer', MEADOW_RESPONSE, paramsOf(anthropic.plainTextDocument(MEADOW.text)), 2],
  ['an answer with every kind of citation', ALL_KINDS, REQUEST, 7],
]

/** A turn for a request. */
function turnFor(params: Params): CitationTurn {
  const turn = new CitationService({ documents: true }).startTurn()
  turn.setRequest(params)
  return turn
}

/** What the SDK's whole message comes to, after a look at what must be in it. */
async function expectedOf(params: Params, count: number): Promise<TurnPayload> {
  const turn = turnFor(params)
  turn.push(await client.messages.create(params))
  const payload = checked(turn.finish())
  expect(payload.sources).toHaveLength(count)
  expect(payload.diagnostics).toEqual([])
  return payload
}

describe.each(ANSWERS)('%s', (_, given, params, count) => {
  beforeEach(() => {
    answer = given
  })

  test('comes to its citations, and each is in its document', async () => {
    const { sources } = await expectedOf(params, count)
    const documents = params.messages[0]!.content as object[]
    const proven = sources.flatMap(({ location, citedText }) => {
      if (!location || !('documentIndex' in location)) return []
      const passage = anthropic.locate(documents[location.documentIndex]!, location)
      return passage ? [[passage.text, citedText]] : []
    })
    const quotes = [MEADOW.text.slice(0, 20), MEADOW.text.slice(20), 'Zwei 👍🏽. ']
    const expected = quotes.slice(0, given === ALL_KINDS ? 3 : 2)
    expect(proven).toEqual(expected.map((quote) => [quote, quote]))
  })

  test('comes to the same as a stream', async () => {
    const turn = turnFor(params)
    for await (const event of await client.messages.create({ ...params, stream: true })) {
      turn.push(event)
    }
    expect(turn.finish()).toEqual(await expectedOf(params, count))
  })

  test('comes to the same as a MessageStream', async () => {
    const turn = turnFor(params)
    for await (const event of client.messages.stream(params)) turn.push(event)
    expect(turn.finish()).toEqual(await expectedOf(params, count))
  })

  test('comes to the same by the events of a MessageStream, and again with its last word', async () => {
    const turn = turnFor(params)
    let heard = 0
    const stream = client.messages.stream(params)
    stream.on('streamEvent', (event) => turn.push(event))
    stream.on('citation', () => {
      heard += 1
    })
    const last = await stream.finalMessage()
    const expected = await expectedOf(params, count)
    expect(heard).toBe(count)
    expect(turn.finish()).toEqual(expected)
    turn.push(last)
    expect(turn.finish()).toEqual(expected)
    const late = turnFor(params)
    late.push(last)
    expect(late.finish()).toEqual(expected)
  })

  test('comes to the same by its bytes', async () => {
    const turn = turnFor(params)
    const response = await client.messages.create({ ...params, stream: true }).asResponse()
    for await (const chunk of response.body ?? []) turn.pushBytes(chunk)
    expect(turn.finish()).toEqual(await expectedOf(params, count))
  })
})

test('names and addresses come from the request and from what was fetched', async () => {
  answer = ALL_KINDS
  const { sources } = await expectedOf(REQUEST, 7)
  expect(sources.map(({ title, url }) => [title, url])).toEqual([
    ['Meadow', undefined],
    ['Meadow', undefined],
    ['Paper', undefined],
    ['List', undefined],
    ['hr-0', undefined],
    ['Page', 'https://p.example/'],
    ['News', 'https://news.example/'],
  ])
})
