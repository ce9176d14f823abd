/**
 * Any answer with any sources: tags are balanced and ours, words stay visible, and eight times the input
 * takes about eight times as long. Times are compared with each other, never with a clock.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CitationPayload, renderAnswerHtml, renderAnswerMarkdown } from '../index.js'
import { expectLinear } from './growth.ts'
import { pages } from './marked-answers.js'
import { PAYLOADS } from './page-payloads.js'
import { answerText, tagsOf } from './page-tags.js'

const OURS = new Set(
  'a blockquote br button code dd details dialog div dl dt em form h1 h2 h3 h4 h5 h6 hr li ol p pre span strong summary sup table tbody td th thead tr ul'.split(
    ' ',
  ),
)

/** Markup that hides no word: no title, no definition, no language of code, no table. */
const VISIBLE = [
  ...[
    '**',
    '*',
    '_',
    '` ',
    // No three in a row: what follows a fence on its line is not shown.
    ' `` ',
    '\n~~~\n',
    '\n> ',
    '\n- ',
    '\n  1. ',
    '\n# ',
    '\n\n',
    '\n',
    '\\',
    '    ',
  ],
  ...[
    '[1]',
    '[2, 3]',
    '【1】',
    '[9]',
    '[',
    '![',
    '](https://a.example/)',
    '](javascript:x)',
    '<b>',
    '</b>',
  ],
  ...[
    '&amp;',
    '&lt;',
    '"',
    "'",
    '<',
    '>',
    '&',
    '!',
    '\n---\n',
    '<div>\n',
    '\ue200cite\ue202x\ue201',
  ],
]
const MARKUP = [
  ...VISIBLE,
  '|',
  '\n|-|:-:|\n',
  '```x\n',
  '[1]: https://a.example/\n',
  '<!--',
  '<pre>',
]

const word = fc.integer({ min: 100, max: 999 }).map((number) => ` w${number} `)
const visible = fc.array(fc.oneof(word, fc.constantFrom(...VISIBLE)), { maxLength: 40 })
const markup = fc.array(
  fc.oneof(word, fc.constantFrom(...MARKUP), fc.constantFrom(...PAYLOADS), fc.string()),
  { maxLength: 30 },
)

const field = fc.option(fc.oneof(fc.string(), fc.constantFrom(...PAYLOADS)), { nil: undefined })
const source = fc.record({
  title: field,
  url: fc.oneof(field, fc.webUrl()),
  citedText: field,
  snippet: field,
  author: field,
  toolName: field,
  provider: field,
  uri: field,
  domain: field,
  shownInline: fc.constantFrom(true, undefined),
})
const anchor = fc.record({
  start: fc.nat(40),
  end: fc.nat(80),
  text: fc.constant(''),
  sources: fc.array(fc.nat(6), { maxLength: 3 }),
})
const payload = fc.record({
  text: fc.constant(''),
  sources: fc.array(source, { maxLength: 5 }),
  anchors: fc.array(anchor, { maxLength: 3 }),
})

describe('any answer', () => {
  test('with any sources has balanced tags, all ours, and each id once', () => {
    fc.assert(
      fc.property(markup, payload, fc.boolean(), (pieces, given, inline) => {
        const format = inline ? 'inline-links' : 'brackets'
        const html = renderAnswerHtml(pieces.join(''), given as CitationPayload, { format })
        const tags = tagsOf(html)
        expect(tags.filter(({ name }) => !OURS.has(name))).toEqual([])
        const ids = tags.flatMap(({ attributes }) => attributes.id ?? [])
        expect(new Set(ids).size).toBe(ids.length)
        // Whatever a marker points at is there.
        for (const { attributes } of tags) {
          const { href = '', 'aria-describedby': tip, commandfor } = attributes
          for (const id of [href.startsWith('#') ? href.slice(1) : undefined, tip, commandfor])
            if (id) expect(ids).toContain(id)
        }
        // A link inside a link is none.
        expect(html).not.toMatch(/<a [^>]*>(?:(?!<\/a>)[\s\S])*<a /)
      }),
      { numRuns: 500 },
    )
  })

  test('shows all its words, in their order', () => {
    fc.assert(
      fc.property(visible, (pieces) => {
        const markdown = pieces.join('')
        const html = renderAnswerHtml(markdown, { text: '', sources: pages(3) })
        const words = (text: string) => text.match(/w\d{3}/g) ?? []
        expect(words(answerText(html))).toEqual(words(markdown))
      }),
      { numRuns: 500 },
    )
  })

  test('as Markdown shows the same words and sources again', () => {
    fc.assert(
      fc.property(visible, fc.constantFrom('list', 'links', 'footnotes'), (pieces, style) => {
        const markdown = pieces.join('')
        const given = { text: '', sources: pages(3) }
        const written = renderAnswerMarkdown(markdown, given, { style })
        const words = (text: string) => text.match(/w\d{3}/g) ?? []
        expect(words(written)).toEqual(words(markdown))
        const shown = answerText(renderAnswerHtml(written, { text: '', sources: [] }))
        expect(words(shown)).toEqual(words(markdown))
      }),
      { numRuns: 300 },
    )
  })
})

