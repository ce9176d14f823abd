/**
 * A log of many responses: read in batches on all cores, written in the order of its lines. However
 * long it is, only a few batches are in memory at a time: no more are read than are written.
 */
import { availableParallelism } from 'node:os'
import { batchesOf } from './batches.mjs'
import { tell } from './complaint.mjs'
import { LineReader } from './lines.mjs'
import { Pool } from './pool.mjs'

/** @typedef {import('./lines.mjs').Task} Task */
/** @typedef {import('./batches.mjs').Batch} Batch */
/** @typedef {import('./pool.mjs').Read & { size: number }} Sized what came of a batch of so many bytes */
/** @typedef {{ found: number, lines: number, bad: number, unproven: boolean }} Count */

/** Batches under way per thread: one that is read, and one to go on with. */
const AHEAD = 2
/** Bytes under way: a batch may be one long line. */
const MOST_BYTES = 128 * 1024 * 1024

/**
 * @param {import('./input.mjs').Pieces} pieces
 * @param {Task} task
 * @param {(data: string | Uint8Array) => Promise<void>} write takes what is printed of some lines
 * @param {import('./progress.mjs').Progress} progress
 * @returns {Promise<Count>}
 */
export async function readLog(pieces, task, write, progress) {
  /** @type {Count} */
  const count = { found: 0, lines: 0, bad: 0, unproven: false }

  /** @param {Sized} read */
  const deliver = async ({ bytes, bad, lines, found, unproven, size }) => {
    if (bad.length > 0) progress.clear()
    for (const { line, message } of bad) tell(`${task.name}:${line}: ${message}`)
    count.bad += bad.length
    count.lines += lines
    count.found += found
    count.unproven ||= unproven
    await write(bytes)
    progress.add(lines, size)
  }

  try {
    for await (const read of reads(batchesOf(pieces), task)) await deliver(read)
  } finally {
    progress.clear()
  }
  return count
}

/**
 * What comes of each batch, in their order.
 *
 * @param {AsyncGenerator<Batch, void, void>} batches
 * @param {Task} task
 * @returns {AsyncGenerator<Sized, void, void>}
 */
async function* reads(batches, task) {
  const first = await batches.next()
  if (first.done) return
  const second = await batches.next()
  // For one batch no thread is worth its start.
  if (second.done) yield readHere(first.value, task)
  else yield* readAside(batches, [first.value, second.value], task)
}

/**
 * @param {Batch} batch
 * @param {Task} task
 * @returns {Sized}
 */
function readHere(batch, task) {
  const { text, ...outcome } = new LineReader(task).read(batch)
  return { ...outcome, bytes: Buffer.from(text), size: batch.bytes.length }
}

/**
 * @param {AsyncGenerator<Batch, void, void>} batches
 * @param {Batch[]} begun
 * @param {Task} task
 * @returns {AsyncGenerator<Sized, void, void>}
 */
async function* readAside(batches, begun, task) {
  const threads = availableParallelism()
  const pool = new Pool(threads, task)
  let held = 0
  /** @param {Batch} batch */
  const start = async (batch) => {
    const size = batch.bytes.length
    held += size
    return { ...(await pool.read(batch)), size }
  }
  const queue = begun.map(start)
  try {
    let incoming = batches.next()
    let ended = false
    while (!ended || queue.length > 0) {
      const [oldest] = queue
      const isFull = queue.length >= threads * AHEAD || held > MOST_BYTES
      const hasRoom = !ended && (!isFull || queue.length === 0)
      // Whatever comes first: what is done must not wait for a log that is still being written.
      const event = await Promise.race([
        ...(oldest ? [oldest.then((read) => ({ read }))] : []),
        ...(hasRoom ? [incoming.then((batch) => ({ batch }))] : []),
      ])
      if ('read' in event) {
        queue.shift()
        held -= event.read.size
        yield event.read
      } else if (event.batch.done) {
        ended = true
      } else {
        queue.push(start(event.batch.value))
        incoming = batches.next()
      }
    }
  } finally {
    for (const read of queue) read.catch(() => {})
    await pool.close()
    await batches.return()
  }
}
