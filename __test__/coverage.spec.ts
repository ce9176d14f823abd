/**
 * The picture of coverage in a terminal: the answer is there word for word with its numbers, underlined
 * are the anchored passages and nothing else, the bar tells the truth, and no answer can do more than
 * be read.
 */
import headless from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import { type CitationAnchor, CitationService, grounding, insertMarkers } from '../index.js'
import { ANSWER_A, TEST_A } from './grounded-answers.js'
import { columnsOf } from './screen.js'

type Payload = { anchors: CitationAnchor[] }

/** A span of the first place that holds these words. */
function span(text: string, words: string, ...sources: number[]): CitationAnchor {
  const start = text.indexOf(words)
  expect(start).toBeGreaterThanOrEqual(0)
  return { start, end: start + words.length, text: words, sources }
}

function testA(): Payload {
  const turn = new CitationService().startTurn()
  turn.push(TEST_A)
  return turn.finish()
}

const PROSE =
  'Rust is a language. It was first released in 2015, and its memory is safe without a collector.\n\nMany use it: for browsers, kernels and small tools. Others wait.'
const CJK = '錆は2015年に公開された言語です。速くて安全だと言われます。多くの会社が使っています。'

const ANSWERS: [name: string, text: string, payload: Payload][] = [
  ['test A', ANSWER_A, testA()],
  ['no passage', PROSE, { anchors: [] }],
  ['one passage', PROSE, { anchors: [span(PROSE, 'It was first released in 2015', 1)] }],
  ['all of it', PROSE, { anchors: [span(PROSE, PROSE, 1, 2)] }],
  [
    'overlapping and nested passages',
    PROSE,
    {
      anchors: [
        span(PROSE, 'Rust is a language. It was first released', 1),
        span(PROSE, 'first released in 2015, and its memory is safe', 2, 3),
        span(PROSE, 'memory', 4),
        span(PROSE, 'collector.\n\nMany use it', 5),
      ],
    },
  ],
  ['neighbours', PROSE, { anchors: [span(PROSE, 'Rust is', 1), span(PROSE, ' a language', 2)] }],
  ['wide characters', CJK, { anchors: [span(CJK, '速くて安全だ', 1), span(CJK, '会社', 2)] }],
  ['accents', 'Café à Köln, naïve.', { anchors: [span('Café à Köln, naïve.', 'Köln', 12)] }],
]

interface Cell {
  text: string
  underlined: boolean
}

/** Writes to a fresh emulator and reads its screen: cells with something in them, row by row. */
async function show(output: string, cols: number) {
  const terminal = new headless.Terminal({
    cols,
    rows: 200,
    convertEol: true,
    allowProposedApi: true,
  })
  const noises: string[] = []
  terminal.onBell(() => noises.push('bell'))
  terminal.onTitleChange((title) => noises.push(`title ${title}`))
  terminal.onData((data) => noises.push(`reply ${data}`))
  await new Promise<void>((done) => terminal.write(output, done))
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.cursorY + 1 }, (_, y) => {
    const line = active.getLine(y)!
    const cells = Array.from({ length: cols }, (_, x): Cell => {
      const cell = line.getCell(x)!
      const text = cell.getWidth() === 0 ? '' : cell.getChars() || ' '
      return { text, underlined: cell.isUnderline() !== 0 }
    })
    return cells.filter(({ text }) => text.trim() !== '')
  })
  const wrapped = rows.some((_, y) => active.getLine(y)!.isWrapped)
  const lines = rows.map((_, y) => active.getLine(y)!.translateToString(true))
  terminal.dispose()
  return { rows, lines, noises, wrapped }
}

/** What must be seen, blanks aside: each character with whether a span holds it, and the numbers. */
function expectedCells(text: string, { anchors }: Payload): Cell[] {
  const cells: Cell[] = []
  for (let unit = 0; unit <= text.length; unit++) {
    const ending = anchors.filter(({ start, end }) => end === unit && start < end)
    const numbers = [...new Set(ending.flatMap(({ sources }) => sources))].sort((a, b) => a - b)
    const marks = numbers.map((number) => `[${number}]`).join('')
    cells.push(...Array.from(marks, (mark) => ({ text: mark, underlined: false })))
    const underlined = anchors.some(({ start, end }) => start <= unit && unit < end)
    const character = text[unit] ?? ' '
    if (character.trim() !== '') cells.push({ text: character, underlined })
  }
  return cells
}

