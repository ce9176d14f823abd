/**
 * `npm run bench`: every row on every runtime, as ratios. `npm run bench -- node bun@1.4.4` picks
 * the runtimes; `--json file` also writes the figures down.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { runtimes } from '../scripts/runtimes.mjs'

const HELP = `Usage: npm run bench [-- [options] [runtime …]]

Runtimes: node (this one), node@24, bun@1.4.4, …      (default: node node@24 bun@1.4.4)

Options:
  --json FILE   write the figures as JSON
  --help        show this
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  await run(positionals.length > 0 ? positionals : ['node', 'node@24', 'bun@1.4.4'])
}

/** @param {string[]} names */
async function run(names) {
  const folder = mkdtempSync(join(tmpdir(), 'citations-bench-'))
  try {
    const bundle = join(folder, 'bench.mjs')
    await bundleRows(bundle)
    /** @type {Record<string, unknown>} */
    const results = {}
    for (const { name, command } of runtimes(names)) {
      const output = execFileSync(command, [bundle], { encoding: 'utf8', maxBuffer: 1 << 26 })
      const rows = JSON.parse(output)
      results[name] = rows
      print(name, rows)
    }
    if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The addon itself stays outside: it is loaded as a user loads it.
 *
 * @param {string} outfile
 */
async function bundleRows(outfile) {
  const addon = pathToFileURL(fileURLToPath(new URL('../index.js', import.meta.url))).href
  await build({
    entryPoints: [fileURLToPath(new URL('./rows.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [
      {
        name: 'addon',
        setup: (builder) =>
          builder.onResolve({ filter: /^\.\.\/index\.js$/ }, () => ({
            path: addon,
            external: true,
          })),
      },
    ],
  })
}

/**
 * @param {string} name
 * @param {import('./race.ts').Result[]} rows
 */
function print(name, rows) {
  const lines = rows.map(({ row, against, ratio, low, high, ours }) => {
    const figure = `${ratio.toFixed(2)}x`.padStart(8)
    const spread = `${low.toFixed(2)}–${high.toFixed(2)}`.padStart(14)
    return `  ${row.padEnd(52)} ${figure} ${spread}   ${against} ${(ours / 1000).toFixed(2)} µs`
  })
  process.stdout.write(`${name}: how many times faster than …\n${lines.join('\n')}\n\n`)
}
