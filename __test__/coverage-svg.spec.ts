/**
 * The picture of coverage as SVG: well-formed XML by a strict reading, with the answer in it word for
 * word, its anchored passages behind coloured boxes, and nothing that could run or be loaded.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CitationAnchor, CitationService, grounding } from '../index.js'
import { ANSWER_A, TEST_A } from './grounded-answers.js'

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
  parent?: string
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const NAME = '[A-Za-z_][A-Za-z0-9_.:-]*'
const TAG = new RegExp(`<(/?)(${NAME})((?:\\s+${NAME}="[^"<]*")*)\\s*(/?)>`, 'y')
const ATTRIBUTE = new RegExp(`(${NAME})="([^"<]*)"`, 'g')

/** Text with its entities replaced; throws at an ampersand that starts none. */
function unescaped(text: string): string {
  return text.replace(/&([^;]{0,8};?)/g, (_, entity: string) => {
    const plain = ENTITIES[entity.replace(/;$/, '')]
    if (!entity.endsWith(';') || plain === undefined) throw new Error(`no entity: &${entity}`)
    return plain
  })
}

/** All elements in order. Knows elements, attributes and text: anything else in XML is refused. */
function parse(xml: string): Element[] {
  // What XML 1.0 calls a character.
  expect(xml).toMatch(/^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u)
  const all: Element[] = []
  const open: Element[] = []
  let at = 0
  while (at < xml.length) {
    if (xml[at] !== '<') {
      const end = xml.indexOf('<', at) < 0 ? xml.length : xml.indexOf('<', at)
      const text = xml.slice(at, end)
      if (open.length === 0 && text.trim() !== '') throw new Error(`text outside: ${text}`)
      if (text.includes(']]>')) throw new Error('the end of a section that was not opened')
      const holder = open.at(-1)
      if (holder) holder.text += unescaped(text)
      at = end
      continue
    }
    TAG.lastIndex = at
    const [whole, closing, name, fields, empty] = TAG.exec(xml) ?? []
    if (!whole || !name) throw new Error(`no tag: ${xml.slice(at, at + 40)}`)
    at += whole.length
    if (closing) {
      if (fields || open.pop()?.name !== name) throw new Error(`closed too much: ${name}`)
      continue
    }
    if (open.length === 0 && all.length > 0) throw new Error('a second root')
    const pairs = Array.from(fields!.matchAll(ATTRIBUTE), ([, key, value]) => [
      key!,
      unescaped(value!),
    ])
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length)
      throw new Error('an attribute twice')
    const parent = open.at(-1)?.name
    const element = {
      name,
      attributes: Object.fromEntries(pairs),
      text: '',
      ...(parent && { parent }),
    }
    all.push(element)
    if (!empty) open.push(element)
  }
  if (open.length > 0) throw new Error(`left open: ${open.map(({ name }) => name).join(' ')}`)
  return all
}

