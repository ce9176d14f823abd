/**
 * A PDF that holds pictures of words and no words is found before it is sent. Where nobody can tell, such as
 * behind a password or in a damaged file, nothing is said; and no request, whatever it holds, is an error.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropic, CitationService } from '../index.js'
import { message, requestWith } from './anthropic-requests.js'
import {
  dictionary,
  packed,
  pdf,
  pdfWithObjectStream,
  picture,
  plain,
  SHOWS_PICTURE,
  write,
  writes,
} from './pdfs.js'

const { checkCitationRequest, pdfDocument } = anthropic

/** What is said about a PDF: the codes of all complaints. */
function codesOf(file: Uint8Array | string): string[] {
  return checkCitationRequest(requestWith(pdfDocument(file))).map(({ code }) => code)
}

const HELLO = writes('(Hello, world.) Tj')
const scanned = pdf(packed(SHOWS_PICTURE), [picture()])

/** A file with some of its bytes made into others. */
function damaged(file: Buffer, find: string, write: string): Buffer {
  const at = file.indexOf(find, 0, 'latin1')
  expect(at).toBeGreaterThan(0)
  const copy = Buffer.from(file)
  copy.write(write.padEnd(find.length), at, find.length, 'latin1')
  return copy
}

describe('a PDF with text', () => {
  const form =
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /ProcSet [/PDF /Text /ImageB /ImageC] >>'
  const info = (title: string) => dictionary(`<< /Title (${title}) /Producer (Pdf 1.0) >>`)

  test.each<[string, Buffer]>([
    ['in the open', pdf(plain(HELLO))],
    ['packed', pdf(packed(HELLO))],
    ['packed without compression', pdf(packed(HELLO, '', 0))],
    ['packed as hard as possible', pdf(packed(HELLO, '', 9))],
    ['under a list of filters', pdf({ ...packed(HELLO), value: '<< /Filter [/FlateDecode] >>' })],
    ['in pieces', pdf(packed(writes('[(He) -20 (llo)] TJ')))],
    ['in pieces without a blank', pdf(packed(writes('[(He)-20(llo)]TJ')))],
    ['in hexadecimal', pdf(packed(writes('<48656C6C6F> Tj')))],
    ['in glyph numbers', pdf(packed(writes('[<0003> 5 <0011>] TJ')))],
    ['on the next line', pdf(packed(writes("(Hello, world.) '")))],
    ['on the next line with spacing', pdf(packed(writes('1 2 (Hello, world.) "')))],
    ['on the next line without a blank', pdf(packed(writes("(Hello, world.)'")))],
    ['with an operator at the end', pdf(packed('BT /F1 12 Tf (Hello) Tj'))],
    ['after a lot else', pdf(packed(`${'0 0 m 9 9 l S\n'.repeat(20_000)}${HELLO}`))],
    ['unseen, over a scan', pdf(packed(`${SHOWS_PICTURE} BT 3 Tr (Hello) Tj ET`), [picture()])],
    ['beside pictures', pdf(packed(`${SHOWS_PICTURE} ${HELLO}`), [picture(), picture()])],
    ['behind pictures', pdf(packed(SHOWS_PICTURE), [picture(), packed(HELLO)])],
    ['in a form', pdf(packed('/Fm1 Do'), [packed(HELLO, form)])],
    ['in the open, in a form', pdf(plain('/Fm1 Do'), [plain(HELLO, form)])],
    ['and object streams', pdfWithObjectStream(packed(HELLO))],
    ['in a way nobody unpacks', pdf(plain('J..)6T', '/Filter /ASCII85Decode'))],
    [
      'packed the old way, behind a page without',
      pdf(packed('q Q'), [plain('\x80', '/Filter /LZWDecode')]),
    ],
    [
      'behind a title that speaks of streams',
      write([
        dictionary('<< /Type /Catalog /Pages 3 0 R >>'),
        info('Notes on a livestream from May'),
        dictionary('<< /Type /Pages /Kids [4 0 R] /Count 1 >>'),
        dictionary('<< /Type /Page /Parent 3 0 R /Contents 5 0 R >>'),
        packed(HELLO),
      ]),
    ],
    ['behind bytes that are no PDF', Buffer.concat([randomBytes(500), pdf(packed(HELLO))])],
  ])('%s is right', (_, file) => {
    expect(codesOf(file)).toEqual([])
  })
})

