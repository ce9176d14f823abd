/**
 * What a citation marker looks like in each dialect, by regular expressions, whatever stands around
 * it. For `markers.ts`.
 */

export interface Marker {
  start: number
  end: number
  /** Numbers, or ids where the dialect names sources by id. */
  names: (number | string)[]
}

const NUMBER = '[1-9]\\d{0,3}'
const RANGE = `${NUMBER}(?:[-–‑]${NUMBER})?`
const LIST = `${RANGE}(?: *[,;，、；] *${RANGE})*`
const RAISED = '[¹²³⁴-⁹][⁰¹²³⁴-⁹]{0,3}'
export const SQUARE = new RegExp(`\\[(?:\\[(${LIST})\\]\\]|(\\^?)(${LIST})\\])`, 'y')
const LENTICULAR = new RegExp(
  `【(?:((?:0|${NUMBER}):(?:0|${NUMBER}))|(${LIST}))(?:†[^\\p{Cc}【】[\\]\`]*)?】`,
  'yu',
)
const FULL_WIDTH = new RegExp(`［(${LIST})］`, 'y')
const PRIVATE = /\ue200(?:file)?cite((?:\ue202[\w.:-]+)+)\ue201/y
const SUPERSCRIPT = new RegExp(`${RAISED}(?:[,˒]${RAISED})*(?:⁻${RAISED})?(?![¹²³⁰⁴-⁹])`, 'y')
const LINES = /^L\d+(?:-L?\d+)?$/
/** The longest marker, in characters; also how far around one anybody looks. */
export const LONGEST = 64
const LONGEST_PRIVATE = 4096
const WIDEST_RANGE = 50

/** What may open a marker. */
export const OPENS = /[[【［\ue200¹²³⁰⁴-⁹]/g
/** As much of a marker as there is; where that is all there is, more may follow. */
const BEGUN =
  /\[(?:\[|\^)?(?:\d[\d ,;，、；–‑-]*)?(?:\]\]?)?|【(?:\d[\d ,;:，、；–‑-]*)?(?:†[^【】[\]`\n]*)?|［(?:\d[\d ,;，、；–‑-]*)?|\ue200[\w.:\ue202-]*|[¹²³⁰⁴-⁹,˒⁻]+/y
/** What would be a marker but for the one that stands in it. */
export const OUTER = /\[\[[1-9][\d ,;–‑-]*\]?|[[【［]\^?(?:\d[\d ,;:，、；–‑-]*)?/y

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

export function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** The numbers of a list, ranges spelt out; none when a range makes no sense. */
function numbersOf(list: string): number[] {
  const numbers: number[] = []
  for (const [, low, high] of list.matchAll(/(\d+)(?:[-–‑](\d+))?/g)) {
    const [from, to] = [Number(low), Number(high ?? low)]
    if (high !== undefined && (to <= from || to - from >= WIDEST_RANGE)) return []
    for (let number = from; number <= to; number++) numbers.push(number)
  }
  return numbers
}

const lowered = (raised: string) =>
  raised.replace(/[¹²³⁰⁴-⁹⁻˒]/g, (one) => '0123456789-,'['⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒'.indexOf(one)] as string)

function idsOf(words: string): string[] {
  const ids = words.slice(1).split('\ue202')
  return ids.filter((id, at) => at === 0 || !LINES.test(id))
}

/** Reads the marker at `at`, whatever stands around it. */
export function shapeAt(text: string, at: number): Marker | undefined {
  let names: (number | string)[] = []
  let match: RegExpExecArray | null
  let longest = LONGEST
  switch (text[at]) {
    case '[':
      match = matchAt(SQUARE, text, at)
      if (match) names = numbersOf(match[1] ?? (match[3] as string))
      break
    case '【':
      match = matchAt(LENTICULAR, text, at)
      if (match) names = match[1] ? [match[1]] : numbersOf(match[2] as string)
      break
    case '［':
      match = matchAt(FULL_WIDTH, text, at)
      if (match) names = numbersOf(match[1] as string)
      break
    case '\ue200':
      longest = LONGEST_PRIVATE
      match = matchAt(PRIVATE, text, at)
      if (match) names = idsOf(match[1] as string)
      break
    default:
      match = matchAt(SUPERSCRIPT, text, at)
      if (match) names = numbersOf(lowered(match[0]))
  }
  if (!match || names.length === 0 || match[0].length > longest) return undefined
  return { start: at, end: at + match[0].length, names }
}

/** Whether all of the text from `at` on is the start of what may become a marker. */
export const mayBecome = (text: string, at: number) =>
  isAt(BEGUN, text, at) && BEGUN.lastIndex === text.length && text.length - at < LONGEST_PRIVATE
