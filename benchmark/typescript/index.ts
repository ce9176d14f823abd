/**
 * The same rules in TypeScript. The benchmark's yardstick, and an oracle for the results: `__test__/yardstick.spec.ts`
 * holds it against the package. What makes text and addresses safe is here twice: as a host would write it (plain.ts), and
 * as fast as we know (tuned.ts).
 *
 * It knows whole responses of three providers, as objects, JSON or bytes, and a block without a width. What it leaves
 * out (damaged JSON, events, pages that Claude fetched, other providers) would only make it slower.
 */
import type { RenderCitationsOptions } from '../../index.js'
import { dedupe } from './list.ts'
import { extract } from './read.ts'
import { type Rendering, render } from './render.ts'
import type { Rules } from './rules.ts'
import { TUNED } from './tuned.ts'

export { sanitize } from './clean.ts'
export { dedupe } from './list.ts'
export { PLAIN } from './plain.ts'
export { extractAnthropic, extractGemini, extractOpenAI } from './read.ts'
export { type Rendering, render } from './render.ts'
export type { Rules } from './rules.ts'
export { TUNED } from './tuned.ts'
export { streamOpenAI, Turn } from './turn.ts'

const decoder = new TextDecoder()

/** From a response to its block. */
export function renderCitations(
  input: unknown,
  options?: RenderCitationsOptions,
  rules: Rules = TUNED,
): string {
  const rendering = renderingOf(options)
  const sources = extract(opened(input), options?.documents === true, rules)
  return render(dedupe(sources, rules), rendering, rules)
}

/** An object as it is, a string or bytes as JSON. */
function opened(input: unknown): unknown {
  try {
    if (typeof input === 'string') return JSON.parse(input)
    if (input instanceof Uint8Array) return JSON.parse(decoder.decode(input))
    return input
  } catch {
    return undefined
  }
}

const wrong = (name: string, value: unknown) =>
  new TypeError(`options.${name} cannot be ${String(value)}`)

/** What the options say. Misuse is an error that names the option and the value. */
export function renderingOf(options: RenderCitationsOptions = {}): Rendering {
  const { links, terminator, maxSources, showExcerpts, documents } = options
  if (links !== 'osc8' && links !== 'plain') throw wrong('links', links)
  if (terminator !== undefined && terminator !== 'bel' && terminator !== 'st') {
    throw wrong('terminator', terminator)
  }
  if (maxSources !== undefined && !(maxSources >= 0)) throw wrong('maxSources', maxSources)
  if (showExcerpts !== undefined && typeof showExcerpts !== 'boolean') {
    throw wrong('showExcerpts', showExcerpts)
  }
  if (documents !== undefined && typeof documents !== 'boolean') {
    throw wrong('documents', documents)
  }
  return {
    hyperlinks: links === 'osc8',
    terminator: terminator === 'st' ? '\u001b\\' : '\u0007',
    maxSources: maxSources ?? Infinity,
    showExcerpts: showExcerpts ?? true,
  }
}
