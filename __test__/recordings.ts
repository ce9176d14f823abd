/**
 * Loads the real provider recordings that lie beside the project, in `../shared/fixtures`.
 *
 * They come from many projects, so they are kept in many ways: VCR cassettes of Python and Ruby, rig
 * cassettes, mastra recordings, plain bodies. This file turns all of them into one form; a spec
 * never needs to know which recorder wrote a file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { binaryTag, CORE_SCHEMA, defineScalarTag, loadAll } from 'js-yaml'

/** The folders of recordings, one per provider. */
export const PROVIDERS = ['google', 'anthropic', 'openai', 'other'] as const

export type RecordingProvider = (typeof PROVIDERS)[number]

/**
 * How a body travelled.
 *
 * - `json`: one JSON document (or nothing at all).
 * - `sse`: server-sent events.
 * - `jsonl`: one event per line, as the recorder wrote it down without its SSE frame.
 * - `chunks`: server-sent events, with the pieces in which they arrived (see `pieces`).
 */
export type BodyKind = 'json' | 'sse' | 'jsonl' | 'chunks'

/** One request with its response. */
export interface Exchange {
  /** The body of the request: parsed where it is JSON, text where it is not; absent if none is kept. */
  request?: unknown
  kind: BodyKind
  /** The body of the response as the recording holds it, to the byte once encoded as UTF-8. */
  raw: string
  /**
   * Whether `raw` is what the recording holds. False where the recorder kept only parsed JSON, so
   * that `raw` had to be written anew: good to read, no oracle for offsets or spacing.
   */
  exact: boolean
  /** Only for `chunks`: how the network cut the body. Joined they are `raw`. */
  pieces?: string[]
  /** The parsed body or the parsed events, in order. `[DONE]` is no event; an empty body has none. */
  events: unknown[]
}

/** One file. */
export interface Recording {
  /** Folder and name, such as `openai/web-search.json`. */
  file: string
  provider: RecordingProvider
  /** In the order of the file, with uploads, deletions and empty answers: indices are the file's. */
  exchanges: Exchange[]
}

// To TypeScript this package is CommonJS, where `import.meta` does not exist.
const FOLDER = new URL('../../shared/fixtures/', pathToFileURL(__filename))

/** Whether the recordings are here. They are not part of the package, so a checkout may lack them. */
export const recordingsPresent = PROVIDERS.every((provider) =>
  existsSync(new URL(provider, FOLDER)),
)

let loaded: Recording[] | undefined

/** Every recording, by folder and name. An empty list when the folder is absent. */
export function recordings(): Recording[] {
  loaded ??= recordingsPresent ? PROVIDERS.flatMap(loadFolder) : []
  return loaded
}

/** The recording with this `file`; throws when there is none. */
export function recording(file: string): Recording {
  const found = recordings().find((candidate) => candidate.file === file)
  if (!found) throw new Error(`no recording ${file}`)
  return found
}

function loadFolder(provider: RecordingProvider): Recording[] {
  const folder = new URL(`${provider}/`, FOLDER)
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const text = decode(readFileSync(new URL(name, folder)))
      return { file: `${provider}/${name}`, provider, exchanges: readExchanges(name, text) }
    })
}

function readExchanges(name: string, text: string): Exchange[] {
  if (name.endsWith('.chunks.txt')) return [{ ...responseBody(text), kind: 'jsonl' }]
  if (name.endsWith('.sse.txt')) return [responseBody(text)]
  if (/\.ya?ml$/.test(name)) return loadAll(text, { schema: CASSETTE_SCHEMA }).flatMap(readCassette)
  return readSavedJson(text)
}

/** Ruby writes `!binary`, Python the standard `!!binary`; both mean base64. */
const CASSETTE_SCHEMA = CORE_SCHEMA.withTags(binaryTag, defineScalarTag('!binary', binaryTag))

