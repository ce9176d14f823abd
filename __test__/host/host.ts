/**
 * A small host in the likeness of LLxprt Code, so that the specs see the package from where it is
 * used: settings with LLxprt's receivers and getters, `/set` and `/provider`, a turn that streams
 * events, and an interface that prints them. Nothing of the package is replaced.
 */
import { EventEmitter } from 'node:events'
import {
  type CitationPayload,
  type CitationSource,
  dedupeCitations,
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  parseCitationsSetting,
  renderCitationBlock,
  resolveCitationsEnabled,
} from '../../index.js'

type Json = Record<string, unknown>

/** Dotted keys walk nested objects, as in LLxprt. State is private, so `get` needs its `this`. */
export class SettingsService extends EventEmitter {
  readonly #global: Json = {}

  get(key: string): unknown {
    let held: unknown = this.#global
    for (const part of key.split('.')) {
      if (typeof held !== 'object' || held === null) return undefined
      held = (held as Json)[part]
    }
    return held
  }

  set(key: string, value: unknown): void {
    const parts = key.split('.')
    const last = parts.pop()!
    let holder = this.#global
    for (const part of parts) {
      holder[part] ??= {}
      holder = holder[part] as Json
    }
    holder[last] = value
    this.emit('settings-changed', { key, value })
  }
}

/** LLxprt 0.11 has these methods on a base class, two prototypes away from the instance. */
class ConfigBase {
  readonly #service: SettingsService

  constructor(service = new SettingsService()) {
    this.#service = service
  }

  getEphemeralSetting(key: string): unknown {
    return this.#service.get(key)
  }

  setEphemeralSetting(key: string, value: unknown): void {
    this.#service.set(key, value)
  }

  getSettingsService(): SettingsService {
    return this.#service
  }
}

export class Config extends ConfigBase {
  provider = 'gemini'
}

/** What LLxprt 0.11's interface has in place of a `Config`: closures, one level down. */
export function streamRuntime(config: Config) {
  return {
    ephemeral: { getEphemeralSetting: (key: string) => config.getEphemeralSetting(key) },
    settings: { getSettingsService: () => config.getSettingsService() },
    agentClientSource: {},
  }
}

/** What a user's `settings.json` may hold; nothing validates it. */
export interface SettingsFile {
  ui?: { showCitations?: unknown }
}

/** `merged` is a getter of the class; the schema's default is always spread in. */
export class LoadedSettings {
  #file: SettingsFile

  constructor(file: SettingsFile = {}) {
    this.#file = file
  }

