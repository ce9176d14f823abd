/**
 * What a terminal makes of a block, worked out independently of the package: rows of text, the
 * address behind each piece, and the columns a piece takes.
 */
import type { CitationLine } from '../index.js'

export interface Piece {
  text: string
  url?: string
}

const ESCAPE = '\u001b'
const OPENER = `${ESCAPE}]8;;`
export const TERMINATORS = { bel: '\u0007', st: `${ESCAPE}\\` } as const

/** Spells a terminal hyperlink. */
export function osc8(label: string, url: string, terminator: 'bel' | 'st' = 'bel'): string {
  const end = TERMINATORS[terminator]
  return `${OPENER}${url}${end}${label}${OPENER}${end}`
}

/** C0, DEL and C1: what terminals obey. */
export function isControl(character: string): boolean {
  const code = character.codePointAt(0)!
  return code < 0x20 || (code >= 0x7f && code <= 0x9f)
}

/**
 * Reads terminal output as strictly as can be. Throws on any control character besides the line
 * break, on a hyperlink that is not closed on its own row, on one inside another, and on an address
 * with anything but visible ASCII in it.
 */
export function readScreen(output: string, terminator: 'bel' | 'st' = 'bel'): Piece[][] {
  return output === '' ? [] : output.split('\n').map((row) => readRow(row, TERMINATORS[terminator]))
}

function readRow(row: string, end: string): Piece[] {
  const pieces: Piece[] = []
  let open = ''
  let rest = row
  while (rest !== '') {
    if (rest.startsWith(OPENER)) {
      const stop = rest.indexOf(end, OPENER.length)
      if (stop < 0) throw new Error(`hyperlink without an end: ${JSON.stringify(row)}`)
      const url = rest.slice(OPENER.length, stop)
      if (!/^[!-~]*$/.test(url)) throw new Error(`address is not ASCII: ${JSON.stringify(url)}`)
      if ((open === '') === (url === '')) throw new Error(`nested or stray: ${JSON.stringify(row)}`)
      open = url
      rest = rest.slice(stop + end.length)
      continue
    }
    const character = String.fromCodePoint(rest.codePointAt(0)!)
    if (isControl(character)) throw new Error(`control character: ${JSON.stringify(row)}`)
    pieces.push(open === '' ? { text: character } : { text: character, url: open })
    rest = rest.slice(character.length)
  }
  if (open !== '') throw new Error(`hyperlink left open: ${JSON.stringify(row)}`)
  return joined(pieces)
}

/** Neighbours that lead to the same place, as one. */
export function joined(pieces: CitationLine): Piece[] {
  const whole: Piece[] = []
  for (const { text, url } of pieces) {
    const last = whole.at(-1)
    if (last && last.url === url) last.text += text
    else whole.push(url === undefined ? { text } : { text, url })
  }
  return whole
}

export function textOf(row: CitationLine): string {
  return row.map(({ text }) => text).join('')
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The characters of a text as a reader counts them. */
export function charactersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

/** Columns of ASCII, Latin, CJK and emoji: all the alphabets these tests use. */
export function columnsOf(text: string): number {
  return charactersOf(text).reduce((sum, one) => sum + (isWide(one.codePointAt(0)!) ? 2 : 1), 0)
}

export function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  )
}

/** An address as every runtime writes it: since 2024 the standard encodes this character in paths. */
export const spelled = (url: string): string => url.replaceAll('^', '%5E')
