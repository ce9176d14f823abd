/**
 * Holds the crates of the addon against `deny.toml`: licences, bans, doubled versions, origins, and
 * known vulnerabilities where a database of them is at hand (`cargo deny fetch` gets one). Needs
 * cargo-deny; without, it says so and is content, unless `--required` is given.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** @param {string[]} checks */
function deny(...checks) {
  const flags = ['deny', '--offline', 'check', ...checks]
  return spawnSync('cargo', flags, { cwd: ROOT, stdio: 'inherit' }).status ?? 1
}

function hasDatabase() {
  const home = process.env.CARGO_HOME ?? join(homedir(), '.cargo')
  return ['advisory-db', 'advisory-dbs'].some((name) => {
    const folder = join(home, name)
    return existsSync(folder) && readdirSync(folder).length > 0
  })
}

function main() {
  if (spawnSync('cargo', ['deny', '--version'], { stdio: 'ignore' }).status !== 0) {
    console.log('skipped: cargo-deny is needed (cargo install cargo-deny)')
    return process.argv.includes('--required') ? 1 : 0
  }
  const failed = deny('licenses', 'bans', 'sources')
  if (hasDatabase()) return failed || deny('advisories')
  console.log('advisories skipped: there is no database of them here (cargo deny fetch)')
  return failed
}

process.exitCode = main()
