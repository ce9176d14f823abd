/** Sources in our own form, as hosts hand them over: with any fields, some of them wrong. */
import fc from 'fast-check'

/** One of each field that a source can have, right and wrong. */
export const source = fc.record(
  {
    title: fc.oneof(fc.string(), fc.constant('a\ud83d'), fc.integer()),
    url: fc.oneof(
      fc.nat(3).map((n) => `https://a.example/${n}`),
      fc.string(),
      fc.constant(null),
    ),
    uri: fc.oneof(fc.constant('gs://b/c'), fc.boolean()),
    citedText: fc.string(),
    cited_text: fc.string(),
    provider: fc.oneof(fc.constant('gemini'), fc.string()),
    domain: fc.constant('a.example'),
    fileId: fc.constant('file-1'),
    web: fc.constantFrom({ uri: 'https://w.example/', title: 'Web' }, 'none', undefined),
    type: fc.constantFrom('web', 'file', 'nothing'),
    id: fc.string(),
    toolName: fc.constant('exa_web_search'),
    snippet: fc.string(),
    pageNumber: fc.oneof(fc.integer(), fc.constant(1.5), fc.constant('2')),
    lineStart: fc.nat(9),
    lineEnd: fc.nat(9),
    shownInline: fc.oneof(fc.boolean(), fc.constant('true')),
    metadata: fc.constantFrom({ a: 1 }, 'x', undefined),
    also: fc.constantFrom(
      [{ citedText: 'again', location: { type: 'grounding', groundingChunkIndex: 2 } }],
      7,
    ),
    location: fc.constantFrom(
      { type: 'grounding', groundingChunkIndex: 1 },
      { type: 'url_citation', start_index: 1, end_index: 2 },
      { type: 'char_location', startCharIndex: 0, endCharIndex: 5, documentIndex: 0 },
      { type: 'page_location', start_page_number: 2, end_page_number: 4, document_index: 1 },
      { type: 'grounding', groundingChunkIndex: 1, startPageNumber: 2, endPageNumber: 4 },
      { type: 'file_citation', index: 3 },
      { type: 'nowhere' },
      { type: 7 },
      'here',
    ),
  },
  { requiredKeys: [] },
)
