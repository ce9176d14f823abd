/**
 * Untrusted sources: text that cannot steer a terminal or read otherwise than it is, addresses that
 * lead to the web or nowhere, and nothing that changes when it is cleaned again.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CitationSource,
  extractGeminiCitations,
  renderCitationBlock,
  sanitizeCitationSource,
} from '../index.js'
import { at, block, lines } from './blocks.js'
import { charactersOf, isControl, osc8, readScreen } from './screen.js'

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))

const BREAKS = ['\t', '\n', '\r']
const REMOVED: [string, string[]][] = [
  ['C0', range(0x00, 0x1f).filter((character) => !BREAKS.includes(character))],
  ['DEL', ['\u007f']],
  ['C1', range(0x80, 0x9f)],
  [
    'bidirectional controls',
    ['\u061c', '\u200e', '\u200f', ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
  ],
  ['zero-width characters', ['\u200b', '\u2060', '\ufeff']],
  ['line and paragraph separators', ['\u2028', '\u2029']],
  ['citation marks of OpenAI', range(0xe200, 0xe206)],
  ['tag characters', range(0xe0000, 0xe007f)],
]
const UNWANTED = new Set(REMOVED.flatMap(([, characters]) => characters))

const title = (raw: string) => sanitizeCitationSource({ title: raw }).title
const citedText = (raw: string) => sanitizeCitationSource({ citedText: raw }).citedText

describe('text', () => {
  test.each(REMOVED)('%s are removed', (_, characters) => {
    for (const character of characters) {
      const shown = `U+${character.codePointAt(0)!.toString(16)}`
      expect(title(`a${character}b`), shown).toBe('ab')
      expect(title(`${character}漢${character}字${character}`), shown).toBe('漢字')
    }
  })

  test('all twelve bidirectional controls are meant', () => {
    expect(REMOVED[3]![1]).toHaveLength(12)
  })

  test.each([
    ['joiners', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 👩‍👩‍👧‍👦'],
    ['variation selectors', '❤️ ☂︎'],
    ['combining marks', 'e\u0301 o\u0308\u0323'],
    ['scripts', 'naïve 漢字 한국어 עברית ไทย'],
    ['typography', '“a” — b… ©'],
    ['no-break space', 'a\u00a0b'],
  ])('%s are kept', (_, text) => {
    expect(title(text)).toBe(text)
  })

  test.each([
    ['a\nb', 'a b'],
    ['a\r\nb', 'a b'],
    ['a\t\tb', 'a b'],
    ['a\n\n\t\r\nb\nc', 'a b c'],
    ['a\n\u200b\nb', 'a b'],
  ])('breaks and tabs become one space: %j', (raw, clean) => {
    expect(title(raw)).toBe(clean)
    expect(citedText(raw)).toBe(clean)
  })

  test('every field of text is cleaned', () => {
    const raw = 'a\u001b[31m\u202eb'
    const clean = 'a[31mb'
    const source: CitationSource = {
      title: raw,
      citedText: raw,
      provider: raw,
      uri: raw,
      domain: raw,
      fileId: raw,
      also: [{ citedText: raw }],
    }
    expect(sanitizeCitationSource(source)).toEqual({
      title: clean,
      citedText: clean,
      provider: clean,
      uri: clean,
      domain: clean,
      fileId: clean,
      also: [{ citedText: clean }],
    })
  })

  test('what is blank is left out', () => {
    expect(sanitizeCitationSource({ title: ' \u200b\n', citedText: '\u001b', url: '' })).toEqual({})
  })

  test('half a surrogate pair becomes the replacement character', () => {
    expect(title('a\ud83db')).toBe('a\ufffdb')
  })

  test('the argument is not changed', () => {
    const source = Object.freeze({ title: 'a\u001bb', url: 'HTTPS://A.example' })
    sanitizeCitationSource(source)
    expect(source).toEqual({ title: 'a\u001bb', url: 'HTTPS://A.example' })
  })

  test.each([
    ['marks on both sides of what is removed', `a${'\u0301'.repeat(8)}\u200b${'\u0301'.repeat(8)}`],
    ['breaks on both sides of what is removed', 'a\n\u001b\nb'],
    ['a flag around what is removed', '🇩\u200b🇪'],
  ])('cleaning again changes nothing: %s', (_, raw) => {
    const once = sanitizeCitationSource({ title: raw })
    expect(sanitizeCitationSource(once)).toEqual(once)
  })
})

describe('excerpts end after 200 characters as a reader counts them', () => {
  test.each([
    ['ASCII', 'x'],
    ['umlauts', 'ü'],
    ['ideographs', '漢'],
    ['emoji', '😀'],
    ['emoji families', '👩‍👩‍👧‍👦'],
    ['skin tones', '👍🏽'],
    ['flags', '🇩🇪'],
    ['combining marks', 'e\u0301'],
    ['syllables of several letters', '각'.normalize('NFD')],
  ])('%s', (_, character) => {
    expect(citedText(character.repeat(199))).toBe(character.repeat(199))
    expect(citedText(character.repeat(200))).toBe(character.repeat(200))
    const cut = `${character.repeat(200)}…`
    expect(citedText(character.repeat(201))).toBe(cut)
    expect(citedText(character.repeat(5000))).toBe(cut)
    expect(citedText(cut)).toBe(cut)
    expect(charactersOf(cut)).toHaveLength(201)
  })

  test('counted after cleaning', () => {
    expect(citedText('x\u001b'.repeat(200))).toBe('x'.repeat(200))
  })

  test('further mentions are cut too', () => {
    const source = { title: 'D', also: [{ citedText: 'y'.repeat(300), location: at.page(1, 2) }] }
    expect(sanitizeCitationSource(source).also).toEqual([
      { citedText: `${'y'.repeat(200)}…`, location: at.page(1, 2) },
    ])
  })

  test('in the block as well', () => {
    const shown = block([{ title: 'D', citedText: 'x'.repeat(201) }])
    expect(shown).toBe(lines('  1. D:', `     > "${'x'.repeat(200)}…"`))
  })
})

const REFUSED = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>1</script>',
  'file:///etc/passwd',
  'ftp://a.example/x',
  'vbscript:msgbox(1)',
  'mailto:a@b.example',
  'ws://a.example/',
  'view-source:https://a.example/',
  '//a.example/x',
  'a.example/x',
  'https://',
  'https://a b.example/',
  'https://user@a.example/',
  'https://user:secret@a.example/',
  'https://:secret@a.example/',
  'https://good.example@evil.example/',
  'https://a.example/\u001b]8;;https://evil.example\u0007',
  'https://a.exa\u0007mple/',
  'https://a.\nexample/',
  'https://a.example/\tx',
  'https://a.example/x\u009by',
  'https://a.example/\u007f',
  'https://a.example/\u0000',
]

const LINKED: [string, string][] = [
  ['https://a.example/x', 'https://a.example/x'],
  ['http://a.example/x', 'http://a.example/x'],
  ['https://a.example', 'https://a.example/'],
  ['HTTPS://EN.Example/Path', 'https://en.example/Path'],
  ['https://a.example:443/', 'https://a.example/'],
  ['https://a.example:8443/', 'https://a.example:8443/'],
  ['  https://a.example/x  ', 'https://a.example/x'],
  ['https://a.example/a b', 'https://a.example/a%20b'],
  ['https://a.example/?q=a b#c d', 'https://a.example/?q=a%20b#c%20d'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https://аpple.example/', 'https://xn--pple-43d.example/'],
  ['https://a.example/x\u202egpj.exe', 'https://a.example/x%E2%80%AEgpj.exe'],
  ['https://a.example/\u200bx', 'https://a.example/%E2%80%8Bx'],
  ['https://a.example/x/../y', 'https://a.example/y'],
  ['https://a.example/@user', 'https://a.example/@user'],
  ['https://a.example/?mail=a@b.example', 'https://a.example/?mail=a@b.example'],
  ['https://a.example/Rust_(language)', 'https://a.example/Rust_(language)'],
  ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
]

/** Named without the characters that make them dangerous to print. */
const REFUSALS = REFUSED.map((url): [string, string] => {
  const spelled = (one: string) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`
  return [[...url].map((one) => (isControl(one) ? spelled(one) : one)).join(''), url]
})

describe('addresses', () => {
  test.each(REFUSALS)('refused: %s', (_, url) => {
    const clean = sanitizeCitationSource({ title: 'Name', url })
    expect(clean).not.toHaveProperty('url')
    expect(clean.title).toBe('Name')
    const source = { title: 'Name', url }
    expect(block([source, source], { links: 'osc8' })).toBe(lines('  1. Name', '  2. Name'))
    expect(block([source], { links: 'markdown' })).toBe(lines('  1. Name'))
  })

  // What is left of an address without its control characters is another address.
  test.each(REFUSALS)('never linked when what was refused is read again: %s', (_, url) => {
    for (const source of [{ url }, { title: 'Name', url }]) {
      const once = sanitizeCitationSource(source)
      expect(sanitizeCitationSource(once)).toEqual(once)
      expect(block([once], { links: 'osc8' })).not.toContain('\u001b')
    }
    const response = { groundingChunks: [{ web: { uri: url, title: 'Name' } }] }
    expect(block(extractGeminiCitations(response), { links: 'osc8' })).toBe(lines('  1. Name'))
  })

  test('a refused address is the name of a source without any', () => {
    expect(sanitizeCitationSource({ url: 'javascript:alert(1)' })).toEqual({
      title: 'javascript:alert(1)',
      uri: 'javascript:alert(1)',
    })
  })

  test('as documented', () => {
    const source = { title: 'a\u001b[31mb', url: 'javascript:alert(1)' }
    expect(sanitizeCitationSource(source)).toEqual({ title: 'a[31mb', uri: 'javascript:alert(1)' })
  })

  test.each(LINKED)('serialised: %j', (raw, url) => {
    expect(sanitizeCitationSource({ url: raw })).toEqual({ url })
    expect(new URL(raw).href).toBe(url)
    expect(block([{ url: raw }], { links: 'osc8' })).toBe(lines(`  1. ${osc8(url, url)}`))
  })

  test('longer than 1000 bytes: shown, not linked', () => {
    const longest = `https://a.example/${'x'.repeat(1000 - 18)}`
    expect(block([{ title: 'A', url: longest }], { links: 'osc8' })).toBe(
      lines(`  1. ${osc8('A', longest)} — ${osc8(longest, longest)}`),
    )
    const longer = `${longest}x`
    expect(block([{ title: 'A', url: longer }], { links: 'osc8' })).toBe(
      lines(`  1. A — ${longer}`),
    )
    expect(sanitizeCitationSource({ url: longer })).toEqual({ url: longer })
  })

  test('bytes are counted in the form that is printed', () => {
    const raw = `https://a.example/${'ü'.repeat(200)}`
    expect(block([{ url: raw }], { links: 'osc8' })).toBe(lines(`  1. ${new URL(raw).href}`))
  })
})

