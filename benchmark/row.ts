/** What a row is, and the few ways to come to its figure. */
import { type Pace, type Round, race } from './race.ts'

/**
 * What a figure counts. `faster`: how many times faster ours is. `times`: how many times the other's
 * cost ours is. The rest are units.
 */
export type Measure = 'faster' | 'times' | 'GB/s' | 'MB'

/** A median with its quartiles. */
export interface Figure {
  value: number
  low: number
  high: number
  /** Median nanoseconds of one call, where calls were timed. */
  ours?: number
  theirs?: number
}

export interface Row {
  name: string
  /** What ours is compared with. */
  against: string
  measure: Measure
  /** Whether it needs the addon that does nothing, which must be built first. */
  needsFloor?: boolean
  /** Prepares, checks that both sides come to the same, and measures. */
  run(pace: Pace): Promise<Figure>
}

export interface Result extends Figure {
  row: string
  against: string
  measure: Measure
}

/** Two sides that do the same work. */
export interface Sides {
  theirs: () => unknown
  ours: () => unknown
}

type Prepare = () => Sides | Promise<Sides>

const at = (sorted: number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] as number

/** The median of some values, with its spread. */
function median(values: number[]): Figure {
  const sorted = values.toSorted((one, other) => one - other)
  return { value: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75) }
}

/** The figure of a race, with what one call of each side takes. */
export function figure(rounds: Round[], of: (theirs: number, ours: number) => number): Figure {
  return {
    ...median(rounds.map(([theirs, ours]) => of(theirs, ours))),
    theirs: median(rounds.map(([theirs]) => theirs)).value,
    ours: median(rounds.map(([, ours]) => ours)).value,
  }
}

/** A row that compares with the floor. */
export const onFloor = (row: Row): Row => ({ ...row, needsFloor: true })

/** How many times faster ours is. */
export const faster = (name: string, against: string, prepare: Prepare): Row => ({
  name,
  against,
  measure: 'faster',
  async run(pace) {
    const { theirs, ours } = await prepare()
    return figure(await race(theirs, ours, pace), (their, our) => their / our)
  },
})

/** How many times the other's cost ours is. */
export const times = (name: string, against: string, prepare: Prepare): Row => ({
  name,
  against,
  measure: 'times',
  async run(pace) {
    const { theirs, ours } = await prepare()
    return figure(await race(theirs, ours, pace), (their, our) => our / their)
  },
})
