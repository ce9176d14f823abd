/** The bytes of a file or of standard input, and what they turn out to be. */
import { createReadStream, statSync } from 'node:fs'
import { messageOf, Unreadable } from './complaint.mjs'
import { kindOf } from './kind.mjs'

/** @typedef {AsyncIterable<Uint8Array>} Pieces */

const STANDARD_INPUT = '-'
const PIECE = 256 * 1024
/** So much is enough to tell what it is, if it has a few lines. */
const HEAD = 64 * 1024

/** @param {string} file */
export const nameOf = (file) => (file === STANDARD_INPUT ? 'standard input' : file)

/**
 * How long the file is, where that is known.
 *
 * @param {string} file
 */
export function sizeOf(file) {
  const stats = file === STANDARD_INPUT ? undefined : statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? stats.size : undefined
}

/**
 * @param {string} file
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
export async function* piecesOf(file) {
  const stream =
    file === STANDARD_INPUT ? standardInput() : createReadStream(file, { highWaterMark: PIECE })
  try {
    yield* stream
  } catch (error) {
    throw new Unreadable(`cannot read ${nameOf(file)}: ${messageOf(error)}`)
  } finally {
    stream.destroy()
  }
}

/** Bun reads ahead of its own stream, all there is; it does not where it reads a file. */
function standardInput() {
  const { stdin } = process
  return process.versions.bun ? createReadStream('', { fd: stdin.fd, highWaterMark: PIECE }) : stdin
}

/**
 * Reads no further than needed to tell what it is, and gives it back with all its bytes.
 *
 * @param {AsyncGenerator<Uint8Array, void, void>} pieces
 * @returns {Promise<{ kind: import('./kind.mjs').Kind, pieces: AsyncGenerator<Uint8Array, void, void> }>}
 */
export async function recognized(pieces) {
  const seen = []
  let length = 0
  // What cannot be told yet is not looked at again before there is twice as much of it.
  let enough = HEAD
  for (;;) {
    const { value, done } = await pieces.next()
    if (value) {
      seen.push(value)
      length += value.length
    }
    if (!done && length < enough) continue
    const head = Buffer.concat(seen)
    const kind = kindOf(head, done === true)
    if (kind) return { kind, pieces: behind(head, pieces) }
    enough = length * 2
  }
}

/**
 * @param {Uint8Array} head
 * @param {AsyncGenerator<Uint8Array, void, void>} rest
 */
async function* behind(head, rest) {
  try {
    yield head
    yield* rest
  } finally {
    // Who stops within the head has not begun with the rest, which must be closed all the same.
    await rest.return()
  }
}

/**
 * @param {Pieces} pieces
 * @returns {Promise<Buffer>}
 */
export async function together(pieces) {
  const all = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
