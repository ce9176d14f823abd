/** What is taken from each tool's result: exact sources, in the order of the result. */
import { describe, expect, test } from 'vitest'
import { type CitationSource, extractToolCitations } from '../index.js'
import { CALL_ID, signed } from './tool-results.js'

const read = (name: string, output: unknown, args?: unknown) =>
  extractToolCitations({ name, args, callId: CALL_ID, output })

/** Expects a result to come to these sources and no others. */
const expectSources = (
  name: string,
  output: unknown,
  sources: CitationSource[],
  args?: unknown,
): void => {
  expect(read(name, output, args)).toStrictEqual(signed(name, sources))
}

const web = (path: string, more: CitationSource = {}): CitationSource => ({
  url: `https://a.example/${path}`,
  domain: 'a.example',
  type: 'web',
  ...more,
})
const mcp = (path: string, more: CitationSource = {}): CitationSource => ({
  ...web(path, more),
  type: 'mcp',
})

describe('search results', () => {
  const results = [{ title: 'A', url: 'https://a.example/a' }]
  test.each([
    ['a list', results],
    ['results', { results }],
    ['items', { items: results }],
    ['organic', { organic: results, searchParameters: { q: 'a' } }],
    ['data', { data: results }],
    ['web.results', { web: { results } }],
    ['one record', results[0]],
  ])('%s', (_, output) => {
    expectSources('web_search', output, [web('a', { title: 'A' })])
  })

  test.each([
    ['link', { link: 'https://a.example/a' }],
    ['href', { href: 'https://a.example/a' }],
    ['uri', { uri: 'https://a.example/a' }],
  ])('the address may be called %s', (_, record) => {
    expectSources('web_search', [{ title: 'A', ...record }], [web('a', { title: 'A' })])
  })

  test('snippet, date and author have their places, the rest is metadata', () => {
    const record = {
      title: 'A',
      url: 'https://a.example/a',
      description: 'What it says.',
      published_date: '2025-02-03',
      authors: ['Ann', { name: 'Bob' }],
      score: 0.5,
      tags: ['x'],
    }
    const more = {
      title: 'A',
      snippet: 'What it says.',
      author: 'Ann, Bob',
      publishedDate: '2025-02-03',
      metadata: { score: 0.5, tags: ['x'] },
    }
    expectSources('web_search', { results: [record] }, [web('a', more)])
  })

  test('a preview is 200 characters long', () => {
    const output = [{ url: 'https://a.example/a', snippet: 'ab '.repeat(500) }]
    const [source] = read('web_search', output)
    expect(source!.snippet).toHaveLength(201)
    expect(source!.snippet).toMatch(/^(?:ab )+ab…$/)
  })

  test('the encyclopaedia: addresses where it has them, else names', () => {
    const output = [
      { title: 'Crab', url: 'https://a.example/wiki/Crab', extract: 'x', pageid: 7 },
      { title: 'Shrimp', snippet: 'Another one.' },
    ]
    expectSources('wikipedia_search', output, [
      web('wiki/Crab', { title: 'Crab', metadata: { extract: 'x', pageid: 7 } }),
      { title: 'Shrimp', type: 'web', snippet: 'Another one.' },
    ])
  })
})

describe('Exa', () => {
  const body = 'Highlights:\nOne.\nTwo.'
  const [first, second] = [
    web('1', { title: 'First', snippet: 'One. Two.' }),
    web('2', { title: 'Second', snippet: 'One. Two.' }),
  ]
  const join = (...records: string[]) => records.join('\n\n---\n\n')
  const known = { author: 'Ann', publishedDate: '2025-01-01' }

  test('title, address, date, author', () => {
    const record = (n: number, title: string, date: string, author: string) =>
      `Title: ${title}\nURL: https://a.example/${n}\nPublished: ${date}\nAuthor: ${author}\n${body}`
    const text = join(record(1, 'First', '2025-01-01', 'Ann'), record(2, 'Second', 'N/A', 'N/A'))
    expectSources('exa_web_search', text, [{ ...first, ...known }, second!])
    // The last one comes of writing such a file as text once more.
    for (const end of ['\r\n', '\r\r\n']) {
      expectSources('exa_web_search', text.replaceAll('\n', end), [{ ...first, ...known }, second!])
    }
  })

  test('title, author, date, address', () => {
    const text = join(
      'Title: First\nAuthor: Ann\nPublished Date: 2025-01-01\nURL: https://a.example/1\nText: One.\nTwo.',
      'Title: Second\nURL: https://a.example/2\nText: One.\nTwo.',
    )
    expectSources('exa_web_search', text, [{ ...first, ...known }, second!])
  })

  test('code: title and address', () => {
    const record = (n: number, title: string) =>
      `Title: ${title}\nURL: https://a.example/${n}\nCode/Highlights:\nOne.\nTwo.`
    const text = join(record(1, 'First'), record(2, 'Second'))
    expectSources('codesearch', text, [first!, second!])
    expectSources('code_search', text, [first!, second!])
  })

  test('prose without records has no sources', () => {
    for (const text of ['Here are your results.', 'Here is some React hooks documentation...']) {
      expectSources('exa_web_search', text, [])
      expectSources('codesearch', text, [])
    }
  })

  test('as many records as were asked for are all kept', () => {
    const record = (n: number) => `Title: T${n}\nURL: https://a.example/${n}\nText: w`
    const text = join(record(1), record(2), record(3))
    expect(read('exa_web_search', text, { query: 'q', numResults: 3 })).toHaveLength(3)
    expect(read('exa_web_search', text, { query: 'q' })).toHaveLength(3)
  })
})