describe('a PDF without text', () => {
  test.each<[string, Buffer]>([
    ['a scan', scanned],
    ['a scan in the open', pdf(plain(SHOWS_PICTURE), [picture()])],
    ['a fax', pdf(packed(SHOWS_PICTURE), [picture('/CCITTFaxDecode')])],
    ['a scan with packed pixels', pdf(packed(SHOWS_PICTURE), [picture('[/FlateDecode]')])],
    ['a scan with object streams', pdfWithObjectStream(packed(SHOWS_PICTURE), [picture()])],
    [
      'a scan whose metadata quotes an operator',
      pdf(packed(SHOWS_PICTURE), [picture(), plain('(Hello) Tj', '/Type /Metadata /Subtype /XML')]),
    ],
    ['a drawing', pdf(packed('0 0 m 595 842 l S'))],
    ['text that is set up and never shown', pdf(packed('BT /F1 12 Tf 72 720 Td ET'))],
    ['names that look like operators', pdf(packed('/Tj gs /TJ gs q Q'))],
    ['an empty page', pdf(packed(''))],
  ])('%s is complained about', (_, file) => {
    const complaints = checkCitationRequest(requestWith(pdfDocument(file)))
    expect(complaints).toEqual([
      {
        code: 'pdf_without_text',
        path: 'messages[0].content[0].source.data',
        reason: expect.stringContaining('PDF'),
        remedy: expect.stringContaining('text recognition'),
      },
    ])
  })

  test('is none of our business while it does not cite', () => {
    const document = pdfDocument(scanned, { citations: false })
    expect(checkCitationRequest(requestWith(document))).toEqual([])
  })

  test('is found in a tool result too', () => {
    const result = { type: 'tool_result', tool_use_id: 't', content: [pdfDocument(scanned)] }
    const [complaint] = checkCitationRequest(requestWith(result))
    expect(complaint?.path).toBe('messages[0].content[0].content[0].source.data')
  })

  test('is found in base64 with line breaks', () => {
    const lines = scanned.toString('base64').replace(/.{76}/g, '$&\r\n')
    expect(codesOf(lines)).toEqual(['pdf_without_text'])
  })
})

describe('a PDF of which nobody can tell', () => {
  const encrypt = '/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 >>'
  const text = pdf(packed(HELLO))

  test.each<[string, Uint8Array | string]>([
    ['behind a password', pdf(packed(SHOWS_PICTURE), [picture()], encrypt)],
    ['with text behind a password', pdf(plain(randomBytes(60)), [], encrypt)],
    ['cut off in its only page', text.subarray(0, text.indexOf('stream\n') + 12)],
    ['cut off before its first page', text.subarray(0, text.indexOf('4 0 obj'))],
    ['with a page that cannot be unpacked', damaged(text, 'stream\nx', 'stream\n\xFF')],
    ['that is something else', Buffer.from('PK\x03\x04 a letter.docx')],
    ['that is text', Buffer.from('Just words.')],
    ['that is no base64', 'report.pdf'],
    ['that is a data address', `data:application/pdf;base64,${scanned.toString('base64')}`],
    ['behind an address', 'https://files.example/scan.pdf'],
  ])('%s is not complained about', (_, file) => {
    expect(codesOf(file)).toEqual([])
  })
})

test('a PDF of 16 MB that unpacks to 16 GB is looked at in little time', () => {
  const bomb = packed('q Q '.repeat(4_000_000))
  const file = pdf(
    bomb,
    Array.from({ length: 1000 }, () => bomb),
  )
  const start = performance.now()
  codesOf(file)
  expect(performance.now() - start).toBeLessThan(5_000)
})

describe('garbage', () => {
  /** What must not throw, for any value in the place of a request. */
  function survive(value: unknown): void {
    const request = value as object
    const complaints = checkCitationRequest(request)
    expect(Array.isArray(complaints)).toBe(true)
    const turn = new CitationService({ documents: true }).startTurn()
    turn.setRequest(request)
    turn.push(message(['Words.']))
    expect(turn.finish().answer).toBe('Words.')
  }

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['a symbol', Symbol('x')],
    ['an empty string', ''],
    ['a broken string', '{"messages":[{"content":['],
    ['a function', () => 1],
    ['a list', [[[]]]],
    ['messages that are no list', { messages: { 0: {} } }],
    ['content that is no list', { messages: [{ content: 5 }, { content: {} }, null, 7] }],
    ['a document without source', requestWith({ type: 'document', citations: { enabled: true } })],
    [
      'sources of all kinds',
      requestWith(
        ...[
          null,
          5,
          'x',
          [],
          {},
          { type: 'text' },
          { type: 'text', data: 5 },
          { type: 'base64' },
        ].map((source) => ({ type: 'document', source, citations: { enabled: true } })),
      ),
    ],
    [
      'getters that throw',
      {
        get messages() {
          throw new Error('no')
        },
      },
    ],
    ['a proxy that is revoked', revoked()],
  ])('%s', (_, value) => {
    survive(value)
  })

  function revoked(): object {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }

  test('a request that holds itself', () => {
    const result: Record<string, unknown> = { type: 'tool_result' }
    result.content = [result, result, result]
    survive(requestWith(result))
  })

  test('any value', () => {
    fc.assert(fc.property(fc.anything(), survive))
    fc.assert(
      fc.property(fc.anything(), (source) =>
        survive(requestWith({ type: 'document', source, citations: { enabled: true } })),
      ),
    )
  })

  test('any bytes in place of a PDF, and any bytes in it', () => {
    const whole = pdf(packed(HELLO), [picture()])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        codesOf(bytes)
        codesOf(
          Buffer.concat([Buffer.from('%PDF-1.4 obj << /Filter /FlateDecode >> stream\n'), bytes]),
        )
      }),
    )
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const copy = Buffer.from(whole)
        copy[at] = byte
        codesOf(copy)
        codesOf(copy.subarray(0, at))
      }),
      { numRuns: 300 },
    )
  })
})
