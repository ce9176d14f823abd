/**
 * The hostile cases of `tests/terminal_proof.rs` through the addon into a real terminal emulator:
 * cursor, title, clipboard, colours and modes stay as they are, and links lead where sources do.
 */
import headless, { type IBufferCell } from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  type CitationSource,
  formatSourcesForPrompt,
  grounding,
  markers,
  renderCitationBlock,
  renderCitations,
} from '../index.js'
import { CASES, type Case, caseOf, FINGERPRINT, fingerprint } from './hostile/cases.js'
import { spelled } from './screen.js'

/** Wide enough that no row wraps, whatever the emulator thinks of a character. */
const COLS = 2400
const BATCH = 200
/** Everything a terminal may be told besides links: titles, colours, clipboard, notices, programs. */
const COMMANDS = [0, 1, 2, 3, 4, 5, 6, 7, 9, 99, 133, 633, 777, 1337, 5522].concat(
  Array.from({ length: 60 }, (_, index) => 10 + index),
  Array.from({ length: 20 }, (_, index) => 100 + index),
)

/** The part of the emulator that knows where a cell leads; it has no public name. */
interface Insides {
  _core: { _oscLinkService: { getLinkData(id: number): { uri: string } | undefined } }
}
interface Cell {
  extended: { urlId: number }
  hasExtendedAttrs(): number
}

/** Underlined or faint, and nothing else. */
function isMarked(cell: IBufferCell): boolean {
  const coloured = !cell.isFgDefault() || !cell.isBgDefault()
  const loud = cell.isBold() || cell.isBlink() || cell.isInverse() || cell.isItalic()
  return !coloured && !loud && !cell.isInvisible() && !cell.isStrikethrough()
}

/** An emulator that remembers everything it was told besides text. */
class Screen {
  readonly terminal = new headless.Terminal({
    cols: COLS,
    rows: 50,
    scrollback: 100_000,
    convertEol: true,
    allowProposedApi: true,
  })
  readonly noises: string[] = []
  private readonly modes = JSON.stringify(this.terminal.modes)

  constructor() {
    const { terminal, noises } = this
    terminal.onBell(() => noises.push('bell'))
    terminal.onTitleChange((title) => noises.push(`title ${title}`))
    terminal.onData((data) => noises.push(`reply ${data}`))
    terminal.onResize(() => noises.push('resize'))
    for (const command of COMMANDS) this.onCommand(command)
    for (let code = 0x40; code <= 0x7e; code++) this.onFinal(String.fromCharCode(code))
  }

  private onCommand(command: number) {
    this.terminal.parser.registerOscHandler(command, (data) => {
      this.noises.push(`command ${command} ${data}`)
      return false
    })
  }

  private onFinal(final: string) {
    const { parser } = this.terminal
    const noise = (kind: string) => () => {
      this.noises.push(`${kind} ${final}`)
      return false
    }
    for (const prefix of ['', '?', '>', '=', '<']) {
      parser.registerCsiHandler({ prefix, final }, noise(`control ${prefix}`))
    }
    for (const intermediates of ['', '$', '+']) {
      parser.registerDcsHandler({ intermediates, final }, noise(`string ${intermediates}`))
    }
    // ESC \ is what ends a link on request.
    if (final !== '\\') parser.registerEscHandler({ final }, noise('escape'))
  }

  async write(output: string) {
    await new Promise<void>((done) => this.terminal.write(output, done))
  }

  /** Where the cells of all rows lead, and what is wrong with any of them. */
  read(styles: boolean) {
    const { _oscLinkService: links } = (this.terminal as unknown as Insides)._core
    const { active } = this.terminal.buffer
    const rows = active.baseY + active.cursorY + 1
    const targets = Array.from({ length: rows }, () => new Set<string>())
    const wrong = [...this.noises]
    const reused = active.getNullCell()
    for (const [y, found] of targets.entries()) {
      const line = active.getLine(y)!
      if (line.isWrapped) wrong.push(`row ${y} wraps`)
      const end = line.translateToString(true).length
      for (let x = 0; x < end; x++) {
        const cell = line.getCell(x, reused)!
        const linked = cell as unknown as Cell
        const id = linked.hasExtendedAttrs() ? linked.extended.urlId : 0
        if (id !== 0) found.add(links.getLinkData(id)!.uri)
        else if (!cell.isAttributeDefault() && !(styles && isMarked(cell))) wrong.push(`${y}:${x}`)
      }
    }
    if (JSON.stringify(this.terminal.modes) !== this.modes) wrong.push('modes')
    const cursor = { x: active.cursorX, y: rows - 1 }
    this.terminal.dispose()
    return { targets, wrong, cursor }
  }
}

function sourcesOf({ titles, urls, excerpt }: Case): CitationSource[] {
  return [
    { title: titles[0], url: urls[0], citedText: excerpt, domain: titles[1] },
    { title: titles[1], url: urls[1], citedText: excerpt },
    { title: titles[1], fileId: urls[0], citedText: excerpt },
  ]
}

/** The addresses of a case that may be links, as the runtime itself reads them. */
function addressesOf({ urls }: Case): string[] {
  // Letters of host names are composed; Node 24 leaves some of them apart.
  const all = urls.flatMap((url) => [url, url.normalize('NFC')])
  return all.flatMap((url) => hrefOf(url) ?? hrefOf(url.replaceAll(IGNORED, '')) ?? [])
}

