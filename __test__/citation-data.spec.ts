/**
 * What is stored with a message: every marker of the answer with its place and the sources it points at,
 * whatever its dialect; what points nowhere is reported; and what was stored can be used again.
 */
import { describe, expect, test } from 'vitest'
import {
  buildCitationData,
  type CitationSource,
  formatSourcesForPrompt,
  markers,
  renderCitationBlock,
  type StoredCitationData,
  type StoredSources,
} from '../index.js'
import { searched, startTurn } from './agent-runs.js'

/** Two pages without an id, a tool's page and a provider's file. */
const SOURCES: CitationSource[] = [
  { url: 'https://a.example/', title: 'A' },
  { url: 'https://b.example/', title: 'B', provider: 'gemini' },
  { url: 'https://c.example/', title: 'C', id: 'req-1-0', type: 'web', toolName: 'web_search' },
  { title: 'notes.md', fileId: 'file-1', provider: 'openai-responses' },
]
const IDS = ['s-0', 's-1', 'req-1-0', 's-3']

/** The marker between `«` and `»`, in an answer without them. */
function pointed(text: string): [answer: string, start: number, end: number] {
  const [before, marker, after] = text.split(/[«»]/) as [string, string, string]
  return [before + marker + after, before.length, before.length + marker.length]
}

/** A citation in OpenAI's private-use form. */
const privateUse = (...names: string[]) => `\ue200${names.join('\ue202')}\ue201`

describe('a marker', () => {
  test.each<[text: string, numbers: number[]]>([
    ['Rust is fast «[1]».', [1]],
    ['«[1]»', [1]],
    ['Rust is fast «[2, 3]».', [2, 3]],
    ['Rust is fast «[3,1]».', [3, 1]],
    ['Rust is fast «[1-3]».', [1, 2, 3]],
    ['Rust is fast «[2–4]».', [2, 3, 4]],
    ['Rust is fast «[2, 2]».', [2]],
    ['In Paris«[1]».', [1]],
    ['Rust is fast «[[2]]».', [2]],
    ['Rust is fast «[^3]».', [3]],
    ['Rust is fast «【1】».', [1]],
    ['Rust is fast «【1†source】».', [1]],
    ['Rust is fast «【2†L3-L5】».', [2]],
    ['Rust is fast «［4］».', [4]],
    ['Rust is fast «²».', [2]],
    [`Rust is fast «${privateUse('cite', 'req-1-0')}».`, [3]],
    [`Rust is fast «${privateUse('filecite', 'file-1')}».`, [4]],
    [`Rust is fast «${privateUse('cite', 's-1')}».`, [2]],
    [`Rust is fast «${privateUse('cite', 'req-1-0', 'file-1')}».`, [3, 4]],
    ['😀 naïve 漢字 «[1]».', [1]],
    ['👨‍👩‍👧 𝒳\r\n\r\n- é «[2, 3]» 😀', [2, 3]],
    ['`arr[0]` and `[2]` «[1]».', [1]],
    ['```\n[2]\n```\n\nYes «[1]».', [1]],
    ['[2](https://x.example/) «[1]».', [1]],
  ])('%s', (text, numbers) => {
    const [answer, startIndex, endIndex] = pointed(text)
    const { references, unresolved } = buildCitationData('s', answer, SOURCES)
    const sourceIds = numbers.map((number) => IDS[number - 1])
    const citedText = answer.slice(startIndex, endIndex)
    const index = numbers[0]
    expect(references).toEqual([
      { id: 's-ref-0', index, startIndex, endIndex, citedText, sourceIds },
    ])
    expect(unresolved).toEqual([])
  })

  test.each([
    'No marker.',
    '',
    'Zero [0].',
    'In code `[1]`.',
    '```\n[1]\n```',
    '```\n[1]',
    '    [1]',
    'arr[0][1] = 2',
    'a[1].x',
    '[1](https://x.example/)',
    '![1](https://x.example/i.png)',
    '[^1]: a note',
    'list [a] [x1] [1a]',
  ])('is not in %j', (text) => {
    expect(buildCitationData('s', text, SOURCES)).toMatchObject({ references: [], unresolved: [] })
  })

  test('stands beside others', () => {
    const { references } = buildCitationData('m', 'Yes [1][2], no [2] 【3†source】.', SOURCES)
    expect(references).toEqual([
      reference('m', 0, 1, 4, '[1]', ['m-0']),
      reference('m', 1, 2, 7, '[2]', ['m-1']),
      reference('m', 2, 2, 15, '[2]', ['m-1']),
      reference('m', 3, 3, 19, '【3†source】', ['req-1-0']),
    ])
  })
})

function reference(
  stream: string,
  at: number,
  index: number,
  startIndex: number,
  citedText: string,
  sourceIds: string[],
) {
  const endIndex = startIndex + citedText.length
  return { id: `${stream}-ref-${at}`, index, startIndex, endIndex, citedText, sourceIds }
}

