/**
 * How many instructions each stage of the way of the data takes, counted by valgrind: the same on a
 * noisy machine as on a quiet one. Run: node scripts/instructions.mjs [--write] [PATTERN]
 *
 * `--write` puts the table into docs/performance.md.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { fill, table } from './fill.mjs'

const ROUNDS = 10
const format = (/** @type {number} */ count) => Math.round(count).toLocaleString('en')

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/**
 * A stage over some data. `less` is a stage whose work is part of it and is taken off; `per` says how
 * many of what the data holds, `rounds` how many passes are counted.
 *
 * @typedef {{ what: string, stage: string, data: string, less?: string, per: [number, string], rounds?: number }} Stage
 */

/** @type {Stage[]} */
const STAGES = [
  ...responses('gemini', 'Gemini', 6),
  ...responses('gemini', 'Gemini', 20),
  ...responses('openai', 'OpenAI', 6),
  ...responses('openai', 'OpenAI', 20),
  ...responses('gemini', 'Gemini', 100).slice(0, 4),
  ...responses('gemini', 'Gemini', 10_000).slice(0, 4),
  { what: 'a stream of 2,000 deltas', stage: 'stream', data: 'stream', per: [2000, 'delta'] },
  { what: 'markers found in 100 kB', stage: 'markers', data: 'answer', per: [200, 'marker'] },
  { what: 'markers rewritten in 100 kB', stage: 'brackets', data: 'answer', per: [200, 'marker'] },
  { what: 'the same, word by word', stage: 'deltas', data: 'answer', per: [200, 'marker'] },
  { what: 'a result of Exa, 40 kB', stage: 'tool', data: 'search', per: [20, 'record'] },
]

/**
 * The stages of a response: first those of `renderCitations`, then those of a turn.
 *
 * @param {string} maker
 * @param {string} name
 * @param {number} count
 * @returns {Stage[]}
 */
function responses(maker, name, count) {
  const data = `${maker}-${count}`
  /** @type {[number, string]} */
  const per = [count, 'source']
  const what = (/** @type {string} */ stage) => `${name}, ${format(count)} sources: ${stage}`
  const rounds = count > 1000 ? 1 : ROUNDS
  return [
    { what: what('parse the bytes'), stage: 'parse', data, per, rounds },
    { what: what('extract and clean'), stage: 'extract', data, per, rounds },
    { what: what('dedupe'), stage: 'dedupe', less: 'clone', data, per, rounds },
    { what: what('render'), stage: 'render', data, per, rounds },
    { what: what('a turn takes the bytes'), stage: 'push', data, per, rounds },
    { what: what('a turn numbers its sources'), stage: 'number', data, per, rounds },
    { what: what('a turn anchors its spans'), stage: 'anchor', less: 'number', data, per, rounds },
  ]
}

/**
 * Writes the data of the benchmark to files.
 *
 * @param {string} folder
 */
async function writeData(folder) {
  const outfile = join(folder, 'payloads.mjs')
  const entry = join(ROOT, 'benchmark/payloads.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' })
  /** @type {typeof import('../benchmark/payloads.ts')} */
  const payloads = await import(outfile)
  const write = (/** @type {string} */ name, /** @type {string} */ text) =>
    writeFileSync(join(folder, name), text)
  for (const count of [6, 20, 100, 10_000]) {
    write(`gemini-${count}`, JSON.stringify(payloads.geminiResponse(count)))
    write(`openai-${count}`, JSON.stringify(payloads.openaiResponse(count)))
  }
  write('stream', payloads.asEvents(payloads.openaiStream(2000, 12)))
  write('answer', payloads.markedAnswer(20))
  write('search', payloads.exaCall(20).output)
}

/** Builds the bench and says where its binary is. */
function buildStages() {
  const options = ['--bench', 'stages', '--no-run', '--message-format', 'json']
  const output = execFileSync('cargo', ['bench', '--quiet', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const built = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .find(({ executable, target }) => executable && target.name === 'stages')
  if (!built) throw new Error('cargo built no bench called stages')
  return built.executable
}

/**
 * Instructions of a whole run.
 *
 * @param {string[]} command
 */
function counted(command) {
  const options = ['--tool=callgrind', '--callgrind-out-file=/dev/null']
  const { stderr, error } = spawnSync('valgrind', [...options, ...command], { encoding: 'utf8' })
  if (error) throw error
  const total = /Collected : (\d+)/.exec(stderr)?.[1]
  if (total === undefined) throw new Error(`valgrind counted nothing: ${stderr}`)
  return Number(total)
}

/**
 * Instructions of one round: many rounds without one, so that what only comes once is not counted.
 *
 * @param {string} binary
 * @param {string} file
 * @param {string} stage
 * @param {number} rounds
 */
function perRound(binary, file, stage, rounds) {
  const run = (/** @type {number} */ count) => counted([binary, file, stage, String(count)])
  return (run(1 + rounds) - run(1)) / rounds
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' } },
})
const pattern = new RegExp(positionals[0] ?? '', 'i')
const folder = mkdtempSync(join(tmpdir(), 'citations-stages-'))
try {
  await writeData(folder)
  const binary = buildStages()
  const rows = [['stage', 'instructions', 'each']]
  for (const { what, stage, less, data, per, rounds = ROUNDS } of STAGES) {
    if (!pattern.test(what)) continue
    const count = (/** @type {string} */ stage) =>
      perRound(binary, join(folder, data), stage, rounds)
    const all = count(stage) - (less ? count(less) : 0)
    const [many, each] = per
    const row = [what, format(all), `${format(all / many)} a ${each}`]
    process.stdout.write(`${row.map((cell) => cell.padEnd(52)).join('')}\n`)
    rows.push(row)
  }
  if (values.write) fill('docs/performance.md', { instructions: table(rows) })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
