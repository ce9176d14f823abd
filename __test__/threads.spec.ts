/**
 * Many threads, other contexts, several copies: the package has no state that they share, and nothing
 * stays behind when they go.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import vm from 'node:vm'
import { describe, expect, test } from 'vitest'
import * as citations from '../index.js'
import { secondCopy } from './second-copy.js'

const ROOT = join(__dirname, '..')
const CROWD = join(__dirname, 'threads', 'crowd.cjs')

interface Crowd {
  said: string[]
  /** In megabytes, after each round of eight. */
  memory: number[]
}

function crowd(rounds: number, mode: string): Crowd {
  const { stdout, stderr, status, signal } = spawnSync(
    process.execPath,
    ['--expose-gc', CROWD, ROOT, String(rounds), mode],
    { encoding: 'utf8' },
  )
  expect({ stderr, status, signal }).toEqual({ stderr: '', status: 0, signal: null })
  return JSON.parse(stdout) as Crowd
}

/** Before 1.4, eight workers of Bun that do next to nothing leave a megabyte behind by themselves. */
const MOST_GROWTH = process.versions.bun?.startsWith('1.3.') ? 4 : 2

/** What each round after the third adds, in megabytes. */
function growth({ memory }: Crowd): number {
  return (memory.at(-1)! - memory[2]!) / (memory.length - 3)
}

describe('eight workers at a time', () => {
  test('a hundred and four come and go', () => {
    const result = crowd(13, 'finish')
    // Workers of the same number say the same, and those of different numbers do not mix.
    expect(result.said).toHaveLength(2)
    for (const said of result.said) {
      expect(said.includes('found by 0')).not.toBe(said.includes('found by 1'))
    }
    expect(growth(result)).toBeLessThan(MOST_GROWTH)
  })

  test('forty-eight are ended while they work', () => {
    const result = crowd(6, 'terminate')
    expect(result.said).toEqual(['started'])
    expect(growth(result)).toBeLessThan(2 * MOST_GROWTH)
  })

  test('the package comes and goes with them when nobody else holds it', () => {
    expect(crowd(4, 'alone').said).toHaveLength(2)
  })
})

describe('objects of another context', () => {
  const context = vm.createContext({})
  const foreign = (code: string) => vm.runInContext(`(${code})`, context)

  const CANDIDATE = `{
    candidates: [{
      content: { parts: [{ text: 'Rust is old.' }] },
      groundingMetadata: {
        groundingChunks: [{ web: { uri: 'https://a.example/', title: 'A' } }],
        groundingSupports: [{ segment: { endIndex: 4 }, groundingChunkIndices: [0] }],
      },
    }],
  }`

  test('are read like those of this one', () => {
    const own = JSON.parse(JSON.stringify(foreign(CANDIDATE)))
    expect(citations.extractGeminiCitations(foreign(CANDIDATE))).toEqual(
      citations.extractGeminiCitations(own),
    )
    expect(citations.extractGeminiCitations(own)).toHaveLength(1)
    const turn = new citations.CitationService().startTurn()
    turn.push(foreign(CANDIDATE))
    expect(turn.finish().anchors).toHaveLength(1)
  })

  test('bytes, options, lists and functions as well', () => {
    const bytes = foreign(`new Uint8Array(${JSON.stringify([...Buffer.from('{"output":[]}')])})`)
    expect(citations.renderCitations(bytes, foreign(`{ links: 'plain' }`))).toBe('')
    const list = foreign(`[{ url: 'https://a.example/' }, { url: 'https://a.example' }]`)
    expect(citations.dedupeCitations(list)).toHaveLength(1)
    const service = new citations.CitationService()
    service.registerExtractor(
      foreign(`{ pattern: /^mine$/, extract: () => [{ url: 'https://b.example/' }] }`),
    )
    const turn = service.startTurn()
    turn.addToolResult({ name: 'mine', output: '' })
    expect(turn.finish().sources).toMatchObject([{ url: 'https://b.example/' }])
  })

  test('what throws there is survived here', () => {
    const hostile = foreign(`new Proxy({}, { get() { throw new Error('no') } })`)
    expect(citations.extractGeminiCitations(hostile)).toEqual([])
    expect(() => citations.renderCitations({}, foreign(`{ links: 'loud' }`))).toThrow(TypeError)
  })
})

describe('two copies in one process', () => {
  const other = secondCopy()

  test('work side by side', () => {
    expect(other.CitationService).not.toBe(citations.CitationService)
    const turns = [citations, other].map((one) => new one.CitationService().startTurn())
    for (const [index, turn] of turns.entries()) {
      turn.addToolResult({
        name: 'mcp__a__b',
        output: { results: [{ title: `T${index}`, url: `https://${index}.example/` }] },
      })
    }
    const titles = turns.map((turn) => turn.finish().sources.map(({ title }) => title))
    expect(titles).toEqual([['T0'], ['T1']])
  })

  test('what one stores the other goes on with', () => {
    const turn = new citations.CitationService().startTurn()
    turn.push({ candidates: [{ content: { parts: [{ text: 'kept' }] } }] })
    const restored = new other.CitationService().restoreTurn(turn.serialize())
    expect(restored.finish().answer).toBe('kept')
  })

  test('neither takes the insides of the other for its own', () => {
    const strange = new other.CitationService().startTurn()
    const { finish } = citations.CitationTurn.prototype
    for (const holder of [strange, new citations.CitationService(), {}, null, 7]) {
      expect(() => finish.call(holder as never)).toThrow(TypeError)
    }
    expect(strange.finish().sources).toEqual([])
  })
})
