/**
 * The extractors that are built in can be listed, used one by one and handed to another service; what
 * an extractor says beyond our own fields is passed through; a service is collected with its extractors.
 */
import { describe, expect, test } from 'vitest'
import {
  type BuiltInExtractor,
  type CitationExtractor,
  CitationService,
  type CitationSource,
  extractToolCitations,
  getDefaultExtractors,
} from '../index.js'
import { exaText, googled } from './agent-runs.js'
import { collect } from './collect.ts'

const A = 'https://a.example/one'

interface Row {
  tool: string
  type: string
  args?: object
  output: unknown
  found: CitationSource
}

const results = { results: [{ title: 'One', link: A, snippet: 'First words.', rank: 1 }] }
const passages = { results: [{ file: '/docs/guide.pdf', page: 4, content: 'Words.', score: 0.9 }] }
const exa = exaText([A, 'One', 'First words.'])
const page = { title: 'One', url: A, domain: 'a.example' }
const first = { ...page, snippet: 'First words.' }

const ROWS: Row[] = [
  { tool: 'web_search', type: 'web', output: results, found: { ...first, metadata: { rank: 1 } } },
  {
    tool: 'web_scrape',
    type: 'web',
    args: { url: A },
    output: { url: A, title: 'One', content: 'First words.' },
    found: first,
  },
  {
    tool: 'query_rag_project',
    type: 'file',
    output: passages,
    found: {
      title: 'guide.pdf',
      uri: '/docs/guide.pdf',
      pageNumber: 4,
      snippet: 'Words.',
      metadata: { score: 0.9 },
    },
  },
  {
    tool: 'wikipedia_search',
    type: 'web',
    output: results,
    found: { ...first, metadata: { rank: 1 } },
  },
  {
    tool: 'http_client',
    type: 'api',
    args: { url: A, method: 'GET' },
    output: { status: 200, body: '# One\n\nWords.' },
    found: { ...page, snippet: '# One Words.', metadata: { status: 200 } },
  },
  {
    tool: 'mcp.docs__find',
    type: 'mcp',
    output: { content: [], structuredContent: { pages: [{ href: A, name: 'One' }] } },
    found: page,
  },
  {
    tool: 'mcp__docs__find',
    type: 'mcp',
    output: { content: [{ type: 'text', text: JSON.stringify({ url: A, title: 'One' }) }] },
    found: page,
  },
  { tool: 'exa_web_search', type: 'web', output: exa, found: first },
  { tool: 'codesearch', type: 'web', output: exa, found: first },
  { tool: 'direct_web_fetch', type: 'web', args: { url: A }, output: '# One\n', found: page },
  {
    tool: 'google_web_fetch',
    type: 'web',
    args: { prompt: `Sum up ${A}` },
    output: `It says so[1].\n\nSources:\n[1] One (${A})`,
    found: page,
  },
  {
    tool: 'google_web_search',
    type: 'web',
    output: googled('c1', 'one', [A, 'One']).output,
    found: { ...page, shownInline: true },
  },
  {
    tool: 'read_file',
    type: 'file',
    args: { absolute_path: '/src/main.rs' },
    output: 'fn main() {}',
    found: { title: 'main.rs', uri: '/src/main.rs', snippet: 'fn main() {}' },
  },
  {
    tool: 'read_many_files',
    type: 'file',
    output: ['--- /src/main.rs ---\n\nfn main() {}\n\n', '\n--- End of content ---'],
    found: { title: 'main.rs', uri: '/src/main.rs' },
  },
  {
    tool: 'search_file_content',
    type: 'file',
    output: 'Found 1 match for pattern "main" in /src:\n---\nFile: main.rs\nL12: fn main() {}\n---',
    found: { title: 'main.rs', uri: 'main.rs', lineStart: 12, lineEnd: 12 },
  },
  {
    tool: 'ast_grep',
    type: 'file',
    output: 'Found 1 AST matches for fn $A():\n---\nsrc/main.rs:12 [function_item] fn main() {}',
    found: { title: 'main.rs', uri: 'src/main.rs', lineStart: 12, lineEnd: 12 },
  },
  {
    tool: 'github',
    type: 'web',
    output: JSON.stringify([{ title: 'One', html_url: A }], null, 2),
    found: page,
  },
]

/** Of the built-in extractors, those whose pattern matches. */
const matching = (tool: string): BuiltInExtractor[] => {
  return getDefaultExtractors().filter(({ pattern }) => pattern.test(tool))
}

