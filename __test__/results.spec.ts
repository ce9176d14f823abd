/**
 * Objects of a result are made one field at a time until their kind is no longer rare, and from then on all at once.
 * Nothing of that may show.
 */
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type * as citations from '../load.js'
import { source } from './arbitrary-sources.js'
import { anthropicMessage, geminiResponse, openaiResponse } from './results.js'
import { secondCopy } from './second-copy.js'

/** More than it takes until a kind of record is made at once. */
const OFTEN = 300

/** Everything about a value that a host can see. */
function seen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value)).map(
    ([name, { value, ...rest }]) => [name, seen(value), rest],
  )
  const made = Array.isArray(value) ? Array.prototype : Object.prototype
  return [Object.getPrototypeOf(value) === made, fields]
}

/** Holds the first result of a copy nobody has used against a later one. */
function expectAlike(call: (copy: typeof citations) => unknown): void {
  const copy = secondCopy()
  const first = call(copy)
  for (let turn = 0; turn < OFTEN; turn++) call(copy)
  expect(seen(call(copy))).toEqual(seen(first))
}

const often = secondCopy()
const turn = (copy: typeof citations, response: object) => {
  const turn = new copy.CitationService({ documents: true }).startTurn()
  turn.push(response)
  return turn.finish()
}

describe('the first result is like the hundredth', () => {
  test.each([
    ['Gemini', geminiResponse],
    ['OpenAI', openaiResponse],
    ['Anthropic', anthropicMessage],
  ])('a turn of %s', (_, response) => {
    expectAlike((copy) => turn(copy, response))
  })

  test('sources of responses', () => {
    expectAlike((copy) => copy.extractGeminiCitations(geminiResponse))
    expectAlike((copy) => copy.extractOpenAIResponsesCitations(openaiResponse))
    expectAlike((copy) => copy.extractAnthropicCitations(anthropicMessage, { documents: true }))
  })

  test('what tools found, with what only they know', () => {
    const results = [
      { title: 'Réact — 19 😀', link: 'https://a.example/1', snippet: 'naïve', rank: 1 },
      { title: 'b', link: 'https://a.example/2', date: '2025', tags: ['x', { y: null }] },
    ]
    const call = { name: 'web_search', callId: 'c', output: { results } }
    expectAlike((copy) => copy.extractToolCitations(call))
    const file = { name: 'read_file', args: { path: 'a/b.txt', offset: 3, limit: 4 }, output: 'x' }
    expectAlike((copy) => copy.extractToolCitations(file))
  })

  test('one source, stored data, no sources', () => {
    const one = {
      title: 'a',
      url: 'https://a.example/',
      citedText: '漢字',
      location: { type: 'file_path', index: 2 },
    }
    expectAlike((copy) => copy.sanitizeCitationSource(one as never))
    expectAlike((copy) => copy.buildCitationData('s', 'Yes [1].', [one] as never))
    expectAlike((copy) => copy.extractGeminiCitations({}))
    expectAlike((copy) => new copy.CitationService().startTurn().finish())
  })

  test('more sources than are made at once', () => {
    const many = Array.from({ length: 3000 }, (_, n) => ({
      title: `é${n}`,
      url: `https://a.example/${n}`,
    }))
    const made = often.dedupeCitations(many)
    expect(made).toEqual(many)
  })

  test('what JSON cannot say of a number', () => {
    const one = { title: 'a', url: 'https://a.example/', id: 'x', metadata: Number.NaN }
    expectAlike((copy) => copy.dedupeCitations([one] as never))
    const text = JSON.stringify([{ ...one, metadata: 0 }]).replace(/0}/, '1e999}')
    expectAlike((copy) => copy.dedupeCitations(text as never))
  })

  test('long texts', () => {
    const long = Array.from({ length: 40 }, (_, n) => ({
      title: `${n} é `.padEnd(250, 'long '),
      url: `https://a.example/${'x'.repeat(900)}${n}`,
    }))
    expectAlike((copy) => copy.dedupeCitations(long))
  })

  test('any source', () => {
    // Of this copy no kind of source is made often.
    const seldom = secondCopy()
    const check = (sources: unknown[]) => {
      const first = seldom.dedupeCitations(sources as never)
      const list = Array.from({ length: OFTEN }, () => often.dedupeCitations(sources as never))
      expect(seen(list.at(-1))).toEqual(seen(first))
    }
    fc.assert(fc.property(fc.array(source, { minLength: 1, maxLength: 2 }), check), { numRuns: 40 })
  })
})

