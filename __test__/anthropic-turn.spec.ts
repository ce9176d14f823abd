/**
 * A turn that knows its request: documents get their names, quotations are held against them, and the
 * documented example lands where it should, in the answer and in the document. Without `documents: true`
 * all of it is silent.
 */
import { describe, expect, test } from 'vitest'
import {
  anthropic,
  CitationService,
  type CitationTurn,
  extractAnthropicCitations,
  renderCitations,
  type TurnPayload,
} from '../index.js'
import {
  blocks,
  char,
  eventsOf,
  fetched,
  MEADOW,
  MEADOW_PAYLOAD,
  MEADOW_RESPONSE,
  message,
  pages,
  requestOf,
  requestWith,
  results,
  searchResult,
  serverSent,
} from './anthropic-requests.js'
import { checked, reports } from './turns.js'

const { customContentDocument, fileDocument, locate, pdfDocument, plainTextDocument } = anthropic
const SERVICE = new CitationService({ documents: true })

type Answer = { content: readonly object[] }

/** All ways in which an answer can reach a turn. */
const WAYS: [string, feed: (turn: CitationTurn, answer: Answer) => void][] = [
  ['a whole message', (turn, answer) => turn.push(answer)],
  ['a message as JSON', (turn, answer) => turn.push(JSON.stringify(answer))],
  [
    'events',
    (turn, answer) => {
      for (const event of eventsOf(answer)) turn.push(event)
    },
  ],
  [
    'bytes of events',
    (turn, answer) => {
      const bytes = Buffer.from(serverSent(eventsOf(answer)))
      for (let at = 0; at < bytes.length; at += 7) turn.pushBytes(bytes.subarray(at, at + 7))
    },
  ],
  ['bytes of a message', (turn, answer) => turn.pushBytes(Buffer.from(JSON.stringify(answer)))],
]

/** What a turn with this request comes to. */
function payloadOf(request: object, answer: Answer, feed = WAYS[0]![1]): TurnPayload {
  const turn = SERVICE.startTurn()
  turn.setRequest(request)
  feed(turn, answer)
  return checked(turn.finish())
}

const titlesOf = ({ sources }: TurnPayload) => sources.map(({ title }) => title)

describe('the documented example', () => {
  test.each(WAYS)('lands in the answer and in the document, as %s', (_, feed) => {
    const request = JSON.parse(MEADOW_PAYLOAD)
    const payload = payloadOf(request, MEADOW_RESPONSE, feed)
    expect(payload.answer).toBe(
      'According to the document:\n\n- The grass is green.\n- The sky is blue.',
    )
    expect(payload.anchors).toEqual([
      { start: 30, end: 49, text: 'The grass is green.', sources: [1] },
      { start: 52, end: 68, text: 'The sky is blue.', sources: [2] },
    ])
    const place = { type: 'char_location', documentIndex: 0 }
    expect(payload.sources).toEqual([
      {
        title: 'My Document',
        citedText: 'The grass is green. ',
        provider: 'anthropic',
        location: { ...place, startCharIndex: 0, endCharIndex: 20 },
      },
      {
        title: 'My Document',
        citedText: 'The sky is blue.',
        provider: 'anthropic',
        location: { ...place, startCharIndex: 20, endCharIndex: 36 },
      },
    ])
    expect(payload.cited).toEqual([1, 2])
    expect(payload.diagnostics).toEqual([])
    const [document] = request.messages[0].content
    expect(payload.sources.map(({ location }) => locate(document, location!))).toEqual([
      { text: 'The grass is green. ', start: 0, end: 20 },
      { text: 'The sky is blue.', start: 20, end: 36 },
    ])
  })

  test('is shown as documents are', () => {
    const block = [
      ' Sources:',
      '  1. "My Document" (chars 0–20):',
      '     > "The grass is green."',
      '  2. "My Document" (chars 20–36):',
      '     > "The sky is blue."',
    ].join('\n')
    const turn = SERVICE.startTurn()
    turn.setRequest(MEADOW_PAYLOAD)
    turn.push(MEADOW_RESPONSE)
    expect(turn.render({ links: 'plain' })).toBe(block)
    expect(renderCitations(MEADOW_RESPONSE, { documents: true, links: 'plain' })).toBe(block)
  })
})