describe.each(ROWS)('$tool', ({ tool, type, args, output, found }) => {
  const call = { name: tool, callId: 'c1', args, output }
  const signed = { ...found, type, id: 'c1-0', toolName: tool, toolRequestId: 'c1' }

  test('is read as documented', () => {
    expect(extractToolCitations(call)).toEqual([signed])
  })

  test('has one extractor in the list, which reads the same', () => {
    const [extractor, ...others] = matching(tool)
    expect(others).toEqual([])
    expect(extractor?.type).toBe(type)
    expect(extractor?.extract('c1', tool, args, output)).toEqual([signed])
  })

  test('its extractor can be registered with another service, and is asked there', () => {
    const service = new CitationService()
    service.registerExtractor(matching(tool)[0]!)
    service.registerExtractor({ pattern: '*', extract: () => [{ title: 'not asked' }] })
    expect(service.extractToolCitations(call)).toEqual([signed])
  })

  test('its extractor can be used for a tool of another name', () => {
    const [builtIn] = matching(tool)
    const service = new CitationService()
    const extract: CitationExtractor['extract'] = (...call) => builtIn!.extract(...call)
    service.registerExtractor({ pattern: 'my_tool', extract })
    const renamed = { ...signed, toolName: 'my_tool' }
    expect(service.extractToolCitations({ ...call, name: 'my_tool' })).toEqual([renamed])
  })
})

test.each([
  'web_search2',
  'my_web_search',
  'mcp.docs',
  'mcp__docs',
  'mcpx__docs__find',
  'shell',
  '',
])('nobody reads %j', (tool) => {
  expect(matching(tool)).toEqual([])
  expect(extractToolCitations({ name: tool, output: results })).toEqual([])
})

test('extractors have names of their own and patterns nobody else can change', () => {
  const extractors = getDefaultExtractors()
  expect(new Set(extractors.map(({ name }) => name)).size).toBe(extractors.length)
  for (const extractor of extractors) {
    expect(extractor.pattern).toBeInstanceOf(RegExp)
    extractor.pattern.lastIndex = 3
    expect(extractor.pattern.lastIndex).toBe(0)
  }
})

describe('what an extractor says beyond our own fields', () => {
  /** The source that comes of this one. */
  function passed(source: object): CitationSource | undefined {
    const service = new CitationService()
    service.registerExtractor({ pattern: 'own', extract: () => [source as CitationSource] })
    return service.extractToolCitations({ name: 'own', callId: 'c1', output: '' })[0]
  }

  const extra = { score: 0.75, tags: ['a', 'b'], nested: { deep: [{ x: 1 }, null] }, ok: false }

  test('is kept under `metadata`, untouched', () => {
    expect(passed({ url: A, title: 'One', ...extra })).toEqual({
      ...page,
      type: 'web',
      id: 'c1-0',
      toolName: 'own',
      toolRequestId: 'c1',
      metadata: extra,
    })
  })

  test('joins the metadata it has', () => {
    expect(passed({ url: A, metadata: { first: 1 }, score: 2 })?.metadata).toEqual({
      first: 1,
      score: 2,
    })
  })

  test('has none of our own fields in it', () => {
    const own: Required<Omit<CitationSource, 'metadata' | 'uri' | 'location'>> = {
      title: 'One',
      url: A,
      citedText: 'Quoted.',
      provider: 'exa',
      domain: 'pages.example',
      fileId: 'file-1',
      also: [{ citedText: 'Again.' }],
      id: 'mine',
      type: 'database',
      toolName: 'inner',
      toolRequestId: 'r1',
      agentId: 'worker',
      snippet: 'First words.',
      author: 'Ada',
      publishedDate: '2026-01-02',
      timestamp: '2026-11-16T05:00:00Z',
      pageNumber: 3,
      lineStart: 4,
      lineEnd: 9,
      shownInline: true,
      rawUrl: 'https://redirect.example/1',
    }
    expect(passed(own)).toEqual(own)
  })

  test('is at most 2 kB, what is too long left out whole', () => {
    const metadata = passed({ url: A, long: 'x'.repeat(5000), score: 1 })?.metadata
    expect(metadata).toEqual({ score: 1 })
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at]))
    expect(JSON.stringify(passed({ url: A, ...many })?.metadata).length).toBeLessThanOrEqual(2048)
  })

  test('may be named as we name our own fields', () => {
    const metadata = { id: 7, type: 'ticket', page: 'none', title: 'raw' }
    expect(passed({ url: A, title: 'One', metadata })).toMatchObject({ ...page, metadata })
  })

  const circle: unknown[] = [1]
  circle.push(circle)

  test.each([
    ['a circle', circle],
    ['a function', () => 1],
    ['a big integer', 10n],
  ])('%s does no harm', (_, odd) => {
    const source = passed({ url: A, title: 'One', odd, score: 1 })
    expect(source).toMatchObject({ ...page, metadata: { score: 1 } })
  })
})

test('a service is collected though its extractors hold it', async () => {
  const alive = new Set<number>()
  const registry = new FinalizationRegistry<number>((index) => alive.delete(index))
  const makeOne = (index: number) => {
    const service = new CitationService()
    const turn = service.startTurn()
    const held = new Uint8Array(50_000)
    service.registerExtractor({
      pattern: 'own',
      extract: () => [
        { title: `${service.config.format} ${held.length} ${turn.render.name}`, url: A },
      ],
    })
    turn.addToolResult({ name: 'own', output: '' })
    alive.add(index)
    registry.register(service, index)
  }
  for (let index = 0; index < 2000; index++) makeOne(index)
  for (let round = 0; round < 20 && alive.size > 20; round++) {
    collect()
    await new Promise((done) => setTimeout(done, 10))
  }
  expect(alive.size).toBeLessThanOrEqual(20)
})
