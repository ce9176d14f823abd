/**
 * Answers as pieces of a page, read by a strict reader: which markers become links to which sources, what
 * stays text, and that numbers agree wherever they are shown.
 */
import { describe, expect, test } from 'vitest'
import {
  type AnswerHtmlOptions,
  type CitationPayload,
  CitationService,
  type CitationSource,
  renderAnswerHtml,
} from '../index.js'
import { pages, privateUse } from './marked-answers.js'
import { answerText, marksOf, ofClass, tagsOf } from './page-tags.js'
import { gemini, grounded, support, web } from './turns.js'

const payload = (sources: CitationSource[]): CitationPayload => ({ text: '', sources })
const three = payload(pages(3))

function render(markdown: string, options?: AnswerHtmlOptions, given: object = three): string {
  return renderAnswerHtml(markdown, given as CitationPayload, options)
}

/** The numbers that markers of an answer lead to. */
const leadTo = (html: string) => marksOf(html).map((mark) => Number(/-s(\d+)$/.exec(mark)?.[1]))

/** The numbers of the list, of the tooltips and of the dialogs. */
function numbersOf(html: string) {
  const tags = tagsOf(html)
  const numbers = (pattern: RegExp) =>
    tags.flatMap(({ attributes }) => pattern.exec(attributes.id ?? '')?.[1] ?? []).map(Number)
  const shown = tags.flatMap(({ name, attributes }) =>
    name === 'li' ? (attributes.value ?? []) : [],
  )
  const listed = numbers(/-s(\d+)$/)
  expect(shown.map(Number)).toEqual(listed)
  return { listed, tips: numbers(/-t(\d+)$/), dialogs: numbers(/-d(\d+)$/) }
}

describe('markers', () => {
  test.each<[string, number[]]>([
    ['It is so [1].', [1]],
    ['It is so [1][2].', [1, 2]],
    ['It is so [1, 2; 3].', [1, 2, 3]],
    ['It is so [1-3].', [1, 2, 3]],
    ['It is so [^2].', [2]],
    ['It is so【2】.', [2]],
    ['It is so【2†L3-L5】.', [2]],
    ['It is so［3］.', [3]],
    ['It is stable¹ and known.²', [1, 2]],
    ['**So [1]** and *so [2]*.', [1, 2]],
    ['# So [1]\n\n> so [2]\n\n- so [3]', [1, 2, 3]],
    ['| a [1] | b |\n|---|---|\n| c | d [2] |', [1, 2]],
    ['1. a\n   - b\n     > c [3]', [3]],
    ['It is so![1]', [1]],
    ['<b>so [1]</b>', [1]],
  ])('%j leads to %j', (markdown, numbers) => {
    expect(leadTo(render(markdown))).toEqual(numbers)
  })

  test('ids of providers lead to the sources that have them', () => {
    const sources = pages(2).map((page, at) => ({ ...page, id: `turn0search${at}` }))
    const html = render(`So ${privateUse('turn0search1')}.`, {}, payload(sources))
    expect(leadTo(html)).toEqual([2])
    expect(answerText(html)).toBe('So [2].')
  })

  test.each<[string, string]>([
    ['code', '`a[1]` and `[1]`'],
    ['a fence', '```\n[1]\n```'],
    ['indented code', 'a\n\n    [1]'],
    ['links', '[a [1]](https://a.example/) and [1](https://b.example/)'],
    ['pictures', '![a [1]](https://a.example/x.png)'],
    ['escaped brackets', '\\[1] and &#91;1]'],
    ['a block of HTML', '<div>\n[1]\n</div>'],
    ['numbers nobody has', 'a [4] and [0] and [99]'],
  ])('in %s stay as they are', (_, markdown) => {
    expect(marksOf(render(markdown))).toEqual([])
  })

  test('numbers that name no source stay text beside those that do', () => {
    const html = render('So [1, 7] and [7].')
    expect(leadTo(html)).toEqual([1])
    expect(answerText(html)).toBe('So [1][7] and [7].')
  })

  test.each([
    'So [1].\n\n[1]: https://defined.example/',
    'So [1]!\n\n[1]: https://defined.example/ "Title"\n[2]: <https://other.example/>',
    'So [1][2].\n\n[2]: https://defined.example/',
    'So ![1].\n\n[1]: https://defined.example/',
  ])('are markers where the answer defines the number: %j', (markdown) => {
    const html = render(markdown)
    expect(leadTo(html)[0]).toBe(1)
    expect(html).not.toContain('defined.example')
    expect(answerText(html)).toMatch(/^So !?\[1\]/)
  })

  test('a reference with words of its own is the link it is', () => {
    const html = render('[words][1] here\n\n[1]: https://defined.example/')
    expect(marksOf(html)).toEqual([])
    expect(html).toContain('<a href="https://defined.example/"')
  })

  test('stand with the words before them', () => {
    expect(render('It is so [1].')).toContain('It is so\u00a0<sup')
  })

  test.each<[AnswerHtmlOptions, string]>([
    [{}, '[1]→#cite-s1'],
    [{ format: 'brackets' }, '[1]→#cite-s1'],
    [{ format: 'superscript' }, '1→#cite-s1'],
    [{ format: 'inline-links' }, '[1]→https://s1.example/'],
    [{ idPrefix: 'm-7_a' }, '[1]→#m-7_a-s1'],
  ])('look as chosen: %j', (options, mark) => {
    expect(marksOf(render('So [1].', options))).toEqual([mark])
  })

  test('say what they are, and what describes them', () => {
    const link = (options: AnswerHtmlOptions) =>
      tagsOf(render('So [2].', options)).find(({ attributes }) => attributes['aria-label'])!
    expect(link({}).attributes).toMatchObject({
      'aria-label': 'Source 2',
      'aria-describedby': 'cite-t2',
    })
    expect(link({ enableTooltips: false }).attributes).not.toHaveProperty('aria-describedby')
  })
})

