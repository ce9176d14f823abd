/**
 * Builds for release know the daily work of the addon (`scripts/profile.mjs`). That takes minutes and a tool of LLVM, so
 * what is held here is the rest: that the work can be done, and that a missing tool is said.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const hasRust = spawnSync('rustc', ['-vV']).status === 0
const script = (name: string) => join(__dirname, '../scripts', name)

test('the daily work is done and says nothing', () => {
  const printed = execFileSync(process.execPath, [script('train/index.mjs')], { encoding: 'utf8' })
  expect(printed).toBe('')
})

test('help says what is needed', () => {
  const printed = execFileSync(process.execPath, [script('build-profiled.mjs'), '--help'], {
    encoding: 'utf8',
  })
  expect(printed).toContain('npm run build:profiled')
  expect(printed).toContain('rustup component add llvm-tools')
})

test.skipIf(!hasRust)(
  'without a tool that reads profiles it says which, and builds nothing',
  () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [script('build-profiled.mjs')], {
      encoding: 'utf8',
      env: { ...process.env, LLVM_PROFDATA: process.execPath },
    })
    expect(status).toBe(1)
    expect(stderr).toContain(`among ${process.execPath};`)
    expect(stderr).toContain('rustup component add llvm-tools')
    expect(stdout).toBe('')
  },
)

test('an option that it does not know is named', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [script('build-profiled.mjs'), '--bogus'],
    {
      encoding: 'utf8',
    },
  )
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Unknown option '--bogus'/)
})
