/**
 * The addresses of `tests/urls.rs`, held against what the runtime's own `URL` says: what is linked
 * leads to the same place, and what is refused has a reason.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { layoutCitationBlock, sanitizeCitationSource } from '../index.js'
import { isControl, spelled } from './screen.js'

const file = join(__dirname, 'hostile', 'addresses.json')
const ADDRESSES = JSON.parse(readFileSync(file, 'utf8')) as string[]

function parsed(raw: string): URL | undefined {
  try {
    return new URL(raw)
  } catch {
    return undefined
  }
}

/** What may be a link, in words of the runtime. */
function expected(raw: string): URL | undefined {
  const trimmed = raw.replaceAll(/^[ \t\n\r\f]+|[ \t\n\r\f]+$/g, '')
  const url = parsed(trimmed)
  if (!url || Array.from(trimmed).some(isControl)) return undefined
  const web = url.protocol === 'https:' || url.protocol === 'http:'
  return web && url.username === '' && url.password === '' ? url : undefined
}

/**
 * Host names that runtimes disagree on among themselves, by the edition of Unicode they were built
 * with: characters that are ignored since, malformed Punycode, and right-to-left digits.
 */
const UNSETTLED = /^https?:\/\/(a\u180eb|\u3164|\u115f|\u0660|xn--a?-?\/|xn--zzzzzz--)/

const SETTLED = ADDRESSES.filter((raw) => !UNSETTLED.test(raw))

test('there are many', () => {
  expect(SETTLED.length).toBeGreaterThan(1000)
  expect(ADDRESSES.length - SETTLED.length).toBe(15)
})

test('links are those of the runtime, letter for letter', () => {
  const differing = SETTLED.flatMap((raw) => {
    const { url } = sanitizeCitationSource({ title: 'x', url: raw })
    const wanted = expected(raw)
    const href = wanted && spelled(wanted.href)
    const same = (url && spelled(url)) === href && (!url || new URL(url).host === wanted?.host)
    return same ? [] : [{ raw, url, wanted: wanted?.href }]
  })
  expect(differing).toEqual([])
})

test('only short ones can be clicked', () => {
  for (const raw of SETTLED) {
    const rows = layoutCitationBlock({ text: '', sources: [{ title: 'x', url: raw }] })
    const href = expected(raw)?.href
    const clickable = href !== undefined && href.length <= 1000 ? [spelled(href)] : []
    const targets = rows.flat().flatMap(({ url }) => (url ? spelled(url) : []))
    expect([...new Set(targets)], raw).toEqual(clickable)
  }
})

test('every link reads in the runtime as it is written', () => {
  for (const raw of ADDRESSES) {
    const { url } = sanitizeCitationSource({ url: raw })
    if (url !== undefined) expect(spelled(new URL(url).href), raw).toBe(spelled(url))
  }
})
