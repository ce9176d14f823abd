/** An answer as it is, character for character, with the spans that lean on sources. */
import { escaped } from './page.mjs'

/** What cannot be seen, or changes what is seen: shown by its number instead. */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ue200-\ue206]/gu

/**
 * @param {Pick<import('../../index.js').TurnPayload, 'answer' | 'anchors'>} payload
 * @param {string} id what the ids of the sources start with
 * @returns {string} HTML
 */
export function spanned({ answer, anchors }, id) {
  /** @type {Map<number, { change: number, sources: Set<number> }>} */
  const places = new Map()
  const at = (/** @type {number} */ place) => {
    const found = places.get(place) ?? { change: 0, sources: new Set() }
    places.set(place, found)
    return found
  }
  for (const { start, end, sources } of anchors) {
    at(start).change++
    const last = at(end)
    last.change--
    for (const number of sources) last.sources.add(number)
  }
  let html = ''
  let done = 0
  let depth = 0
  // Spans may overlap: what counts is whether any is open, and which end here.
  for (const [place, { change, sources }] of [...places].sort(([a], [b]) => a - b)) {
    html += piece(answer.slice(done, place), depth > 0)
    const numbers = [...sources].sort((a, b) => a - b)
    html += numbers.map((number) => `<a href="#${id}-row-${number}">[${number}]</a>`).join('')
    done = place
    depth += change
  }
  return html + piece(answer.slice(done), false)
}

/**
 * @param {string} text
 * @param {boolean} isCovered
 */
function piece(text, isCovered) {
  if (text === '') return ''
  const html = escaped(text).replace(UNSEEN, (character) => {
    const code = /** @type {number} */ (character.codePointAt(0))
    return `<span class="faint">U+${code.toString(16).toUpperCase().padStart(4, '0')}</span>`
  })
  return isCovered ? `<mark>${html}</mark>` : html
}
