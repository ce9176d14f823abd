/**
 * A real terminal emulator to print to: what stands on its rows, where each cell leads, and whether anything
 * else happened.
 */
import headless from '@xterm/headless'
import { isWide, joined, type Piece } from './screen.js'

const ROWS = 120
const ZERO_WIDTH_JOINER = 0x200d

/** The part of the emulator that knows where a cell leads; it has no public name. */
interface Insides {
  _core: { _oscLinkService: { getLinkData(id: number): { uri: string } | undefined } }
}
interface LinkedCell {
  extended: { urlId: number }
}

/**
 * The emulator's own table of widths is that of Unicode 6, where emoji are narrow. This one is that
 * of a terminal of today: wide emoji, and what belongs to the character before takes no cell.
 */
class Widths {
  readonly version = 'today'

  wcwidth(code: number): 0 | 1 | 2 {
    if (/^(\p{M}|\p{Emoji_Modifier}|\u200d)$/u.test(String.fromCodePoint(code))) return 0
    return isWide(code) ? 2 : 1
  }

  /** Packed as the emulator wants it: state, width, whether to join the cell before. */
  charProperties(code: number, before: number): number {
    const width = this.wcwidth(code)
    const afterJoiner = before >> 3 === ZERO_WIDTH_JOINER
    const joins = before !== 0 && (width === 0 || afterJoiner)
    const cells = joins ? Math.max(width, (before >> 1) & 3) : width
    return (code << 3) | (cells << 1) | (joins ? 1 : 0)
  }
}

/** Writes to a fresh emulator and reads its screen, down to the cursor. */
export async function show(output: string, cols: number, convertEol = true) {
  const terminal = new headless.Terminal({ cols, rows: ROWS, convertEol, allowProposedApi: true })
  terminal.unicode.register(new Widths())
  terminal.unicode.activeVersion = 'today'
  const noises: string[] = []
  terminal.onBell(() => noises.push('bell'))
  terminal.onTitleChange((title) => noises.push(`title ${title}`))
  terminal.onData((data) => noises.push(`reply ${data}`))
  await new Promise<void>((done) => terminal.write(output, done))

  const { _oscLinkService: links } = (terminal as unknown as Insides)._core
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.cursorY + 1 }, (_, y): Piece[] => {
    const line = active.getLine(y)!
    const cells = Array.from({ length: cols }, (_, x): Piece => {
      const cell = line.getCell(x)!
      const { urlId } = (cell as unknown as LinkedCell).extended
      const text = cell.getWidth() === 0 ? '' : cell.getChars() || ' '
      return urlId ? { text, url: links.getLinkData(urlId)!.uri } : { text }
    })
    return withoutBlankEnd(joined(cells))
  })
  const wrapped = rows.some((_, y) => active.getLine(y)!.isWrapped)
  const cursor = { x: active.cursorX, y: active.cursorY }
  terminal.dispose()
  return { rows, noises, wrapped, cursor }
}

/** Cells after the last character are blank whether anybody wrote them or not. */
export function withoutBlankEnd(row: Piece[]): Piece[] {
  const last = row.at(-1)!
  if (last.url !== undefined) return row
  const text = last.text.trimEnd()
  return text === '' ? row.slice(0, -1) : [...row.slice(0, -1), { text }]
}
