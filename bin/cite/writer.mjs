/** From a payload to what is printed of it, in the format that was asked for. */
import {
  grounding,
  markers,
  renderAnswerHtml,
  renderAnswerMarkdown,
  renderCitationBlock,
} from '../../load.js'
import { article } from './page.mjs'
import { printable, printableJson } from './printable.mjs'
import { quotesBlock } from './quotes.mjs'
import { isEmpty } from './reader.mjs'

/** @typedef {import('../../index.js').TurnPayload} TurnPayload */
/** @typedef {import('../../index.js').QuoteVerdict} QuoteVerdict */
/** @typedef {'terminal' | 'markdown' | 'html' | 'json' | 'svg'} Format */

/**
 * How it is to look. Plain data: it is handed to other threads.
 *
 * @typedef {object} Look
 * @property {Format} format
 * @property {'osc8' | 'markdown' | 'plain'} links
 * @property {number} width 0 does not wrap
 * @property {boolean} coverage
 * @property {boolean} color
 * @property {boolean} showExcerpts
 * @property {number} [most] the most sources that are listed
 * @property {boolean} toTerminal whether a terminal reads it as it is
 */

/**
 * Where it came from.
 *
 * @typedef {object} Place
 * @property {string} [file] its name, where there are several
 * @property {number} [line] of a log
 * @property {string} name of file and line, for people
 * @property {string} id unlike all others on one page
 */

/** @typedef {(payload: TurnPayload, look: Look, place: Place, verdicts?: QuoteVerdict[]) => string} Write */

/** What stands between two answers. */
export const SEPARATORS = { terminal: '\n', markdown: '\n', html: '', json: '', svg: '' }

/** @type {Record<Format, Write>} */
const WRITERS = {
  terminal: (payload, look, _place, verdicts) => {
    const quotes = verdicts && quotesBlock(verdicts)
    return paragraphs(answer(payload, look), block(payload, look), quotes)
  },
  markdown: (payload, { showExcerpts, toTerminal }) => {
    const text = renderAnswerMarkdown(payload.answer, payload, { showExcerpts })
    return paragraphs(toTerminal ? printable(text) : text)
  },
  html: (payload, { most }, { name, id }) => {
    const options = { idPrefix: id, ...(most && { maxSourcesDisplayed: most }) }
    return article(name, renderAnswerHtml(payload.answer, payload, options))
  },
  json: (payload, _look, { file, line }, quotes) =>
    `${printableJson({ file, line, ...payload, quotes })}\n`,
  svg: (payload, { width }) =>
    `${grounding.coverageSvg(payload.answer, payload, width > 0 ? { width } : {})}\n`,
}

/**
 * What is printed of a payload, with its last line break; nothing where there is nothing to see.
 *
 * @type {Write}
 */
export function written(payload, look, place, verdicts) {
  if (isEmpty(payload) && look.format !== 'json') return ''
  return WRITERS[look.format](payload, look, place, verdicts)
}

/** @param {(string | undefined)[]} parts */
const paragraphs = (...parts) => `${parts.filter(Boolean).join('\n\n').trimEnd()}\n`

/**
 * @param {TurnPayload} payload
 * @param {Look} look
 */
function answer(payload, { coverage, color, width }) {
  if (coverage) {
    return grounding.renderCoverage(payload.answer, payload, { color, ...(width > 0 && { width }) })
  }
  return printable(readable(payload).trim())
}

const PRIVATE_USE_MARKER = /[\ue200-\ue206]/

/**
 * The answer with the markers that no font has a sign for as `[n]`.
 *
 * @param {TurnPayload} payload
 */
const readable = (payload) =>
  PRIVATE_USE_MARKER.test(payload.answer)
    ? markers.formatMarkers(payload.answer, payload).text
    : payload.answer

/**
 * @param {TurnPayload} payload
 * @param {Look} look
 */
export function block(payload, { links, width, showExcerpts, most }) {
  const options = { links, width, showExcerpts, ...(most && { maxSources: most }) }
  return renderCitationBlock(payload, options)
}