/** Text made of what attacks are made of. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...UNWANTED, ...BREAKS),
        fc.constantFrom(
          '\u001b]8;;',
          '\u001b]0;t\u0007',
          '\u001b[2J',
          '\u009b',
          '\ud800',
          '\udc00',
        ),
        fc.constantFrom('https://', 'http://', 'javascript:', 'a.example', '@', '/', ':', '?', '#'),
        fc.constantFrom(
          '[',
          ']',
          '(',
          ')',
          '"',
          '\u0301',
          '\u200d',
          '👩‍👩‍👧‍👦',
          '漢',
          '…',
          ' ',
          'x',
        ),
        fc.constantFrom('\u0301'.repeat(9), 'x'.repeat(199), 'é'.repeat(301)),
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join('')),
)
const address = fc.oneof(
  hostile,
  hostile.map((rest) => `https://a.example/${rest}`),
  hostile.map((host) => `https://${host}.example/`),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
)
const hostileSource: fc.Arbitrary<CitationSource> = fc.record(
  { title: hostile, url: address, citedText: hostile, uri: address, fileId: hostile },
  { requiredKeys: [] },
)

describe('any source at all', () => {
  test('prints nothing but text and well-formed hyperlinks', () => {
    const width = fc.option(fc.integer({ min: 20, max: 120 }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(hostileSource, { maxLength: 4 }), width, (sources, width) => {
        for (const terminator of ['bel', 'st'] as const) {
          const output = block(sources, { links: 'osc8', terminator, width })
          const pieces = readScreen(output, terminator).flat()
          for (const { text, url } of pieces) {
            expect([...text].filter((character) => UNWANTED.has(character))).toEqual([])
            if (url === undefined) continue
            expect(url).toMatch(/^https?:\/\/[^@/]+\//)
            // Runtimes know different editions of Unicode, so not all agree on foreign host names.
            if (!url.includes('xn--')) expect(new URL(url).href).toBe(url)
          }
        }
        for (const links of ['plain', 'markdown'] as const) {
          const output = renderCitationBlock({ text: '', sources }, { links, width })
          const odd = [...output].filter(
            (one) => one !== '\n' && (isControl(one) || UNWANTED.has(one)),
          )
          expect(odd).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  test('is the same when it is cleaned again', () => {
    fc.assert(
      fc.property(hostileSource, (source) => {
        const once = sanitizeCitationSource(source)
        expect(sanitizeCitationSource(once)).toEqual(once)
      }),
      { numRuns: 1000 },
    )
  })

  test('has an excerpt of at most 200 characters and a mark', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = citedText(text.repeat(3)) ?? ''
        expect(charactersOf(clean).length).toBeLessThanOrEqual(201)
      }),
    )
  })
})
