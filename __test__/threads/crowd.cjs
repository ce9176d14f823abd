/**
 * Crowds of workers in a process of their own; prints what they said and how the memory grew.
 * `crowd.cjs PACKAGE ROUNDS MODE`: `finish` lets them finish, `terminate` ends them while they work,
 * `alone` keeps the package out of the main thread, so that it may come and go with its workers.
 */
const { once } = require('node:events')
const { join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { Worker } = require('node:worker_threads')

const [, , folder = '', rounds, mode] = process.argv
const CROWD = 8

/** @param {number} number */
function start(number) {
  const workerData = { package: folder, number, rounds: 3, endless: mode === 'terminate' }
  return new Worker(join(__dirname, 'work.cjs'), { workerData })
}

/**
 * @param {Worker} worker
 * @param {number} round
 * @returns {Promise<string>}
 */
async function live(worker, round) {
  const gone = once(worker, 'exit')
  const [said] = await once(worker, 'message')
  if (mode === 'terminate') {
    await sleep((round * 7 + worker.threadId * 3) % 20)
    await worker.terminate()
  }
  await gone
  return said
}

function residentMegabytes() {
  globalThis.gc?.()
  return process.memoryUsage().rss / 2 ** 20
}

async function main() {
  if (mode !== 'alone') require(folder)
  /** @type {Set<string>} */
  const said = new Set()
  /** @type {number[]} */
  const memory = []
  for (let round = 0; round < Number(rounds); round++) {
    const workers = Array.from({ length: CROWD }, (_, number) => start(number % 2))
    for (const words of await Promise.all(workers.map((one) => live(one, round)))) said.add(words)
    memory.push(residentMegabytes())
  }
  process.stdout.write(JSON.stringify({ said: [...said], memory }))
}

main()
