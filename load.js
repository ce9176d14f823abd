/**
 * The way in: the generated loader (`index.js`), and one readable error where it finds no binary. Its own error
 * names neither the platform nor a way out, and hides what it tried in a chain of causes.
 */
'use strict'

const binding = usual()

if (binding) {
  // As the generated loader does.
  binding.__napiBindingTarget ??= 'native'
  module.exports = /** @type {typeof import('./index.js')} */ (binding)
} else {
  try {
    require('./index.js')
  } catch (error) {
    throw noBinary(/** @type {Error} */ (error))
  }
  // Written out, because this is what Node reads to know the names an ES module may import.
  module.exports = require('./index.js')
}

/**
 * The binary where it nearly always is. To look there first takes half as long as to have the generated loader find
 * out about the platform; whatever is unusual is left to that one.
 */
function usual() {
  const { env, platform, arch, versions } = process
  const { NAPI_RS_NATIVE_LIBRARY_PATH, NAPI_RS_FORCE_WASI, NAPI_RS_ENFORCE_VERSION_CHECK } = env
  if (NAPI_RS_NATIVE_LIBRARY_PATH || NAPI_RS_FORCE_WASI || NAPI_RS_ENFORCE_VERSION_CHECK) {
    return undefined
  }
  // Whether there is such a file. To ask costs Bun more than all the rest, and to fail costs Node as much.
  const { existsSync } = versions.bun ? { existsSync: undefined } : require('node:fs')
  const musl = `/lib/ld-musl-${arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`
  // Where there is musl, the binary for glibc may load and not work.
  if (platform === 'linux' && existsSync?.(musl)) return undefined
  const libc = platform === 'linux' ? '-gnu' : platform === 'win32' ? '-msvc' : ''
  const name = `${platform}-${arch}${libc}`
  const file = `llxprt-code-citations.${name}.node`
  // Whole paths: to resolve another costs Node 24 more than half of what loading the binary does.
  for (const place of [
    `${__dirname}/${file}`,
    // Beside this package, under a name that begins with its own.
    `${__dirname}-${name}/${file}`,
    `@vybestack/llxprt-code-citations-${name}`,
  ]) {
    if (existsSync?.(place) === false && place.startsWith(__dirname)) continue
    try {
      return require(place)
    } catch {
      // The generated loader says what is wrong, if anything is.
    }
  }
  return undefined
}

/** @param {Error} error */
function noBinary(error) {
  const { name, version, napi } = require('./package.json')
  const lines = [
    `${name} ${version} found no binary it can load on ${system()}.`,
    'Tried:',
    ...reasons(error).map((reason) => `  - ${reason}`),
    `There are packages for ${napi.targets.join(', ')}.`,
    'If yours is among them, it was left out of the installation: install again with optional dependencies, on',
    'this platform, without a lockfile or node_modules of another one.',
    'To build it instead: clone the repository, run "npm ci && npm run build" (needs Rust), and set',
    `NAPI_RS_NATIVE_LIBRARY_PATH to the path of the resulting ${napi.binaryName}.*.node.`,
  ]
  return Object.assign(new Error(lines.join('\n')), { code: 'ERR_CITATIONS_NO_BINARY' })
}

function system() {
  const runtime = process.versions.bun
    ? `Bun ${process.versions.bun}`
    : `Node ${process.versions.node}`
  return `${process.platform}-${process.arch}${libc()}, ${runtime}`
}

function libc() {
  if (process.platform !== 'linux') return ''
  try {
    const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (
      process.report.getReport()
    )
    const glibc = report.header?.glibcVersionRuntime
    return glibc ? ` with glibc ${glibc}` : ' without glibc'
  } catch {
    return ''
  }
}

/**
 * First lines of what went wrong, in the order it was tried. The generated loader chains its attempts as causes, the
 * latest outermost, under an error of its own.
 *
 * @param {Error} error
 */
function reasons(error) {
  const found = []
  let cause = error.cause instanceof Error ? error.cause : error
  while (cause instanceof Error) {
    found.unshift(String(cause.message).split('\n', 1)[0])
    cause = /** @type {Error} */ (cause.cause)
  }
  return found
}
