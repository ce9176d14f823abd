/** Text of a model, made safe to print. */
import { grounding } from '../../load.js'

const HARMLESS = /^[\n -~]*$/
/** Wider than any line, so that none is wrapped. */
const UNWRAPPED = 2 ** 31
const NO_SPANS = { anchors: [] }

/**
 * The text without what steers a terminal or hides in it. Lines stay lines.
 *
 * The rule is the package's own. It has no name by itself, so the text goes through the picture of
 * coverage, of which the last line, the bar, is left off.
 *
 * @param {string} text
 */
export function printable(text) {
  const spaced = text.replaceAll('\r\n', '\n').replaceAll('\t', '    ')
  if (HARMLESS.test(spaced)) return spaced
  const drawn = grounding.renderCoverage(spaced, NO_SPANS, { width: UNWRAPPED, color: false })
  return drawn.slice(0, drawn.lastIndexOf('\n\n'))
}

/** What JSON leaves as it is though a terminal obeys it, or shows the text in another order. */
const STEERING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * JSON of one line, of characters that only mean themselves.
 *
 * @param {unknown} value
 */
export const printableJson = (value) =>
  JSON.stringify(value).replace(
    STEERING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
