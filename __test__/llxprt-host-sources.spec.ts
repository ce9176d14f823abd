/**
 * Which sources a turn of the example host cites: those of tools and providers under one numbering, once, in
 * a stable order, without what a tool has listed itself or what an abandoned attempt said.
 */
import { describe, expect, it } from 'vitest'
import * as scenes from '../examples/llxprt-host/scenes.js'
import { ReplayServer, type Reply } from '../examples/llxprt-host/server.js'
import {
  anthropicAnswer,
  anthropicCall,
  brokenOff,
  exaAnswer,
  geminiAnswer,
  geminiCall,
  geminiChunk,
  geminiSearch,
  responsesAnswer,
  responsesCall,
} from '../examples/llxprt-host/wire.js'
import { hostsOn, infoRows } from './llxprt-host.js'

const { BLOG, HISTORY, NOTES, RUST, RUST_ANSWER, RUST_GROUNDING, WIKI } = scenes

const server = new ReplayServer()
const open = hostsOn(server)

/** A session of 0.9, which has all tools, that shows citations as INFO items. */
async function start(provider = 'gemini') {
  const host = open({ release: '0.9' })
  await host.session.enter('/set citations enabled')
  await host.session.enter(`/provider ${provider}`)
  return host
}

const RUST_BLOCK = infoRows(
  ' Sources:',
  `  1. History of Rust — ${WIKI}`,
  `  2. Rust Release Notes — ${BLOG}`,
)
const times = (rows: string[], part: string) => rows.join('\n').split(part).length - 1

describe('sources a search tool has listed', () => {
  /** The model searches, and the tool lists these. */
  const searched = (sources?: unknown): Reply[] => [
    geminiCall(scenes.SEARCH_CALL),
    geminiSearch('Released in 2015. [1]', sources),
  ]

  it('reach the model as the tool wrote them', async () => {
    const { ask, text } = await start()
    server.requests.length = 0
    await ask(...searched([HISTORY, NOTES]), RUST)
    const last = server.requests.at(-1)!
    expect(JSON.parse(last.body).contents.at(-1).parts[0].functionResponse.response.output).toBe(
      `Web search results for "rust 1.0":\n\nReleased in 2015. [1]\n\nSources:\n[1] History of Rust (${WIKI})\n[2] Rust Release Notes (${BLOG})`,
    )
    expect(await text()).toEqual([
      '⚙ google_web_search: Search results for "rust 1.0" returned.',
      '',
      RUST_ANSWER,
    ])
  })

  it('are not listed again; the rest keeps the numbers the answer uses', async () => {
    const { ask, text } = await start()
    await ask(...searched([HISTORY]), geminiAnswer(scenes.LISTED_ANSWER, RUST_GROUNDING))
    const rows = await text()
    expect([times(rows, WIKI), times(rows, BLOG)]).toEqual([1, 1])
    expect(rows.slice(-2)).toEqual(infoRows(' Sources:', `  2. Rust Release Notes — ${BLOG}`))
  })

  it.each([
    ['a trailing slash', `${WIKI}/`],
    ['the case of the host', WIKI.replace('en.wikipedia', 'EN.Wikipedia')],
    ['the default port', WIKI.replace('.org/', '.org:443/')],
    ["OpenAI's tracking", `${WIKI}?utm_source=openai`],
  ])('are the same page whatever %s says', async (_name, uri) => {
    const { ask, text } = await start()
    await ask(...searched([{ web: { uri, title: 'Rust' } }]), RUST)
    const rows = await text()
    expect(rows.slice(-2)).toEqual(infoRows(' Sources:', `  2. Rust Release Notes — ${BLOG}`))
    expect(times(rows, WIKI)).toBe(0)
  })

  it.each([
    ['nothing', undefined],
    ['an empty list', []],
    ['entries without an address', [{}, { web: {} }]],
    ["LLxprt's stand-in for an address", [{ web: { uri: 'No URI', title: 'Untitled' } }]],
  ])('hide no other source: the tool listed %s', async (_name, sources) => {
    const { ask, text } = await start()
    await ask(...searched(sources), RUST)
    expect((await text()).slice(-5)).toEqual([RUST_ANSWER, '', ...RUST_BLOCK])
  })

  it('are matched by address, not by title', async () => {
    const { ask, text } = await start()
    const other = { web: { uri: 'https://other.example/', title: 'History of Rust' } }
    await ask(...searched([other]), RUST)
    expect((await text()).slice(-2)).toEqual([
      `    2. History of Rust — ${WIKI}`,
      `    3. Rust Release Notes — ${BLOG}`,
    ])
  })

  it('of several tools all count', async () => {
    const { ask, text } = await start()
    const again = { ...scenes.SEARCH_CALL, callId: 'call-4' }
    const second = [geminiCall(again), geminiSearch('Yes.', [NOTES])]
    await ask(...searched([HISTORY]), ...second, RUST)
    expect((await text()).at(-1)).toBe(RUST_ANSWER)
  })

  it('are listed anew in the next turn', async () => {
    const { ask, text } = await start()
    await ask(...searched([HISTORY, NOTES]), RUST)
    await ask(RUST)
    expect(await text()).toEqual([RUST_ANSWER, '', ...RUST_BLOCK])
  })
})

