/**
 * Draws docs/terminal.svg: an answer and its sources as they stand on the screen of a terminal emulator, links as it
 * has understood them. Run: node scripts/terminal-picture.mjs
 */
import { writeFileSync } from 'node:fs'
import headless from '@xterm/headless'
import { CitationService, insertMarkers } from '../load.js'

const COLUMNS = 76
const [CELL, LINE, MARGIN, BAR] = [8.4, 20, 16, 28]

const text =
  'Rust became stable with version 1.0 on 15 May 2015.\nSince then a new version appears every six weeks.'
const [first, second] = text.split('\n')
const turn = new CitationService().startTurn()
turn.push({
  candidates: [
    {
      content: { parts: [{ text }] },
      groundingMetadata: {
        groundingChunks: [
          {
            web: { title: 'Announcing Rust 1.0', uri: 'https://blog.example/2015/05/15/rust-1.0' },
          },
          { web: { title: 'How releases are made', uri: 'https://docs.example/release-process' } },
          {
            web: {
              title: 'rust-lang.example',
              uri: 'https://elsewhere.example/an/address/that/is/so/long/that/it/takes/two/rows/and/is/one/link/still',
            },
          },
        ],
        groundingSupports: [
          { segment: { endIndex: first?.length, text: first }, groundingChunkIndices: [0] },
          {
            segment: {
              startIndex: text.length - (second?.length ?? 0),
              endIndex: text.length,
              text: second,
            },
            groundingChunkIndices: [0, 1],
          },
        ],
      },
    },
  ],
})
const payload = turn.finish()
const answer = insertMarkers(payload.answer, payload)
const output = `${answer}\n\n${turn.render({ links: 'osc8', width: COLUMNS })}`

const terminal = new headless.Terminal({
  cols: COLUMNS,
  rows: 24,
  convertEol: true,
  allowProposedApi: true,
})
await new Promise((done) => terminal.write(output, () => done(undefined)))
const { active } = terminal.buffer
const rows = Array.from({ length: active.cursorY + 1 }, (_, y) => pieces(active.getLine(y)))
terminal.dispose()

/**
 * The cells of a row, those that lead somewhere apart from those that do not.
 *
 * @param {import('@xterm/headless').IBufferLine | undefined} line
 */
function pieces(line) {
  /** @type {{ at: number, text: string, linked: boolean }[]} */
  const found = []
  for (let at = 0; at < COLUMNS; at++) {
    const cell = line?.getCell(at)
    const inside = /** @type {{ extended?: { urlId: number } } | undefined} */ (
      /** @type {unknown} */ (cell)
    )
    const linked = Boolean(inside?.extended?.urlId)
    const last = found.at(-1)
    const words = cell?.getChars() || ' '
    if (last?.linked === linked) last.text += words
    else found.push({ at, text: words, linked })
  }
  return found.filter(({ text }) => text.trim() !== '')
}

const escaped = (/** @type {string} */ words) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').trimEnd()
const lines = rows.map((row, y) =>
  row
    .map(({ at, text, linked }) => {
      const words = escaped(text)
      const [x, length] = [MARGIN + at * CELL, text.trimEnd().length * CELL]
      const style = linked ? ' class="link"' : ''
      const place = `x="${x.toFixed(1)}" y="${BAR + LINE * (y + 1)}" textLength="${length.toFixed(1)}"`
      return `<text ${place}${style}>${words}</text>`
    })
    .join(''),
)
const [width, height] = [COLUMNS * CELL + 2 * MARGIN, BAR + LINE * (rows.length + 1)]
const dots = ['#ff5f57', '#febc2e', '#28c840']
  .map((colour, n) => `<circle cx="${MARGIN + 4 + 16 * n}" cy="15" r="5" fill="${colour}"/>`)
  .join('')
writeFileSync(
  new URL('../docs/terminal.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="An answer and its sources in a terminal">
<style>text{font:14px ui-monospace,"Liberation Mono",Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre}.link{fill:#88c0d0;text-decoration:underline}</style>
<rect width="100%" height="100%" rx="8" fill="#22272e"/>${dots}
${lines.filter(Boolean).join('\n')}
</svg>
`,
)
