/**
 * An answer in pieces gives what the whole gives, however it is cut. What is held back is bounded, text
 * without markers is never held back, and a number that was shown stays.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FormatMarkersOptions, markers } from '../index.js'
import { pages, privateUse } from './marked-answers.js'

const SOURCES = pages(5).map((page, at) => ({ ...page, id: `turn0search${at}` }))

const OPTIONS: FormatMarkersOptions[] = [
  {},
  { renumber: true },
  { format: 'superscript', dangling: 'strip' },
  { format: 'superscript', dangling: 'flag', renumber: true },
  { format: 'inline-links', dangling: 'flag' },
  { format: 'inline-links', dangling: 'strip', renumber: true },
  { format: 'remove' },
  { format: 'remove', dangling: 'flag' },
]

/** Answers of models, and what is hard to read in pieces. */
const ANSWERS: [string, string][] = [
  [
    'a report',
    '# Tokio [1]\n\nTokio is a **runtime [2, 3]** for Rust[1][2]. See `arr[0][1]`:\n\n```rust\nlet a = b[1]; // [2]\n```\n\n- fast【1†source】\n- safe [^4], [7]\n\n[1]: https://a.example/\n',
  ],
  [
    'an answer of OpenAI',
    `Prices rose ${privateUse('turn0search0', 'L8-L13', 'turn0search3')}, then fell ${privateUse('turn9news1')}. So ${privateUse('turn0search1')}${privateUse('turn0search2')}`,
  ],
  ['a table', '| City[1] | Since |\n|---|---|\n| Köln [2] | 50[3] |\n\nDone ¹,² 【4:2†source】.'],
  [
    'words and subscripts',
    'in Paris[1]. a[1].x arr[0][1] = 2 (Rome[2]) f(a[1]) x[1] += 2 Bonn[3]—so',
  ],
  ['words at the end', 'in Paris[1]'],
  ['links', '[1](https://a.example/) [2] (b) [a [3] b](c) [a [3] b] [[4]](d) [[5]] ![1](e) [1]('],
  ['a link with a title', '[a](b "c [1]") [1](<x y> \'t\') [2](x y) [3](x\ny)'],
  ['backticks', '`[1]` ``a ` [2]`` ` [3] `` [4] ` [5]'],
  ['a backtick alone', 'A ` tick [1] and [2].\n\nMore [3].'],
  ['open code', 'See [1].\n\n~~~\na [2]\n```\n'],
  ['an open quotation', '> ```\n> [1]\n\n> [2]\n> - `a\n> [3]` [4]'],
  ['lists', '1. [1] a\n2. b [2]\n\n   ```\n   [3]\n   ```\n\n       [4]\n- [x] c [5]\n-     [1]'],
  ['line ends', 'A [1]\r\n\r\n    [2]\r\n\r\n```\r\n[3]\r\n```\r\nB [4]\r\rC [5]\r'],
  ['escapes', '\\[1] \\\\[2] \\`[3]\\` !\\[4] \\![5]'],
  [
    'tags',
    '<a b="[1]"> [2] <!-- [3] --> <https://a.example/[4]> < [5] <b>[1]</b>\n\n<div>\n[2]\n</div>\n\n[3]',
  ],
  ['half markers', '[1, 2 [1-] [[3] 【1†so [^ [^4] ［1 \ue200cite \ue200cite\ue202a [5'],
  ['raised numbers', 'Yes.¹ km² Paris³ x¹, so.⁴⁻⁵ ⁶˒⁷ 10⁻³ end.¹²'],
  ['blanks', 'A   [1]   , b [2]\t. [3]\n[4]\n  [5]  c [1] [2] [3] !\n\n[4] # d\n[5] - e'],
  ['definitions', '[1]: https://a.example/ "t"\n[2]: <b>\n[^3]: note [4]\ntext [5]\n[1]: no'],
  ['headings', 'A [1]\n===\nB [2]\n---\n***\n#C [3]\n## D [4] ##'],
  ['digits before and behind', '2015[1] 5[2]% 12[3]0 [4]5 v1.2[5]. $5[1], 5 [1] 6'],
]

