/** What a batch of a log comes to. Runs in any thread. */
import { messageOf } from './complaint.mjs'
import { isUnproven, verdictsOf } from './quotes.mjs'
import { isEmpty, Reader, textOf } from './reader.mjs'
import { SEPARATORS, written } from './writer.mjs'

/**
 * What is to be done with a line. Plain data.
 *
 * @typedef {object} Task
 * @property {import('./reader.mjs').Wanted} wanted
 * @property {import('./writer.mjs').Look} look
 * @property {import('../../index.js').QuotedDocument[]} [documents] to look quotations up in
 * @property {string} name of the log, for people
 * @property {string} [file] its name, where there are several
 * @property {string} id of the log on a page
 */

/**
 * @typedef {object} Outcome
 * @property {string} text what is printed of all lines, in their order
 * @property {{ line: number, message: string }[]} bad lines that could not be read
 * @property {number} lines that were not blank
 * @property {number} found answers or sources, in so many lines
 * @property {boolean} unproven whether a quotation was looked up in vain
 */

const LINE_FEED = 10
const BLANK = /^\s*$/

export class LineReader {
  #task
  #reader

  /** @param {Task} task */
  constructor(task) {
    this.#task = task
    this.#reader = new Reader(task.wanted)
  }

  /**
   * @param {import('./batches.mjs').Batch} batch
   * @returns {Outcome}
   */
  read({ bytes, firstLine, tooLong }) {
    /** @type {Outcome} */
    const outcome = { text: '', bad: [], lines: 0, found: 0, unproven: false }
    if (tooLong !== undefined) {
      outcome.lines = 1
      outcome.bad.push({ line: firstLine, message: `too long: ${tooLong} bytes` })
    }
    /** @type {string[]} */
    const texts = []
    for (let at = 0, line = firstLine; at < bytes.length; line++) {
      const feed = bytes.indexOf(LINE_FEED, at)
      const end = feed < 0 ? bytes.length : feed
      texts.push(this.#readLine(bytes.subarray(at, end), line, outcome))
      at = end + 1
    }
    outcome.text = texts.filter(Boolean).join(SEPARATORS[this.#task.look.format])
    return outcome
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} line
   * @param {Outcome} outcome
   */
  #readLine(bytes, line, outcome) {
    const { look, documents, file, id, name, wanted } = this.#task
    const payload = this.#reader.read(bytes)
    const isDamaged = payload.diagnostics.some(({ code }) => code === 'data_damaged')
    // Of what was read well nothing more is asked.
    if (isEmpty(payload) || isDamaged) {
      const text = textOf(bytes)
      if (BLANK.test(text)) return ''
      const message = wanted.tool === undefined ? flawOf(text) : undefined
      if (message !== undefined) {
        outcome.lines++
        outcome.bad.push({ line, message })
        return ''
      }
    }
    outcome.lines++
    // Whose provider is not wanted is as good as not there.
    if (isEmpty(payload) && wanted.provider !== undefined) return ''
    if (!isEmpty(payload)) outcome.found++
    const verdicts = verdictsOf(payload, documents)
    outcome.unproven ||= isUnproven(verdicts)
    const place = { file, line, name: `${name}:${line}`, id: `${id}-${line}` }
    return written(payload, look, place, verdicts)
  }
}

/**
 * Why a line is none of a log.
 *
 * @param {string} text
 */
function flawOf(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? undefined : `no response: ${shown(text)}`
  } catch (error) {
    return `no JSON: ${messageOf(error)}`
  }
}

/** @param {string} text */
const shown = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text).trim()
