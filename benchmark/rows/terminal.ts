/** The block for a terminal of 80 columns, against the packages people build it from. */
import assert from 'node:assert'
import {
  type CitationSource,
  extractGeminiCitations,
  renderCitationBlock,
  renderCitations,
} from '../../index.js'
import { direct, geminiResponse } from '../payloads.ts'
import { faster, type Row } from '../row.ts'
import { dedupe, extractGemini } from '../typescript/index.ts'

const WIDTH = 80
const options = { links: 'osc8', width: WIDTH } as const
const PACKAGES = 'terminal-link + strip-ansi + wrap-ansi'

/** They look at the terminal when they are loaded, so the runner says that it has links. */
async function packages() {
  const [{ default: link }, { default: strip }, { default: wrap }] = await Promise.all([
    import('terminal-link'),
    import('strip-ansi'),
    import('wrap-ansi'),
  ])
  assert.ok(link.isSupported, 'terminal-link must write links: set FORCE_HYPERLINK=1')
  return { link, strip, wrap }
}

/** The block as a host builds it from these packages. */
async function builder() {
  const { link, strip, wrap } = await packages()
  const render = (sources: CitationSource[]) => {
    let block = ' Sources:'
    sources.forEach(({ title, url = '' }, index) => {
      const number = `${index + 1}. `
      const words = `${link(strip(title ?? url), url)} — ${link(url, url)}`
      const indent = ' '.repeat(2 + number.length)
      const rows = wrap(words, WIDTH - indent.length, { hard: true }).split('\n')
      block += `\n  ${number}${rows.join(`\n${indent}`)}`
    })
    return block
  }
  return { render, strip }
}

/** The same rows, word for word. Where a row ends in a blank, ours has none. */
function agree(ours: string, theirs: string, strip: (text: string) => string) {
  const rows = (block: string) => strip(block).replace(/ +$/gm, '')
  assert.equal(rows(ours), rows(theirs))
}

export const terminal: Row[] = [6, 20].flatMap((count): Row[] => {
  // Where an address is longer than a row, wrap-ansi begins a new row first, and ours does not.
  const response = geminiResponse(count, direct)
  return [
    faster(`renderCitationBlock, 80 columns: ${count} sources`, PACKAGES, async () => {
      const { render, strip } = await builder()
      const payload = { text: '', sources: extractGeminiCitations(response) }
      const theirs = () => render(payload.sources)
      const ours = () => renderCitationBlock(payload, options)
      agree(ours(), theirs(), strip)
      return { theirs, ours }
    }),
    faster(
      `renderCitations from objects, 80 columns: Gemini, ${count} sources`,
      `TypeScript, ${PACKAGES}`,
      async () => {
        const { render, strip } = await builder()
        const theirs = () => render(dedupe(extractGemini(response)))
        const ours = () => renderCitations(response, options)
        agree(ours(), theirs(), strip)
        return { theirs, ours }
      },
    ),
  ]
})
