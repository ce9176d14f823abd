/**
 * The host that has the answer anyway: it leaves out events that carry only text, hands the answer to
 * `finish`, and gets the anchors of the full stream; where its answer differs, they follow the words.
 */
import { describe, expect, test } from 'vitest'
import type { ProviderInput } from '../index.js'
import {
  anthropicStream,
  bytesOf,
  charLocation,
  claims,
  codePointsOf,
  finished,
  finishedWith,
  gemini,
  grounded,
  link,
  openAiStream,
  places,
  reports,
  support,
  turnOf,
  urlCitation,
  urls,
  web,
} from './turns.js'

const A = 'https://a.example/'
const B = 'https://b.example/b'

const HEAD = 'Æther is old. It was '
const TAIL = 'found in 1887 🕯. The end.'
const ANSWER = HEAD + TAIL
const OLD = 'Æther is old.'
const FOUND = 'It was found in 1887 🕯.'
const SUPPORTS = [support(ANSWER, OLD, [0]), support(ANSWER, FOUND, [1])]
const METADATA = { ...grounded([web(A, 'A'), web(B, 'B')], SUPPORTS), finishReason: 'STOP' }
/** The same without the words that prove the places. */
const UNPROVEN = {
  ...grounded(
    [web(A, 'A'), web(B, 'B')],
    SUPPORTS.map(({ segment: { text: _, ...segment }, ...rest }) => ({ segment, ...rest })),
  ),
  finishReason: 'STOP',
}
const CITED = [
  [OLD, [1]],
  [FOUND, [2]],
]

describe('Gemini, when only events with citations are pushed', () => {
  test.each<[string, object, string]>([
    ['the last event, without text', METADATA, ''],
    ['the last event, with the tail of the text', METADATA, TAIL],
    ['the only event', METADATA, ANSWER],
    ['the last event without quotations, without text', UNPROVEN, ''],
    ['the last event without quotations, with the tail of the text', UNPROVEN, TAIL],
  ])('%s', (_, metadata, tail) => {
    const full = finished([gemini(ANSWER, metadata)])
    expect(claims(full)).toEqual(CITED)
    expect(finishedWith(ANSWER, [gemini(tail, metadata)])).toEqual(full)
  })

  test('bare metadata', () => {
    expect(claims(finishedWith(ANSWER, [grounded([web(A, 'A'), web(B, 'B')], SUPPORTS)]))).toEqual(
      CITED,
    )
  })

  test("LLxprt's neutral GroundingInfo", () => {
    const segments = SUPPORTS.map(({ segment, groundingChunkIndices }) => {
      return { startIndex: 0, ...segment, sourceIndices: groundingChunkIndices }
    })
    const info = {
      sources: [
        { title: 'A', url: A },
        { title: 'B', url: B },
      ],
      segments,
    }
    expect(claims(finishedWith(ANSWER, [info]))).toEqual(CITED)
  })

  test.each([
    ['of its own event', 'found in 1887'],
    ['of an event before it', OLD],
  ])('a recited passage %s, which is never quoted', (_, passage) => {
    const startIndex = bytesOf(ANSWER.slice(0, ANSWER.indexOf(passage)))
    const recited = { startIndex, endIndex: startIndex + bytesOf(passage), uri: A }
    const event = gemini(TAIL, { citationMetadata: { citationSources: [recited] } })
    expect(claims(finishedWith(ANSWER, [event]))).toEqual([[passage, [1]]])
  })
})