/** One YAML document of any recorder. */
function readCassette(document: unknown): Exchange[] {
  // rig: one exchange per document.
  if (has(document, 'then')) {
    return [exchange(at(document, 'when', 'body'), at(document, 'then', 'body'))]
  }
  // LangChain's VCR: two lists side by side.
  if (has(document, 'responses')) {
    const requests = items(at(document, 'requests'))
    return items(at(document, 'responses')).map((response, index) =>
      exchange(at(requests[index], 'body'), at(response, 'body', 'string')),
    )
  }
  // VCR of Python and of Ruby.
  return items(at(document, 'interactions') ?? at(document, 'http_interactions')).map((each) => {
    const { request, response } = each as { request: unknown; response: unknown }
    const asked = at(request, 'parsed_body') ?? at(request, 'body', 'string') ?? at(request, 'body')
    return has(response, 'parsed_body')
      ? { ...asRequest(asked), ...rewritten(at(response, 'parsed_body')) }
      : exchange(asked, at(response, 'body', 'string'))
  })
}

/** A JSON file: a body as it is, or a recorder's wrapping around one or more bodies. */
function readSavedJson(text: string): Exchange[] {
  const saved: unknown = JSON.parse(text)
  // mastra: the pieces of each stream in a list.
  if (has(saved, 'recordings')) {
    return items(at(saved, 'recordings')).map((each) => {
      const pieces = items(at(each, 'response', 'chunks')).map(String)
      const body = responseBody(pieces.join(''))
      return { ...asRequest(at(each, 'request', 'body')), ...body, kind: 'chunks', pieces }
    })
  }
  // LangChain.js: what its HTTP client returned.
  const data = at(saved, 'response', 'data')
  return [data === undefined ? responseBody(text) : rewritten(data)]
}

function exchange(request: unknown, response: unknown): Exchange {
  return { ...asRequest(request), ...responseBody(textOf(response)) }
}

function asRequest(body: unknown): { request?: unknown } {
  const request = typeof body === 'string' || body instanceof Uint8Array ? textOf(body) : body
  if (request === undefined || request === '') return {}
  return { request: typeof request === 'string' ? (parsed(request) ?? request) : request }
}

/** A body nobody has touched. */
function responseBody(raw: string): Exchange {
  const document = parsed(raw)
  if (document !== undefined) return { kind: 'json', raw, exact: true, events: [document] }
  if (raw.trim() === '') return { kind: 'json', raw, exact: true, events: [] }
  const isSse = /^(data|event|id|retry)?:/m.test(raw)
  const events = isSse ? readSse(raw) : raw.split('\n').filter(Boolean).map(parseStrictly)
  return { kind: isSse ? 'sse' : 'jsonl', raw, exact: true, events }
}

/** A body of which only the parsed form was kept. */
function rewritten(document: unknown): Exchange {
  return { kind: 'json', raw: JSON.stringify(document), exact: false, events: [document] }
}

/** The events of a stream: the `data` lines of each frame, joined and parsed. */
function readSse(raw: string): unknown[] {
  const events: unknown[] = []
  let data: string[] = []
  // A blank line ends a frame; the added one ends a frame that was cut off.
  for (const line of [...raw.split(/\r\n|\r|\n/), '']) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''))
    if (line !== '') continue
    const event = data.join('\n')
    if (event !== '' && event !== '[DONE]') events.push(parseStrictly(event))
    data = []
  }
  return events
}

/** A recording that cannot be read must not count as an empty one. */
function parseStrictly(text: string): unknown {
  return JSON.parse(text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(body: unknown): string {
  if (body instanceof Uint8Array) return decode(body)
  if (typeof body === 'string') return body
  throw new TypeError(`neither text nor bytes: ${typeof body}`)
}

/** Strict, and a byte order mark stays: anything else would not be what the recording has. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (has(inner, key) ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  )
}

function has(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

function items(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new TypeError('a recording without its list of exchanges')
  return value
}