describe('titles', () => {
  const request = requestOf([MEADOW.text, 'Meadow'], ['The sea is deep.'], ['Sand.', 'Beach'])
  const answer = message(
    ['Green.', char(0, 0, 'The grass is green. ')],
    [' '],
    ['Deep.', char(1, 0, 'The sea is deep.'), char(2, 0, 'Sand.')],
    ['Sand.', char(2, 0, 'Sand.', 'Own name')],
  )

  test.each(WAYS)('come from the request where a citation has none, in %s', (_, feed) => {
    const payload = payloadOf(request, answer, feed)
    expect(titlesOf(payload)).toEqual(['Meadow', undefined, 'Beach', 'Own name'])
    expect(payload.diagnostics).toEqual([])
  })

  test.each<[string, object | string | Uint8Array]>([
    ['an object', request],
    ['JSON', JSON.stringify(request)],
    ['bytes', Buffer.from(JSON.stringify(request))],
  ])('come from a request that is %s', (_, request) => {
    const turn = SERVICE.startTurn()
    turn.setRequest(request)
    turn.push(answer)
    expect(titlesOf(turn.finish())).toEqual(['Meadow', undefined, 'Beach', 'Own name'])
    const sources = extractAnthropicCitations(answer, { documents: true, request })
    expect(sources.map(({ title }) => title)).toEqual(['Meadow', undefined, 'Beach', 'Own name'])
  })

  test('come from a request that is handed over late', () => {
    const turn = SERVICE.startTurn()
    turn.push(answer)
    expect(titlesOf(turn.finish())).toEqual([undefined, undefined, undefined, 'Own name'])
    turn.setRequest(request)
    expect(titlesOf(turn.finish())).toEqual(['Meadow', undefined, 'Beach', 'Own name'])
  })

  test('stand in the block', () => {
    const turn = SERVICE.startTurn()
    turn.setRequest(request)
    turn.push(answer)
    expect(turn.render({ links: 'plain', showExcerpts: false })).toBe(
      [
        ' Sources:',
        '  1. "Meadow" (chars 0–20)',
        '  2. Document 2 (chars 0–16)',
        '  3. "Beach" (chars 0–5)',
        '  4. "Own name" (chars 0–5)',
      ].join('\n'),
    )
  })

  test('of all kinds of documents, over all messages and tool results', () => {
    const result = {
      type: 'tool_result',
      tool_use_id: 't',
      content: [fileDocument('f', { title: 'File' })],
    }
    const first = requestWith(
      searchResult('Leave', ['Use the portal.']),
      pdfDocument('https://files.example/a.pdf', { title: 'Paper' }),
    )
    const second = [
      result,
      searchResult('Sick', ['Call.', 'Rest.']),
      customContentDocument(['a', 'b'], { title: 'List' }),
    ]
    const request = { ...first, messages: [...first.messages, { role: 'user', content: second }] }
    const answer = message(
      ['Paper.', pages(0, 5, 6)],
      ['File.', pages(1, 5, 8)],
      ['List.', blocks(2, 1, 2, 'b')],
      ['Beyond.', blocks(3, 1, 2, 'c')],
    )
    const payload = payloadOf(request, answer)
    expect(titlesOf(payload)).toEqual(['Paper', 'File', 'List', undefined])
    expect(payload.diagnostics).toEqual([])
  })

  test('are cleaned like all titles', () => {
    const title = 'Me\u001B[31madow\u202E\n2'
    const [source] = payloadOf(requestOf([MEADOW.text, title]), MEADOW_ANSWER).sources
    expect(source?.title).toBe('Me[31madow 2')
  })

  test('of the request last handed over count', () => {
    const turn = SERVICE.startTurn()
    turn.setRequest(requestOf([MEADOW.text, 'Old']))
    turn.setRequest(requestOf([MEADOW.text, 'New']))
    turn.push(MEADOW_ANSWER)
    expect(titlesOf(turn.finish())).toEqual(['New'])
  })
})

