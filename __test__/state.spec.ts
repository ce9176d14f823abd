/**
 * A stored turn that is taken up again goes on as if nothing had happened: wherever it was stopped,
 * between events or inside a character, in whatever form it was stored, and whoever takes it up.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CitationService, type CitationTurn, type TurnPayload } from '../index.js'
import { searched } from './agent-runs.js'
import {
  anthropicEvents,
  chatEvents,
  cohereEvents,
  ENCRYPTED_INDEX,
  geminiEvents,
  openAiEvents,
  type Step,
  TURNS,
} from './stored-turns.js'
import { BODIES, cut, expectSound, utf8 } from './stream-bodies.js'
import { gemini, grounded, support, web } from './turns.js'

const SERVICE = new CitationService({ documents: true })

/** The forms in which a host may have kept a turn. */
const FORMS: Record<string, (stored: string) => string | Uint8Array | object> = {
  text: (stored) => stored,
  bytes: (stored) => Buffer.from(stored),
  'parsed JSON': (stored) => JSON.parse(stored) as object,
}

/** Stores a turn and takes it up again, and sees that nothing was lost on the way. */
function stopped(turn: CitationTurn, form: (stored: string) => string | Uint8Array | object) {
  const stored = turn.serialize()
  const restored = SERVICE.restoreTurn(form(stored))
  expect(JSON.parse(restored.serialize())).toEqual(JSON.parse(stored))
  return restored
}

/** What a turn came to: its payload, its block, what each step answered. */
interface Outcome {
  payload: TurnPayload
  block: string
  answers: unknown[]
}

/** Runs steps; before each of which `stopAt` is true the turn is stored and taken up again. */
function run(
  steps: readonly Step[],
  stopAt: (step: number) => boolean = () => false,
  form: (stored: string) => string | Uint8Array | object = FORMS.text!,
): Outcome {
  let turn = SERVICE.startTurn()
  const answers = steps.map((step, at) => {
    if (stopAt(at)) turn = stopped(turn, form)
    return step(turn)
  })
  if (stopAt(steps.length)) turn = stopped(turn, form)
  // The block first: it is drawn of the answer that was handed over last.
  const block = turn.render({ links: 'plain', showInlineSources: true })
  return { block, payload: turn.finish(), answers }
}

describe.each(Object.entries(TURNS))('%s', (_, steps) => {
  test('has something to lose', () => {
    const { payload } = run(steps)
    expectSound(payload)
    expect(payload.sources.length).toBeGreaterThan(0)
  })

  test.each(Object.entries(FORMS))('stopped before any one step, kept as %s', (_, form) => {
    const whole = run(steps)
    for (let stop = 0; stop <= steps.length; stop++) {
      expect(
        run(steps, (at) => at === stop, form),
        `stopped at ${stop}`,
      ).toEqual(whole)
    }
  })

  test('stopped before every step', () => {
    expect(run(steps, () => true)).toEqual(run(steps))
  })
})

test.each(Object.entries(TURNS))('%s is stored again in the same words', (_, steps) => {
  const turn = SERVICE.startTurn()
  const other = SERVICE.startTurn()
  for (const step of steps) {
    step(turn)
    step(other)
    const stored = turn.serialize()
    expect(turn.serialize() === stored, 'asked twice').toBe(true)
    expect(other.serialize() === stored, 'another turn like it').toBe(true)
    expect(SERVICE.restoreTurn(stored).serialize() === stored, 'taken up again').toBe(true)
  }
})

test('what is looked at in between is the same too', () => {
  for (const steps of Object.values(TURNS)) {
    let turn = SERVICE.startTurn()
    const other = SERVICE.startTurn()
    for (const step of steps) {
      expect(step(turn)).toEqual(step(other))
      turn = SERVICE.restoreTurn(turn.serialize())
      expect(turn.finish()).toEqual(other.finish())
    }
  }
})

