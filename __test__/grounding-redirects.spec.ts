/**
 * Google's redirects: recognised, never fetched, shown by the host they lead to; and once somebody has
 * looked them up, pages that turn out to be the same become one, with spans and numbers in step.
 */
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  grounding,
  insertMarkers,
  renderCitationBlock,
  type StoredSources,
  type TurnPayload,
} from '../index.js'
import { REDIRECT, response, supportOf, web } from './grounded-answers.js'
import { joined, osc8, readScreen } from './screen.js'
import { checked } from './turns.js'

const TEXT = 'Rust is fast. It is safe. It is young. It is loved.'
const BOOK = 'https://rust.example/book'
const BLOG = 'https://blog.example/post'
const at = (name: string) => `${REDIRECT}${name}`

/** Five sources: four behind redirects, of which A, C and E lead to the book, and the book itself. */
const PAYLOAD = payloadOf(
  [
    web(at('A'), 'rust.example'),
    web(at('B'), 'blog.example'),
    web(at('C'), 'rust.example'),
    web(BOOK, 'The Book'),
    web(at('E'), 'rust.example'),
  ],
  [
    supportOf(TEXT, 'Rust is fast.', [0, 2]),
    { ...supportOf(TEXT, 'It is safe.', [1, 3]), confidenceScores: [0.5, 0.75] },
    supportOf(TEXT, 'It is loved.', [4]),
  ],
)

function payloadOf(groundingChunks: object[], groundingSupports: object[] = []): TurnPayload {
  const turn = new CitationService().startTurn()
  turn.push(response(TEXT, { groundingChunks, groundingSupports }))
  return turn.finish()
}

const apply = (resolved: Record<string, string>, payload = PAYLOAD) =>
  checked(grounding.applyResolvedUrls(payload, resolved))

/** Each source as its address, the one it was given under, and those of its repeats. */
function addresses({ sources }: TurnPayload) {
  return sources.map(({ url, rawUrl, also }) => [
    url,
    rawUrl ?? null,
    (also ?? []).flatMap((mention) => mention.rawUrl ?? []),
  ])
}

describe('recognised', () => {
  test.each<[string, boolean]>([
    [at('AUZIYQEx_-='), true],
    [`http${at('x').slice('https'.length)}`, true],
    ['https://VertexAISearch.cloud.google.com:443/grounding-api-redirect/x', true],
    ['https://www.google.com/url?q=https://a.example/&sa=U', true],
    ['https://google.com/url?sa=t&url=https%3A%2F%2Fa.example', true],
    ['https://vertexaisearch.cloud.google.com/docs', false],
    ['https://vertexaisearch.cloud.google.com/', false],
    ['https://www.google.com/search?q=rust', false],
    ['https://www.google.com/urls', false],
    ['https://vertexaisearch.cloud.google.com.evil.example/grounding-api-redirect/x', false],
    ['https://evil.example/grounding-api-redirect/x', false],
    [`https://evil.example/?next=${at('x')}`, false],
    [`https://evil.example/#${at('x')}`, false],
    ['https://evil.example/vertexaisearch.cloud.google.com/grounding-api-redirect/x', false],
    ['https://a.example/url?q=1', false],
  ])('%s: %j', (url, recognised) => {
    const pending = grounding.pendingResolutions({ sources: [{ url, title: 'a.example' }] })
    const serialised = new URL(url).href
    expect(pending).toEqual(recognised ? [{ number: 1, url: serialised, title: 'a.example' }] : [])
  })

  test('with the numbers they have, in order', () => {
    expect(grounding.pendingResolutions(PAYLOAD)).toEqual([
      { number: 1, url: at('A'), title: 'rust.example' },
      { number: 2, url: at('B'), title: 'blog.example' },
      { number: 3, url: at('C'), title: 'rust.example' },
      { number: 5, url: at('E'), title: 'rust.example' },
    ])
  })

  test('in a payload, a list, JSON and bytes alike', () => {
    const json = JSON.stringify(PAYLOAD)
    const forms: StoredSources[] = [PAYLOAD, PAYLOAD.sources, json, Buffer.from(json)]
    for (const form of forms) expect(grounding.pendingResolutions(form)).toHaveLength(4)
  })

  test('one without a title', () => {
    const pending = grounding.pendingResolutions([{ url: at('A') }])
    expect(pending).toEqual([{ number: 1, url: at('A') }])
  })

  test('the title is the domain, in anchored citations', () => {
    const chunks = [web(at('A'), 'rust.example'), web('https://www.a.example/', 'b.example')]
    const { citations } = grounding.anchorCitations(response(TEXT, { groundingChunks: chunks }))
    expect(citations.map(({ domain }) => domain)).toEqual(['rust.example', 'a.example'])
  })

  test.each([undefined, null, 7, 'x', [], {}, [null, 7], { sources: 'x' }])(
    'garbage: %j',
    (value) => {
      expect(grounding.pendingResolutions(value as StoredSources)).toEqual([])
    },
  )
})

