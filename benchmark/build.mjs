/** Makes what the rows run on: one bundle for every runtime, and the floor. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const ADDON = join(ROOT, 'load.js')
/** What a build for release stays below by far, and one for debugging is above by far. */
const DEBUG_SIZE = 10e6

/**
 * Bundles the rows. The addon itself stays outside: it is loaded as a user loads it.
 *
 * @param {string} folder
 * @returns {Promise<string>} the file to run
 */
export async function bundleRows(folder) {
  await build({
    entryPoints: { bench: join(ROOT, 'benchmark/rows.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What only some rows need, the AI SDK above all, is loaded by those.
    splitting: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [
      {
        name: 'addon',
        setup: (builder) =>
          builder.onResolve({ filter: /^(?:\.\.\/)+index\.js$/ }, () => ({
            path: pathToFileURL(ADDON).href,
            external: true,
          })),
      },
    ],
  })
  return join(folder, 'bench.mjs')
}

/** The newest build of the addon for this platform. */
function binary() {
  const ending = new RegExp(`\\.${process.platform}-${process.arch}.*\\.node$`)
  const files = readdirSync(ROOT)
    .filter((name) => ending.test(name))
    .map((name) => join(ROOT, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  if (!files[0]) throw new Error('There is no addon to measure. Run: npm run build')
  return files[0]
}

/** Builds the floor where that was not done yet, or not since it changed. */
function floor() {
  const folder = join(ROOT, 'target/floor')
  const manifest = join(ROOT, 'benchmark/floor/Cargo.toml')
  const sources = ['lib.rs', 'body.rs'].map((name) => join(ROOT, 'benchmark/floor/src', name))
  const file = join(folder, 'floor.node')
  const changed = Math.max(...[manifest, ...sources].map((name) => statSync(name).mtimeMs))
  if (existsSync(file) && statSync(file).mtimeMs > changed) return file
  const options = ['--release', '--locked', '--manifest-path', manifest, '--target-dir', folder]
  execFileSync('cargo', ['build', '--quiet', ...options], { stdio: ['ignore', 2, 2] })
  const [name] = [
    'libcitations_floor.so',
    'libcitations_floor.dylib',
    'citations_floor.dll',
  ].filter((name) => existsSync(join(folder, 'release', name)))
  if (!name) throw new Error('cargo built no library for the floor')
  copyFileSync(join(folder, 'release', name), file)
  return file
}

/**
 * Where the rows find what they measure.
 *
 * @param {boolean} needsFloor
 * @returns {Record<string, string>}
 */
export function places(needsFloor) {
  const file = binary()
  if (statSync(file).size > DEBUG_SIZE) {
    process.stderr.write('The addon is a build for debugging; its figures mean nothing.\n')
  }
  return {
    CITATIONS_ADDON: ADDON,
    CITATIONS_BINARY: file,
    CITATIONS_FLOOR: needsFloor ? floor() : '',
  }
}
