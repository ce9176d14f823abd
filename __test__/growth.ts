/**
 * How time grows with the input: eight times the input takes about eight times as long, where quadratic work
 * would take sixty-four times. Times are compared with each other, never with a clock.
 */
import { expect } from 'vitest'

/**
 * The shortest of three runs, in milliseconds that the processor worked for us: what others do meanwhile on a
 * busy machine is not counted, nor is preparation.
 */
function shortest(prepare: () => () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const run = prepare()
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

/** Well above what linear work takes, well below what quadratic work takes, on a busy machine too. */
export function expectLinear(size: number, prepare: (size: number) => () => unknown): void {
  prepare(100)()
  let excess = Number.POSITIVE_INFINITY
  // A busy moment spoils one try; quadratic work spoils all.
  for (let tries = 0; tries < 3 && excess >= 0; tries++) {
    const small = shortest(() => prepare(size / 8))
    const large = shortest(() => prepare(size))
    excess = large - (20 * small + 30)
  }
  expect(excess).toBeLessThan(0)
}

export const times = <T>(count: number, make: (at: number) => T): T[] => {
  return Array.from({ length: count }, (_, at) => make(at))
}
