/** One answer per provider, and one with tools, from the examples that lie beside the sources. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { detectHyperlinks } from '../../load.js'
import { Reader } from './reader.mjs'
import { block, written } from './writer.mjs'

const EXAMPLES = [
  ['Gemini with Google Search', 'gemini-search.json'],
  ['OpenAI Responses with web search', 'openai-web-search.json'],
  ['Anthropic with a document', 'anthropic-document.json'],
  ['An agent with tools of its own', 'tool-run.json'],
]

/**
 * The examples; none where only the package is installed.
 *
 * @returns {import('./files.mjs').Input[]}
 */
export const examples = () =>
  EXAMPLES.map(([name, file]) => ({
    name: /** @type {string} */ (name),
    path: fileURLToPath(new URL(`../../examples/${file}`, import.meta.url)),
  })).filter(({ path }) => existsSync(path))

/**
 * @param {import('./files.mjs').Input[]} inputs
 * @param {import('./writer.mjs').Look} look
 */
export function gallery(inputs, look) {
  const { env, platform, stdout } = process
  const reader = new Reader()
  for (const { name, path } of inputs) {
    const payload = reader.read(readFileSync(path))
    const plain = written(payload, { ...look, links: 'plain' }, { name, id: 'cite' })
    stdout.write(`${name}\n\n${plain}\n`)
    stdout.write(`The same, hyperlinked:\n${block(payload, { ...look, links: 'osc8' })}\n\n\n`)
  }
  const support = detectHyperlinks({ env, isTTY: stdout.isTTY, platform })
  const answer = support.supported ? 'shows' : 'does not show'
  stdout.write(`This terminal ${answer} hyperlinks: ${support.reason}.\n`)
}
