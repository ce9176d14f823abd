/** Puts answers one behind the other into what the format makes of many. */
import { pageEnd, pageStart } from './page.mjs'
import { SEPARATORS } from './writer.mjs'

export class Printer {
  #output
  #format
  #isEmpty = true

  /**
   * @param {import('./output.mjs').Output} output
   * @param {import('./writer.mjs').Format} format
   */
  constructor(output, format) {
    this.#output = output
    this.#format = format
  }

  /**
   * Takes what was written of one answer or of several.
   *
   * @param {string | Uint8Array} answers
   */
  async print(answers) {
    if (answers.length === 0) return
    const start = this.#format === 'html' ? pageStart() : ''
    await this.#output.write(this.#isEmpty ? start : SEPARATORS[this.#format])
    this.#isEmpty = false
    await this.#output.write(answers)
  }

  async end() {
    if (this.#format === 'html' && !this.#isEmpty) await this.#output.write(pageEnd())
    await this.#output.end()
  }
}
