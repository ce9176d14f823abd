/** What it costs to have the package: the time to load it in a fresh process, and its size. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileOf } from '../floor.ts'
import { figure, onFloor, type Row } from '../row.ts'

const LOADS = 15
const QUICK_LOADS = 3

/** Nanoseconds that `require` takes in a process of its own. */
function load(file: string): number {
  const script = `const start = process.hrtime.bigint()
require(${JSON.stringify(file)})
console.log(Number(process.hrtime.bigint() - start))`
  return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
}

const time: Row = {
  name: 'require in a fresh process',
  against: 'an addon with nothing in it',
  measure: 'times',
  async run({ rounds }) {
    const [ours, theirs] = [fileOf('ADDON'), fileOf('FLOOR')]
    // The first read of a file is the disk's time, not ours.
    load(ours)
    load(theirs)
    const loads = Array.from(
      { length: Math.min(LOADS, Math.max(rounds, QUICK_LOADS)) },
      () => [load(theirs), load(ours)] as [number, number],
    )
    return figure(loads, (their, our) => our / their)
  },
}

const size: Row = {
  name: 'the binary',
  against: 'the disk',
  measure: 'MB',
  async run() {
    const value = statSync(fileOf('BINARY')).size / 1e6
    return { value, low: value, high: value }
  },
}

export const loading: Row[] = [onFloor(time), size]
