/**
 * Anthropic, OpenAI, and the services that speak a dialect of Chat Completions, in a turn: each is known
 * by its shape, repeats count once, and what is no citation of the visible answer stays out.
 */
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  dedupeCitations,
  extractOpenAIResponsesCitations,
  type ProviderInput,
  renderCitationBlock,
  renderCitations,
} from '../index.js'
import {
  anthropicStream,
  charLocation,
  checked,
  claims,
  finished,
  link,
  openAiResponse,
  openAiStream,
  turnOf,
  urlCitation,
  urls,
} from './turns.js'

describe('Anthropic', () => {
  const GRASS = charLocation('Nature', 0, 'The grass is green. ')
  const SKY = charLocation('Nature', 20, 'The sky is blue.')
  const NEWS = {
    type: 'web_search_result_location',
    cited_text: 'Out now...',
    url: 'https://news.example/ts',
    title: 'News',
    encrypted_index: 'Eo8B',
  }
  const BLOCKS: [string, object[]?][] = [
    ['Well: '],
    ['grass is green 🌱', [GRASS]],
    [', and '],
    ['the sky is blue', [SKY, NEWS, GRASS]],
    ['.'],
  ]
  const ANSWER = 'Well: grass is green 🌱, and the sky is blue.'
  const message = {
    id: 'msg-1',
    type: 'message',
    role: 'assistant',
    content: BLOCKS.map(([text, citations]) => ({ type: 'text', text, citations })),
  }
  const stream = anthropicStream(BLOCKS)

  test.each<[string, ProviderInput[]]>([
    ['a stream', stream],
    ['a whole message', [message]],
    ['a stream of JSON', stream.map((event) => JSON.stringify(event))],
  ])('%s has an answer and no citations unless documents are switched on', (_, events) => {
    for (const options of [undefined, {}, { documents: false }]) {
      expect(finished(events, options)).toEqual({
        text: '',
        answer: ANSWER,
        sources: [],
        anchors: [],
        cited: [],
        diagnostics: [],
      })
    }
  })

  test.each<[string, ProviderInput[]]>([
    ['a stream', stream],
    ['a whole message', [message]],
    ['a stream and the message it adds up to', [...stream, message]],
    ['a stream of JSON', stream.map((event) => JSON.stringify(event))],
  ])('%s cites by block, each citation once', (_, events) => {
    expect(finished(events, { documents: true })).toEqual({
      text: '',
      answer: ANSWER,
      sources: [
        {
          title: 'Nature',
          citedText: 'The grass is green. ',
          provider: 'anthropic',
          location: {
            type: 'char_location',
            startCharIndex: 0,
            endCharIndex: 20,
            documentIndex: 0,
          },
        },
        {
          title: 'Nature',
          citedText: 'The sky is blue.',
          provider: 'anthropic',
          location: {
            type: 'char_location',
            startCharIndex: 20,
            endCharIndex: 36,
            documentIndex: 0,
          },
        },
        {
          title: 'News',
          url: 'https://news.example/ts',
          citedText: 'Out now...',
          provider: 'anthropic',
          location: { type: 'web_search_result_location', encryptedIndex: 'Eo8B' },
        },
      ],
      anchors: [
        { start: 6, end: 23, text: 'grass is green 🌱', sources: [1] },
        { start: 29, end: 44, text: 'the sky is blue', sources: [1, 2, 3] },
      ],
      cited: [1, 2, 3],
      diagnostics: [],
    })
  })

  test.each<[string, object]>([
    ['null', { citations: null }],
    ['empty', { citations: [] }],
    ['absent', {}],
  ])('citations that are %s at the start of a block say nothing', (_, fields) => {
    const [start, ...rest] = anthropicStream([['Cited', [GRASS]]])
    const opened = rest.map((event) =>
      event.type === 'content_block_start'
        ? { ...event, content_block: { type: 'text', text: '', ...fields } }
        : event,
    )
    const payload = finished([start!, ...opened], { documents: true })
    expect(claims(payload)).toEqual([['Cited', [1]]])
    expect(payload.sources).toHaveLength(1)
  })

  test('thinking and tool input are no part of the answer', () => {
    const delta = (index: number, fields: object) => {
      return { type: 'content_block_delta', index, delta: fields }
    }
    const payload = finished([
      { type: 'message_start', message: { id: 'msg-1', content: [] } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      delta(0, { type: 'thinking_delta', thinking: 'Let me see.' }),
      delta(0, { type: 'signature_delta', signature: 'abc' }),
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 't', name: 'f', input: {} },
      },
      delta(1, { type: 'input_json_delta', partial_json: '{"text":"no"}' }),
      delta(2, { type: 'text_delta', text: 'Yes.' }),
    ])
    expect(payload.answer).toBe('Yes.')
  })

  test.each(['thinking_delta', 'input_json_delta', 'signature_delta'])(
    'nor is text beside %s, however it comes',
    (type) => {
      const delta = (delta: object) => ({ type: 'content_block_delta', index: 0, delta })
      const events = [delta({ type, text: 'No.' }), delta({ type: 'text_delta', text: 'Yes.' })]
      const json = events.map((event) => JSON.stringify(event))
      const reordered = `{"index":0,"type":"content_block_delta","delta":{"text":"No.","type":"${type}"}}`
      for (const stream of [events, json, [reordered, ...events]]) {
        expect(finished(stream, { documents: true }).answer).toBe('Yes.')
      }
      const turn = new CitationService({ documents: true }).startTurn()
      turn.pushBytes(new TextEncoder().encode(`${json.join('\n')}\n`))
      expect(turn.finish().answer).toBe('Yes.')
    },
  )
})

