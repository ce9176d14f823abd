/** The declarations of answers as pages and as Markdown, checked by the compiler alone. */
import {
  type AnswerHtmlOptions,
  type AnswerMarkdownOptions,
  type CitationAssets,
  type CitationPayload,
  type CitationTurn,
  citationAssets,
  renderAnswerHtml,
  renderAnswerMarkdown,
  type StoredCitationData,
  type TurnPayload,
} from '../index.js'

/** Compiles only where both types are exactly the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => undefined

declare const payload: CitationPayload
declare const finished: TurnPayload
declare const stored: StoredCitationData
declare const turn: CitationTurn

export function whatIsGivenOut(): void {
  same<string, ReturnType<typeof renderAnswerHtml>>(true)
  same<string, ReturnType<typeof renderAnswerMarkdown>>(true)
  same<string, ReturnType<CitationTurn['renderHtml']>>(true)
  same<CitationAssets, ReturnType<typeof citationAssets>>(true)
  same<{ css: string; script: string }, { [K in keyof CitationAssets]: CitationAssets[K] }>(true)
  same<'brackets' | 'superscript' | 'inline-links' | undefined, AnswerHtmlOptions['format']>(true)
  same<'footnotes' | 'links' | 'list' | undefined, AnswerMarkdownOptions['style']>(true)
  same<
    | 'idPrefix'
    | 'format'
    | 'enableTooltips'
    | 'expandSourcesByDefault'
    | 'maxSourcesDisplayed'
    | 'showInlineSources',
    keyof AnswerHtmlOptions
  >(true)
  same<'style' | 'showExcerpts' | 'showInlineSources', keyof AnswerMarkdownOptions>(true)
}

export function everyPayloadIsAccepted(): void {
  for (const given of [payload, finished, stored]) {
    renderAnswerHtml('x', given)
    renderAnswerHtml('x', given, {})
    renderAnswerHtml('x', given, undefined)
    renderAnswerMarkdown('x', given, { style: 'links', showExcerpts: false })
  }
  renderAnswerHtml(finished.answer, finished, { idPrefix: 'm1', maxSourcesDisplayed: 3 })
  turn.renderHtml()
  turn.renderHtml({ format: 'superscript', showInlineSources: true })
}

export function mistakesAreErrors(): void {
  // @ts-expect-error: an answer is text.
  renderAnswerHtml(7, payload)
  // @ts-expect-error: a payload is needed.
  renderAnswerHtml('x')
  // @ts-expect-error: no such format on a page.
  renderAnswerHtml('x', payload, { format: 'footnotes' })
  // @ts-expect-error: no such option.
  renderAnswerHtml('x', payload, { prefix: 'a' })
  // @ts-expect-error: a switch is true or false.
  turn.renderHtml({ enableTooltips: 'yes' })
  // @ts-expect-error: no such style.
  renderAnswerMarkdown('x', payload, { style: 'html' })
  // @ts-expect-error: pages have ids, Markdown has none.
  renderAnswerMarkdown('x', payload, { idPrefix: 'a' })
  // @ts-expect-error: takes nothing.
  citationAssets({})
}