describe('a marker that points nowhere', () => {
  test.each<[text: string, names: string[], ids: string[]]>([
    ['Yes «[7]».', ['7'], []],
    ['Yes «[5, 9]».', ['5', '9'], []],
    ['Yes «[2, 9]».', ['9'], ['s-1']],
    ['Yes «[9, 2]».', ['9'], ['s-1']],
    ['Yes «[3-6]».', ['5', '6'], ['req-1-0', 's-3']],
    ['Yes «【8†source】».', ['8'], []],
    ['Yes «【10:13†source】».', ['10:13'], []],
    [`Yes «${privateUse('cite', 'turn0search4')}».`, ['turn0search4'], []],
    [`Yes «${privateUse('cite', 'req-1-0', 'turn0search4')}».`, ['turn0search4'], ['req-1-0']],
  ])('%s', (text, names, ids) => {
    const [answer, startIndex, endIndex] = pointed(text)
    const citedText = answer.slice(startIndex, endIndex)
    const { references, unresolved } = buildCitationData('s', answer, SOURCES)
    expect(unresolved).toEqual([{ startIndex, endIndex, citedText, names }])
    expect(references.map(({ sourceIds }) => sourceIds)).toEqual(ids.length ? [ids] : [])
  })

  test.each<[string, StoredSources]>([
    ['no sources', []],
    ['a payload without any', { sources: [] }],
    ['what is no list', 'junk'],
  ])('%s: all of them', (_, sources) => {
    const data = buildCitationData('s', 'Yes [1], no [2].', sources)
    expect(data).toEqual({
      sources: [],
      references: [],
      unresolved: [
        { startIndex: 4, endIndex: 7, citedText: '[1]', names: ['1'] },
        { startIndex: 12, endIndex: 15, citedText: '[2]', names: ['2'] },
      ],
    })
  })
})

describe('the sources', () => {
  test('have an id, a type, and what a reader needs to find them', () => {
    const sources: CitationSource[] = [
      { url: 'https://a.example/', title: 'A', domain: 'a.example', provider: 'gemini' },
      {
        url: 'https://b.example/',
        title: 'B',
        domain: 'b.example',
        id: 'req-1-0',
        type: 'web',
        toolName: 'web_search',
        toolRequestId: 'req-1',
        snippet: 'Words.',
        agentId: 'researcher',
        also: [{ id: 'req-2-0', toolName: 'exa_web_search' }],
      },
      { uri: 'docs/a.pdf', title: 'a.pdf', type: 'file', pageNumber: 3, id: 'rag-0' },
      { uri: 'src/b.ts', title: 'b.ts', type: 'file', lineStart: 3, lineEnd: 9, id: 'read-0' },
    ]
    expect(buildCitationData('s', '', sources).sources).toEqual([
      {
        id: 's-0',
        type: 'web',
        toolName: 'gemini',
        uri: 'https://a.example/',
        title: 'A',
        domain: 'a.example',
      },
      {
        id: 'req-1-0',
        type: 'web',
        toolName: 'web_search',
        uri: 'https://b.example/',
        title: 'B',
        domain: 'b.example',
        snippet: 'Words.',
        agentId: 'researcher',
        also: [{ id: 'req-2-0', toolName: 'exa_web_search' }],
      },
      { id: 'rag-0', type: 'file', uri: 'docs/a.pdf', title: 'a.pdf', pageNumber: 3 },
      { id: 'read-0', type: 'file', uri: 'src/b.ts', title: 'b.ts', lineStart: 3, lineEnd: 9 },
    ])
  })

  test('are cleaned', () => {
    const hostile = {
      title: 'a\u001b[31m\nb',
      url: 'javascript:alert(1)',
      id: 'x\u202e',
      type: 'web',
    }
    const { sources } = buildCitationData('s', '', [hostile])
    expect(sources).toMatchObject([{ id: 'x', title: 'a[31m b' }])
  })

  test('keep the words of a page that no tool signed', () => {
    const page = { url: 'https://a.example/', title: 'A', snippet: 'Words.' }
    expect(buildCitationData('s', '', [page]).sources).toMatchObject([
      { id: 's-0', uri: 'https://a.example/', title: 'A', snippet: 'Words.' },
    ])
  })

  test('are each called otherwise, whatever others are called', () => {
    const sources = [
      { url: 'https://a.example/', id: 's-1', type: 'web' },
      { url: 'https://b.example/' },
      { url: 'https://c.example/', id: 's-3', type: 'web' },
      { url: 'https://d.example/' },
    ]
    const data = buildCitationData('s', 'Yes [2], no [1].', sources)
    const ids = data.sources.map(({ id }) => id)
    expect([ids[0], ids[2]]).toEqual(['s-1', 's-3'])
    expect(new Set(ids).size).toBe(4)
    expect(data.references.map(({ sourceIds }) => sourceIds)).toEqual([[ids[1]], [ids[0]]])
  })

  test('of a turn keep its numbers', () => {
    const turn = startTurn()
    turn.addToolResult(searched('c1', ['https://a.example/', 'A'], ['https://b.example/', 'B']))
    turn.addToolResult(
      searched('c2', ['https://A.example', 'A again'], ['https://c.example/', 'C']),
    )
    const data = buildCitationData('s', 'Yes [3].', turn.finish())
    expect(data.sources.map(({ id }) => id)).toEqual(['c1-0', 'c1-1', 'c2-1'])
    expect(data.references[0]?.sourceIds).toEqual(['c2-1'])
    const again = buildCitationData('s', `Yes ${privateUse('cite', 'c2-0')}.`, turn.finish())
    expect(again.references[0]?.sourceIds).toEqual(['c1-0'])
  })
})

