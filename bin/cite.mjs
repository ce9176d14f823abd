#!/usr/bin/env node
/**
 * Renders saved model responses with their sources. Without a file: a gallery of one answer per
 * provider, plain and hyperlinked.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { detectHyperlinks, renderCitations } from '../index.js'

const HELP = `Usage: npm start [-- [options] [file.json … | -]]

Renders a saved response of Gemini, OpenAI Responses or Anthropic with its sources.
Which provider it is from is found out by its shape. "-" reads standard input.
Without a file: a gallery, one answer per provider.

Options:
  --links MODE    auto, osc8, markdown or plain          (default: auto)
  --width N       wrap at N columns                      (default: the terminal's)
  --no-excerpts   leave quotations out
  --help          show this
`

const GALLERY = [
  ['Gemini with Google Search', 'gemini-search.json'],
  ['OpenAI Responses with web search', 'openai-web-search.json'],
  ['Anthropic with a document', 'anthropic-document.json'],
]

/** @typedef {import('../index.js').RenderCitationsOptions} Options */

/** A problem to tell the user about, without a stack. */
class Complaint extends Error {}

function main() {
  const { values, positionals } = readArguments()
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  /** @type {Options} */
  const options = {
    links: /** @type {Options['links']} */ (values.links),
    width: values.width === undefined ? process.stdout.columns : Number(values.width),
    showExcerpts: !values['no-excerpts'],
    documents: true,
  }
  if (positionals.length > 0) {
    const blocks = positionals.map((file) => `${show(file, options)}\n`)
    process.stdout.write(blocks.join('\n'))
    return
  }
  gallery(options)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        links: { type: 'string', default: 'auto' },
        width: { type: 'string' },
        'no-excerpts': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new Complaint(/** @type {Error} */ (error).message)
  }
}

/** @param {Options} options */
function gallery(options) {
  const { env, platform, stdout } = process
  const support = detectHyperlinks({ env, isTTY: stdout.isTTY, platform })
  for (const [name, file] of GALLERY) {
    const path = new URL(`../examples/${file}`, import.meta.url)
    stdout.write(`${name}\n\n${show(path, { ...options, links: 'plain' })}\n\n`)
    stdout.write(`The same, hyperlinked:\n${block(path, { ...options, links: 'osc8' })}\n\n\n`)
  }
  const answer = support.supported ? 'shows' : 'does not show'
  stdout.write(`This terminal ${answer} hyperlinks: ${support.reason}.\n`)
}

/**
 * @param {string | URL} file
 * @param {Options} options
 */
function show(file, options) {
  const json = read(file)
  const sources = renderCitations(json, options)
  return `${answerOf(json, file)}\n${sources && `\n${sources}`}`
    .trim()
    .replace(/^Sources:/, ' Sources:')
}

/**
 * @param {string | URL} file
 * @param {Options} options
 */
const block = (file, options) => renderCitations(read(file), options)

/** @param {string | URL} file */
function read(file) {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new Complaint(`cannot read ${file}: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * The visible text of a response, whichever of the three shapes it has.
 *
 * @param {string} json
 * @param {string | URL} file
 */
function answerOf(json, file) {
  /** @type {any} */
  let response
  try {
    response = JSON.parse(json)
  } catch (error) {
    throw new Complaint(`${file} is not JSON: ${/** @type {Error} */ (error).message}`)
  }
  /** @type {any[]} */
  const parts =
    response?.candidates?.[0]?.content?.parts ??
    response?.output?.flatMap((/** @type {any} */ item) => item?.content ?? []) ??
    response?.content
  if (!Array.isArray(parts)) {
    throw new Complaint(`${file} is no response of Gemini, OpenAI Responses or Anthropic`)
  }
  const visible = parts.filter((part) => part && !part.thought && typeof part.text === 'string')
  return visible.map((part) => part.text).join('')
}

try {
  main()
} catch (error) {
  if (!(error instanceof Complaint) && !(error instanceof TypeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
