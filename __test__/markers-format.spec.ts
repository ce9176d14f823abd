/**
 * All markers of an answer in one dialect: every format, with every way to treat numbers that name no
 * source, old numbers and new ones. Code and links stay as they are, and formatting twice changes nothing.
 */
import { describe, expect, test } from 'vitest'
import { type CitationSource, type FormatMarkersOptions, markers } from '../index.js'
import { pages, privateUse } from './marked-answers.js'

const FORMATS = ['brackets', 'superscript', 'inline-links', 'remove'] as const
const DANGLING = ['keep', 'strip', 'flag'] as const

const S1 = '(https://s1.example/)'
const S2 = '(https://s2.example/)'
const S3 = '(https://s3.example/)'

/** Three pages that also have ids. */
const SOURCES: CitationSource[] = pages(3).map((page, at) => ({ ...page, id: `turn0search${at}` }))

const format = (text: string, options: FormatMarkersOptions = {}, sources = SOURCES) => {
  return markers.formatMarkers(text, sources, options).text
}

const cite = (at: number) => privateUse(`turn0search${at}`)
const LOST = privateUse('turn9search9')

/** What becomes of a text, by format and by what becomes of dangling numbers: keep, strip, flag. */
type Table = Record<(typeof FORMATS)[number], [keep: string, strip: string, flag: string]>

const TABLES: [string, Table][] = [
  [
    'Yes [1].',
    {
      brackets: ['Yes [1].', 'Yes [1].', 'Yes [1].'],
      superscript: ['Yes ¹.', 'Yes ¹.', 'Yes ¹.'],
      'inline-links': [`Yes [1]${S1}.`, `Yes [1]${S1}.`, `Yes [1]${S1}.`],
      remove: ['Yes.', 'Yes.', 'Yes.'],
    },
  ],
  [
    'Yes [7], no [2].',
    {
      brackets: ['Yes [7], no [2].', 'Yes, no [2].', 'Yes [7?], no [2].'],
      superscript: ['Yes ⁷, no ².', 'Yes, no ².', 'Yes [7?], no ².'],
      'inline-links': [`Yes [7], no [2]${S2}.`, `Yes, no [2]${S2}.`, `Yes [7?], no [2]${S2}.`],
      // What is removed is removed whether it dangles or not; what is flagged is shown.
      remove: ['Yes, no.', 'Yes, no.', 'Yes [7?], no.'],
    },
  ],
  [
    'All [1, 7-8, 3] say so.',
    {
      brackets: ['All [1][7][8][3] say so.', 'All [1][3] say so.', 'All [1][7?][8?][3] say so.'],
      superscript: ['All ¹,⁷,⁸,³ say so.', 'All ¹,³ say so.', 'All ¹[7?][8?],³ say so.'],
      'inline-links': [
        `All [1]${S1}[7][8][3]${S3} say so.`,
        `All [1]${S1}[3]${S3} say so.`,
        `All [1]${S1}[7?][8?][3]${S3} say so.`,
      ],
      remove: ['All say so.', 'All say so.', 'All [7?][8?] say so.'],
    },
  ],
  [
    `So ${cite(1)} and ${LOST} or 【4:2†source】.`,
    {
      brackets: [
        `So [2] and ${LOST} or 【4:2†source】.`,
        'So [2] and or.',
        'So [2] and [?] or [?].',
      ],
      superscript: [`So ² and ${LOST} or 【4:2†source】.`, 'So ² and or.', 'So ² and [?] or [?].'],
      'inline-links': [
        `So [2]${S2} and ${LOST} or 【4:2†source】.`,
        `So [2]${S2} and or.`,
        `So [2]${S2} and [?] or [?].`,
      ],
      remove: ['So and or.', 'So and or.', 'So and [?] or [?].'],
    },
  ],
]

describe('every format with every way to treat what names no source', () => {
  for (const [text, table] of TABLES) {
    for (const name of FORMATS) {
      test.each(DANGLING.map((dangling, at) => [dangling, table[name][at]!] as const))(
        `${JSON.stringify(text)} as ${name}, %s`,
        (dangling, expected) => {
          const options = { format: name, dangling }
          expect(markers.formatMarkers(text, SOURCES, options)).toEqual({
            text: expected,
            numbers: {},
          })
          expect(format(expected, options), 'again').toBe(expected)
        },
      )
    }
  }
})

test('brackets and kept numbers are the defaults', () => {
  for (const options of [undefined, {}, { format: undefined }]) {
    expect(markers.formatMarkers('Yes 【2†source】 and [7].', SOURCES, options)).toEqual({
      text: 'Yes [2] and [7].',
      numbers: {},
    })
  }
})

