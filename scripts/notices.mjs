/**
 * Writes THIRD-PARTY-NOTICES: the licences of everything that is linked into the binaries, for all platforms. Where
 * there is a choice between licences, one is chosen; equal texts stand there once. Says the same on every machine.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { metadata, shipped } from './crates.mjs'

/** @typedef {import('./crates.mjs').Package} Package */
/** @typedef {{ name: string, license: string, texts: string[] }} Part */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILE = join(ROOT, 'THIRD-PARTY-NOTICES')

/** Licences we choose, the first that is offered, and how the file is called that holds its text. */
const CHOSEN = [
  { id: 'MIT', file: /^licen[cs]e[-_.]?mit/i },
  { id: 'ISC', file: /^licen[cs]e[-_.]?isc/i },
  { id: 'BSD-3-Clause', file: /^licen[cs]e[-_.]?(bsd|whatwg)/i },
  { id: 'Unicode-3.0', file: /^licen[cs]e[-_.]?unicode/i },
  { id: 'Apache-2.0', file: /^licen[cs]e[-_.]?apache/i },
]
const ANY_LICENSE = /^licen[cs]e(\.(md|txt))?$/i
const FURTHER = /^(copyright|notice)/i

/** Crates that come without their licence, by repository: another package of the same has it. */
const ELSEWHERE = new Map([
  ['https://github.com/napi-rs/napi-rs', 'node_modules/@napi-rs/cli/LICENSE'],
])

/**
 * The licences of an expression that we use a crate under: of each choice one.
 *
 * @param {string} expression
 */
function choices(expression) {
  const parts = expression.replaceAll(/[()]/g, '').split(' AND ')
  return parts.map((part) => {
    const offered = part.split(/ OR |\//)
    const chosen = CHOSEN.find(({ id }) => offered.includes(id))
    if (!chosen) throw new Error(`no licence to choose in ${expression}`)
    return chosen
  })
}

/** @param {string} path */
const textAt = (path) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim()

/**
 * @param {Package} crate
 * @returns {Part}
 */
function part({ name, version, license, repository, manifest_path }) {
  const folder = dirname(manifest_path)
  const files = readdirSync(folder).sort()
  const chosen = choices(license ?? '')
  const paths = chosen.map(({ id, file }) => {
    const found = files.find((one) => file.test(one)) ?? files.find((one) => ANY_LICENSE.test(one))
    if (found) return join(folder, found)
    const elsewhere = ELSEWHERE.get(repository ?? '')
    if (!elsewhere) throw new Error(`${name} ${version} has no text of ${id}`)
    return join(ROOT, elsewhere)
  })
  const further = files.filter((one) => FURTHER.test(one)).map((one) => join(folder, one))
  return {
    name: `${name} ${version}`,
    license: chosen.map(({ id }) => id).join(' AND '),
    texts: [...paths, ...further].map(textAt),
  }
}

/** What is linked into the binaries besides crates. */
function others() {
  const emnapi = join(ROOT, 'node_modules/emnapi')
  const { version } = JSON.parse(readFileSync(join(emnapi, 'package.json'), 'utf8'))
  return [
    {
      name: `emnapi ${version} (WebAssembly only)`,
      license: 'MIT',
      texts: [textAt(join(emnapi, 'LICENSE'))],
    },
    {
      name: 'The standard library of Rust',
      license: 'Apache-2.0',
      texts: [
        'Copyright (c) The Rust Project Contributors\n\nThe text of the licence is in the file LICENSE beside this one.',
      ],
    },
  ]
}

export function notices() {
  const all = metadata()
  const { inside } = shipped(all)
  const crates = all.packages.filter(({ id }) => inside.has(id) && id !== all.resolve.root)
  const parts = [...crates.map(part), ...others()]
  parts.sort((a, b) => (a.name < b.name ? -1 : 1))
  /** @type {Map<string, string[]>} */
  const users = new Map()
  for (const { name, texts } of parts) {
    for (const text of texts) users.set(text, [...(users.get(text) ?? []), name])
  }
  const list = parts.map(({ name, license }) => `  ${name}: ${license}`)
  const sections = [...users].map(([text, names]) => `${names.join(', ')}\n\n${text}\n`)
  const rule = `\n${'-'.repeat(80)}\n\n`
  const head = `What the binaries of this package are made of besides its own code, and under which licence it is used:\n\n${list.join('\n')}\n`
  return [head, ...sections].join(rule)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, notices())