const BAR = /^([·░▒▓█]+) (\d+\.\d) % anchored · (\d+) spans? · (\d+) sources?$/u

function barOf(output: string) {
  const line = output.split('\n').at(-1)!
  const [, cells = '', share, spans, sources] = BAR.exec(line) ?? []
  expect(line).toMatch(BAR)
  return { cells, share: Number(share), spans: Number(spans), sources: Number(sources) }
}

/** Units of the answer that lie in a span. */
function coveredUnits(text: string, { anchors }: Payload): boolean[] {
  return Array.from(text.split(''), (_, unit) =>
    anchors.some(({ start, end }) => start <= unit && unit < end),
  )
}

const unblanked = (text: string) => text.replace(/\s/g, '')

describe.each(ANSWERS)('%s', (_, text, payload) => {
  test.each([40, 80])(
    'on %i columns, underlined are the passages and nothing else',
    async (width) => {
      const output = grounding.renderCoverage(text, payload, { width })
      const { rows, noises } = await show(output.slice(0, output.lastIndexOf('\n')), width)
      expect(rows.flat()).toEqual(expectedCells(text, payload))
      expect(noises).toEqual([])
    },
  )

  describe.each([20, 40, 80, 120])('no row is wider than %i columns', (width) => {
    const draw = (color: boolean) => grounding.renderCoverage(text, payload, { width, color })

    test.each([true, false])('of the answer, with colours: %j', async (color) => {
      const output = draw(color)
      const { wrapped, lines } = await show(output.slice(0, output.lastIndexOf('\n')), width)
      expect(lines.filter((line) => columnsOf(line) > width)).toEqual([])
      expect(wrapped).toBe(false)
    })

    // On fewer there is no room for the figures.
    test('of the bar, from 40 on', () => {
      const bar = draw(true).split('\n').at(-1)!
      expect(columnsOf(bar)).toBeLessThanOrEqual(Math.max(width, 40))
    })
  })

  test('without colours: between guillemets, no escape sequence', () => {
    const output = grounding.renderCoverage(text, payload, { width: 1000, color: false })
    expect(output).not.toContain('\u001b')
    const shown = output.split('\n').slice(0, -2).join('\n')
    expect(unblanked(shown.replace(/[«»]|\[\d+\]/g, ''))).toBe(unblanked(text))
    const units = coveredUnits(text, payload)
    const covered = Array.from(shown.matchAll(/«([^»]*)»/g), ([, words]) => words).join('')
    const expected = text.split('').filter((_, unit) => units[unit])
    expect(unblanked(covered)).toBe(unblanked(expected.join('')))
  })

  test.each([60, 80, 120])('the bar of %i columns shows where', (width) => {
    const output = grounding.renderCoverage(text, payload, { width })
    const { cells, share, spans, sources } = barOf(output)
    const units = coveredUnits(text, payload)
    expect(share).toBe(Math.round((units.filter(Boolean).length / text.length) * 1000) / 10)
    expect(spans).toBe(payload.anchors.length)
    expect(sources).toBe(new Set(payload.anchors.flatMap(({ sources }) => sources)).size)
    const length = cells.length
    for (let at = 0; at < length && length <= text.length; at++) {
      const part = units.slice(
        Math.floor((at * text.length) / length),
        Math.floor(((at + 1) * text.length) / length),
      )
      const covered = part.filter(Boolean).length / part.length
      expect(cells[at]).toBe('·░▒▓█'[Math.ceil(covered * 4)])
    }
  })
})

test('lines of the answer stay lines, empty ones too', () => {
  const anchors = [span(PROSE, 'collector.\n\nMany use it', 1)]
  const lines = grounding
    .renderCoverage(PROSE, { anchors }, { width: 1000, color: false })
    .split('\n')
  expect(lines.slice(0, -1)).toEqual([
    'Rust is a language. It was first released in 2015, and its memory is safe without a «collector.»',
    '',
    '«Many use it»[1]: for browsers, kernels and small tools. Others wait.',
    '',
  ])
})