test.each<[string, string]>([
  ['So [2, 3].', 'So [2][3].'],
  ['So [1-3].', 'So [1][2][3].'],
  ['So [[1]].', 'So [1].'],
  ['So [^1].', 'So [1].'],
  ['So 【1†source】【2†source】.', 'So [1][2].'],
  ['So【10:13†source】.', 'So【10:13†source】.'],
  ['So ［1］.', 'So [1].'],
  ['So it is.¹,²', 'So it is.[1][2]'],
  ['So it is.¹⁻³', 'So it is.[1][2][3]'],
  [`So ${cite(0)}${cite(2)}.`, 'So [1][3].'],
  [`So ${privateUse('turn0search0', 'L8-L13', 'turn0search1')}.`, 'So [1][2].'],
  ['So [1, 1, 2, 1].', 'So [1][2].'],
  ['So 【1†source】(2015).', 'So [1] (2015).'],
  [
    '```\n【1】\n```\n\n`【1】` 【1】 [【1】](https://a.example/)',
    '```\n【1】\n```\n\n`【1】` [1] [【1】](https://a.example/)',
  ],
])('every dialect in brackets: %s', (text, expected) => {
  expect(format(text)).toBe(expected)
  expect(format(expected)).toBe(expected)
})

test.each<[string, string]>([
  ['So [12].', 'So ¹².'],
  ['So [1][2].', 'So ¹,².'],
  ['So [1] [2].', 'So ¹ ².'],
  ['So Paris[10].', 'So Paris¹⁰.'],
  ['In 2015[1].', 'In 2015\u202f¹.'],
])('raised numbers are not read as other numbers: %s', (text, expected) => {
  expect(format(text, { format: 'superscript' }, pages(12))).toBe(expected)
})

describe('numbered anew by first citation', () => {
  test.each<[string, FormatMarkersOptions, string, Record<number, number>]>([
    ['Yes [3], no [1].', {}, 'Yes [1], no [2].', { 3: 1, 1: 2 }],
    ['Yes [3], no [1], yes [3].', {}, 'Yes [1], no [2], yes [1].', { 3: 1, 1: 2 }],
    ['So [1-3].', {}, 'So [1][2][3].', { 1: 1, 2: 2, 3: 3 }],
    ['So [3, 2].', {}, 'So [1][2].', { 3: 1, 2: 2 }],
    ['So [7] [2].', {}, 'So [7] [1].', { 2: 1 }],
    ['So [7] [2].', { dangling: 'strip' }, 'So [1].', { 2: 1 }],
    ['So [7] [2].', { dangling: 'flag' }, 'So [7?] [1].', { 2: 1 }],
    ['So [3] [2].', { format: 'superscript' }, 'So ¹ ².', { 3: 1, 2: 2 }],
    ['So [3] [2].', { format: 'inline-links' }, `So [1]${S3} [2]${S2}.`, { 3: 1, 2: 2 }],
    ['So [7, 3].', { format: 'superscript', dangling: 'flag' }, 'So [7?],¹.', { 3: 1 }],
    ['So [3] `[2]` [1].', {}, 'So [1] `[2]` [2].', { 3: 1, 1: 2 }],
    [`So ${cite(2)} [1] ${cite(2)}.`, {}, 'So [1] [2] [1].', { 3: 1, 1: 2 }],
    [`So ${LOST} ${cite(1)}.`, {}, `So ${LOST} [1].`, { 2: 1 }],
    ['Nothing.', {}, 'Nothing.', {}],
  ])('%s %j', (text, options, expected, numbers) => {
    const result = markers.formatMarkers(text, SOURCES, { ...options, renumber: true })
    expect(result).toEqual({ text: expected, numbers })
  })

  test('without sources every number is one', () => {
    for (const payload of [undefined, null]) {
      expect(markers.formatMarkers('So [9] [4].', payload, { renumber: true })).toEqual({
        text: 'So [1] [2].',
        numbers: { 9: 1, 4: 2 },
      })
    }
  })

  test('no sources at all: every number dangles', () => {
    expect(markers.formatMarkers('So [9].', [], { renumber: true, dangling: 'flag' })).toEqual({
      text: 'So [9?].',
      numbers: {},
    })
  })
})

test.each<[string, string]>([
  ['Yes [1].', 'Yes.'],
  ['Yes [1], no.', 'Yes, no.'],
  ['Yes [1]; no [2]: so [3]!', 'Yes; no: so!'],
  ['Yes [1]? No.', 'Yes? No.'],
  ['Yes [1] no.', 'Yes no.'],
  ['Yes  [1]  no.', 'Yes  no.'],
  ['Yes.[1] No.[2]', 'Yes. No.'],
  ['Yes. [1] No.', 'Yes. No.'],
  ['Yes.[1][2] [3] No.', 'Yes. No.'],
  ['Yes [1] [2], no.', 'Yes, no.'],
  ['Paris[1] and Rome[2].', 'Paris and Rome.'],
  ['Yes [1]', 'Yes'],
  ['Yes [1]\nno [2]\n', 'Yes\nno\n'],
  ['Yes [1]\r\nno', 'Yes\r\nno'],
  ['Yes [1]  \na line break', 'Yes  \na line break'],
  ['[1] says so.', 'says so.'],
  ['- [1] item\n- [2] item', '- item\n- item'],
  ['> [1] quote', '> quote'],
  ['(yes [1])', '(yes)'],
  ['**Yes [1]** no.', '**Yes** no.'],
  ['*Yes* [1] no.', '*Yes* no.'],
  ['Yes 【1†source】.', 'Yes.'],
  [`Yes ${cite(0)} ${cite(1)}.`, 'Yes.'],
  ['漢字[1]。かな [2]、', '漢字。かな、'],
  ['| a [1] | b |', '| a | b |'],
  ['`a`[1]`b`', '`a` `b`'],
  ['Yes [1].\n\n```\na [1] .\n```\n\n    b [1] ,', 'Yes.\n\n```\na [1] .\n```\n\n    b [1] ,'],
  // What follows would become a heading, a list or a fence.
  ['[1] # no heading', '[1] # no heading'],
  ['[1] - no item', '[1] - no item'],
  ['[1] 2. no item', '[1] 2. no item'],
  ['[1] ``` no fence', '[1] ``` no fence'],
])('removed, with the blanks: %j', (text, expected) => {
  expect(format(text, { format: 'remove' })).toBe(expected)
  expect(format(expected, { format: 'remove' })).toBe(expected)
})

