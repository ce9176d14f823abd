/** One line on a terminal that says how far it is, and is gone at the end. */

const START_OF_LINE = '\r\u001b[K'
/** Who is done by then needs no progress. */
const PATIENCE_MS = 1000
const INTERVAL_MS = 200
const MEGABYTE = 1e6

export class Progress {
  #stream
  #total
  #now
  #due
  #shown = false
  #lines = 0
  #bytes = 0

  /**
   * @param {{ isTTY?: boolean, write(text: string): unknown }} stream shown only if it is a terminal
   * @param {number} [total] bytes there are, where that is known
   * @param {() => number} [now]
   */
  constructor(stream, total, now = Date.now) {
    this.#stream = stream
    this.#total = total
    this.#now = now
    this.#due = now() + PATIENCE_MS
  }

  /**
   * @param {number} lines
   * @param {number} bytes
   */
  add(lines, bytes) {
    this.#lines += lines
    this.#bytes += bytes
    if (!this.#stream.isTTY || this.#now() < this.#due) return
    this.#due = this.#now() + INTERVAL_MS
    this.#shown = true
    const share = this.#total ? `, ${Math.floor((100 * this.#bytes) / this.#total)} %` : ''
    const megabytes = (this.#bytes / MEGABYTE).toFixed(1)
    this.#stream.write(`${START_OF_LINE}${this.#lines} lines, ${megabytes} MB${share}`)
  }

  /** Makes room for something else, or for nothing. */
  clear() {
    if (this.#shown) this.#stream.write(START_OF_LINE)
    this.#shown = false
  }
}
