/**
 * The documents that the builders make are, to the byte, what the Messages API takes; bytes become the
 * base64 everybody else makes of them, wherever they lie; and what is no document is refused by name.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropic, type DocumentOptions } from '../index.js'
import { MEADOW, MEADOW_PAYLOAD } from './anthropic-requests.js'

const { customContentDocument, fileDocument, pdfDocument, plainTextDocument } = anthropic

/** The base64 that a PDF document carries. */
function encoded(bytes: Uint8Array): string {
  const { source } = pdfDocument(bytes)
  if (source.type !== 'base64') throw new Error(`bytes became ${source.type}`)
  return source.data
}

const ENABLED = '"citations":{"enabled":true}'

describe('the exact JSON', () => {
  test('is the documented payload, byte for byte', () => {
    const { text, title, context, question } = MEADOW
    const content = [
      plainTextDocument(text, { title, context, citations: true }),
      { type: 'text', text: question },
    ]
    const payload = {
      model: 'claude-opus-4-6',
      max_tokens: 1024,
      messages: [{ role: 'user', content }],
    }
    expect(JSON.stringify(payload, null, 4)).toBe(MEADOW_PAYLOAD.replaceAll('\\/', '/'))
  })

  test.each<[string, object, source: string]>([
    [
      'plain text',
      plainTextDocument('Füße 👍🏽'),
      '{"type":"text","media_type":"text/plain","data":"Füße 👍🏽"}',
    ],
    ['empty text', plainTextDocument(''), '{"type":"text","media_type":"text/plain","data":""}'],
    [
      'bytes of a PDF',
      pdfDocument(new TextEncoder().encode('%PDF-1.7')),
      '{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjc="}',
    ],
    [
      'a PDF in base64',
      pdfDocument('JVBERi0xLjc='),
      '{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjc="}',
    ],
    [
      'a PDF at an https address',
      pdfDocument('https://files.example/report.pdf'),
      '{"type":"url","url":"https://files.example/report.pdf"}',
    ],
    [
      'a PDF at an http address',
      pdfDocument('http://files.example/a b.pdf?x=ü'),
      '{"type":"url","url":"http://files.example/a b.pdf?x=ü"}',
    ],
    [
      'a PDF at an address in capitals',
      pdfDocument('HTTPS://files.example/report.pdf'),
      '{"type":"url","url":"HTTPS://files.example/report.pdf"}',
    ],
    [
      'strings as custom content',
      customContentDocument(['First.', 'Zweiter — 二.']),
      '{"type":"content","content":[{"type":"text","text":"First."},{"type":"text","text":"Zweiter — 二."}]}',
    ],
    [
      'strings and blocks as custom content',
      customContentDocument([{ type: 'text', text: 'First.' }, 'Second.']),
      '{"type":"content","content":[{"type":"text","text":"First."},{"type":"text","text":"Second."}]}',
    ],
    ['no custom content', customContentDocument([]), '{"type":"content","content":[]}'],
    ['a file', fileDocument('file_011CNha8i'), '{"type":"file","file_id":"file_011CNha8i"}'],
  ])('of %s', (_, document, source) => {
    expect(JSON.stringify(document)).toBe(`{"type":"document","source":${source},${ENABLED}}`)
  })

  const cached = '"cache_control":{"type":"ephemeral"'
  const OPTIONS: [DocumentOptions | undefined | null, rest: string][] = [
    [undefined, ENABLED],
    [null, ENABLED],
    [{}, ENABLED],
    [{ title: 'Zoë’s "Report"\n' }, `"title":"Zoë’s \\"Report\\"\\n",${ENABLED}`],
    [{ context: 'Trust it.' }, `"context":"Trust it.",${ENABLED}`],
    [{ context: 'C', title: 'T' }, `"title":"T","context":"C",${ENABLED}`],
    [{ citations: true }, ENABLED],
    [{ citations: false }, '"citations":{"enabled":false}'],
    [{ cacheControl: true }, `${ENABLED},${cached}}`],
    [{ cacheControl: '5m' }, `${ENABLED},${cached},"ttl":"5m"}`],
    [{ cacheControl: '1h' }, `${ENABLED},${cached},"ttl":"1h"}`],
    [{ cacheControl: false }, ENABLED],
    [
      { cacheControl: '1h', citations: false, context: 'C', title: 'T' },
      `"title":"T","context":"C","citations":{"enabled":false},${cached},"ttl":"1h"}`,
    ],
    [
      { title: undefined, context: undefined, citations: undefined, cacheControl: undefined },
      ENABLED,
    ],
  ]
  const BUILDERS: [string, (options: DocumentOptions) => object, source: string][] = [
    [
      'plainTextDocument',
      (options) => plainTextDocument('x', options),
      '{"type":"text","media_type":"text/plain","data":"x"}',
    ],
    [
      'pdfDocument of bytes',
      (options) => pdfDocument(Uint8Array.of(255), options),
      '{"type":"base64","media_type":"application/pdf","data":"/w=="}',
    ],
    [
      'pdfDocument of an address',
      (options) => pdfDocument('https://files.example/', options),
      '{"type":"url","url":"https://files.example/"}',
    ],
    [
      'customContentDocument',
      (options) => customContentDocument(['x'], options),
      '{"type":"content","content":[{"type":"text","text":"x"}]}',
    ],
    [
      'fileDocument',
      (options) => fileDocument('file_1', options),
      '{"type":"file","file_id":"file_1"}',
    ],
  ]

  describe.each(BUILDERS)('of %s', (_, build, source) => {
    test.each(OPTIONS)('with %j', (options, rest) => {
      const document = build(options as DocumentOptions)
      expect(JSON.stringify(document)).toBe(`{"type":"document","source":${source},${rest}}`)
    })
  })

  test('comes from plain objects, made anew each time', () => {
    const [one, other] = [plainTextDocument('x'), plainTextDocument('x')]
    expect(one).toStrictEqual(other)
    one.source.data = 'y'
    one.citations.enabled = false
    expect(other).toStrictEqual(plainTextDocument('x'))
  })

  test('does not change what was handed over', () => {
    const given = Object.freeze([Object.freeze({ type: 'text' as const, text: 'a' }), 'b'])
    const options = Object.freeze({ title: 'T', cacheControl: '1h' as const })
    customContentDocument(given, options)
    expect(given).toEqual([{ type: 'text', text: 'a' }, 'b'])
    expect(options).toEqual({ title: 'T', cacheControl: '1h' })
  })

  test('keeps what else a content block says', () => {
    const block = { type: 'text' as const, text: 'a', cache_control: { type: 'ephemeral' } }
    expect(customContentDocument([block]).source.content).toEqual([block])
  })
})

