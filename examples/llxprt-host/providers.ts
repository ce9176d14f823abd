/**
 * The official SDKs as providers of this host: a conversation goes in, the events of the stream come out,
 * each with what the host reads in it. Citations are nobody's business here; the raw event is handed on.
 */
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, type Part } from '@google/genai'
import OpenAI from 'openai'
import type { Message, ModelEvent, ModelRequest, Provider, ToolRequest } from './conversation.js'

const SCHEMA = { type: 'object', properties: { query: { type: 'string' } } } as const
const describe = (name: string) => ({ name, description: name.replaceAll('_', ' ') })

export interface Clients {
  google: GoogleGenAI
  openai: OpenAI
  anthropic: Anthropic
}

/** Clients that talk to this address and to nothing else. */
export function clientsOf(origin: string): Clients {
  return {
    google: new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: origin } }),
    openai: new OpenAI({ apiKey: 'none', baseURL: `${origin}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey: 'none', baseURL: origin, maxRetries: 0 }),
  }
}

/** A provider by name or alias. Documents go along with the question, to Anthropic only. */
export function providerOf(
  name: string,
  clients: Clients,
  documents: Anthropic.DocumentBlockParam[],
): Provider {
  switch (name) {
    case 'gemini':
      return gemini(clients.google)
    case 'openai-responses':
    case 'codex':
      return responses(clients.openai)
    case 'anthropic':
    case 'claudecode':
    case 'zai':
      return messages(clients.anthropic, documents)
    default:
      return completions(clients.openai)
  }
}

function gemini(google: GoogleGenAI): Provider {
  return async function* (request) {
    const functionDeclarations = request.tools.map(describe)
    const stream = await google.models.generateContentStream({
      model: 'gemini-2.5-pro',
      contents: request.messages.map(geminiContent),
      config: { ...request.params, tools: [{ functionDeclarations }] },
    })
    for await (const raw of stream) {
      const [candidate] = raw.candidates ?? []
      // Not `raw.text`: that getter warns on the console when there are other parts.
      const parts = candidate?.content?.parts ?? []
      yield {
        raw,
        text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
        calls: parts.flatMap(({ functionCall }) =>
          functionCall?.name
            ? [toolRequest(functionCall.id, functionCall.name, functionCall.args)]
            : [],
        ),
        done: candidate?.finishReason !== undefined,
      }
    }
  }
}

function geminiContent(message: Message): Content {
  if (message.speaker === 'human') return { role: 'user', parts: [{ text: message.text }] }
  if (message.speaker === 'tool') {
    const { callId: id, name } = message.call
    const functionResponse = { id, name, response: { output: message.output } }
    return { role: 'user', parts: [{ functionResponse }] }
  }
  const calls: Part[] = message.calls.map(({ callId: id, name, args }) => ({
    functionCall: { id, name, args },
  }))
  return { role: 'model', parts: message.text ? [{ text: message.text }, ...calls] : calls }
}

function responses(openai: OpenAI): Provider {
  return async function* (request) {
    const stream = await openai.responses.create({
      ...request.params,
      model: 'gpt-5-mini',
      input: request.messages.flatMap(responsesItems),
      tools: request.tools.map((name) => ({
        type: 'function' as const,
        ...describe(name),
        parameters: SCHEMA,
        strict: false,
      })),
      stream: true,
    })
    for await (const raw of stream) {
      const event: ModelEvent = { raw, done: raw.type === 'response.completed' }
      if (raw.type === 'response.output_text.delta') event.text = raw.delta
      if (raw.type === 'response.output_item.done' && raw.item.type === 'function_call') {
        event.calls = [toolRequest(raw.item.call_id, raw.item.name, raw.item.arguments)]
      }
      yield event
    }
  }
}

function responsesItems(message: Message): OpenAI.Responses.ResponseInputItem[] {
  if (message.speaker === 'human') return [{ role: 'user', content: message.text }]
  if (message.speaker === 'tool') {
    const { callId: call_id } = message.call
    return [{ type: 'function_call_output', call_id, output: message.output }]
  }
  return [
    { role: 'assistant', content: message.text },
    ...message.calls.map(({ callId: call_id, name, args }) => ({
      type: 'function_call' as const,
      call_id,
      name,
      arguments: JSON.stringify(args),
    })),
  ]
}

/** Chat Completions, without tools: the provider that has nothing to cite. */
function completions(openai: OpenAI): Provider {
  return async function* (request) {
    const stream = await openai.chat.completions.create({
      ...request.params,
      model: 'any-model',
      messages: request.messages.map((message) =>
        message.speaker === 'human'
          ? { role: 'user', content: message.text }
          : { role: 'assistant', content: message.speaker === 'ai' ? message.text : '' },
      ),
      stream: true,
    })
    for await (const raw of stream) {
      const [choice] = raw.choices
      yield { raw, text: choice?.delta.content ?? '', done: Boolean(choice?.finish_reason) }
    }
  }
}

function messages(anthropic: Anthropic, documents: Anthropic.DocumentBlockParam[]): Provider {
  return async function* (request) {
    const params = anthropicParams(request, documents)
    request.onSent?.(params)
    const pending = new Map<number, { id: string; name: string; json: string }>()
    for await (const raw of await anthropic.messages.create({ ...params, stream: true })) {
      const event: ModelEvent = { raw, done: raw.type === 'message_stop' }
      if (raw.type === 'content_block_start' && raw.content_block.type === 'tool_use') {
        pending.set(raw.index, { ...raw.content_block, json: '' })
      } else if (raw.type === 'content_block_delta') {
        const call = pending.get(raw.index)
        if (raw.delta.type === 'text_delta') event.text = raw.delta.text
        if (raw.delta.type === 'input_json_delta' && call) call.json += raw.delta.partial_json
      } else if (raw.type === 'content_block_stop') {
        const call = pending.get(raw.index)
        if (call) event.calls = [toolRequest(call.id, call.name, call.json)]
      }
      yield event
    }
  }
}

function anthropicParams(
  request: ModelRequest,
  documents: Anthropic.DocumentBlockParam[],
): Anthropic.MessageCreateParamsNonStreaming {
  const sent = request.messages.map(anthropicMessage)
  const [question] = sent
  if (question) question.content.unshift(...documents)
  return {
    ...request.params,
    model: 'claude-opus-4-6',
    max_tokens: 1024,
    messages: sent,
    tools: request.tools.map((name) => ({ ...describe(name), input_schema: SCHEMA })),
  }
}

function anthropicMessage(message: Message) {
  const content: Anthropic.ContentBlockParam[] = []
  if (message.speaker === 'tool') {
    const { callId: tool_use_id } = message.call
    content.push({ type: 'tool_result', tool_use_id, content: message.output })
    return { role: 'user' as const, content }
  }
  if (message.text) content.push({ type: 'text', text: message.text })
  if (message.speaker === 'human') return { role: 'user' as const, content }
  for (const { callId: id, name, args: input } of message.calls) {
    content.push({ type: 'tool_use', id, name, input })
  }
  return { role: 'assistant' as const, content }
}

function toolRequest(id: string | undefined, name: string, args: unknown): ToolRequest {
  const parsed = typeof args === 'string' ? JSON.parse(args || '{}') : args
  return { callId: id ?? name, name, args: parsed ?? {} }
}
