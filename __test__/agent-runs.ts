/** Short ways to write what tools return and what sub-agents hand over. */
import { CitationService, type CitationTurn, type ToolCall, type TurnPayload } from '../index.js'

/** A page as a search finds it. */
export type Page = readonly [url: string, title: string]

/** The result of a search, as `web_search` returns it. */
export function searched(callId: string | undefined, ...pages: Page[]): ToolCall {
  const results = pages.map(([link, title]) => ({ title, link }))
  return { name: 'web_search', ...(callId && { callId }), output: { results } }
}

/** A search that LLxprt made with Google: it lists its sources in its own text. */
export function googled(callId: string, query: string, ...pages: Page[]): ToolCall {
  const listed = pages.map(([uri, title], at) => `[${at + 1}] ${title} (${uri})`)
  const text = `Web search results for "${query}":\n\nWhat was found[1].\n\nSources:\n${listed.join('\n')}`
  const sources = pages.map(([uri, title]) => ({ web: { uri, title } }))
  const output = { llmContent: text, returnDisplay: `Search results for "${query}".`, sources }
  return { name: 'google_web_search', callId, args: { query }, output }
}

/** What a search of Exa returns for these pages. */
export function exaText(...pages: [url: string, title: string, words: string][]): string {
  const record = ([url, title, words]: [string, string, string]) =>
    `Title: ${title}\nURL: ${url}\nPublished: N/A\nAuthor: N/A\nHighlights:\n${words}`
  return pages.map(record).join('\n\n---\n\n')
}

export function startTurn(): CitationTurn {
  return new CitationService().startTurn()
}

/** What an agent hands over that has taken these results. */
export function agent(...calls: ToolCall[]): TurnPayload {
  const turn = startTurn()
  for (const call of calls) turn.addToolResult(call)
  return turn.finish()
}

/** Each source as its address and the agent that found it. */
export function credits({ sources }: TurnPayload): [string | undefined, string | undefined][] {
  return sources.map(({ url, agentId }) => [url, agentId])
}
