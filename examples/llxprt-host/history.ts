/** What is on the screen, and how the events of a turn get there. */
import { type CitationPayload, renderCitationBlock } from '@vybestack/llxprt-code-citations'
import type { AgentEvent } from './conversation.js'

export type HistoryItem =
  | { type: 'user' | 'ai' | 'tool' | 'info'; text: string }
  | { type: 'citations'; payload: CitationPayload }

/**
 * `info`: an INFO item, as LLxprt shows citations today; its renderer reads Markdown and addresses, and
 * breaks hyperlinks, so it gets plain text. `raw`: an item of its own that draws hyperlinks.
 */
export type CitationStyle = 'info' | 'raw'

export interface Snapshot {
  readonly items: readonly HistoryItem[]
  /** The answer so far. */
  readonly pending: string
}

export class History {
  #snapshot: Snapshot = { items: [], pending: '' }
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = () => this.#snapshot

  add(item: HistoryItem): void {
    this.#change({ ...this.#snapshot, items: [...this.#snapshot.items, item] })
  }

  setPending(pending: string): void {
    this.#change({ ...this.#snapshot, pending })
  }

  /** The answer is sure now: it becomes an item. */
  flush(): void {
    const { items, pending } = this.#snapshot
    if (pending === '') return
    this.#change({ items: [...items, { type: 'ai', text: pending }], pending: '' })
  }

  #change(snapshot: Snapshot): void {
    this.#snapshot = snapshot
    for (const listener of this.#listeners) listener()
  }
}

/** LLxprt's stream hook without React: `useGeminiStream` in 0.9, `useStreamEventHandlers` in 0.11. */
export class StreamHandler {
  readonly #history: History
  readonly #wanted: () => boolean
  readonly #style: CitationStyle

  constructor(history: History, wanted: () => boolean, style: CitationStyle) {
    this.#history = history
    this.#wanted = wanted
    this.#style = style
  }

  handle(event: AgentEvent): void {
    switch (event.type) {
      case 'content':
        this.#history.setPending(this.#history.snapshot().pending + event.value)
        break
      case 'retry':
        this.#history.setPending('')
        break
      case 'tool_result':
        this.#history.flush()
        this.#history.add({
          type: 'tool',
          text: `${event.value.name}: ${firstLine(event.value.display)}`,
        })
        break
      case 'citation':
        this.#showCitations(event.value)
        break
      case 'finished':
        this.#history.flush()
    }
  }

  /** The setting is asked each time: the user may have changed it while the model was talking. */
  #showCitations(payload: CitationPayload): void {
    if (!this.#wanted()) return
    this.#history.flush()
    if (this.#style === 'raw') this.#history.add({ type: 'citations', payload })
    else this.#history.add({ type: 'info', text: renderCitationBlock(payload, { links: 'plain' }) })
  }
}

function firstLine(text: string): string {
  const [first = '', ...more] = text.split('\n')
  return more.length > 0 ? `${first} …` : first
}
