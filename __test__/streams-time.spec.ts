/** Streams take linear time to read, also where no event is like those before it. */
import { test } from 'vitest'
import { CitationService } from '../index.js'
import { expectLinear } from './growth.js'

const DELTA =
  '{"type":"response.output_text.delta","sequence_number":4,"item_id":"m","output_index":0,"content_index":0,"delta":"a"}'

test.each([
  ['LF', '\n\n'],
  ['CR', '\r\r'],
  ['CRLF', '\r\n\r\n'],
])('events of another kind behind one that was learned from, lines ended by %s', (_, end) => {
  expectLinear(160_000, (size) => {
    const body = new TextEncoder().encode(`data: ${DELTA}${end}${`data: {}${end}`.repeat(size)}`)
    return () => new CitationService().startTurn().pushBytes(body)
  })
})
