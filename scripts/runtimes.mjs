/**
 * The JavaScript runtimes we promise to work on. Each is an npm package that holds its binary; they
 * are installed on demand beside the project, because few contributors need all of them.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const FOLDER = fileURLToPath(new URL('../.runtimes/', import.meta.url))
const NODE_PLATFORM = process.platform === 'win32' ? 'win' : process.platform
const BUN_PLATFORM = process.platform === 'win32' ? 'windows' : process.platform
const BUN_ARCH = process.arch === 'arm64' ? 'aarch64' : process.arch
const EXE = process.platform === 'win32' ? '.exe' : ''

/** @typedef {{ name: string, command: string }} Runtime */

/**
 * Runtimes by name, such as `node@24` or `bun@1.4.4`, installed where they are missing. `node`
 * alone is the one that runs this.
 *
 * @param {string[]} names
 * @returns {Runtime[]}
 */
export function runtimes(names) {
  return names.map((name) => {
    if (name === 'node') return { name: `node ${process.version}`, command: process.execPath }
    const [kind, version] = name.split('@')
    const alias = `${kind}-${version}`
    const command = `${FOLDER}node_modules/${alias}/bin/${kind}${EXE}`
    if (!existsSync(command)) install(alias, kind === 'bun' ? bun(version) : node(version))
    return { name: name.replace('@', ' '), command }
  })
}

/** @param {string | undefined} version */
const node = (version) => `node-${NODE_PLATFORM}-${process.arch}@${version}`
/** @param {string | undefined} version */
const bun = (version) => `@oven/bun-${BUN_PLATFORM}-${BUN_ARCH}@${version}`

/**
 * @param {string} alias
 * @param {string} source
 */
function install(alias, source) {
  mkdirSync(FOLDER, { recursive: true })
  const what = `${alias}@npm:${source}`
  const options = ['--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', ['install', ...options, what], {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
}
