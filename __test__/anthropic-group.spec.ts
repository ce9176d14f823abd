/**
 * With `groupByDocument`, several passages of one document are one source: one number in the answer and in the
 * list, with all its places and quotations, each once, in every form the list has.
 */
import { describe, expect, test } from 'vitest'
import {
  anthropic,
  type CitationMention,
  CitationService,
  insertMarkers,
  layoutCitationBlock,
  type RenderTurnOptions,
  renderCitationBlock,
  renderCitations,
} from '../index.js'
import { searched } from './agent-runs.js'
import {
  blocks,
  char,
  eventsOf,
  MEADOW,
  message,
  type Piece,
  pages,
  requestWith,
  results,
  searchResult,
} from './anthropic-requests.js'
import { checked, claims } from './turns.js'

const { customContentDocument, fileDocument, pdfDocument, plainTextDocument } = anthropic
const GROUPED = new CitationService({ documents: true, groupByDocument: true })

const REQUEST = requestWith(
  plainTextDocument(MEADOW.text, { title: 'Meadow' }),
  pdfDocument('https://files.example/a.pdf', { title: 'Paper' }),
  searchResult('Leave', ['Use the portal.', 'Then wait.']),
  customContentDocument(['One.', 'Two.', 'Three.']),
  fileDocument('file_1', { title: 'Paper' }),
)

const grass = char(0, 0, 'The grass is green. ')
const sky = char(0, 20, 'The sky is blue.')
const news = {
  type: 'web_search_result_location',
  url: 'https://news.example/a',
  title: 'News',
  cited_text: 'It is out...',
  encrypted_index: 'Eo8B',
}

const ANSWER = message(
  ['Grass', grass],
  [' and '],
  ['paper', pages(1, 5, 6, 'Five.'), news],
  [', sky', sky],
  [', more', pages(1, 7, 10, 'Seven.')],
)

/** A turn with the request above that has heard this. */
function turnOf(answer: { content: readonly object[] }, service = GROUPED) {
  const turn = service.startTurn()
  turn.setRequest(REQUEST)
  turn.push(answer)
  return turn
}

describe('numbers', () => {
  const CASES: [string, Piece[], claims: [string, number[]][], titles: (string | undefined)[]][] = [
    [
      'passages of one document have one',
      [
        ['A', grass],
        ['B', sky],
      ],
      [
        ['A', [1]],
        ['B', [1]],
      ],
      ['Meadow'],
    ],
    [
      'one claim with two passages of one document has it once',
      [['A', grass, sky]],
      [['A', [1]]],
      ['Meadow'],
    ],
    [
      'documents of the same name have two',
      [
        ['A', pages(1, 1, 2)],
        ['B', pages(3, 1, 2)],
        ['C', pages(1, 2, 3)],
      ],
      [
        ['A', [1]],
        ['B', [2]],
        ['C', [1]],
      ],
      ['Paper', 'Paper'],
    ],
    [
      'documents and search results are counted apart',
      [
        ['A', blocks(2, 0, 1, 'One.')],
        ['B', results(0, 0, 1, 'Use the portal.')],
        ['C', blocks(2, 1, 3, 'Two.Three.')],
      ],
      [
        ['A', [1]],
        ['B', [2]],
        ['C', [1]],
      ],
      [undefined, 'hr-0'],
    ],
    [
      'web pages are grouped by address as ever',
      [
        ['A', news],
        ['B', grass],
        ['C', { ...news, cited_text: 'More.' }],
        ['D', sky],
      ],
      [
        ['A', [1]],
        ['B', [2]],
        ['C', [1]],
        ['D', [2]],
      ],
      ['News', 'Meadow'],
    ],
  ]

  test.each(CASES)('%s', (_, pieces, expected, titles) => {
    const whole = checked(turnOf(message(...pieces)).finish())
    expect(claims(whole)).toEqual(expected)
    expect(whole.sources.map(({ title }) => title)).toEqual(titles)
    expect(whole.diagnostics).toEqual([])
    const streamed = GROUPED.startTurn()
    streamed.setRequest(REQUEST)
    for (const event of eventsOf(message(...pieces))) streamed.push(event)
    expect(streamed.finish()).toEqual(whole)
  })

  test('are one per passage by default', () => {
    const turn = turnOf(message(['A', grass], ['B', sky]), new CitationService({ documents: true }))
    expect(claims(turn.finish())).toEqual([
      ['A', [1]],
      ['B', [2]],
    ])
  })

  test('stand in the answer', () => {
    const payload = turnOf(ANSWER).finish()
    const marked = 'Grass[1] and paper[2][3], sky[1], more[2]'
    expect(insertMarkers(payload.answer, payload)).toBe(marked)
    expect(payload.cited).toEqual([1, 2, 3])
  })

  test('given out for a tool are those of the list', () => {
    const turn = turnOf(message(['A', grass], ['B', sky]))
    const numbers = turn.addToolResult(searched('call-1', ['https://a.example/', 'A']))
    const { sources } = turn.finish()
    expect(sources.map(({ title }) => title)).toEqual(['Meadow', 'A'])
    expect(numbers).toEqual([2])
    expect(turn.addToolResult(searched('call-2', ['https://b.example/', 'B']))).toEqual([3])
    expect(turn.finish().sources.map(({ title }) => title)).toEqual(['Meadow', 'A', 'B'])
  })
})

