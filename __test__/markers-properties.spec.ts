/**
 * What holds for any answer: code and links come back to the byte in every format, formatting twice changes
 * nothing, every marker resolves or is reported, and pieces give what the whole gives.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildCitationData, type FormatMarkersOptions, markers } from '../index.js'
import { pages, privateUse } from './marked-answers.js'

const SOURCES = pages(4).map((page, at) => ({ ...page, id: `turn0search${at}` }))

/** Their numbers, by id. */
const NUMBERS = new Map(SOURCES.map(({ id }, at) => [id, at + 1]))

/** What must come back as it is: a piece of text, and whether it is a block. */
type Solid = { text: string; block: boolean }
type Answer = { text: string; solid: Solid[] }

const number = fc.constantFrom(1, 2, 3, 4, 7, 12)

const marker = fc.oneof(
  number.map((n) => `[${n}]`),
  fc.array(number, { minLength: 2, maxLength: 4 }).map((list) => `[${list.join(', ')}]`),
  fc.constantFrom('[1-3]', '[2–4]', '[[2]]', '[^3]', '［4］', '【5:1†source】'),
  number.map((n) => `【${n}†source】`),
  fc.constantFrom(0, 1, 9).map((at) => privateUse(`turn0search${at}`)),
  fc.constant(privateUse('turn0search3', 'L8-L13', 'turn0search1', 'turn8search8')),
)

const word = fc.constantFrom('Paris', 'naïve', '漢字', '😀', 'is', 'since 1887', '**bold**', '"so"')

/** Code and links with what looks like markers in them. */
const inlineSolid = marker.chain((one) => {
  return fc.constantFrom(
    `\`${one}\``,
    `\`\`a \` ${one}\`\``,
    `[see ${one}](https://a.example/x)`,
    `![${one}](https://a.example/i.png)`,
    '`arr[0][1] = 2`',
    '[1](https://a.example/y)',
    '<https://a.example/?q=[1]>',
  )
})

const blockSolid = marker.chain((one) => {
  return fc.constantFrom(
    `\`\`\`js\nlet a = b[1] // ${one}\n\n${one}\n\`\`\``,
    `~~~\n${one}\n\`\`\`\n~~~`,
    `    code ${one} ,\n\n    ${one} .`,
    `> \`\`\`\n> ${one}\n> \`\`\``,
    `- \`\`\`\n  ${one}\n  \`\`\``,
    '[1]: https://a.example/ "T"',
  )
})

/** Words with markers behind them, with or without a blank. */
const cited: fc.Arbitrary<Answer> = fc
  .tuple(word, fc.constantFrom('', ' ', ' '), fc.array(marker, { maxLength: 3 }))
  .map(([words, blank, list]) => ({
    text: list.length ? words + blank + list.join('') : words,
    solid: [],
  }))

const piece: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 3, arbitrary: cited },
  {
    weight: 1,
    arbitrary: inlineSolid.map((text) => ({ text, solid: [{ text, block: false }] })),
  },
)

const paragraph: fc.Arbitrary<Answer> = fc
  .tuple(
    fc.constantFrom('', '', '- ', '> ', '# ', '1. '),
    fc.array(fc.tuple(piece, fc.constantFrom(' ', ', ', '; ', '. ')), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([start, pieces]) => ({
    text: `${start}${pieces.map(([one, behind]) => one.text + behind).join('')}end.`,
    solid: pieces.flatMap(([one]) => one.solid),
  }))

const block: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 3, arbitrary: paragraph },
  { weight: 1, arbitrary: blockSolid.map((text) => ({ text, solid: [{ text, block: true }] })) },
)

/** An answer in Markdown: paragraphs, lists, headings, code, with markers of all dialects. */
const answer: fc.Arbitrary<Answer> = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 6 }), fc.constantFrom('\n', '\n', '\r\n'))
  .map(([blocks, end]) => {
    const lines = (text: string) => text.replaceAll('\n', end)
    return {
      // A word between blocks, so that none belongs to the one before.
      text: lines(blocks.map(({ text }) => `${text}\n\nAnd:\n\n`).join('')),
      solid: blocks
        .flatMap(({ solid }) => solid)
        .map((one) => ({ ...one, text: one.block ? `\n${lines(`${one.text}\n`)}` : one.text })),
    }
  })

const options: fc.Arbitrary<FormatMarkersOptions> = fc.record({
  format: fc.constantFrom('brackets', 'superscript', 'inline-links', 'remove'),
  dangling: fc.constantFrom('keep', 'strip', 'flag'),
  renumber: fc.boolean(),
})

