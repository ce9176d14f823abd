/** Three of LLxprt's tools, with results in its words. The network they ask is the replayed one. */
import type { GoogleGenAI } from '@google/genai'
import type { ToolResult } from './conversation.js'

export type Tool = (args: Record<string, unknown>) => Promise<ToolResult>

export type Release = '0.9' | '0.11'

/** The tools of a release: `google_web_search` is gone in 0.11. */
export function toolsOf(
  release: Release,
  google: GoogleGenAI,
  origin: string,
): Record<string, Tool> {
  const tools: Record<string, Tool> = {
    exa_web_search: ({ query }) => exaWebSearch(origin, String(query)),
    direct_web_fetch: ({ url, format }) => directWebFetch(origin, String(url), String(format)),
  }
  if (release === '0.9') {
    tools.google_web_search = ({ query }) => googleWebSearch(google, String(query))
  }
  return tools
}

/** Asks Gemini, and lists what it was grounded in below the text, with LLxprt's stand-ins. */
async function googleWebSearch(google: GoogleGenAI, query: string): Promise<ToolResult> {
  const response = await google.models.generateContent({
    model: 'gemini-2.5-flash',
    contents: query,
    config: { tools: [{ googleSearch: {} }] },
  })
  const [candidate] = response.candidates ?? []
  const text = candidate?.content?.parts?.map((part) => part.text ?? '').join('') ?? ''
  const sources = candidate?.groundingMetadata?.groundingChunks
  const found = `Web search results for "${query}":\n\n${text}`
  const returnDisplay = `Search results for "${query}" returned.`
  if (!sources?.length) return { llmContent: found, returnDisplay }
  const list = sources.map(
    ({ web }, index) => `[${index + 1}] ${web?.title || 'Untitled'} (${web?.uri || 'No URI'})`,
  )
  return { llmContent: `${found}\n\nSources:\n${list.join('\n')}`, returnDisplay, sources }
}

/** Exa's MCP server answers with one server-sent event that holds a `CallToolResult`. */
async function exaWebSearch(origin: string, query: string): Promise<ToolResult> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ method: 'tools/call', params: { name: 'web_search_exa', query } }),
  })
  const data = (await response.text()).split('\n').find((line) => line.startsWith('data: '))
  const text: string = JSON.parse(data?.slice('data: '.length) ?? '{}').result?.content[0].text
  return { llmContent: text, returnDisplay: text }
}

/** The address and the title of the page are not in what the model reads. */
async function directWebFetch(origin: string, url: string, format: string): Promise<ToolResult> {
  const page = await fetch(`${origin}/page?url=${encodeURIComponent(url)}`)
  return { llmContent: await page.text(), returnDisplay: `Fetched ${url} as ${format}` }
}
