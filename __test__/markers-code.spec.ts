/**
 * Markers never touch code, links or pictures: a span that ends inside one is marked behind it, what is
 * code stays code to the byte, and a marker never becomes a part of either.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { insertMarkers } from '../index.js'

/** `text` with a marker for a span that ends at `end`. */
function marked(text: string, end: number): string {
  return insertMarkers(text, { anchors: [{ start: 0, end, text: '', sources: [1] }] })
}

const INLINE: [string, string][] = [
  ['code', '`arr[0][1] = 2`'],
  ['code with a backtick in it', '``a ` b[0]``'],
  ['code over two lines', '`a\nb[0]`'],
  ['a link', '[words](https://a.example/x)'],
  ['a link in parentheses, as OpenAI writes it', '([a.example](https://a.example/x))'],
  ['a link with a title', '[words](https://a.example/x "A title")'],
  ['a link with code in it', '[`f[0]`](https://a.example/x)'],
  ['a picture', '![words](https://a.example/x.png)'],
  ['a picture in a link', '[![words](https://a.example/x.png)](https://a.example/)'],
  ['an address in angle brackets', '<https://a.example/x?y=[1]>'],
  ['a mail address in angle brackets', '<someone@a.example>'],
]

describe('inside a line', () => {
  test.each(INLINE)('%s is marked behind it', (_, solid) => {
    // Parentheses around a link are no part of it, and a marker right before them would be a link.
    const skip = solid.startsWith('(') ? 1 : 0
    const text = `See ${solid} now.`
    for (let end = 5 + skip; end < 4 + solid.length - skip; end++) {
      const at = 4 + solid.length - skip
      expect(marked(text, end), `ends at ${end}`).toBe(`${text.slice(0, at)}[1]${text.slice(at)}`)
    }
    if (!skip) expect(marked(text, 4)).toBe(`See [1]${solid} now.`)
    expect(marked(text, 4 + solid.length)).toBe(`See ${solid}[1] now.`)
  })

  test('a reference to a link is marked behind it', () => {
    const text = 'See [words][ref] now.\n\n[ref]: https://a.example/x'
    for (let end = 5; end <= 16; end++) {
      expect(marked(text, end), `ends at ${end}`).toBe(text.replace('[ref] now', '[ref][1] now'))
    }
  })

  test('a bare address is never cut', () => {
    const url = 'https://a.example/x/y'
    const text = `See ${url} now.`
    for (let end = 5; end < 4 + url.length; end++) {
      expect(marked(text, end), `ends at ${end}`).toContain(url)
    }
  })

  test('backticks that never close are no code', () => {
    expect(marked('A `tick and more', 7)).toBe('A `tick[1] and more')
  })

  test('emphasis is no obstacle', () => {
    expect(marked('It is **bold** now', 12)).toBe('It is **bold[1]** now')
    expect(marked('It is **bold** now', 14)).toBe('It is **bold**[1] now')
  })

  test.each(['It was found(1887).', 'It was found([a.example](https://a.example/)).'])(
    'a marker does not become a link with what follows: %s',
    (text) => {
      const out = marked(text, 12)
      expect(out).not.toContain('[1](')
      expect(out.replace('[1]', '').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    },
  )
})

/** What stands before a block of code, and the block. */
const BLOCKS: [string, string, string][] = [
  ['a fence', 'Words.\n\n', '```\nx[0] = 1\n```'],
  ['a fence with a language', 'Words.\n\n', '```ts\nconst a = b[0]\n\nc()\n```'],
  ['a fence right behind words', 'Words:\n', '```\nx[0] = 1\n```'],
  ['a fence of tildes', 'Words.\n\n', '~~~\nx[0]\n~~~'],
  ['a fence of tildes around backticks', 'Words.\n\n', '~~~md\n```\nx\n```\n~~~'],
  ['a longer fence around a shorter', 'Words.\n\n', '````\n```\nx[0]\n```\n````'],
  ['a fence without a line', 'Words.\n\n', '```\n```'],
  ['a fence that is indented', 'Words.\n\n   ', '```\n   x[0]\n   ```'],
  ['a fence in a quotation', 'Words.\n\n> ', '```\n> x[0]\n> ```'],
  ['a fence in a list', '- item\n\n  ', '```\n  x[0]\n  ```'],
  ['indented code', 'Words.\n\n', '    x[0] = 1\n    y[2]'],
  ['indented code with a blank line', 'Words.\n\n', '    x[0] = 1\n\n    y[2]'],
  ['code indented by a tab', 'Words.\n\n', '\tx[0] = 1'],
]

describe('blocks of code', () => {
  /** That the block still stands there to the byte on lines of its own, and that nothing was lost. */
  function expectWhole(out: string, before: string, block: string, text: string): void {
    const line = before.slice(before.lastIndexOf('\n') + 1)
    // Indented code right below words would be words.
    const gap = /^\s/.test(block) ? '\n\n' : '\n'
    expect(`${out}\n`).toContain(`${gap}${line}${block}\n`)
    const words = (text: string) => text.replace(/\n+/g, '\n').trimEnd()
    expect(words(out.replace('[1]', ''))).toBe(words(text))
    expect(out).toContain('[1]')
  }

  for (const [where, behind] of [
    ['in the middle of a text', '\n\nWords behind.'],
    ['at the end of a text', ''],
    ['right before words', '\nWords behind.'],
  ] as const) {
    test.each(BLOCKS)(`%s ${where} is marked behind it`, (_, before, block) => {
      const text = before + block + behind
      for (let end = before.length + 1; end <= before.length + block.length; end++) {
        const out = marked(text, end)
        expectWhole(out, before, block, text)
        expect(out.indexOf('[1]')).toBeGreaterThan(out.indexOf(block))
      }
    })

    test.each(BLOCKS)(`%s ${where} begins on its own line`, (_, before, block) => {
      const text = before + block + behind
      for (let end = before.trimEnd().length; end <= before.length; end++) {
        expectWhole(marked(text, end), before, block, text)
      }
    })
  }

  test.each<[string, string, number]>([
    ['a fence', 'Words.\n\n```js\nx[0] = 1\n', 8],
    ['a fence of tildes', 'Words.\n\n~~~\nx[0] = 1', 8],
    ['a fence that other marks do not close', 'Words.\n\n```\nx[0]\n~~~', 8],
    ['a fence that a shorter one does not close', 'Words.\n\n````\nx[0]\n```', 8],
    ['a fence whose end has words behind it', 'Words.\n\n```\nx[0]\n``` no', 8],
    ['a fence right behind words', 'Words:\n```\nx[0]', 7],
    ['a fence of which only the marks are there', 'Words.\n\n```', 8],
  ])('%s that is still open takes no marker', (_, text, start) => {
    for (let end = start + 1; end <= text.length; end++) {
      expect(marked(text, end), `ends at ${end}`).toBe(text)
    }
    expect(marked(text, 5)).toBe(`${text.slice(0, 5)}[1]${text.slice(5)}`)
  })

  test('line breaks of two characters', () => {
    const block = '```\r\nx[0]\r\n```'
    const text = `Words.\r\n\r\n${block}\r\n\r\nMore.`
    for (let end = 11; end < 10 + block.length; end++) {
      const out = marked(text, end)
      expect(out, `ends at ${end}`).toContain(block)
      expect(out.indexOf('[1]')).toBeGreaterThan(out.indexOf(block))
      expect(out.replace('[1]', '').replace(/[\r\n]+/g, '\n')).toBe(text.replace(/[\r\n]+/g, '\n'))
    }
  })
})

describe('tables', () => {
  const table = '| Name | `a[0]` |\n|------|--------|\n| Köln | **old** |'

  test.each<[string, string, string]>([
    ['behind the words of a cell', '| Köln', '| Köln[1] |'],
    ['behind emphasis in a cell', '**old**', '**old**[1] |'],
    ['behind code in a cell', '`a[0]`', '`a[0]`[1] |'],
  ])('%s', (_, words, expected) => {
    const out = marked(table, table.indexOf(words) + words.length)
    expect(out).toContain(expected)
    expect(out.replace('[1]', '')).toBe(table)
  })

  test('inside code in a cell', () => {
    expect(marked(table, table.indexOf('[0]') + 1)).toContain('| `a[0]`[1] |')
  })
})

test('whatever the spans, code and links are the same and nothing is lost', () => {
  const solid = ['`arr[0][1] = 2`', '[l](https://a.example/)', '![i](https://a.example/i.png)']
  const fences = ['```js\nx[0][1]\n```', '~~~\ny[2]\n~~~', '    indented[0]\n    more[1]']
  const line = fc
    .array(fc.constantFrom('words', 'naïve', '😀', '漢字', ...solid), {
      minLength: 1,
      maxLength: 5,
    })
    .map((words) => words.join(' '))
  const blocks = fc.array(fc.oneof(line, fc.constantFrom(...fences)), {
    minLength: 1,
    maxLength: 6,
  })
  const ends = fc.array(fc.nat({ max: 200 }), { maxLength: 5 })
  const count = (text: string, piece: string) => text.split(piece).length - 1
  fc.assert(
    fc.property(blocks, ends, (list, places) => {
      // Indented code next to indented code would be one block with a gap.
      const text = list.map((block) => `${block}\n\nAnd\n\n`).join('')
      const anchors = places.map((end, at) => ({ start: 0, end, text: '', sources: [700 + at] }))
      const out = insertMarkers(text, { anchors })
      const words = (text: string) => text.replace(/\n+/g, '\n').trim()
      expect(words(out.replace(/\[70\d\]/g, ''))).toBe(words(text))
      for (const piece of solid) expect(count(out, piece)).toBe(count(text, piece))
      for (const fence of fences) {
        // Indented code right below words would be words.
        const gap = fence.startsWith(' ') ? '\n\n' : '\n'
        const kept = count(`\n\n${out}`, `${gap}${fence}\n`)
        expect(kept, JSON.stringify(out)).toBe(count(text, fence))
      }
    }),
    { numRuns: 500 },
  )
})