/** Any text at all, of what means something in Markdown and in markers. */
const soup = fc
  .array(
    fc.oneof(
      marker,
      fc.constantFrom(
        ...'[]()`\\!<>#*_~|=-.:,^ \t\n\r"0127a漢😀¹²†【】［］\ue200\ue201\ue202'.split(/(?:)/u),
      ),
      fc.constantFrom(
        '```',
        '~~~',
        '\n\n',
        '    ',
        '\r\n',
        '- ',
        '1. ',
        '](',
        '<b>',
        '<!--',
        'Paris',
      ),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

const format = (text: string, chosen: FormatMarkersOptions) => {
  return markers.formatMarkers(text, SOURCES, chosen)
}

test('code, links and definitions come back to the byte, in their order', () => {
  fc.assert(
    fc.property(answer, options, ({ text, solid }, chosen) => {
      const out = `\n${format(text, chosen).text}`
      let at = 0
      for (const { text: kept } of solid) {
        const found = out.indexOf(kept, at)
        expect(found, `${JSON.stringify(kept)} in ${JSON.stringify(out)}`).toBeGreaterThanOrEqual(
          at,
        )
        // The line end behind a block may be the one before the next.
        at = found + kept.length - 1
      }
    }),
    { numRuns: 1500 },
  )
})

describe('formatting twice changes nothing', () => {
  const formats = ['brackets', 'superscript', 'inline-links', 'remove'] as const
  test.each(formats.flatMap((one) => [[one, false] as const, [one, true] as const]))(
    'whatever the answer: %s, renumber %s',
    (name, renumber) => {
      fc.assert(
        fc.property(answer, options, ({ text }, { dangling }) => {
          const chosen = { format: name, dangling, renumber }
          const once = format(text, chosen).text
          expect(format(once, chosen).text).toBe(once)
        }),
        { numRuns: 400 },
      )
    },
  )

  test.each<[string, FormatMarkersOptions]>([
    ['Two of the same [2][2].', { format: 'superscript' }],
    ['Two of the same [2, 7][2, 7].', { format: 'superscript' }],
    ['Two dialects [2]¹.', { format: 'superscript', dangling: 'strip' }],
    ['Before a hyphen【2†source】-so, and 【1†source】.', { renumber: true }],
    ['A flag and a number [7, 2], then 【1†source】.', { dangling: 'flag', renumber: true }],
    ['| 5【2†source】<br>6 【1†source】 |', { renumber: true }],
  ])('%s %j', (text, chosen) => {
    const once = format(text, chosen).text
    expect(format(once, chosen).text).toBe(once)
  })
})

test.each<[string, FormatMarkersOptions, string]>([
  ['Two [1][2].', {}, 'Two ¹,².'],
  ['Two dialects [2]¹.', {}, 'Two dialects ²,¹.'],
  ['One that dangles [1][2, 7].', { dangling: 'flag' }, 'One that dangles ¹,²[7?].'],
  [
    `One that nobody knows [1]${privateUse('turn0search1', 'turn8search8')}.`,
    {},
    `One that nobody knows ¹,²${privateUse('turn8search8')}.`,
  ],
  ['A year 2015【1】.', {}, 'A year 2015\u202f¹.'],
  ['A year 2015【1, 7】.', { dangling: 'flag' }, 'A year 2015\u202f¹[7?].'],
])('raised numbers never read as another number: %s %j', (text, chosen, expected) => {
  expect(format(text, { ...chosen, format: 'superscript' }).text).toBe(expected)
})

test('a removed marker leaves nothing behind, a stripped one nothing that dangles', () => {
  fc.assert(
    fc.property(answer, ({ text }) => {
      const removed = format(text, { format: 'remove' }).text
      expect(markers.parseMarkers(removed, SOURCES)).toEqual([])
      const stripped = format(text, { dangling: 'strip' }).text
      expect(buildCitationData('s', stripped, SOURCES).unresolved).toEqual([])
    }),
    { numRuns: 800 },
  )
})

describe('every marker resolves or is reported', () => {
  test.each([
    ['answers', answer.map(({ text }) => text)],
    ['any text', soup],
  ])('of %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const found = markers.parseMarkers(text, SOURCES)
        const { references, unresolved } = buildCitationData('s', text, SOURCES)
        const named = found.map((one) => {
          expect(text.slice(one.start, one.end)).toBe(one.text)
          const all = [...one.numbers.map(String), ...(one.ids ?? []).map(({ id }) => id)]
          const resolved = all.map(
            (name) => NUMBERS.get(name) ?? (Number(name) <= 4 ? Number(name) : 0),
          )
          const place = { startIndex: one.start, endIndex: one.end, citedText: one.text }
          const sourceIds = [...new Set(resolved.filter(Boolean))].map((n) => SOURCES[n - 1]!.id)
          const names = all.filter((_, at) => !resolved[at])
          return { place, sourceIds, names }
        })
        const kept = named.filter(({ sourceIds }) => sourceIds.length)
        expect(references).toMatchObject(
          kept.map(({ place, sourceIds }) => ({ ...place, sourceIds })),
        )
        expect(references).toHaveLength(kept.length)
        expect(unresolved).toEqual(
          named
            .filter(({ names }) => names.length)
            .map(({ place, names }) => ({ ...place, names })),
        )
      }),
      { numRuns: 1500 },
    )
  })
})

describe('pieces give what the whole gives', () => {
  test.each([
    ['answers', answer.map(({ text }) => text)],
    ['any text', soup],
  ])('of %s', (_, texts) => {
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 8 })
    fc.assert(
      fc.property(texts, options, cuts, (text, chosen, places) => {
        const characters = [...text]
        const ends = [...places.sort((a, b) => a - b), characters.length]
        const pieces = ends.map((end, at) => characters.slice(ends[at - 1] ?? 0, end).join(''))
        for (const cut of [pieces, characters]) {
          const stream = new markers.MarkerStream(SOURCES, chosen)
          const out = cut.map((one) => stream.push(one)).join('') + stream.finish()
          expect({ text: out, numbers: stream.numbers }).toEqual(format(text, chosen))
        }
      }),
      { numRuns: 1500 },
    )
  })
})

test('numbers anew are 1, 2, 3 in the order they are shown', () => {
  fc.assert(
    fc.property(answer, ({ text }) => {
      const { numbers } = format(text, { renumber: true })
      const values = Object.values(numbers).sort((a, b) => a - b)
      expect(values).toEqual(values.map((_, at) => at + 1))
      const order = markers
        .parseMarkers(text, SOURCES)
        .flatMap((one) => [
          ...one.numbers,
          ...(one.ids ?? []).map(({ id }) => NUMBERS.get(id) ?? 0),
        ])
        .filter((n, at, all) => n > 0 && n <= 4 && all.indexOf(n) === at)
      expect(order.map((n) => numbers[n])).toEqual(values)
    }),
    { numRuns: 800 },
  )
})