/** Host names may hold these since Unicode 15.1, where they are ignored; older runtimes refuse them. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

function hrefOf(url: string): string | undefined {
  try {
    return spelled(new URL(url).href)
  } catch {
    return undefined
  }
}

/** What providers would send. The raw JSON text stands in a title. */
function responsesOf(one: Case): string[] {
  const { titles, urls, excerpt, answer } = one
  const gemini = {
    candidates: [
      {
        content: { parts: [{ text: answer }] },
        groundingMetadata: {
          groundingChunks: [
            { web: { uri: urls[0], title: titles[0] } },
            { web: { uri: urls[1], title: '@@@' } },
          ],
          groundingSupports: [
            { segment: { endIndex: 9, text: answer }, groundingChunkIndices: [0, 1] },
          ],
        },
      },
    ],
  }
  const note = { type: 'url_citation', start_index: 0, end_index: 4 }
  const openai = {
    output: [
      {
        type: 'message',
        content: [
          {
            type: 'output_text',
            text: answer,
            annotations: [
              { ...note, url: urls[0], title: '@@@' },
              { ...note, url: urls[1], title: titles[1] },
            ],
          },
        ],
      },
    ],
  }
  const anthropic = {
    type: 'message',
    role: 'assistant',
    content: [
      {
        type: 'text',
        text: answer,
        citations: [
          {
            type: 'web_search_result_location',
            url: urls[0],
            title: titles[0],
            cited_text: excerpt,
          },
          { type: 'char_location', document_index: 0, document_title: '@@@', cited_text: excerpt },
        ],
      },
    ],
  }
  return [gemini, openai, anthropic].map((response) =>
    JSON.stringify(response).replaceAll('@@@', () => one.jsonText),
  )
}

/** Writes what `render` makes of each of these cases and checks every row against its case. */
async function proved(
  from: number,
  render: (one: Case, number: number) => string[],
  styles = false,
) {
  const screen = new Screen()
  const owners: Case[] = []
  for (let number = from; number < from + BATCH; number++) {
    const one = caseOf(number)
    for (const output of render(one, number)) {
      await screen.write(`${output}\n`)
      owners.push(...output.split('\n').map(() => one))
    }
  }
  const { targets, wrong, cursor } = screen.read(styles)
  expect(styles ? wrong.filter((noise) => noise !== 'control  m') : wrong).toEqual([])
  expect(cursor).toEqual({ x: 0, y: owners.length })
  for (const [y, found] of targets.entries()) {
    if (found.size === 0) continue
    const addresses = addressesOf(owners[y]!)
    expect(addresses, JSON.stringify(owners[y]!.urls)).toEqual(
      expect.arrayContaining([...found].map(spelled)),
    )
  }
}

const LINKS = ['osc8', 'plain', 'markdown'] as const
const TERMINATORS = ['bel', 'st'] as const
const WIDTHS = [0, 20, 80]

/** Another form for each case; all of them within a few. */
function formOf(number: number) {
  return {
    links: LINKS[number % 3]!,
    terminator: TERMINATORS[number % 2]!,
    width: WIDTHS[Math.floor(number / 6) % 3]!,
  }
}

const batches = Array.from({ length: 10 }, (_, index) => [index * BATCH])

test('the cases are those of Rust', () => {
  expect(fingerprint()).toBe(FINGERPRINT)
  expect(CASES).toBe(10_000)
})

describe.each(batches)('cases from %i', (from) => {
  test('sources', async () => {
    await proved(from, (one, number) => [
      renderCitationBlock({ text: '', sources: sourcesOf(one) }, formOf(number)),
      renderCitationBlock(
        { text: '', sources: sourcesOf(one) },
        { ...formOf(number), links: 'osc8' },
      ),
    ])
  })

  test('responses', async () => {
    await proved(from, (one, number) =>
      responsesOf(one).map((response) =>
        renderCitations(response, { ...formOf(number), links: 'osc8', documents: true }),
      ),
    )
  })
})

test('coverage, with nothing but underlined and faint text', async () => {
  const turn = new CitationService().startTurn()
  await proved(
    2000,
    (one) =>
      responsesOf(one).map((response) => {
        turn.reset()
        turn.pushBytes(Buffer.from(response))
        const payload = turn.finish()
        return grounding.renderCoverage(payload.answer, payload, { width: 80 })
      }),
    true,
  )
})

test('texts for prompts, clipboards and reports', async () => {
  await proved(2200, (one) => {
    const sources = sourcesOf(one)
    return [
      formatSourcesForPrompt(sources),
      markers.copyText('Answer.', { text: '', sources }),
      grounding.auditLine(grounding.anchorCitations(responsesOf(one)[0]!)),
    ]
  })
})

test('the emulator would notice', async () => {
  const noisy = [
    '\u001b]52;c;eA==\u0007',
    '\u001b]0;t\u0007',
    '\u001b]9;7;x\u0007',
    '\u001b[2J',
    '\u001b[?25l',
    '\u001bP$qm\u001b\\',
    '\u001b[31mx',
    '\u0007',
    '\u001bc',
    '\u009b6n',
  ]
  for (const noise of noisy) {
    const screen = new Screen()
    await screen.write(noise)
    expect(screen.read(false).wrong, JSON.stringify(noise)).not.toEqual([])
  }
})