const MEADOW_ANSWER = message(['Green.', char(0, 0, 'The grass is green. ')])

describe('quotations that differ', () => {
  const long = `Grüße 👍🏽 ${'und so weiter '.repeat(40)}. `
  const custom = requestWith(customContentDocument(['One. ', 'Two. ', 'Three.']))
  const found = requestWith(searchResult('Leave', ['Use the portal.', ' Then wait.']))
  const lines = requestOf(['First\r\nline. Second.'])

  test.each<[string, request: object, citation: object]>([
    ['characters', requestOf([MEADOW.text]), char(0, 20, 'The sky is blue.')],
    ['characters behind emoji', requestOf(['👍🏽👩‍👩‍👧 草は緑。Next.']), char(0, 12, 'Next.')],
    ['more than is kept of a quotation', requestOf([`${long}End.`]), char(0, 0, long)],
    ['line breaks', lines, char(0, 0, 'First\r\nline. ')],
    [
      'blanks at the end',
      requestOf([MEADOW.text]),
      { ...char(0, 0, 'The grass is green. '), cited_text: 'The grass is green.' },
    ],
    ['a block', custom, blocks(0, 1, 2, 'Two. ')],
    ['blocks', custom, blocks(0, 1, 3, 'Two. Three.')],
    ['a search result', found, results(0, 0, 2, 'Use the portal. Then wait.')],
    ['a PDF, of which nobody can tell', requestWith(pdfDocument('JVBERi0=')), pages(0, 1, 2)],
    ['a document that is not there', requestOf([MEADOW.text]), char(1, 0, 'Anything.')],
  ])('are not reported: %s', (_, request, citation) => {
    expect(reports(payloadOf(request, message(['Words.', citation])))).toEqual({})
  })

  test.each<[string, request: object, citation: object, detail: string]>([
    ['characters', requestOf([MEADOW.text]), char(0, 20, 'The sky is pink.'), 'The sky is pink.'],
    [
      'characters one off',
      requestOf([MEADOW.text]),
      char(0, 19, 'The sky is blue'),
      'The sky is blue',
    ],
    ['a place beyond the end', requestOf(['x']), char(0, 5, 'Anything.'), 'Anything.'],
    ['a block', custom, blocks(0, 0, 1, 'Two. '), 'Two. '],
    ['a block that is not there', custom, blocks(0, 3, 4, 'Four.'), 'Four.'],
    ['a search result', found, results(0, 0, 1, 'Use the phone.'), 'Use the phone.'],
  ])('are reported: %s', (_, request, citation, detail) => {
    for (const [, feed] of WAYS) {
      const { diagnostics } = payloadOf(request, message(['Words.', citation]), feed)
      expect(diagnostics).toEqual([{ code: 'quote_differs', detail, count: 1 }])
    }
  })

  test('are counted, and the source stays', () => {
    const answer = message(
      ['A.', char(0, 0, 'The grass is blue.. '), char(0, 20, 'The sky is blue.')],
      ['B.', char(0, 20, 'The sea is blue.')],
    )
    const payload = payloadOf(requestOf([MEADOW.text, 'Meadow']), answer)
    expect(reports(payload)).toEqual({ quote_differs: 2 })
    expect(titlesOf(payload)).toEqual(['Meadow', 'Meadow'])
    expect(payload.anchors.map(({ sources }) => sources)).toEqual([[1, 2], [2]])
  })

  test('of words that stand elsewhere are reported with passages of one document grouped', () => {
    const answer = message(['A.', char(0, 0, 'Same. ')], ['B.', char(0, 6, 'Same. ')])
    for (const groupByDocument of [false, true]) {
      const turn = new CitationService({ documents: true, groupByDocument }).startTurn()
      turn.setRequest(requestOf(['Same. Other.']))
      turn.push(answer)
      expect(reports(turn.finish())).toEqual({ quote_differs: 1 })
    }
  })
})

