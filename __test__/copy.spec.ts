/**
 * What lands on a clipboard: the answer with `[n]` in place of whatever markers it had, and below it a plain
 * list of the sources it cites, under the same numbers.
 */
import { describe, expect, test } from 'vitest'
import { buildCitationData, type CitationPayload, type CitationSource, markers } from '../index.js'
import { googled, searched, startTurn } from './agent-runs.js'
import { finished, gemini, grounded, support, web } from './turns.js'

const { copyText } = markers

const SOURCES: CitationSource[] = [
  { title: 'History of Rust', url: 'https://en.example/rust' },
  { title: 'Node', url: 'https://node.example/', type: 'web', id: 'req-1-0' },
  { title: 'main.ts', uri: 'src/main.ts', type: 'file', lineStart: 3, lineEnd: 9 },
  {
    title: 'My Document',
    citedText: 'The grass is green.',
    location: { type: 'page_location', startPageNumber: 5, endPageNumber: 6, documentIndex: 0 },
  },
]
const LINES = [
  '[1] History of Rust — https://en.example/rust',
  '[2] Node — https://node.example/',
  '[3] src/main.ts (lines 3–9)',
  '[4] "My Document" (page 5)',
]
const PAYLOAD: CitationPayload = { text: '', sources: SOURCES }

/** An answer and the lines of these sources below it. */
function withList(answer: string, ...numbers: number[]): string {
  return [answer, '', 'Sources:', ...numbers.map((number) => LINES[number - 1])].join('\n')
}

const privateUse = (...names: string[]) => `\ue200${names.join('\ue202')}\ue201`

describe('an answer with markers', () => {
  test.each<[text: string, answer: string, numbers: number[]]>([
    ['Yes [1].', 'Yes [1].', [1]],
    ['Yes [2], no [1].', 'Yes [2], no [1].', [1, 2]],
    ['Yes [3, 4].', 'Yes [3][4].', [3, 4]],
    ['Yes [1-3].', 'Yes [1][2][3].', [1, 2, 3]],
    ['Yes [2][2] and [2].', 'Yes [2][2] and [2].', [2]],
    ['Yes [[1]].', 'Yes [1].', [1]],
    ['Yes [^2].', 'Yes [2].', [2]],
    ['Yes 【1】.', 'Yes [1].', [1]],
    ['Yes 【1†source】.', 'Yes [1].', [1]],
    ['Yes ［4］.', 'Yes [4].', [4]],
    ['Yes ¹.', 'Yes [1].', [1]],
    ['Yes ¹,².', 'Yes [1][2].', [1, 2]],
    [`Yes ${privateUse('cite', 'req-1-0')}.`, 'Yes [2].', [2]],
    ['In Paris[1].', 'In Paris[1].', [1]],
    ['😀 ja [1]\n\n- 漢字 【2†source】', '😀 ja [1]\n\n- 漢字 [2]', [1, 2]],
    ['Yes [1], no [7].', 'Yes [1], no [7].', [1]],
  ])('%j', (text, answer, numbers) => {
    expect(copyText(text, PAYLOAD)).toBe(withList(answer, ...numbers))
  })

  test.each<[string, text: string]>([
    ['inline', '`arr[3]` is [1].'],
    ['fenced', '```ts\nconst a = b[2] // 【3†source】\n```\n\nYes [1].'],
    ['indented', 'Yes [1].\n\n    a[2] = ¹'],
    ['behind a fence that is open', 'Yes [1].\n\n```\na [2]'],
    ['in a link', '[2](https://x.example/) [1].'],
  ])('code and links are copied to the byte: %s', (_, text) => {
    expect(copyText(text, PAYLOAD)).toBe(withList(text, 1))
  })

  test('blanks at its end are no part of it', () => {
    expect(copyText('Yes [1].  \n\n', PAYLOAD)).toBe(withList('Yes [1].', 1))
  })

  test('its own markers count, and not its spans', () => {
    const anchors = [{ start: 0, end: 3, text: 'Yes', sources: [2] }]
    const payload = { ...PAYLOAD, anchors }
    expect(copyText('Yes [1].', payload)).toBe(withList('Yes [1].', 1))
  })
})

describe('an answer without markers', () => {
  test('has all sources below it', () => {
    expect(copyText('Yes.', PAYLOAD)).toBe(withList('Yes.', 1, 2, 3, 4))
  })

  test('has them from the spans of its payload', () => {
    const text = 'Größe 🎡 zählt. Nicht immer.'
    const chunks = [web('https://a.example/', 'A'), web('https://b.example/', 'B')]
    const more = [...chunks, web('https://c.example/', 'C')]
    const supports = [support(text, 'Größe 🎡 zählt.', [1, 0]), support(text, 'immer', [1])]
    const payload = finished([gemini(text, grounded(more, supports))])
    expect(copyText(payload.answer, payload)).toBe(
      [
        'Größe 🎡 zählt.[1][2] Nicht immer[2].',
        '',
        'Sources:',
        '[1] A — https://a.example/',
        '[2] B — https://b.example/',
      ].join('\n'),
    )
  })

  test('without a source is the answer', () => {
    expect(copyText('Yes.', { text: '', sources: [] })).toBe('Yes.')
    expect(copyText('Yes [1].', { text: '', sources: [] })).toBe('Yes [1].')
  })
})

