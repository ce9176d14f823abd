/** The crates of the addon, as Cargo resolves them. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * @typedef {{ id: string, name: string, version: string, license: string | null, description: string | null, repository: string | null, manifest_path: string, targets: { kind: string[] }[] }} Package
 * @typedef {{ id: string, deps: { pkg: string, dep_kinds: { kind: string | null }[] }[] }} Node
 * @typedef {{ packages: Package[], resolve: { root: string, nodes: Node[] } }} Metadata
 */

/** @returns {Metadata} */
export function metadata() {
  const flags = ['metadata', '--format-version', '1', '--locked']
  return JSON.parse(
    execFileSync('cargo', flags, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 }),
  )
}

/**
 * Crates the addon is compiled from, and those of them that end up in it: macros only run at build time.
 *
 * @param {Metadata} of
 */
export function shipped({ packages, resolve: { root, nodes } }) {
  const needs = new Map(
    nodes.map(({ id, deps }) => [
      id,
      deps.filter((dep) => dep.dep_kinds.some(({ kind }) => kind === null)).map((dep) => dep.pkg),
    ]),
  )
  const isMacro = (/** @type {Package} */ one) =>
    one.targets.some(({ kind }) => kind.includes('proc-macro'))
  const macros = new Set(packages.filter(isMacro).map(({ id }) => id))
  const reach = (/** @type {(id: string) => boolean} */ counts) => {
    const reached = new Set([root])
    for (const id of reached) {
      for (const needed of (needs.get(id) ?? []).filter(counts)) reached.add(needed)
    }
    return reached
  }
  return { needs, reached: reach(() => true), inside: reach((id) => !macros.has(id)) }
}