describe('what was stored', () => {
  const TEXT = 'Rust is fast [1], safe [3] and fun [7].'
  const FULL: CitationSource[] = [
    ...SOURCES,
    { uri: 'src/b.ts', title: 'b.ts', type: 'file', lineStart: 3, lineEnd: 9, id: 'read-0' },
    {
      uri: 'docs/a.pdf',
      title: 'a.pdf',
      type: 'file',
      pageNumber: 3,
      snippet: 'Wörter.',
      id: 'r-0',
    },
  ]
  const stored = (): StoredCitationData =>
    JSON.parse(JSON.stringify(buildCitationData('s', TEXT, FULL)))

  test('can be stored again and its markers point at the same', () => {
    for (const again of [stored(), stored().sources, JSON.stringify(stored())]) {
      const { references, unresolved, sources } = buildCitationData('s', TEXT, again)
      expect({ references, unresolved }).toEqual({
        references: stored().references,
        unresolved: stored().unresolved,
      })
      expect(sources.map(({ id }) => id)).toEqual(stored().sources.map(({ id }) => id))
    }
  })

  test('can be stored again and its sources are the same', () => {
    expect(buildCitationData('other', TEXT, stored()).sources).toEqual(stored().sources)
  })

  test('can be merged into another turn, under the name of an agent', () => {
    const turn = startTurn()
    turn.addToolResult(searched('c1', ['https://c.example/', 'C']))
    expect(turn.merge('a', stored())).toEqual([2, 3, 1, 4, 5, 6])
    expect(turn.merge('a', stored())).toEqual([2, 3, 1, 4, 5, 6])
    expect(turn.mergeAgentText(TEXT, stored(), 'a')).toBe(
      'Rust is fast [2], safe [1] and fun [7?].',
    )
    const { sources } = turn.finish()
    expect(sources[1]).toMatchObject({ url: 'https://a.example/', title: 'A', agentId: 'a' })
    expect(sources[4]).toMatchObject({ uri: 'src/b.ts', lineStart: 3, lineEnd: 9, agentId: 'a' })
    expect(sources).toHaveLength(6)
  })

  test('is drawn like what it was made of', () => {
    const block = renderCitationBlock({ text: '', sources: FULL }, { links: 'plain' })
    const again = { text: '', sources: stored().sources as CitationSource[] }
    expect(renderCitationBlock(again, { links: 'plain' }).split('\n').slice(0, 4)).toEqual([
      ' Sources:',
      '  1. A — https://a.example/',
      '  2. B — https://b.example/',
      '  3. C — https://c.example/',
    ])
    expect(renderCitationBlock(again, { links: 'plain' }).split('\n').slice(-2)).toEqual(
      block.split('\n').slice(-2),
    )
  })

  test('is listed, formatted and copied like what it was made of', () => {
    expect(formatSourcesForPrompt(stored()).split('\n').slice(-2)).toEqual([
      '[5] b.ts (lines 3–9)',
      '[6] a.pdf (page 3) - "Wörter."',
    ])
    expect(markers.formatMarkers(TEXT, stored(), { dangling: 'flag' }).text).toBe(
      'Rust is fast [1], safe [3] and fun [7?].',
    )
    expect(markers.copyText(TEXT, stored())).toBe(
      `${TEXT}\n\nSources:\n[1] A — https://a.example/\n[3] C — https://c.example/`,
    )
  })

  test('still knows a file by the id its provider gave it', () => {
    const text = `Yes ${privateUse('filecite', 'file-1')}.`
    const first = buildCitationData('s', text, FULL)
    expect(first.references[0]?.sourceIds).toEqual(['s-3'])
    expect(buildCitationData('s', text, first).references).toEqual(first.references)
  })
})

describe('misuse', () => {
  test.each<[unknown[], string]>([
    [[], 'streamId must be a string, got undefined'],
    [[null, 'text', []], 'streamId must be a string, got null'],
    [[1, 'text', []], 'streamId must be a string, got 1'],
    [[{}, 'text', []], 'streamId must be a string, got an object'],
    [['s'], 'text must be a string, got undefined'],
    [['s', null, []], 'text must be a string, got null'],
    [['s', 7, []], 'text must be a string, got 7'],
    [['s', ['text'], []], 'text must be a string'],
  ])('%j', (args, message) => {
    const build = buildCitationData as (...args: unknown[]) => unknown
    expect(() => build(...args)).toThrow(TypeError)
    expect(() => build(...args)).toThrow(message)
  })

  test('an empty stream id is one', () => {
    const data = buildCitationData('', 'Yes [1].', [{ title: 'A' }])
    expect(data.references[0]?.sourceIds).toEqual([data.sources[0]?.id])
  })
})