describe('sources of tools that list none themselves', () => {
  const rounds = {
    gemini: [geminiCall, (text: string) => geminiAnswer(text)],
    'openai-responses': [responsesCall, (text: string) => responsesAnswer(text, [])],
    anthropic: [anthropicCall, (text: string) => anthropicAnswer({ text })],
  } as const
  const { EXA, EXA_CALL, FETCH_CALL, PAGE, TOKIO_ANSWER, TOKIO_SOURCES } = scenes

  it.each(Object.entries(rounds))('are cited below the answer of %s', async (provider, round) => {
    const [call, answer] = round
    const { ask, text } = await start(provider)
    const events = await ask(call(EXA_CALL), EXA, call(FETCH_CALL), PAGE, answer(TOKIO_ANSWER))
    const rows = await text()
    const excerpts = rows.filter((row) => row.trim().startsWith('>'))
    expect(rows.filter((row) => !excerpts.includes(row)).slice(2)).toEqual([
      '',
      TOKIO_ANSWER,
      '',
      ...infoRows(' Sources:', ...TOKIO_SOURCES.map((line) => `  ${line}`)),
    ])
    expect(events.filter(({ type }) => type === 'citation')).toHaveLength(1)
  })

  it('share one numbering with those of the provider', async () => {
    const { ask, text } = await start('openai-responses')
    const url = 'https://tokio.rs/'
    const annotation = { type: 'url_citation', url, title: 'Tokio', start_index: 0, end_index: 5 }
    const other = { ...annotation, url: 'https://docs.rs/tokio', title: 'tokio - Rust' }
    await ask(responsesCall(EXA_CALL), EXA, responsesAnswer('Tokio [1].', [annotation, other]))
    expect((await text()).filter((row) => /^ +\d\. /.test(row))).toEqual([
      `    ${TOKIO_SOURCES[0]}`,
      `    ${TOKIO_SOURCES[1]}`,
      '    3. tokio - Rust — https://docs.rs/tokio',
    ])
  })

  it.each([
    ['nothing was found', 'No search results found. Please try a different query.'],
    ['the limit is reached', 'Rate limit. Create API key at https://dashboard.exa.ai/api-keys'],
  ])('are none when %s', async (_name, said) => {
    const { ask, text } = await start()
    await ask(geminiCall(EXA_CALL), exaAnswer(said), geminiAnswer('I found nothing.'))
    expect((await text()).at(-1)).toBe('I found nothing.')
  })
})