describe('base64', () => {
  const node = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

  test.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foobar', 'Zm9vYmFy'],
    ['\xFB\xEF\xBE\xFF', '++++/w=='],
  ])('of %j is %j', (text, expected) => {
    expect(encoded(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))).toBe(expected)
  })

  test('of any bytes is what Node makes of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(encoded(bytes)).toBe(node(bytes))
      }),
    )
  })

  test('of any part of a larger buffer is of that part alone', () => {
    const whole = fc.uint8Array({ minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(whole, fc.nat(200), fc.nat(200), (bytes, start, length) => {
        const part = bytes.subarray(start, start + length)
        expect(encoded(part)).toBe(node(Uint8Array.from(part)))
      }),
    )
  })

  test.each([0, 1, 2])('of 24 MB and %i more bytes is the same', (more) => {
    const bytes = randomBytes(24 * 1024 * 1024 + more)
    expect(encoded(bytes) === bytes.toString('base64')).toBe(true)
  })

  test('of shared memory is the same', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(100), 10, 71)
    shared.set(randomBytes(71))
    expect(encoded(shared)).toBe(node(Uint8Array.from(shared)))
  })

  test('of a Buffer from the pool is of it alone', () => {
    const [, second] = [Buffer.from('first'), Buffer.from('%PDF-1.7')]
    expect(encoded(second)).toBe('JVBERi0xLjc=')
  })

  test('of memory that was given away is empty', () => {
    const bytes = Uint8Array.of(1, 2, 3)
    structuredClone(bytes, { transfer: [bytes.buffer] })
    expect(encoded(bytes)).toBe('')
  })

  test('leaves the bytes as they are', () => {
    const bytes = randomBytes(1000)
    const before = Buffer.from(bytes)
    encoded(bytes)
    expect(bytes.equals(before)).toBe(true)
  })
})

test('10 million characters of text arrive as they are', () => {
  const text = 'Grüße, 世界 👍🏽\n'.repeat(700_000)
  expect(plainTextDocument(text).source.data === text).toBe(true)
})

