/** What tools return: searches as text and as data, pages, files. */
import { answer } from './answers.mjs'

/** @param {number} n */
function exa(n) {
  const { pages, sentences } = answer(n, n)
  const records = pages.map(
    ({ url, title }, at) =>
      `Title: ${title}\nURL: ${url}\nPublished: 2026-0${1 + (at % 9)}-14T00:00:00.000Z\nAuthor: ${at % 2 ? 'N/A' : 'A. Bridge'}\n` +
      `Highlights:\n${sentences.join('\n[...]\n').repeat(1 + (at % 5))}`,
  )
  return {
    name: 'exa_web_search',
    args: { query: 'bridge', numResults: pages.length },
    callId: `exa-${n}`,
    output: records.join('\n\n---\n\n'),
  }
}

/** @param {number} n */
function web(n) {
  const results = answer(n, n).pages.map(({ url, title, words }) => ({
    title,
    link: url,
    snippet: words,
  }))
  return { name: 'web_search', args: { query: 'bridge' }, callId: `web-${n}`, output: { results } }
}

/** @param {number} n */
function mcp(n) {
  const content = answer(n, n).pages.map(({ url, title }) => ({
    type: 'resource_link',
    uri: url,
    name: title,
  }))
  return { name: 'mcp__port__find', args: {}, callId: `mcp-${n}`, output: { content } }
}

/** @param {number} n */
function fetched(n) {
  const { pages, sentences } = answer(n, n)
  return {
    name: 'direct_web_fetch',
    args: { url: pages[0]?.url },
    callId: `fetch-${n}`,
    output: {
      llmContent: `# ${pages[0]?.title}\n\n${sentences.join('\n\n').repeat(8)}`,
      returnDisplay: 'Fetched',
    },
  }
}

/** By how many pages they found. */
export const calls = [2, 5, 8, 13, 20].flatMap((n) => [exa(n), web(n), mcp(n), fetched(n)])