describe('the list', () => {
  /** The line of a single source that is cited. */
  function line(source: CitationSource): string {
    const [answer, blank, header, ...lines] = copyText('Yes [1].', {
      text: '',
      sources: [source],
    }).split('\n')
    expect([answer, blank, header]).toEqual(['Yes [1].', '', 'Sources:'])
    expect(lines).toHaveLength(1)
    return lines[0]!
  }

  test.each<[string, CitationSource, string]>([
    ['a page', { title: 'A', url: 'https://a.example/' }, '[1] A — https://a.example/'],
    ['a page without a title', { url: 'https://a.example/' }, '[1] https://a.example/'],
    [
      'a page that is called by its address',
      { title: 'https://a.example/', url: 'https://a.example/' },
      '[1] https://a.example/',
    ],
    ['a name', { title: 'A' }, '[1] A'],
    ['a file', { title: 'a.ts', uri: 'src/a.ts', type: 'file' }, '[1] src/a.ts'],
    [
      'a line of a file',
      { title: 'a.ts', uri: 'src/a.ts', type: 'file', lineStart: 3, lineEnd: 3 },
      '[1] src/a.ts (line 3)',
    ],
    [
      'a page of a file',
      { title: 'a.pdf', uri: 'docs/a.pdf', type: 'file', pageNumber: 5 },
      '[1] docs/a.pdf (page 5)',
    ],
    [
      'a title that wants a line of its own',
      { title: 'A\n[2] B\u001b[31m\u202e', url: 'https://a.example/' },
      '[1] A [2] B[31m — https://a.example/',
    ],
    [
      'a title that names another host',
      { title: 'bank.example', url: 'https://evil.example/' },
      '[1] bank.example — https://evil.example/',
    ],
    ['an address that runs', { title: 'A', url: 'javascript:alert(1)' }, '[1] A'],
    [
      'what the tool listed itself',
      { title: 'A', url: 'https://a.example/', type: 'web', shownInline: true },
      '[1] A — https://a.example/',
    ],
  ])('%s', (_, source, expected) => {
    expect(line(source)).toBe(expected)
  })

  test('is plain text: no Markdown links, no escapes', () => {
    const text = copyText('Yes [1][2][3][4].', PAYLOAD)
    expect(text).not.toMatch(/\]\(|\p{Cc}(?<!\n)/u)
  })

  test('keeps the numbers of the turn', () => {
    const turn = startTurn()
    turn.addToolResult(searched('c1', ['https://a.example/', 'A'], ['https://b.example/', 'B']))
    turn.addToolResult(googled('g1', 'c', ['https://c.example/', 'C']))
    turn.push(gemini('Ja [3], nein 【1†source】.'))
    const payload = turn.finish()
    expect(copyText(payload.answer, payload)).toBe(
      'Ja [3], nein [1].\n\nSources:\n[1] A — https://a.example/\n[3] C — https://c.example/',
    )
  })

  test('is the same of stored data', () => {
    for (const text of ['Yes [1], no 【2†source】.', 'Yes [3].', 'Yes.']) {
      const stored = JSON.parse(JSON.stringify(buildCitationData('s', text, SOURCES.slice(0, 3))))
      const payload = { text: '', sources: SOURCES.slice(0, 3) }
      expect(copyText(text, stored)).toBe(copyText(text, payload))
    }
  })
})

test('copied again, an answer that was copied stays as it is', () => {
  const anchors = [{ start: 0, end: 3, text: 'Yes', sources: [2] }]
  const payload = { ...PAYLOAD, anchors }
  const once = copyText('Yes.', payload)
  expect(once).toBe(withList('Yes[2].', 2))
  expect(copyText(once.split('\n')[0]!, payload)).toBe(once)
})

describe('misuse', () => {
  test.each<[unknown, string]>([
    [undefined, 'text must be a string, got undefined'],
    [null, 'text must be a string, got null'],
    [7, 'text must be a string, got 7'],
    [{}, 'text must be a string, got an object'],
  ])('%j', (text, message) => {
    expect(() => copyText(text as string, PAYLOAD)).toThrow(TypeError)
    expect(() => copyText(text as string, PAYLOAD)).toThrow(message)
  })

  test.each([null, undefined, 7, 'no JSON', {}, [], { sources: null }, { sources: [null, 7] }])(
    'a payload that is none: %j',
    (payload) => {
      expect(copyText('Yes [1].', payload as unknown as CitationPayload)).toBe('Yes [1].')
    },
  )
})