describe('OpenAI, when only events with citations are pushed', () => {
  const TEXT = `🙂 One ${link(A)} and two ${link(B)}. A note .`
  const NOTE = codePointsOf(TEXT) - 1
  const annotations = [
    urlCitation(TEXT, A, 'A'),
    urlCitation(TEXT, B, 'B'),
    { type: 'file_citation', file_id: 'f', filename: 'n.md', index: NOTE },
  ]
  const stream = openAiStream(TEXT, annotations) as { type: string }[]
  const full = finished(stream)

  test('the full stream has them all', () => {
    expect(claims(full)).toEqual([
      [link(A), [1]],
      [link(B), [2]],
      ['', [3]],
    ])
    expect(places(full)[2]).toEqual([TEXT.length - 1, TEXT.length - 1])
  })

  test.each([
    'response.output_text.annotation.added',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])('%s', (type) => {
    const events = stream.filter((event) => event.type === type)
    expect(finishedWith(TEXT, events)).toEqual(full)
  })

  test('annotations of two content parts find their links', () => {
    const parts = [`First ${link(A)}. `, `Second ${link(B)}.`]
    const events = parts.map((text, content_index) => ({
      type: 'response.output_text.annotation.added',
      output_index: 0,
      content_index,
      annotation_index: 0,
      annotation: urlCitation(text, [A, B][content_index]!, 'T'),
    }))
    expect(claims(finishedWith(parts.join(''), events))).toEqual([
      [link(A), [1]],
      [link(B), [2]],
    ])
  })
})

describe('other providers, when only events with citations are pushed', () => {
  test('annotations of Interactions', () => {
    const start_index = bytesOf('Æther is old. ')
    const at = { start_index, end_index: start_index + bytesOf(FOUND) }
    const annotations = [{ type: 'url_citation', url: A, title: 'A', ...at }]
    const delta = { type: 'text_annotation_delta', annotations }
    const payload = finishedWith(ANSWER, [{ event_type: 'step.delta', index: 1, delta }])
    expect(claims(payload)).toEqual([[FOUND, [1]]])
  })

  test('annotations of Chat Completions', () => {
    const text = `See ${link(A)} now`
    const { type, ...url_citation } = urlCitation(text, A, 'A')
    const delta = { annotations: [{ type, url_citation }] }
    const payload = finishedWith(text, [{ id: 'c', choices: [{ delta }] }])
    expect(claims(payload)).toEqual([[link(A), [1]]])
  })

  test('citations of Cohere', () => {
    const start = ANSWER.indexOf('1887')
    const sources = [{ type: 'document', id: 'd', document: { title: 'D', url: A } }]
    const citations = { start, end: start + 4, text: '1887', sources, content_index: 1 }
    const event = { type: 'citation-start', index: 0, delta: { message: { citations } } }
    expect(claims(finishedWith(ANSWER, [event]))).toEqual([['1887', [1]]])
  })

  test('Anthropic ties citations to blocks, so without their text the source stays alone', () => {
    const stream = anthropicStream([['Green', [charLocation('Nature', 0, 'Grass.')]]])
    const turn = turnOf(
      stream.filter((event) => !JSON.stringify(event).includes('text_delta')),
      { documents: true },
    )
    const payload = turn.finish('Green')
    expect(payload.sources.map(({ title }) => title)).toEqual(['Nature'])
    expect(payload.anchors).toEqual([])
    expect(reports(payload)).toEqual({ span_lost: 1 })
  })
})

