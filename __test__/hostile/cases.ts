/**
 * Hostile cases, made of the pieces in `pieces.json`. `tests/hostile/mod.rs` makes the same ones in
 * Rust; both tests know their fingerprint.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Pieces {
  words: string[]
  addresses: string[]
  jsonTexts: string[]
  pieces: Record<string, string[]>
}

/** What somebody sends to break a terminal. */
export interface Case {
  titles: [string, string]
  urls: [string, string]
  excerpt: string
  answer: string
  /** The content of a JSON string as it stands between its quotes. */
  jsonText: string
}

export const CASES = 10_000
export const FINGERPRINT = 4_205_090_341

const file = join(__dirname, 'pieces.json')
const { words, addresses, jsonTexts, pieces } = JSON.parse(readFileSync(file, 'utf8')) as Pieces
const all = Object.keys(pieces)
  .sort()
  .flatMap((kind) => pieces[kind]!)

/** Numbers that are the same everywhere. */
class Dice {
  private state: number

  constructor(seed: number) {
    this.state = (Math.imul(seed + 1, 0x9e3779b1) | 1) >>> 0
    for (let round = 0; round < 4; round++) this.next()
  }

  private next(): number {
    let state = this.state
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.state = state >>> 0
    return this.state
  }

  below(limit: number): number {
    return this.next() % limit
  }

  pick(list: readonly string[]): string {
    return list[this.below(list.length)]!
  }
}

export function caseOf(number: number): Case {
  const dice = new Dice(number)
  // Every piece has its turn.
  const piece = all[number % all.length]!
  const title = textOf(dice, piece)
  const other = dice.pick(all)
  const second = textOf(dice, other)
  const overlong = number % 97 === 0
  return {
    titles: [overlong ? title.repeat(50) : title, second],
    urls: [urlOf(dice, piece), urlOf(dice, other)],
    excerpt: textOf(dice, piece),
    answer: [textOf(dice, piece), textOf(dice, piece), textOf(dice, piece)].join('\n'),
    jsonText: dice.pick(jsonTexts),
  }
}

/** Words with pieces before, between, behind and inside of each other. */
function textOf(dice: Dice, piece: string): string {
  const other = dice.pick(all)
  const nested = nest(dice, piece, other)
  const first = dice.pick(words)
  const last = dice.pick(words)
  switch (dice.below(4)) {
    case 0:
      return `${nested} ${first} ${last}`
    case 1:
      return `${first}${nested}${last}`
    case 2:
      return `${first} ${last}${nested}`
    default:
      return `${first} ${nested} ${last}${piece}`
  }
}

function nest(dice: Dice, piece: string, other: string): string {
  switch (dice.below(4)) {
    case 0:
      return piece
    case 1:
      return other + piece
    case 2:
      return split(piece, dice).join(other)
    default:
      return split(other, dice).join(piece)
  }
}

function urlOf(dice: Dice, piece: string): string {
  return dice.pick(addresses).replaceAll('{}', () => piece)
}

/** `text` in two parts. */
function split(text: string, dice: Dice): [string, string] {
  const characters = Array.from(text)
  const at = dice.below(characters.length + 1)
  return [characters.slice(0, at).join(''), characters.slice(at).join('')]
}

/** A sum over every UTF-16 unit of every case. */
export function fingerprint(): number {
  let sum = 0
  for (let number = 0; number < CASES; number++) {
    const { titles, urls, excerpt, answer, jsonText } = caseOf(number)
    for (const text of [...titles, ...urls, excerpt, answer, jsonText]) {
      for (let at = 0; at < text.length; at++) {
        sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
      }
    }
  }
  return sum >>> 0
}
