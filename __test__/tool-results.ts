/** One realistic result of every tool that is read, and what it comes to. */
import type { CitationSource } from '../index.js'

export const CALL_ID = 'call-7'

/** A tool, a call of it and its result as the model reads it. */
export interface ToolExample {
  name: string
  args: Record<string, unknown>
  /** The result as text; of tools that return data, its JSON. */
  text: string
  /** The result as data, where the tool returns data. */
  data?: object
  /** The sources, without the signature of the call. */
  sources: CitationSource[]
}

/** Sources with the signature of the call that found them. */
export const signed = (toolName: string, sources: CitationSource[], callId = CALL_ID) =>
  sources.map((source, index) => ({
    ...source,
    id: `${callId}-${index}`,
    toolName,
    toolRequestId: callId,
  }))

const returnsText = (
  name: string,
  args: Record<string, unknown>,
  text: string,
  sources: CitationSource[],
): ToolExample => ({ name, args, text, sources })

const returnsData = (
  name: string,
  args: Record<string, unknown>,
  data: object,
  sources: CitationSource[],
): ToolExample => ({ name, args, text: JSON.stringify(data), data, sources })

const MCP_DATA = {
  total: 2,
  results: [
    { title: 'Pooling', url: 'https://docs.pool.example/pooling', description: 'How pools grow.' },
    { name: 'Timeouts', link: 'https://docs.pool.example/timeouts', rank: 2 },
  ],
}
const MCP_SOURCES: CitationSource[] = [
  {
    title: 'Pooling',
    url: 'https://docs.pool.example/pooling',
    domain: 'docs.pool.example',
    type: 'mcp',
    snippet: 'How pools grow.',
  },
  {
    title: 'Timeouts',
    url: 'https://docs.pool.example/timeouts',
    domain: 'docs.pool.example',
    type: 'mcp',
    metadata: { rank: 2 },
  },
]

