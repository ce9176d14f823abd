/** How fast the package wants to be, row by row, and whether it is. */

/**
 * A target for the rows that match, on the runtimes that match. `least` and `most` are bounds of the
 * value; every matching row has to keep to them.
 *
 * @typedef {{ what: string, rows: RegExp, on?: RegExp, least?: number, most?: number, unit: string }} Target
 */

/** @type {Target[]} */
export const TARGETS = [
  {
    what: 'renderCitations from objects, against plain TypeScript, on Bun',
    rows: /^renderCitations from objects: .* \| plain TypeScript$/,
    on: /^bun/,
    least: 1.5,
    unit: 'x',
  },
  {
    what: 'the same on Node',
    rows: /^renderCitations from objects: .* \| plain TypeScript$/,
    on: /^node/,
    least: 1,
    unit: 'x',
  },
  {
    what: 'renderCitations from bytes, against JSON.parse + plain TypeScript',
    rows: /^renderCitations from bytes: .* \| JSON\.parse \+ plain TypeScript$/,
    least: 3,
    unit: 'x',
  },
  {
    what: 'renderCitations from objects, against tuned TypeScript, on Bun',
    rows: /^renderCitations from objects: .* \| tuned TypeScript$/,
    on: /^bun/,
    least: 2,
    unit: 'x',
  },
  {
    what: 'the same on Node 24',
    rows: /^renderCitations from objects: .* \| tuned TypeScript$/,
    on: /^node v?24/,
    least: 1.2,
    unit: 'x',
  },
  {
    what: 'the same, times the floor',
    rows: /^renderCitations from objects: .* \| the floor$/,
    most: 3,
    unit: 'x',
  },
  {
    what: 'a reused turn, against tuned TypeScript, on Bun',
    rows: /^a reused turn, push and render: .* \| tuned TypeScript$/,
    on: /^bun/,
    least: 1.5,
    unit: 'x',
  },
  {
    what: 'a reused turn, on Node 24 from 6 sources',
    rows: /^a reused turn, push and render: \w+, (?:6|20) .* \| tuned TypeScript$/,
    on: /^node v?24/,
    least: 1,
    unit: 'x',
  },
  {
    what: 'a reused turn, times the floor',
    rows: /^a reused turn, push and render: .* \| the floor$/,
    most: 3,
    unit: 'x',
  },
  {
    what: 'a whole turn from bytes, against JSON.parse + tuned TypeScript',
    rows: /^a whole turn from bytes: .* \| JSON\.parse \+ tuned TypeScript$/,
    least: 4,
    unit: 'x',
  },
  {
    what: 'renderCitations from bytes, against the same',
    rows: /^renderCitations from bytes: .* \| JSON\.parse \+ tuned TypeScript$/,
    least: 4,
    unit: 'x',
  },
  {
    what: 'both from bytes, times the floor',
    rows: /^(?:a whole turn|renderCitations) from bytes: .* \| the floor$/,
    most: 3,
    unit: 'x',
  },
  {
    what: "a whole turn from bytes, against the AI SDK's generateText",
    rows: /^a whole turn from bytes, as objects: .*generateText$/,
    least: 10,
    unit: 'x',
  },
  {
    what: 'a stream of 2,000 deltas as bytes, against parsing each event',
    rows: /^a stream of 2,000 deltas as bytes \| JSON\.parse/,
    least: 20,
    unit: 'x',
  },
  {
    what: 'text deltas as bytes, OpenAI Responses',
    rows: /^text deltas as bytes: OpenAI Responses/,
    least: 1,
    unit: ' GB/s',
  },
  {
    what: 'text deltas as bytes, other providers',
    rows: /^text deltas as bytes: (?!OpenAI Responses)/,
    least: 1,
    unit: ' GB/s',
  },
  {
    what: 'results of tools into a turn: 20 Exa records, 40 kB',
    rows: /^a reused turn, addToolResult.* \| TypeScript$/,
    least: 3,
    unit: 'x',
  },
  {
    what: 'the same, given back as objects',
    rows: /^extractToolCitations/,
    least: 3,
    unit: 'x',
  },
  { what: 'markers in 100 kB', rows: /^formatMarkers.* \| TypeScript$/, least: 5, unit: 'x' },
  {
    what: '10,000 sources, time per source against 100',
    rows: /^time per source, 10,000 of them from bytes: /,
    most: 1.3,
    unit: 'x',
  },
  {
    what: 'resolveCitationsEnabled, disabled, times an empty call',
    rows: /^resolveCitationsEnabled/,
    most: 12,
    unit: 'x',
  },
  {
    what: 'loading, times an empty addon',
    rows: /^require in a fresh process/,
    most: 3,
    unit: 'x',
  },
  {
    what: 'the same without the generated loader',
    rows: /^require of the binary alone/,
    most: 3,
    unit: 'x',
  },
  { what: 'the binary', rows: /^the binary/, most: 1.5, unit: ' MB' },
  {
    what: 'memory grown by 1,000,000 turns',
    rows: /^memory grown/,
    most: 2,
    unit: ' MB',
  },
]

/**
 * The values a target speaks of, runtime by runtime, and whether they keep to it. A runtime it does not speak of has
 * none. Where the floor does the same calls, the limit is what the floor
 * would come to in our place: ours by as much as it costs more.
 *
 * @param {Target} target
 * @param {Record<string, import('./row.ts').Result[]>} runtimes
 */
export function judge({ rows, on, least = -Infinity, most = Infinity }, runtimes) {
  const found = Object.entries(runtimes).map(([name, results]) => {
    if (on && !on.test(name)) return []
    return results
      .filter(({ row, against }) => rows.test(`${row} | ${against}`))
      .map((result) => ({ value: result.value, limit: limitOf(result, results) }))
  })
  const all = found.flat()
  const keeps = (/** @type {number} */ value) => value >= least && value <= most
  const missed = all.filter(({ value }) => !keeps(value))
  if (missed.length === 0) return { found, verdict: all.length > 0 ? 'met' : 'missed' }
  const beyond = missed.every(({ limit }) => limit !== undefined && !keeps(limit))
  return { found, verdict: beyond ? 'out of reach' : 'missed' }
}

/**
 * @param {import('./row.ts').Result} result
 * @param {import('./row.ts').Result[]} results
 */
function limitOf({ row, against, value }, results) {
  const named = (/** @type {string} */ name, /** @type {string} */ opponent) =>
    results.find((other) => other.row === name && other.against === opponent)?.value
  // How much the time of one grows is said by a row of its own.
  const growing = row.replace(/(?<=^time per source.*)(?=: \w+$)/, ', the floor')
  if (growing !== row) return named(growing, against)
  const cost = against === 'the floor' ? undefined : named(row, 'the floor')
  return cost && value * cost
}