describe("anchors follow the words into the host's answer", () => {
  const heard = `\n\n${ANSWER}  `
  const events = [
    gemini(heard, {
      ...grounded(
        [web(A, 'A'), web(B, 'B')],
        [support(heard, OLD, [0]), support(heard, FOUND, [1])],
      ),
    }),
  ]

  test.each<[string, string]>([
    ['trimmed', heard.trim()],
    ['trimmed in front', heard.trimStart()],
    ['trimmed behind', heard.trimEnd()],
    ['with a line break behind', `${heard}\n`],
    ['with a prefix', `> ${heard}`],
    ['with another sentence in between', heard.replace('It was', 'Well then. It was')],
  ])('%s', (_, answer) => {
    const payload = finishedWith(answer, events)
    expect(claims(payload)).toEqual(CITED)
  })

  test.each<[string, object]>([
    ['quotations', METADATA],
    ['none', UNPROVEN],
  ])('that only has words before it, of spans with %s', (_, metadata) => {
    const payload = finishedWith(`Here is what I found:\n\n${ANSWER}`, [gemini(ANSWER, metadata)])
    expect(claims(payload)).toEqual(CITED)
  })

  test('that only has lines before it, although one ends too far', () => {
    const answer = 'Second part says cat. Third says fish.'
    const spans = [
      [0, 21],
      [22, 39],
    ].map(([startIndex, endIndex]) => ({
      segment: { startIndex, endIndex },
      groundingChunkIndices: [0],
    }))
    const payload = finishedWith(`Here:\n\n${answer}`, [
      gemini(answer, grounded([web(A, 'A')], spans)),
    ])
    expect(claims(payload)).toEqual([
      ['Second part says cat.', [1]],
      ['Third says fish.', [1]],
    ])
  })

  test.each<[string, object]>([
    ['an unquoted span behind it', UNPROVEN],
    ['a quotation that only fits the whole', METADATA],
  ])('of which only the last line was heard, proven by %s', (_, metadata) => {
    const [head, tail] = [ANSWER.replace(' The end.', '\n'), 'The end.']
    expect(claims(finishedWith(head + tail, [gemini(tail, metadata)]))).toEqual(CITED)
  })

  test('to the nearest place of words that occur twice', () => {
    const twice = '\n\nYes, it is. No. Yes, it is. No.'
    const second = twice.lastIndexOf('Yes, it is.')
    const segment = { startIndex: second, endIndex: second + 11, text: 'Yes, it is.' }
    const metadata = grounded([web(A, 'A')], [{ segment, groundingChunkIndices: [0] }])
    const payload = finishedWith(twice.trim(), [gemini(twice, metadata)])
    expect(places(payload)).toEqual([[second - 2, second + 9]])
  })

  test('a point stays between the words it stands between', () => {
    const text = '\nSee the notes .'
    const index = text.length - 1
    const annotation = { type: 'file_citation', file_id: 'f', filename: 'n.md', index }
    const stream = openAiStream(text, [annotation])
    expect(places(finished(stream))).toEqual([[index, index]])
    expect(places(finishedWith(text.trim(), stream))).toEqual([[index - 1, index - 1]])
  })

  test.each<[string, string, [string, number[]][]]>([
    ['rewritten', 'Something else. It was found in 1887 🕯.', [[FOUND, [2]]]],
    ['cut off', HEAD, [[OLD, [1]]]],
    ['empty', '', []],
  ])('and are lost where it is %s, while the sources stay', (_, answer, expected) => {
    const payload = finishedWith(answer, events)
    expect(claims(payload)).toEqual(expected)
    expect(urls(payload)).toEqual([A, B])
    expect(reports(payload).span_lost).toBe(2 - expected.length)
  })

  test.each<[string, object]>([
    ['quotations', METADATA],
    ['none', UNPROVEN],
  ])('and are lost where their words are gone, of spans with %s', (_, metadata) => {
    const answer = ANSWER.replace('found', 'discovered')
    const payload = finishedWith(answer, [gemini(ANSWER, metadata)])
    expect(claims(payload)).toEqual([[OLD, [1]]])
    expect(reports(payload)).toEqual({ span_lost: 1 })
  })

  test('without it the answer is what was heard', () => {
    const turn = turnOf(events)
    turn.finish('Something else.')
    expect(turn.finish()).toEqual(finished(events))
  })
})

describe('answers of several calls, joined by the host', () => {
  const second = 'Light needs no æther.'
  const proven = {
    ...grounded([web(B, 'B')], [support(second, second, [0])]),
    finishReason: 'STOP',
  }

  test.each(['', '\n\n', ' '])('Gemini, last events only, joined with %j', (between) => {
    const events = [gemini(TAIL, METADATA, 'g1'), gemini('', proven, 'g2')]
    const payload = finishedWith(ANSWER + between + second, events)
    expect(claims(payload)).toEqual([...CITED, [second, [2]]])
  })

  test.each<[string, (events: object[]) => ProviderInput[]]>([
    ['full streams', (events) => events],
    ['last events', (events) => events.slice(-1)],
  ])('OpenAI, the same words and link in both, %s', (_, pick) => {
    const text = `See ${link(A)}.`
    const annotations = [urlCitation(text, A, 'A')]
    const events = ['r1', 'r2'].flatMap((id) => pick(openAiStream(text, annotations, id)))
    const payload = finishedWith(`${text}\n\n${text}`, events)
    const later = text.length + 2
    expect(places(payload)).toEqual([
      [4, text.length - 1],
      [later + 4, later + text.length - 1],
    ])
  })
})
