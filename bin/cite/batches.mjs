/** A log cut at line ends into batches that can be read apart from each other. */

/**
 * Some lines of a log.
 *
 * @typedef {object} Batch
 * @property {Uint8Array<ArrayBuffer>} bytes alone in their buffer, so that it can be handed over
 * @property {number} firstLine counted from 1
 * @property {number} [tooLong] bytes of a line that nobody can be expected to keep; there is no other
 */

const LINE_FEED = 10
/** Big enough that handing it over costs nothing, small enough that a few are no burden. */
const BATCH = 256 * 1024
/** The longest line that is read. */
export const LONGEST_LINE = 64 * 1024 * 1024

/**
 * @param {import('./input.mjs').Pieces} pieces
 * @param {{ size?: number, longest?: number }} [limits]
 * @returns {AsyncGenerator<Batch, void, void>}
 */
export async function* batchesOf(pieces, { size = BATCH, longest = LONGEST_LINE } = {}) {
  const cutter = new Cutter(size, longest)
  for await (const piece of pieces) yield* cutter.push(piece)
  yield* cutter.finish()
}

class Cutter {
  #size
  #longest
  #line = 1
  /** Whole lines. */
  #ready = new Heap()
  /** The beginning of a line. */
  #rest = new Heap()
  /** How much of a line that is too long has been passed over; 0 when there is none. */
  #skipped = 0

  /**
   * @param {number} size
   * @param {number} longest
   */
  constructor(size, longest) {
    this.#size = size
    this.#longest = longest
  }

  /**
   * @param {Uint8Array} piece
   * @returns {Generator<Batch, void, void>}
   */
  *push(piece) {
    if (this.#skipped > 0) {
      const end = piece.indexOf(LINE_FEED)
      this.#skipped += end < 0 ? piece.length : end
      if (end < 0) return
      yield this.#tooLong()
      piece = piece.subarray(end + 1)
    }
    const end = piece.lastIndexOf(LINE_FEED) + 1
    if (end > 0) {
      this.#ready.addAll(this.#rest)
      this.#ready.add(piece.subarray(0, end))
    }
    // A copy, or the little that is left would keep the whole piece alive.
    this.#rest.add(end > 0 ? piece.slice(end) : piece)
    if (this.#ready.length >= this.#size) yield this.#batch()
    if (this.#rest.length > this.#longest) {
      if (this.#ready.length > 0) yield this.#batch()
      this.#skipped = this.#rest.length
      this.#rest = new Heap()
    }
  }

  /** @returns {Generator<Batch, void, void>} */
  *finish() {
    if (this.#skipped > 0) yield this.#tooLong()
    this.#ready.addAll(this.#rest)
    if (this.#ready.length > 0) yield this.#batch()
  }

  /** @returns {Batch} */
  #batch() {
    const bytes = this.#ready.joined()
    const firstLine = this.#line
    this.#ready = new Heap()
    this.#line += lineEnds(bytes)
    return { bytes, firstLine }
  }

  /** @returns {Batch} */
  #tooLong() {
    const tooLong = this.#skipped
    this.#skipped = 0
    return { bytes: new Uint8Array(), firstLine: this.#line++, tooLong }
  }
}

/** Pieces that will be one. */
class Heap {
  /** @type {Uint8Array[]} */
  #pieces = []
  length = 0

  /** @param {Uint8Array} piece */
  add(piece) {
    if (piece.length === 0) return
    this.#pieces.push(piece)
    this.length += piece.length
  }

  /**
   * Takes all of another one, which is empty then.
   *
   * @param {Heap} other
   */
  addAll(other) {
    for (const piece of other.#pieces) this.add(piece)
    other.#pieces = []
    other.length = 0
  }

  joined() {
    const bytes = new Uint8Array(this.length)
    let at = 0
    for (const piece of this.#pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }
}

/** @param {Uint8Array} bytes */
function lineEnds(bytes) {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
