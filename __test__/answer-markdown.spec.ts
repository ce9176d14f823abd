/**
 * Answers with their sources as Markdown for other programs. What is written is read again by the reader
 * of Markdown that makes pages, so that a link that ends too early shows.
 */
import { describe, expect, test } from 'vitest'
import {
  type AnswerMarkdownOptions,
  type CitationPayload,
  type CitationSource,
  renderAnswerHtml,
  renderAnswerMarkdown,
} from '../index.js'
import { pages } from './marked-answers.js'
import { PAYLOADS } from './page-payloads.js'
import { answerText, tagsOf } from './page-tags.js'

const STYLES = ['footnotes', 'links', 'list'] as const
const LIST = `1. [Page 1](https://s1.example/)
2. [Page 2](https://s2.example/)`

function written(
  markdown: string,
  options?: AnswerMarkdownOptions,
  given: object = { sources: pages(2) },
): string {
  return renderAnswerMarkdown(markdown, given as CitationPayload, options)
}

/** What a reader of Markdown makes of it; footnotes, which ours does not know, as paragraphs. */
function read(markdown: string): string {
  const plain = markdown.replaceAll(/^\[\^\d+\]: /gm, '')
  return renderAnswerHtml(plain, { text: '', sources: [] })
}

/** The links of a text by their words. */
function linksOf(markdown: string): [text: string, href: string][] {
  const links = tagsOf(read(markdown)).filter(({ name }) => name === 'a')
  return links.map(({ text, attributes }) => [text, attributes.href!])
}