describe('retries', () => {
  const wrong = { web: { uri: 'https://wrong.example/', title: 'Wrong' } }
  const broken = { events: [geminiChunk('In 1999.', false, { groundingChunks: [wrong, HISTORY] })] }

  it('drop what the attempt they replace has said and cited', async () => {
    const { ask, text } = await start()
    const events = await ask(broken, broken, geminiAnswer('In 2015.', { groundingChunks: [NOTES] }))
    expect(await text()).toEqual([
      'In 2015.',
      '',
      ...infoRows(' Sources:', `  1. Rust Release Notes — ${BLOG}`),
    ])
    const kinds = events.map(({ type }) => type).filter((type) => type !== 'content')
    expect(kinds).toEqual(['retry', 'retry', 'citation', 'finished'])
  })

  it('without sources cite nothing', async () => {
    const { ask, text } = await start()
    await ask(broken, geminiAnswer('In 2015.'))
    expect(await text()).toEqual(['In 2015.'])
  })

  it.each([
    ['openai-responses', scenes.NODE, scenes.NODE_PAGE],
    ['anthropic', scenes.REPORT, 'Q3 Revenue Report'],
  ] as const)('cite once with %s', async (provider, reply, page) => {
    const { ask, text } = await start(provider)
    await ask(brokenOff(reply), reply)
    expect(times(await text(), page)).toBe(1)
  })

  it('keep what tools found before, with its numbers', async () => {
    const { ask, text } = await start()
    await ask(
      geminiCall(scenes.EXA_CALL),
      scenes.EXA,
      broken,
      geminiAnswer('Tokio [1], in 2015.', { groundingChunks: [NOTES] }),
    )
    expect((await text()).filter((row) => /^ +\d\. /.test(row))).toEqual([
      `    ${scenes.TOKIO_SOURCES[0]}`,
      `    ${scenes.TOKIO_SOURCES[1]}`,
      `    3. Rust Release Notes — ${BLOG}`,
    ])
  })
})

it('a stream that repeats its metadata cites once, in one event before the end', async () => {
  const { ask, text } = await start()
  const events = await ask({
    events: [
      geminiChunk('The Rust programming language '),
      geminiChunk('was first released ', false, { groundingChunks: [HISTORY] }),
      geminiChunk('in 2015.', false, { groundingChunks: [HISTORY, NOTES] }),
      geminiChunk('', true, { groundingChunks: [HISTORY, NOTES] }),
    ],
  })
  expect(await text()).toEqual([RUST_ANSWER, '', ...RUST_BLOCK])
  const types = events.map(({ type }) => type)
  expect(types).toEqual(['content', 'content', 'content', 'citation', 'finished'])
  const location = (groundingChunkIndex: number) => ({ type: 'grounding', groundingChunkIndex })
  expect(JSON.parse(JSON.stringify(events.at(-2)))).toMatchObject({
    type: 'citation',
    value: {
      text: '',
      sources: [
        { title: 'History of Rust', url: WIKI, provider: 'gemini', location: location(0) },
        { title: 'Rust Release Notes', url: BLOG, provider: 'gemini', location: location(1) },
      ],
    },
  })
})

it.each([
  ['null', null],
  ['a string', 'groundingChunks'],
  ['chunks that are no list', { groundingChunks: 'https://a.example/' }],
  ['chunks of rubbish', { groundingChunks: [null, 7, 'x', {}, { web: null }, { web: 'x' }] }],
  ['supports alone', { groundingSupports: [{ groundingChunkIndices: [0, 99, -1] }] }],
])('malformed metadata is no error: %s', async (_name, metadata) => {
  const { ask, text } = await start()
  await ask(geminiAnswer('Answer.', metadata))
  expect(await text()).toEqual(['Answer.'])
})

it('the same turn reads the same, time after time', async () => {
  const pages = Array.from({ length: 40 }, (_, index) => ({
    web: { uri: `https://p${(index * 7) % 40}.example/`, title: `Page ${index}` },
  }))
  const lines = pages.map(({ web }, index) => `  ${index + 1}. ${web.title} — ${web.uri}`)
  for (let run = 0; run < 10; run += 1) {
    const { ask, text } = await start()
    await ask(geminiAnswer('Answer.', { groundingChunks: [...pages, ...pages] }))
    expect(await text()).toEqual(['Answer.', '', ...infoRows(' Sources:', ...lines)])
  }
})
