/**
 * The benchmark runs: rows that were asked for are measured and printed, written down and drawn. How
 * fast they are is not asserted; `npm run bench` says that.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const RUN = join(__dirname, '../benchmark/run.mjs')
const folder = mkdtempSync(join(tmpdir(), 'citations-bench-spec-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bench = (...args: string[]) =>
  execFileSync(process.execPath, [RUN, '--quick', 'node', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

test('rows are picked by name, measured, printed, written down and drawn', () => {
  const [json, svg] = [join(folder, 'figures.json'), join(folder, 'figures.svg')]
  const printed = bench(
    '--rows',
    '^renderCitations from bytes: \\w+, 6 sources \\| JSON|doGenerate|^text deltas as bytes: Anthropic',
    '--json',
    json,
    '--plot',
    svg,
  )
  expect(printed).toMatch(/renderCitations from bytes: Gemini, 6 sources +[\d.]+x /)
  expect(printed).toMatch(/text deltas as bytes: Anthropic +[\d.]+ GB\/s /)
  const { runtimes, quick } = JSON.parse(readFileSync(json, 'utf8'))
  expect(quick).toBe(true)
  expect(Object.keys(runtimes)).toEqual([`node ${process.version}`])
  expect(runtimes[`node ${process.version}`]).toHaveLength(10)
  const drawn = readFileSync(svg, 'utf8')
  expect(drawn).toContain('prefers-color-scheme: dark')
  expect(drawn).toContain('against JSON.parse + tuned TypeScript')
  expect(drawn).toContain('against JSON.parse + plain TypeScript')
  // A row per ratio, a bar per runtime; the rate is no ratio.
  expect(drawn.match(/<rect class="r0"/g)).toHaveLength(1 + 9)
})

test('a pattern without rows is an error that names it', () => {
  const { status, stderr } = spawnSync(process.execPath, [RUN, '--rows', 'no such row'], {
    encoding: 'utf8',
  })
  expect(status).not.toBe(0)
  expect(stderr).toContain('--rows no such row')
})
