/** The command line, read strictly: an option that would have no effect is refused. */
import { parseArgs } from 'node:util'
import { detectHyperlinks } from '../../load.js'
import { Misuse, messageOf } from './complaint.mjs'

/** @typedef {import('./writer.mjs').Look} Look */
/** @typedef {import('./writer.mjs').Format} Format */
/** @typedef {import('./reader.mjs').Provider} Provider */

/**
 * @typedef {object} CiteCommand
 * @property {'cite'} command
 * @property {string[]} files
 * @property {import('./reader.mjs').Wanted} wanted
 * @property {'log' | 'events'} [kind] what every file is, if that is not to be found out
 * @property {Look} look
 * @property {string[]} [documents] files to look quotations up in
 * @property {string} [output]
 * @property {boolean} namesOutput whether the file that was written is named
 * @property {boolean} isPlain whether nothing was chosen that the gallery cannot heed
 */

/** @typedef {CiteCommand | { command: 'serve', port: number } | { command: 'help' | 'version' }} Command */

const OPTIONS = /** @type {const} */ ({
  provider: { type: 'string' },
  tool: { type: 'string' },
  jsonl: { type: 'boolean' },
  stream: { type: 'boolean' },
  format: { type: 'string' },
  links: { type: 'string' },
  width: { type: 'string' },
  coverage: { type: 'boolean' },
  'no-excerpts': { type: 'boolean' },
  max: { type: 'string' },
  verify: { type: 'string', multiple: true },
  output: { type: 'string', short: 'o' },
  html: { type: 'string' },
  port: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
})

/** @typedef {keyof typeof OPTIONS} Name */

/** @type {Format[]} */
const FORMATS = ['terminal', 'markdown', 'html', 'json', 'svg']
/** @type {Provider[]} */
const PROVIDERS = ['gemini', 'openai', 'anthropic']
/** @type {('auto' | Look['links'])[]} */
const LINKS = ['auto', 'osc8', 'markdown', 'plain']

/**
 * The formats in which an option has a meaning.
 *
 * @type {Partial<Record<Name, Format[]>>}
 */
const MEANT_FOR = {
  links: ['terminal'],
  width: ['terminal', 'svg'],
  coverage: ['terminal'],
  'no-excerpts': ['terminal', 'markdown'],
  max: ['terminal', 'html'],
  verify: ['terminal', 'json'],
}

/** @type {[Name, Name][]} */
const NOT_TOGETHER = [
  ['jsonl', 'stream'],
  ['tool', 'provider'],
  ['tool', 'stream'],
  ['html', 'format'],
  ['html', 'output'],
]

/** What a gallery can take into account. */
const IN_GALLERY = ['links', 'width', 'no-excerpts', 'max']

const NARROWEST = 20
const HIGHEST_PORT = 65_535

/**
 * @param {string[]} args
 * @returns {Command}
 */
export function readArguments(args) {
  const { values, positionals, documents } = parsed(args)
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  const files = positionals[0] === 'cite' ? positionals.slice(1) : positionals
  if (files[0] === 'serve') return serve(values, files.slice(1))
  if (values.port !== undefined) throw new Misuse('--port goes with serve')
  if (documents && files.length === 0) {
    throw new Misuse('--verify took all files as documents: name the response before it')
  }
  const format = values.html === undefined ? chosen('format', values, FORMATS) : 'html'
  const output = values.output ?? values.html
  refuseMeaningless(values, format ?? 'terminal')
  return {
    command: 'cite',
    files,
    wanted: { provider: chosen('provider', values, PROVIDERS), tool: values.tool },
    ...(values.jsonl && { kind: 'log' }),
    ...(values.stream && { kind: 'events' }),
    look: look(values, format ?? 'terminal', output),
    ...(documents && { documents }),
    ...(output !== undefined && { output }),
    namesOutput: values.html !== undefined,
    isPlain: Object.keys(values).every((name) => IN_GALLERY.includes(name)),
  }
}

