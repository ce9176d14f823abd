/** Files that tools read and searched: paths with pages, lines and previews. */
import { describe, expect, test } from 'vitest'
import { type CitationSource, extractToolCitations } from '../index.js'
import { CALL_ID, signed } from './tool-results.js'

const expectFiles = (
  name: string,
  output: unknown,
  sources: CitationSource[],
  args?: unknown,
): void => {
  const found = extractToolCitations({ name, args, callId: CALL_ID, output })
  expect(found).toStrictEqual(
    signed(
      name,
      sources.map((source) => ({ type: 'file', ...source })),
    ),
  )
}

describe('read_file', () => {
  const file = { title: 'main.ts', uri: '/repo/src/main.ts' }
  const path = file.uri

  test.each<[string, Record<string, unknown>, Partial<CitationSource>]>([
    ['absolute_path', { absolute_path: path }, {}],
    ['file_path', { file_path: path }, {}],
    ['path', { path }, {}],
    ['offset and limit', { file_path: path, offset: 20, limit: 5 }, { lineStart: 21, lineEnd: 21 }],
    ['limit alone', { file_path: path, limit: 5 }, { lineStart: 1, lineEnd: 1 }],
    ['offset 0', { file_path: path, offset: 0, limit: 1 }, { lineStart: 1, lineEnd: 1 }],
  ])('%s', (_, args, lines) => {
    expectFiles('read_file', 'let a\n', [{ ...file, snippet: 'let a', ...lines }], args)
  })

  test('the lines that a cut file shows', () => {
    const text = [
      '',
      'IMPORTANT: The file content has been truncated.',
      'Status: Showing lines 101-200 of 950 total lines.',
      "Action: To read more of the file, use 'offset' and 'limit'.",
      '',
      '--- FILE CONTENT (truncated) ---',
      'let b',
    ].join('\n')
    const cut = { ...file, snippet: 'let b', lineStart: 101, lineEnd: 200 }
    expectFiles('read_file', text, [cut], { absolute_path: path })
    expectFiles('read_file', text, [cut], { absolute_path: path, offset: 100, limit: 500 })
  })

  test('a path of Windows', () => {
    const uri = 'C:\\repo\\main.ts'
    const args = { absolute_path: uri }
    expectFiles('read_file', 'let a', [{ title: 'main.ts', uri, snippet: 'let a' }], args)
  })

  test.each([
    ['JSON', '{"name":"pool","version":"1.0.0"}'],
    ['JSON with a path', '{"path":"/etc/passwd","content":"x"}'],
    ['JSON with an error', '{"error":"none","url":"https://a.example/"}'],
    ['a list of JSON', '[{"file":"/etc/passwd"},{"file":"/etc/shadow"}]'],
    ['code about rate limits', '// rate limit: 3 per second\nconst limit = 3'],
  ])('a file with %s in it is the file that was read', (_, content) => {
    expectFiles('read_file', content, [{ ...file, snippet: content.replace('\n', ' ') }], {
      absolute_path: path,
    })
  })

  test('without a path there is no source', () => {
    expectFiles('read_file', 'let a', [])
    expectFiles('read_file', 'let a', [], { absolute_path: '' })
  })
})

describe('read_many_files', () => {
  const parts = [
    '--- src/a.ts ---\n\nlet a\n\n',
    '--- docs/b c.md ---\n\n# B\n\n--- not a file ---\ntext\n\n',
    '\n--- End of content ---',
  ]
  const files = [
    { title: 'a.ts', uri: 'src/a.ts' },
    { title: 'b c.md', uri: 'docs/b c.md' },
  ]

  test.each([
    ['a list', parts],
    ['parts', parts.map((text) => ({ text }))],
    ['one text', parts.join('\n')],
  ])('%s', (_, output) => {
    expectFiles('read_many_files', output, files)
  })

  test('a diff inside of a file names no files', () => {
    const diff = '--- x.patch ---\n\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n\n'
    expectFiles('read_many_files', [diff], [{ title: 'x.patch', uri: 'x.patch' }])
  })
})

