/**
 * One prompt from question to answer: model calls, tool rounds, retries. Sources are collected on the way
 * and given out once, before the end.
 */
import type { CitationService } from '@vybestack/llxprt-code-citations'
import { PromptCitations } from './citations.js'
import type { AgentEvent, Message, Provider, ToolRequest } from './conversation.js'
import type { Tool } from './tools.js'

const MOST_ATTEMPTS = 3
const MOST_ROUNDS = 8

export interface TurnOptions {
  service: CitationService
  provider: Provider
  tools: Record<string, Tool>
  params: Record<string, unknown>
  /** The conversation so far, the question last. The answer is added to it. */
  messages: Message[]
}

export class Turn {
  readonly #options: TurnOptions
  readonly #citations: PromptCitations

  constructor(options: TurnOptions) {
    this.#options = options
    this.#citations = new PromptCitations(options.service)
  }

  async *run(): AsyncGenerator<AgentEvent> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { text, calls } = yield* this.#callModel()
      this.#options.messages.push({ speaker: 'ai', text, calls })
      if (calls.length === 0) break
      for (const call of calls) yield await this.#runTool(call)
    }
    const value = this.#citations.finish()
    if (value) yield { type: 'citation', value }
    yield { type: 'finished', value: 'stop' }
  }

  /** Asks until an answer is whole. A stream that breaks off is told to the interface as a retry. */
  async *#callModel(): AsyncGenerator<AgentEvent, { text: string; calls: ToolRequest[] }> {
    for (let attempt = 1; ; attempt++) {
      this.#citations.startCall()
      let [text, done] = ['', false]
      const calls: ToolRequest[] = []
      for await (const event of this.#stream()) {
        this.#citations.push(event.raw)
        if (event.text) {
          text += event.text
          yield { type: 'content', value: event.text }
        }
        calls.push(...(event.calls ?? []))
        done ||= event.done ?? false
      }
      if (done || attempt === MOST_ATTEMPTS) return { text, calls }
      this.#citations.abandonCall()
      yield { type: 'retry' }
    }
  }

  #stream() {
    const { provider, messages, tools, params } = this.#options
    const onSent = (sent: object) => this.#citations.setRequest(sent)
    return provider({ messages, tools: Object.keys(tools), params, onSent })
  }

  async #runTool(call: ToolRequest): Promise<AgentEvent> {
    const { tools, messages } = this.#options
    const result = (await tools[call.name]?.(call.args)) ?? {
      llmContent: `Error: no tool is called ${call.name}`,
      returnDisplay: `No tool is called ${call.name}`,
    }
    // Before anything is cut for the history: half a record is none.
    this.#citations.addToolResult({ ...call, output: result })
    messages.push({ speaker: 'tool', call, output: shortened(result.llmContent) })
    return { type: 'tool_result', value: { name: call.name, display: result.returnDisplay } }
  }
}

const MOST_OUTPUT = 50_000

function shortened(output: string): string {
  if (output.length <= MOST_OUTPUT) return output
  return `${output.slice(0, MOST_OUTPUT)}\n\n[Output truncated]`
}