describe('hostile size', () => {
  const texts: [string, number, (size: number) => string][] = [
    ['markers', 40_000, (size) => '[1]'.repeat(size)],
    ['markers between words', 20_000, (size) => 'a [1], '.repeat(size)],
    ['ranges', 4_000, (size) => '[1-3] '.repeat(size)],
    ['quotations', 20_000, (size) => `${'>'.repeat(size)} a [1]`],
    ['lists', 4_000, (size) => `${'- '.repeat(size)}a [1]`],
    ['opening brackets', 40_000, (size) => '['.repeat(size)],
    ['pictures in pictures', 4_000, (size) => `${'![a '.repeat(size)}${'](x)'.repeat(size)}`],
    [
      'pictures in pictures that lead somewhere',
      2_000,
      (size) => `${'![a [1] '.repeat(size)}${'](https://a.example/)'.repeat(size)}`,
    ],
    ['runs of emphasis', 40_000, (size) => '**a '.repeat(size)],
    ['one run of emphasis', 40_000, (size) => `${'*'.repeat(size)}a${'*'.repeat(size)}`],
    ['backticks', 40_000, (size) => '`` ` '.repeat(size)],
    // Beyond what the parser fills up: a row may have fewer cells than its table.
    [
      'columns and rows',
      16_000,
      (size) => `${'|a'.repeat(size)}|\n${'|-'.repeat(size)}|\n${'|b|\n'.repeat(size)}`,
    ],
    ['rows', 4_000, (size) => `|a|b|\n|-|-|\n${'|c [1]|d|\n'.repeat(size)}`],
    [
      'definitions',
      4_000,
      (size) => `${'[a] '.repeat(size)}\n\n[a]: https://a.example/${'x'.repeat(900)}`,
    ],
    ['raw HTML', 20_000, (size) => '<b>'.repeat(size)],
    ['comments that never end', 20_000, (size) => '<!-- '.repeat(size)],
    ['entities', 20_000, (size) => '&amp;&#91;1]'.repeat(size)],
    ['one long line', 400_000, (size) => 'a'.repeat(size)],
    ['ids', 10_000, (size) => '\ue200cite\ue202x\ue201'.repeat(size)],
  ]

  test.each(texts)('%s', (_, size, text) => {
    const given = { text: '', sources: pages(3) }
    expectLinear(size, (size) => {
      const markdown = text(size)
      return () => renderAnswerHtml(markdown, given)
    })
  })

  test.each(texts)('%s, as Markdown', (_, size, text) => {
    const given = { text: '', sources: pages(3) }
    expectLinear(size, (size) => {
      const markdown = text(size)
      return () => renderAnswerMarkdown(markdown, given, { style: 'links' })
    })
  })

  test('many sources and many spans', () => {
    expectLinear(4_000, (size) => {
      const sources = pages(size)
      const anchors = sources.map((_, at) => {
        return { start: at * 2, end: at * 2 + 1, text: '', sources: [at + 1, size - at] }
      })
      const given = { text: '', sources, anchors }
      return () => renderAnswerHtml('a '.repeat(size), given)
    })
  })

  test('sources that repeat their words', () => {
    expectLinear(400, (size) => {
      const also = Array.from({ length: size }, (_, at) => ({
        citedText: `${at} ${'x'.repeat(900)}`,
      }))
      const given = { text: '', sources: [{ title: 'A', citedText: 'x'.repeat(size * 900), also }] }
      return () => renderAnswerHtml('a [1]', given)
    })
  })
})
