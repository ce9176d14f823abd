/**
 * The package at work: everything one prompt cites, over all model calls, tool rounds and retries. The
 * rest of the host only hands things over and shows what comes out.
 */
import type {
  CitationService,
  CitationTurn,
  ToolCall,
  TurnPayload,
} from '@vybestack/llxprt-code-citations'

export class PromptCitations {
  readonly #service: CitationService
  #turn: CitationTurn
  #beforeCall = ''

  constructor(service: CitationService) {
    this.#service = service
    this.#turn = service.startTurn()
  }

  /** Remembers where things stand before a model call, for the case that it fails. */
  startCall(): void {
    this.#beforeCall = this.#turn.serialize()
  }

  /** Forgets what a failed call said. What tools and earlier calls brought stays, with its numbers. */
  abandonCall(): void {
    this.#turn = this.#service.restoreTurn(this.#beforeCall)
  }

  /** Takes what was sent, for citations that point into its documents. */
  setRequest(params: object): void {
    this.#turn.setRequest(params)
  }

  /** Takes an event as the SDK gave it. Which provider it is of is found out by its shape. */
  push(raw: object): void {
    this.#turn.push(raw)
  }

  /** Takes a tool's result, whole. */
  addToolResult(call: ToolCall): void {
    this.#turn.addToolResult(call)
  }

  /** What there is to show, if anything. Sources a tool has listed itself do not count. */
  finish(): TurnPayload | undefined {
    const payload = this.#turn.finish()
    return payload.sources.some(({ shownInline }) => !shownInline) ? payload : undefined
  }
}
