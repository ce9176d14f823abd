/** A thread that reads batches of a log, one at a time. */
import { parentPort, workerData } from 'node:worker_threads'
import { LineReader } from './lines.mjs'

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
const reader = new LineReader(workerData)
const encoder = new TextEncoder()

port.on('message', (batch) => {
  const { text, ...outcome } = reader.read(batch)
  const bytes = encoder.encode(text)
  port.postMessage({ ...outcome, bytes }, [bytes.buffer])
})