/** Nothing in it but a picture: no script, no handler, no address, nothing foreign. */
function expectHarmless(elements: Element[]): void {
  const foreign = elements.filter(({ name }) => !/^(rect|style|svg|text)$/.test(name))
  expect(foreign).toEqual([])
  const attributes = elements.flatMap(({ attributes }) => Object.entries(attributes))
  const active = attributes.filter(([name, value]) => {
    if (/^on|href|^src$|^style$/i.test(name)) return true
    if (/^(x|y|width|height|textLength)$/.test(name)) return !/^\d+%?$/.test(value)
    return name !== 'xmlns' && /url\(|javascript:|https?:/i.test(value)
  })
  expect(active).toEqual([])
  const styles = elements.filter(({ name }) => name === 'style')
  expect(styles).toHaveLength(1)
  expect(styles[0]!.text).not.toMatch(/@import|url\(|expression/i)
}

type Payload = { anchors: CitationAnchor[] }

function span(text: string, words: string, ...sources: number[]): CitationAnchor {
  const start = text.indexOf(words)
  return { start, end: start + words.length, text: words, sources }
}

function testA(): Payload {
  const turn = new CitationService().startTurn()
  turn.push(TEST_A)
  return turn.finish()
}

const unblanked = (text: string) => text.replace(/\s/g, '')

/** What is written, what of it lies on a box, and the numbers; of the rows below the caption. */
function written(elements: Element[]) {
  const below = elements.filter(({ name, parent }) => name !== 'style' && parent === 'svg')
  const [caption, ...texts] = below.filter(({ name }) => name === 'text')
  const boxes = below.filter(({ attributes }) => attributes.class === 'span')
  const boxed = texts.filter((text) => {
    // The box is drawn right before what lies on it.
    const { class: kind, x, width } = below[below.indexOf(text) - 1]!.attributes
    return kind === 'span' && x === text.attributes.x && width === text.attributes.textLength
  })
  const plain = texts.filter(({ attributes }) => attributes.class === 'text')
  const marks = texts.filter(({ attributes }) => attributes.class === 'mark')
  const join = (list: Element[]) => list.map(({ text }) => text).join('')
  return {
    caption: caption!.text,
    boxes,
    answer: join(plain),
    boxed: join(boxed),
    marks: join(marks),
  }
}

describe('test A', () => {
  const payload = testA()
  const elements = parse(grounding.coverageSvg(ANSWER_A, payload))

  test('is one picture that says what it is', () => {
    const [root] = elements
    expect(root).toMatchObject({
      name: 'svg',
      attributes: { role: 'img', xmlns: 'http://www.w3.org/2000/svg' },
    })
    expect(root!.attributes.viewBox).toMatch(/^0 0 \d+ \d+$/)
    expect(root!.attributes['aria-label']).toBe('89.0 % anchored · 16 spans · 6 sources')
    expect(elements.filter(({ name }) => name === 'style')[0]!.text).toContain(
      'prefers-color-scheme: dark',
    )
    expectHarmless(elements)
  })

  test('holds the answer, its passages on boxes, and the numbers', () => {
    const { caption, answer, boxed, marks } = written(elements)
    expect(caption).toBe('89.0 % anchored · 16 spans · 6 sources')
    expect(unblanked(answer)).toBe(unblanked(ANSWER_A))
    expect(unblanked(boxed)).toBe(unblanked(payload.anchors.map(({ text }) => text).join('')))
    const numbers = payload.anchors.flatMap(({ sources }) => sources.map((one) => `[${one}]`))
    expect(marks).toBe(numbers.join(''))
  })

  test('everything lies inside it', () => {
    for (const width of [20, 40, 80, 120]) {
      const [root, ...rest] = parse(grounding.coverageSvg(ANSWER_A, payload, { width }))
      const [, , across, down] = root!.attributes.viewBox!.split(' ').map(Number)
      const outside = rest.filter(({ attributes: { x, y, width = '0', textLength = '0' } }) => {
        const right = Number(x) + Number(width) + Number(textLength)
        return x !== undefined && (right > across! || Number(y) >= down!)
      })
      expect(outside).toEqual([])
    }
  })

  test('is the same whatever `color` says', () => {
    const draw = (color: boolean) => grounding.coverageSvg(ANSWER_A, payload, { color })
    expect(draw(false)).toBe(draw(true))
  })

  test('80 columns are the default', () => {
    const at80 = grounding.coverageSvg(ANSWER_A, payload, { width: 80 })
    expect(grounding.coverageSvg(ANSWER_A, payload)).toBe(at80)
  })
})

describe('hostile answers', () => {
  test.each([
    '<script>alert(1)</script>',
    '</text></svg><script>alert(1)</script><svg><text>',
    '"/><image href="https://evil.example/x.png"/><rect x="',
    '" onload="alert(1)',
    "' onload='alert(1)",
    ']]><script>alert(1)</script><![CDATA[',
    '<!-- --><?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
    '&lt;b&gt; &amp;amp; &#60;script&#62; &nope;',
    '</style><style>*{background:url(https://evil.example)}',
    'a & b < c > d "e" \'f\'',
    'javascript:alert(1)',
  ])('%j is text', (text) => {
    for (const anchors of [[], [span(text, text, 1)], [span(text, text.slice(1, -1), 1)]]) {
      const elements = parse(grounding.coverageSvg(text, { anchors }, { width: 200 }))
      expectHarmless(elements)
      expect(unblanked(written(elements).answer)).toBe(unblanked(text))
    }
  })

  test.each([
    ['controls', 'a\u0000b\u0001c\u001b[31md\u007fe\u0085f\u009bg', 'abcdefg'],
    ['directions', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['what XML has no characters for', 'a\ufffeb\uffffc', 'abc'],
    ['half a character', 'a\ud800b\udc00c', 'abc'],
    ['line breaks', 'a\r\nb\nc\u2028d', 'abcd'],
  ])('%s leave no mark', (_, text, letters) => {
    const svg = grounding.coverageSvg(text, { anchors: [span(text, text, 1)] })
    const elements = parse(svg)
    expectHarmless(elements)
    expect(svg).not.toMatch(/[\u200f\u202a-\u202e\u2066-\u2069]/)
    expect(
      written(elements)
        .answer.replace(/[^a-z]/g, '')
        .replace('m', ''),
    ).toBe(letters)
  })

  test('any answer with any spans is well-formed and whole', () => {
    const piece = fc.constantFrom(
      'word ',
      '<b>',
      '&',
      '"',
      '漢字',
      '😀',
      'e\u0301',
      '\n',
      ']]>',
      '\u0007',
      '\ud800',
    )
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    const spans = fc.array(fc.tuple(fc.nat(60), fc.nat(60), fc.nat(12)), { maxLength: 6 })
    const widths = fc.integer({ min: 0, max: 130 })
    fc.assert(
      fc.property(texts, spans, widths, (text, list, width) => {
        const anchors = list.map(([start, length, source]) => {
          return { start, end: start + length, text: '', sources: [source] }
        })
        const elements = parse(grounding.coverageSvg(text, { anchors }, { width }))
        expectHarmless(elements)
        const letters = (words: string) => words.replace(/[^a-z漢字&<>\]"]/g, '')
        expect(letters(written(elements).answer)).toBe(letters(text))
      }),
      { numRuns: 300 },
    )
  })
})

describe('the bar', () => {
  const bar = (text: string, anchors: CitationAnchor[], width: number) =>
    parse(grounding.coverageSvg(text, { anchors }, { width }))
      .flatMap(({ attributes }) => /^q([0-4])$/.exec(attributes.class ?? '')?.[1] ?? [])
      .join('')

  test('shows where, in quarters', () => {
    const text = 'abcd'.repeat(20)
    const places = [
      [0, 40],
      [41, 43],
      [47, 48],
    ] as const
    const anchors = places.map(([start, end]) => ({ start, end, text: '', sources: [1] }))
    expect(bar(text, anchors, 20)).toBe('44444444442100000000')
  })

  test.each(['Yes.', 'Maybe not.'])('all of a short answer fills it: %s', (text) => {
    expect(bar(text, [span(text, text, 1)], 20)).toBe('4'.repeat(20))
  })
})

describe('nothing to show', () => {
  test('an empty answer', () => {
    const elements = parse(grounding.coverageSvg('', { anchors: [] }))
    expectHarmless(elements)
    expect(written(elements)).toMatchObject({
      answer: '',
      caption: '0.0 % anchored · 0 spans · 0 sources',
    })
  })

  test.each([undefined, null, 7, 'x', {}, [], { anchors: 'x' }, { anchors: [null, 7, {}] }])(
    'no payload: %j',
    (payload) => {
      const elements = parse(grounding.coverageSvg('Yes.', payload as unknown as Payload))
      expect(written(elements)).toMatchObject({ answer: 'Yes.', boxes: [], marks: '' })
    },
  )
})