describe('in the middle of a body', () => {
  const STREAMS: Record<string, object[]> = {
    Gemini: geminiEvents(),
    OpenAI: openAiEvents().slice(-12),
    Anthropic: anthropicEvents().slice(-16),
    Cohere: cohereEvents().slice(-8),
    chat: chatEvents(),
  }

  /** Every place inside a character, and every seventeenth. */
  function cuts(body: Uint8Array): number[] {
    const all = Array.from({ length: body.length + 1 }, (_, at) => at)
    return all.filter((at) => at % 17 === 0 || at === body.length || (body[at]! & 0xc0) === 0x80)
  }

  /** What a turn comes to that takes these pieces and is stored between any two of them. */
  function piecewise(pieces: readonly Uint8Array[], stop: boolean): TurnPayload {
    let turn = SERVICE.startTurn()
    for (const piece of pieces) {
      turn.pushBytes(piece)
      if (stop) turn = stopped(turn, FORMS.text!)
    }
    return turn.finish()
  }

  test.each(Object.keys(BODIES))('%s, cut and stopped anywhere', (form) => {
    const body = utf8(BODIES[form]!(STREAMS.Gemini!))
    const whole = piecewise([body], false)
    expect(whole.sources).toHaveLength(2)
    for (const at of cuts(body)) {
      const pieces = [body.subarray(0, at), body.subarray(at)]
      expect(piecewise(pieces, true), `cut at ${at}`).toEqual(whole)
    }
  })

  test.each(Object.entries(STREAMS))('%s, stopped at many places', (_, events) => {
    for (const form of ['server-sent events', 'a JSON array', 'JSON lines with CRLF']) {
      const body = BODIES[form]!(events)
      const whole = piecewise(cut(body, 4096), false)
      expect(whole.sources.length, form).toBeGreaterThan(0)
      for (const size of [7, 61, 1009]) {
        expect(piecewise(cut(body, size), true), `${form} by ${size}`).toEqual(whole)
      }
    }
  })

  test('byte by byte, stopped after each', () => {
    const event = gemini('Größe 🎡', grounded([web('https://a.example/ä', 'Ä')]))
    for (const [form, write] of Object.entries(BODIES)) {
      const body = write([event])
      expect(piecewise(cut(body, 1), true), form).toEqual(piecewise([utf8(body)], false))
    }
  })
})

test('whatever a turn has been through', () => {
  const name = fc.constantFrom('a', 'b', 'c').map((name) => `https://${name}.example/`)
  const id = fc.constantFrom('c1', 'c2', 'c3')
  const source = fc.record(
    { url: name, title: id, id, agentId: id, citedText: id, also: fc.array(fc.record({ id })) },
    { requiredKeys: ['url'] },
  )
  const step = fc.oneof(
    fc.tuple(id, fc.array(name, { minLength: 1, maxLength: 3 })).map(([id, names]): Step => {
      return (turn) => turn.addToolResult(searched(id, ...names.map((url) => [url, 'T'] as const)))
    }),
    fc.tuple(id, fc.array(source, { maxLength: 3 })).map(([agent, sources]): Step => {
      return (turn) => turn.merge(agent, sources)
    }),
    fc.tuple(id, fc.array(name, { maxLength: 3 })).map(([id, names]): Step => {
      const event = gemini('Ö. ', grounded(names.map((url) => web(url, 'W'))), id)
      return (turn) => turn.push(event)
    }),
    fc.tuple(id, name).map(([id, url]): Step => {
      return (turn) => turn.mergeAgentText('Ja [1], nein [2].', [{ url, id }], id)
    }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      expect(run(steps, () => true)).toEqual(run(steps))
    }),
    { numRuns: 300 },
  )
})

describe('what is kept', () => {
  test('the encrypted index of a page, to be sent back', () => {
    for (let stop = 0; stop <= anthropicEvents().length; stop++) {
      const { payload } = run(TURNS.Anthropic!, (at) => at === stop)
      const page = payload.sources.find(({ url }) => url === 'https://news.example/')
      const location = { type: 'web_search_result_location', encryptedIndex: ENCRYPTED_INDEX }
      expect(page?.location).toEqual(location)
    }
  })

  test('what a tool said beyond what is known here', () => {
    const metadata = {
      score: 17 / 70,
      rank: 3,
      tags: ['ä', null],
      '2': 'two',
      deep: { b: 1, a: 2 },
    }
    const result = { title: 'T', link: 'https://a.example/', ...metadata }
    const turn = SERVICE.startTurn()
    turn.addToolResult({ name: 'web_search', callId: 'c1', output: { results: [result] } })
    const [source] = SERVICE.restoreTurn(turn.serialize()).finish().sources
    expect(source?.metadata).toEqual(metadata)
  })

  test('how sure a provider is, to the last digit', () => {
    const text = 'a b c d e f g h i j'
    const scores = text.split(' ').map((_, at) => 0.1 + at / 13)
    const supports = text.split(' ').map((word, at) => {
      return { ...support(text, word, [0]), confidenceScores: [scores[at]] }
    })
    const event = gemini(text, grounded([web('https://a.example/', 'A')], supports))
    const { payload } = run([(turn) => turn.push(event)], () => true)
    expect(payload.anchors.map(({ confidence }) => confidence)).toEqual(scores)
  })

  test('the version, in plain JSON', () => {
    const stored = JSON.parse(SERVICE.startTurn().serialize()) as { version: unknown }
    expect(stored.version).toBe(1)
  })
})

