/**
 * The same rules in plain TypeScript: what a host would write by hand, with care for speed. The benchmark's yardstick,
 * and an oracle for the results: `__test__/yardstick.spec.ts` holds it against the package.
 *
 * It knows whole responses of three providers, as objects, JSON or bytes, and a block without a width. What it leaves
 * out (damaged JSON, events, pages that Claude fetched, other providers) would only make it slower.
 */
import type { RenderCitationsOptions } from '../../index.js'
import { dedupe } from './list.ts'
import { extract } from './read.ts'
import { type Rendering, render } from './render.ts'

export { clean, link, sanitize } from './clean.ts'
export { dedupe, pageKey } from './list.ts'
export { extractAnthropic, extractGemini, extractOpenAI } from './read.ts'
export { type Rendering, render } from './render.ts'
export { streamOpenAI, Turn } from './turn.ts'

const decoder = new TextDecoder()

/** From a response to its block. */
export function renderCitations(input: unknown, options?: RenderCitationsOptions): string {
  const rendering = renderingOf(options)
  return render(dedupe(extract(opened(input), options?.documents === true)), rendering)
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