  get merged(): { ui: { showCitations: unknown } } {
    return { ui: { showCitations: false, ...this.#file.ui } }
  }

  setShowCitations(value: unknown): void {
    this.#file = { ...this.#file, ui: { ...this.#file.ui, showCitations: value } }
  }
}

export interface GeminiResponse {
  candidates: { content?: { parts: { text?: string }[] }; groundingMetadata?: unknown }[]
}
export interface ResponsesResponse {
  output: { type: string; content?: { type: string; text: string; annotations: unknown[] }[] }[]
}
export interface ChatCompletion {
  choices: { message: { role: 'assistant'; content: string } }[]
}
export interface AnthropicMessage {
  content: { type: 'text'; text: string; citations?: unknown[] | null }[]
}
export type ProviderResponse =
  | GeminiResponse
  | ResponsesResponse
  | ChatCompletion
  | AnthropicMessage

/** How a provider's responses are read. Which extractor runs hangs on the API, never on a flag. */
interface Api {
  text(response: ProviderResponse): string
  citations(response: ProviderResponse): CitationSource[]
}

const joined = (parts: { text?: string }[] = []) => parts.map(({ text }) => text ?? '').join('')

const gemini: Api = {
  text: (response) => joined((response as GeminiResponse).candidates[0]?.content?.parts),
  citations: extractGeminiCitations,
}
const responses: Api = {
  text: (response) =>
    (response as ResponsesResponse).output.map(({ content }) => joined(content)).join(''),
  citations: extractOpenAIResponsesCitations,
}
const chat: Api = {
  text: (response) => (response as ChatCompletion).choices[0]?.message.content ?? '',
  citations: () => [],
}
const anthropic = (documents: boolean): Api => ({
  text: (response) => joined((response as AnthropicMessage).content),
  citations: (response) => extractAnthropicCitations(response, { documents }),
})

function apiOf(provider: string, documents: boolean): Api {
  switch (provider) {
    case 'gemini':
      return gemini
    case 'anthropic':
    case 'claudecode':
    case 'zai':
      return anthropic(documents)
    case 'openai-responses':
    case 'codex':
      return responses
    default:
      return chat
  }
}

/** What LLxprt 0.9's `google_web_search` gives back. */
export interface WebSearchToolResult {
  llmContent: string
  sources?: { web?: { uri?: string; title?: string } }[]
}

/** The search tool: inline markers and a list of its own, with LLxprt's stand-ins. */
export function googleWebSearch(
  query: string,
  answer: string,
  sources?: WebSearchToolResult['sources'],
): WebSearchToolResult {
  const found = `Web search results for "${query}":\n\n${answer}`
  if (!sources) return { llmContent: found }
  const list = sources.map(
    ({ web }, index) => `[${index + 1}] ${web?.title || 'Untitled'} (${web?.uri || 'No URI'})`,
  )
  return { llmContent: `${found}\n\nSources:\n${list.join('\n')}`, sources }
}

/** What reaches a turn: chunks of the response, results of tools, and orders to start over. */
export type StreamItem =
  | { kind: 'chunk'; response: ProviderResponse }
  | { kind: 'tool'; result: WebSearchToolResult }
  | { kind: 'retry' }

export type TurnEvent =
  | { type: 'content'; value: string }
  | { type: 'tool_result'; value: string }
  | { type: 'retry' }
  | { type: 'citation'; value: CitationPayload }
  | { type: 'finished'; value: 'stop' }

/** One turn. Sources are collected over all chunks and given out once, before the end. */
export class Turn {
  #sources: CitationSource[] = []
  readonly #listedByTools: WebSearchToolResult[] = []
  readonly #api: Api

  constructor(provider: string, documents = false) {
    this.#api = apiOf(provider, documents)
  }

  async *run(stream: Iterable<StreamItem> | AsyncIterable<StreamItem>): AsyncGenerator<TurnEvent> {
    for await (const item of stream) {
      switch (item.kind) {
        case 'retry':
          // The abandoned attempt takes its sources along. What tools printed stays printed.
          this.#sources = []
          yield { type: 'retry' }
          break
        case 'tool':
          this.#listedByTools.push(item.result)
          yield { type: 'tool_result', value: item.result.llmContent }
          break
        case 'chunk': {
          const text = this.#api.text(item.response)
          if (text !== '') yield { type: 'content', value: text }
          this.#sources.push(...this.#api.citations(item.response))
        }
      }
    }
    const sources = dedupeCitations(this.#sources, this.#listedByTools)
    if (sources.length > 0) yield { type: 'citation', value: { text: '', sources } }
    yield { type: 'finished', value: 'stop' }
  }
}

/** The interface: holds the answer back until it is sure, then prints it and its sources. */
class Ui {
  #pending = ''
  readonly #wanted: () => boolean
  readonly #write: (text: string) => void

  constructor(wanted: () => boolean, write: (text: string) => void) {
    this.#wanted = wanted
    this.#write = write
  }

  show(event: TurnEvent): void {
    switch (event.type) {
      case 'content':
        this.#pending += event.value
        break
      case 'tool_result':
        this.#write(`${event.value}\n\n`)
        break
      case 'retry':
        this.#pending = ''
        break
      case 'citation':
        this.#flush()
        if (this.#wanted()) {
          this.#write(`\n${renderCitationBlock(event.value, { links: 'plain' })}\n`)
        }
        break
      case 'finished':
        this.#flush()
    }
  }

  #flush(): void {
    if (this.#pending !== '') this.#write(`${this.#pending}\n`)
    this.#pending = ''
  }
}

export type Release = '0.9' | '0.11'

export interface SessionOptions {
  release: Release
  /** The user's settings file. */
  file?: SettingsFile
  /** Whether the host sends documents, which wakes Anthropic's citations. */
  documents?: boolean
  write: (text: string) => void
}

/** Survives a switch of provider; LLxprt clears every other session setting. */
const PRESERVED = new Set(['context-limit', 'max_tokens', 'streaming', 'citations'])

/** A run of the program: settings, the provider in use, and the screen. */
export class Session {
  readonly config = new Config()
  readonly settings: LoadedSettings
  readonly #options: SessionOptions
  readonly #ui: Ui
  readonly #touched = new Set<string>()

  constructor(options: SessionOptions) {
    this.#options = options
    this.settings = new LoadedSettings(options.file)
    this.config.getSettingsService().on('settings-changed', ({ key }: { key: string }) => {
      this.#touched.add(key)
    })
    const runtime = options.release === '0.9' ? this.config : streamRuntime(this.config)
    this.#ui = new Ui(() => resolveCitationsEnabled(runtime, this.settings), options.write)
  }

  /** Runs a slash command and answers what it prints. */
  command(line: string): string {
    const [name, key = '', ...rest] = line.split(' ')
    if (name === '/provider') return this.#switchProvider(key)
    if (line === '/set unset citations') {
      this.config.setEphemeralSetting('citations', undefined)
      return "Ephemeral setting 'citations' cleared"
    }
    if (name !== '/set' || key !== 'citations') return `Unknown command: ${line}`
    const parsed = parseCitationsSetting(rest.join(' '))
    if (parsed.error !== undefined) return parsed.error
    this.config.setEphemeralSetting('citations', parsed.value)
    return parsed.message
  }

  /** Runs one turn with the provider in use and prints it. Answers its events. */
  async prompt(...stream: StreamItem[]): Promise<TurnEvent[]> {
    const turn = new Turn(this.config.provider, this.#options.documents)
    const events: TurnEvent[] = []
    for await (const event of turn.run(stream)) {
      events.push(event)
      this.#ui.show(event)
    }
    return events
  }

  #switchProvider(name: string): string {
    for (const key of this.#touched) {
      if (!PRESERVED.has(key)) this.config.setEphemeralSetting(key, undefined)
    }
    this.config.provider = name
    return `Switched to provider: ${name}`
  }
}