describe('whoever takes it up', () => {
  const lookup = (title: string, url: string) => ({
    pattern: 'lookup',
    extract: () => [{ title, url }],
  })

  test('uses its own extractors', () => {
    const [first, second] = [new CitationService(), new CitationService()]
    first.registerExtractor(lookup('First', 'https://first.example/'))
    second.registerExtractor(lookup('Second', 'https://second.example/'))
    const turn = first.startTurn()
    turn.addToolResult({ name: 'lookup', callId: 'c1', output: 'x' })
    const restored = second.restoreTurn(turn.serialize())
    expect(restored.addToolResult({ name: 'lookup', callId: 'c2', output: 'x' })).toEqual([2])
    expect(restored.finish().sources.map(({ title }) => title)).toEqual(['First', 'Second'])
    const bare = new CitationService().restoreTurn(turn.serialize())
    expect(bare.addToolResult({ name: 'lookup', callId: 'c2', output: 'x' })).toEqual([])
    expect(bare.finish().sources.map(({ title }) => title)).toEqual(['First'])
  })

  test('reads what its own options say', () => {
    const turn = SERVICE.startTurn()
    const events = anthropicEvents()
    const middle = events.findIndex((event) => JSON.stringify(event).includes('My Document')) + 1
    for (const event of events.slice(0, middle)) turn.push(event)
    const restored = new CitationService().restoreTurn(turn.serialize())
    for (const event of events.slice(middle)) restored.push(event)
    const { answer, sources } = restored.finish()
    expect(answer).toBe('Laut Bericht: Gräser sind grün und 😀 neu')
    expect(sources.map(({ title }) => title)).toEqual(['My Document'])
  })

  test('draws as its own options say', () => {
    const turn = SERVICE.startTurn()
    turn.addToolResult(searched('c1', ['https://a.example/', 'A'], ['https://b.example/', 'B']))
    const restored = new CitationService({ maxSourcesDisplayed: 1 }).restoreTurn(turn.serialize())
    expect(restored.render({ links: 'plain' })).toBe(
      ' Sources:\n  1. A — https://a.example/\n  … and 1 more',
    )
  })

  test('has a turn of its own', () => {
    const turn = SERVICE.startTurn()
    turn.addToolResult(searched('c1', ['https://a.example/', 'A']))
    const restored = SERVICE.restoreTurn(turn.serialize())
    restored.addToolResult(searched('c2', ['https://b.example/', 'B']))
    expect(turn.finish().sources).toHaveLength(1)
    turn.reset()
    expect(restored.finish().sources).toHaveLength(2)
    restored.reset()
    expect(restored.finish()).toEqual(SERVICE.startTurn().finish())
    expect(restored.serialize()).toBe(SERVICE.startTurn().serialize())
  })
})

test.each(Object.entries(FORMS))('positions that are none are stored too, as %s', (_, form) => {
  const groundingMetadata = {
    groundingChunks: [web('https://a.example/', 'A')],
    groundingSupports: [
      { segment: { startIndex: -1, endIndex: 1e300 }, groundingChunkIndices: [0, -1] },
    ],
  }
  const turn = SERVICE.startTurn()
  turn.push({ candidates: [{ content: { parts: [{ text: 'Hi.' }] }, groundingMetadata }] })
  expect(stopped(turn, form).finish()).toEqual(turn.finish())
})
