/** Where and why a document is no JSON. */
import { messageOf } from './complaint.mjs'

/**
 * What may come next, by the first characters of tokens; `0` stands for numbers, `true`, `false` and `null`.
 * At the first place in a list or an object it may also end.
 */
const VALUE = '[{"0'
const FIRST_VALUE = `${VALUE}]`
const NAME = '"'
const FIRST_NAME = `${NAME}}`

const BLANKS = /[ \t\n\r]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * @param {string} text
 * @returns {{ line: number, message: string } | undefined} nothing where it is JSON
 */
export function flawIn(text) {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const place = Math.min(placeOf(text), text.trimEnd().length)
    return { line: text.slice(0, place).split('\n').length, message: messageOf(error) }
  }
}

/**
 * Where a text stops being JSON. Engines do not agree on whether they tell.
 *
 * @param {string} text
 */
function placeOf(text) {
  /** @type {string[]} */
  const open = []
  let wanted = VALUE
  for (let at = 0; ; ) {
    at = endOf(BLANKS, text, at)
    const { kind, end } = tokenAt(text, at)
    if (end === at || !wanted.includes(kind)) return at
    at = end
    const isName = wanted === NAME || wanted === FIRST_NAME
    if (kind === '[' || kind === '{') open.push(kind)
    if (kind === ']' || kind === '}') open.pop()
    if (kind === '[') wanted = FIRST_VALUE
    else if (kind === '{') wanted = FIRST_NAME
    else if (kind === ',') wanted = open.at(-1) === '[' ? VALUE : NAME
    else if (kind === ':') wanted = VALUE
    else if (kind === '"' && isName) wanted = ':'
    else wanted = rest(open.at(-1))
  }
}

/**
 * What may follow a value.
 *
 * @param {string | undefined} bracket the one it stands in
 */
function rest(bracket) {
  if (bracket === undefined) return ''
  return bracket === '[' ? ',]' : ',}'
}

/**
 * @param {string} text
 * @param {number} at
 */
function tokenAt(text, at) {
  const first = text.charAt(at)
  if (first === '"') return { kind: first, end: endOfString(text, at) }
  if ('[]{},:'.includes(first)) return { kind: first, end: at + first.length }
  return { kind: '0', end: endOf(PLAIN, text, at) }
}

/**
 * @param {string} text
 * @param {number} start
 * @returns {number} the start itself where this is no string, or does not end on its line
 */
function endOfString(text, start) {
  let at = start + 1
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    const next = character === '\\' ? endOf(ESCAPE, text, at) : at + 1
    if (character < ' ' || next === at) return start
    at = next
  }
  return start
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @param {number} at
 */
function endOf(pattern, text, at) {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}
