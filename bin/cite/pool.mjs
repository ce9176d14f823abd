/** Threads that read batches side by side. Results come as promises, one per batch. */
import { Worker } from 'node:worker_threads'

/** @typedef {import('./batches.mjs').Batch} Batch */
/** @typedef {Omit<import('./lines.mjs').Outcome, 'text'> & { bytes: Uint8Array }} Read */
/** @typedef {{ batch: Batch, resolve(read: Read): void, reject(error: unknown): void }} Job */

export class Pool {
  /** @type {Worker[]} */
  #workers = []
  /** @type {Worker[]} */
  #idle = []
  /** @type {Map<Worker, Job>} */
  #busy = new Map()
  /** @type {Job[]} */
  #waiting = []
  #size
  #task

  /**
   * @param {number} size
   * @param {import('./lines.mjs').Task} task
   */
  constructor(size, task) {
    this.#size = size
    this.#task = task
  }

  /**
   * Hands the bytes over: they are gone from here.
   *
   * @param {Batch} batch
   * @returns {Promise<Read>}
   */
  read(batch) {
    /** @type {Promise<Read>} */
    const done = new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject })
    })
    // Who waits for an earlier batch hears of this one later, and not at all if that one fails.
    done.catch(() => {})
    this.#next()
    return done
  }

  async close() {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  #next() {
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop() ?? this.#start()
      if (!worker) return
      const job = /** @type {Job} */ (this.#waiting.shift())
      this.#busy.set(worker, job)
      worker.postMessage(job.batch, [job.batch.bytes.buffer])
    }
  }

  /** One more thread, as long as there may be more. */
  #start() {
    if (this.#workers.length >= this.#size) return undefined
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: this.#task })
    worker.on('message', (read) => {
      this.#busy.get(worker)?.resolve(read)
      this.#busy.delete(worker)
      this.#idle.push(worker)
      this.#next()
    })
    worker.on('error', (error) => this.#fail(error))
    this.#workers.push(worker)
    return worker
  }

  /** @param {unknown} error */
  #fail(error) {
    for (const { reject } of [...this.#busy.values(), ...this.#waiting]) reject(error)
    this.#busy.clear()
    this.#waiting = []
  }
}