describe("Google's tools", () => {
  const text = (...entries: string[]) =>
    `Web search results for "q":\n\nIt is so[1].\n\nSources:\n${entries.join('\n')}`
  const shown = (source: CitationSource): CitationSource => ({ ...source, shownInline: true })

  test('placeholders are no sources', () => {
    const list = text(
      '[1] Untitled (No URI)',
      '[2] Untitled (https://a.example/2)',
      '[3] Named (No URI)',
      '[4] Four (https://a.example/4_(x))',
    )
    expectSources('google_web_search', list, [
      shown(web('2')),
      shown(web('4_(x)', { title: 'Four' })),
    ])
    const fetched =
      'Text[1].\n\nSources:\n[1] Page (Unknown URI)\n[2] Untitled (https://a.example/2)'
    expectSources('google_web_fetch', fetched, [web('2')])
  })

  test('the field comes before the list', () => {
    const output = {
      llmContent: text('[1] From the list (https://a.example/list)'),
      returnDisplay: 'Search results for "q" returned.',
      sources: [
        { web: { uri: 'https://a.example/1', title: 'One' } },
        { web: { uri: 'https://a.example/2', title: 'Untitled' } },
        { web: { title: 'Nowhere' } },
        {},
      ],
    }
    expectSources('google_web_search', output, [shown(web('1', { title: 'One' })), shown(web('2'))])
  })

  test('an answer without a list has no sources', () => {
    expectSources('google_web_search', 'Web search results for "q":\n\nHere are your results.', [])
  })

  test('a page that was read without a model', () => {
    const url = 'http://192.168.0.5/status'
    const output =
      'Private/local URLs cannot be processed with AI analysis. Processing content directly.\n\n' +
      `Content from ${url}:\n\n# Status\n\nAll well.`
    expectSources(
      'google_web_fetch',
      output,
      [{ title: 'Status', url, domain: '192.168.0.5', type: 'web' }],
      { prompt: `What does ${url} say?` },
    )
  })
})

describe('pages', () => {
  test.each<[string, string, string | undefined]>([
    ['a heading', '# The page\n\ntext', 'The page'],
    ['a later heading', 'intro\n\n## Chapter ##\n\n# Other', 'Chapter'],
    ['an underlined heading', 'The page\n========\n\ntext', 'The page'],
    ['a heading behind code', '```sh\n# no heading\n```\n\n# Yes', 'Yes'],
    [
      'the title of HTML',
      '<!DOCTYPE html>\n<html><head><title lang="en">\n Q &amp; A </title></head><body># x',
      'Q & A',
    ],
    ['no title', 'Only words, #no heading.', undefined],
    ['an empty title', '<html><head><title> </title></head>', undefined],
  ])('%s', (_, page, title) => {
    const args = { url: 'https://a.example/p', format: 'markdown' }
    expectSources('direct_web_fetch', page, [web('p', title ? { title } : {})], args)
  })

  test('without an address there is no source', () => {
    expectSources('direct_web_fetch', '# The page\n\nSee https://a.example/', [])
  })

  test('a page in two parts is one page', () => {
    const output = { llmContent: [{ text: '# The page' }, { text: 'words' }], returnDisplay: '' }
    const args = { url: 'https://a.example/p' }
    expectSources('direct_web_fetch', output, [web('p', { title: 'The page' })], args)
  })

  test('a scraped page: its own address and title, else those of the call and the text', () => {
    const args = { url: 'https://a.example/asked' }
    const full = { url: 'https://a.example/final', title: 'Final', content: 'Words.' }
    expectSources('web_scrape', full, [web('final', { title: 'Final', snippet: 'Words.' })], args)
    const more = { title: 'Head', snippet: '# Head Words.' }
    expectSources('web_scrape', { content: '# Head\n\nWords.' }, [web('asked', more)], args)
    expectSources('web_scrape', '# Head\n\nWords.', [web('asked', more)], args)
  })
})

describe('web services', () => {
  const api = (more: CitationSource): CitationSource => ({ ...web('v1', more), type: 'api' })
  const args = { method: 'GET', url: 'https://a.example/v1' }

  test('the address that was asked, the answer as a preview, the status beside it', () => {
    const output = { status: 201, body: '{"ok":true}' }
    const more = { snippet: '{"ok":true}', metadata: { status: 201 } }
    expectSources('http_client', output, [api(more)], args)
    expectSources('http_client', { url: args.url, ...output }, [api(more)])
    expectSources('http_client', { request: args, ...output }, [api(more)])
    expectSources('http_client', 'pong', [api({ snippet: 'pong' })], args)
  })

  test('addresses in the answer are not cited', () => {
    const body = { url: 'https://other.example/', next: { href: 'https://other.example/2' } }
    const more = { snippet: JSON.stringify(body), metadata: { status: 200 } }
    expectSources('http_client', { status: 200, body }, [api(more)], args)
    expectSources('http_client', { statusCode: 200, data: body }, [api(more)], args)
  })

  test('an answer that is a list is one answer', () => {
    const found = read('http_client', '["a","b"]', args)
    expect(found.map(({ url }) => url)).toStrictEqual([args.url])
  })

  test.each([400, 404, 429, 500, 503])('an answer with status %i is none', (status) => {
    expectSources('http_client', { status, body: 'See https://a.example/help' }, [], args)
  })
})

