/**
 * The block of sources, byte for byte: as the specification draws it, for every kind of source, and
 * in every way links are written.
 */
import { describe, expect, test } from 'vitest'
import { type CitationSource, layoutCitationBlock, renderCitationBlock } from '../index.js'
import { at, block, lines, NODE, NOTES, REPORT, RUST, SEARCH, SPECIFIED } from './blocks.js'
import { osc8 } from './screen.js'

describe('the blocks of the specification', () => {
  test.each([
    ['Gemini with Google Search', SEARCH, SPECIFIED.gemini],
    ['Anthropic with a document', REPORT, SPECIFIED.anthropic],
    [
      'OpenAI Responses with web search',
      [{ title: 'Node.js Release Schedule', url: NODE }],
      SPECIFIED.openai,
    ],
    ['no citations available', [], ''],
  ])('%s, from a payload', (_, sources, expected) => {
    expect(block(sources)).toBe(expected)
  })
})

describe('nothing to cite', () => {
  test.each([
    ['no sources', { text: 'text alone', sources: [] }],
    ['sources of another type', { text: '', sources: 5 }],
    ['no fields', {}],
    ['null', null],
    ['a number', 7],
    ['sources without content', { text: '', sources: [null, {}, { title: '' }, 3] }],
  ])('%s', (_, payload) => {
    expect(renderCitationBlock(payload as never, { links: 'osc8' })).toBe('')
    expect(layoutCitationBlock(payload as never)).toEqual([])
  })
})

describe('one row for every kind of source', () => {
  const url = 'https://a.example/x'
  const table: [string, CitationSource, string[]][] = [
    ['a page without title', { url }, [`  1. ${url}`]],
    ['a page whose title is its address', { title: url, url }, [`  1. ${url}`]],
    ['a title without address', { title: 'A book' }, ['  1. A book']],
    ['a blank title', { title: ' \n', url }, [`  1. ${url}`]],
    ['blanks around a title', { title: '  A  ', url }, [`  1. A — ${url}`]],
    ['a name that is no web address', { uri: 'gs://b/c.pdf' }, ['  1. gs://b/c.pdf']],
    ['a stored file', { title: 'plan.pdf', fileId: 'file-1' }, ['  1. "plan.pdf"']],
    ['one page', { title: 'D', location: at.page(5, 6) }, ['  1. "D" (page 5)']],
    ['several pages', { title: 'D', location: at.page(5, 8) }, ['  1. "D" (pages 5–7)']],
    [
      'a page that ends where it starts',
      { title: 'D', location: at.page(5, 5) },
      ['  1. "D" (page 5)'],
    ],
    ['one block', { title: 'D', location: at.block(2, 3) }, ['  1. "D" (block 3)']],
    ['several blocks', { title: 'D', location: at.block(0, 3) }, ['  1. "D" (blocks 1–3)']],
    ['characters', { title: 'D', location: at.chars(0, 12) }, ['  1. "D" (chars 0–12)']],
    [
      'a passage of a search result',
      { title: 'R', location: at.result(0, 2) },
      ['  1. "R" (blocks 1–2)'],
    ],
    [
      'a passage of a search result on the web',
      { title: 'R', url, location: at.result(0, 1) },
      [`  1. R (block 1) — ${url}`],
    ],
    [
      'the first document without title',
      { location: at.page(1, 2), citedText: 'q' },
      ['  1. Document 1 (page 1):', '     > "q"'],
    ],
    [
      'the third document without title',
      { location: at.block(0, 1), citedText: 'q' },
      ['  1. Document 3 (block 1):', '     > "q"'],
    ],
    [
      'a quotation of a page',
      { title: 'A', url, citedText: ' q ' },
      [`  1. A — ${url}`, '     > "q"'],
    ],
    ['a quotation of nothing known', { citedText: 'q' }, ['  1. Untitled source:', '     > "q"']],
    [
      'places in the answer',
      { title: 'A', url, location: { type: 'url_citation', startIndex: 1, endIndex: 2 } },
      [`  1. A — ${url}`],
    ],
  ]
  test.each(table)('%s', (_, source, expected) => {
    expect(block([source])).toBe(lines(...expected))
  })

  // Anthropic sends search results of the web with `title: null`.
  test('a passage of a web page without title keeps address and place apart', () => {
    const row = block([{ url, location: at.result(0, 1) }]).split('\n')[1]
    expect(row).toMatch(/^ {2}1\. \S/)
    expect(row!.split(' ')).toContain(url)
    expect(row).toContain('(block 1)')
  })
})

