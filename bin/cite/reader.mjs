/**
 * From bytes to a payload, whoever wrote them: a provider's response or stream, a run of an agent, a
 * tool's result, a payload that was saved before, or a record of a log around one of these.
 */
import {
  CitationService,
  dedupeCitations,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  sanitizeCitationSource,
} from '../../load.js'

/** @typedef {import('../../index.js').TurnPayload} TurnPayload */
/** @typedef {import('../../index.js').CitationSource} CitationSource */
/** @typedef {'gemini' | 'openai' | 'anthropic'} Provider */
/** @typedef {{ [key: string]: unknown }} Fields */

/**
 * What may be read.
 *
 * @typedef {object} Wanted
 * @property {Provider} [provider] nobody else's answers
 * @property {string} [tool] what is given is a result of this tool
 */

/**
 * What each provider's answers are called, and how a fragment is read that does not say whose it is.
 *
 * @type {Record<Provider, { vendor: string, extract: (bytes: Uint8Array) => CitationSource[] }>}
 */
const PROVIDERS = {
  gemini: { vendor: 'gemini_direct', extract: extractGeminiCitations },
  openai: { vendor: 'openai', extract: extractOpenAIResponsesCitations },
  anthropic: {
    vendor: 'anthropic',
    extract: (bytes) => extractAnthropicCitations(bytes, { documents: true }),
  },
}

/** Where logs, batches, JSON-RPC and HTTP clients keep what was answered. */
const WRAPPINGS = ['response', 'result', 'body', 'message', 'data']
/** How many of them are taken off. */
const MOST_WRAPPINGS = 3

/** A tool result whose tool nobody names can only be of an MCP server: others have no form. */
const NAMELESS_MCP_TOOL = 'mcp__server__tool'

/** @param {TurnPayload} payload */
export const isEmpty = ({ answer, sources }) => answer === '' && sources.length === 0

/**
 * The text of bytes, without a byte order mark.
 *
 * @param {Uint8Array} bytes
 */
export const textOf = (bytes) => new TextDecoder().decode(bytes)

export class Reader {
  #wanted
  #turn

  /** @param {Wanted} [wanted] */
  constructor(wanted = {}) {
    this.#wanted = wanted
    // Who names a tool wants its result read, even if nobody has heard of that tool.
    const scanUnknownTools = wanted.tool !== undefined
    // Making a turn costs more than most answers do, so there is one for all of them.
    this.#turn = new CitationService({ documents: true, scanUnknownTools }).startTurn()
  }

  /**
   * The payload of one thing that is all here; empty where nothing is found.
   *
   * @param {Uint8Array} bytes
   * @returns {TurnPayload}
   */
  read(bytes) {
    if (this.#wanted.tool !== undefined) return this.#ofTools([{ output: bytes }])
    const payload = this.#ofBytes([bytes])
    // Whose response has both an answer and sources needs no second look.
    if (payload.answer !== '' && payload.sources.length > 0) return payload
    const other = this.#ofValue(parsed(bytes))
    const found = other && !isEmpty(other) ? other : payload
    return isEmpty(found) ? this.#ofFragment(bytes, found) : found
  }

  /**
   * The payload of a stream, taken piece by piece.
   *
   * @param {AsyncIterable<Uint8Array>} pieces
   * @returns {Promise<TurnPayload>}
   */
  async readStream(pieces) {
    this.#turn.reset()
    for await (const piece of pieces) this.#turn.pushBytes(piece)
    return this.#finished()
  }

  /** @param {Uint8Array[]} pieces */
  #ofBytes(pieces) {
    this.#turn.reset()
    for (const piece of pieces) this.#turn.pushBytes(piece)
    return this.#finished()
  }