describe('a turn that is put away', () => {
  const request = requestOf([MEADOW.text, 'Meadow'])

  test('keeps the names of its documents', () => {
    const turn = SERVICE.startTurn()
    turn.setRequest(request)
    turn.push(MEADOW_ANSWER)
    const restored = SERVICE.restoreTurn(turn.serialize())
    expect(restored.finish()).toEqual(turn.finish())
    restored.push({ ...message(['Blue.', char(0, 20, 'The sky is blue.')]), id: 'msg_2' })
    expect(titlesOf(restored.finish())).toEqual(['Meadow', 'Meadow'])
  })

  test('keeps them when it is put away before the answer comes', () => {
    const turn = SERVICE.startTurn()
    turn.setRequest(request)
    const restored = SERVICE.restoreTurn(turn.serialize())
    restored.push(MEADOW_ANSWER)
    expect(titlesOf(restored.finish())).toEqual(['Meadow'])
  })

  test.each<[string, (stored: string) => string | object]>([
    ['text', (stored) => stored],
    ['an object', (stored) => JSON.parse(stored)],
  ])('holds quotations against its documents, kept as %s', (_, keep) => {
    const list = customContentDocument(['One. ', 'Two. '])
    const turn = SERVICE.startTurn()
    turn.setRequest(
      requestWith(plainTextDocument(MEADOW.text), list, searchResult('S', ['Three.'])),
    )
    turn.push(message(['Pink.', char(0, 20, 'The sky is pink.')]))
    const restored = SERVICE.restoreTurn(keep(turn.serialize()))
    expect(restored.finish()).toEqual(turn.finish())
    expect(reports(restored.finish())).toEqual({ quote_differs: 1 })
    const right = ['Right.', blocks(1, 1, 2, 'Two. '), results(0, 0, 1, 'Three.')]
    const wrong = ['Wrong.', blocks(1, 0, 1, 'Two. '), results(0, 0, 1, 'Four.')]
    for (const one of [turn, restored]) one.push({ ...message(right, wrong), id: 'msg_2' })
    expect(restored.finish()).toEqual(turn.finish())
    expect(reports(restored.finish())).toEqual({ quote_differs: 3 })
  })

  test('forgets them when it is reset', () => {
    const turn = SERVICE.startTurn()
    turn.setRequest(request)
    turn.push(
      message(['Pink.', char(0, 20, 'The sky is pink.')], fetched('https://p.example/', 'P', 'x')),
    )
    turn.reset()
    turn.push(message(['Green.', char(0, 0, 'The grass is pink. '), char(1, 0, 'x')]))
    const payload = turn.finish()
    expect(titlesOf(payload)).toEqual([undefined, undefined])
    expect(payload.sources.map(({ url }) => url)).toEqual([undefined, undefined])
    expect(payload.diagnostics).toEqual([])
  })
})

describe('without documents: true', () => {
  const request = requestOf(['Other words.', 'Meadow'])
  const answer = message(
    ['Green.', char(0, 0, 'The grass is green. ')],
    fetched('https://p.example/', 'P', 'x'),
  )

  test.each<[string, object | undefined]>([
    ['by default', undefined],
    ['when it is false', { documents: false }],
    ['whatever is grouped', { groupByDocument: true }],
  ])('all is silent, %s', (_, options) => {
    for (const [, feed] of WAYS) {
      const turn = new CitationService(options).startTurn()
      turn.setRequest(request)
      feed(turn, answer)
      const rest = { sources: [], anchors: [], cited: [], diagnostics: [] }
      expect(turn.finish()).toEqual({ text: '', answer: 'Green.', ...rest })
      expect(turn.render({ links: 'plain' })).toBe('')
    }
    expect(renderCitations(answer, { ...options, links: 'plain' })).toBe('')
    expect(extractAnthropicCitations(answer, { ...options, request })).toEqual([])
  })
})

