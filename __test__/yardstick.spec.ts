/**
 * The benchmark compares with TypeScript that does the same work (`benchmark/typescript`). That it does is shown here:
 * on generated responses of all kinds of sources, in both spellings, with wrong and missing values, both come to the
 * same block.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as yardstick from '../benchmark/typescript/index.ts'
import { renderCitations } from '../index.js'

const urls = fc.oneof(
  fc.constantFrom(
    'https://a.example/x',
    'https://A.example:443/x/',
    'https://a.example/x?utm_source=openai',
    'https://a.example/x?b=1&utm_source=openai&c=2#:~:text=words',
    'https://a.example/x#part',
    'http://docs.a.example/naïve path/../y',
    'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZI',
    'https://user:word@a.example/',
    'https://a.example/\u001b]8;;',
    ' https://b.example\n',
    'https://',
    'javascript:alert(1)',
    'gs://bucket/report.pdf',
    'ht\u200btps://c.example/',
    'https://bücher.example/ü',
    '',
  ),
  fc.nat(1100).map((length) => `https://a.example/${'l'.repeat(length)}`),
  fc.nat(3).map((page) => `https://site-${page}.example/page`),
)

const FRAGMENTS = [
  ...[
    'A title',
    ' ',
    ' with words',
    '.',
    '-',
    ', ',
    '漢字',
    'naïve',
    '😀',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    '…',
  ],
  ...[
    'a.example',
    'evil.example',
    'report.pdf',
    '192.168.0.1',
    'v1.2.3',
    'paypal。com',
    '12',
    '$9.3',
  ],
  ...['\n', '\t\r\n', '\u001b[31m', '\u202e', '\u200b', '\u{e0041}', '\ue200', '\ud83d', '\u0007'],
  ...['\u0301'.repeat(12), 'x'.repeat(150), '“', '”', 'https://site-1.example/page', '7', '0'],
]
const words = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 5 })
  .map((fragments) => fragments.join(''))

/** What stands where something else should. */
const odd = fc.constantFrom<unknown>(null, undefined, 7, -1, 0.5, true, '', ' ', [], {}, 'word')

/** Mostly as it should be. */
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: right }, { weight: 1, arbitrary: odd })

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** An object with some of these fields, all of them in one of the two spellings. */
const record = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc
    .tuple(
      fc.record(
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, mostly(value)])),
        { requiredKeys: [] },
      ),
      fc.boolean(),
    )
    .map(([fields, isSnake]) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [isSnake ? snake(name) : name, value]),
      ),
    )
const list = (items: fc.Arbitrary<unknown>) => fc.array(mostly(items), { maxLength: 6 })

const attached = record({
  key: fc.constantFrom('title', 'file_name', 'url', 'source_url', 'other'),
  stringValue: fc.oneof(words, urls),
})
const names = fc.constantFrom('fileSearchStores/a/documents/b', 'stores/', 'one')
const chunk = fc.oneof(
  record({ web: record({ uri: urls, title: words, domain: words }) }),
  record({
    retrievedContext: record({
      uri: urls,
      title: words,
      text: words,
      documentName: names,
      fileSearchStore: names,
      customMetadata: list(attached),
    }),
  }),
  record({ maps: record({ uri: urls, title: words, text: words }) }),
  record({ image: record({ sourceUri: urls, imageUri: urls, title: words, domain: words }) }),
)
const statuses = fc.constantFrom('URL_RETRIEVAL_STATUS_SUCCESS', 'URL_RETRIEVAL_STATUS_ERROR')
const candidate = record({
  groundingMetadata: record({ groundingChunks: list(chunk) }),
  citationMetadata: record({ citationSources: list(record({ uri: urls, title: words })) }),
  urlContextMetadata: record({
    urlMetadata: list(record({ retrievedUrl: urls, urlRetrievalStatus: statuses })),
  }),
})
const gemini = fc
  .array(candidate, { minLength: 1, maxLength: 2 })
  .map((candidates) => ({ candidates }))

const place = fc.nat(4)
const span = { startIndex: place, endIndex: place }
const files = fc.constantFrom('file_citation', 'container_file_citation', 'file_path')
const annotation = fc.oneof(
  record({ type: fc.constant('url_citation'), url: urls, title: words, ...span }),
  record({
    type: fc.constant('url_citation'),
    urlCitation: record({ url: urls, title: words, content: words, ...span }),
  }),
  record({
    type: files,
    fileId: names,
    filename: words,
    containerId: names,
    index: place,
    ...span,
  }),
)
const part = fc.record({ type: fc.constant('output_text'), annotations: mostly(list(annotation)) })
const item = fc.record({ type: fc.constant('message'), content: mostly(list(part)) })
const openai = list(item).map((output) => ({ id: 'resp_1', object: 'response', output }))

const passage = {
  citedText: words,
  documentTitle: words,
  documentIndex: fc.nat(1),
  fileId: fc.constantFrom('file_1', 'file_2'),
}
const citation = fc.oneof(
  record({
    type: fc.constant('web_search_result_location'),
    url: urls,
    title: words,
    citedText: words,
    encryptedIndex: words,
  }),
  record({
    type: fc.constant('char_location'),
    ...passage,
    startCharIndex: place,
    endCharIndex: place,
  }),
  record({
    type: fc.constant('page_location'),
    ...passage,
    startPageNumber: place,
    endPageNumber: place,
  }),
  record({
    type: fc.constant('content_block_location'),
    ...passage,
    startBlockIndex: place,
    endBlockIndex: place,
  }),
  record({
    type: fc.constant('search_result_location'),
    source: urls,
    title: words,
    citedText: words,
    searchResultIndex: fc.nat(1),
    startBlockIndex: place,
    endBlockIndex: place,
  }),
)
const block = fc.record({
  type: fc.constant('text'),
  text: words,
  citations: mostly(list(citation)),
})
const anthropic = fc
  .array(block, { maxLength: 5 })
  .map((content) => ({ id: 'msg_1', type: 'message', role: 'assistant', content }))

const options = fc.record(
  {
    links: fc.constantFrom('osc8', 'plain'),
    terminator: fc.constantFrom('bel', 'st'),
    maxSources: fc.nat(5),
    showExcerpts: fc.boolean(),
    documents: fc.boolean(),
  },
  { requiredKeys: ['links'] },
)

describe.each([
  ['Gemini', gemini],
  ['OpenAI', openai],
  ['Anthropic', anthropic],
] as [string, fc.Arbitrary<object>][])('%s', (_, responses) => {
  test.each([
    ['plain', yardstick.PLAIN],
    ['tuned', yardstick.TUNED],
  ])('%s TypeScript comes to the same block, from objects and from bytes', (_, rules) => {
    fc.assert(
      fc.property(responses, options, (response, options) => {
        const live = yardstick.renderCitations(response, options, rules)
        expect(renderCitations(response, options)).toBe(live)
        const bytes = Buffer.from(JSON.stringify(response))
        const parsed = yardstick.renderCitations(bytes, options, rules)
        expect(renderCitations(bytes, options)).toBe(parsed)
      }),
      { numRuns: 2000 },
    )
  })
})