  #finished() {
    const { provider } = this.#wanted
    if (provider !== undefined && this.#turn.anchored().vendor !== PROVIDERS[provider].vendor) {
      this.#turn.reset()
    }
    return this.#turn.finish()
  }

  /**
   * What no provider sends as it is: `undefined` where it is nothing of ours either.
   *
   * @param {unknown} value
   * @param {number} [depth]
   * @returns {TurnPayload | undefined}
   */
  #ofValue(value, depth = 0) {
    if (!isFields(value)) return undefined
    if (this.#wanted.provider === undefined) {
      const own = isPayload(value) ? restored(value) : this.#ofRun(value)
      if (own) return own
    }
    if (depth === MOST_WRAPPINGS) return undefined
    for (const key of WRAPPINGS) {
      const payload = this.#ofWrapped(value[key], depth + 1)
      if (payload) return payload
    }
    return undefined
  }

  /**
   * @param {unknown} value
   * @param {number} depth
   * @returns {TurnPayload | undefined}
   */
  #ofWrapped(value, depth) {
    // Some logs keep the body as the text it was, be it JSON or a stream.
    const body = typeof value === 'string' ? value : isFields(value) && JSON.stringify(value)
    if (!body) return undefined
    const special = typeof value === 'string' ? undefined : this.#ofValue(value, depth)
    if (special) return special
    const payload = this.#ofBytes([Buffer.from(body)])
    return isEmpty(payload) ? undefined : payload
  }

  /** @param {Fields} value */
  #ofRun(value) {
    if (isRun(value)) return this.#ofTools(value.tools, value.answer)
    if (isToolCall(value)) return this.#ofTools([value])
    if (isMcpResult(value)) return this.#ofTools([{ name: NAMELESS_MCP_TOOL, output: value }])
    return undefined
  }

  /**
   * @param {Fields[]} calls
   * @param {unknown} [answer]
   */
  #ofTools(calls, answer) {
    this.#turn.reset()
    const { tool } = this.#wanted
    for (const { output, ...call } of calls) {
      this.#turn.addToolResult(tool === undefined ? { ...call, output } : { name: tool, output })
    }
    return this.#turn.finish(typeof answer === 'string' ? answer : undefined)
  }

  /**
   * Sources of a piece of a response, where it was said whose it is.
   *
   * @param {Uint8Array} bytes
   * @param {TurnPayload} payload
   * @returns {TurnPayload}
   */
  #ofFragment(bytes, payload) {
    const { provider } = this.#wanted
    if (provider === undefined) return payload
    return { ...payload, sources: dedupeCitations(PROVIDERS[provider].extract(bytes)) }
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {unknown}
 */
function parsed(bytes) {
  try {
    return JSON.parse(textOf(bytes))
  } catch {
    return undefined
  }
}

/**
 * @param {unknown} value
 * @returns {value is Fields}
 */
export const isFields = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A run of an agent: `{ tools: [{ name, args, callId, output }], answer }`. Responses of OpenAI list
 * tools as well, but those have not put anything out.
 *
 * @param {Fields} value
 * @returns {value is { tools: Fields[], answer?: unknown }}
 */
const isRun = (value) =>
  Array.isArray(value.tools) &&
  value.tools.every(isFields) &&
  (typeof value.answer === 'string' || value.tools.some((call) => 'output' in call))

/** @param {Fields} value */
const isToolCall = (value) => typeof value.name === 'string' && 'output' in value

/**
 * An MCP `CallToolResult`. An Anthropic message has content too, but also says that it is one.
 *
 * @param {Fields} value
 */
const isMcpResult = (value) =>
  Array.isArray(value.content) &&
  !('role' in value) &&
  !('type' in value) &&
  !value.content.some((block) => isFields(block) && 'citations' in block)

/** @typedef {Fields & { answer: string, sources: CitationSource[], anchors: unknown[] }} SavedPayload */

/**
 * @param {Fields} value
 * @returns {value is SavedPayload}
 */
const isPayload = (value) =>
  typeof value.answer === 'string' && Array.isArray(value.sources) && Array.isArray(value.anchors)

/**
 * A payload that lay in a file, where anybody may have written into it.
 *
 * @param {SavedPayload} saved
 * @returns {TurnPayload}
 */
function restored({ answer, sources, anchors, cited }) {
  /** @param {unknown} number */
  const isNumber = (number) => Number.isInteger(number) && sources[Number(number) - 1] !== undefined
  /** @param {unknown} anchor */
  const isAnchor = (anchor) =>
    isFields(anchor) &&
    Array.isArray(anchor.sources) &&
    anchor.sources.every(isNumber) &&
    anchor.text === answer.slice(Number(anchor.start), Number(anchor.end))
  return {
    text: '',
    answer,
    sources: sources.map((source) => sanitizeCitationSource(source)),
    anchors: /** @type {TurnPayload['anchors']} */ (anchors.filter(isAnchor)),
    cited: Array.isArray(cited) ? cited.filter(isNumber) : [],
    diagnostics: [],
  }
}