describe('the bar', () => {
  test('half of an answer is half of the bar', () => {
    const text = 'ab'.repeat(500)
    const payload = { anchors: [{ start: 0, end: 500, text: '', sources: [1] }] }
    const { cells, share } = barOf(grounding.renderCoverage(text, payload))
    expect(share).toBe(50)
    expect(cells).toMatch(/^█+[░▒▓]?·+$/u)
    expect(Math.abs(cells.lastIndexOf('█') + 1 - cells.length / 2)).toBeLessThanOrEqual(1)
  })

  test.each(['Yes.', 'No', 'Maybe not today.'])('all of a short answer fills it: %s', (text) => {
    const { cells } = barOf(grounding.renderCoverage(text, { anchors: [span(text, text, 1)] }))
    expect(cells).toMatch(/^█+$/u)
  })

  test('fits 40 columns also where the figures are long', () => {
    const text = 'word '.repeat(120)
    const anchors = Array.from({ length: 120 }, (_, at) => {
      return { start: at * 5, end: at * 5 + 5, text: 'word ', sources: [at + 1] }
    })
    const bar = grounding.renderCoverage(text, { anchors }, { width: 40 }).split('\n').at(-1)!
    expect(bar).toContain('100.0 %')
    expect(columnsOf(bar)).toBeLessThanOrEqual(40)
  })

  test('nothing of an empty answer', () => {
    const { cells, share } = barOf(grounding.renderCoverage('', { anchors: [] }))
    expect([/^·+$/u.test(cells), share]).toEqual([true, 0])
  })

  test('is the last of the lines, behind an empty one, and ends no line', () => {
    const lines = grounding.renderCoverage('Yes.', { anchors: [] }).split('\n')
    expect(lines.slice(0, -1)).toEqual(['Yes.', ''])
  })

  test('80 columns are the default, fewer than 20 are 20', () => {
    const [text, payload] = [PROSE, { anchors: [span(PROSE, 'Rust', 1)] }]
    const shown = (width?: number) =>
      grounding.renderCoverage(text, payload, width ? { width } : {})
    expect(shown()).toBe(shown(80))
    expect(shown(5)).toBe(shown(20))
  })
})

describe('numbers', () => {
  const text = 'Hello world'

  test.each<[string, [start: number, end: number, sources: number[]][]]>([
    ['several of one span', [[0, 5, [1, 2, 10]]]],
    [
      'two spans that end at one place',
      [
        [0, 11, [3]],
        [6, 11, [1]],
      ],
    ],
    [
      'two that share a source',
      [
        [0, 11, [2]],
        [6, 11, [2]],
      ],
    ],
    [
      'ascending by number',
      [
        [0, 11, [2, 10]],
        [6, 11, [9]],
      ],
    ],
  ])('%s: as markers are', (_, spans) => {
    const anchors = spans.map(([start, end, sources]) => {
      return { start, end, text: text.slice(start, end), sources }
    })
    const [row] = grounding.renderCoverage(text, { anchors }, { color: false }).split('\n')
    expect(row!.replace(/[«»]/g, '')).toBe(insertMarkers(text, { anchors }))
  })
})

