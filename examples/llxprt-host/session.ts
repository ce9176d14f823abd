/** A run of the program: settings, the provider in use, the conversation, and what is on the screen. */
import type Anthropic from '@anthropic-ai/sdk'
import { CitationService, resolveCitationsEnabled } from '@vybestack/llxprt-code-citations'
import type { AgentEvent, Message } from './conversation.js'
import { type CitationStyle, History, StreamHandler } from './history.js'
import { type Clients, clientsOf, providerOf } from './providers.js'
import { modelParams, runCommand } from './registry.js'
import { Config, LoadedSettings, type SettingsFile, streamRuntime } from './settings.js'
import { type Release, toolsOf } from './tools.js'
import { Turn } from './turn.js'

export interface SessionOptions {
  release: Release
  /** Where the providers are. */
  origin: string
  /** The user's settings file. */
  file?: SettingsFile
  /** Documents that go with the first question, to Anthropic; LLxprt sends none yet. */
  documents?: Anthropic.DocumentBlockParam[]
  /** How citations are drawn. */
  style?: CitationStyle
}

export class Session {
  readonly config = new Config()
  readonly settings: LoadedSettings
  readonly history = new History()
  readonly #options: SessionOptions
  readonly #clients: Clients
  readonly #handler: StreamHandler
  readonly #messages: Message[] = []
  /** Shared by all turns. Anthropic's citations sleep until there are documents to cite. */
  readonly #service: CitationService

  constructor(options: SessionOptions) {
    this.#options = options
    this.#clients = clientsOf(options.origin)
    this.#service = new CitationService({ documents: Boolean(options.documents?.length) })
    this.settings = new LoadedSettings(options.file)
    // 0.9's interface has the Config itself, that of 0.11 a runtime around it: both are understood.
    const runtime = options.release === '0.9' ? this.config : streamRuntime(this.config)
    this.#handler = new StreamHandler(
      this.history,
      () => resolveCitationsEnabled(runtime, this.settings),
      options.style ?? 'info',
    )
  }

  /** Takes a line of the user: a slash command or a question. Answers the events of the turn. */
  async enter(line: string): Promise<AgentEvent[]> {
    this.history.add({ type: 'user', text: line })
    if (!line.startsWith('/')) return this.#ask(line)
    this.history.add({ type: 'info', text: runCommand(this.config, line) })
    return []
  }

  async #ask(text: string): Promise<AgentEvent[]> {
    const { release, origin, documents = [] } = this.#options
    this.#messages.push({ speaker: 'human', text })
    const turn = new Turn({
      service: this.#service,
      provider: providerOf(this.config.provider, this.#clients, documents),
      tools: toolsOf(release, this.#clients.google, origin),
      params: modelParams(this.config),
      messages: this.#messages,
    })
    const events: AgentEvent[] = []
    for await (const event of turn.run()) {
      events.push(event)
      this.#handler.handle(event)
    }
    return events
  }
}
