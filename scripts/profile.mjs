/**
 * What the compiler is told of the daily work of the addon: it is built once so that it watches which ways it goes,
 * and `scripts/train` works with that one. What was seen holds for one compiler, one target and one set of options
 * (function by function, by names made of all three: with another nothing matches, and the build is slower than
 * without). So it is made where it is used, and never kept.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = join(ROOT, 'target/profile')
const WATCHING = join(FOLDER, 'watching')
const SEEN = join(FOLDER, 'seen')
const TRAINING = join(ROOT, 'scripts/train/index.mjs')

/** What makes use of what was seen, besides the speed: what never ran is made small, and less counts as hot. */
const SMALLER = ['-pgso-lwss-only=false', '-profile-summary-cutoff-hot=950000']

/**
 * Puts an addon into a folder, with flags for the compiler in the environment.
 *
 * @typedef {(folder: string, flags: Record<string, string>) => void} Build
 */

/**
 * Builds an addon that knows its daily work. This machine must be able to load it.
 *
 * @param {string} folder where to put it
 * @param {Build} build
 * @param {Build} [watching] where this one cannot build an addon that watches; otherwise both must be alike
 */
export function buildProfiled(folder, build, watching = build) {
  const merge = profdata()
  for (const old of [WATCHING, SEEN]) rmSync(old, { recursive: true, force: true })
  mkdirSync(WATCHING, { recursive: true })
  watching(WATCHING, flagged(`-Cprofile-generate=${SEEN}`))
  const addon = readdirSync(WATCHING).find((name) => name.endsWith('.node'))
  if (!addon) throw new Error('napi built no addon')
  // Programs that run while it is built are watched, too.
  rmSync(SEEN, { recursive: true, force: true })
  execFileSync(process.execPath, [TRAINING], {
    env: { ...process.env, NAPI_RS_NATIVE_LIBRARY_PATH: join(WATCHING, addon) },
    stdio: 'inherit',
  })
  if (!existsSync(SEEN)) throw new Error('the addon wrote down nothing of what it saw')
  const profile = join(FOLDER, 'seen.profdata')
  execFileSync(merge, ['merge', '--output', profile, SEEN], { stdio: 'inherit' })
  build(
    folder,
    flagged(`-Cprofile-use=${profile}`, ...SMALLER.map((flag) => `-Cllvm-args=${flag}`)),
  )
}

/** Flags of the compiler as Cargo takes them from the environment. @param {string[]} flags */
const flagged = (...flags) => ({
  // Unlike in RUSTFLAGS, there may be blanks in them.
  CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f'),
})

/** The llvm-profdata that reads what this compiler writes: its own, or one of the same LLVM. */
function profdata() {
  const rustc = (/** @type {string[]} */ ...args) =>
    execFileSync('rustc', args, { encoding: 'utf8' }).trim()
  const said = rustc('-vV')
  const llvm = /^LLVM version: (\d+)/m.exec(said)?.[1]
  const host = /^host: (.+)$/m.exec(said)?.[1]
  const own = join(rustc('--print', 'sysroot'), `lib/rustlib/${host}/bin/llvm-profdata`)
  const named = process.env.LLVM_PROFDATA
  const places = named ? [named] : [own, `llvm-profdata-${llvm}`, 'llvm-profdata']
  const found = places.find((place) => llvmOf(place) === llvm)
  if (found) return found
  throw new Error(
    `no llvm-profdata of LLVM ${llvm} among ${places.join(', ')}; ` +
      '`rustup component add llvm-tools` gets one, LLVM_PROFDATA names one',
  )
}

/** @param {string} place */
function llvmOf(place) {
  try {
    const said = execFileSync(place, ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return /LLVM version (\d+)/.exec(said)?.[1]
  } catch {
    return undefined
  }
}
