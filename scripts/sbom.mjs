/**
 * The bill of materials of the addon, in CycloneDX: every crate it is compiled from, with version,
 * licence, checksum and what needs what; `excluded` are those that only run while it is compiled. `node scripts/sbom.mjs [FILE]` writes to the file or prints.
 *
 * Says the same on every machine: nothing in it depends on time, place or platform.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { metadata, shipped } from './crates.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** @typedef {import('./crates.mjs').Package} Package */

/** What each crate of the lock file must hash to, by name and version. */
function checksums() {
  const lock = readFileSync(join(ROOT, 'Cargo.lock'), 'utf8')
  const entry = /name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "([0-9a-f]{64})"/g
  return new Map(
    Array.from(lock.matchAll(entry), ([, name, version, sum]) => [`${name}@${version}`, sum]),
  )
}

/** @param {{ name: string, version: string }} crate */
const refOf = ({ name, version }) => `pkg:cargo/${name}@${version}`

/** @param {Package} crate @param {Map<string, string | undefined>} sums @param {boolean} inside */
function component(crate, sums, inside) {
  const sum = sums.get(`${crate.name}@${crate.version}`)
  return {
    type: 'library',
    'bom-ref': refOf(crate),
    name: crate.name,
    version: crate.version,
    ...(crate.description ? { description: crate.description.trim() } : {}),
    scope: inside ? 'required' : 'excluded',
    ...(sum ? { hashes: [{ alg: 'SHA-256', content: sum }] } : {}),
    // The old spelling of a choice between licences is no expression.
    licenses: [{ expression: (crate.license ?? 'NOASSERTION').replaceAll('/', ' OR ') }],
    purl: refOf(crate),
  }
}

/** A name for the document that only its content decides. @param {unknown} content */
function serialOf(content) {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return `urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}`
}

export function sbom() {
  const all = metadata()
  const { needs, reached, inside } = shipped(all)
  const crates = new Map(all.packages.map((one) => [one.id, one]))
  const listed = [...reached].map((id) => /** @type {Package} */ (crates.get(id)))
  listed.sort((a, b) => (refOf(a) < refOf(b) ? -1 : 1))
  const sums = checksums()
  const root = /** @type {Package} */ (crates.get(all.resolve.root))
  const content = {
    metadata: { component: component(root, sums, true) },
    components: listed
      .filter((one) => one !== root)
      .map((one) => component(one, sums, inside.has(one.id))),
    dependencies: listed.map((one) => ({
      ref: refOf(one),
      dependsOn: (needs.get(one.id) ?? [])
        .map((id) => refOf(/** @type {Package} */ (crates.get(id))))
        .sort(),
    })),
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialOf(content),
    version: 1,
    ...content,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = `${JSON.stringify(sbom(), null, 2)}\n`
  const file = process.argv[2]
  if (file) writeFileSync(file, text)
  else process.stdout.write(text)
}
