/**
 * Writes the figures of `docs/performance.json` into the tables of docs/performance.md and README.md,
 * between their markers. Run: node scripts/performance-table.mjs
 */
import { readFileSync } from 'node:fs'
import { digits, written } from '../benchmark/line.mjs'
import { judge, TARGETS } from '../benchmark/targets.mjs'
import { fill, table } from './fill.mjs'

/** @typedef {import('../benchmark/run.mjs').Figures} Figures */

/** @type {Figures} */
const figures = JSON.parse(
  readFileSync(new URL('../docs/performance.json', import.meta.url), 'utf8'),
)
const runtimes = Object.keys(figures.runtimes)

/** The name and opponent of each row, and its results by runtime. */
function rows() {
  const first = Object.values(figures.runtimes)[0] ?? []
  return first.map(({ row, against }) => ({
    row,
    against,
    results: Object.values(figures.runtimes).map((results) =>
      results.find((result) => result.row === row && result.against === against),
    ),
  }))
}

const origin = `Measured ${figures.date} at commit ${figures.commit} on ${figures.machine}, shared with other work.`

const all = table([
  ['row', 'against', ...runtimes],
  ...rows().map(({ row, against, results }) => [
    row,
    against,
    ...results.map((result) => {
      if (!result) return ''
      const { value, low, high, measure } = result
      const spread = low === high ? '' : ` (${digits(low)}–${digits(high)})`
      return `${written(value, measure)}${spread}`
    }),
  ]),
])

/** @param {number[]} values */
const range = (values) => {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(digits)
  if (values.length === 0) return ''
  return least === most ? `${least}` : `${least} to ${most}`
}

/** @param {{ value: number, limit: number | undefined }[]} found */
function cell(found) {
  const limits = found.flatMap(({ limit }) => limit ?? [])
  const values = range(found.map(({ value }) => value))
  return limits.length > 0 ? `${values} (limit ${range(limits)})` : values
}

const targets = table([
  ['what', 'target', ...runtimes, ''],
  ...TARGETS.map((target) => {
    const { found, verdict } = judge(target, figures.runtimes)
    const { least, most, unit } = target
    const wanted = least === undefined ? `at most ${most}${unit}` : `at least ${least}${unit}`
    return [target.what, wanted, ...found.map(cell), verdict === 'met' ? verdict : `**${verdict}**`]
  }),
])

/** What a reader of the README wants to know first. */
const SHORT =
  /^(?:renderCitations from (?:objects|bytes)|a reused turn, push and render|a whole turn from bytes(?:, as objects)?): \w+, 6 sources \| (?:plain|tuned|JSON|the AI SDK's generateText)|^a stream.*(?:JSON|SDK)|^formatMarkers.*TypeScript|^MarkerStream|^a reused turn, addToolResult.*TypeScript|^(?:extract|dedupeCitations): Gemini, 6|80 columns: .*\b6 sources|^text deltas as bytes: OpenAI|^memory|^require/

const short = table([
  ['call', 'against', ...runtimes],
  ...rows()
    .filter(({ row, against }) => SHORT.test(`${row} | ${against}`))
    .map(({ row, against, results }) => [
      row,
      against,
      ...results.map((result) => (result ? written(result.value, result.measure) : '')),
    ]),
])

fill('docs/performance.md', { origin, targets, figures: all })
fill('README.md', { figures: `${origin}\n\n${short}` })
