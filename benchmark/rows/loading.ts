/** What it costs to have the package: the time to load it in a fresh process, and its size. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileOf } from '../floor.ts'
import { figure, onFloor, type Row } from '../row.ts'

const LOADS = 15
const QUICK_LOADS = 3

/**
 * Nanoseconds of processor time that `require` takes in a process of its own. On the wall clock a load
 * would be as long as other processes let it be: it is one long piece of work, measured once.
 */
function load(file: string): number {
  const script = `const start = process.cpuUsage()
require(${JSON.stringify(file)})
const { user, system } = process.cpuUsage(start)
console.log((user + system) * 1000)`
  return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
}

const time = (name: string, which: 'ADDON' | 'BINARY'): Row => ({
  name,
  against: 'an addon with nothing in it',
  measure: 'times',
  async run({ rounds }) {
    const [ours, theirs] = [fileOf(which), fileOf('FLOOR')]
    // The first read of a file is the disk's time, not ours.
    load(ours)
    load(theirs)
    const loads = Array.from(
      { length: Math.min(LOADS, Math.max(rounds, QUICK_LOADS)) },
      () => [load(theirs), load(ours)] as [number, number],
    )
    return figure(loads, (their, our) => our / their)
  },
})

const size: Row = {
  name: 'the binary',
  against: 'the disk',
  measure: 'MB',
  async run() {
    const value = statSync(fileOf('BINARY')).size / 1e6
    return { value, low: value, high: value }
  },
}

export const loading: Row[] = [
  onFloor(time('require in a fresh process', 'ADDON')),
  onFloor(time('require of the binary alone', 'BINARY')),
  size,
]