describe('passages', () => {
  const place = (startCharIndex: number, endCharIndex: number) =>
    ({ type: 'char_location', startCharIndex, endCharIndex, documentIndex: 0 }) as const
  const second: CitationMention = { citedText: 'The sky is blue.', location: place(20, 36) }

  test.each<[string, Piece[], CitationMention[] | undefined]>([
    ['cited once', [['A', grass]], undefined],
    [
      'cited twice at the same place',
      [
        ['A', grass],
        ['B', grass],
      ],
      undefined,
    ],
    [
      'two of them',
      [
        ['A', grass],
        ['B', sky],
      ],
      [second],
    ],
    [
      'two of them, the second again',
      [
        ['A', grass],
        ['B', sky],
        ['C', sky],
      ],
      [second],
    ],
    [
      'two of them, both again',
      [
        ['A', grass],
        ['B', sky],
        ['C', grass],
        ['D', sky],
      ],
      [second],
    ],
    [
      'the same words at another place',
      [
        ['A', grass],
        ['B', { ...sky, cited_text: grass.cited_text }],
      ],
      [{ location: place(20, 36) }],
    ],
  ])('are kept, each once: %s', (_, pieces, also) => {
    const { sources } = turnOf(message(...pieces)).finish()
    expect(sources).toEqual([
      {
        title: 'Meadow',
        citedText: 'The grass is green. ',
        provider: 'anthropic',
        location: place(0, 20),
        ...(also && { also }),
      },
    ])
  })

  test('are kept once when a tool comes between', () => {
    const turn = turnOf(message(['A', grass], ['B', sky]))
    turn.addToolResult(searched('call-1', ['https://a.example/', 'A']))
    expect(turn.finish().sources[0]?.also).toEqual([second])
  })
})

test.each<[unknown, says: string]>([
  ['yes', "'yes'"],
  [1, '1'],
  [{}, 'an object'],
])('groupByDocument: %j is refused, and named', (value, says) => {
  const groupByDocument = value as boolean
  for (const call of [
    () => new CitationService({ groupByDocument }),
    () => renderCitations(ANSWER, { documents: true, groupByDocument }),
  ]) {
    expect(call).toThrow(TypeError)
    expect(call).toThrow('groupByDocument')
    expect(call).toThrow(says)
  }
})

