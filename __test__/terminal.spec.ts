/**
 * What a real terminal emulator makes of the block: the text of each row, the address behind each
 * cell, the cursor, and that nothing else happened (no bell, no new title, no reply).
 */
import { describe, expect, test } from 'vitest'
import { type CitationSource, layoutCitationBlock, renderCitationBlock } from '../index.js'
import { at, REPORT } from './blocks.js'
import { show, withoutBlankEnd } from './emulator.js'
import { joined, type Piece, readScreen, textOf } from './screen.js'

const LONG = `https://docs.example/${'section/'.repeat(14)}page.html?lang=en&version=2#part;1`

const PAYLOADS: [string, CitationSource[]][] = [
  [
    'web pages with long addresses',
    [
      { title: 'A guide to addresses that fit on no row at all', url: LONG },
      { url: LONG },
      { title: 'paypal.com', url: 'https://evil.example/' },
      { title: 'Rust', url: 'https://en.wikipedia.org/wiki/Rust_(programming_language)' },
    ],
  ],
  [
    'titles of wide characters',
    [
      { title: '漢字かな交じり文の長い題名がここにあります', url: 'https://a.example/漢字' },
      { title: '한국어 제목 👩‍👩‍👧‍👦 👍🏽 ❤ naïve e\u0301', url: 'https://bücher.example/' },
      { title: '😀'.repeat(30), url: 'https://c.example/' },
    ],
  ],
  [
    'documents with excerpts',
    [
      ...REPORT,
      {
        title: '報告書',
        citedText: '売上高は前年比で増加した。'.repeat(5),
        location: at.page(5, 8),
      },
      { title: 'Page', url: 'https://d.example/x', citedText: 'word '.repeat(39) },
    ],
  ],
]

describe.each(PAYLOADS)('%s', (_, sources) => {
  const payload = { text: '', sources }

  describe.each([40, 80, 120])('on %i columns', (width) => {
    const expected = layoutCitationBlock(payload, { width }).map((row) =>
      withoutBlankEnd(joined(row)),
    )

    test.each(['bel', 'st'] as const)('links ended by %s', async (terminator) => {
      const output = renderCitationBlock(payload, { links: 'osc8', width, terminator })
      const screen = await show(output, width)
      expect(screen.rows).toEqual(expected)
      expect(screen.rows).toHaveLength(output.split('\n').length)
      expect(screen.cursor.y).toBe(output.split('\n').length - 1)
      expect(screen.wrapped).toBe(false)
      expect(screen.noises).toEqual([])
    })

    test('each source is linked where its address is shown, and nothing else is', async () => {
      const screen = await show(renderCitationBlock(payload, { links: 'osc8', width }), width)
      const pieces = screen.rows.flat()
      const addresses = sources.flatMap(({ url }) => (url ? [new URL(url).href] : []))
      expect(new Set(pieces.flatMap(({ url }) => url ?? []))).toEqual(new Set(addresses))
      for (const address of addresses) {
        const linked = textOf(pieces.filter(({ url }) => url === address))
        expect(linked).toContain(address)
      }
    })

    test('plain text shows the same words without a link', async () => {
      const output = renderCitationBlock(payload, { links: 'plain', width })
      const screen = await show(output, width)
      const words = (rows: Piece[][]) => rows.map(textOf).join('').replaceAll(/\s/g, '')
      expect(words(screen.rows)).toBe(words(expected))
      expect(screen.rows.flat().filter(({ url }) => url !== undefined)).toEqual([])
      expect(screen.noises).toEqual([])
    })
  })
})

describe('line breaks', () => {
  const payload = { text: '', sources: REPORT }

  test('are bare line feeds: a terminal in raw mode needs them with a carriage return', async () => {
    const output = renderCitationBlock(payload, { links: 'osc8', width: 80 })
    expect(output).not.toContain('\r')
    const cooked = await show(output, 80)
    const raw = await show(output.replaceAll('\n', '\r\n'), 80, false)
    expect(raw.rows).toEqual(cooked.rows)
    expect(raw.cursor).toEqual(cooked.cursor)
  })

  test('none stands at the end: the cursor waits behind the last character', async () => {
    const output = renderCitationBlock(payload, { links: 'osc8', width: 80 })
    const { cursor } = await show(output, 80)
    expect(cursor).toEqual({ x: output.split('\n').at(-1)!.length, y: 2 })
  })
})

test('a link is over when the block is: what is printed next leads nowhere', async () => {
  const payload = { text: '', sources: [{ url: 'https://a.example/' }] }
  const { rows } = await show(`${renderCitationBlock(payload, { links: 'osc8' })} next`, 80)
  expect(rows[1]).toEqual([
    { text: '  1. ' },
    { text: 'https://a.example/', url: 'https://a.example/' },
    { text: ' next' },
  ])
})

test('hostile text changes nothing but its own cells', async () => {
  const attack =
    '\u001b]0;title\u0007\u001b[2J\u001b[5;5H\u009b31m\u0007\u001b]52;c;eA==\u0007\u001b[6n\u001b]8;;https://evil.example\u0007x'
  const sources = [
    { title: attack, url: `https://a.example/${attack}`, citedText: attack },
    { title: 'A', url: 'https://a.example/' },
  ]
  const output = renderCitationBlock({ text: '', sources }, { links: 'osc8', width: 120 })
  const { rows, noises } = await show(output, 120)
  expect(noises).toEqual([])
  expect(rows).toEqual(readScreen(output))
  expect(new Set(rows.flat().flatMap(({ url }) => url ?? []))).toEqual(
    new Set(['https://a.example/']),
  )
})

test('the emulator would notice', async () => {
  const { rows, noises } = await show(
    '\u0007\u001b]0;t\u0007\u001b[6n\u001b]8;;https://a.example\u0007x',
    40,
  )
  expect(noises).toEqual(['bell', 'title t', 'reply \u001b[1;1R'])
  expect(rows).toEqual([[{ text: 'x', url: 'https://a.example' }]])
})
