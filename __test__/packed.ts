/** The package as users get it: packed, and installed into a project of its own. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runtimes } from '../scripts/runtimes.mjs'

export const ROOT = resolve(__dirname, '..')
export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
export const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

// What a user's shell would have: nothing that leads around the installed package.
const { NAPI_RS_NATIVE_LIBRARY_PATH: _, NODE_PATH: __, ...environment } = process.env

export const temporary = () => mkdtempSync(join(tmpdir(), 'citations-'))

/** Runs a command to its end and gives what it printed; where it fails, its words are the error. */
export function run(command: string, args: string[], cwd: string) {
  const shell = process.platform === 'win32' && command === 'npm'
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: environment,
    encoding: 'utf8',
    shell,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status}\n${stdout}\n${stderr}`)
  return stdout
}

/** Packs what is in a folder; the path of the tarball. */
export function pack(folder: string, into: string) {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', into], folder))
  return {
    tarball: join(into, packed.filename),
    files: packed.files.map((file: { path: string }) => file.path),
  }
}

/** The package of this platform, from its manifest and the binary built here. */
export function packPlatform(into: string) {
  const prefix = `${manifest.napi.binaryName}.${process.platform}-${process.arch}`
  const binary = readdirSync(ROOT).find((name) => name.startsWith(prefix) && name.endsWith('.node'))
  if (!binary) throw new Error(`${prefix}*.node is missing: npm run build`)
  const [, platform = ''] = binary.split('.')
  const folder = join(into, platform)
  run(process.execPath, [join(ROOT, 'scripts/npm-dirs.mjs')], ROOT)
  cpSync(join(ROOT, 'npm', platform), folder, { recursive: true })
  copyFileSync(join(ROOT, binary), join(folder, binary))
  return pack(folder, into)
}

/** A new project with these files and these tarballs installed, without a registry. */
export function project(
  type: 'module' | 'commonjs',
  files: Record<string, string>,
  tarballs: string[],
) {
  const folder = temporary()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true, type }))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  mkdirSync(join(folder, 'node_modules'))
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', ...tarballs], folder)
  return folder
}

/** Bun as LLxprt Code runs on it; nothing where it cannot be had. */
export function bun() {
  try {
    const [found] = runtimes(['bun@1.3.14'])
    run(found!.command, ['--version'], ROOT)
    return found!.command
  } catch {
    console.warn('Bun 1.3.14 cannot be had here: its part of the pack test is skipped')
    return undefined
  }
}
