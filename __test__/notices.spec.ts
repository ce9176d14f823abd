/** The notices reproduce the licences of what is linked in, all of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notices } from '../scripts/notices.mjs'
import { sbom } from '../scripts/sbom.mjs'

const text = readFileSync(join(__dirname, '../THIRD-PARTY-NOTICES'), 'utf8')
const [list = '', ...sections] = text.split(`\n${'-'.repeat(80)}\n\n`)

test('the file is what the lock file leads to', () => {
  expect(text).toBe(notices())
})

test('every crate that is linked in is listed, with a text', () => {
  const linked = sbom().components.filter(({ scope }) => scope === 'required')
  expect(linked.length).toBeGreaterThan(30)
  for (const { name, version } of linked) {
    expect(list).toContain(`  ${name} ${version}: `)
    expect(
      sections.some((one) => one.split('\n')[0]!.includes(`${name} ${version}`)),
      name,
    ).toBe(true)
  }
})

test.each([
  ['libloading', 'Permission to use, copy, modify, and/or distribute this software'],
  ['napi', 'LongYinan'],
  ['icu_normalizer', 'UNICODE LICENSE V3'],
])('%s', (name, words) => {
  const own = sections.filter((one) => one.startsWith(`${name} `) || one.includes(`, ${name} `))
  expect(own.join('\n')).toContain(words)
})