describe('spans that are none', () => {
  const text = 'Hello world, hello 😀!'

  test.each<[string, unknown]>([
    ['beyond the end', [{ start: 100, end: 120, text: '', sources: [1] }]],
    ['from inside to beyond the end', [{ start: 6, end: 1000, text: '', sources: [1] }]],
    ['reversed', [{ start: 8, end: 3, text: '', sources: [1] }]],
    ['empty', [{ start: 3, end: 3, text: '', sources: [1] }]],
    ['half a character', [{ start: 20, end: 21, text: '', sources: [1] }]],
    ['endless', [{ start: 0, end: Number.MAX_SAFE_INTEGER, text: '', sources: [1] }]],
    [
      'no numbers',
      [
        { start: 'x', end: null },
        { start: -1, end: 4 },
        { start: 0.5, end: 2 },
      ],
    ],
    ['garbage', [null, 7, 'x', [], {}]],
    ['no list', 'x'],
  ])('%s: the answer is whole, and never more than all of it covered', async (_, anchors) => {
    const output = grounding.renderCoverage(text, { anchors } as Payload)
    expect(barOf(output).share).toBeLessThanOrEqual(100)
    expect(barOf(output).share).toBeGreaterThanOrEqual(0)
    const { lines } = await show(output, 80)
    expect(lines[0]!.replace(/\[1\]/g, '')).toBe(text)
  })

  test.each([undefined, null, 7, 'x', {}, []])('no payload: %j', (payload) => {
    expect(grounding.renderCoverage('Yes.', payload as unknown as Payload)).toMatch(/^Yes\.\n\n·/)
  })

  test('in any order', () => {
    const anchors = [span(PROSE, 'Many use it', 2), span(PROSE, 'Rust is', 1)]
    const sorted = grounding.renderCoverage(PROSE, { anchors: anchors.toReversed() })
    expect(grounding.renderCoverage(PROSE, { anchors })).toBe(sorted)
  })
})

describe('hostile answers', () => {
  const HOSTILE: [string, string][] = [
    ['colours', 'a\u001b[31mred\u001b[0mb'],
    ['underlines of its own', 'a\u001b[4mno source\u001b[24mb'],
    ['a title', 'a\u001b]0;owned\u0007b'],
    ['a clipboard', 'a\u001b]52;c;aGk=\u0007b'],
    ['a link', 'a\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007b'],
    ['a question', 'a\u001b[6n\u001b[c\u001bZb'],
    ['erasing', 'secret\u001b[2J\u001b[1;1Hb\rxx\bb'],
    ['C1 controls', 'a\u009b31mb\u009d0;owned\u009cc\u0090x\u009c'],
    ['bells and nulls', 'a\u0007\u0000\u0001\u007fb'],
    ['directions', 'a\u202egpj.exe\u2066b\u2069\u200f\u061cc'],
    ['line separators', 'a\u2028b\u2029c\u0085d'],
  ]

  test.each(HOSTILE)('%s print nothing but text', async (_, text) => {
    for (const anchors of [[], [{ start: 1, end: text.length, text: '', sources: [1] }]]) {
      for (const color of [true, false]) {
        const output = grounding.renderCoverage(text, { anchors }, { color })
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there.
        const rest = output.replace(/\u001b\[(4|24|2|22)m/g, '')
        expect(rest).not.toMatch(/(?!\n)\p{Cc}/u)
        expect(rest).not.toMatch(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
        if (!color) expect(output).toBe(rest)
        const { noises, rows } = await show(output, 80)
        expect(noises).toEqual([])
        if (anchors.length === 0)
          expect(rows.flat().some(({ underlined }) => underlined)).toBe(false)
        const letters = text.replace(/[^a-z]/g, '')
        const seen = rows
          .slice(0, -1)
          .flat()
          .map(({ text }) => text)
        expect(seen.join('').replace(/[^a-z]/g, '')).toBe(letters)
      }
    }
  })
})

describe('misuse', () => {
  test.each<[text: unknown, options: unknown, message: string]>([
    [7, {}, 'text must be a string, got 7'],
    [undefined, {}, 'text must be a string'],
    ['x', 7, 'options must be an object, got 7'],
    ['x', { width: -1 }, 'options.width must be a whole number from 0, got -1'],
    ['x', { width: 20.5 }, 'options.width must be a whole number from 0, got 20.5'],
    ['x', { width: '80' }, "options.width must be a whole number from 0, got '80'"],
    ['x', { color: 'no' }, "options.color must be true or false, got 'no'"],
  ])('%j with %j', (text, options, message) => {
    for (const draw of [grounding.renderCoverage, grounding.coverageSvg]) {
      const call = () => draw(text as string, { anchors: [] }, options as object)
      expect(call).toThrow(TypeError)
      expect(call).toThrow(message)
    }
  })
})
