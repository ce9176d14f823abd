/** Whole responses, from objects and from bytes, against the same rules in TypeScript. */
import assert from 'node:assert'
import {
  CitationService,
  type CitationSource,
  dedupeCitations,
  renderCitationBlock,
  renderCitations,
} from '../../index.js'
import { inTurns, several } from '../payloads.ts'
import { PROVIDERS, type Provider } from '../providers.ts'
import { faster, type Row } from '../row.ts'
import * as typescript from '../typescript/index.ts'

const { PLAIN, TUNED } = typescript

const cleaned = (rules: typescript.Rules) => (source: CitationSource) =>
  typescript.sanitize(source, rules)

/** A turn of each side that is used again and again. */
function turns({ documents = false, ...options }: { documents?: boolean; links: 'osc8' }) {
  const turn = new CitationService({ documents }).startTurn()
  const theirTurn = new typescript.Turn()
  const render = (take: () => void) => () => {
    turn.reset()
    take()
    return turn.render(options)
  }
  const theirRender = (read: () => object) => () => {
    theirTurn.reset()
    theirTurn.push(read() as never)
    return theirTurn.size > 0 ? theirTurn.render(typescript.renderingOf(options)) : ''
  }
  return { turn, render, theirRender }
}

/** Both sides take the same inputs, each in its own time. On all of them they must come to the same. */
function alike<T>(inputs: T[], theirs: (input: () => T) => () => unknown, ours: typeof theirs) {
  const sides = { theirs: theirs(inTurns(inputs)), ours: ours(inTurns(inputs)) }
  // What is not there and what is there as nothing is the same.
  const plainly = (made: unknown) =>
    typeof made === 'string' ? made : JSON.parse(JSON.stringify(made))
  for (const _ of inputs) assert.deepEqual(plainly(sides.ours()), plainly(sides.theirs()))
  return sides
}

const OPPONENTS: [string, typescript.Rules][] = [
  ['plain TypeScript', PLAIN],
  ['tuned TypeScript', TUNED],
]

function rowsOf({ name, make, options, ...provider }: Provider, count: number): Row[] {
  const what = `${name}, ${count} sources`
  const responses = () => several((first) => make(count, first))
  const encoder = new TextEncoder()
  const bodies = () => responses().map((response) => encoder.encode(JSON.stringify(response)))
  const decoder = new TextDecoder()
  const parse = (body: Uint8Array) => JSON.parse(decoder.decode(body))
  return [
    ...OPPONENTS.flatMap(([opponent, rules]) => [
      faster(`renderCitations from objects: ${what}`, opponent, () =>
        alike(
          responses(),
          (next) => () => typescript.renderCitations(next(), options, rules),
          (next) => () => renderCitations(next(), options),
        ),
      ),
      faster(`renderCitations from bytes: ${what}`, `JSON.parse + ${opponent}`, () =>
        alike(
          bodies(),
          (next) => () => typescript.renderCitations(next(), options, rules),
          (next) => () => renderCitations(next(), options),
        ),
      ),
      faster(`extract: ${what}`, opponent, () =>
        alike(
          responses(),
          (next) => () => provider.extract(next(), rules),
          (next) => () => provider.extractNative(next()),
        ),
      ),
      faster(`dedupeCitations: ${what}`, opponent, () =>
        alike(
          responses().map(provider.extractNative),
          (next) => () => typescript.dedupe(next().map(cleaned(rules)), rules),
          (next) => () => dedupeCitations(next()),
        ),
      ),
      faster(`renderCitationBlock: ${what}`, opponent, () =>
        alike(
          responses().map((response) => ({ text: '', sources: provider.extractNative(response) })),
          (next) => () => {
            const sources = next().sources.map(cleaned(rules))
            return typescript.render(sources, typescript.renderingOf(options), rules)
          },
          (next) => () => renderCitationBlock(next(), options),
        ),
      ),
    ]),
    faster(`a reused turn, push and render: ${what}`, 'tuned TypeScript', () => {
      const { turn, render, theirRender } = turns(options)
      return alike(
        responses(),
        (next) => theirRender(next),
        (next) => render(() => turn.push(next())),
      )
    }),
    faster(`a whole turn from bytes: ${what}`, 'JSON.parse + tuned TypeScript', () => {
      const { turn, render, theirRender } = turns(options)
      return alike(
        bodies(),
        (next) => theirRender(() => parse(next())),
        (next) => render(() => turn.pushBytes(next())),
      )
    }),
  ]
}

export const responses: Row[] = [3, 6, 20].flatMap((count) =>
  PROVIDERS.flatMap((provider) => rowsOf(provider, count)),
)
