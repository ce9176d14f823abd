/**
 * Builds the WebAssembly fallback and runs the suite on it.
 * Run: npm run wasi [-- [--debug | --built] [pattern …]]; patterns choose files, as vitest does.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUT = join(ROOT, 'target/wasi')
const TARGET = 'wasm32-wasip1-threads'
const TOOL = { cwd: ROOT, stdio: /** @type {const} */ ('inherit') }

// What does not hold there and is not ours to mend: emnapi lets the error escape that asking whether a revoked
// proxy is a list throws, asks `Array.isArray` of the page each time, lets constructors be called as functions, and
// ends Latin-1 text at its first NUL. Lists are read field by field there, so that one without end costs the next.
const BESIDE = [
  ...[
    'revoked prox',
    'never runs the code of a value',
    'nul.*inside',
    'it is no function',
    'who may not make one',
  ],
  'takes anything as argument',
  'two of them at once',
  ...['who changes what engines', 'a built-in that calls us', 'lies about its length'],
]
// About processes, memory and time of a native addon, or about the package.
const LEFT = [
  'pack',
  'workflows',
  'profile',
  'memory',
  'host-process',
  'hyperlinks',
  'threads',
  'huge-*',
  '*-time',
]

const { values, positionals } = parseArgs({
  options: {
    debug: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

if (values.built || hasTarget()) {
  if (!values.built) build()
  process.exitCode = suite()
} else {
  console.log(`skipped: rustup has no ${TARGET} for this machine`)
}

function hasTarget() {
  try {
    execFileSync('rustup', ['target', 'add', TARGET], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function build() {
  const profile = values.debug ? [] : ['--release']
  const where = ['--target', TARGET, '--target-dir', 'target/wasi-build', '--output-dir', OUT]
  const napi = join(ROOT, 'node_modules/@napi-rs/cli/dist/cli.js')
  execFileSync(process.execPath, [napi, 'build', '--platform', ...profile, ...where], TOOL)
}

function suite() {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const left = LEFT.flatMap((file) => ['--exclude', `__test__/${file}.spec.ts`])
  const names = ['--testNamePattern', `^(?!.*(${BESIDE.join('|')}))`]
  const env = { ...process.env, CITATIONS_ADDON: join(OUT, 'llxprt-code-citations.wasi.cjs') }
  const args = [vitest, 'run', ...left, ...names, ...positionals]
  return spawnSync(process.execPath, args, { ...TOOL, env }).status ?? 1
}