describe('choices', () => {
  const many = Array.from({ length: 12 }, (_, i): CitationSource => {
    return { title: `T${i + 1}`, citedText: `q${i + 1}` }
  })

  test('quotations stand under the name, also where numbers have two digits', () => {
    const rows = block(many).split('\n')
    expect(rows.slice(17, 21)).toEqual(['  9. T9:', '     > "q9"', '  10. T10:', '      > "q10"'])
    expect(rows).toHaveLength(1 + 2 * 12)
  })

  test('quotations in Markdown stand under the name too, or they would leave their list item', () => {
    const rows = block(many, { links: 'markdown' }).split('\n')
    expect(rows.slice(17, 21)).toEqual(['  9. T9:', '     > "q9"', '  10. T10:', '      > "q10"'])
  })

  test.each([
    [0, lines('  … and 12 more')],
    [2, lines('  1. T1', '  2. T2', '  … and 10 more')],
    [
      11,
      lines(...many.slice(0, 11).map(({ title }, i) => `  ${i + 1}. ${title}`), '  … and 1 more'),
    ],
    [12, lines(...many.map(({ title }, i) => `  ${i + 1}. ${title}`))],
    [13, lines(...many.map(({ title }, i) => `  ${i + 1}. ${title}`))],
    [Number.POSITIVE_INFINITY, lines(...many.map(({ title }, i) => `  ${i + 1}. ${title}`))],
  ])('maxSources %d counts the rest, quotations left out', (maxSources, expected) => {
    expect(block(many, { maxSources, showExcerpts: false })).toBe(expected)
    expect(block(many, { maxSources, showExcerpts: false, links: 'markdown' })).toBe(expected)
  })

  test('without quotations no colon waits for one', () => {
    expect(block(REPORT, { showExcerpts: false })).toBe(
      lines('  1. "Q3 Revenue Report" (chars 1204–1289)'),
    )
  })

  test.each(['bel', 'st'] as const)(
    'terminal hyperlinks on title and address, ended by %s',
    (terminator) => {
      expect(block(SEARCH, { links: 'osc8', terminator })).toBe(
        lines(
          `  1. ${osc8('History of Rust', RUST, terminator)} — ${osc8(RUST, RUST, terminator)}`,
          `  2. ${osc8('Rust Release Notes', NOTES, terminator)} — ${osc8(NOTES, NOTES, terminator)}`,
        ),
      )
    },
  )

  test('hyperlinks end in BEL unless told otherwise', () => {
    expect(block(SEARCH, { links: 'osc8' })).toBe(
      block(SEARCH, { links: 'osc8', terminator: 'bel' }),
    )
  })

  test('a title that names another host is no hyperlink; its address is', () => {
    const url = 'https://evil.example/'
    expect(block([{ title: 'paypal.com', url }], { links: 'osc8' })).toBe(
      lines(`  1. paypal.com — ${osc8(url, url)}`),
    )
  })
})

describe('Markdown', () => {
  const table: [string, CitationSource, string][] = [
    ['a page', { title: 'A', url: 'https://a.example/x' }, '[A](https://a.example/x)'],
    [
      'parentheses in an address',
      { title: 'R', url: RUST },
      '[R](https://en.wikipedia.org/wiki/Rust_%28programming_language%29)',
    ],
    [
      'brackets in a title',
      { title: 'a [b](c) d', url: 'https://a.example/' },
      '[a \\[b\\](c) d](https://a.example/)',
    ],
    [
      'emphasis and code',
      { title: '*a* _b_ `c` <d> \\', url: 'https://a.example/' },
      '[\\*a\\* \\_b\\_ \\`c\\` &lt;d\\> \\\\](https://a.example/)',
    ],
    [
      'a tag behind an address, which readers that make it clickable take to the next blank',
      { title: 'See https://x.example/<img src=x onerror=alert(1)//>' },
      'See https://x.example/&lt;img src=x onerror=alert(1)//\\>',
    ],
    [
      'a page without title',
      { url: 'https://a.example/a_b' },
      '[https://a.example/a\\_b](https://a.example/a_b)',
    ],
    [
      'a misleading title',
      { title: 'paypal.com', url: 'https://evil.example/' },
      'paypal.com — [https://evil.example/](https://evil.example/)',
    ],
    [
      'a misleading address in a title',
      { title: 'see https://good.example/x', url: 'https://evil.example/' },
      'see https://good.example/x — [https://evil.example/](https://evil.example/)',
    ],
    [
      'a title with its own host',
      { title: 'docs.a.example', url: 'https://a.example/' },
      '[docs.a.example](https://a.example/)',
    ],
    [
      'a title that looks like a file',
      { title: 'Node.js report.pdf', url: 'https://a.example/' },
      '[Node.js report.pdf](https://a.example/)',
    ],
    ['a document', { title: 'D [1]', location: at.page(1, 2) }, '"D \\[1\\]" (page 1)'],
    ['a host in digits', { title: 'A', url: 'http://[::1]/x' }, '[A](http://[::1]/x)'],
  ]
  test.each(table)('%s', (_, source, expected) => {
    expect(block([source], { links: 'markdown' })).toBe(lines(`  1. ${expected}`))
  })

  test('a quotation is escaped and stands on its own row', () => {
    expect(block([{ ...REPORT[0], citedText: 'a [b] *c*' }], { links: 'markdown' })).toBe(
      lines('  1. "Q3 Revenue Report" (chars 1204–1289):', '     > "a \\[b\\] \\*c\\*"'),
    )
  })

  test('is never wrapped', () => {
    expect(block(SEARCH, { links: 'markdown', width: 20 })).toBe(
      block(SEARCH, { links: 'markdown' }),
    )
  })
})
