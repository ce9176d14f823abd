/** Builds the addon as releases have it: knowing its daily work (`profile.mjs`). Run: npm run build:profiled */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildProfiled } from './profile.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

const HELP = `Usage: npm run build:profiled [-- [--target TARGET] [--output-dir FOLDER]]

Builds the addon twice: once to watch it at work, and once from what was seen. Takes two minutes.
Needs llvm-profdata of the compiler's own LLVM: rustup component add llvm-tools

Options:
  --target TARGET       what to build for, which this machine must be able to load (default: this machine)
  --output-dir FOLDER   where to put the addon (default: beside package.json)
  --help                show this
`

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    'output-dir': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  try {
    buildProfiled(values['output-dir'] ?? ROOT, build)
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`)
    process.exitCode = 1
  }
}

/**
 * @param {string} folder
 * @param {Record<string, string>} flags
 */
function build(folder, flags) {
  const napi = join(ROOT, 'node_modules/@napi-rs/cli/dist/cli.js')
  const target = values.target ? ['--target', values.target] : []
  const where = ['--output-dir', folder, '--target-dir', 'target/profile/target']
  execFileSync(process.execPath, [napi, 'build', '--platform', '--release', ...target, ...where], {
    cwd: ROOT,
    env: { ...process.env, ...flags },
    stdio: 'inherit',
  })
}
