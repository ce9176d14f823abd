/** The bill of materials lists what is compiled in, completely and the same everywhere. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(__dirname, '..')

interface Component {
  'bom-ref': string
  name: string
  version: string
  scope: string
  purl: string
  licenses: { expression: string }[]
  hashes?: { alg: string; content: string }[]
}

interface Sbom {
  bomFormat: string
  specVersion: string
  serialNumber: string
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const print = () =>
  execFileSync(process.execPath, [join(ROOT, 'scripts/sbom.mjs')], { encoding: 'utf8' })

const text = print()
const sbom = JSON.parse(text) as Sbom
const names = sbom.components.map(({ name }) => name)

test('it is CycloneDX about this crate', () => {
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 })
  expect(sbom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(sbom.metadata.component).toMatchObject({ name: 'llxprt-code-citations', version })
})

test('it lists what is compiled in, and nothing else', () => {
  const manifest = readFileSync(join(ROOT, 'Cargo.toml'), 'utf8')
  const section = manifest.split('\n[dependencies]\n')[1]!.split('\n\n')[0]!
  const wanted = Array.from(section.matchAll(/^([\w-]+)\.workspace = true/gm), ([, name]) => name)
  expect(wanted.length).toBeGreaterThan(8)
  expect(names).toEqual(expect.arrayContaining(wanted))
  const scopes = new Map(sbom.components.map(({ name, scope }) => [name, scope]))
  expect(scopes.get('memchr')).toBe('required')
  expect(scopes.get('napi-derive')).toBe('excluded')
  expect(scopes.get('syn')).toBe('excluded')
  for (const absent of ['engine', 'proptest', 'vte', 'napi-build'])
    expect(names).not.toContain(absent)
})

test('every crate is named, licensed and checked', () => {
  for (const component of sbom.components) {
    expect(component.purl).toBe(`pkg:cargo/${component.name}@${component.version}`)
    expect(component['bom-ref']).toBe(component.purl)
    expect(component.licenses[0]!.expression).toMatch(/^[\w.() +-]+$/)
    expect(component.hashes).toEqual([
      { alg: 'SHA-256', content: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  }
})

test('what needs what leads nowhere else', () => {
  const refs = new Set([sbom.metadata.component, ...sbom.components].map((one) => one['bom-ref']))
  expect(refs.size).toBe(sbom.components.length + 1)
  expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort())
  for (const { dependsOn } of sbom.dependencies) {
    for (const ref of dependsOn) expect(refs).toContain(ref)
  }
})

test('it says the same again, and nothing about this machine', () => {
  expect(print()).toBe(text)
  expect(text).not.toContain(ROOT)
  expect(text).not.toContain(process.env.HOME ?? ROOT)
})
