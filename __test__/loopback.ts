/**
 * A provider on this machine: a server on a free loopback port that answers every request with the
 * body it was given, in pieces as a network would, and a `fetch` that reaches nothing else and keeps
 * what it received. For SDKs that must be used as they are.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { utf8 } from './stream-bodies.js'

const HOST = '127.0.0.1'

/** Sizes of the pieces of a body, over and over: single bytes, odd lengths, many events at once. */
export const PIECES = {
  'small pieces': [1, 2, 5, 300, 17, 64],
  'one piece': [Number.POSITIVE_INFINITY],
}

export type Cutting = keyof typeof PIECES

export class Loopback {
  readonly #server: Server
  readonly #connected = (message: unknown) => {
    const { connectParams } = message as { connectParams: { hostname: string } }
    this.hosts.add(connectParams.hostname)
  }
  #body = ''
  #type = ''
  #cutting: Cutting = 'one piece'
  #received: Promise<Uint8Array[]> = Promise.resolve([])
  /** Every host that was connected to while this server ran: itself, or something went astray. */
  readonly hosts = new Set<string>()
  /** The requests that came in, as `POST /path`. */
  readonly requests: string[] = []
  readonly #fetch = globalThis.fetch

  constructor() {
    this.#server = createServer(async (request, response) => {
      this.requests.push(`${request.method} ${request.url}`)
      request.resume()
      response.writeHead(200, { 'content-type': this.#type })
      const bytes = utf8(this.#body)
      const sizes = PIECES[this.#cutting]
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length]!
        response.write(bytes.subarray(at, at + size))
        at += size
        await setImmediate()
      }
      response.end()
    })
  }

  async start(): Promise<void> {
    subscribe('undici:client:connected', this.#connected)
    await new Promise<void>((resolve) => this.#server.listen(0, HOST, resolve))
  }

  async stop(): Promise<void> {
    unsubscribe('undici:client:connected', this.#connected)
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get origin(): string {
    return `http://${HOST}:${(this.#server.address() as AddressInfo).port}`
  }

  /** What the next requests are answered with. */
  answer(body: string, type: 'application/json' | 'text/event-stream', cutting: Cutting): void {
    this.#body = body
    this.#type = type
    this.#cutting = cutting
  }

  /** The pieces in which the last answer came out of the network. */
  received(): Promise<Uint8Array[]> {
    return this.#received
  }

  /** To stand in for the global one: goes nowhere but here, and keeps a copy of what comes back. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : String(input))
    if (!href.startsWith(`${this.origin}/`)) throw new Error(`a request to ${href}`)
    const response = await this.#fetch(input, init)
    this.#received = collect(response.clone())
    return response
  }
}

async function collect(response: Response): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  return pieces
}
