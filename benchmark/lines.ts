/**
 * Which lines of an answer are text, and where a paragraph ends: the block half of CommonMark as a
 * host would write it by hand, line by line, with regular expressions. For `markers.ts`.
 */

/** A quotation, or a list item and how many columns its lines are indented. */
type Container = 'quote' | { need: number; empty: boolean }

/** What takes lines: `until` is what the last line of code or HTML holds. */
type Leaf = 'none' | 'paragraph' | 'definition' | { until: RegExp; fence: boolean }

/** Code, HTML, definitions and blank lines are solid; text starts a paragraph or goes on with one. */
export type Line = 'solid' | 'starts' | 'continues'

const QUOTE = /^ {0,3}> ?/
const HEADING = /^#{1,6}(?: |$)/
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/
const UNDERLINE = /^(?:=+|-+) *$/
const RULE = /^([-*_])(?: *\1){2,} *$/
const BULLET = /^(?:[-+*]|(\d{1,9})[.)])(?: +|$)/
const ESCAPE = '\\\\[!-/:-@[-`{-~]?'
const NESTED = `\\((?:[^\\s()\\\\]|${ESCAPE}|\\((?:[^\\s()\\\\]|${ESCAPE})*\\))*\\)`
/** The address of a link or a definition, and its title. */
export const ADDRESS = `(?:<(?:[^<>\\n\\\\]|\\\\.)*>|(?!<)(?:[^\\s()\\\\]|${ESCAPE}|${NESTED})+)`
export const TITLE = `(?:"(?:[^"\\\\]|\\\\[^])*"|'(?:[^'\\\\]|\\\\[^])*'|\\((?:[^()\\\\]|\\\\[^])*\\))`
const DEFINITION = new RegExp(
  `^\\[(?=[^\\]]*\\S)(?:[^\\[\\]\\\\]|\\\\.)+\\]:\\s*${ADDRESS}(?:\\s+${TITLE})?\\s*$`,
)

const ATTRIBUTE = /\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/.source
/** An opening or a closing tag, without `<`. */
export const TAG = `(?:[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\\s*/?|/[A-Za-z][A-Za-z0-9-]*\\s*)>`

const ELEMENTS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|' +
  'dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|' +
  'hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|' +
  'search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'
