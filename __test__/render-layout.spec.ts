/**
 * Rows and segments: the same block as the text, never wider than asked for, and every piece of a
 * broken address leads to the whole of it.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CitationSource, layoutCitationBlock, type RenderOptions } from '../index.js'
import { at, block, REPORT, SEARCH } from './blocks.js'
import { columnsOf, joined, readScreen, textOf } from './screen.js'

const layout = (sources: CitationSource[], options?: RenderOptions) =>
  layoutCitationBlock({ text: '', sources }, options)

const LONG = `https://a.example/${'path/'.repeat(40)}end?query=${'q'.repeat(80)}`

const PAYLOADS: Record<string, CitationSource[]> = {
  'web pages': SEARCH,
  'long addresses': [
    { title: 'A title of several words that has to be broken as well', url: LONG },
    { url: LONG },
    { title: 'Unbreakable'.repeat(12), url: 'https://a.example/' },
  ],
  'wide characters': [
    { title: '漢字かな交じり文の題名'.repeat(4), url: 'https://a.example/kanji' },
    { title: '한국어 제목 👩‍👩‍👧‍👦 👍🏽 🇩🇪 naïve', url: 'https://b.example/hangul' },
    { title: '報告書', citedText: '売上高は前年比で増加した。'.repeat(9), location: at.page(5, 8) },
  ],
  documents: [
    ...REPORT,
    { title: 'Contract', citedText: 'word '.repeat(39), location: at.block(0, 3) },
    { citedText: 'x'.repeat(200), location: at.page(1, 2) },
  ],
  'twelve sources': Array.from({ length: 12 }, (_, i) => {
    return {
      title: `Source number ${i}`,
      url: `https://n${i}.example/`,
      citedText: 'q '.repeat(60),
    }
  }),
}

/** What is left when breaks and indents are taken out. */
const solid = (text: string) => text.replaceAll(/\s/g, '')

/** All text that leads to `url`, without breaks. */
function linkedText(rows: ReturnType<typeof layout>, url: string): string {
  return solid(textOf(rows.flat().filter((segment) => segment.url === url)))
}

describe.each(Object.entries(PAYLOADS))('%s', (_, sources) => {
  test('rows without a width are the lines of the text', () => {
    expect(layout(sources).map(textOf).join('\n')).toBe(block(sources))
  })

  test('segments have text, and an address exactly where the hyperlinks are', () => {
    const rows = layout(sources)
    expect(rows.map(joined)).toEqual(readScreen(block(sources, { links: 'osc8' })))
    for (const segment of rows.flat()) {
      expect(segment.text).not.toBe('')
      expect(Object.keys(segment)).toEqual('url' in segment ? ['text', 'url'] : ['text'])
    }
  })

  test('links and terminator have no meaning', () => {
    const plain = layout(sources, { width: 50 })
    expect(layout(sources, { width: 50, links: 'plain', terminator: 'st' })).toEqual(plain)
    expect(layout(sources, { width: 50, links: 'markdown' })).toEqual(plain)
  })

  test('no row is wider than asked for, nothing is lost, from 20 to 120 columns', () => {
    for (let width = 20; width <= 120; width += 1) {
      const rows = layout(sources, { width })
      for (const row of rows) {
        expect(columnsOf(textOf(row)), `${width}: ${textOf(row)}`).toBeLessThanOrEqual(width)
      }
      expect(solid(rows.map(textOf).join(''))).toBe(solid(block(sources)))
    }
  })

  test('every piece of title and address leads to the whole address, on each row', () => {
    for (let width = 20; width <= 120; width += 1) {
      const rows = layout(sources, { width })
      for (const { title, url } of sources) {
        if (url) expect(linkedText(rows, url)).toContain(solid(`${title ?? ''}${url}`))
      }
    }
  })

  test('hyperlinked text wraps into the same rows', () => {
    for (let width = 20; width <= 120; width += 1) {
      const rows = layout(sources, { width })
      const text = block(sources, { width, links: 'osc8' })
      expect(readScreen(text), `${width}`).toEqual(rows.map(joined))
      expect(readScreen(block(sources, { width, links: 'osc8', terminator: 'st' }), 'st')).toEqual(
        readScreen(text),
      )
    }
  })

  test('rows below an entry are indented under its first word', () => {
    const rows = layout(sources, { width: 30 }).map(textOf)
    expect(rows[0]).toBe(' Sources:')
    for (const row of rows.slice(1)) expect(row).toMatch(/^( {2}\d+\. | {5,8}(> )?)\S/)
  })
})

describe('breaks', () => {
  test('between words where there are any', () => {
    const source = { title: 'one two three four five', url: 'https://a.example/' }
    expect(layout([source], { width: 24 }).map(textOf)).toEqual([
      ' Sources:',
      '  1. one two three four',
      '     five —',
      '     https://a.example/',
    ])
  })

  test('inside an address that fits no row, each piece linked', () => {
    const url = 'https://a.example/0123456789'
    expect(layout([{ url }], { width: 20 }).map(joined)).toEqual([
      [{ text: ' Sources:' }],
      [{ text: '  1. ' }, { text: 'https://a.examp', url }],
      [{ text: '     ' }, { text: 'le/0123456789', url }],
    ])
  })

  test('quotations go on under their first word', () => {
    const source = { title: 'D', citedText: 'alpha beta gamma', location: at.page(1, 2) }
    expect(layout([source], { width: 20 }).map(textOf)).toEqual([
      ' Sources:',
      '  1. "D" (page 1):',
      '     > "alpha beta',
      '       gamma"',
    ])
  })

  test('widths below 20 count as 20: a number, a gap and a word need as much', () => {
    for (const width of [1, 10, 19])
      expect(layout(SEARCH, { width })).toEqual(layout(SEARCH, { width: 20 }))
  })

  test('an address that is no link is never broken: half of it helps nobody', () => {
    for (const width of [20, 40, 80]) {
      expect(block([{ title: 'A', url: LONG }], { width }).split('\n')).toEqual([
        ' Sources:',
        '  1. A —',
        `     ${LONG}`,
      ])
    }
  })

  test('text ends no row with blanks', () => {
    for (let width = 20; width <= 120; width += 1) {
      for (const links of ['plain', 'osc8'] as const) {
        const rows = Object.values(PAYLOADS).flatMap((sources) =>
          block(sources, { width, links }).split('\n'),
        )
        expect(rows.filter((row) => row.endsWith(' '))).toEqual([])
      }
    }
  })
})

test('any words at any width: nothing wider, nothing lost, the same rows as the text', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'B', '7', 'é', '漢', '字', '👍', '-', '.'),
    minLength: 1,
    maxLength: 40,
  })
  const words = fc.array(word, { minLength: 1, maxLength: 12 }).map((list) => list.join(' '))
  const path = fc.string({ unit: fc.constantFrom(...'abc/-_'), maxLength: 150 })
  const source = fc.record(
    { title: words, url: path.map((rest) => `https://a.example/${rest}`), citedText: words },
    { requiredKeys: ['title'] },
  )
  fc.assert(
    fc.property(
      fc.array(source, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 20, max: 120 }),
      (sources, width) => {
        const rows = layout(sources, { width })
        for (const row of rows) expect(columnsOf(textOf(row))).toBeLessThanOrEqual(width)
        expect(solid(rows.map(textOf).join(''))).toBe(solid(block(sources)))
        expect(readScreen(block(sources, { width, links: 'osc8' }))).toEqual(rows.map(joined))
      },
    ),
    { numRuns: 300 },
  )
})
