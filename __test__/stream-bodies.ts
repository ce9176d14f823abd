/**
 * The same events in every form in which they can reach a turn, and what every payload must hold
 * whatever it was made from. For the specs about streams.
 */
import { expect } from 'vitest'
import { CitationService, type CitationTurn, type TurnPayload } from '../index.js'

const SERVICE = new CitationService({ documents: true })

/** What a fresh turn comes to when it is fed like this. */
export function payloadOf(feed: (turn: CitationTurn) => void): TurnPayload {
  const turn = SERVICE.startTurn()
  feed(turn)
  return turn.finish()
}

/** What a fresh turn comes to when it is given these, one after the other. */
export function pushed(values: readonly unknown[]): TurnPayload {
  return payloadOf((turn) => {
    for (const value of values) turn.push(value as object)
  })
}

/** What a fresh turn comes to when it is given this body in pieces of `size` bytes. */
export function pushedBytes(body: string | Uint8Array, size = Number.POSITIVE_INFINITY) {
  return payloadOf((turn) => {
    for (const piece of cut(body, size)) turn.pushBytes(piece)
  })
}

/** The pieces of a body, each of `size` bytes, the last one of what is left. */
export function cut(body: string | Uint8Array, size: number): Uint8Array[] {
  const bytes = utf8(body)
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

export function utf8(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text
}

type WriteBody = (events: readonly unknown[]) => string

/** Writes each event with `one` and puts them side by side. */
function each(one: (json: string, index: number, event: unknown) => string): WriteBody {
  return (events) => events.map((event, index) => one(JSON.stringify(event), index, event)).join('')
}

const PLAIN: WriteBody = each((json) => `data: ${json}\n\n`)

/** All the ways to write down a list of events that a provider, a proxy or a recorder may choose. */
export const BODIES: Record<string, WriteBody> = {
  'server-sent events': PLAIN,
  'server-sent events with CRLF': each((json) => `data: ${json}\r\n\r\n`),
  'server-sent events with CR': each((json) => `data: ${json}\r\r`),
  'server-sent events behind a byte order mark': (events) => `\uFEFF${PLAIN(events)}`,
  'data without a space': each((json) => `data:${json}\n\n`),
  'names, numbers and comments': (events) =>
    `: open\n\n${each(
      (json, index) => `event: some.name\nid: ${index}\nretry: 10\n: {"note":1}\ndata: ${json}\n\n`,
    )(events)}: bye\n\n`,
  'names behind the data, and empty events': each(
    (json) => `data: ${json}\nevent: some.name\n\n\n\ndata:\n\nevent: ping\n\n`,
  ),
  'a last event that says it is done': (events) => `${PLAIN(events)}data: [DONE]\n\n`,
  'a last event that says it is done, cut off': (events) => `${PLAIN(events)}data: [DONE]`,
  'data over several lines': each((_, __, event) => inData(JSON.stringify(event, null, 2))),
  'data over several lines with CRLF': each((_, __, event) =>
    inData(JSON.stringify(event, null, 2), '\r\n'),
  ),
  'data that goes on behind a closing bracket': each((_, __, event) => inData(broken(event))),
  'no final line break': (events) => PLAIN(events).trimEnd(),
  'data over several lines, no final line break': (events) =>
    events
      .map((event) => inData(JSON.stringify(event, null, 2)))
      .join('')
      .trimEnd(),
  'JSON lines': each((json) => `${json}\n`),
  'JSON lines with CRLF': each((json) => `${json}\r\n`),
  'JSON lines with blank lines, no final line break': (events) =>
    events.map((event) => JSON.stringify(event)).join('\n\n'),
  'a JSON array': (events) => JSON.stringify(events),
  'a JSON array behind a byte order mark': (events) => `\uFEFF${JSON.stringify(events)}`,
  'a JSON array with indents': (events) => JSON.stringify(events, null, 2),
  // How Gemini streams without `alt=sse`.
  'a JSON array that arrives item by item': (events) =>
    `[${events.map((event) => JSON.stringify(event, null, 2)).join('\n,\r\n')}\n]\n`,
}

function inData(text: string, lineBreak = '\n'): string {
  const lines = text.split('\n').map((line) => `data: ${line}${lineBreak}`)
  return lines.join('') + lineBreak
}

/** JSON with a line break behind each `}` that a comma follows, so that a line may look whole. */
function broken(event: unknown): string {
  // With indents, JSON has no raw line break but between values.
  const lines = JSON.stringify(event, null, 1)
    .split('\n')
    .map((line) => line.trim())
  return lines
    .join('\n')
    .replace(/\},\n/g, '}\u0001,')
    .replaceAll('\n', '')
    .replaceAll('\u0001', '\n')
}

/** What holds for every payload: spans hold their words, numbers name sources, all is in order. */
export function expectSound({ answer, sources, anchors, diagnostics }: TurnPayload): void {
  for (const anchor of anchors) {
    expect(answer.slice(anchor.start, anchor.end)).toBe(anchor.text)
    expect(anchor.text).not.toMatch(/\p{Surrogate}/u)
    expect(anchor.sources).toEqual([...new Set(anchor.sources)].sort((a, b) => a - b))
    expect(anchor.sources.length).toBeGreaterThan(0)
    for (const number of anchor.sources) expect(sources[number - 1]).toBeDefined()
  }
  const places = anchors.map(({ start, end }) => [start, end] as const)
  expect(places).toEqual(places.toSorted(([a, x], [b, y]) => a - b || x - y))
  expect(new Set(places.map(String)).size).toBe(places.length)
  const codes = diagnostics.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
}
