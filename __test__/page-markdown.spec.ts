/** Markdown as a page: its elements and no others, nested as it comes; and the options of it all. */
import { describe, expect, test } from 'vitest'
import {
  type AnswerHtmlOptions,
  CitationService,
  citationAssets,
  renderAnswerHtml,
} from '../index.js'
import { pages } from './marked-answers.js'
import { answerText, marksOf } from './page-tags.js'
import { gemini, grounded, web } from './turns.js'

function render(markdown: string, options?: AnswerHtmlOptions): string {
  return renderAnswerHtml(markdown, { text: '', sources: pages(3) }, options)
}

/** Elements of the answer by name, paragraphs aside. */
function elementsOf(html: string): string[] {
  const answer = html.slice(html.indexOf('<div class="cite-answer">'), html.indexOf('<details'))
  const names = Array.from(answer.matchAll(/<([a-z][a-z0-9]*)/g), ([, name]) => name!)
  return names.filter((name) => !['p', 'div', 'sup'].includes(name))
}

describe('Markdown', () => {
  test.each<[string, string[]]>([
    ['# A\n\n## B\n\n###### F', ['h1', 'h2', 'h6']],
    ['*a* **b** `c`', ['em', 'strong', 'code']],
    ['- a\n- b', ['ul', 'li', 'li']],
    ['1. a\n2. b', ['ol', 'li', 'li']],
    ['> a\n> > b', ['blockquote', 'blockquote']],
    ['a  \nb\n\n---', ['br', 'hr']],
    ['```js\nx\n```', ['pre', 'code']],
    ['[a](https://a.example/)', ['a']],
    ['<https://a.example/>', ['a']],
    ['![a](https://a.example/x.png)', ['a']],
    ['[![a](https://a.example/x.png)](https://b.example/)', ['a']],
    ['| a |\n|---|\n| b |', ['table', 'thead', 'tr', 'th', 'tbody', 'tr', 'td']],
    ['| | b |\n|---|---|\n', ['table', 'thead', 'tr', 'td', 'th', 'tbody']],
    ['<script>x</script>', []],
    ['a <b>c</b> <!-- d -->', []],
    ['[a](javascript:x) [b](mailto:x@a.example) [c](/x) [d](#x)', []],
  ])('%j has %j', (markdown, elements) => {
    expect(elementsOf(render(markdown))).toEqual(elements)
  })

  test('nested as it comes', () => {
    const html = render(
      '- a\n  1. b\n     > | c |\n     > |---|\n     > | d [1] |\n\n     ```\n     e\n     ```',
    )
    const names = elementsOf(html)
    expect(names.slice(0, 5)).toEqual(['ul', 'li', 'ol', 'li', 'blockquote'])
    expect(names.slice(-2)).toEqual(['pre', 'code'])
    expect(marksOf(html)).toEqual(['[1]→#cite-s1'])
  })

  test('HTML is shown as it is written', () => {
    expect(answerText(render('a <b title="x">c</b> &lt;i&gt;'))).toBe('a <b title="x">c</b> <i>')
    expect(render('<div>\n  <p>x</p>\n</div>')).toContain(
      '&lt;div&gt;\n  &lt;p&gt;x&lt;/p&gt;\n&lt;/div&gt;',
    )
  })

  test('code keeps its lines, blanks and tabs', () => {
    expect(render('```\na\n\n  b\tc\n```')).toContain('<code>a\n\n  b\tc\n</code>')
  })

  test('a link nobody could see shows its address', () => {
    expect(answerText(render('![](https://a.example/x.png)'))).toBe('https://a.example/x.png')
    expect(answerText(render('[ ](https://a.example/)'))).toBe('https://a.example/')
  })

  test('a list starts where it says', () => {
    expect(render('7. a\n8. b')).toContain('<ol start="7">')
  })

  test('the language of code is a class, and nothing else is', () => {
    expect(render('```c++ title="x"\nx\n```')).toContain('<code class="language-c++">')
    expect(render('```"><b>\nx\n```')).toContain('<code>x')
  })

  test('what steers a terminal or turns text around is gone', () => {
    const html = render('a\u001b[31m\u202eb\u0000c `d\u202e` \u{e0041}')
    for (const one of ['\u0000', '\u001b', '\u202e', '\u{e0041}']) expect(html).not.toContain(one)
    expect(answerText(html)).toMatch(/^a\[31mb.?c d/)
  })
})

describe('options', () => {
  test.each<[object, string]>([
    [{ idPrefix: 7 }, 'idPrefix'],
    [{ idPrefix: '' }, 'idPrefix'],
    [{ idPrefix: 'a b' }, 'idPrefix'],
    [{ format: 'footnotes' }, 'format'],
    [{ format: 1 }, 'format'],
    [{ enableTooltips: 'yes' }, 'enableTooltips'],
    [{ expandSourcesByDefault: 1 }, 'expandSourcesByDefault'],
    [{ maxSourcesDisplayed: -1 }, 'maxSourcesDisplayed'],
    [{ maxSourcesDisplayed: 1.5 }, 'maxSourcesDisplayed'],
    [{ maxSourcesDisplayed: '3' }, 'maxSourcesDisplayed'],
    [{ showInlineSources: 0 }, 'showInlineSources'],
  ])('%j is a TypeError', (options, name) => {
    const turn = new CitationService().startTurn()
    for (const run of [() => render('x', options), () => turn.renderHtml(options)]) {
      expect(run).toThrow(TypeError)
      expect(run).toThrow(`options.${name} must be`)
    }
  })

  test.each([undefined, null, 7, {}, ['x'], Buffer.from('x')])('no text: %j', (markdown) => {
    expect(() => render(markdown as unknown as string)).toThrow(TypeError)
    expect(() => render(markdown as unknown as string)).toThrow('markdown')
  })

  test.each([7, 'x', true])('no options: %j', (options) => {
    expect(() => render('x', options as AnswerHtmlOptions)).toThrow(TypeError)
  })

  test('undefined ones are as not there', () => {
    const options = { idPrefix: undefined, format: undefined, maxSourcesDisplayed: undefined }
    expect(render('So [1].', options)).toBe(render('So [1].'))
    expect(render('So [1].', { maxSourcesDisplayed: Number.POSITIVE_INFINITY })).toBe(
      render('So [1].'),
    )
  })

  test('the service says how its turns are shown', () => {
    const service = new CitationService({ expandSourcesByDefault: true, enableTooltips: false })
    const turn = service.startTurn()
    turn.push(gemini('So.', grounded([web('https://a.example/', 'A')])))
    expect(turn.renderHtml()).toContain('id="cite-panel" open>')
    expect(turn.renderHtml({ expandSourcesByDefault: false })).toContain('id="cite-panel">')
    expect(turn.renderHtml({ enableTooltips: true, idPrefix: 'a' })).toContain('id="a-panel" open>')
  })
})

test('style and script name no address and ask for nothing', () => {
  const { css, script } = citationAssets()
  for (const text of [css, script])
    expect(text).not.toMatch(/https?:|url\(|@import|fetch\(|<\/|eval/)
  expect(css).toContain('.cite-mark')
  expect(script.length).toBeLessThan(8000)
  expect(() => new Function(script)).not.toThrow()
})