const BLANK = /^ *$/
/** How a block of HTML starts, and what its last line holds. The last kind ends no paragraph. */
const HTML: [start: RegExp, until: RegExp][] = [
  [/^<(?:pre|script|style|textarea)(?:[ >]|$)/i, /<\/(?:pre|script|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![A-Za-z]/, />/],
  [new RegExp(`^</?(?:${ELEMENTS})(?: |/?>|$)`, 'i'), BLANK],
  [new RegExp(`^<${TAG}\\s*$`), BLANK],
]

/** Enough of a line that has not ended yet to say what it opens. */
const SAID =
  /^(?:[^-+*_=#`~<[\d ]|-[- ]*[^- ]|\*[* ]*[^* ]|_[_ ]*[^_ ]|\+ *[^ ]|=+ *[^= ]|#{1,6} |#+[^# ]|`{1,2}[^`]|`{3,}(?!`)[^`]*`|~{1,2}[^~]|\[[^\]\\]*(?:\[|\][^:])|\d{10}|\d+(?:[^\d.)]|[.)] *[^ ]))/

const indentOf = (line: string) => {
  let indent = 0
  while (line[indent] === ' ') indent++
  return indent
}

/** Tabs as the blanks they stand for, as far as they may matter. */
function withoutTabs(line: string): string {
  let plain = line
  for (let tab = plain.indexOf('\t'); tab >= 0; tab = plain.indexOf('\t', tab)) {
    if (/[^\s>*+\d.)-]/.test(plain.slice(0, tab))) break
    plain = plain.slice(0, tab) + ' '.repeat(4 - (tab % 4)) + plain.slice(tab + 1)
  }
  return plain
}

export class Lines {
  #containers: Container[] = []
  #leaf: Leaf = 'none'

  /** Reads the next line as far as it has come; `undefined` when more of it must come first. */
  read(line: string, ended: boolean): Line | undefined {
    let rest = line.includes('\t') ? withoutTabs(line) : line
    let matched = 0
    for (const container of this.#containers) {
      const inside = within(rest, container)
      if (inside === undefined) break
      rest = inside
      matched++
    }
    const all = matched === this.#containers.length
    const leaf = this.#leaf
    if (all && typeof leaf === 'object') {
      if (!ended && (!leaf.fence || /^ *(?:$|[`~])/.test(rest))) return undefined
      return this.#change(matched, [], leaf.until.test(rest) ? 'none' : leaf)
    }
    return this.#open(rest, ended, matched, all)
  }

  #open(line: string, ended: boolean, matched: number, all: boolean): Line | undefined {
    const open = this.#leaf === 'paragraph' || this.#leaf === 'definition'
    const opened: Container[] = []
    let rest = line
    for (;;) {
      const indent = indentOf(rest)
      const goesOn = open && opened.length === 0
      if (indent === rest.length) {
        if (!ended) return undefined
        const last = opened.at(-1)
        if (typeof last === 'object') last.empty = true
        return this.#change(matched, opened, 'none')
      }
      const deep = indent >= 4
      if (deep && !goesOn) return this.#change(matched, opened, 'none')
      if (rest[indent] === '>' && !deep) {
        rest = rest.replace(QUOTE, '')
        opened.push('quote')
        continue
      }
      rest = rest.slice(indent)
      if (!ended && !SAID.test(rest)) return undefined
      if (deep) return this.#text(rest, matched, opened, goesOn)
      if (HEADING.test(rest)) {
        this.#change(matched, opened, 'none')
        return 'starts'
      }
      const solid = solidLeaf(rest, goesOn, goesOn && all && this.#leaf === 'paragraph')
      if (solid) return this.#change(matched, opened, solid)
      const bullet = BULLET.exec(rest)
      const mayOpen = (mark: RegExpExecArray) =>
        !goesOn || !all || (Number(mark[1] ?? 1) === 1 && mark[0].length < rest.length)
      if (!bullet || !mayOpen(bullet)) return this.#text(rest, matched, opened, goesOn)
      const mark = bullet[0].trimEnd().length
      const blanks = bullet[0].length - mark
      // A blank behind the mark, not more: what follows is indented code, or nothing.
      const used = mark + (blanks > 4 || bullet[0].length === rest.length ? 1 : blanks)
      rest = rest.slice(used)
      opened.push({ need: indent + used, empty: false })
    }
  }

  #text(rest: string, matched: number, opened: Container[], goesOn: boolean): Line {
    const continues = goesOn && this.#leaf === 'paragraph'
    const defines = !continues && rest[0] === '[' && DEFINITION.test(rest)
    this.#leaf = defines ? 'definition' : 'paragraph'
    // A paragraph goes on even where the marks of its containers are left out.
    if (!goesOn) this.#containers = [...this.#containers.slice(0, matched), ...opened]
    if (defines) return 'solid'
    return continues ? 'continues' : 'starts'
  }

  #change(matched: number, opened: Container[], leaf: Leaf): Line {
    this.#leaf = leaf
    if (opened.length > 0 || matched < this.#containers.length) {
      this.#containers = [...this.#containers.slice(0, matched), ...opened]
    }
    return 'solid'
  }
}

/** The line without what puts it into a container, if it is in it. */
function within(line: string, container: Container): string | undefined {
  if (container === 'quote') return QUOTE.test(line) ? line.replace(QUOTE, '') : undefined
  const indent = indentOf(line)
  if (indent === line.length) return container.empty ? undefined : line.slice(container.need)
  if (indent < container.need) return undefined
  container.empty = false
  return line.slice(container.need)
}

/** Fences, HTML, rules: what a line can be but text. */
function solidLeaf(rest: string, goesOn: boolean, under: boolean): Leaf | undefined {
  const fence = rest[0] === '`' || rest[0] === '~' ? FENCE.exec(rest) : null
  if (fence) {
    const mark = fence[1] ?? (fence[2] as string)
    return { until: new RegExp(`^ {0,3}${mark}${mark[0]}* *$`), fence: true }
  }
  if (rest[0] === '<') {
    const kinds = goesOn ? HTML.slice(0, -1) : HTML
    const until = kinds.find(([start]) => start.test(rest))?.[1]
    if (until) return until.test(rest) ? 'none' : { until, fence: false }
  }
  if ((under && UNDERLINE.test(rest)) || RULE.test(rest)) return 'none'
  return undefined
}
