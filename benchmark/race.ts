/** Two ways to do the same work, in turns, so that a slow moment of the machine hits both. */

export interface Result {
  row: string
  /** What ours is compared with. */
  against: string
  /** Median of theirs / ours: how many times faster ours is. */
  ratio: number
  /** Quartiles of the same. */
  low: number
  high: number
  /** Median nanoseconds of one call of ours. */
  ours: number
}

const ROUNDS = 61
/** Long enough for the clock, short enough for many rounds. */
const ROUND_NS = 400_000

/** Where results go, so that no engine can leave the work out. */
export let sink = 0

/** Looks at a result as printing it would: a rope of strings must become one. */
function consume(result: unknown): void {
  if (typeof result === 'string') sink += result.charCodeAt(result.length - 1) || 0
  else if (Array.isArray(result)) sink += result.length
}

function time(work: () => unknown, times: number): number {
  const start = process.hrtime.bigint()
  for (let turn = 0; turn < times; turn++) consume(work())
  return Number(process.hrtime.bigint() - start) / times
}

function times(work: () => unknown): number {
  let count = 1
  // Warm up and measure at once.
  while (time(work, count) * count < ROUND_NS && count < 1e6) count *= 2
  return count
}

const at = (sorted: number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] as number

/** The same for one side that takes its time: few rounds, since they are long. */
export async function raceAsync(
  row: string,
  against: string,
  theirs: () => Promise<unknown>,
  ours: () => unknown,
): Promise<Result> {
  const ourTimes = times(ours)
  const pairs: [number, number][] = []
  for (let round = 0; round < 12; round++) {
    const start = process.hrtime.bigint()
    await theirs()
    const their = Number(process.hrtime.bigint() - start)
    pairs.push([their, time(ours, ourTimes)])
  }
  return result(row, against, pairs.slice(2))
}

function result(row: string, against: string, pairs: [number, number][]): Result {
  const ratios = pairs.map(([their, our]) => their / our).sort((one, other) => one - other)
  const costs = pairs.map(([, our]) => our).sort((one, other) => one - other)
  return {
    row,
    against,
    ratio: at(ratios, 0.5),
    low: at(ratios, 0.25),
    high: at(ratios, 0.75),
    ours: at(costs, 0.5),
  }
}

export function race(
  row: string,
  against: string,
  theirs: () => unknown,
  ours: () => unknown,
): Result {
  const [theirTimes, ourTimes] = [times(theirs), times(ours)]
  for (let round = 0; round < 10; round++) {
    time(theirs, theirTimes)
    time(ours, ourTimes)
  }
  const pairs: [number, number][] = []
  for (let round = 0; round < ROUNDS; round++) {
    pairs.push([time(theirs, theirTimes), time(ours, ourTimes)])
  }
  return result(row, against, pairs)
}
