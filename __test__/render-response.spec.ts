/** From a response to its block in one call, for every provider and every form a response has. */
import { describe, expect, test } from 'vitest'
import {
  dedupeCitations,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  renderCitationBlock,
  renderCitations,
} from '../index.js'
import { block, example, lines, NOTES, RUST, SPECIFIED } from './blocks.js'

describe('the blocks of the specification', () => {
  test.each([
    ['Gemini', example('gemini-search.json'), SPECIFIED.gemini],
    ['Anthropic', example('anthropic-document.json'), SPECIFIED.anthropic],
    // The page as the specification has it, without the mark OpenAI appends to it.
    [
      'OpenAI Responses',
      example('openai-web-search.json').replaceAll('?utm_source=openai', ''),
      SPECIFIED.openai,
    ],
  ])('%s, from a response as object, JSON and bytes', (_, json, expected) => {
    const options = { links: 'plain', documents: true } as const
    expect(renderCitations(JSON.parse(json), options)).toBe(expected)
    expect(renderCitations(json, options)).toBe(expected)
    expect(renderCitations(new TextEncoder().encode(json), options)).toBe(expected)
    const stream = `event: message\ndata: ${JSON.stringify(JSON.parse(json))}\n\ndata: [DONE]\n\n`
    expect(renderCitations(stream, options)).toBe(expected)
    expect(renderCitations(new TextEncoder().encode(stream), options)).toBe(expected)
    expect(renderCitations(stream, { ...options, groupByDocument: true })).toBe(expected)
  })

  test.each([
    ['JSON lines', (documents: string[]) => documents.join('\n')],
    ['JSON lines with CRLF', (documents: string[]) => `${documents.join('\r\n')}\r\n`],
    [
      'documents with indents',
      (documents: string[]) =>
        documents.map((json) => JSON.stringify(JSON.parse(json), null, 2)).join('\n\n'),
    ],
  ])('every document of %s counts', (_, bodyOf) => {
    const page = (uri: string) => ({
      candidates: [{ groundingMetadata: { groundingChunks: [{ web: { uri, title: uri } }] } }],
    })
    const documents = [RUST, NOTES].map((uri) => JSON.stringify(page(uri)))
    const expected = renderCitations(`[${documents}]`, { links: 'plain' })
    expect(expected).toContain('2. ')
    const body = bodyOf(documents)
    expect(renderCitations(body, { links: 'plain' })).toBe(expected)
    expect(renderCitations(new TextEncoder().encode(body), { links: 'plain' })).toBe(expected)
  })

  test('an address is shown as it was sent, mark of OpenAI included', () => {
    const shown = renderCitations(example('openai-web-search.json'), { links: 'plain' })
    expect(shown).toBe(`${SPECIFIED.openai}?utm_source=openai`)
  })

  test('Anthropic stays dormant until documents are asked for', () => {
    expect(renderCitations(example('anthropic-document.json'), { links: 'plain' })).toBe('')
  })
})

describe('nothing to cite', () => {
  test.each([
    ['null', null],
    ['undefined', undefined],
    ['text that is no JSON', 'Hello'],
    ['an empty object', {}],
    ['a chat completion', { choices: [{ message: { content: 'Hello' } }] }],
    ['bytes that are no JSON', new Uint8Array([1, 2, 3])],
  ])('renderCitations of %s', (_, input) => {
    expect(renderCitations(input, { links: 'osc8', documents: true })).toBe('')
  })
})

