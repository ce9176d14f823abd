/**
 * Draws the ratios as bars: right of 1x ours is faster, left of it slower, each tenth of the way the
 * same factor. Light or dark, as the reader's system is.
 */
import { digits } from './line.mjs'

const WIDTH = 880
const LEFT = 330
const RIGHT = 90
const TOP = 58
const BAR = 6
const GAP = 9
const HEADING = 26

const STYLE = `
.page{fill:#fff}.text{fill:#1f2328}.faint{fill:#59636e}.grid{stroke:#d1d9e0}.one{stroke:#59636e}
.r0{fill:#a5d3a1}.r1{fill:#57a85a}.r2{fill:#1a7f37}.r3{fill:#bf5fa6}.r4{fill:#bc4c00}.r5{fill:#0969da}
.head{font-weight:600}
@media (prefers-color-scheme: dark){
.page{fill:#0d1117}.text{fill:#e6edf3}.faint{fill:#9198a1}.grid{stroke:#30363d}.one{stroke:#9198a1}
.r0{fill:#2d5a35}.r1{fill:#2f9245}.r2{fill:#56d364}.r3{fill:#db8cc7}.r4{fill:#f0883e}.r5{fill:#58a6ff}}
`

/** Rows that say the same with another number of sources are left out. */
const OTHER_SIZE = /\b(?:3|20) sources/

/** @typedef {import('./row.ts').Result} Result */
/** @typedef {{ name: string, values: (number | undefined)[] }} Bars */

/** @param {import('./run.mjs').Figures} figures */
export function plot({ date, commit, runtimes }) {
  const names = Object.keys(runtimes)
  const groups = grouped(runtimes)
  const values = [...groups.values()].flat().flatMap((bars) => bars.values.filter(isThere))
  const x = scale(Math.min(1, ...values), Math.max(1, ...values))
  const step = names.length * BAR + GAP
  let y = TOP
  let body = ''
  for (const [against, rows] of groups) {
    body += text(16, y + 15, `against ${against}`, 'text head')
    y += HEADING
    for (const row of rows) {
      body += rowOf(row, y, x)
      y += step
    }
    y += 6
  }
  const height = y + 12
  const what = `How many times faster: ${values.length} ratios on ${names.join(', ')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(what)}" font-family="system-ui, sans-serif" font-size="12">
<style>${STYLE}</style>
<rect class="page" width="100%" height="100%"/>
${legend(names, `${date}, ${commit}`)}${grid(x, height)}${body}</svg>
`
}

/**
 * @param {number | undefined} value
 * @returns {value is number}
 */
function isThere(value) {
  return value !== undefined
}

/**
 * The ratios by what they are against, each with a value per runtime.
 *
 * @param {Record<string, Result[]>} runtimes
 */
function grouped(runtimes) {
  /** @type {Map<string, Bars[]>} */
  const groups = new Map()
  Object.values(runtimes).forEach((results, place) => {
    for (const { row, against, measure, value } of results) {
      if (measure !== 'faster' || OTHER_SIZE.test(row)) continue
      const rows = groups.get(against) ?? []
      groups.set(against, rows)
      const name = row.replace(/, 6 sources$/, '')
      const bars = rows.find((bars) => bars.name === name) ?? { name, values: [] }
      if (!rows.includes(bars)) rows.push(bars)
      bars.values[place] = value
    }
  })
  return groups
}

/**
 * Whole powers of ten around all values.
 *
 * @param {number} least
 * @param {number} most
 */
function scale(least, most) {
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  const length = WIDTH - LEFT - RIGHT
  const at = (/** @type {number} */ value) =>
    LEFT + ((Math.log10(value) - from) / Math.max(1, to - from)) * length
  return { at, from, to }
}

/** @typedef {ReturnType<typeof scale>} Scale */

/**
 * @param {Bars} row
 * @param {number} y
 * @param {Scale} x
 */
function rowOf({ name, values }, y, x) {
  let drawn = text(LEFT - 10, y + (values.length * BAR) / 2 + 4, name, 'text', 'end')
  values.forEach((value, place) => {
    if (value === undefined) return
    const from = Math.min(x.at(1), x.at(value))
    const width = Math.max(1, Math.abs(x.at(1) - x.at(value))).toFixed(1)
    drawn += `<rect class="r${place % 6}" x="${from.toFixed(1)}" y="${y + place * BAR}" width="${width}" height="${BAR - 1}"/>\n`
  })
  const there = values.filter(isThere)
  const [least, most] = [Math.min(...there), Math.max(...there)].map(digits)
  const range = least === most ? `${least}x` : `${least}–${most}x`
  return drawn + text(WIDTH - 12, y + (values.length * BAR) / 2 + 4, range, 'faint', 'end')
}

/**
 * @param {Scale} x
 * @param {number} height
 */
function grid(x, height) {
  let drawn = ''
  for (let power = x.from; power <= x.to; power++) {
    const at = x.at(10 ** power).toFixed(1)
    const look = power === 0 ? 'one' : 'grid'
    drawn += `<line class="${look}" x1="${at}" x2="${at}" y1="${TOP}" y2="${height - 12}"/>\n`
    drawn += text(Number(at), TOP - 6, `${10 ** power}x`, 'faint', 'middle')
  }
  return drawn
}

/**
 * @param {string[]} names
 * @param {string} origin
 */
function legend(names, origin) {
  let drawn = ''
  names.forEach((name, place) => {
    const x = 16 + place * 130
    drawn += `<rect class="r${place % 6}" x="${x}" y="14" width="12" height="12"/>\n`
    drawn += text(x + 18, 24, name, 'text')
  })
  return drawn + text(WIDTH - 12, 24, origin, 'faint', 'end')
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} look
 * @param {'start' | 'middle' | 'end'} [anchor]
 */
function text(x, y, words, look, anchor = 'start') {
  return `<text class="${look}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>\n`
}

/** @param {string} words */
function escaped(words) {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
