/** Two ways to do the same work, in turns, so that a slow moment of the machine hits both. */

/** How long to look. */
export interface Pace {
  rounds: number
  /** Long enough for the clock, short enough for many rounds. */
  roundNs: number
  /** Each side runs this long before it counts: engines compile what is called often. */
  warmNs: number
  /** Sides that take long are stopped here, after {@link FEWEST} rounds at least. */
  longestNs: number
  /** Turns of the row that watches the memory. */
  turns: number
}

export const FULL: Pace = {
  rounds: 61,
  roundNs: 400_000,
  warmNs: 150e6,
  longestNs: 3e9,
  turns: 1_000_000,
}
export const QUICK: Pace = {
  rounds: 5,
  roundNs: 50_000,
  warmNs: 2e6,
  longestNs: 50e6,
  turns: 50_000,
}
const FEWEST = 5

/** Nanoseconds of one call, theirs and ours, round by round. */
export type Round = [theirs: number, ours: number]

/** Where results go, so that no engine can leave the work out. */
export let sink = 0

/** Looks at a result as printing it would: a rope of strings must become one. */
function consume(result: unknown): void {
  if (typeof result === 'string') sink += result.charCodeAt(result.length - 1) || 0
  else if (Array.isArray(result)) sink += result.length
}

const now = () => Number(process.hrtime.bigint())

function time(work: () => unknown, times: number): number {
  const start = process.hrtime.bigint()
  for (let turn = 0; turn < times; turn++) consume(work())
  return Number(process.hrtime.bigint() - start) / times
}

async function timeAsync(work: () => unknown, times: number): Promise<number> {
  const start = process.hrtime.bigint()
  for (let turn = 0; turn < times; turn++) consume(await work())
  return Number(process.hrtime.bigint() - start) / times
}

/** One side: how to time it, and how many calls make a round. */
interface Side {
  time: (times: number) => number | Promise<number>
  times: number
}

/** Warms a side up and finds out how often it goes into a round. */
async function warm(work: () => unknown, pace: Pace): Promise<Side> {
  const first = work()
  const clock = first instanceof Promise ? timeAsync : time
  await first
  const end = now() + pace.warmNs
  let times = 1
  do {
    const took = (await clock(work, times)) * times
    if (took < pace.roundNs && times < 1e6) times *= 2
    else if (took > pace.roundNs * 2 && times > 1) times /= 2
  } while (now() < end)
  return { time: (count) => clock(work, count), times }
}

/** Both sides in turns; who goes first alternates. */
export async function race(
  theirs: () => unknown,
  ours: () => unknown,
  pace: Pace,
): Promise<Round[]> {
  const their = await warm(theirs, pace)
  const our = await warm(ours, pace)
  const rounds: Round[] = []
  const end = now() + pace.longestNs
  for (let round = 0; round < pace.rounds && (round < FEWEST || now() < end); round++) {
    if (round % 2 === 0) {
      const took = await their.time(their.times)
      rounds.push([took, await our.time(our.times)])
    } else {
      const took = await our.time(our.times)
      rounds.push([await their.time(their.times), took])
    }
  }
  return rounds
}