/** @typedef {ReturnType<typeof parsed>['values']} Values */

/** @param {string[]} args */
function parsed(args) {
  try {
    const { values, tokens } = parseArgs({
      args,
      options: OPTIONS,
      allowPositionals: true,
      tokens: true,
    })
    /** @type {string[]} */
    const positionals = []
    // Files behind --verify belong to it, up to the next option.
    let taker = positionals
    for (const token of tokens) {
      if (token.kind === 'positional') taker.push(token.value)
      else if (token.kind === 'option' && token.name === 'verify') taker = values.verify ?? []
      else taker = positionals
    }
    return { values, positionals, documents: values.verify }
  } catch (error) {
    throw new Misuse(messageOf(error))
  }
}

/**
 * @param {Values} values
 * @param {string[]} rest
 * @returns {Command}
 */
function serve({ port, ...others }, rest) {
  const [other] = [...rest, ...Object.keys(others).map((name) => `--${name}`)]
  if (other !== undefined) throw new Misuse(`serve takes no ${other}`)
  return { command: 'serve', port: whole('port', port, 0, HIGHEST_PORT) ?? 0 }
}

/**
 * @param {Values} values
 * @param {Format} format
 */
function refuseMeaningless(values, format) {
  for (const [one, other] of NOT_TOGETHER) {
    if (values[one] !== undefined && values[other] !== undefined) {
      throw new Misuse(`--${one} and --${other} do not go together`)
    }
  }
  for (const [name, formats] of Object.entries(MEANT_FOR)) {
    if (values[/** @type {Name} */ (name)] === undefined || formats.includes(format)) continue
    throw new Misuse(`--${name} has no meaning with --format ${format}`)
  }
}

/**
 * @param {Values} values
 * @param {Format} format
 * @param {string | undefined} output
 * @returns {Look}
 */
function look(values, format, output) {
  const { env, platform, stdout } = process
  const toTerminal = output === undefined && Boolean(stdout.isTTY)
  const links = chosen('links', values, LINKS) ?? 'auto'
  const isLinked = () => detectHyperlinks({ env, isTTY: toTerminal, platform }).supported
  const width = whole('width', values.width, 0)
  if (width !== undefined && width > 0 && width < NARROWEST) {
    throw new Misuse(`--width must be 0 or at least ${NARROWEST}, got ${width}`)
  }
  const columns = format === 'terminal' && toTerminal ? stdout.columns : 0
  const most = whole('max', values.max, 1)
  return {
    format,
    links: links === 'auto' ? (isLinked() ? 'osc8' : 'plain') : links,
    // A window narrower than that wraps as it likes.
    width: width ?? (columns >= NARROWEST ? columns : 0),
    coverage: values.coverage ?? false,
    color: toTerminal && !env.NO_COLOR,
    showExcerpts: !values['no-excerpts'],
    ...(most !== undefined && { most }),
    toTerminal,
  }
}

/**
 * @template {string} T
 * @param {'format' | 'provider' | 'links'} name
 * @param {Values} values
 * @param {T[]} among
 * @returns {T | undefined}
 */
function chosen(name, values, among) {
  const value = values[name]
  if (value === undefined) return undefined
  const found = among.find((one) => one === value)
  if (!found) throw new Misuse(`--${name} must be one of ${among.join(', ')}, got ${value}`)
  return found
}

/**
 * @param {string} name
 * @param {string | undefined} value
 * @param {number} least
 * @param {number} [most]
 */
function whole(name, value, least, most = Number.MAX_SAFE_INTEGER) {
  if (value === undefined) return undefined
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= least && number <= most) return number
  const range =
    most === Number.MAX_SAFE_INTEGER && !(number > most)
      ? `, at least ${least}`
      : ` from ${least} to ${most}`
  throw new Misuse(`--${name} must be a whole number${range}, got ${value}`)
}