const ASTRAL: [string, string][] = [
  ['characters of two units', '😀[1] 👨‍👩‍👧 [2]𠮷`😀[3]`𝕏【4†source】🇩🇪¹ 漢字[5]。'],
  ['nothing but such characters', '😀😀😀'],
]

/** What a stream makes of the pieces, all in all. */
function streamed(pieces: Iterable<string>, options: FormatMarkersOptions): string {
  const stream = new markers.MarkerStream(SOURCES, options)
  let out = ''
  for (const piece of pieces) out += stream.push(piece)
  return out + stream.finish()
}

const whole = (text: string, options: FormatMarkersOptions) => {
  return markers.formatMarkers(text, SOURCES, options).text
}

describe('pieces give what the whole gives', () => {
  const isInside = (text: string, at: number) => /^[\udc00-\udfff]/.test(text.slice(at))

  test.each([...ANSWERS, ...ASTRAL])('%s, cut in two anywhere', (_, text) => {
    for (const options of OPTIONS) {
      const expected = whole(text, options)
      for (let at = 0; at <= text.length; at++) {
        if (isInside(text, at)) continue
        const out = streamed([text.slice(0, at), text.slice(at)], options)
        expect(out, `${at}: ${JSON.stringify(options)}`).toBe(expected)
      }
    }
  })

  test.each([...ANSWERS, ...ASTRAL])('%s, character by character', (_, text) => {
    for (const options of OPTIONS) expect(streamed(text, options)).toBe(whole(text, options))
  })

  test.each(ASTRAL)('%s, cut inside them', (_, text) => {
    for (const options of OPTIONS) {
      const expected = whole(text, options)
      for (let at = 0; at <= text.length; at++) {
        expect(streamed([text.slice(0, at), text.slice(at)], options), `${at}`).toBe(expected)
      }
      expect(streamed(text.split(''), options), 'unit by unit').toBe(expected)
    }
  })

  test('all answers in one, cut at random', () => {
    const text = ANSWERS.map(([, answer]) => answer).join('\n\nAnd\n\n')
    const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 60 })
    fc.assert(
      fc.property(cuts, fc.constantFrom(...OPTIONS), (places, options) => {
        const ends = [...places.sort((a, b) => a - b), text.length]
        const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end))
        expect(streamed(pieces, options)).toBe(whole(text, options))
      }),
      { numRuns: 400 },
    )
  })

  test('an answer of 100 kB, in pieces of any size', () => {
    const part = ANSWERS.map(([, answer]) => answer).join('\n\nAnd\n\n')
    const text = `${part}\n\n`.repeat(Math.ceil(100_000 / part.length))
    for (const size of [1, 7, 64, 1000, 4096, 5000]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => {
        return text.slice(at * size, (at + 1) * size)
      })
      expect(streamed(pieces, OPTIONS[3]!), `${size}`).toBe(whole(text, OPTIONS[3]!))
    }
  })

  test.each(['plain', 'as \u{fffd} it \ud800 is \udfff', '\udfff', '\ud800', '漢字 é 😀', ''])(
    'text that nothing changes, halves of characters apart: %j',
    (text) => {
      const expected = Buffer.from(text).toString()
      expect(whole(text, {})).toBe(expected)
      for (let at = 0; at <= text.length; at++) {
        expect(streamed([text.slice(0, at), text.slice(at)], {})).toBe(expected)
      }
    },
  )

  test('empty pieces change nothing', () => {
    expect(streamed(['', 'in Paris', '', '[', '', '1]', '', '.', ''], {})).toBe('in Paris[1].')
    expect(streamed([], {})).toBe('')
  })
})