describe('misuse', () => {
  /** Calls a builder with anything, as JavaScript may. */
  function call(build: (...given: never[]) => object, ...given: unknown[]) {
    return () => (build as (...given: unknown[]) => object)(...given)
  }

  test.each<[string, () => object, says: string]>([
    ['no text', call(plainTextDocument), 'text must be a string, got undefined'],
    ['a number as text', call(plainTextDocument, 1), 'text must be a string, got 1'],
    ['null as text', call(plainTextDocument, null), 'text must be a string, got null'],
    ['bytes as text', call(plainTextDocument, Uint8Array.of(1)), 'text must be a string'],
    ['no file', call(pdfDocument), 'file must be a Uint8Array or a string, got undefined'],
    ['a number as file', call(pdfDocument, 5), 'file must be a Uint8Array or a string, got 5'],
    ['a list as file', call(pdfDocument, [37, 80]), 'file must be a Uint8Array or a string'],
    ['a buffer as file', call(pdfDocument, new ArrayBuffer(4)), 'file must be a Uint8Array'],
    ['words as file', call(pdfDocument, Uint16Array.of(1)), 'file must be a Uint8Array'],
    ['signed bytes as file', call(pdfDocument, Int8Array.of(1)), 'file must be a Uint8Array'],
    ['a view as file', call(pdfDocument, new DataView(new ArrayBuffer(4))), 'file must be a'],
    ['no blocks', call(customContentDocument), 'blocks must be a list of strings or content'],
    ['a string as blocks', call(customContentDocument, 'x'), 'blocks must be a list'],
    ['what looks like a list', call(customContentDocument, { 0: 'a', length: 1 }), 'blocks must'],
    ['a number among blocks', call(customContentDocument, ['a', 1]), 'blocks must be a list'],
    ['null among blocks', call(customContentDocument, [null, 'a']), 'blocks must be a list'],
    ['a hole among blocks', call(customContentDocument, new Array(2)), 'blocks must be a list'],
    ['a list among blocks', call(customContentDocument, [['a']]), 'blocks must be a list'],
    ['a function among blocks', call(customContentDocument, [() => 'a']), 'blocks must be a list'],
    ['bytes among blocks', call(customContentDocument, [Uint8Array.of(1)]), 'blocks must be a'],
    ['no file id', call(fileDocument), 'fileId must be a string, got undefined'],
    ['a number as file id', call(fileDocument, 3), 'fileId must be a string, got 3'],
  ])('%s is refused, and named', (_, build, says) => {
    expect(build).toThrow(TypeError)
    expect(build).toThrow(says)
  })

  const BUILDERS: [string, (options: unknown) => () => object][] = [
    ['plainTextDocument', (options) => call(plainTextDocument, 'x', options)],
    ['pdfDocument', (options) => call(pdfDocument, Uint8Array.of(1), options)],
    ['customContentDocument', (options) => call(customContentDocument, ['x'], options)],
    ['fileDocument', (options) => call(fileDocument, 'file_1', options)],
  ]
  const WRONG: [unknown, says: string][] = [
    ['My Document', "options must be an object, got 'My Document'"],
    [5, 'options must be an object, got 5'],
    [true, 'options must be an object, got true'],
    [{ title: 1 }, 'options.title must be a string, got 1'],
    [{ title: ['T'] }, 'options.title must be a string, got an array'],
    [{ context: {} }, 'options.context must be a string, got an object'],
    [{ citations: 'yes' }, "options.citations must be true or false, got 'yes'"],
    [{ citations: { enabled: true } }, 'options.citations must be true or false, got an object'],
    [{ citations: 1 }, 'options.citations must be true or false, got 1'],
    [{ cacheControl: '2h' }, "options.cacheControl must be true, false, '5m' or '1h', got '2h'"],
    [{ cacheControl: '' }, "got ''"],
    [{ cacheControl: 300 }, 'got 300'],
    [{ cacheControl: { type: 'ephemeral' } }, 'got an object'],
  ]

  describe.each(BUILDERS)('%s', (_, build) => {
    test.each(WRONG)('refuses the options %j, and says why', (options, says) => {
      expect(build(options)).toThrow(TypeError)
      expect(build(options)).toThrow(says)
    })
  })

  test('an option that throws when it is read is left out', () => {
    const options = {
      context: 'C',
      get title(): string {
        throw new RangeError('no title')
      },
    }
    expect(plainTextDocument('x', options)).toEqual(plainTextDocument('x', { context: 'C' }))
  })
})
