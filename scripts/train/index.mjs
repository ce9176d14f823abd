/**
 * The daily work of the package, for a build that watches which ways it goes (`scripts/profile.mjs`):
 * every provider whole and as a stream, tools, markers, pages. The same each time, and done in two seconds.
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
import { answer, marked, pick } from './answers.mjs'
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
/** Each provider, with the function that hands out its sources, where there is one. */
const PROVIDERS = [
  { make: gemini, extract: extractGeminiCitations },
  { make: openai, extract: extractOpenAIResponsesCitations },
  {
    make: anthropic,
    extract: (/** @type {object | Uint8Array} */ input) =>
      extractAnthropicCitations(input, { documents: true }),
  },
  { make: chat, extract: undefined },
]
const utf8 = new TextEncoder()

const service = new CitationService({ documents: true })
const turn = service.startTurn()
const answers = Array.from({ length: ANSWERS }, (_, n) => answer(n))
const works = answers.flatMap((given) =>
  PROVIDERS.map(({ make, extract }) => {
    const sent = make(given)
    const bytes = utf8.encode(JSON.stringify(sent.whole))
    return { given, extract, ...sent, bytes, stream: body(sent) }
  }),
)
/** @typedef {typeof works[number]} Work */

for (let pass = 0; pass < PASSES; pass++) {
  works.forEach((work, at) => {
    const look = pick(LOOKS, pass + at)
    oneShot(work, look)
    turns(work, look)
    if (pass % 4 === 0) streamed(work, look)
    if (pass % 3 === 0) shown(work.given, look)
  })
  tools(pick(LOOKS, pass))
}

/** @param {Work} work @param {Look} look */
function oneShot({ whole, bytes, extract }, look) {
  const options = { ...look, documents: true }
  renderCitations(whole, options)
  renderCitations(bytes, options)
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

/** @param {Work} work @param {Look} look */
function turns({ whole, bytes }, look) {
  turn.reset()
  turn.push(whole)
  turn.render(look)
  turn.reset()
  turn.pushBytes(bytes)
  turn.render(look)
  turn.finish()
  service.restoreTurn(turn.serialize())
}

/** @param {Work} work @param {Look} look */
function streamed({ events, stream }, look) {
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

/** @param {import('./answers.mjs').Answer} given @param {Look} look */
function shown(given, look) {
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
  grounding.coverageSvg(grounded.answer, grounded)
  grounding.evaluateGrounding(grounding.anchorCitations(gemini(given).whole), { mode: 'required' })
  service.restoreTurn(turn.serialize()).render(look)
  markers.copyText(text, payload)
  markers.verifyQuotes(payload, [text])
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
