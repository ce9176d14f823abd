/**
 * Builds for every kind of Linux, looks at what came out, and loads it where that can be done.
 * Run: npm run cross [-- [--debug | --profiled] [target …]]. What is missing on this machine is skipped and said.
 *
 * `--profiled` builds as releases are built (`profile.mjs`), and skips what this machine cannot load.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadOnArm64 } from './arm64.mjs'
import { complaints } from './elf.mjs'
import { buildProfiled, napi } from './profile.mjs'
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
  options: {
    debug: { type: 'boolean', default: false },
    profiled: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (values.debug && values.profiled) throw new Error('--debug and --profiled exclude each other')
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
  if (values.profiled && !isLoadable(name)) return 'skipped, this machine cannot load it'
  try {
    if (values.profiled) buildProfiled(OUT, withZig(target.zig), withOwnLinker(name))
    else withZig(target.zig)(OUT, {})
  } catch (error) {
    return `failed to build: ${/** @type {Error} */ (error).message}`
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

/** Whether Node can load it here: on the same processor, where it runs on glibc. @param {string} name */
function isLoadable(name) {
  const processor = process.arch === 'x64' ? 'x86_64' : 'aarch64'
  return name === `${processor}-unknown-linux-gnu`
}

/** @param {string} target @returns {import('./profile.mjs').Build} */
function withZig(target) {
  const path = [join(PYTHON, 'bin'), join(PYTHON, 'ziglang'), process.env.PATH].join(delimiter)
  return (folder, flags) =>
    build(folder, ['--target', target, '--cross-compile'], { ...flags, PATH: path })
}

/**
 * zig does not link what a build that watches needs. For the rest it is the build that cargo-zigbuild makes where host
 * and target are alike: with what that sets, functions have the same names.
 *
 * @param {string} target
 * @returns {import('./profile.mjs').Build}
 */
function withOwnLinker(target) {
  const alike = {
    CARGO_TARGET_APPLIES_TO_HOST: 'false',
    CARGO_UNSTABLE_TARGET_APPLIES_TO_HOST: 'true',
    __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'nightly',
  }
  return (folder, flags) => build(folder, ['--target', target], { ...flags, ...alike })
}

/**
 * @param {string} folder
 * @param {string[]} how
 * @param {Record<string, string>} env
 */
function build(folder, how, env) {
  const profile = values.debug ? [] : ['--release']
  const where = ['--target-dir', 'target/cross-build', '--output-dir', folder]
  return napi(['--no-js', ...profile, ...how, ...where], env)
}
