/** How figures are written. */

/** @typedef {import('./row.ts').Measure} Measure */

/**
 * @param {number} value
 * @param {Measure} measure
 */
export function written(value, measure) {
  switch (measure) {
    case 'faster':
      return `${digits(value)}x`
    case 'times':
      return `${digits(value)}x its cost`
    default:
      return `${digits(value)} ${measure}`
  }
}

/**
 * As many digits as mean something.
 *
 * @param {number} value
 */
export function digits(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** @param {number | undefined} nanoseconds */
function duration(nanoseconds) {
  if (nanoseconds === undefined) return ''
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`
  return nanoseconds < 1e6
    ? `${(nanoseconds / 1e3).toFixed(2)} µs`
    : `${(nanoseconds / 1e6).toFixed(2)} ms`
}

/**
 * A row as the terminal shows it.
 *
 * @param {import('./row.ts').Result} result
 */
export function line({ row, against, measure, value, low, high, ours }) {
  const figure = written(value, measure).padStart(16)
  const spread = low === high ? '' : `${digits(low)}–${digits(high)}`
  return `  ${row.padEnd(68)} ${figure} ${spread.padStart(13)} ${duration(ours).padStart(10)}  ${against}`
}
