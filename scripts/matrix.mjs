/** The test suite on every runtime we promise to work on, one after the other. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runtimes } from './runtimes.mjs'

const RUNTIMES = ['node@20', 'node@22', 'node@24', 'bun@1.3.14', 'bun@1.4.4']
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

// Questions about the package, not about the runtime; they start the runtimes they are about by themselves.
const ONCE = ['pack', 'workflows']

const HELP = `Usage: npm run matrix [-- [--on RUNTIME,…] [pattern …]]

Patterns choose files, as vitest does.

Options:
  --on RUNTIME,…   which runtimes (default: ${RUNTIMES.join(',')})
  --help           show this
`

const { values, positionals } = parseArgs({
  options: {
    on: { type: 'string', default: RUNTIMES.join(',') },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})
if (values.help) {
  process.stdout.write(HELP)
} else {
  const results = values.on.split(',').map((name) => `${suite(name, positionals)}  ${name}`)
  console.log(`\n${results.join('\n')}`)
  process.exitCode = results.some((result) => result.startsWith('failed')) ? 1 : 0
}

/**
 * @param {string} name
 * @param {string[]} patterns
 */
function suite(name, patterns) {
  const command = obtain(name)
  if (!command) return 'skipped, cannot be had'
  console.log(`\n${name}`)
  const left = ONCE.flatMap((file) => ['--exclude', `__test__/${file}.spec.ts`])
  const { status } = spawnSync(command, [VITEST, 'run', ...left, ...patterns], {
    stdio: 'inherit',
  })
  return status === 0 ? 'passed' : 'failed'
}

/** @param {string} name */
function obtain(name) {
  try {
    return runtimes([name])[0]?.command
  } catch {
    return undefined
  }
}