describe('renderCitations does what its parts do', () => {
  const openRouter = {
    output: [
      {
        type: 'message',
        content: [
          {
            type: 'output_text',
            annotations: [
              {
                type: 'url_citation',
                url: 'https://a.example/',
                title: 'A',
                content: 'words of the page',
                start_index: 0,
                end_index: 4,
              },
              {
                type: 'url_citation',
                url: 'https://A.example',
                title: 'A',
                start_index: 5,
                end_index: 9,
              },
            ],
          },
        ],
      },
    ],
  }
  test.each([
    ['Gemini', JSON.parse(example('gemini-search.json')), extractGeminiCitations],
    ['OpenAI', JSON.parse(example('openai-web-search.json')), extractOpenAIResponsesCitations],
    ['OpenAI dialect with quotations', openRouter, extractOpenAIResponsesCitations],
    [
      'Anthropic',
      JSON.parse(example('anthropic-document.json')),
      (input: object) => extractAnthropicCitations(input, { documents: true }),
    ],
  ])('%s', (_, response, extract) => {
    expect(renderCitations(response, { links: 'osc8', width: 60, documents: true })).toBe(
      block(dedupeCitations(extract(response)), { links: 'osc8', width: 60 }),
    )
  })

  test('pages that Gemini searched, recited and fetched are all listed, whichever it says first', () => {
    const groundingMetadata = { groundingChunks: [{ web: { uri: RUST, title: 'History' } }] }
    const citationMetadata = { citations: [{ uri: 'https://recited.example/' }] }
    const urlContextMetadata = {
      urlMetadata: [
        {
          retrievedUrl: 'https://fetched.example/',
          urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS',
        },
      ],
    }
    const expected = lines(
      `  1. History — ${RUST}`,
      '  2. https://recited.example/',
      '  3. https://fetched.example/',
    )
    for (const candidate of [
      { groundingMetadata, citationMetadata, urlContextMetadata },
      { urlContextMetadata, citationMetadata, groundingMetadata },
      {
        grounding_metadata: groundingMetadata,
        citation_metadata: citationMetadata,
        url_context_metadata: urlContextMetadata,
      },
    ]) {
      const response = { candidates: [candidate], usageMetadata: {} }
      const json = JSON.stringify(response)
      expect(renderCitations(response, { links: 'plain' })).toBe(expected)
      expect(renderCitations(json, { links: 'plain' })).toBe(expected)
      const escaped = json.replace(/etadata|ontext_/g, (name) => `${name.replace('t', '\\u0074')}`)
      expect(renderCitations(escaped, { links: 'plain' })).toBe(expected)
    }
  })

  test.each([
    ['an address', RUST],
    ['an address in other words', `${RUST.replace('en.', 'EN.')}/`],
    ['a list of addresses', [RUST]],
    ['a source', { title: 'other title', url: RUST }],
    ['a list of sources', [{ url: RUST }]],
    [
      'a google_web_search result',
      { llmContent: '…', sources: [{ web: { uri: RUST, title: 'History' } }] },
    ],
    ['a list of tool results', [{ sources: [{ web: { uri: RUST } }] }, { sources: null }]],
    ['a mixed list', ['https://b.example/', { sources: [{ url: RUST }] }]],
  ])('alreadyShown as %s is left out and numbers close up', (_, alreadyShown) => {
    const shown = renderCitations(example('gemini-search.json'), { links: 'plain', alreadyShown })
    expect(shown).toBe(lines(`  1. Rust Release Notes — ${NOTES}`))
  })

  test.each([[null], [undefined], [[]], [''], [{}], [{ sources: null }], [5 as never]])(
    'alreadyShown %j hides nothing',
    (alreadyShown) => {
      const shown = renderCitations(example('gemini-search.json'), { links: 'plain', alreadyShown })
      expect(shown).toBe(SPECIFIED.gemini)
    },
  )

  const found = {
    text: '',
    sources: [
      { title: 'Rust', url: RUST, shownInline: true },
      { title: 'Notes', url: NOTES },
    ],
  }
  test.each([
    ['an object', found],
    ['JSON', JSON.stringify(found)],
    ['bytes', new TextEncoder().encode(JSON.stringify(found))],
  ])('what a tool has listed itself is left out of %s, unless it is asked for', (_, input) => {
    const notes = `  2. Notes — ${NOTES}`
    expect(renderCitations(input, { links: 'plain' })).toBe(lines(notes))
    const all = { links: 'plain', showInlineSources: true } as const
    expect(renderCitations(input, all)).toBe(lines(`  1. Rust — ${RUST}`, notes))
    expect(renderCitations(input, { ...all, groupByDocument: true })).toContain('1. Rust')
    const wrong = { links: 'plain', showInlineSources: 'yes' } as never
    expect(() => renderCitations(input, wrong)).toThrow(/showInlineSources.*'yes'/)
  })

  test('all shown already: no block', () => {
    const alreadyShown = [RUST, NOTES]
    expect(renderCitations(example('gemini-search.json'), { links: 'osc8', alreadyShown })).toBe('')
  })
})

describe('pages of documents of Gemini', () => {
  const passage = (text: string, pages: object, more?: object) => ({
    retrievedContext: { title: 'R', text, ...pages, ...more },
  })
  const span = (firstPage: number, lastPage: number) => ({
    ragChunk: { pageSpan: { firstPage, lastPage } },
  })
  const shown = (...groundingChunks: object[]) => {
    const response = { candidates: [{ groundingMetadata: { groundingChunks } }] }
    const options = { links: 'plain', showExcerpts: true } as const
    const text = renderCitations(response, options)
    expect(renderCitations(JSON.stringify(response), options)).toBe(text)
    const sources = dedupeCitations(extractGeminiCitations(response))
    // What was extracted is shown alike.
    expect(renderCitationBlock({ text: '', sources }, options)).toBe(text)
    return text
  }

  test('passages on different pages are two, with their excerpts', () => {
    expect(shown(passage('One.', { pageNumber: 4 }), passage('Two.', span(3, 5)))).toBe(
      [
        ' Sources:',
        '  1. R (page 4):',
        '     > "One."',
        '  2. R (pages 3–5):',
        '     > "Two."',
      ].join('\n'),
    )
  })

  test.each<[string, object]>([
    ['its name', { documentName: 'fileSearchStores/s/documents/d' }],
    ['its address', { uri: 'gs://bucket/r.pdf' }],
  ])('a page of a document with %s is listed once, with all quotations', (_, document) => {
    const page = { pageNumber: 4, ...document }
    expect(shown(passage('One.', page), passage('Two.', page), passage('One.', page))).toBe(
      [' Sources:', '  1. R (page 4):', '     > "One."', '     > "Two."'].join('\n'),
    )
  })

  test('a document with an address is one source, with all of its pages', () => {
    const address = { uri: 'https://a.example/r.pdf' }
    const one = passage('One.', { pageNumber: 4 }, address)
    expect(shown(one, passage('Two.', span(3, 5), address))).toBe(
      [
        ' Sources:',
        '  1. R (page 4, pages 3–5) — https://a.example/r.pdf',
        '     > "One."',
        '     > "Two."',
      ].join('\n'),
    )
  })
})