/** In a process of its own, whose memory is nobody else's. What engines other than V8 count is another matter. */
test.skipIf(process.versions.bun)('who keeps a title does not keep the words of the answer', () => {
  const script = `const { CitationService } = require(${JSON.stringify(`${__dirname}/../load.js`)})
    const turn = new CitationService().startTurn()
    const title = (length) => {
      const text = 'word '.repeat(length / 5)
      const web = { uri: 'https://a.example/', title: 'A title of some length' }
      const segment = { endIndex: text.length, text }
      const groundingMetadata = { groundingChunks: [{ web }], groundingSupports: [{ segment, groundingChunkIndices: [0] }] }
      turn.reset()
      turn.pushBytes(Buffer.from(JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, groundingMetadata }] })))
      return turn.finish().sources[0].title
    }
    const used = () => (gc(), process.memoryUsage().heapUsed)
    for (let n = 0; n < ${OFTEN}; n++) title(100)
    const before = used()
    const kept = Array.from({ length: 20 }, () => title(500_000))
    process.stdout.write(String(used() - before + 0 * kept.length))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', script], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  // All answers together have ten million characters.
  expect(Number(stdout)).toBeLessThan(3e6)
})

describe('what others have done to the language', () => {
  /** Runs `work` while a property of a built-in object is another one. */
  function patched<T>(
    holder: object,
    name: string,
    property: PropertyDescriptor,
    work: () => T,
  ): T {
    const before = Object.getOwnPropertyDescriptor(holder, name)
    Object.defineProperty(holder, name, { configurable: true, ...property })
    try {
      return work()
    } finally {
      if (before) Object.defineProperty(holder, name, before)
      else Reflect.deleteProperty(holder, name)
    }
  }
  const made = () => turn(often, geminiResponse)
  for (let count = 0; count < OFTEN; count++) made()
  const expected = seen(made())

  test.each(['title', 'url', 'type', 'start', 'sources', 'answer'])(
    'a setter of Object.prototype for %s is not run',
    (name) => {
      let ran = 0
      const property = { set: () => ran++, get: () => undefined }
      expect(seen(patched(Object.prototype, name, property, made))).toEqual(expected)
      expect(ran).toBe(0)
    },
  )

  test.each(['slice', 'substring', 'at'])('String.prototype.%s that throws', (name) => {
    const value = () => {
      throw new Error('patched')
    }
    expect(seen(patched(String.prototype, name, { value }, made))).toEqual(expected)
  })

  test('String.prototype.slice that gives something else', () => {
    const { slice } = String.prototype
    let looks = 0
    const properties = [
      { value: () => 'patched' },
      { get: () => () => 'patched' },
      { get: () => (looks++ === 0 ? slice : () => 'patched') },
    ]
    for (const property of properties) {
      expect(seen(patched(String.prototype, 'slice', property, made))).toEqual(expected)
      expect(seen(made())).toEqual(expected)
    }
  })

  test('code that runs while a result is made, and makes many', () => {
    const copy = secondCopy()
    const plain = [{ title: 'T', url: 'https://a.example/0' }]
    for (let count = 0; count < OFTEN; count++) copy.dedupeCitations(plain)
    const quoted = { url: 'https://b.example/', citedText: 'words' }
    let calls = 0
    const value = (text: string) => {
      if (calls++ === 0) {
        copy.dedupeCitations(
          Array.from({ length: OFTEN }, (_, n) => ({ ...quoted, url: `${quoted.url}${n}` })),
        )
      }
      return parse(text)
    }
    const { parse } = JSON
    const odd = [{ title: 'T', url: 'https://a.example/0', id: 'x', metadata: { a: 1 } }]
    patched(JSON, 'parse', { value, writable: true }, () => copy.dedupeCitations(odd as never))
    expect(calls).toBeGreaterThan(0)
    for (let count = 0; count < OFTEN; count++) {
      expect(copy.dedupeCitations(plain)).toEqual(plain)
      expect(copy.dedupeCitations([quoted])).toEqual([quoted])
    }
  })

  test('setters for places of lists do not stay in the way', () => {
    const copy = secondCopy()
    const expected = often.extractGeminiCitations(geminiResponse)
    const places = Array.from({ length: 400 }, (_, n) => String(n + 20))
    const property = { set: () => {}, get: () => undefined, configurable: true }
    for (const place of places) Object.defineProperty(Object.prototype, place, property)
    try {
      copy.extractGeminiCitations(geminiResponse)
    } finally {
      for (const place of places) Reflect.deleteProperty(Object.prototype, place)
    }
    for (let count = 0; count < OFTEN; count++) {
      expect(copy.extractGeminiCitations(geminiResponse)).toEqual(expected)
    }
  })

  test('before the first call: results are made field by field then', () => {
    const slice = {
      value: () => {
        throw new Error('patched')
      },
    }
    const copy = secondCopy()
    const all = patched(String.prototype, 'slice', slice, () =>
      Array.from({ length: OFTEN }, () => turn(copy, geminiResponse)),
    )
    expect(seen(all.at(-1))).toEqual(expected)
    expect(seen(turn(copy, geminiResponse))).toEqual(expected)
  })

  test('code may not be made from strings', () => {
    const script = `const c = require(${JSON.stringify(`${__dirname}/../load.js`)})
      let last; for (let n = 0; n < 99; n++) last = c.extractGeminiCitations(${JSON.stringify(geminiResponse)})
      process.stdout.write(JSON.stringify(last))`
    const flags = process.versions.bun ? [] : ['--disallow-code-generation-from-strings']
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', script], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(often.extractGeminiCitations(geminiResponse))
  })
})
