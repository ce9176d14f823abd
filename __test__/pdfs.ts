/**
 * Small PDFs that readers open, made by hand: with a table of contents that is right, pages that draw what
 * they are told to, and streams packed as real producers pack them.
 */
import { deflateSync } from 'node:zlib'

/** An object of a file: a dictionary or another value, and for streams their bytes. */
interface PdfObject {
  value: string
  stream?: Uint8Array
}

const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

/** A stream as it is. */
export function plain(program: string | Uint8Array, entries = ''): PdfObject {
  const stream = typeof program === 'string' ? latin(program) : program
  return { value: `<< ${entries} /Length ${stream.length} >>`, stream }
}

/** A stream that is packed as nearly all are. */
export function packed(program: string, entries = '', level = 6): PdfObject {
  const stream = deflateSync(latin(program), { level })
  return { value: `<< ${entries} /Filter /FlateDecode /Length ${stream.length} >>`, stream }
}

/** A scanned picture. */
export function picture(filter = '/DCTDecode'): PdfObject {
  const entries = `/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter ${filter}`
  return plain(
    Uint8Array.from({ length: 300 }, (_, at) => (at * 73) % 256),
    entries,
  )
}

export const dictionary = (value: string): PdfObject => ({ value })

/** What a page says that shows a picture and nothing else. */
export const SHOWS_PICTURE = 'q 595 0 0 842 0 0 cm /Im1 Do Q'

/** Writes objects down, numbered from 1, with their table. The first is the catalog. */
export function write(objects: PdfObject[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n', 'latin1')]
  const starts: number[] = []
  let size = parts[0]!.length
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)
    parts.push(bytes)
    size += bytes.length
  }
  for (const [index, { value, stream }] of objects.entries()) {
    starts.push(size)
    add(`${index + 1} 0 obj\n${value}\n`)
    if (stream) {
      add('stream\n')
      add(stream)
      add('\nendstream\n')
    }
    add('endobj\n')
  }
  const rows = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`)
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows.join('')}`
  const end = `trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${size}\n%%EOF\n`
  add(table + end)
  return Buffer.concat(parts)
}

/** A file of one page with this program, and what else is in it. */
export function pdf(program: PdfObject, others: PdfObject[] = [], trailer = ''): Buffer {
  const resources =
    '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /Im1 5 0 R >> >>'
  return write(
    [
      dictionary('<< /Type /Catalog /Pages 2 0 R >>'),
      dictionary('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
      dictionary(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents 4 0 R >>`,
      ),
      program,
      ...others,
    ],
    trailer,
  )
}

/** The program of a page that writes a line. */
export const writes = (operator: string): string => `BT /F1 12 Tf 72 720 Td ${operator} ET`

/** A file whose catalog, pages and table are packed together, as PDF 1.5 and later have it. */
export function pdfWithObjectStream(program: PdfObject, others: PdfObject[] = []): Buffer {
  const inner = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R >>',
  ]
  let at = 0
  const head = inner.map((value, index) => {
    const entry = `${index + 1} ${at}`
    at += value.length + 1
    return entry
  })
  const first = `${head.join(' ')} `
  const objects = packed(
    first + inner.join(' '),
    `/Type /ObjStm /N ${inner.length} /First ${first.length}`,
  )
  const streams = [objects, program, ...others]
  const own = streams.length + 4
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\xE2\xE3\xCF\xD3\n', 'latin1')]
  const size = () => parts.reduce((sum, part) => sum + part.length, 0)
  const add = ({ value, stream }: PdfObject, number: number) => {
    parts.push(Buffer.from(`${number} 0 obj\n${value}\nstream\r\n`, 'latin1'))
    parts.push(Buffer.from(stream ?? []), Buffer.from('\r\nendstream\nendobj\n'))
  }
  const starts = streams.map((object, index) => {
    const start = size()
    add(object, index + 4)
    return start
  })
  const row = (type: number, where: number, third: number) =>
    String.fromCharCode(type, where >> 16, (where >> 8) & 255, where & 255, third)
  const end = size()
  const rows = [
    row(0, 0, 255),
    ...inner.map((_, index) => row(2, 4, index)),
    ...[...starts, end].map((start) => row(1, start, 0)),
  ]
  add(packed(rows.join(''), `/Type /XRef /Size ${own + 1} /W [1 3 1] /Root 1 0 R`), own)
  parts.push(Buffer.from(`startxref\n${end}\n%%EOF\n`))
  return Buffer.concat(parts)
}
