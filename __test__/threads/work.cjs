/** One worker: loads the package, uses it in every way, and tells what it made of it. */
const { parentPort, workerData } = require('node:worker_threads')
const { CitationService, grounding, markers, renderAnswerHtml, renderCitations } = require(
  workerData.package,
)

/** @param {number} number */
const response = (number) => ({
  candidates: [
    {
      content: { parts: [{ text: `Worker ${number} says naïve 漢字 things.` }] },
      groundingMetadata: {
        groundingChunks: [{ web: { uri: `https://a.example/${number}`, title: `Page ${number}` } }],
        groundingSupports: [{ segment: { endIndex: 8 }, groundingChunkIndices: [0] }],
      },
    },
  ],
})

/** @param {number} number */
function work(number) {
  const service = new CitationService()
  service.registerExtractor({
    pattern: 'mine',
    /** @type {import('../../index.js').CitationExtractor['extract']} */
    extract: (_id, _tool, _parameters, output) => [
      { title: output, url: `https://b.example/${number}` },
    ],
  })
  const turn = service.startTurn()
  const body = JSON.stringify(response(number))
  for (let at = 0; at < body.length; at += 50) turn.pushBytes(Buffer.from(body.slice(at, at + 50)))
  turn.addToolResult({ name: 'mine', output: `found by ${number}` })
  const payload = turn.finish()
  const stream = new markers.MarkerStream(payload)
  const text = stream.push('See [1') + stream.push('] and [2].') + stream.finish()
  const picture = grounding.renderCoverage(payload.answer, payload, { color: false })
  const html = renderAnswerHtml(text, payload)
  const again = renderCitations(response(number), { links: 'plain' })
  return [turn.render({ links: 'plain' }), text, picture, html.length, again].join('\n')
}

if (workerData.endless) {
  parentPort?.postMessage('started')
  for (let number = 0; ; number++) work(number % 10)
}
let made = ''
for (let round = 0; round < workerData.rounds; round++) made = work(workerData.number)
parentPort?.postMessage(made)
