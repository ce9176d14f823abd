/** Results take linear time to make, also where no two of their records have the same fields. */
import { test } from 'vitest'
import { dedupeCitations } from '../index.js'
import { expectLinear, times } from './growth.js'

/** Fields that a source may have or not, in thousands of combinations. */
const FIELDS: [string, unknown][] = [
  ['title', 'T'],
  ['citedText', 'words'],
  ['provider', 'gemini'],
  ['domain', 'a.example'],
  ['fileId', 'file-1'],
  ['uri', 'gs://b/c'],
  ['toolName', 'web_search'],
  ['toolRequestId', 'r'],
  ['agentId', 'agent'],
  ['snippet', 'some words'],
  ['author', 'A'],
  ['publishedDate', '2025'],
  ['timestamp', '2025-01-01'],
  ['pageNumber', 7],
  ['id', 'id'],
  ['rawUrl', 'https://a.example/raw'],
]

test('sources of which each has other fields', () => {
  expectLinear(64_000, (size) => {
    const json = JSON.stringify(
      times(size, (at) => {
        const chosen = FIELDS.filter((_, field) => (at >> field) & 1)
        return Object.fromEntries([['url', `https://a.example/${at}`], ...chosen])
      }),
    )
    return () => dedupeCitations(json as never)
  })
})