describe('OpenAI Responses', () => {
  const NODE = 'https://node.example/releases?utm_source=openai'
  const BLOG = 'https://blog.example/v24'
  const ANSWER = `Version 24 is “current”. ${link(NODE)} It is fast ${link(BLOG)}, says ${link(NODE)}`
  const last = urlCitation(ANSWER, NODE, 'Releases')
  const shift = Array.from(ANSWER).length - last.end_index
  const ANNOTATIONS = [
    last,
    urlCitation(ANSWER, BLOG, 'Version 24'),
    { ...last, start_index: last.start_index + shift, end_index: last.end_index + shift },
  ]
  const stream = openAiStream(ANSWER, ANNOTATIONS)

  test.each<[string, ProviderInput[]]>([
    ['a whole response', [openAiResponse(ANSWER, ANNOTATIONS)]],
    ['a stream that says everything four times', stream],
    ['WebSocket frames', stream.map((event) => JSON.stringify(event))],
    ['a stream without its last event', stream.slice(0, -1)],
    ['a stream that breaks off behind the annotations', stream.slice(0, -4)],
    ['the last event alone', stream.slice(-1)],
  ])('%s counts each annotation once', (_, events) => {
    const payload = finished(events)
    expect(payload.answer).toBe(ANSWER)
    expect(payload.sources.map(({ title, url, provider }) => [title, url, provider])).toEqual([
      ['Releases', NODE, 'openai-responses'],
      ['Version 24', BLOG, 'openai-responses'],
    ])
    expect(claims(payload)).toEqual([
      [link(NODE), [1]],
      [link(BLOG), [2]],
      [link(NODE), [1]],
    ])
    expect(payload.sources[0]?.also).toHaveLength(1)
    expect(payload.diagnostics).toEqual([])
  })

  test('offsets count in their own content part', () => {
    const part = (text: string, url: string) => ({
      type: 'output_text',
      text,
      annotations: [urlCitation(text, url, 'T')],
    })
    const one = `Ä first. ${link(NODE)}`
    const two = `🙂 second. ${link(BLOG)}`
    const payload = finished([
      {
        id: 'r',
        output: [
          { type: 'message', content: [part(one, NODE), part(two, BLOG)] },
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'No answer.' }] },
          { type: 'message', content: [part(two, BLOG)] },
        ],
      },
    ])
    expect(payload.answer).toBe(one + two + two)
    expect(claims(payload)).toEqual([
      [link(NODE), [1]],
      [link(BLOG), [2]],
      [link(BLOG), [2]],
    ])
    expect(payload.diagnostics).toEqual([])
  })

  describe.each<[string, object]>([
    ['absent', {}],
    ['null', { annotations: null }],
  ])('text whose annotations are %s', (_, fields) => {
    const text = 'Plain 🙂 answer [1].'
    const at = { output_index: 1, content_index: 0 }
    const said = { type: 'output_text', text, ...fields }
    const thought = { type: 'reasoning_text', text: 'Hm.' }
    const message = { type: 'message', content: [said, { type: 'refusal', refusal: 'No.' }] }
    const output = [{ type: 'reasoning', content: [thought] }, message]
    const whole = { id: 'r', object: 'response', output }
    const stream = [
      { type: 'response.created', response: { id: 'r', output: [] } },
      { type: 'response.content_part.added', output_index: 0, content_index: 0, part: thought },
      { type: 'response.content_part.added', ...at, part: { ...said, text: '' } },
      ...Array.from(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
      { type: 'response.content_part.done', ...at, part: said },
      { type: 'response.output_item.done', output_index: 1, item: message },
    ]
    const completed = { type: 'response.completed', response: whole }

    test.each<[string, ProviderInput[]]>([
      ['a whole response', [whole]],
      ['JSON', [JSON.stringify(whole)]],
      ['bytes', [new TextEncoder().encode(JSON.stringify(whole))]],
      ['a stream', [...stream, completed]],
      ['a stream without its last event', stream],
      ['the last event', [completed]],
      ['a part that is done', stream.slice(-2, -1)],
    ])('is the answer of %s, and thoughts are not', (_, events) => {
      expect(finished(events)).toMatchObject({ answer: text, sources: [], diagnostics: [] })
    })
  })

  describe('a search in files', () => {
    const TEXT = 'Plans are made. Tasks follow.'
    const cited = (file_id: string, index: number, filename?: string) => {
      return { type: 'file_citation', file_id, index, ...(filename && { filename }) }
    }
    const found = (file_id: string, text?: unknown, filename?: unknown) => {
      return { file_id, filename, text, score: 0.9, attributes: { a: 1 } }
    }
    const answer = (annotations: object[], results: unknown, id = 'resp-1') => {
      const search = { id: `fs-${id}`, type: 'file_search_call', status: 'completed' }
      const response = openAiResponse(TEXT, annotations, id)
      return { ...response, output: [{ ...search, queries: ['q'], results }, response.output[1]] }
    }
    const events = (annotations: object[], results: unknown, id?: string) => {
      const response = answer(annotations, results, id)
      return openAiStream(TEXT, annotations, id).map((event) => {
        const { type, output_index } = event as { type: string; output_index?: number }
        if (type === 'response.completed') return { type, response }
        if (!type.includes('output_item') || output_index !== 0) return event
        const item = response.output[0]
        return {
          type,
          output_index,
          item: type.endsWith('done') ? item : { ...item, results: null },
        }
      })
    }
    const sources = (annotations: object[], results: unknown) => {
      const whole = answer(annotations, results)
      const payload = finished([whole])
      const stream = events(annotations, results)
      const again = new CitationService()
      const half = turnOf(stream.slice(0, 4)).serialize()
      const resumed = again.restoreTurn(half)
      for (const event of stream.slice(4)) resumed.push(event)
      for (const other of [
        finished(stream),
        finished(stream.slice(0, -1)),
        finished([JSON.stringify(whole)]),
        finished(stream.map((event) => JSON.stringify(event))),
        again.restoreTurn(turnOf([whole]).serialize()).finish(),
        resumed.finish(),
      ]) {
        expect(other).toEqual(payload)
      }
      const items = whole.output
      for (const input of [whole, stream, JSON.stringify(whole), items, JSON.stringify(items)]) {
        const extracted = dedupeCitations(extractOpenAIResponsesCitations(input))
        expect(extracted).toEqual(dedupeCitations(payload.sources))
      }
      for (const input of [whole, stream, JSON.stringify(whole)]) {
        const options = { links: 'plain', showExcerpts: true } as const
        const block = renderCitationBlock(payload, options)
        for (const documents of [false, true]) {
          expect(renderCitations(input, { ...options, documents })).toBe(block)
        }
      }
      return payload.sources.map(({ title, fileId, citedText }) => [title, fileId, citedText])
    }

    test('gives a citation the words and the name that it lacks', () => {
      const results = [
        found('f-1', 'First\n\u001b[31mwords.', 'plan.md'),
        found('f-2', 'Other words.', 'notes.md'),
        found('f-1', 'First [31mwords.', 'later.md'),
        found('f-3', 'Nobody cites these.', 'unread.md'),
      ]
      const annotations = [cited('f-1', 14, 'own.md'), cited('f-2', 28), cited('f-1', 28)]
      expect(sources(annotations, results)).toEqual([
        ['own.md', 'f-1', 'First [31mwords.'],
        ['notes.md', 'f-2', 'Other words.'],
      ])
    })

    test('that finds several passages of a file does not say which of them is cited', () => {
      const results = [found('f', 'On cats.', 'a.md'), found('f', 'On dogs.'), found('g', 'Own.')]
      expect(sources([cited('f', 14), cited('g', 28)], results)).toEqual([
        ['a.md', 'f', undefined],
        ['g', 'g', 'Own.'],
      ])
    })

    test('nor do several searches', () => {
      const citing = [cited('f', 3)]
      const calls = ['On cats.', 'On dogs.'].map((text, at) => {
        return answer(citing, [found('f', text, 'a.md')], `resp-${at}`)
      })
      const turn = turnOf(calls)
      const restored = new CitationService().restoreTurn(turn.serialize())
      for (const { sources } of [turn.finish(), restored.finish()]) {
        expect(sources).toMatchObject([{ title: 'a.md', fileId: 'f' }])
        expect(sources[0]).not.toHaveProperty('citedText')
      }
    })

    test('is cut like any excerpt', () => {
      const [source] = sources([cited('f', 3)], [found('f', 'x'.repeat(500), 'a.md')])
      expect(source).toEqual(['a.md', 'f', `${'x'.repeat(200)}…`])
    })

    test.each<[string, unknown]>([
      ['null', null],
      ['empty', []],
      ['of other files', [found('g', 'Words.', 'g.md')]],
      ['without words', [found('f', null, 'f'), found('f', '', null)]],
      ['that are none', [null, 7, 'f', {}, [], { file_id: 7, text: 'Words.' }]],
      ['that are no list', { file_id: 'f', text: 'Words.' }],
    ])('changes nothing with results %s', (_, results) => {
      expect(sources([cited('f', 3), cited('f', 9)], results)).toEqual([['f', 'f', undefined]])
    })

    test('is remembered over the calls of a turn, where the file is listed once', () => {
      const calls = [
        ...events([cited('f', 3, 'a.md')], null, 'one'),
        ...events([cited('f', 3, 'a.md')], [found('f', 'Words.')], 'two'),
        ...events([cited('f', 3, 'a.md')], null, 'three'),
      ]
      const { sources } = finished(calls)
      expect(sources.map(({ title, citedText }) => [title, citedText])).toEqual([
        ['a.md', 'Words.'],
      ])
    })

    test.each<[string, unknown]>([
      ['other words', [found('f', 'Other words.')]],
      ['no words', null],
    ])('finds the same file again with %s', (_, results) => {
      const citing = [cited('f', 3, 'a.md')]
      const first = finished([answer(citing, [found('f', 'Words.')], 'one')])
      const next = answer(citing, results, 'two')
      const turn = turnOf([next])
      const { sources } = turn.finish()
      for (const [alreadyShown, again] of [
        [first.sources, next],
        [sources, answer(citing, [found('f', 'Words.')], 'three')],
      ] as const) {
        expect(turnOf([again]).render({ alreadyShown })).toBe('')
        expect(renderCitations(again, { alreadyShown })).toBe('')
      }
      expect(dedupeCitations(sources, first.sources)).toEqual([])
      expect(dedupeCitations(first.sources, sources)).toEqual([])
      expect(dedupeCitations([...first.sources, ...sources])).toHaveLength(1)
      expect(turn.merge('agent', first)).toEqual([1])
      expect(turn.finish().sources).toHaveLength(1)
    })
  })

  test('xAI numbers its citations in the title, which is no title', () => {
    const url = 'https://x.example/post'
    const text = `Yes.[[1]](${url}) Also this.`
    const cited = { type: 'url_citation', url, title: '1', start_index: 4, end_index: 33 }
    const bare = { type: 'url_citation', url: 'https://x.example/bare' }
    const payload = finished(openAiStream(text, [cited, bare]))
    expect(payload.sources.map(({ title, url }) => ({ title, url }))).toEqual([
      { url },
      { url: 'https://x.example/bare' },
    ])
    expect(claims(payload)).toEqual([[`[[1]](${url})`, [1]]])
  })
})

