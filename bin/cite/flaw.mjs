/** Where and why a document is no JSON. */
import { messageOf } from './complaint.mjs'

const POSITION = /at position (\d+)/
/** What engines quote around the place, where they give no position. */
const QUOTED = /"([\s\S]*)"(?:\.\.\.)? is not valid JSON/

/**
 * @param {string} text
 * @returns {{ line: number, message: string } | undefined} nothing where it is JSON
 */
export function flawIn(text) {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const message = messageOf(error)
    return { line: lineAt(text, placeOf(text, message)), message }
  }
}

/**
 * @param {string} text
 * @param {string} message
 */
function placeOf(text, message) {
  const position = POSITION.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  const quoted = QUOTED.exec(message)?.[1]
  const place = quoted === undefined ? -1 : text.indexOf(quoted)
  if (place < 0) return text.trimEnd().length
  // The place itself is in the middle of what is quoted, unless that is the start of all.
  const half = place === 0 ? 0 : Math.floor(/** @type {string} */ (quoted).length / 2)
  return place + half
}

/**
 * @param {string} text
 * @param {number} place
 */
const lineAt = (text, place) => text.slice(0, place).split('\n').length
