/**
 * Lists of our own sources cross in one call, and so do a response and the options beside it. Nothing of that may show.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CitationSource, RenderOptions } from '../index.js'
import {
  CitationService,
  dedupeCitations,
  layoutCitationBlock,
  renderCitationBlock,
  renderCitations,
} from '../load.js'
import { source } from './arbitrary-sources.js'

const plain = { links: 'plain' } as const
const json = (sources: unknown) => JSON.stringify({ text: '', sources })
const block = (sources: unknown, options: RenderOptions = plain) =>
  renderCitationBlock({ text: '', sources: sources as CitationSource[] }, options)
const page = (n: number) => ({ title: `Page ${n}`, url: `https://a.example/${n}` })

const item = fc.oneof(
  { weight: 6, arbitrary: source },
  fc.constantFrom(null, 7, 'https://a.example/1', []),
)

describe('a list of sources', () => {
  for (const count of [0, 1, 2, 3, 64, 65, 200, 5000]) {
    test(`of ${count} is read like its JSON`, () => {
      const pages = Array.from({ length: count }, (_, n) => page(n))
      expect(block(pages)).toBe(renderCitationBlock(json(pages) as never, plain))
      expect(block(pages).split('\n')).toHaveLength(count === 0 ? 1 : count + 1)
      expect(dedupeCitations(pages)).toHaveLength(count)
    })
  }

  test('of any sources is read like its JSON', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 8 }), (sources) => {
        const text = json(sources)
        // What cannot be said in JSON is not in these, but for halves of characters, which it escapes.
        const payload = { text: '', sources: sources as CitationSource[] }
        expect(renderCitationBlock(payload, plain)).toBe(renderCitationBlock(text as never, plain))
        expect(layoutCitationBlock(payload)).toEqual(layoutCitationBlock(text as never))
        expect(dedupeCitations(sources as CitationSource[])).toEqual(dedupeCitations(text as never))
        const [one, other] = [payload, text].map((input) => {
          const turn = new CitationService().startTurn()
          return [turn.merge('agent', input as never), turn.finish().sources]
        })
        expect(one).toEqual(other)
      }),
      { numRuns: 300 },
    )
  })

  test('with getters that throw and proxies loses no more than those', () => {
    const throwing = {
      ...page(1),
      get citedText(): string {
        throw new Error('no')
      },
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const sources = [page(0), throwing, proxy, new Proxy(page(3), {}), page(4)]
    expect(block(sources).match(/Page \d/g)).toEqual(['Page 0', 'Page 1', 'Page 3', 'Page 4'])
  })

  test('is not written with a wrong option, and is right after it', () => {
    const wrong = { ...plain, showInlineSources: 'yes' } as never
    const sources = [page(0), page(1)]
    expect(() => block(sources, wrong)).toThrow(/showInlineSources.*'yes'/)
    expect(() => block(sources, wrong)).toThrow(TypeError)
    expect(block(sources)).toBe(renderCitationBlock(json(sources) as never, plain))
  })

  test('may call us while it is read', () => {
    let inner = ''
    const calling = {
      url: 'https://a.example/1',
      get title() {
        inner = block([page(7), page(8)])
        return 'Calling'
      },
    }
    expect(block([page(0), calling, page(2)])).toBe(
      block([page(0), { ...page(1), title: 'Calling' }, page(2)]),
    )
    expect(inner).toBe(block([page(7), page(8)]))
  })
})

describe('a response and its options', () => {
  const response = {
    candidates: [
      {
        groundingMetadata: {
          groundingChunks: [0, 1, 2].map((n) => ({
            web: { uri: `https://a.example/${n}`, title: `P ${n}` },
          })),
        },
      },
    ],
  }
  const expected = renderCitations(JSON.stringify(response), plain)

  test('say the same in one crossing as apart', () => {
    for (const options of [
      plain,
      { ...plain, maxSources: 2 },
      { ...plain, width: 30 },
      { links: 'osc8', terminator: 'st' },
      { ...plain, alreadyShown: ['https://a.example/1'] },
      { ...plain, documents: true },
      { ...plain, groupByDocument: true },
    ] as const) {
      expect(renderCitations(response, options)).toBe(
        renderCitations(JSON.stringify(response), options),
      )
    }
    expect(renderCitations(response, Object.create({ links: 'plain' }))).toBe(expected)
    expect(renderCitations(response, new Proxy({ ...plain }, {}))).toBe(expected)
  })

  test('are still checked', () => {
    expect(() => renderCitations(response, { links: 'no' as never })).toThrow(TypeError)
    expect(() => renderCitations(response, { maxSources: -1 })).toThrow(/maxSources.*-1/)
    expect(() => renderCitations(response, 'plain' as never)).toThrow(TypeError)
  })

  test('may throw, call us, or be the same object', () => {
    const throwing = {
      ...plain,
      get width(): number {
        throw new Error('no')
      },
    }
    expect(renderCitations(response, throwing)).toBe(expected)
    let inner = ''
    const calling = {
      get links() {
        inner = renderCitations(response, plain)
        return 'plain' as const
      },
    }
    expect(renderCitations(response, calling)).toBe(expected)
    expect(inner).toBe(expected)
    const both = { ...response, ...plain }
    expect(renderCitations(both, both)).toBe(expected)
  })
})
