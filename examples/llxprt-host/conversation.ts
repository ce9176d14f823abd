/** What the parts of the host say to each other: messages, requests to a model, events of a turn. */
import type { CitationPayload } from '@vybestack/llxprt-code-citations'

export interface ToolRequest {
  callId: string
  name: string
  args: Record<string, unknown>
}

/** A tool's result in LLxprt's shape; `sources` is what 0.9's `google_web_search` adds to it. */
export interface ToolResult {
  /** What the model reads. */
  llmContent: string
  /** What the user reads. */
  returnDisplay: string
  sources?: { web?: { uri?: string; title?: string } }[]
}

export type Message =
  | { speaker: 'human'; text: string }
  | { speaker: 'ai'; text: string; calls: ToolRequest[] }
  | { speaker: 'tool'; call: ToolRequest; output: string }

export interface ModelRequest {
  messages: Message[]
  tools: string[]
  /** Settings that are the model's business. */
  params: Record<string, unknown>
  /** Is told what was sent, where citations point into the request. */
  onSent?: (params: object) => void
}

/** One event of a provider's stream: as its SDK gave it, and what this host reads in it. */
export interface ModelEvent {
  raw: object
  text?: string
  calls?: ToolRequest[]
  /** Whether the provider says that this was all. */
  done?: boolean
}

export type Provider = (request: ModelRequest) => AsyncIterable<ModelEvent>

export type AgentEvent =
  | { type: 'content'; value: string }
  | { type: 'tool_result'; value: { name: string; display: string } }
  | { type: 'retry' }
  | { type: 'citation'; value: CitationPayload }
  | { type: 'finished'; value: 'stop' }
