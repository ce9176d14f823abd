/**
 * Against the floor: an addon that crosses the border as ours must, carries the same strings or finds them in the same
 * bytes, and does nothing else. The rest is our own work; and what TypeScript takes, divided by the floor, is the most
 * that any addon can be faster.
 */
import assert from 'node:assert'
import { CitationService, markers, renderCitations, resolveCitationsEnabled } from '../../index.js'
import { type Floor, loadFloor } from '../floor.ts'
import {
  asEvents,
  chunksOf,
  exaCall,
  inTurns,
  listedPages,
  markedAnswer,
  openaiStream,
  several,
} from '../payloads.ts'
import { PROVIDERS, type Provider } from '../providers.ts'
import { onFloor, type Row, type Sides, times } from '../row.ts'
import { rewriting } from './answers.ts'

const FLOOR = 'the floor'

/** A response, its body, what of it a block shows, and how long that is. */
function inputsOf({ make, options, extract }: Provider, count: number) {
  const encoder = new TextEncoder()
  const turn = new CitationService({ documents: true }).startTurn()
  return several((first) => make(count, first)).map((response) => {
    const sources = extract(response)
    assert.equal(sources.length, count)
    turn.reset()
    turn.push(response)
    const pages = sources.flatMap(({ title = '', url = '' }) => [title, url])
    const shown = [...pages, ...sources.flatMap(({ citedText }) => citedText ?? [])]
    return {
      response,
      body: encoder.encode(JSON.stringify(response)),
      pages,
      shown,
      all: [turn.finish().answer ?? '', ...shown],
      length: renderCitations(response, options).length,
    }
  })
}

type Input = ReturnType<typeof inputsOf>[number]

/** The same calls, with what each of them must carry. */
const CALLS: Record<string, (floor: Floor, input: Input) => unknown> = {
  'renderCitations from objects': ({ carry }, { shown, length }) => carry(shown, length),
  'renderCitations from bytes': ({ find }, { body, length }) => find(body, length),
  'a reused turn, push and render': ({ nothing, carry }, { all, length }) => {
    nothing()
    carry(all, 0)
    return carry([], length)
  },
  'a whole turn from bytes': ({ nothing, find, carry }, { body, length }) => {
    nothing()
    find(body, 0)
    return carry([], length)
  },
}

/** What ours does with an input, by the same names. */
function oursOf({ options }: Provider): Record<string, (input: Input) => string> {
  const { documents = false, ...rendering } = options
  const turn = new CitationService({ documents }).startTurn()
  const turned = (take: (input: Input) => void) => (input: Input) => {
    turn.reset()
    take(input)
    return turn.render(rendering)
  }
  return {
    'renderCitations from objects': ({ response }) => renderCitations(response, options),
    'renderCitations from bytes': ({ body }) => renderCitations(body, options),
    'a reused turn, push and render': turned(({ response }) => turn.push(response)),
    'a whole turn from bytes': turned(({ body }) => turn.pushBytes(body)),
  }
}

const bytesOf = (texts: string[]) => Buffer.byteLength(texts.join(''))

const responses = [3, 6, 20].flatMap((count) =>
  PROVIDERS.flatMap((provider) =>
    Object.entries(CALLS).map(([name, call]): Row => {
      const what = `${name}: ${provider.name}, ${count} sources`
      return times(what, FLOOR, () => {
        const inputs = inputsOf(provider, count)
        const floor = loadFloor()
        const ours = oursOf(provider)[name]
        assert.ok(ours)
        for (const input of inputs) {
          assert.equal(floor.found(input.body), bytesOf(input.pages))
          assert.equal(ours(input).length, input.length)
        }
        const [theirNext, ourNext] = [inTurns(inputs), inTurns(inputs)]
        return { theirs: () => call(floor, theirNext()), ours: () => ours(ourNext()) }
      })
    }),
  ),
)

/** Both sides, where the floor gives a string as long as ours. */
function asLong(theirs: (floor: Floor, length: number) => unknown, ours: () => string): Sides {
  const [floor, { length }] = [loadFloor(), ours()]
  return { theirs: () => theirs(floor, length), ours }
}

const stream = times('a stream of 2,000 deltas as bytes', FLOOR, () => {
  const chunks = chunksOf(asEvents(openaiStream(2000, 12)))
  const turn = new CitationService().startTurn()
  const look = ({ look, carry }: Floor, length: number) => {
    for (const chunk of chunks) look(chunk)
    return carry([], length)
  }
  return asLong(look, () => {
    turn.reset()
    for (const chunk of chunks) turn.pushBytes(chunk)
    return turn.render({ links: 'osc8' })
  })
})

const marked = times('formatMarkers: 100 kB, 200 markers', FLOOR, () => {
  const [pages, answer] = [listedPages(20), markedAnswer(20)]
  return asLong(
    ({ carry }, length) => carry([answer], length),
    () => markers.formatMarkers(answer, pages, rewriting).text,
  )
})

const tools = times('a reused turn, addToolResult: 20 Exa records', FLOOR, () => {
  const search = exaCall(20)
  const turn = new CitationService().startTurn()
  const { nothing, carry } = loadFloor()
  return {
    theirs() {
      nothing()
      return carry([search.name, search.callId, search.output], 0)
    },
    ours() {
      turn.reset()
      return turn.addToolResult(search)
    },
  }
})

/** A host that keeps its settings as LLxprt does. */
class Config {
  readonly #settings = new Map<string, unknown>([['citations', 'disabled']])

  getEphemeralSetting(key: string): unknown {
    return this.#settings.get(key)
  }
}

const disabled = times('resolveCitationsEnabled, disabled', 'an empty native call', () => {
  const config = new Config()
  const { nothing } = loadFloor()
  assert.equal(resolveCitationsEnabled(config), false)
  return { theirs: () => nothing(), ours: () => resolveCitationsEnabled(config) }
})

export const border: Row[] = [...responses, stream, marked, tools, disabled].map(onFloor)
