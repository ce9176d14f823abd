/**
 * What is no result although it looks like one, and what is one although it looks like none: notices and
 * pages that begin like notices, errors that say nothing, states that are failures.
 */
import { describe, expect, test } from 'vitest'
import { extractToolCitations, sanitizeCitationSource } from '../index.js'

const URL = 'https://a.example/a'

const read = (name: string, output: unknown, args?: object) =>
  extractToolCitations({ name, callId: 'c', output, ...(args && { args }) })

describe.each(['Error:', 'Failed to ', 'Request failed', 'No results found'])('%s', (beginning) => {
  const line = `${beginning} load ${URL}`
  const page = `${beginning} load\n\nA page about what went wrong and why.\n`

  test.each([
    ['direct_web_fetch', { url: URL }],
    ['web_scrape', { url: URL }],
    ['http_client', { url: URL }],
    ['read_file', { absolute_path: '/src/log.txt' }],
  ])('in one line is a notice of %s, on a page it is the page', (name, args) => {
    expect(read(name, line, args)).toEqual([])
    expect(read(name, page, args)).toHaveLength(1)
    // A line that long is no notice either.
    expect(read(name, `${line} ${'and so on '.repeat(40)}`, args)).toHaveLength(1)
  })

  test.each(['exa_web_search', 'mcp__a__b', 'google_web_search'])('is a notice of %s', (name) => {
    expect(read(name, `${line}\n\nResource Link: A at ${URL}`)).toEqual([])
  })
})

describe('a result', () => {
  const results = [{ title: 'A', url: URL }]

  test.each<[string, object]>([
    ['an empty error', { error: {} }],
    ['an error without words', { error: ' ' }],
    ['no error', { error: false }],
    ['null for an error', { error: null }],
    ['an empty list of errors', { error: [] }],
    ['a good state', { status: 200 }],
    ['a state in words', { status: 'completed' }],
  ])('with %s is read', (_, beside) => {
    expect(read('web_search', { ...beside, results })).toHaveLength(1)
    expect(read('web_search', { ...beside, output: { results } })).toHaveLength(1)
  })

  test.each<[string, object]>([
    ['an error', { error: 'no' }],
    ['an error with a message', { error: { message: 'no' } }],
    ['an error with a code', { error: { code: 7 } }],
    ['a state of failure', { status: 404 }],
    ['a state of failure of the server', { status: 503 }],
    ['isError', { isError: true }],
  ])('with %s is none', (_, beside) => {
    expect(read('web_search', { ...beside, results })).toEqual([])
    expect(read('web_search', { ...beside, output: { results } })).toEqual([])
    expect(read('web_search', JSON.stringify({ ...beside, output: { results } }))).toEqual([])
  })
})

test('a file with lines like those between files is one file, where each has its part', () => {
  const file = '--- /a.md ---\n\ntext\n\n--- /no-file.md ---\n\nmore\n\n'
  const paths = (output: unknown) => read('read_many_files', output).map(({ uri }) => uri)
  expect(paths([file, '\n--- End of content ---'])).toEqual(['/a.md'])
  expect(paths([file, '--- /b.md ---\n\nb\n\n', '\n--- End of content ---'])).toEqual([
    '/a.md',
    '/b.md',
  ])
})

describe('metadata is bounded', () => {
  const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  test('of a result: what does not fit is left out, the rest stays', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`field\u0001${at}`, 'x'.repeat(20)]),
    )
    const record = {
      title: 'A',
      url: URL,
      long: 'x'.repeat(3000),
      deep: [[many]],
      rank: 1,
      ...many,
    }
    const [source] = read('web_search', [record])
    expect(source?.metadata).toMatchObject({ rank: 1 })
    expect(source?.metadata).not.toHaveProperty('long')
    expect(source?.metadata).not.toHaveProperty('deep')
    expect(size(source?.metadata)).toBeLessThanOrEqual(2048)
    expect(size(source?.metadata)).toBeGreaterThan(1500)
  })

  test('of a source: it is kept whole or not at all', () => {
    const kept = { note: 'x'.repeat(1900) }
    expect(sanitizeCitationSource({ url: URL, metadata: kept }).metadata).toEqual(kept)
    const long = { note: 'x'.repeat(2100) }
    expect(sanitizeCitationSource({ url: URL, metadata: long })).not.toHaveProperty('metadata')
  })
})
