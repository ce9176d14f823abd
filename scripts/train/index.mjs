/**
 * The daily work of the package, for a build that watches which ways it goes (`scripts/profile.mjs`):
 * every provider whole and as a stream, tools, markers, pages. Deterministic, some seconds long.
 */
import {
  CitationService,
  dedupeCitations,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  extractToolCitations,
  grounding,
  insertMarkers,
  layoutCitationBlock,
  markers,
  openWebui,
  renderAnswerHtml,
  renderAnswerMarkdown,
  renderCitationBlock,
  renderCitations,
  resolveCitationsEnabled,
} from '../../load.js'
import { answer, marked } from './answers.mjs'
import { anthropic, body, chat, gemini, openai } from './providers.mjs'
import { calls } from './tools.mjs'

/** @typedef {import('../../index.js').RenderOptions} Look */

const ANSWERS = 56
/** A network hands over pieces of about this size. */
const CHUNK = 4_000
/** How often each answer is read: often enough for the ways that results take when there were many. */
const PASSES = 12
/** @type {Look[]} */
const LOOKS = [
  { links: 'osc8' },
  { links: 'plain' },
  { links: 'osc8', width: 80 },
  { links: 'markdown' },
]
const EXTRACTORS = [
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  (/** @type {object | Uint8Array} */ input) =>
    extractAnthropicCitations(input, { documents: true }),
]
const utf8 = new TextEncoder()

const service = new CitationService({ documents: true })
const turn = service.startTurn()
const answers = Array.from({ length: ANSWERS }, (_, n) => answer(n))
const sent = answers.flatMap((given, n) =>
  [gemini, openai, anthropic, chat].map((make) => ({ n, ...make(given) })),
)
const bodies = sent.map(({ whole }) => utf8.encode(JSON.stringify(whole)))
const streams = sent.map(body)

for (let pass = 0; pass < PASSES; pass++) {
  const look = /** @type {Look} */ (LOOKS[pass % LOOKS.length])
  sent.forEach(({ n, whole, events }, at) => {
    const [bytes, stream] = [bodies[at], streams[at]]
    if (!bytes || !stream) return
    oneShot(whole, bytes, at, look)
    turns(whole, bytes, look)
    if (pass % 4 === 0) streamed(events, stream, look)
    if (pass % 6 === 0) shown(answers[n], look)
  })
  tools(look)
}

/** @param {object} whole @param {Uint8Array} bytes @param {number} at @param {Look} look */
function oneShot(whole, bytes, at, look) {
  const options = { ...look, documents: true }
  renderCitations(whole, options)
  renderCitations(bytes, options)
  const extract = EXTRACTORS[at % 4]
  if (!extract) return
  const sources = extract(whole)
  extract(bytes)
  dedupeCitations(sources)
  renderCitationBlock({ text: '', sources }, look)
  layoutCitationBlock({ text: '', sources }, { width: 72 })
  resolveCitationsEnabled(
    { getEphemeralSetting: () => undefined },
    { ui: { showCitations: false } },
  )
}

/** @param {object} whole @param {Uint8Array} bytes @param {Look} look */
function turns(whole, bytes, look) {
  turn.reset()
  turn.push(whole)
  turn.render(look)
  turn.reset()
  turn.pushBytes(bytes)
  turn.render(look)
  turn.finish()
}

/** @param {object[]} events @param {Uint8Array} stream @param {Look} look */
function streamed(events, stream, look) {
  turn.reset()
  for (const event of events) turn.push(event)
  const payload = turn.finish()
  turn.render(look)
  turn.reset()
  for (let start = 0; start < stream.length; start += CHUNK) {
    turn.pushBytes(stream.subarray(start, start + CHUNK))
  }
  turn.finish(payload.answer)
  insertMarkers(payload.answer, payload)
}

/** @param {import('./answers.mjs').Answer | undefined} given @param {Look} look */
function shown(given, look) {
  if (!given) return
  const text = marked(given)
  const sources = given.pages.map(({ url, title, words }) => ({ url, title, snippet: words }))
  const payload = { text: '', sources }
  markers.formatMarkers(text, payload, { dangling: 'flag', renumber: true })
  markers.parseMarkers(text, payload)
  const stream = new markers.MarkerStream(payload, { renumber: true })
  for (const piece of text.match(/.{1,9}/gsu) ?? []) stream.push(piece)
  stream.finish()
  renderAnswerHtml(text, payload)
  renderAnswerMarkdown(text, payload, { style: 'footnotes' })
  turn.reset()
  turn.push(gemini(given).whole)
  const grounded = turn.finish()
  grounding.renderCoverage(grounded.answer, grounded, { width: 80 })
  grounding.anchorCitations(gemini(given).whole)
  service.restoreTurn(turn.serialize()).render(look)
  openWebui.buildSourceContext(openWebui.fromPayload(payload).sources ?? [])
}

/** @param {Look} look */
function tools(look) {
  turn.reset()
  for (const call of calls) {
    turn.addToolResult(call)
    extractToolCitations(call)
  }
  turn.finish('As found [1][2], and as the page says [4].')
  turn.render(look)
}
