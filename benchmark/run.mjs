/** `npm run bench`: every row on every runtime. See docs/performance.md. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runtimes } from '../scripts/runtimes.mjs'
import { bundleRows, places } from './build.mjs'
import { line } from './line.mjs'
import { plot } from './plot.mjs'

const DEFAULT = ['node', 'node@22', 'node@24', 'bun@1.4.4']

const HELP = `Usage: npm run bench [-- [options] [runtime …]]

Runtimes: node (this one), node@24, bun@1.4.4, …   (default: ${DEFAULT.join(' ')})

Options:
  --rows PATTERN   only rows whose name, or what they are compared with, matches
  --quick          few rounds: whether the rows run, not how fast they are
  --json FILE      write the figures as JSON
  --plot FILE      draw the ratios as SVG
  --help           show this
`

/** @typedef {{ row: string, against: string, needsFloor?: boolean }} Listed */
/** @typedef {import('./row.ts').Result} Result */
/** @typedef {{ date: string, commit: string, machine: string, quick: boolean, runtimes: Record<string, Result[]> }} Figures */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string' },
    quick: { type: 'boolean' },
    json: { type: 'string' },
    plot: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  const figures = await run(positionals.length > 0 ? positionals : DEFAULT)
  if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`)
  if (values.plot) writeFileSync(values.plot, plot(figures))
}

/**
 * @param {string[]} names
 * @returns {Promise<Figures>}
 */
async function run(names) {
  const folder = mkdtempSync(join(tmpdir(), 'citations-bench-'))
  try {
    const bundle = await bundleRows(folder)
    const rows = chosen(ask(process.execPath, [bundle, 'list']))
    const env = { ...process.env, FORCE_HYPERLINK: '1', ...places(rows.some(needsFloor)) }
    /** @type {Figures} */
    const figures = { ...origin(), quick: values.quick === true, runtimes: {} }
    for (const { name, command } of runtimes(names)) {
      process.stdout.write(`${name}\n`)
      // Bun collects on request without being told so.
      const flags = name.startsWith('node') ? ['--expose-gc'] : []
      figures.runtimes[name] = rows.map(({ place }) => {
        const pace = values.quick ? 'quick' : 'full'
        /** @type {Result} */
        const result = ask(command, [...flags, bundle, String(place), pace], env)
        process.stdout.write(`${line(result)}\n`)
        return result
      })
      process.stdout.write('\n')
    }
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {Listed} row */
function needsFloor(row) {
  return row.needsFloor === true
}

/**
 * The rows that were asked for, with their places.
 *
 * @param {Listed[]} listed
 */
function chosen(listed) {
  const pattern = new RegExp(values.rows ?? '', 'i')
  const rows = listed
    .map((row, place) => ({ ...row, place }))
    .filter(({ row, against }) => pattern.test(`${row} | ${against}`))
  if (rows.length > 0) return rows
  throw new Error(`--rows ${values.rows}: no row is called like that`)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function ask(command, args, env) {
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8', env, maxBuffer: 1 << 26 }))
}

/** Where and when figures were measured, and of what. */
function origin() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { encoding: 'utf8' }).trim()
  const processors = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD'),
    machine: `${processors[0]?.model.trim() ?? process.arch}, ${processors.length} cores, ${process.platform}`,
  }
}
