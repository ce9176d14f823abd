/**
 * Looks for undefined behaviour and broken memory, in three ways:
 *
 * - `node scripts/sanitize.mjs miri`: small tests of the rooms that count bytes, in Rust's interpreter.
 * - `node scripts/sanitize.mjs address`: the Rust tests with AddressSanitizer.
 * - `node scripts/sanitize.mjs memcheck`: the addon in Node, under valgrind.
 *
 * Each says so where its tool is missing and is content, unless `--required` is given. All are slow and
 * no part of `npm test`.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TARGET = join(ROOT, 'target', 'sanitize')
/** Tests that the interpreter can finish: no files, few cases. */
const FOR_MIRI = ['clean::', 'model::span', 'dedupe::', 'documents::base64']

/** @param {string} command @param {string[]} flags @param {NodeJS.ProcessEnv} [env] */
function run(command, flags, env) {
  const options = { cwd: ROOT, env: { ...process.env, ...env } }
  return spawnSync(command, flags, { ...options, stdio: 'inherit' }).status ?? 1
}

/** @param {string} command @param {string[]} flags */
function works(command, ...flags) {
  return spawnSync(command, flags, { stdio: 'ignore' }).status === 0
}

/** @param {string} tool */
function missing(tool) {
  console.log(`skipped: ${tool} is needed`)
  return process.argv.includes('--required') ? 1 : 0
}

function miri() {
  if (!works('cargo', '+nightly', 'miri', '--version')) return missing('miri on a nightly compiler')
  return run('cargo', ['+nightly', 'miri', 'test', '--quiet', '--lib', '--', ...FOR_MIRI], {
    CARGO_TARGET_DIR: TARGET,
    // Property tests look at the time and the folder they run in.
    MIRIFLAGS: '-Zmiri-disable-isolation',
    PROPTEST_CASES: '2',
  })
}

function address() {
  if (!works('cargo', '+nightly', '--version')) return missing('a nightly compiler')
  const host = /host: (.+)/.exec(
    spawnSync('rustc', ['+nightly', '-vV'], { encoding: 'utf8' }).stdout,
  )
  const flags = ['+nightly', 'test', '--quiet', '--lib', '--target', host?.[1] ?? '']
  return run('cargo', flags, {
    CARGO_TARGET_DIR: TARGET,
    RUSTFLAGS: '-Zsanitizer=address',
    ASAN_OPTIONS: 'detect_leaks=1',
  })
}

/** Complaints of valgrind in whose stack the addon stands. @param {string} log */
function complaints(log) {
  const blocks = log.replaceAll(/^==\d+== ?/gm, '').split(/\n\s*\n/)
  return blocks.filter((block) => /\.node\)/.test(block) && /^\s+at 0x/m.test(block))
}

function memcheck() {
  if (!works('valgrind', '--version')) return missing('valgrind')
  const log = join(tmpdir(), `memcheck-${process.pid}.log`)
  const status = run('valgrind', [
    '--leak-check=full',
    '--show-leak-kinds=definite',
    '--num-callers=30',
    `--suppressions=${join(ROOT, 'scripts', 'node.supp')}`,
    `--log-file=${log}`,
    process.execPath,
    // Code that is made while it runs is nothing valgrind can follow.
    ...['--jitless', '--single-threaded', '--expose-gc'],
    join(ROOT, 'scripts', 'exercise.cjs'),
  ])
  const found = complaints(readFileSync(log, 'utf8'))
  rmSync(log)
  for (const complaint of found) console.log(`${complaint}\n`)
  console.log(`${found.length} complaints about the addon`)
  return status !== 0 || found.length > 0 ? 1 : 0
}

const COMMANDS = new Map(Object.entries({ miri, address, memcheck }))
const command = COMMANDS.get(process.argv[2] ?? '')
if (command) {
  process.exitCode = command()
} else {
  console.log(`usage: node scripts/sanitize.mjs ${[...COMMANDS.keys()].join('|')}`)
  process.exitCode = 1
}