describe('spans', () => {
  const anchor = (start: number, end: number, ...sources: number[]) => {
    return { start, end, text: '', sources }
  }

  test('give markers to an answer that has none', () => {
    const anchors = [anchor(0, 8, 2), anchor(9, 19, 1, 3)]
    const html = render('It is so. It was so.', {}, { ...three, anchors })
    expect(answerText(html)).toBe('It is so[2]. It was so[1][3].')
    expect(leadTo(html)).toEqual([2, 1, 3])
  })

  test('give none to an answer that has its own', () => {
    const html = render('It is so [3].', {}, { ...three, anchors: [anchor(0, 8, 2)] })
    expect(leadTo(html)).toEqual([3])
  })

  test('never cut code or links', () => {
    const anchors = [anchor(0, 7, 1)]
    const html = render('See `a[0]` now.', {}, { ...three, anchors })
    expect(html).toContain('<code>a[0]</code><sup')
  })

  test.each([[[9]], [[0]], [[]], [[1, 1]]])('that name sources %j do no harm', (sources) => {
    const html = render('So.', {}, { ...three, anchors: [anchor(0, 2, ...sources)] })
    expect(leadTo(html)).toEqual(sources.includes(1) ? [1] : [])
  })

  test('a turn renders its own answer', () => {
    const answer = 'Rust is old. It is stable.'
    const turn = new CitationService({ format: 'superscript' }).startTurn()
    const supports = [support(answer, 'Rust is old.', [1]), support(answer, 'It is stable.', [0])]
    const chunks = [web('https://a.example/', 'A'), web('https://b.example/', 'B')]
    turn.push(gemini(answer, grounded(chunks, supports)))
    const html = turn.renderHtml()
    expect(marksOf(html)).toHaveLength(2)
    expect(marksOf(html)[0]).toMatch(/^\d→#cite-s\d$/)
    expect(turn.renderHtml({ format: 'brackets', idPrefix: 'x' })).toBe(
      renderAnswerHtml(answer, turn.finish(), { idPrefix: 'x' }),
    )
  })
})

describe('sources', () => {
  test('have the same number wherever they are shown', () => {
    const sources: CitationSource[] = [
      { title: 'A', url: 'https://a.example/' },
      {},
      { title: 'A', url: 'https://a.example/' },
      { citedText: 'Words without a name.' },
      { title: 'E', shownInline: true },
      { title: 'F', url: 'https://f.example/' },
    ]
    const html = render('So [1], [3], [4] and [2].', {}, payload(sources))
    expect(leadTo(html)).toEqual([1, 3, 4, 2])
    const { listed, tips, dialogs } = numbersOf(html)
    expect(listed).toEqual([1, 2, 3, 4, 6])
    expect(dialogs).toEqual(listed)
    expect(tips).toEqual([1, 2, 3, 4])
  })

  test('that are blank or shown by their tool are listed when they are cited or asked for', () => {
    const sources: CitationSource[] = [{}, { title: 'B', shownInline: true }, { title: 'C' }]
    const listed = (text: string, options?: AnswerHtmlOptions) =>
      numbersOf(render(text, options, payload(sources))).listed
    expect(listed('So.')).toEqual([3])
    expect(listed('So [2].')).toEqual([2, 3])
    expect(listed('So [1].')).toEqual([1, 3])
    expect(listed('So.', { showInlineSources: true })).toEqual([2, 3])
  })

  test('that the payload says are cited have a tooltip and are always listed', () => {
    const html = render('So.', { maxSourcesDisplayed: 1 }, { ...three, cited: [3] })
    expect(numbersOf(html).tips).toEqual([3])
    const first = html.slice(0, html.indexOf('cite-more'))
    expect(first).toContain('id="cite-s3"')
    expect(first).not.toContain('id="cite-s1"')
  })

  test('beyond the most wait behind a line, in their order', () => {
    const html = render('So [2].', { maxSourcesDisplayed: 2 }, payload(pages(5)))
    expect(numbersOf(html).listed).toEqual([1, 2, 3, 4, 5])
    expect(html).toContain('<summary>Show all 5</summary>')
    expect(html.slice(html.indexOf('cite-more'))).toMatch(/cite-s3[\s\S]*cite-s4[\s\S]*cite-s5/)
    expect(render('So.', { maxSourcesDisplayed: 0 })).not.toContain(
      '</summary>\n<ol class="cite-list">\n</ol>',
    )
    expect(render('So.', { maxSourcesDisplayed: 3 })).not.toContain('cite-more')
  })

  test.each([{}, { sources: [] }, null, undefined, 7, 'x', []])(
    'none in %j: the answer',
    (given) => {
      const html = renderAnswerHtml('So [1].', given as unknown as CitationPayload)
      expect(tagsOf(html).map(({ name }) => name)).toEqual(['div', 'div', 'p'])
    },
  )

  test('a dialog tells what is known, with the whole excerpt', () => {
    const source: CitationSource = {
      title: 'Report',
      url: 'https://a.example/r',
      citedText: 'word '.repeat(300).trim(),
      author: 'Somebody',
      publishedDate: '2020-01-01',
      toolName: 'search',
      provider: 'gemini',
      pageNumber: 7,
      metadata: { relevanceScore: 0.5, secret: 'x', count: 3 },
    }
    const anchors = [{ start: 0, end: 3, text: '', sources: [1], confidence: 0.75 }]
    const html = render('So.', {}, { ...payload([source]), anchors })
    const [dialog] = ofClass(tagsOf(html), 'cite-dialog')
    for (const words of [
      source.citedText!,
      'Somebody',
      '2020-01-01',
      'search',
      'gemini',
      'page 7',
      '0.5',
      '0.75',
    ])
      expect(dialog!.text).toContain(words)
    for (const words of ['secret', 'count']) expect(dialog!.text).not.toContain(words)
    const [tip] = ofClass(tagsOf(html), 'cite-tip')
    expect(tip!.text.length).toBeLessThan(300)
  })
})
