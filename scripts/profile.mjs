/**
 * What the compiler is told of the daily work of the addon: it is built once so that it watches which ways it goes,
 * and `scripts/train` works with that one. What was seen holds for one compiler, one target and one set of options
 * (function by function, by names made of all three: with another nothing matches, and the build is slower than
 * without). So it is made anew for every build. Compilers call this profile-guided optimisation.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = join(ROOT, 'target/profile')
const WATCHING = join(FOLDER, 'watching')
const SEEN = join(FOLDER, 'seen')
const TRAINING = join(ROOT, 'scripts/train/index.mjs')

/**
 * Options of LLVM, which a later one may call otherwise; it then says so. What ran is made fast and what never did small,
 * and of what ran only that which takes nearly all of the time is put into its callers: without these the addon grows by
 * a sixth and is no faster. The last has functions reported that nothing was seen of.
 */
const LLVM = [
  '-pgso-lwss-only=false',
  '-pgso-cutoff-instr-prof=999990',
  '-profile-summary-cutoff-hot=950000',
  '-pgo-warn-missing-function',
]

/** How it reports them. Where the profile fits there are none of our own, and other crates are not heard. */
const UNMATCHED = 'no profile data available for function'

/**
 * Puts an addon into a folder, with flags for the compiler in the environment, and answers what the compiler said.
 *
 * @typedef {(folder: string, flags: Record<string, string>) => string} Build
 */

/**
 * Builds an addon that knows its daily work. This machine must be able to load it.
 *
 * @param {string} folder where to put it
 * @param {Build} build
 * @param {Build} [watching] where this one cannot build an addon that watches; functions must get the same names
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
    env: {
      ...process.env,
      NAPI_RS_NATIVE_LIBRARY_PATH: join(WATCHING, addon),
      LLVM_PROFILE_FILE: join(SEEN, '%m_%p.profraw'),
    },
    stdio: 'inherit',
  })
  if (!existsSync(SEEN)) throw new Error('the addon wrote down nothing of what it saw')
  const profile = join(FOLDER, 'seen.profdata')
  execFileSync(merge, ['merge', '--output', profile, SEEN], { stdio: 'inherit' })
  const said = build(
    folder,
    flagged(`-Cprofile-use=${profile}`, ...LLVM.map((it) => `-Cllvm-args=${it}`)),
  )
  if (said.includes(UNMATCHED)) {
    throw new Error(
      'functions have other names than in the build that watched: nothing of what it saw was used',
    )
  }
}

/**
 * Runs a build and answers what it said on the way.
 *
 * @param {string[]} args of napi
 * @param {Record<string, string | undefined>} env
 */
export function napi(args, env) {
  const cli = join(ROOT, 'node_modules/@napi-rs/cli/dist/cli.js')
  const { status, stderr, error } = spawnSync(
    process.execPath,
    [cli, 'build', '--platform', ...args],
    {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  )
  if (error) throw error
  process.stderr.write(stderr)
  if (status !== 0) throw new Error('napi could not build the addon')
  return stderr
}

/** Flags of the compiler, behind those that are set, as Cargo takes them from the environment. @param {string[]} flags */
function flagged(...flags) {
  const set = (process.env.RUSTFLAGS ?? '').split(' ').filter(Boolean)
  // Unlike in RUSTFLAGS, there may be blanks in them.
  return { CARGO_ENCODED_RUSTFLAGS: [...set, ...flags].join('\x1f') }
}

/** The llvm-profdata that reads what this compiler writes: its own, or one of the same LLVM. */
function profdata() {
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

/** @param {string[]} args */
function rustc(...args) {
  try {
    return execFileSync('rustc', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  } catch (error) {
    throw new Error('there is no rustc that runs', { cause: error })
  }
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
