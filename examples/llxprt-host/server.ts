/** The network of this host: a server on a free loopback port that answers with what it was told to. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const HOST = '127.0.0.1'

/** A stream of events, a JSON document or text. */
export type Reply = { events: readonly object[] } | { json: object } | { text: string }

export class ReplayServer {
  readonly #server: Server
  readonly #replies: Reply[] = []
  /** What came in: `POST /path`, and the body. */
  readonly requests: { path: string; body: string }[] = []

  constructor() {
    this.#server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece)
      const body = Buffer.concat(pieces).toString()
      this.requests.push({ path: `${request.method} ${request.url}`, body })
      const reply = this.#replies.shift()
      response.writeHead(reply ? 200 : 501, { 'content-type': typeOf(reply) })
      response.end(reply ? bodyOf(reply) : '{"error":{"message":"no reply is left"}}')
    })
  }

  /** What the next requests are answered with, one each. */
  reply(...replies: Reply[]): void {
    this.#replies.push(...replies)
  }

  /** How many replies nobody has asked for yet. */
  get left(): number {
    return this.#replies.length
  }

  get origin(): string {
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}`
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, HOST, resolve))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function typeOf(reply: Reply | undefined): string {
  if (reply && 'events' in reply) return 'text/event-stream'
  return reply && 'text' in reply ? 'text/plain; charset=utf-8' : 'application/json'
}

function bodyOf(reply: Reply): string {
  if ('text' in reply) return reply.text
  return 'json' in reply ? JSON.stringify(reply.json) : reply.events.map(sent).join('')
}

/** OpenAI and Anthropic name their events. */
function sent(event: object & { type?: unknown }): string {
  const name = typeof event.type === 'string' ? `event: ${event.type}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}