test('a request can be taken whatever the provider, and changes nothing', () => {
  const turn = SERVICE.startTurn()
  turn.setRequest(requestWith(plainTextDocument('x', { title: 'Meadow' })))
  turn.push({ candidates: [{ content: { parts: [{ text: 'Yes.' }] } }] })
  expect(turn.finish()).toMatchObject({ answer: 'Yes.', sources: [], diagnostics: [] })
})

describe('a page that is cited without its name', () => {
  const PAGE = 'https://a.example/page'
  const OTHER = 'https://b.example/'
  const found = (...pages: [url: unknown, title?: unknown][]) => ({
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: pages.map(([url, title]) => ({ type: 'web_search_result', url, title })),
  })
  const cited = (url: string, title: string | null = null) => ({
    type: 'web_search_result_location',
    ...{ url, title, cited_text: 'Words.', encrypted_index: 'Eo8B' },
  })
  const failed = {
    ...{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1' },
    content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
  }
  const named = ({ sources }: TurnPayload) => sources.map(({ title, url }) => [title, url])

  const OPTIONS = { links: 'plain', documents: true } as const

  test.each<[string, Answer, [title: string | undefined, url: string][]]>([
    ['found before', message(found([PAGE, 'A']), ['Said.', cited(PAGE)]), [['A', PAGE]]],
    ['found behind', message(['Said.', cited(PAGE)], found([PAGE, 'A'])), [['A', PAGE]]],
    [
      'found under another spelling',
      message(found([`${PAGE}/`, 'A']), ['Said.', cited(PAGE)]),
      [['A', PAGE]],
    ],
    [
      'found twice',
      message(found([PAGE, null], [PAGE, 'A'], [PAGE, 'B']), ['Said.', cited(PAGE)]),
      [['A', PAGE]],
    ],
    [
      'with a dirty name',
      message(found([PAGE, 'A\n\u001b[2Jb']), ['Said.', cited(PAGE)]),
      [['A [2Jb', PAGE]],
    ],
    [
      'with a name of its own',
      message(found([PAGE, 'A']), ['Said.', cited(PAGE, 'Own')]),
      [['Own', PAGE]],
    ],
    [
      'that nobody named',
      message(found([PAGE, null], [OTHER, 'B']), ['Said.', cited(PAGE)]),
      [[undefined, PAGE]],
    ],
    ['after a search that failed', message(failed, ['Said.', cited(PAGE)]), [[undefined, PAGE]]],
    [
      'beside results that are none',
      message({ ...failed, content: [null, 7, [], {}, { url: 7 }] }, ['Said.', cited(PAGE)]),
      [[undefined, PAGE]],
    ],
  ])('%s', (_, answer, expected) => {
    for (const [way, feed] of WAYS) {
      const turn = SERVICE.startTurn()
      feed(turn, answer)
      const waiting = turn.render({ links: 'plain' })
      const payload = checked(turn.finish())
      expect(named(payload), way).toEqual(expected)
      expect(turn.render({ links: 'plain' }), way).toBe(waiting)
      expect(renderCitations(answer, OPTIONS)).toBe(waiting)
      expect(renderCitations(JSON.stringify(answer), OPTIONS)).toBe(waiting)
      expect(SERVICE.restoreTurn(turn.serialize()).finish()).toEqual(payload)
    }
  })

  test('is named by an earlier message of the turn', () => {
    for (const [way, feed] of WAYS) {
      const turn = SERVICE.startTurn()
      feed(turn, message(found([PAGE, 'A'])))
      const next = { ...message(['Said.', cited(PAGE)]), id: 'msg_2' }
      feed(turn, next)
      expect(named(checked(turn.finish())), way).toEqual([['A', PAGE]])
      turn.reset()
      feed(turn, message(['Said.', cited(PAGE)]))
      expect(named(turn.finish()), way).toEqual([[undefined, PAGE]])
    }
  })
})