describe('resolved', () => {
  const RESOLVED = { [at('A')]: BOOK, [at('C')]: 'https://RUST.example/book/' }

  test('pages that are the same become one; spans, numbers and what is cited follow', () => {
    const payload = apply(RESOLVED)
    expect(addresses(payload)).toEqual([
      [BOOK, at('A'), [at('C')]],
      [at('B'), null, []],
      [at('E'), null, []],
    ])
    expect(payload.anchors).toEqual([
      { ...PAYLOAD.anchors[0], sources: [1] },
      { ...PAYLOAD.anchors[1], sources: [1, 2] },
      { ...PAYLOAD.anchors[2], sources: [3] },
    ])
    expect(payload.anchors[1]?.confidence).toBe(0.75)
    expect(payload.cited).toEqual([1, 2, 3])
    expect(payload.sources[0]).toMatchObject({ domain: 'rust.example', provider: 'gemini' })
  })

  test('every place in the list of chunks is kept', () => {
    const [book] = apply(RESOLVED).sources
    const places = [book?.location, ...(book?.also ?? []).map(({ location }) => location)]
    expect(places).toEqual(
      [0, 2, 3].map((groundingChunkIndex) => ({ type: 'grounding', groundingChunkIndex })),
    )
  })

  test('a Map does what an object does', () => {
    const map = new Map(Object.entries(RESOLVED))
    expect(grounding.applyResolvedUrls(PAYLOAD, map)).toEqual(apply(RESOLVED))
  })

  test('the payload that was handed over stays as it was', () => {
    const before = structuredClone(PAYLOAD)
    apply(RESOLVED)
    expect(PAYLOAD).toEqual(before)
  })

  test('what nobody resolved stays as it was, and pending', () => {
    expect(apply({})).toEqual(PAYLOAD)
    expect(apply({ 'https://other.example/': BOOK })).toEqual(PAYLOAD)
    const payload = apply(RESOLVED)
    expect(payload.sources.slice(1)).toEqual([PAYLOAD.sources[1], PAYLOAD.sources[4]])
    expect(grounding.pendingResolutions(payload)).toEqual([
      { number: 2, url: at('B'), title: 'blog.example' },
      { number: 3, url: at('E'), title: 'rust.example' },
    ])
  })

  test('all of them to one page', () => {
    const all = Object.fromEntries(['A', 'B', 'C', 'E'].map((name) => [at(name), BOOK]))
    const payload = apply(all)
    expect(addresses(payload)).toEqual([[BOOK, at('A'), [at('B'), at('C'), at('E')]]])
    expect(payload.anchors.map(({ sources }) => sources)).toEqual([[1], [1], [1]])
    expect(payload.cited).toEqual([1])
    expect(grounding.pendingResolutions(payload)).toEqual([])
  })

  test('each to its own page merges nothing', () => {
    const payload = apply({ [at('A')]: 'https://a.example/', [at('B')]: BLOG })
    expect(payload.sources).toHaveLength(5)
    expect(payload.anchors).toEqual(PAYLOAD.anchors)
    expect(payload.cited).toEqual(PAYLOAD.cited)
  })

  test('a page that was listed before keeps its number', () => {
    const payload = payloadOf([
      web(BOOK, 'The Book'),
      web(at('A'), 'rust.example'),
      web(BLOG, 'Post'),
    ])
    const merged = apply({ [at('A')]: BOOK }, payload)
    expect(addresses(merged)).toEqual([
      [BOOK, null, [at('A')]],
      [BLOG, null, []],
    ])
    expect(merged.sources[0]?.title).toBe('The Book')
  })

  test('bit by bit comes to the same as at once', () => {
    const steps = [
      { [at('E')]: BOOK },
      { [at('C')]: BOOK },
      { [at('A')]: BOOK },
      { [at('B')]: BLOG },
    ]
    const bitByBit = steps.reduce((payload, step) => apply(step, payload), PAYLOAD)
    const once = apply(Object.assign({}, ...steps))
    const alike = (payload: TurnPayload) => ({
      urls: payload.sources.map(({ url }) => url),
      raw: new Set(addresses(payload).flat(2)),
      anchors: payload.anchors,
      cited: payload.cited,
    })
    expect(alike(bitByBit)).toEqual(alike(once))
    expect(bitByBit.sources.map(({ url }) => url)).toEqual([BOOK, BLOG])
    for (const name of ['A', 'C', 'E']) expect(JSON.stringify(bitByBit)).toContain(at(name))
  })

  test('a redirect to a redirect stays pending and keeps its first address', () => {
    const once = apply({ [at('A')]: at('Z') })
    expect(addresses(once)[0]).toEqual([at('Z'), at('A'), []])
    expect(grounding.pendingResolutions(once)[0]).toMatchObject({ number: 1, url: at('Z') })
    expect(addresses(apply({ [at('Z')]: BLOG }, once))[0]).toEqual([BLOG, at('A'), []])
  })

  test('the answer, the text and reports of the host stay', () => {
    const diagnostics = [{ code: 'span_lost', detail: 'bytes 1 to 2', count: 1 } as const]
    const payload = { ...PAYLOAD, text: 'Sources of Rust', diagnostics: [...diagnostics] }
    const { text, answer, diagnostics: reports } = apply(RESOLVED, payload)
    expect([text, answer, reports]).toEqual(['Sources of Rust', TEXT, diagnostics])
  })

  test('sources of tools pass through whole', () => {
    const turn = new CitationService().startTurn()
    const found = { title: 'Tokio', link: 'https://tokio.example/', snippet: 'A runtime', score: 3 }
    turn.addToolResult({ name: 'web_search', callId: 'c1', output: { results: [found] } })
    turn.addToolResult({
      name: 'read_file',
      callId: 'c2',
      args: { absolute_path: '/src/main.rs', offset: 3, limit: 4 },
      output: 'fn main() {}',
    })
    turn.merge('researcher', [{ url: at('A'), title: 'rust.example', id: 'r-0' }])
    const payload = turn.finish()
    expect(payload.sources).toHaveLength(3)
    expect(apply({}, payload)).toEqual(payload)
    const [, , merged] = apply({ [at('A')]: BOOK }, payload).sources
    expect(merged).toMatchObject({ url: BOOK, rawUrl: at('A'), agentId: 'researcher' })
  })

  test('markers are put in by the numbers that hold now', () => {
    expect(insertMarkers(TEXT, apply(RESOLVED))).toBe(
      'Rust is fast.[1] It is safe.[1][2] It is young. It is loved.[3]',
    )
  })
})