describe('what is held back', () => {
  test.each<[string, FormatMarkersOptions, [string, string][]]>([
    [
      'plain text',
      {},
      [
        ['Hel', 'Hel'],
        ['lo, ', 'lo, '],
        ['world. \n', 'world. \n'],
      ],
    ],
    [
      'code',
      {},
      [
        ['A `', 'A `'],
        ['b', 'b'],
        ['` c', '` c'],
        ['\n\n``', '\n\n``'],
        ['`\nx', '`\nx'],
      ],
    ],
    [
      'a marker',
      {},
      [
        ['Yes [', 'Yes '],
        ['1', ''],
        [']', ''],
        ['.', '[1].'],
        [' No', ' No'],
      ],
    ],
    [
      'a marker and a line end',
      {},
      [
        ['Yes [1]', 'Yes '],
        ['\n', '[1]\n'],
      ],
    ],
    [
      'what is no marker',
      {},
      [
        ['Yes [', 'Yes '],
        ['a', '[a'],
        ['] b', '] b'],
      ],
    ],
    [
      'a lenticular bracket',
      {},
      [
        ['Yes 【1†', 'Yes '],
        ['source', ''],
        ['】', ''],
        ['.', '[1].'],
      ],
    ],
    [
      'a word',
      {},
      [
        ['Paris[1]', 'Paris'],
        [' ', ''],
        ['is', '[1] is'],
      ],
    ],
    [
      'a subscript',
      {},
      [
        ['a[1]', 'a'],
        ['.', ''],
        ['x', '[1].x'],
      ],
    ],
    [
      'blanks that may go',
      { format: 'remove' },
      [
        ['Yes ', 'Yes'],
        ['[1]', ''],
        ['.', '.'],
      ],
    ],
    [
      'blanks that stay',
      { format: 'remove' },
      [
        ['Yes ', 'Yes'],
        ['no', ' no'],
      ],
    ],
  ])('%s, piece by piece', (_, options, pieces) => {
    const stream = new markers.MarkerStream(SOURCES, options)
    for (const [piece, expected] of pieces) expect(stream.push(piece), piece).toBe(expected)
    expect(stream.finish()).toBe('')
  })

  test.each(['brackets', 'superscript', 'inline-links'] as const)(
    'text without markers comes at once: %s',
    (format) => {
      const text =
        'Größe * 2 = 4; `code` **bold** <b>x</b>\n\n```js\nf(1)\n```\n> 1. a | b \\ ^ ~ 12 ) ( 漢字 '
      const stream = new markers.MarkerStream(SOURCES, { format })
      for (const piece of text.repeat(50)) expect(stream.push(piece)).toBe(piece)
      expect(stream.finish()).toBe('')
    },
  )

  /** The most units that were held back at any time, over pieces of one character. */
  function mostHeld(text: string): number {
    const stream = new markers.MarkerStream()
    let [shown, given, most] = [0, 0, 0]
    for (const piece of text) {
      shown += stream.push(piece).length
      given += piece.length
      most = Math.max(most, given - shown)
    }
    expect(shown + stream.finish().length).toBe(text.length)
    return most
  }

  test.each<[string, string, number]>([
    ['numbers without an end', `So [${'1, '.repeat(3000)}`, 64],
    ['digits without an end', `So [${'1'.repeat(9000)}`, 64],
    ['blanks without an end', `So [1, ${' '.repeat(9000)}`, 64],
    ['a pair without an end', `So [[1, ${'2, '.repeat(3000)}`, 64],
    ['a label without an end', `So 【1†${'a'.repeat(9000)}`, 64],
    ['a wide bracket without an end', `So ［1${', 2'.repeat(3000)}`, 64],
    ['brackets that open', `So ${'['.repeat(9000)}`, 64],
    ['raised digits without an end', `So.${'¹'.repeat(9000)}`, 64],
    ['an id without an end', `So \ue200cite\ue202${'a'.repeat(9000)}`, 4096],
    ['ids without an end', `So \ue200cite${'\ue202turn0search1'.repeat(900)}`, 4096],
    ['starts without an end', `So ${'\ue200cite\ue202'.repeat(2000)}`, 4096],
    // The marker, and 4 kB of what follows it.
    ['a marker behind a backtick', `So \` [1] ${'word '.repeat(3000)}`, 4160],
    ['markers behind a backtick', `So \` ${'[1] '.repeat(3000)}`, 4160],
    ['a marker behind a bracket', `So [a [1] ${'word '.repeat(3000)}`, 4160],
    ['a marker before an address', `So [1](${'a'.repeat(9000)}`, 4160],
    ['a marker that may be defined', `[1]: ${'a'.repeat(9000)}`, 4160],
    ['a marker in what may be a fence', `\`\`\` a [1] ${'word '.repeat(3000)}`, 4160],
    ['a marker in what may be a tag', `So <a b="[1] ${'word '.repeat(3000)}`, 4160],
    [
      'a marker behind a bracket and before a backtick',
      `So [a [1] ${'word '.repeat(800)} \` ${'word '.repeat(3000)}`,
      4160,
    ],
    [
      'a marker behind a bracket and before an address',
      `So [a [1] ${'word '.repeat(800)} [2](${'a'.repeat(9000)}`,
      4160,
    ],
  ])('%s is released as it is', (_, text, most) => {
    expect(mostHeld(text)).toBeLessThanOrEqual(most)
    expect(markers.formatMarkers(text, []).text).toBe(text)
  })

  test.each<[number, string, string]>([
    [64, `[${'10, '.repeat(15)}11]`, '[10][11]'],
    [65, `[${'10, '.repeat(15)}111]`, `[${'10, '.repeat(15)}111]`],
  ])('a marker of %d characters', (length, marker, expected) => {
    expect(marker).toHaveLength(length)
    const stream = new markers.MarkerStream()
    expect(stream.push(`So ${marker}`) + stream.push(' it is.') + stream.finish()).toBe(
      `So ${expected} it is.`,
    )
  })
})

