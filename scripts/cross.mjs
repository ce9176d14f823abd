/**
 * Builds for every kind of Linux, looks at what came out, and loads it where that can be done.
 * Run: npm run cross [-- [--debug] [target …]]. What is missing on this machine is skipped and said.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadOnArm64 } from './arm64.mjs'
import { complaints } from './elf.mjs'
import { FOLDER } from './runtimes.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUT = join(ROOT, 'target/cross')
const PYTHON = join(FOLDER, 'python')
// Pinned, because a linker is part of the product.
const TOOLS = ['ziglang==0.15.2', 'cargo-zigbuild==0.20.1']

/** @type {Record<string, { zig: string, file: string, load?: (file: string) => string }>} */
const TARGETS = {
  'x86_64-unknown-linux-gnu': {
    // Older than any glibc that Node 20 and Bun run on.
    zig: 'x86_64-unknown-linux-gnu.2.17',
    file: 'llxprt-code-citations.linux-x64-gnu.node',
  },
  'aarch64-unknown-linux-gnu': {
    zig: 'aarch64-unknown-linux-gnu.2.17',
    file: 'llxprt-code-citations.linux-arm64-gnu.node',
    load: loadOnArm64,
  },
  'x86_64-unknown-linux-musl': {
    zig: 'x86_64-unknown-linux-musl',
    file: 'llxprt-code-citations.linux-x64-musl.node',
  },
  'aarch64-unknown-linux-musl': {
    zig: 'aarch64-unknown-linux-musl',
    file: 'llxprt-code-citations.linux-arm64-musl.node',
  },
}

const { values, positionals } = parseArgs({
  options: { debug: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const results = (positionals.length ? positionals : Object.keys(TARGETS)).map(
  (name) => `${name}: ${built(name)}`,
)
console.log(`\n${results.join('\n')}`)
process.exitCode = results.some((result) => result.includes(': failed')) ? 1 : 0

/** @param {string} name */
function built(name) {
  const target = TARGETS[name]
  if (!target) return `failed, no such target; there are ${Object.keys(TARGETS).join(', ')}`
  const missing = prepare(name)
  if (missing) return `skipped, ${missing}`
  try {
    build(target.zig)
  } catch {
    return 'failed to build'
  }
  const file = join(OUT, target.file)
  const wrong = complaints(file, name)
  if (wrong.length) return `failed, ${wrong.join('; ')}`
  const size = `${(statSync(file).size / 2 ** 20).toFixed(2)} MiB`
  return `built, ${size}, ${target.load ? target.load(file) : 'sound; CI loads it where it belongs'}`
}

/**
 * Gets the tools; in words what cannot be had.
 *
 * @param {string} name
 */
function prepare(name) {
  if (process.platform !== 'linux') return 'cross builds start from Linux'
  try {
    execFileSync('rustup', ['target', 'add', name], { stdio: 'ignore' })
  } catch {
    return `rustup has no ${name} for this machine`
  }
  if (existsSync(join(PYTHON, 'ziglang/zig'))) return undefined
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', PYTHON]
  try {
    execFileSync('python3', [...pip, ...TOOLS], { stdio: 'ignore' })
    return undefined
  } catch {
    return `pip cannot get ${TOOLS.join(' and ')}`
  }
}

/** @param {string} target */
function build(target) {
  const napi = join(ROOT, 'node_modules/.bin/napi')
  const profile = values.debug ? [] : ['--release']
  const where = ['--target', target, '--target-dir', 'target/cross-build', '--output-dir', OUT]
  const path = [join(PYTHON, 'bin'), join(PYTHON, 'ziglang'), process.env.PATH].join(delimiter)
  execFileSync(napi, ['build', '--platform', '--no-js', '--cross-compile', ...profile, ...where], {
    cwd: ROOT,
    env: { ...process.env, PATH: path },
    stdio: 'inherit',
  })
}
