/**
 * Runs the fuzz targets, one after the other, from seeds taken out of the examples and tests.
 *
 * `node scripts/fuzz.mjs` takes two minutes in all, `--long` an hour, `--seconds N` N for each;
 * names of targets run only those. Needs a nightly compiler and cargo-fuzz; without, it says so and
 * is content, unless `--required` is given.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FUZZ = join(ROOT, 'fuzz')
/** Targets that are given text; all others are given bodies of responses. */
const OF_TEXT = new Set(['urls', 'markers', 'marker_stream', 'offsets'])
/** No address sanitizer: these rooms have no `unsafe` code, and without it ten times as much is tried. */
const FLAGS = ['--sanitizer', 'none', '--fuzz-dir', FUZZ]
const SHORT = 120
const LONG = 3600

const { values: options, positionals } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    required: { type: 'boolean', default: false },
    seconds: { type: 'string' },
  },
  allowPositionals: true,
})

/** @param {string[]} flags */
function works(...flags) {
  return spawnSync('cargo', ['+nightly', ...flags], { stdio: 'ignore' }).status === 0
}

function targets() {
  const files = readdirSync(join(FUZZ, 'targets')).map((name) => name.replace(/\.rs$/, ''))
  const unknown = positionals.filter((name) => !files.includes(name))
  if (unknown.length > 0) throw new Error(`no such target: ${unknown.join(', ')}`)
  return positionals.length > 0 ? positionals : files
}

/** Every string of a JSON document. @param {unknown} value @returns {string[]} */
function stringsOf(value) {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}

/** The plain string literals of the tests: answers, addresses, markers, bodies. */
function literals() {
  const folder = join(ROOT, '__test__')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const source = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  const found = source.matchAll(/'((?:[^'\\\n]|\\n|\\u[0-9a-f]{4})+)'/g)
  const texts = Array.from(found, ([, text = '']) => JSON.parse(`"${text.replaceAll('"', '\\"')}"`))
  return [...new Set(texts)].filter((text) => text.length > 2)
}

/** @returns {{ texts: string[], bodies: string[] }} */
function seeds() {
  const folder = join(ROOT, 'examples')
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const examples = files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const wholes = examples.map((example) => JSON.stringify(example))
  const outputs = examples.flatMap((example) => (example.tools ?? []).map(outputOf))
  const streams = wholes.map((body) => `data: ${body}\n\ndata: [DONE]\n\n`)
  const tests = literals()
  return {
    texts: [...stringsOf(examples), ...tests],
    bodies: [
      ...wholes,
      ...streams,
      ...outputs,
      ...tests.filter((text) => /^(\[?\{|data:)/.test(text)),
    ],
  }
}

/** @param {{ output: unknown }} call */
function outputOf({ output }) {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** @param {string} target @param {string[]} texts */
function plant(target, texts) {
  const folder = join(FUZZ, 'corpus', target)
  mkdirSync(folder, { recursive: true })
  for (const text of texts) {
    const file = join(folder, createHash('sha1').update(text).digest('hex'))
    // The first bytes of some targets choose how to cut; a text that starts with them loses nothing.
    if (!existsSync(file)) writeFileSync(file, text)
  }
}

/** @param {string} target @param {number} seconds */
function fuzz(target, seconds) {
  const libfuzzer = [
    `-max_total_time=${seconds}`,
    `-dict=${join(FUZZ, 'citations.dict')}`,
    '-max_len=16384',
    '-timeout=10',
    '-rss_limit_mb=2048',
    '-print_final_stats=1',
  ]
  const run = spawnSync(
    'cargo',
    ['+nightly', 'fuzz', 'run', ...FLAGS, target, '--', ...libfuzzer],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  )
  const tried = /number_of_executed_units: (\d+)/.exec(run.stderr)?.[1] ?? '0'
  console.log(`${run.status === 0 ? 'ok    ' : 'FAILED'} ${target.padEnd(14)} ${tried} cases`)
  if (run.status !== 0) console.log(run.stderr.slice(-4000))
  return { tried: Number(tried), failed: run.status !== 0 }
}

function main() {
  if (!works('fuzz', '--version')) {
    console.log('skipped: a nightly compiler and cargo-fuzz are needed (cargo install cargo-fuzz)')
    return options.required ? 1 : 0
  }
  const names = targets()
  const { texts, bodies } = seeds()
  for (const name of names) plant(name, OF_TEXT.has(name) ? texts : bodies)
  const built = spawnSync('cargo', ['+nightly', 'fuzz', 'build', ...FLAGS], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) return 1
  const each = Number(options.seconds ?? Math.ceil((options.long ? LONG : SHORT) / names.length))
  const results = names.map((name) => fuzz(name, each))
  const tried = results.reduce((sum, result) => sum + result.tried, 0)
  const failed = results.filter((result) => result.failed).length
  console.log(`${tried} cases in ${names.length} targets, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = main()