describe('Chat Completions', () => {
  const NODE = 'https://node.example/releases'
  const ANSWER = `Version 24. ${link(NODE)}`
  const nested = ({ type, ...url_citation }: { type: string }) => ({ type, url_citation })
  const completion = (message: object) => ({
    id: 'c',
    object: 'chat.completion',
    choices: [{ message }],
  })
  const chunk = (delta: object, fields: object = {}) => {
    return { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }], ...fields }
  }
  const annotations = [nested(urlCitation(ANSWER, NODE, 'Releases'))]

  test.each<[string, object[]]>([
    ['on the message', [completion({ role: 'assistant', content: ANSWER, annotations })]],
    [
      'on a delta behind the text',
      [
        chunk({ role: 'assistant', content: '' }),
        ...Array.from(ANSWER).map((content) => chunk({ content })),
        chunk({ annotations }),
        chunk({}),
      ],
    ],
    [
      'on deltas before the text and again behind it',
      [chunk({ content: '', annotations }), chunk({ content: ANSWER }), chunk({ annotations })],
    ],
  ])('annotations %s', (_, events) => {
    const payload = finished(events)
    expect(payload.answer).toBe(ANSWER)
    expect(payload.sources).toEqual([
      {
        title: 'Releases',
        url: NODE,
        provider: 'openai',
        location: { type: 'url_citation', startIndex: 12, endIndex: ANSWER.length },
      },
    ])
    expect(claims(payload)).toEqual([[link(NODE), [1]]])
  })

  describe('of several choices the one with the index 0 is the answer', () => {
    const OTHER = 'https://other.example/'
    const cites = (url: string) => [nested({ ...urlCitation(link(url), url, 'T') })]
    const piece = (index: number | undefined, content: string, fields: object = {}) => {
      return { index, delta: { content, ...fields } }
    }
    const chunks = (...all: object[][]) =>
      all.map((choices) => ({ id: 'c', object: 'chat.completion.chunk', choices }))
    const other = piece(1, 'OTHER ', { annotations: cites(OTHER) })
    const message = (content: string, url: string) => ({ content, annotations: cites(url) })
    const whole = (...choices: object[]) => [{ id: 'c', object: 'chat.completion', choices }]
    const end = piece(0, 'end.', { annotations: cites(NODE) })

    test.each<[string, object[]]>([
      ['in events of their own', chunks([piece(0, 'A é ')], [other], [end], [other])],
      ['where another comes first', chunks([other], [piece(0, 'A é ')], [other], [end])],
      ['in the same events', chunks([other, piece(0, 'A é ')], [other, end])],
      ['left out', chunks([piece(undefined, 'A é ')], [other], [end])],
      [
        'whole',
        whole(
          { index: 1, message: message('OTHER', OTHER) },
          { index: 0, message: message('A é end.', NODE) },
        ),
      ],
      ['whole, where none has it', whole({ index: 2, message: message('A é end.', NODE) })],
    ])('%s', (_, events) => {
      for (const given of [events, events.map((event) => JSON.stringify(event))]) {
        const payload = finished(given)
        expect(payload.answer).toBe('A é end.')
        expect(urls(payload)).toEqual([NODE])
      }
      const turn = turnOf([])
      const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
      turn.pushBytes(new TextEncoder().encode(body))
      expect(checked(turn.finish()).answer).toBe('A é end.')
    })

    test('events are compared with those of their own choice', () => {
      const row = ['A', 'x', 'B', 'y', 'C', 'D', 'z', 'w', 'E']
      const of = (text: string) => [piece(text < 'a' ? 0 : 1, text)]
      const turn = turnOf(chunks(...row.map(of)).map((event) => JSON.stringify(event)))
      expect(turn.finish().answer).toBe('ABCDE')
    })
  })

  test('OpenRouter sends zeros for pages it ties to nothing, and files that are no citations', () => {
    const page = (name: string, title: string) => {
      const url_citation = { url: `https://${name}.example/`, title, content: `About ${name}.` }
      return {
        type: 'url_citation',
        url_citation: { ...url_citation, start_index: 0, end_index: 0 },
      }
    }
    const file = { type: 'file', file: { hash: 'h', name: 'a.pdf', content: [] } }
    const payload = finished([
      chunk({ content: '', annotations: [page('one', 'One')] }),
      chunk({ content: '', annotations: [page('two', ''), file] }),
      chunk({ content: 'An answer.' }),
    ])
    expect(payload.answer).toBe('An answer.')
    expect(payload.sources.map(({ title, url, citedText }) => ({ title, url, citedText }))).toEqual(
      [
        { title: 'One', url: 'https://one.example/', citedText: 'About one.' },
        { url: 'https://two.example/', citedText: 'About two.' },
      ],
    )
    expect(payload.anchors).toEqual([])
    expect(payload.diagnostics).toEqual([])
  })

  test('Perplexity sends its lists and the text so far in every event', () => {
    const citations = ['https://one.example/', 'https://two.example/']
    const search_results = [
      { title: 'One', url: citations[0], date: '2025-01-01', snippet: 'Words of one.' },
      { title: 'Two', url: citations[1] },
    ]
    const pieces = ['It is', ' so.[2]', '[1]']
    const event = (content: string, at: number, lists: object) => {
      const message = { role: 'assistant', content: pieces.slice(0, at + 1).join('') }
      return { id: 'p', ...lists, choices: [{ index: 0, message, delta: { content } }] }
    }
    const both = finished(
      pieces.map((piece, at) => event(piece, at, { citations, search_results })),
    )
    expect(both.answer).toBe('It is so.[2][1]')
    expect(both.sources.map(({ title, url, citedText }) => ({ title, url, citedText }))).toEqual([
      { title: 'One', url: citations[0], citedText: 'Words of one.' },
      { title: 'Two', url: citations[1] },
    ])
    expect(both.diagnostics).toEqual([])

    const old = finished(pieces.map((piece, at) => event(piece, at, { citations })))
    expect(urls(old)).toEqual(citations)
    const none = finished(pieces.map((piece, at) => event(piece, at, { citations: null })))
    expect(none.sources).toEqual([])
    const late = pieces.map((piece, at) =>
      event(piece, at, at ? { search_results } : { citations }),
    )
    expect(finished(late).sources.map(({ title }) => title)).toEqual(['One', 'Two'])
  })

  test('xAI lists addresses beside the choices', () => {
    const citations = ['https://x.example/1', 'https://x.example/2', 'https://x.example/1']
    const payload = finished([{ ...completion({ content: 'Yes.' }), citations }])
    expect(urls(payload)).toEqual(citations.slice(0, 2))
    expect(payload.answer).toBe('Yes.')
  })
})
