/**
 * Writes a log of N responses, one per line, of three providers in turn, each with spans and
 * sources. Always the same for the same N. Run: node scripts/make-log.mjs 1000000 > log.jsonl
 */
import { once } from 'node:events'

const SENTENCES = 8
/** How many lines are written at once. */
const BLOCK = 256

/** @param {number} number of the answer */
const sentencesOf = (number) =>
  Array.from(
    { length: SENTENCES },
    (_, at) =>
      `Answer ${number} says in sentence ${at + 1} that naïve counting — in bytes — goes wrong.`,
  )

/** @param {number} number @param {number} at */
const urlOf = (number, at) => `https://site${at}.example/pages/${number % 1000}`

/** @param {number} number */
function gemini(number) {
  const sentences = sentencesOf(number)
  let end = 0
  const groundingSupports = sentences.map((text, at) => {
    const startIndex = end + (at > 0 ? 1 : 0)
    end = startIndex + Buffer.byteLength(text)
    return { segment: { startIndex, endIndex: end, text }, groundingChunkIndices: [at % 3] }
  })
  const groundingChunks = [0, 1, 2].map((at) => ({
    web: { uri: urlOf(number, at), title: `Page ${at} on ${number}` },
  }))
  const content = { role: 'model', parts: [{ text: sentences.join(' ') }] }
  const groundingMetadata = { groundingChunks, groundingSupports }
  const candidates = [{ content, finishReason: 'STOP', groundingMetadata }]
  return { candidates, modelVersion: 'gemini-2.5-pro', responseId: `response-${number}` }
}

/** @param {number} number */
function openai(number) {
  let text = ''
  const annotations = sentencesOf(number).map((sentence, at) => {
    const url = urlOf(number, at % 3)
    const link = `([site${at % 3}.example](${url}))`
    const start_index = text.length + sentence.length + 1
    text += `${sentence} ${link} `
    const title = `Page ${at % 3} on ${number}`
    return { type: 'url_citation', start_index, end_index: start_index + link.length, url, title }
  })
  const content = [{ type: 'output_text', text, annotations }]
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', content }
  return { id: `resp_${number}`, object: 'response', status: 'completed', output: [message] }
}

/** @param {number} number */
function anthropic(number) {
  const content = sentencesOf(number).map((text, at) => ({
    type: 'text',
    text: `${text} `,
    citations: [
      {
        type: 'char_location',
        cited_text: `Sentence ${at} of the report on ${number}.`,
        document_index: 0,
        document_title: `Report ${number}`,
        start_char_index: at * 40,
        end_char_index: at * 40 + 39,
      },
    ],
  }))
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: 'end_turn',
  }
}

const PROVIDERS = [gemini, openai, anthropic]

const count = Number(process.argv[2])
if (!Number.isSafeInteger(count) || count < 0) {
  process.stderr.write('Usage: node scripts/make-log.mjs N > log.jsonl\n')
  process.exit(2)
}
// A reader that has seen enough is no error.
process.stdout.on('error', () => process.exit(0))
for (let number = 1; number <= count; number += BLOCK) {
  const size = Math.min(BLOCK, count - number + 1)
  const lines = Array.from({ length: size }, (_, at) => {
    const provider = PROVIDERS[(number + at) % PROVIDERS.length] ?? gemini
    return `${JSON.stringify(provider(number + at))}\n`
  })
  if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain')
}