describe('refused', () => {
  test.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://a.example/',
    'vbscript:x',
    '//a.example/',
    '/relative',
    'not an address',
    '',
    'https://',
    'https://user:secret@a.example/',
    'https://a.example/\u001b]8;;https://evil.example\u0007',
    'https://a.example/\nhttps://evil.example/',
  ])('%j is no page', (target) => {
    const payload = apply({ [at('A')]: target })
    for (const { url } of payload.sources) expect(url).toMatch(/^https:\/\/[!-~]+$/)
    expect(JSON.stringify(payload)).not.toMatch(/javascript|vbscript|script>|passwd|secret|evil/i)
    expect(readScreen(renderCitationBlock(payload, { links: 'osc8' }))).toHaveLength(6)
    expect(payload.anchors).toEqual(PAYLOAD.anchors)
  })

  test.each([undefined, null, 7, 'x', [], { [at('A')]: 7 }, new Map([[7, 8]])])(
    'what is no map resolves nothing: %j',
    (map) => {
      expect(
        grounding.applyResolvedUrls(PAYLOAD, map as unknown as Record<string, string>),
      ).toEqual(PAYLOAD)
    },
  )

  test.each([undefined, null, 7, 'x', [], {}, { sources: 7, anchors: 'x' }])(
    'no payload: %j',
    (value) => {
      const payload = grounding.applyResolvedUrls(value as unknown as TurnPayload, {
        [at('A')]: BOOK,
      })
      expect(payload).toMatchObject({ answer: '', sources: [], anchors: [], cited: [] })
    },
  )
})

describe('blocks', () => {
  const resolved = apply({ [at('A')]: BOOK, [at('C')]: BOOK, [at('E')]: BOOK, [at('B')]: BLOG })

  test('before: by host, with the way there', () => {
    const rows = readScreen(renderCitationBlock(PAYLOAD, { links: 'osc8' })).map(joined)
    const named = rows.slice(1).map((row) => row.find(({ url }) => url !== undefined))
    expect(named).toEqual([
      { text: 'rust.example', url: at('A') },
      { text: 'blog.example', url: at('B') },
      { text: 'rust.example', url: at('C') },
      { text: 'The Book', url: BOOK },
      { text: 'rust.example', url: at('E') },
    ])
    expect(renderCitationBlock(PAYLOAD, { links: 'osc8' })).toContain(osc8('rust.example', at('A')))
  })

  test('before, as plain text', () => {
    expect(renderCitationBlock(PAYLOAD, { links: 'plain' }).split('\n').slice(0, 3)).toEqual([
      ' Sources:',
      `  1. rust.example — ${at('A')}`,
      `  2. blog.example — ${at('B')}`,
    ])
  })

  test('after: each page once, and no redirect to be seen', () => {
    expect(renderCitationBlock(resolved, { links: 'plain' })).toBe(
      ` Sources:\n  1. rust.example — ${BOOK}\n  2. blog.example — ${BLOG}`,
    )
    const linked = renderCitationBlock(resolved, { links: 'osc8' })
    expect(linked).toContain(osc8('rust.example', BOOK))
    expect(linked).not.toContain('vertexaisearch')
  })

  test('a host that is not Google names no other: its title is no way to hide it', () => {
    const sources = [
      { title: 'bank.example', url: 'https://evil.example/grounding-api-redirect/x' },
    ]
    const block = renderCitationBlock({ text: '', sources }, { links: 'osc8' })
    expect(block).not.toContain(osc8('bank.example', sources[0]!.url))
    const google = [{ title: 'bank.example', url: at('A') }]
    expect(renderCitationBlock({ text: '', sources: google }, { links: 'osc8' })).toContain(
      osc8('bank.example', at('A')),
    )
  })
})