test('the status may stand in the response beside the request', () => {
  const request = { method: 'GET', url: 'https://a.example/v1' }
  expectSources('http_client', { request, response: { status: 404, body: 'no' } }, [])
})

describe('GitHub', () => {
  const page = (path: string) => `https://github.example/acme/pool/${path}`
  const person = {
    login: 'ann',
    html_url: 'https://github.example/ann',
    url: 'https://api.example/',
  }
  const urls = (output: unknown) => read('github', output).map(({ url }) => url)

  test('pages of issues, not of their people', () => {
    const issue = (number: number) => ({ number, html_url: page(`issues/${number}`), user: person })
    expect(urls({ total_count: 2, items: [issue(1), issue(2)] })).toEqual([
      page('issues/1'),
      page('issues/2'),
    ])
    expect(urls(JSON.stringify(issue(3)))).toEqual([page('issues/3')])
  })

  test('people in lists are no sources either', () => {
    const pull = { html_url: page('pull/4'), title: 'Fix', assignees: [person, person] }
    expect(urls(pull)).toEqual([page('pull/4')])
    expect(urls([{ ...pull, requested_reviewers: [person], owner: person }])).toEqual([
      page('pull/4'),
    ])
  })

  test('a record without a page is no source, whoever wrote it', () => {
    expect(urls({ title: 'Draft', user: person })).toEqual([])
    expect(urls({ url: 'https://api.github.example/repos/acme/pool', name: 'pool' })).toEqual([])
  })

  test('a repository is called by its name', () => {
    const output = { full_name: 'acme/pool', html_url: page(''), description: 'A pool.' }
    const [source] = read('github', output)
    expect(source).toMatchObject({ title: 'acme/pool', url: page(''), snippet: 'A pool.' })
  })
})

describe('MCP', () => {
  const name = 'mcp__docs__search'
  const link = {
    type: 'resource_link',
    uri: 'file:///notes/plan.md',
    name: 'plan.md',
    title: 'Plan',
    description: 'What comes next.',
    mimeType: 'text/markdown',
  }
  const record = { title: 'A', href: 'https://a.example/a' }

  test('links to resources and resources themselves', () => {
    const resource = { uri: 'https://a.example/r', mimeType: 'text/plain', text: 'Hello.' }
    const output = { content: [link, { type: 'resource', resource }] }
    expectSources(name, output, [
      {
        title: 'Plan',
        uri: 'file:///notes/plan.md',
        type: 'mcp',
        snippet: 'What comes next.',
        metadata: { type: 'resource_link', mimeType: 'text/markdown' },
      },
      mcp('r', { snippet: 'Hello.', metadata: { mimeType: 'text/plain' } }),
    ])
  })

  test('links as LLxprt writes them', () => {
    const output = [
      { text: 'Resource Link: My Resource at file:///path/to/thing' },
      { text: 'Resource Link: Look at me at https://a.example/me' },
    ]
    const sources = [
      { title: 'My Resource', uri: 'file:///path/to/thing', type: 'mcp' as const },
      mcp('me', { title: 'Look at me' }),
    ]
    expectSources(name, output, sources)
    expectSources(name, output.map(({ text }) => text).join('\n'), sources)
  })

  test.each([
    ['structured content', { content: [], structuredContent: { results: [record] } }],
    ['JSON in text', { content: [{ type: 'text', text: JSON.stringify([record]) }] }],
    ['JSON in a fence', `Found one:\n\`\`\`json\n${JSON.stringify(record)}\n\`\`\``],
    ['JSON behind a sentence', `Found one:\n${JSON.stringify([record], null, 2)}`],
    ['JSON at any depth', { page: { list: [{ hit: record }] } }],
  ])('%s', (_, output) => {
    expectSources(name, output, [mcp('a', { title: 'A' })])
  })

  test('what a record says of itself is cited, not what it refers to', () => {
    const output = { ...record, author: { name: 'Ann', url: 'https://a.example/ann' } }
    expectSources(name, output, [mcp('a', { title: 'A', author: 'Ann' })])
  })

  test('prose, pictures and sound have no sources', () => {
    const content = [
      { type: 'text', text: 'See https://a.example/ and [b](https://b.example/).' },
      { type: 'image', data: 'aHR0cHM6Ly8=', mimeType: 'image/png' },
      { type: 'audio', data: 'aHR0cHM6Ly8=', mimeType: 'audio/wav' },
    ]
    expectSources(name, { content }, [])
  })
})
