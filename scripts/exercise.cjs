/** Uses every part of the addon that touches memory across the border, for a checker of memory. */
const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const citations = require('..')

const folder = join(__dirname, '..', 'examples')
const examples = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))

const hostile = [
  null,
  undefined,
  7,
  'x\ud83d',
  new Proxy(
    {},
    {
      get() {
        throw new Error('no')
      },
    },
  ),
  { candidates: new Array(1000) },
  new Uint8Array(),
  Buffer.from([0xff, 0xfe, 0x7b]),
]

/** @param {unknown} input */
function read(input) {
  const given = /** @type {object} */ (input)
  citations.extractGeminiCitations(given)
  citations.extractOpenAIResponsesCitations(given)
  citations.extractAnthropicCitations(given, { documents: true })
  citations.renderCitations(given, { links: 'osc8', width: 60 })
  const service = new citations.CitationService({ documents: true })
  const turn = service.startTurn()
  turn.push(given)
  turn.addToolResult({ name: 'mcp__a__b', output: given })
  const payload = turn.finish()
  turn.render({ links: 'plain' })
  service.restoreTurn(turn.serialize()).finish('naïve 漢字 😀')
  citations.insertMarkers(payload.answer, payload)
  citations.renderAnswerHtml(payload.answer, payload)
  citations.renderAnswerMarkdown(payload.answer, payload)
  citations.grounding.renderCoverage(payload.answer, payload)
  citations.layoutCitationBlock(payload, { width: 40 })
  citations.dedupeCitations(payload.sources)
}

for (const example of examples) {
  read(JSON.parse(example))
  read(example)
  read(Buffer.from(example))
}
hostile.forEach(read)
// Results are made at once when there were many of their kind.
for (const example of examples) {
  for (let turn = 0; turn < 300; turn++) citations.extractGeminiCitations(example)
}
const stream = new citations.markers.MarkerStream(null)
for (const piece of 'See [1] and 【2†source】 naïve 漢字'.split('')) stream.push(piece)
stream.finish()
try {
  citations.renderCitations({}, { links: /** @type {'osc8'} */ ('loud') })
} catch {}
globalThis.gc?.()
