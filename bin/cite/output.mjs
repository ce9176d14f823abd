/** Where the result goes: standard output or a file, no faster than it is taken. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Complaint, messageOf, ReaderGone } from './complaint.mjs'

export class Output {
  #file
  /** @type {import('node:stream').Writable | undefined} */
  #stream
  /** @type {Error | undefined} */
  #failure

  /** @param {string} [file] */
  constructor(file) {
    this.#file = file
  }

  /**
   * @param {string | Uint8Array} data
   * @returns {Promise<void>}
   */
  async write(data) {
    if (data.length === 0) return
    this.#check()
    // A file is not made, nor an old one emptied, before there is something to put into it.
    this.#stream ??= this.#open()
    if (this.#stream.write(data)) return
    await this.#settled(once(this.#stream, 'drain'))
  }

  async end() {
    if (this.#file === undefined || !this.#stream) return this.#check()
    this.#stream.end()
    await this.#settled(once(this.#stream, 'close'))
  }

  #open() {
    const stream = this.#file === undefined ? process.stdout : createWriteStream(this.#file)
    stream.on('error', (error) => {
      this.#failure = error
    })
    return stream
  }

  /** @param {Promise<unknown>} event */
  async #settled(event) {
    // Which error it was is known by then.
    await event.catch(() => {})
    this.#check()
  }

  #check() {
    if (!this.#failure) return
    // What is wrong with standard output is said where all its writers are.
    if (this.#file === undefined) throw new ReaderGone()
    throw new Complaint(`cannot write ${this.#file}: ${messageOf(this.#failure)}`)
  }
}
