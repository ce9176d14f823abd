/** No text costs more than linear time, up to 10 MB. */
import { describe, test } from 'vitest'
import { type FormatMarkersOptions, insertMarkers, markers } from '../index.js'
import { expectLinear } from './growth.ts'

const LARGE = 10_000_000

/** A piece again and again, so many units of it. */
const filled = (piece: string) => (size: number) => piece.repeat(Math.ceil(size / piece.length))

/** Runs of backticks, each longer than the one before. */
function growingRuns(size: number): string {
  const runs: string[] = []
  for (let length = 0; length < size; length += runs.length + 1)
    runs.push('`'.repeat(runs.length + 1))
  return runs.join(' ')
}

const HOSTILE: [string, (size: number) => string][] = [
  ['brackets that open', filled('[')],
  ['brackets that close', filled(']')],
  ['brackets in brackets', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['a number in brackets in brackets', (size) => `${'['.repeat(size / 2)}1${']'.repeat(size / 2)}`],
  ['digits', filled('1')],
  ['digits in a bracket', (size) => `[${'1'.repeat(size)}]`],
  ['numbers in a bracket', (size) => `[${'1, '.repeat(size / 3)}1]`],
  ['numbers in brackets that never close', filled('[1, ')],
  ['starts of the private-use form', filled('\ue200')],
  ['ids of the private-use form that never end', filled('\ue200cite\ue202a')],
  ['one id of the private-use form', (size) => `\ue200cite\ue202${'a'.repeat(size)}`],
  ['lenticular brackets', filled('【1†')],
  ['raised digits', filled('¹')],
  ['backticks', filled('`')],
  ['runs of backticks that grow', growingRuns],
  [
    'runs of backticks that grow, again and again',
    (size) => `${growingRuns(3000)}\n\n`.repeat(size / 3000),
  ],
  ['runs of backticks of two lengths', filled('` `` ')],
  ['backticks behind code that is open', (size) => `\`a ${'`'.repeat(size)}`],
  ['fences', filled('```\n')],
  ['links that never end', filled('[1](')],
  ['links with parentheses that never end', filled('[a](((')],
  ['one address', (size) => `[1](${'a'.repeat(size)}`],
  ['titles that never end', filled('[a](b "')],
  ['pictures that never end', filled('![')],
  ['angle brackets', filled('<')],
  ['tags that never end', filled('<a b="')],
  ['comments that never end', filled('<!--')],
  ['backslashes', filled('\\')],
  ['line ends', filled('\n')],
  ['blanks', filled(' ')],
  ['quotations', filled('> ')],
  ['quotations in every line', filled(`${'> '.repeat(70)}a\n`)],
  ['lists in lists', filled('- ')],
  ['definitions', filled('[1]: b\n')],
  ['words with subscripts', filled('a[1].x ')],
]

const REMOVE: FormatMarkersOptions = { format: 'remove' }

describe('10 MB of', () => {
  test.each(HOSTILE)('%s', (_, make) => {
    expectLinear(LARGE, (size) => {
      const text = make(size)
      return () => markers.formatMarkers(text, null, REMOVE)
    })
  })
})

describe('1 MB, in pieces of 100 characters, of', () => {
  test.each(HOSTILE)('%s', (_, make) => {
    expectLinear(LARGE / 10, (size) => {
      const text = make(size)
      return () => {
        const stream = new markers.MarkerStream(null, REMOVE)
        for (let at = 0; at < text.length; at += 100) stream.push(text.slice(at, at + 100))
        stream.finish()
      }
    })
  })
})

describe('markers that are put into', () => {
  const anchors = [{ start: 0, end: 3, text: '', sources: [1] }]
  test.each<[string, string]>([
    ['addresses in an address', 'http://'],
    ['addresses', 'https://a.example/ '],
    ['colons', '://'],
  ])('%s', (_, piece) => {
    expectLinear(1_000_000, (size) => {
      const text = filled(piece)(size)
      return () => insertMarkers(text, { anchors })
    })
  })
})

describe('markers that are found', () => {
  test.each<[string, string]>([
    ['one after the other', '[1]'],
    ['with blanks between them', '[1] '],
    ['behind words', 'Paris[1], '],
    ['in emoji', '😀[1]'],
    ['in paragraphs', 'A [1].\n\n'],
  ])('%s', (_, piece) => {
    expectLinear(400_000, (size) => {
      const text = filled(piece)(size)
      return () => markers.parseMarkers(text)
    })
  })

  test.each(['brackets', 'superscript', 'inline-links', 'remove'] as const)('as %s', (format) => {
    const sources = Array.from({ length: 900 }, (_, at) => ({ url: `https://s${at}.example/` }))
    expectLinear(2_000_000, (size) => {
      const text = Array.from({ length: size / 10 }, (_, at) => `a [${(at % 990) + 1}]. `).join('')
      return () =>
        markers.formatMarkers(text, sources, { format, dangling: 'flag', renumber: true })
    })
  })
})
