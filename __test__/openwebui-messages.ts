/**
 * Messages of Open WebUI for tests: fixed ones, random ones, and what its own code would number.
 */
import fc from 'fast-check'
import type { OpenWebuiSource } from '../index.js'

export interface Numbered {
  /** Number by document text; `undefined` where it has none. */
  numbers: Map<string, number | undefined>
  count: number
}

/**
 * The numbering of Open WebUI's back end, written down once more and in the plainest way, but for
 * documents nobody can name, which its front end never hears of.
 */
export function numberedByHand(sources: readonly OpenWebuiSource[]): Numbered {
  const seen: string[] = []
  const numbers = new Map<string, number | undefined>()
  for (const source of sources) {
    for (const [index, text] of (source.document ?? []).entries()) {
      const id = source.metadata?.[index]?.source || source.source?.id
      if (!id && !source.source?.name) {
        numbers.set(text, undefined)
        continue
      }
      const key = id || 'N/A'
      if (!seen.includes(key)) seen.push(key)
      numbers.set(text, seen.indexOf(key) + 1)
    }
  }
  return { numbers, count: seen.length }
}

/** The numbers a context gives, by the text of the document. */
export function numbersOf(context: string): Map<string, number | undefined> {
  const tags = context.matchAll(/<source(?: id="(\d+)")?(?: name="[^"]*")?>([^<]*)<\/source>\n/g)
  return new Map([...tags].map(([, id, text]) => [text!, id === undefined ? id : Number(id)]))
}

const key = fc.constantFrom('a.pdf', 'b.md', 'https://c.example/x', 'd d', 'N/A', '')
const extra = fc.dictionary(
  fc.constantFrom('hash', 'embedding', 'tags', 'start_index', 'html'),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 3 },
)

const metadata = fc
  .record(
    { source: key, name: fc.constantFrom('A', 'B "quoted"'), page: fc.nat(20), more: extra },
    { requiredKeys: ['more'] },
  )
  .map(({ more, ...known }) => ({ ...more, ...known }))

const head = fc
  .record(
    { id: key, name: fc.constantFrom('One', 'Two <b>', ''), more: extra },
    { requiredKeys: ['more'] },
  )
  .map(({ more, ...known }) => ({ ...more, ...known }))

/** A list of sources in which no two documents say the same, with gaps wherever there may be some. */
export const sources: fc.Arbitrary<OpenWebuiSource[]> = fc
  .array(
    fc.record(
      {
        source: head,
        document: fc.array(fc.constant('x'), { maxLength: 3 }),
        metadata: fc.array(metadata, { maxLength: 3 }),
        distances: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        type: fc.constant('web_search'),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 6 },
  )
  .map((list) => {
    let count = 0
    const next = () => {
      count += 1
      return `text ${count}.`
    }
    return list.map((source) =>
      source.document ? { ...source, document: source.document.map(next) } : source,
    ) as OpenWebuiSource[]
  })

/** A message around such a list, which older releases keep under another name. */
export const messages = fc
  .record(
    {
      id: fc.uuid(),
      role: fc.constant('assistant'),
      content: fc.constantFrom('Plain.', 'Cites [1] and [2][3].', '', 'half \ud83d'),
      done: fc.boolean(),
      info: fc.jsonValue({ maxDepth: 2 }),
      sources,
    },
    { requiredKeys: [] },
  )
  .map((message) => message as Record<string, unknown>)

export const NOTES: OpenWebuiSource = {
  source: { id: 'file-1', name: 'notes.md', type: 'file' },
  document: ['Tokio is a runtime.', 'It has timers.'],
  metadata: [
    { source: 'notes.md', page: 2, hash: 'h1' },
    { source: 'notes.md', start_index: 40 },
  ],
  distances: [0.91, 0.4],
}

export const PAGE: OpenWebuiSource = {
  source: { name: 'web_search', id: 'search' },
  document: ['Rust 1.0 came in 2015.'],
  metadata: [{ source: 'https://rust.example/history', name: 'History of Rust' }],
}