describe('searches', () => {
  const found = (...files: string[]) =>
    `Found 9 matches for pattern "x" in path "." (filter: "*.ts"):\n---\n${files.join('\n---\n')}\n---`

  test('lines that stand together are one range, others stay beside it', () => {
    const text = found(
      'File: src/a.ts\nL3: x\nL4: x\nL5: x\nL9: x\nL20: x\nL21: x',
      'File: b.ts\nL1: x: y',
    )
    const sources = [
      {
        title: 'a.ts',
        uri: 'src/a.ts',
        lineStart: 3,
        lineEnd: 5,
        also: [
          { lineStart: 9, lineEnd: 9 },
          { lineStart: 20, lineEnd: 21 },
        ],
      },
      { title: 'b.ts', uri: 'b.ts', lineStart: 1, lineEnd: 1 },
    ]
    expectFiles('search_file_content', text, sources)
    expectFiles('ripgrep', text, sources)
  })

  test('a line that speaks of files is a line', () => {
    const text = found('File: a.ts\nL7: File: /etc/passwd\nL8: L99: x')
    expectFiles('search_file_content', text, [
      { title: 'a.ts', uri: 'a.ts', lineStart: 7, lineEnd: 8 },
    ])
  })

  test('nodes of a syntax tree, one source per file', () => {
    const text = [
      'Found 4 AST matches for pattern "foo($A)":',
      '---',
      'src/a.ts:3 [call_expression] foo([1], "b:9 [x] ")',
      'src/a.ts:4 [call_expression] foo(2)',
      'src/a.ts:30 [call_expression] foo(3)',
      'C:\\b.ts:7 [identifier] foo',
    ].join('\n')
    expectFiles('ast_grep', text, [
      {
        title: 'a.ts',
        uri: 'src/a.ts',
        lineStart: 3,
        lineEnd: 4,
        also: [{ lineStart: 30, lineEnd: 30 }],
      },
      { title: 'b.ts', uri: 'C:\\b.ts', lineStart: 7, lineEnd: 7 },
    ])
  })

  test.each([
    ['search_file_content', 'No matches found for pattern "x" in path "." (filter: "*.ts").'],
    ['ast_grep', 'No AST matches found for pattern "x".'],
    ['read_many_files', 'No files matching the criteria were found or all were skipped.'],
  ])('%s: nothing found', (name, text) => {
    expectFiles(name, text, [])
  })
})

describe('passages of documents', () => {
  const score = 0.5
  test.each<[string, object, CitationSource]>([
    ['page', { file: 'd/a.pdf', page: 5 }, { title: 'a.pdf', uri: 'd/a.pdf', pageNumber: 5 }],
    [
      'pageNumber',
      { path: 'a.pdf', pageNumber: 1 },
      { title: 'a.pdf', uri: 'a.pdf', pageNumber: 1 },
    ],
    [
      'first and last line',
      { filePath: 'a.md', lineStart: 3, lineEnd: 9 },
      { title: 'a.md', uri: 'a.md', lineStart: 3, lineEnd: 9 },
    ],
    [
      'lines as two numbers',
      { file: 'a.md', lines: [3, 9] },
      { title: 'a.md', uri: 'a.md', lineStart: 3, lineEnd: 9 },
    ],
    [
      'lines as text',
      { file: 'a.md', lines: '3-9' },
      { title: 'a.md', uri: 'a.md', lineStart: 3, lineEnd: 9 },
    ],
    [
      'one line',
      { file: 'a.md', line: 3 },
      { title: 'a.md', uri: 'a.md', lineStart: 3, lineEnd: 3 },
    ],
    ['a title', { title: 'Report', file: 'a.pdf' }, { title: 'Report', uri: 'a.pdf' }],
    ['filename', { filename: 'a.pdf' }, { title: 'a.pdf', uri: 'a.pdf' }],
    [
      'fields under metadata',
      { metadata: { source: 'd/a.pdf', page: 2 } },
      { title: 'a.pdf', uri: 'd/a.pdf', pageNumber: 2 },
    ],
    ['a page before the first', { file: 'a.pdf', page: 0 }, { title: 'a.pdf', uri: 'a.pdf' }],
    ['a line before the first', { file: 'a.md', lines: [0, 0] }, { title: 'a.md', uri: 'a.md' }],
    ['a negative page', { file: 'a.pdf', page: -1 }, { title: 'a.pdf', uri: 'a.pdf' }],
    ['half a page', { file: 'a.pdf', page: 1.5 }, { title: 'a.pdf', uri: 'a.pdf' }],
  ])('%s', (_, record, source) => {
    const output = { results: [{ ...record, score, content: 'Words.' }] }
    const wanted = { ...source, snippet: 'Words.', metadata: { score } }
    expectFiles('query_rag_project', output, [wanted])
    expectFiles('query_rag_project', JSON.stringify(output), [wanted])
  })

  test('two passages of a file are two sources', () => {
    const output = [
      { file: 'a.pdf', page: 1 },
      { file: 'a.pdf', page: 2 },
    ]
    expectFiles('query_rag_project', output, [
      { title: 'a.pdf', uri: 'a.pdf', pageNumber: 1 },
      { title: 'a.pdf', uri: 'a.pdf', pageNumber: 2 },
    ])
  })
})