describe('numbers that were shown', () => {
  test('never change', () => {
    const text = 'A [5], b [2, 9], c [5] `[3]` d【1†source】 e [2][4] f.'
    const options = { renumber: true }
    const stream = new markers.MarkerStream(SOURCES, options)
    let out = ''
    let before: Record<number, number> = {}
    for (const piece of text) {
      const shown = out
      out += stream.push(piece)
      expect(out.startsWith(shown)).toBe(true)
      expect(stream.numbers).toMatchObject(before)
      before = stream.numbers
    }
    out += stream.finish()
    expect(out).toBe('A [1], b [2][9], c [1] `[3]` d[3] e [2][4] f.')
    expect(stream.numbers).toEqual({ 5: 1, 2: 2, 1: 3, 4: 4 })
    expect(markers.formatMarkers(text, SOURCES, options)).toEqual({
      text: out,
      numbers: stream.numbers,
    })
  })

  test('are none without renumber', () => {
    const stream = new markers.MarkerStream(SOURCES)
    stream.push('A [5] b.')
    stream.finish()
    expect(stream.numbers).toEqual({})
  })
})

test.each<[string, () => unknown]>([
  ['a format nobody knows', () => new markers.MarkerStream(null, { format: 'html' as 'remove' })],
  ['a flag that is none', () => new markers.MarkerStream(null, { renumber: 1 as unknown as true })],
  ['a piece that is no string', () => new markers.MarkerStream().push(1 as unknown as string)],
  ['no piece', () => new markers.MarkerStream().push(undefined as unknown as string)],
])('%s is a TypeError', (_, call) => {
  expect(call).toThrow(TypeError)
})

test('a piece that was refused changes nothing', () => {
  const stream = new markers.MarkerStream(SOURCES)
  const shown = stream.push('Yes [1')
  expect(() => stream.push(null as unknown as string)).toThrow(TypeError)
  expect(shown + stream.push('].') + stream.finish()).toBe('Yes [1].')
})