describe('the block', () => {
  const passages = [
    '  1. "Meadow" (chars 0–20, chars 20–36):',
    '     > "The grass is green."',
    '     > "The sky is blue."',
    '  2. "Paper" (page 5, pages 7–9):',
    '     > "Five."',
    '     > "Seven."',
  ]
  const osc8 = (text: string) => `\x1B]8;;https://news.example/a\x07${text}\x1B]8;;\x07`

  test.each<[string, RenderTurnOptions, string[]]>([
    [
      'plain',
      { links: 'plain' },
      [...passages, '  3. News — https://news.example/a', '     > "It is out..."'],
    ],
    [
      'with terminal hyperlinks',
      { links: 'osc8' },
      [
        ...passages,
        `  3. ${osc8('News')} — ${osc8('https://news.example/a')}`,
        '     > "It is out..."',
      ],
    ],
    [
      'in Markdown',
      { links: 'markdown' },
      [...passages, '  3. [News](https://news.example/a)', '     > "It is out..."'],
    ],
    [
      'without quotations',
      { links: 'plain', showExcerpts: false },
      [
        '  1. "Meadow" (chars 0–20, chars 20–36)',
        '  2. "Paper" (page 5, pages 7–9)',
        '  3. News — https://news.example/a',
      ],
    ],
    [
      'wrapped',
      { links: 'plain', width: 30 },
      [
        '  1. "Meadow" (chars 0–20,',
        '     chars 20–36):',
        '     > "The grass is green."',
        '     > "The sky is blue."',
        '  2. "Paper" (page 5, pages',
        '     7–9):',
        '     > "Five."',
        '     > "Seven."',
        '  3. News —',
        '     https://news.example/a',
        '     > "It is out..."',
      ],
    ],
  ])('%s', (_, options, rows) => {
    const block = [' Sources:', ...rows].join('\n')
    const turn = turnOf(ANSWER)
    expect(turn.render(options)).toBe(block)
    expect(renderCitationBlock(turn.finish(), options)).toBe(block)
    const restored = GROUPED.restoreTurn(turn.serialize())
    expect(restored.render(options)).toBe(block)
  })

  test('as rows of segments', () => {
    const url = 'https://news.example/a'
    const named = [{ text: 'News', url }, { text: ' — ' }, { text: url, url }]
    expect(layoutCitationBlock(turnOf(ANSWER).finish())).toEqual([
      [{ text: ' Sources:' }],
      ...passages.map((text) => [{ text }]),
      [{ text: '  3. ' }, ...named],
      [{ text: '     > "It is out..."' }],
    ])
  })

  test('of a message, in one call', () => {
    const titled = message(
      ['A', { ...grass, document_title: 'Meadow' }],
      ['B', pages(1, 5, 6, 'Five.')],
      ['C', sky],
    )
    const options = { documents: true, groupByDocument: true, links: 'plain' } as const
    const expected = [
      ' Sources:',
      '  1. "Meadow" (chars 0–20, chars 20–36):',
      '     > "The grass is green."',
      '     > "The sky is blue."',
      '  2. Document 2 (page 5):',
      '     > "Five."',
    ].join('\n')
    expect(renderCitations(titled, options)).toBe(expected)
    expect(renderCitations(JSON.stringify(titled), options)).toBe(expected)
    expect(renderCitations(eventsOf(titled), options)).toBe(expected)
  })

  test.each<[object, place: string]>([
    [char(0, 1204, 'x'.repeat(85)), '(chars 1204–1289)'],
    [pages(0, 5, 6), '(page 5)'],
    [pages(0, 5, 8), '(pages 5–7)'],
    [blocks(0, 2, 3, 'c'), '(block 3)'],
    [blocks(0, 2, 5, 'cde'), '(blocks 3–5)'],
    [results(0, 0, 1, 'a'), '(block 1)'],
  ])('says %j as people do', (citation, place) => {
    for (const groupByDocument of [false, true]) {
      const options = {
        documents: true,
        groupByDocument,
        links: 'plain',
        showExcerpts: false,
      } as const
      const [, row] = renderCitations(message(['A', citation]), options).split('\n')
      expect(row?.endsWith(` ${place}`)).toBe(true)
    }
  })
})