describe('styles', () => {
  test('a list, which is what is written when nothing is chosen', () => {
    const text = `So [1], and so [2].\n\nSources:\n\n${LIST}\n`
    expect(written('So 【1】, and so [^2].')).toBe(text)
    expect(written('So [1], and so [2].', { style: 'list' })).toBe(text)
  })

  test('footnotes', () => {
    expect(written('So [1], and so [1][2].', { style: 'footnotes' })).toBe(
      `So [^1], and so [^1][^2].

[^1]: [Page 1](https://s1.example/)

[^2]: [Page 2](https://s2.example/)
`,
    )
  })

  test('links', () => {
    expect(written('So [1], and so [2].', { style: 'links' })).toBe(
      'So [1](https://s1.example/), and so [2](https://s2.example/).\n',
    )
  })

  test('a link is never a picture', () => {
    const text = written('Wow![1] Really!【2】', { style: 'links' })
    expect(text).toContain('Wow! [1](https://s1.example/)')
    expect(text).not.toMatch(/!\[/)
  })

  test('a list whose numbers would be others elsewhere says them itself', () => {
    const sources = [{ title: 'A' }, { title: 'B', shownInline: true as const }, { title: 'C' }]
    expect(written('So.', {}, { sources })).toBe('So.\n\nSources:\n\n- \\[1\\] A\n- \\[3\\] C\n')
    expect(answerText(read(written('So.', {}, { sources })))).toBe('So. Sources: [1] A [3] C')
  })

  test.each(STYLES)('%s: no sources, nothing but the answer', (style) => {
    for (const given of [{}, { sources: [] }, null, 7, { sources: [{}] }])
      expect(written('So [7].\n', { style }, given as object)).toBe('So [7].\n')
  })

  test.each(STYLES)('%s: no answer, the sources', (style) => {
    expect(written('', { style })).toBe(`Sources:\n\n${LIST}\n`)
  })
})

describe('what a style has no place for is listed', () => {
  const sources: CitationSource[] = [
    { title: 'A', url: 'https://a.example/' },
    { title: 'No address' },
    { title: 'Uncited', url: 'https://c.example/' },
  ]

  test('footnotes: what nobody points at', () => {
    expect(written('So [1][2].', { style: 'footnotes' }, { sources })).toBe(
      `So [^1][^2].

[^1]: [A](https://a.example/)

[^2]: No address

Sources:

- \\[3\\] [Uncited](https://c.example/)
`,
    )
  })

  test('links: that, and what has no address', () => {
    expect(written('So [1][2].', { style: 'links' }, { sources })).toBe(
      `So [1](https://a.example/)[2].

Sources:

- \\[2\\] No address
- \\[3\\] [Uncited](https://c.example/)
`,
    )
  })

  test.each(STYLES)('%s: every source once', (style) => {
    const text = written('So [1][2].', { style }, { sources })
    for (const { title } of sources.slice(1)) expect(text.split(title!)).toHaveLength(2)
    expect(text.split('https://a.example/')).toHaveLength(2)
  })

  test('sources a tool has shown, when they are asked for or cited', () => {
    const given = { sources: [{ title: 'A' }, { title: 'B', shownInline: true as const }] }
    expect(written('So.', {}, given)).not.toContain('B')
    expect(written('So [2].', {}, given)).toContain('2. B')
    expect(written('So.', { showInlineSources: true }, given)).toContain('2. B')
  })
})

describe('where the list stands', () => {
  test.each([
    ['a fence', 'So [1]:\n\n```js\na[1]', '\n```\n\nSources:'],
    ['a long fence', 'So [1]:\n\n````\n```\na', '\n````\n\nSources:'],
    ['tildes', 'So [1]:\n\n~~~\na', '\n~~~\n\nSources:'],
    ['a comment', 'So [1]:\n\n<!-- a', '\n-->\n\nSources:'],
    ['an element of raw text', 'So [1]:\n\n<script>\na', '\n</script>\n\nSources:'],
    ['an element of any kind', 'So [1]:\n\n<div>\na', '<div>\na\n\nSources:'],
    ['a comment in a sentence', 'So [1] <!-- a', '<!-- a\n\nSources:'],
    ['a fence that is closed', 'So [1]:\n\n```\na\n```', 'a\n```\n\nSources:'],
    ['a fence in a list', 'So [1]:\n\n- ```\n  a', '  a\n\nSources:'],
    ['a fence in a quotation', 'So [1]:\n\n> ```\n> a', '> a\n\nSources:'],
    ['a list', 'So [1]:\n\n1. a\n2. b', '2. b\n\nSources:'],
    ['a table', 'So [1]:\n\n|a|\n|-|\n|b|', '|b|\n\nSources:'],
    ['blanks', 'So [1].\n\n\n   \n', '.\n\nSources:'],
  ])('behind %s', (_, markdown, expected) => {
    const text = written(markdown)
    expect(text).toContain(expected)
    expect(answerText(read(text))).toMatch(/Sources: Page 1 Page 2$/)
    const footnotes = written(markdown, { style: 'footnotes' })
    expect(linksOf(footnotes)).toContainEqual(['Page 2', 'https://s2.example/'])
  })

  test.each(['[^1]: My own.', 'x [^note]\n\n  [^note]: Mine.'])(
    'footnotes of its own: a list instead: %j',
    (own) => {
      const text = written(`So [1].\n\n${own}`, { style: 'footnotes' })
      expect(text).toContain(`Sources:\n\n${LIST}`)
      expect(text).not.toContain('[^2]')
      expect(text).toContain('So [1].')
    },
  )
})

describe('titles and addresses', () => {
  test.each([
    'a ] b',
    'a [b] c',
    'a](/evil) b',
    '](/evil)[',
    'a\\',
    'a\\](/evil)',
    '`a](/evil)`',
    '<b>a</b>',
    '*a* _b_ ~c~',
    '# a',
    '- a',
    '1. a',
    '![a](/evil)',
    '[^1]: a',
    '&amp; &lt;',
    'a | b',
    '> a',
    '+ a',
    '===',
    '---',
    'a\n\n[x]: /evil',
  ])('the title %j is text', (title) => {
    const sources = [
      { title, url: 'https://a.example/' },
      { title, fileId: 'x' },
    ]
    const shown = title.replaceAll(/\s+/g, ' ')
    for (const style of STYLES) {
      const text = written('So.', { style }, { sources })
      expect(linksOf(text), text).toEqual([[shown, 'https://a.example/']])
      expect(answerText(read(text))).toBe(`So. Sources: ${shown} "${shown}"`)
    }
    const footnote = written('So [2].', { style: 'footnotes' }, { sources })
    expect(footnote).toMatch(/\n\[\^2\]: \S/)
  })

  test.each([
    'https://a.example/a)b',
    'https://a.example/(a)',
    'https://a.example/a(b',
    'https://a.example/[a]',
    'https://a.example/a*b*_c_',
    'https://a.example/?a=`b`',
    'https://a.example/a|b',
    'https://[::1]:8080/a)',
    'https://a.example/a b',
    'https://a.example/"x"',
    'https://a.example/<x>',
    'https://a.example/\\x',
  ])('the address %j ends where it ends', (url) => {
    const sources = [{ title: 'T', url }]
    for (const text of [
      written('So.', {}, { sources }),
      written('So [1] x.', { style: 'links' }, { sources }),
      written('So [1] x.', { style: 'footnotes' }, { sources }),
    ]) {
      const links = linksOf(text)
      expect(links).toHaveLength(1)
      const plain = (address: string) => decodeURIComponent(new URL(address).href)
      expect(plain(links[0]![1])).toBe(plain(url))
      expect(answerText(read(text))).not.toContain('http')
    }
  })

  test('whatever they hold, there is no link but to the source', () => {
    for (const payload of PAYLOADS) {
      const source = {
        title: payload,
        url: 'https://a.example/',
        citedText: payload,
        author: payload,
      }
      for (const style of STYLES) {
        const text = written('So [1].', { style }, { sources: [source, { title: payload }] })
        const foreign = linksOf(text).filter(([, href]) => href !== 'https://a.example/')
        expect(foreign, text).toEqual([])
        expect(text).not.toMatch(/(^|[^\\])!\[/)
      }
    }
  })
})

describe('excerpts', () => {
  const sources = [{ title: 'A', url: 'https://a.example/', citedText: 'Words [of] *it*.' }]

  test('stand below their source', () => {
    expect(written('So [1].', {}, { sources })).toBe(
      `So [1].

Sources:

1. [A](https://a.example/)
   > "Words \\[of\\] \\*it\\*."
`,
    )
    expect(answerText(read(written('So [1].', { style: 'list' }, { sources })))).toBe(
      'So [1]. Sources: A "Words [of] *it*."',
    )
  })

  test('stand in their footnote', () => {
    expect(written('So [1].', { style: 'footnotes' }, { sources })).toContain(
      '\n[^1]: [A](https://a.example/)\n    > "Words',
    )
  })

  test('are left out on request', () => {
    for (const style of STYLES)
      expect(written('So [1].', { style, showExcerpts: false }, { sources })).not.toContain('Words')
  })

  test('are cut at 200 characters', () => {
    const long = [{ title: 'A', citedText: 'x'.repeat(500) }]
    expect(written('So.', {}, { sources: long })).toContain(`"${'x'.repeat(200)}…"`)
  })
})

describe('numbers', () => {
  test('stay what they are, and again', () => {
    const given = { sources: pages(4) }
    for (const style of ['list', 'footnotes'] as const) {
      const once = written('So [3], [1] and [9].', { style }, given)
      expect(once).toMatch(
        style === 'list' ? /So \[3\], \[1\] and \[9\]/ : /So \[\^3\], \[\^1\] and \[9\]/,
      )
      const [answer] = once.split('\n')
      expect(written(answer!, { style }, given)).toBe(once)
    }
  })

  test('come from spans where the answer has none', () => {
    const anchors = [{ start: 0, end: 2, text: 'So', sources: [2] }]
    expect(written('So it is.', { style: 'links' }, { sources: pages(2), anchors })).toMatch(
      /^So ?\[2\]\(https:\/\/s2\.example\/\) it is\./,
    )
  })

  test('in code stay code', () => {
    const code = 'So `a[1]`.\n\n```\nb[1]\n```'
    for (const style of STYLES) expect(written(code, { style })).toContain(code)
  })
})

describe('options', () => {
  test.each<[object, string]>([
    [{ style: 'html' }, 'style'],
    [{ style: 1 }, 'style'],
    [{ showExcerpts: 'no' }, 'showExcerpts'],
    [{ showInlineSources: 1 }, 'showInlineSources'],
  ])('%j is a TypeError', (options, name) => {
    expect(() => written('x', options)).toThrow(TypeError)
    expect(() => written('x', options)).toThrow(`options.${name} must be`)
  })

  test.each([undefined, null, 7, {}])('no text: %j', (markdown) => {
    expect(() => written(markdown as unknown as string)).toThrow(TypeError)
  })
})

describe('what could steer a terminal or hide', () => {
  const ESCAPES =
    '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \u0000\u0008\u007f \u202ex\u202c'

  test.each(STYLES)('is gone, style %s', (style) => {
    const text = `So ${ESCAPES}[1].\n\n\`\`\`\n\tcode ${ESCAPES}\n\`\`\`\n`
    const out = written(text, { style })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
    expect(out).not.toMatch(/[\0-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(out).toContain('\n\tcode [31mred[0m')
  })

  test('also where there is no source', () => {
    expect(written(`So ${ESCAPES}.`, {}, { sources: [] })).toBe('So [31mred[0m ]0;title 2J  x.')
  })

  test('spans count it', () => {
    const anchors = [{ start: 0, end: 4, text: 'a\u001bbc', sources: [1] }]
    const out = written('a\u001bbc de', {}, { sources: pages(1), anchors })
    expect(out).toMatch(/^abc\[1\] de\n/)
  })

  test('hides no footnote', () => {
    const out = written('So [1].\n\n[\u200b^1]: mine\n', { style: 'footnotes' })
    expect(out).toContain('[^1]: mine')
    expect(out).toContain(LIST)
  })
})
