/** Builds the addon as most releases are built: from what it was seen to do (`profile.mjs`). Run: npm run build:profiled */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildProfiled, napi } from './profile.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

const HELP = `Usage: npm run build:profiled [-- [--target TARGET] [--output-dir FOLDER]]

Builds the addon twice: once to watch it at work, and once from what was seen (profile-guided
optimisation). Takes two minutes.
Needs llvm-profdata of the compiler's own LLVM: rustup component add llvm-tools

Options:
  --target TARGET       what to build for, which this machine must be able to load (default: this machine)
  --output-dir FOLDER   where to put the addon (default: beside package.json)
  --help                show this
`

try {
  main()
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`)
  process.exitCode = 1
}

function main() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string' },
      'output-dir': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const target = values.target ? ['--target', values.target] : []
  const common = ['--release', '--target-dir', 'target/profile/target', ...target]
  buildProfiled(values['output-dir'] ?? ROOT, (folder, flags) =>
    napi([...common, '--output-dir', folder], flags),
  )
}
