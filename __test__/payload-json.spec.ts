/** A payload says the same as an object, as JSON and as bytes. */
import { describe, expect, test } from 'vitest'
import {
  type CitationPayload,
  CitationService,
  grounding,
  insertMarkers,
  markers,
  renderAnswerHtml,
  renderAnswerMarkdown,
  renderCitationBlock,
  type TurnPayload,
} from '../index.js'

const ANSWER = 'Tokio is a runtime. 🦀 It is fast.'
const PAYLOAD = {
  text: '',
  answer: ANSWER,
  sources: [
    { title: 'Tokio', url: 'https://tokio.example/' },
    { title: 'Not cited', url: 'https://other.example/' },
    { title: 'Benchmarks', url: 'https://bench.example/' },
  ],
  anchors: [
    { start: 0, end: 19, text: 'Tokio is a runtime.', sources: [1], confidence: 0.875 },
    { start: 23, end: 34, text: 'It is fast.', sources: [1, 3] },
  ],
  cited: [3, 1],
  diagnostics: [],
} satisfies TurnPayload

const FUNCTIONS: Record<string, (payload: TurnPayload) => unknown> = {
  renderAnswerHtml: (payload) => renderAnswerHtml(ANSWER, payload),
  renderAnswerMarkdown: (payload) => renderAnswerMarkdown(ANSWER, payload),
  insertMarkers: (payload) => insertMarkers(ANSWER, payload),
  copyText: (payload) => markers.copyText(ANSWER, payload),
  renderCitationBlock: (payload) => renderCitationBlock(payload, { maxSources: 2 }),
  renderCoverage: (payload) => grounding.renderCoverage(ANSWER, payload),
  coverageSvg: (payload) => grounding.coverageSvg(ANSWER, payload),
  applyResolvedUrls: (payload) => grounding.applyResolvedUrls(payload, {}).anchors,
}

describe.each(Object.entries(FUNCTIONS))('%s', (_, run) => {
  const expected = run(PAYLOAD)
  const json = JSON.stringify(PAYLOAD)

  test.each([
    ['JSON', json],
    ['bytes', new TextEncoder().encode(json)],
  ])('%s', (_, given) => {
    expect(run(given as unknown as TurnPayload)).toEqual(expected)
  })
})

test('spans and cited numbers are read', () => {
  const given = JSON.stringify(PAYLOAD) as unknown as CitationPayload & TurnPayload
  expect(insertMarkers(ANSWER, given)).toBe('Tokio is a runtime.[1] 🦀 It is fast.[1][3]')
  expect(renderAnswerHtml(ANSWER, given)).toContain('<dd>0.88</dd>')
  expect(markers.copyText(ANSWER, given)).not.toContain('Not cited')
})

describe('what a tool said in names of its own is kept by a turn', () => {
  const metadata = { priority: 2, title: 'inner', nested: { odd: ['names'] } }
  const source = {
    title: 'A',
    url: 'https://a.example/',
    domain: 'a.example',
    toolName: 'jira',
    metadata,
  }
  const payload = { text: '', sources: [source] }
  const shapes: [string, object][] = [
    ['a payload', payload],
    ['a list of payloads', [payload]],
    ['a list that begins with something else', [{ type: 'message_stop' }, payload]],
  ]
  test.each(shapes)('%s', (_, given) => {
    const json = JSON.stringify(given)
    const ways = [given, json, Buffer.from(json)].map((form) => {
      const turn = new CitationService().startTurn()
      turn.push(form)
      return turn.finish().sources
    })
    const bytes = new CitationService().startTurn()
    bytes.pushBytes(Buffer.from(json))
    const event = new CitationService().startTurn()
    event.pushBytes(Buffer.from(`data: ${json}\n\n`))
    for (const sources of [...ways, bytes.finish().sources, event.finish().sources]) {
      expect(sources).toEqual([source])
    }
  })
})
