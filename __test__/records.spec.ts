/**
 * Long lists of live records are fetched in one call. Nothing of that may show: what is read is what their JSON says,
 * and records that are not as usual are read like any other.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CitationService, extractGeminiCitations, renderCitations } from '../load.js'

type Chunk = { web?: Record<string, unknown> } & Record<string, unknown>

const chunk = (n: number): Chunk => ({
  web: { uri: `https://a.example/${n}`, title: `Page ${n}` },
})
const chunks = (count: number) => Array.from({ length: count }, (_, n) => chunk(n))
const response = (groundingChunks: unknown, groundingSupports: unknown = []) => ({
  candidates: [
    {
      content: { parts: [{ text: 'One. Two. Three.' }] },
      groundingMetadata: { groundingChunks, groundingSupports },
    },
  ],
})
const payload = (input: object | string) => {
  const turn = new CitationService().startTurn()
  turn.push(input)
  return turn.finish()
}
const titles = (input: object) => extractGeminiCitations(input).map(({ title }) => title)

describe('a list of records', () => {
  for (const count of [0, 1, 2, 3, 63, 64, 65, 700, 5000]) {
    test(`of ${count} is read like its JSON`, () => {
      const whole = response(chunks(count))
      expect(extractGeminiCitations(whole)).toEqual(extractGeminiCitations(JSON.stringify(whole)))
      expect(extractGeminiCitations(whole)).toHaveLength(count)
      expect(renderCitations(whole, { links: 'plain' })).toBe(
        renderCitations(JSON.stringify(whole), { links: 'plain' }),
      )
    })
  }

  test('keeps apart what half a character at the end of one text and at the start of the next would make', () => {
    const halves = [
      { web: { title: 'a\ud83d', uri: 'https://a.example/1' } },
      { web: { title: '\ude00b', uri: 'https://a.example/2' } },
      { web: { title: '漢字 😀', uri: 'https://a.example/3' } },
    ]
    expect(titles(response(halves))).toEqual(['a\ufffd', '\ufffdb', '漢字 😀'])
  })

  test('with holes and nulls keeps the numbers of the others', () => {
    // biome-ignore lint/suspicious/noSparseArray: that is what this is about
    const holey = [chunk(0), , null, chunk(3), undefined, chunk(5)]
    const found = extractGeminiCitations(response(holey))
    expect(found.map(({ location }) => location)).toEqual(
      [0, 3, 5].map((groundingChunkIndex) => ({ type: 'grounding', groundingChunkIndex })),
    )
  })

  test('that is no list of records is nothing', () => {
    for (const odd of [{}, 'abc', 7, true, ['a', 'b'], [1, 2, 3], [[], []], [() => {}, () => {}]]) {
      expect(extractGeminiCitations(response(odd))).toEqual([])
    }
  })
})

describe('a record that is not as usual', () => {
  const among = (odd: unknown) => titles(response([chunk(0), odd, chunk(2)]))

  test('with a value of another type loses that value', () => {
    expect(among({ web: { uri: 7, title: 'Seven' } })).toEqual(['Page 0', 'Seven', 'Page 2'])
    expect(among({ web: { uri: 'https://b.example/', title: {} } })).toEqual([
      'Page 0',
      undefined,
      'Page 2',
    ])
    expect(among({ web: 'no record' })).toEqual(['Page 0', 'Page 2'])
    expect(among({ web: { uri: 7n, title: Symbol('s') } })).toEqual(['Page 0', 'Page 2'])
  })

  test('that names something else than a page is read too', () => {
    const maps = { maps: { uri: 'https://maps.example/x', title: 'A place' } }
    expect(among(maps)).toEqual(['Page 0', 'A place', 'Page 2'])
  })

  test('that is a class, a proxy or has getters is read too', () => {
    class Web {
      get uri() {
        return 'https://c.example/'
      }
      get title() {
        return 'Of a class'
      }
    }
    expect(among({ web: new Web() })).toEqual(['Page 0', 'Of a class', 'Page 2'])
    expect(among(new Proxy(chunk(1), {}))).toEqual(['Page 0', 'Page 1', 'Page 2'])
    const list = new Proxy(chunks(3), {})
    expect(titles(response(list))).toEqual(['Page 0', 'Page 1', 'Page 2'])
  })

  test('that throws costs what throws, and nothing else', () => {
    const throwing = {
      web: {
        uri: 'https://b.example/',
        get title(): string {
          throw new Error('no')
        },
      },
    }
    expect(among(throwing)).toEqual(['Page 0', undefined, 'Page 2'])
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(among(proxy)).toEqual(['Page 0', 'Page 2'])
  })

  test('may call us while it is read', () => {
    const inner = response(chunks(4))
    let seen: unknown
    const calling = {
      web: {
        uri: 'https://b.example/',
        get title() {
          seen = titles(inner)
          return 'Outer'
        },
      },
    }
    expect(among(calling)).toEqual(['Page 0', 'Outer', 'Page 2'])
    expect(seen).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3'])
  })

  test('may shorten the list while it is read', () => {
    const list = chunks(6)
    Object.defineProperty(list[1]!.web!, 'title', {
      get() {
        list.length = 2
        return 'Last'
      },
    })
    expect(titles(response(list))).toEqual(['Page 0', 'Last'])
  })
})

describe('supports', () => {
  const support = (more: object) => ({
    segment: { startIndex: 5, endIndex: 9, text: 'Two.' },
    groundingChunkIndices: [1],
    ...more,
  })
  const anchors = (supports: unknown[]) => payload(response(chunks(3), supports)).anchors

  for (const [name, supports] of Object.entries({
    'as usual': [support({}), support({ groundingChunkIndices: [0, 2] })],
    'with scores': [support({ confidenceScores: [0.25, 0.75] }), support({})],
    'in the other spelling': [
      {
        segment: { start_index: 5, end_index: 9, text: 'Two.' },
        grounding_chunk_indices: [1],
      },
      { segment: { end_index: 4, text: 'One.' }, grounding_chunk_indices: [0] },
    ],
    'in both spellings at once': [
      support({ segment: { startIndex: 0, start_index: 5, endIndex: 9 } }),
      support({ groundingChunkIndices: null, grounding_chunk_indices: [2] }),
    ],
    'with odd lists': [
      support({ groundingChunkIndices: [null, 1, 'x', 2] }),
      support({ groundingChunkIndices: 1 }),
      support({ groundingChunkIndices: Array.from({ length: 9000 }, (_, n) => n % 3) }),
    ],
    'with numbers that are no places': [
      support({ segment: { startIndex: -1, endIndex: 1e300 } }),
      support({ segment: { startIndex: 5.5, endIndex: 9, partIndex: 0 } }),
    ],
  })) {
    test(`${name} are read like their JSON`, () => {
      const whole = response(chunks(3), supports)
      expect(payload(whole)).toEqual(payload(JSON.stringify(whole)))
    })
  }

  test('with a list that lies about its length are no worse than without', () => {
    const lying = (length: unknown) =>
      new Proxy([1], {
        get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)),
      })
    for (const length of [-5, 1.5, '3', Number.NaN, 1e9, {}]) {
      const found = anchors([support({ groundingChunkIndices: lying(length) }), support({})])
      expect(found.at(-1)?.sources).toContain(2)
    }
  })
})

test('who changes what engines are made of changes nothing here', () => {
  renderCitations(response(chunks(3)), { links: 'plain' })
  const supports = [0, 1, 2].map((n) => ({ segment: { endIndex: 4 }, groundingChunkIndices: [n] }))
  const { isArray } = Array
  Array.isArray = (() => {
    throw new Error('no')
  }) as unknown as typeof Array.isArray
  try {
    const { anchors } = payload(response(chunks(3), supports))
    Array.isArray = isArray
    expect(anchors[0]?.sources).toEqual([1, 2, 3])
  } finally {
    Array.isArray = isArray
  }
})

test('many short lists are read once, as one long list is', () => {
  let reads = 0
  const annotation = (n: number) => ({
    type: 'url_citation',
    get url() {
      reads++
      return `https://a.example/${n}`
    },
  })
  const content = Array.from({ length: 200 }, (_, n) => ({
    ...{ type: 'output_text', text: '' },
    annotations: [annotation(2 * n), annotation(2 * n + 1)],
  }))
  renderCitations({ output: [{ type: 'message', content }] }, { links: 'plain' })
  expect(reads).toBe(400)
})

describe('in a process where engines were changed before we came', () => {
  const MAIN = JSON.stringify(process.env.CITATIONS_ADDON ?? join(__dirname, '../load.js'))
  const BEGIN = `const { renderCitations } = require(${MAIN})
const chunks = [1, 2, 3].map((n) => ({ web: { uri: 'https://a.example/' + n } }))
const block = () => renderCitations({ groundingChunks: chunks }, { links: 'plain' }).split('\\n').length`

  const run = (script: string) =>
    execFileSync(process.execPath, ['-e', `${BEGIN}\n${script}`], { encoding: 'utf8' }).trim()

  test('a list of ours is not given away', () => {
    const script = `const all = Object.getPrototypeOf(Float64Array.prototype)
const { get } = Object.getOwnPropertyDescriptor(all, 'length')
let seen = 0
Object.defineProperty(all, 'length', { get() { seen++; return get.call(this) } })
console.log(block(), seen)`
    expect(run(script)).toBe('4 0')
  })

  test('a getter does not see who calls it', () => {
    const script = `let caller
function title() { caller = title.caller; return 'T' }
Object.defineProperty(chunks[1].web, 'title', { get: title })
console.log(block(), caller)`
    expect(run(script)).toBe('4 null')
  })

  test('a built-in that calls us is no trouble', () => {
    const script = `const { isArray } = Array
let inner
Object.defineProperty(Array, 'isArray', { get() { inner ??= block(); return isArray } })
console.log(block(), inner)`
    expect(run(script)).toBe('4 4')
  })
})
