/**
 * What a file holds, told from its beginning: one document, the events of one response, or a log of
 * many responses.
 *
 * One JSON value that is not over at the end of its line is a document. Several lines that are JSON
 * each are a log, unless they can only be pieces of one answer: an event says so in its `type` or
 * `object`; a chunk of Gemini does not, but in a stream only the last one is finished, and all have
 * the same `responseId`.
 */
import { isFields, textOf } from './reader.mjs'

/** @typedef {'document' | 'events' | 'log'} Kind */
/** @typedef {import('./reader.mjs').Fields} Fields */

/** How many lines are looked at. */
const MOST_LINES = 64

const EVENT_FRAME = /^(data|event|id|retry)?:/
const EVENT_TYPE =
  /^(response\..+|message_(start|delta|stop)|content_block_(start|delta|stop)|ping|(message|content|citation|tool-call)-(start|delta|end)|tool-plan-delta)$/

/**
 * @param {Uint8Array} head
 * @param {boolean} isAll whether nothing follows
 * @returns {Kind | undefined} nothing where more must be seen, which is never so if this is all
 */
export function kindOf(head, isAll) {
  const text = textOf(head)
  const lines = text.split('\n', MOST_LINES + 1)
  // The last one may be cut, and so may a character in it.
  if (!isAll || lines.length > MOST_LINES) lines.pop()
  const filled = lines.filter((line) => line.trim() !== '')
  const [first] = filled
  if (first === undefined) return isAll ? 'document' : undefined
  if (EVENT_FRAME.test(first)) return 'events'
  if (filled.length < 2) return isAll ? 'document' : undefined
  if (isAll && isJson(text)) return 'document'
  const values = filled.map(parsedLine)
  const whole = values.filter((value) => value !== undefined)
  const isListed = first.trimStart().startsWith('[')
  // Lines of a document that was written with indents can be whole by chance, but not the first.
  const isOneDocument = values[0] === undefined && (isListed || whole.length < 2)
  if (isOneDocument || whole.length === 0) return 'document'
  return isStream(whole) ? 'events' : 'log'
}

/**
 * @param {string} line
 * @returns {unknown}
 */
function parsedLine(line) {
  if (!/^[[{]/.test(line)) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** @param {unknown[]} values */
function isStream(values) {
  const fields = values.filter(isFields)
  return fields.some(isEvent) || isGeminiStream(fields.map(unwrapped).filter(hasCandidates))
}

/** @param {Fields} value */
const isEvent = (value) =>
  (typeof value.type === 'string' && EVENT_TYPE.test(value.type)) ||
  typeof value.event_type === 'string' ||
  value.object === 'chat.completion.chunk' ||
  // Perplexity puts an empty delta beside a whole message.
  (Array.isArray(value.choices) && value.choices.some((choice) => choice?.delta && !choice.message))

/**
 * Code Assist wraps each chunk once.
 *
 * @param {Fields} value
 */
const unwrapped = (value) => (isFields(value.response) ? value.response : value)

/** @param {Fields} value */
const hasCandidates = (value) => Array.isArray(value.candidates)

/** @param {Fields[]} chunks */
function isGeminiStream(chunks) {
  if (chunks.length < 2) return false
  const ids = new Set(chunks.map(({ responseId, response_id }) => responseId ?? response_id))
  return ids.size === 1 && atMostOne(chunks, isFinished) && atMostOne(chunks, isGrounded)
}

/**
 * @param {Fields[]} chunks
 * @param {(candidate: Fields) => boolean} test
 */
const atMostOne = (chunks, test) =>
  chunks.filter(({ candidates }) => {
    const first = Array.isArray(candidates) ? candidates[0] : undefined
    return isFields(first) && test(first)
  }).length <= 1

/** @param {Fields} candidate */
const isFinished = ({ finishReason, finish_reason }) => Boolean(finishReason ?? finish_reason)

/** @param {Fields} candidate */
function isGrounded({ groundingMetadata, grounding_metadata }) {
  const metadata = groundingMetadata ?? grounding_metadata
  return isFields(metadata) && Boolean(metadata.groundingChunks ?? metadata.grounding_chunks)
}