test.each<[string, CitationSource, string]>([
  ['parentheses', { url: 'https://a.example/x_(y)' }, '(https://a.example/x_%28y%29)'],
  ['a blank', { url: 'https://a.example/a b' }, '(https://a.example/a%20b)'],
  [
    'an end of the link and another',
    { url: 'https://a.example/)[2](https://b.example/' },
    '(https://a.example/%29%5B2%5D%28https://b.example/)',
  ],
  ['angle brackets', { url: 'https://a.example/<b>' }, '(https://a.example/%3Cb%3E)'],
  ['a quote', { url: 'https://a.example/" onclick="x' }, '(https://a.example/%22%20onclick=%22x)'],
  ['backticks', { url: 'https://a.example/`x`' }, '(https://a.example/%60x%60)'],
  ['stars', { url: 'https://a.example/**x**' }, '(https://a.example/%2A%2Ax%2A%2A)'],
  ['a column', { url: 'https://a.example/a|b' }, '(https://a.example/a%7Cb)'],
  ['other letters', { url: 'https://bücher.example/ü' }, '(https://xn--bcher-kva.example/%C3%BC)'],
  ['a script', { url: 'javascript:alert(1)' }, ''],
  ['data', { url: 'data:text/html,<b>' }, ''],
  ['an escape', { url: 'https://a.example/\u001b[31m' }, ''],
  ['an address of no browser', { uri: 'gs://bucket/report.pdf' }, ''],
  ['no address', { title: 'report.pdf' }, ''],
])('a link to %s', (_, source, target) => {
  const text = 'So `[1]` [1].'
  const expected = `So \`[1]\` [1]${target}.`
  expect(format(text, { format: 'inline-links' }, [source])).toBe(expected)
  expect(format(expected, { format: 'inline-links' }, [source])).toBe(expected)
})

test('a link is never a picture', () => {
  const options = { format: 'inline-links' } as const
  const links = `So! [1]${S1}[2]${S2}`
  expect(format('So![1][2]', options)).toBe(links)
  expect(format('So!【1】[2]', options)).toBe(links)
  expect(format('So![9]', options)).toBe('So![9]')
})

test.each<[string, string]>([
  ['its own', 'call-1-0'],
  ["its file's", 'file-abc'],
  ['one it was found again under', 'call-2-3'],
  ['another', 'call-3-1'],
])('a source is named by %s id', (_, id) => {
  const source: CitationSource = {
    title: 'Report',
    url: 'https://r.example/',
    id: 'call-1-0',
    fileId: 'file-abc',
    also: [{ id: 'call-2-3', toolName: 'web_search' }, { id: 'call-3-1' }],
  }
  const text = `So ${privateUse(id)}.`
  expect(format(text, {}, [...pages(1), source])).toBe('So [2].')
  expect(format(text, {}, pages(1))).toBe(text)
})

test('payloads in every form that lists sources', () => {
  const text = `So ${cite(1)} [9].`
  const payload = { text: '', sources: SOURCES }
  const given = [SOURCES, payload, JSON.stringify(payload), Buffer.from(JSON.stringify(SOURCES))]
  for (const one of given) {
    expect(markers.formatMarkers(text, one, { dangling: 'flag' }).text).toBe('So [2] [9?].')
  }
})

test.each<[string, unknown[]]>([
  ['a text that is a number', [1]],
  ['a text that is nothing', [undefined]],
  ['a text that is null', [null]],
  ['a text that is a list', [['[1]']]],
  ['another format', ['[1]', [], { format: 'html' }]],
  ['a format that is no string', ['[1]', [], { format: 1 }]],
  ['a way that dangling cannot be treated', ['[1]', [], { dangling: 'drop' }]],
  ['a dangling that is no string', ['[1]', [], { dangling: true }]],
  ['a renumber that is no flag', ['[1]', [], { renumber: 'yes' }]],
  ['options that are no object', ['[1]', [], 'brackets']],
])('%s is a TypeError', (_, given) => {
  const call = markers.formatMarkers as (...given: unknown[]) => unknown
  expect(() => call(...given)).toThrow(TypeError)
})