export const TOOLS: ToolExample[] = [
  returnsData(
    'web_search',
    { query: 'react 19' },
    {
      query: 'react 19',
      results: [
        {
          position: 1,
          title: 'React 19',
          link: 'https://www.react.example/blog/react-19',
          snippet: 'React 19 is now stable.',
          date: '2024-12-05',
        },
        { position: 2, title: 'Upgrade guide', url: 'https://react.example/upgrade' },
      ],
    },
    [
      {
        title: 'React 19',
        url: 'https://www.react.example/blog/react-19',
        domain: 'react.example',
        type: 'web',
        snippet: 'React 19 is now stable.',
        publishedDate: '2024-12-05',
        metadata: { position: 1 },
      },
      {
        title: 'Upgrade guide',
        url: 'https://react.example/upgrade',
        domain: 'react.example',
        type: 'web',
        metadata: { position: 2 },
      },
    ],
  ),
  returnsData(
    'wikipedia_search',
    { query: 'ferris' },
    {
      results: [
        {
          title: 'Ferris wheel',
          url: 'https://en.wiki.example/wiki/Ferris_wheel',
          snippet: 'A ride with an upright wheel.',
          pageid: 152_776,
        },
      ],
    },
    [
      {
        title: 'Ferris wheel',
        url: 'https://en.wiki.example/wiki/Ferris_wheel',
        domain: 'en.wiki.example',
        type: 'web',
        snippet: 'A ride with an upright wheel.',
        metadata: { pageid: 152_776 },
      },
    ],
  ),
  returnsData(
    'web_scrape',
    { url: 'https://news.example/a' },
    { url: 'https://news.example/a', title: 'Tides', content: 'The tide comes in twice a day.' },
    [
      {
        title: 'Tides',
        url: 'https://news.example/a',
        domain: 'news.example',
        type: 'web',
        snippet: 'The tide comes in twice a day.',
      },
    ],
  ),
  returnsData(
    'query_rag_project',
    { query: 'revenue' },
    {
      results: [
        { file: 'reports/2023.pdf', page: 5, score: 0.91, content: 'Revenue grew by 12 %.' },
        { file: 'notes/plan.md', lineStart: 10, lineEnd: 14, score: 0.7, content: 'Plan for Q3.' },
      ],
    },
    [
      {
        title: '2023.pdf',
        uri: 'reports/2023.pdf',
        type: 'file',
        snippet: 'Revenue grew by 12 %.',
        pageNumber: 5,
        metadata: { score: 0.91 },
      },
      {
        title: 'plan.md',
        uri: 'notes/plan.md',
        type: 'file',
        snippet: 'Plan for Q3.',
        lineStart: 10,
        lineEnd: 14,
        metadata: { score: 0.7 },
      },
    ],
  ),
  returnsData(
    'http_client',
    { method: 'GET', url: 'https://api.crates.example/v1/tokio' },
    { status: 200, headers: { etag: 'W/"1"' }, body: { name: 'tokio', newest: '1.45.0' } },
    [
      {
        title: 'tokio',
        url: 'https://api.crates.example/v1/tokio',
        domain: 'api.crates.example',
        type: 'api',
        snippet: '{"name":"tokio","newest":"1.45.0"}',
        metadata: { status: 200 },
      },
    ],
  ),
  returnsData('mcp__docs__search', { query: 'pool' }, MCP_DATA, MCP_SOURCES),
  returnsData('mcp.docs__search', { query: 'pool' }, MCP_DATA, MCP_SOURCES),
  returnsText(
    'exa_web_search',
    { query: 'tokio', numResults: 5 },
    [
      'Title: Tokio',
      'URL: https://tokio.example/',
      'Published: 2024-01-02T00:00:00.000Z',
      'Author: Carl',
      'Highlights:',
      'A runtime for',
      'asynchronous Rust.',
      '',
      '---',
      '',
      'Title: N/A',
      'URL: https://www.blog.example/async?x=1',
      'Published: N/A',
      'Author: N/A',
      'Highlights:',
      'Why async?',
    ].join('\n'),
    [
      {
        title: 'Tokio',
        url: 'https://tokio.example/',
        domain: 'tokio.example',
        type: 'web',
        snippet: 'A runtime for asynchronous Rust.',
        author: 'Carl',
        publishedDate: '2024-01-02T00:00:00.000Z',
      },
      {
        url: 'https://www.blog.example/async?x=1',
        domain: 'blog.example',
        type: 'web',
        snippet: 'Why async?',
      },
    ],
  ),
  returnsText(
    'codesearch',
    { query: 'react hooks', tokensNum: 5000 },
    'Title: Hooks\nURL: https://react.example/hooks\nCode/Highlights:\nuseState(0)\n\n---\n\n' +
      'Title: Rules\nURL: https://react.example/rules\nCode/Highlights:\nOnly at the top level.',
    [
      {
        title: 'Hooks',
        url: 'https://react.example/hooks',
        domain: 'react.example',
        type: 'web',
        snippet: 'useState(0)',
      },
      {
        title: 'Rules',
        url: 'https://react.example/rules',
        domain: 'react.example',
        type: 'web',
        snippet: 'Only at the top level.',
      },
    ],
  ),
  returnsText(
    'direct_web_fetch',
    { url: 'https://guide.example/start', format: 'markdown' },
    '# Getting started\n\nInstall it first, see [setup](https://guide.example/setup).\n',
    [
      {
        title: 'Getting started',
        url: 'https://guide.example/start',
        domain: 'guide.example',
        type: 'web',
      },
    ],
  ),
  returnsText(
    'google_web_fetch',
    { prompt: 'Summarise https://example.example/source' },
    'This is cite[1]d content.\n\nSources:\n[1] Source Page (https://example.example/source)',
    [
      {
        title: 'Source Page',
        url: 'https://example.example/source',
        domain: 'example.example',
        type: 'web',
      },
    ],
  ),
  returnsText(
    'google_web_search',
    { query: 'tides' },
    'Web search results for "tides":\n\nTwice a day[1][2].\n\nSources:\n' +
      '[1] tides.example (https://redirect.example/r/AAA)\n' +
      '[2] Moon (and sun) (https://moon.example/sun)',
    [
      {
        title: 'tides.example',
        url: 'https://redirect.example/r/AAA',
        domain: 'redirect.example',
        type: 'web',
        shownInline: true,
      },
      {
        title: 'Moon (and sun)',
        url: 'https://moon.example/sun',
        domain: 'moon.example',
        type: 'web',
        shownInline: true,
      },
    ],
  ),
  returnsText(
    'read_file',
    { absolute_path: '/repo/src/main.ts', offset: 10, limit: 2 },
    'const one = 1\nconst two = 2\n',
    [
      {
        title: 'main.ts',
        uri: '/repo/src/main.ts',
        type: 'file',
        snippet: 'const one = 1 const two = 2',
        lineStart: 11,
        lineEnd: 12,
      },
    ],
  ),
  returnsText(
    'read_many_files',
    { paths: ['src/**'] },
    '--- src/a.ts ---\n\nlet a\n\n\n--- src/b.md ---\n\n# B\n\n\n\n--- End of content ---',
    [
      { title: 'a.ts', uri: 'src/a.ts', type: 'file' },
      { title: 'b.md', uri: 'src/b.md', type: 'file' },
    ],
  ),
  returnsText(
    'search_file_content',
    { pattern: 'open' },
    'Found 3 matches for pattern "open" in path ".":\n---\nFile: src/a.ts\nL3: open()\nL4: open()\n' +
      '---\nFile: src/deep/b.ts\nL12: reopen()\n---',
    [
      { title: 'a.ts', uri: 'src/a.ts', type: 'file', lineStart: 3, lineEnd: 4 },
      { title: 'b.ts', uri: 'src/deep/b.ts', type: 'file', lineStart: 12, lineEnd: 12 },
    ],
  ),
  returnsText(
    'ast_grep',
    { pattern: 'foo($A)', language: 'ts' },
    'Found 2 AST matches for pattern "foo($A)":\n---\nsrc/a.ts:3 [call_expression] foo(1)\n' +
      'src/b.ts:40 [call_expression] foo(bar)',
    [
      { title: 'a.ts', uri: 'src/a.ts', type: 'file', lineStart: 3, lineEnd: 3 },
      { title: 'b.ts', uri: 'src/b.ts', type: 'file', lineStart: 40, lineEnd: 40 },
    ],
  ),
  returnsData(
    'github',
    { operation: 'issue_list' },
    [
      {
        number: 12,
        title: 'Leak in pool',
        html_url: 'https://github.example/acme/pool/issues/12',
        url: 'https://api.github.example/repos/acme/pool/issues/12',
        body: 'It grows.',
        user: { login: 'ann', html_url: 'https://github.example/ann' },
      },
    ],
    [
      {
        title: 'Leak in pool',
        url: 'https://github.example/acme/pool/issues/12',
        domain: 'github.example',
        type: 'web',
        snippet: 'It grows.',
        metadata: {
          number: 12,
          user: { login: 'ann', html_url: 'https://github.example/ann' },
        },
      },
    ],
  ),
]
