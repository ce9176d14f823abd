/**
 * Messages in the hands of others: events merged into them, numbers that agree wherever they are shown,
 * and the way to a payload and back, on which nothing is lost.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CitationSource, type OpenWebuiSource, openWebui } from '../index.js'
import { messages, NOTES, numberedByHand, numbersOf, PAGE, sources } from './openwebui-messages.js'

const listed = (input: object) => openWebui.listSources(input).map(({ number, id }) => [number, id])

describe('mergeSourceEvent', () => {
  test.each([
    ['source', { type: 'source', data: NOTES }],
    ['citation', { type: 'citation', data: NOTES }],
    ['a frame', { sources: [NOTES] }],
    ['an old frame', { citations: [NOTES] }],
    ['over the socket', { chat_id: 'c', message_id: 'm', data: { type: 'source', data: NOTES } }],
    ['a completion', { type: 'chat:completion', data: { sources: [NOTES] } }],
  ])('%s', (_, event) => {
    const message = Object.freeze({ id: 'm', content: 'x', sources: Object.freeze([PAGE]) })
    const merged = openWebui.mergeSourceEvent(message, event)
    expect(merged).toEqual({ id: 'm', content: 'x', sources: [PAGE, NOTES] })
    expect(merged.sources![1]).toBe(NOTES)
    expect(message.sources).toEqual([PAGE])
    expect(openWebui.mergeSourceEvent(message, JSON.stringify(event))).toEqual(merged)
    const bytes = new TextEncoder().encode(JSON.stringify(event))
    expect(openWebui.mergeSourceEvent(message, bytes)).toEqual(merged)
  })

  test('the frame of sourceEvents', () => {
    const merged = openWebui.mergeSourceEvent({}, openWebui.sourceEvents([NOTES, PAGE]))
    expect(merged).toEqual({ sources: [NOTES, PAGE] })
  })

  test('all other fields are the same values', () => {
    const marker = Symbol('kept')
    const message = {
      annotation: { deep: [] },
      run: () => 1,
      nothing: null,
      missing: undefined,
      big: 1n,
      [marker]: marker,
      ['__proto__' as string]: 7,
      'lone \ud83d': 1,
    }
    const merged = openWebui.mergeSourceEvent(message, { sources: [NOTES] })
    for (const name of Reflect.ownKeys(message) as (keyof typeof message)[]) {
      expect(Object.hasOwn(merged, name)).toBe(true)
      expect(merged[name]).toBe(message[name])
    }
    expect(Reflect.ownKeys(merged)).toHaveLength(Reflect.ownKeys(message).length + 1)
  })

  test('old citations become sources', () => {
    const old = { id: 'm', citations: [NOTES] }
    const merged = openWebui.mergeSourceEvent(old, { type: 'source', data: PAGE })
    expect(merged).toEqual({ id: 'm', sources: [NOTES, PAGE] })
    expect(old).toEqual({ id: 'm', citations: [NOTES] })
    const both = { sources: [PAGE], citations: [NOTES] }
    expect(openWebui.mergeSourceEvent(both, { sources: [PAGE] })).toEqual({
      sources: [PAGE, PAGE],
      citations: [NOTES],
    })
  })

  test('a source of ours is put into the form of Open WebUI', () => {
    const data = { title: 'A', url: 'https://a.example/', citedText: 'words' }
    const merged = openWebui.mergeSourceEvent({ sources: [NOTES] }, { type: 'citation', data })
    expect(listed(merged)).toEqual([
      [1, 'notes.md'],
      [2, 'https://a.example/'],
    ])
    expect((merged.sources![1] as OpenWebuiSource).metadata![0]!.citation).toBe(data)
  })

  test.each<[unknown]>([
    [undefined],
    [null],
    [7],
    ['{'],
    ['data: '],
    [[]],
    [{}],
    [{ type: 'source' }],
    [{ type: 'source', data: null }],
    [{ type: 'source', data: 'text' }],
    [{ type: 'source', data: {} }],
    [{ type: 'source', data: [] }],
    [{ type: 'status', data: NOTES }],
    [{ type: 'citation', data: { type: 'code_execution', id: 'x', source: { name: 'x' } } }],
    [{ sources: [] }],
    [{ sources: [null, 7, {}] }],
    [{ sources: 'x' }],
    [() => ({ sources: [NOTES] })],
  ])('%j leaves the message as it is', (event) => {
    const message = { sources: [PAGE] }
    expect(openWebui.mergeSourceEvent(message, event)).toBe(message)
    expect(message).toEqual({ sources: [PAGE] })
  })

  test('any number of events, one after the other', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(sources, fc.nat(2)), { maxLength: 5 }), (steps) => {
        let message: { sources?: OpenWebuiSource[] } = {}
        const all: OpenWebuiSource[] = []
        for (const [list, form] of steps) {
          // A source with neither documents nor a head is none.
          const real = list.filter((source) => source.document || source.source)
          all.push(...real)
          if (form === 0) message = openWebui.mergeSourceEvent(message, { sources: list })
          if (form === 1) message = openWebui.mergeSourceEvent(message, { citations: list })
          if (form === 2) {
            for (const data of list) {
              message = openWebui.mergeSourceEvent(message, { type: 'source', data })
            }
          }
        }
        expect(message.sources ?? []).toEqual(all)
        expect((message.sources ?? []).every((source, index) => source === all[index])).toBe(true)
      }),
    )
  })
})

describe('readMessageSources', () => {
  test('sources, else citations, else nothing', () => {
    const kept = [NOTES]
    expect(openWebui.readMessageSources({ sources: kept })).toBe(kept)
    expect(openWebui.readMessageSources({ citations: kept })).toBe(kept)
    expect(openWebui.readMessageSources({ sources: kept, citations: [PAGE] })).toBe(kept)
    expect(openWebui.readMessageSources(JSON.stringify({ citations: kept }))).toEqual(kept)
    for (const none of [{}, { sources: null }, { sources: 7 }, null, undefined, 'x', 1]) {
      expect(openWebui.readMessageSources(none as object)).toEqual([])
    }
  })
})

describe('numbers agree', () => {
  test('context, list, markers and payload, and with what Open WebUI would count', () => {
    fc.assert(
      fc.property(sources, (list) => {
        const { numbers, count } = numberedByHand(list)
        expect(numbersOf(openWebui.buildSourceContext(list))).toEqual(numbers)
        const entries = openWebui.listSources({ sources: list })
        expect(entries.map(({ number }) => number)).toEqual(
          Array.from({ length: count }, (_, index) => index + 1),
        )
        for (const { number, documents } of entries) {
          for (const { text } of documents) expect(numbers.get(text)).toBe(number)
        }
        const shown = entries.flatMap(({ documents }) => documents).length
        expect(shown).toBe([...numbers.values()].filter((number) => number !== undefined).length)

        const content = Array.from({ length: 8 }, (_, index) => `[${index + 1}]`).join(' ')
        const marked = openWebui.replaceSourceMarkers(content, entries)
        expect(marked.match(/<source_id data="\d+"/g) ?? []).toHaveLength(Math.min(count, 8))
        const { sources: ours, cited } = openWebui.toPayload({ content, sources: list })
        expect(ours.map(({ citedText }) => numbers.get(citedText!))).toEqual(
          entries.map(({ number }) => number),
        )
        expect(cited).toEqual(entries.map(({ number }) => number).slice(0, 8))
      }),
      { numRuns: 500 },
    )
  })

  test('also when only part of it was sent, and more came later', () => {
    fc.assert(
      fc.property(sources, sources, (first, second) => {
        const { numbers } = numberedByHand(first)
        let message = openWebui.mergeSourceEvent({}, openWebui.sourceEvents(first))
        for (const data of second) {
          const renamed = { ...data, document: data.document?.map((text) => `later ${text}`) }
          message = openWebui.mergeSourceEvent(message, { type: 'source', data: renamed })
        }
        const shown = new Map(
          openWebui
            .listSources(message)
            .flatMap(({ number, documents }) => documents.map(({ text }) => [text, number])),
        )
        for (const [text, number] of numbers) expect(shown.get(text)).toBe(number)
      }),
      { numRuns: 500 },
    )
  })

  test('for sources of ours they are their places, before and after', () => {
    const page = fc.record(
      {
        title: fc.constantFrom('A', 'B', 'N/A'),
        url: fc.constantFrom('https://a.example/', 'https://b.example/x'),
        citedText: fc.constantFrom('one', 'two'),
        id: fc.constantFrom('call-0', 'call-1', 'source-2'),
        fileId: fc.constant('file-1'),
        pageNumber: fc.integer({ min: 1, max: 9 }),
      },
      { requiredKeys: ['title'] },
    )
    fc.assert(
      fc.property(fc.array(page, { maxLength: 6 }), (list) => {
        const message = openWebui.fromPayload({ text: '', sources: list as CitationSource[] })
        expect(message.sources).toHaveLength(list.length)
        const entries = openWebui.listSources(message)
        expect(entries.map(({ number, name }) => [number, name])).toEqual(
          list.map(({ title }, index) => [index + 1, title]),
        )
        const payload = { text: '', sources: list as CitationSource[] }
        expect(openWebui.buildSourceContext(payload)).toBe(openWebui.buildSourceContext(message))
        // And they are the same sources again.
        const again = openWebui.toPayload(message).sources
        expect(
          again.map(({ title, url, citedText, id, fileId, pageNumber }) =>
            JSON.stringify({ title, url, citedText, id, fileId, pageNumber }),
          ),
        ).toEqual(
          list.map(({ title, url, citedText, id, fileId, pageNumber }) =>
            JSON.stringify({ title, url, citedText, id, fileId, pageNumber }),
          ),
        )
      }),
      { numRuns: 500 },
    )
  })
})

describe('from a message to a payload and back', () => {
  test('nothing is lost', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const before = structuredClone(message)
        const payload = openWebui.toPayload(message)
        const stored = JSON.parse(JSON.stringify({ ...payload, openWebui: undefined }))
        for (const back of [
          openWebui.fromPayload(payload),
          openWebui.fromPayload(payload, message),
          openWebui.fromPayload(stored, message),
          openWebui.fromPayload(JSON.stringify(stored), message),
        ]) {
          expect(back).toEqual(before)
          expect(back).not.toBe(message)
          for (const [index, source] of (message.sources as object[] | undefined)?.entries() ??
            []) {
            expect(back.sources![index]).toBe(source)
          }
        }
        expect(message).toEqual(before)
      }),
      { numRuns: 500 },
    )
  })

  test('old citations become sources', () => {
    const message = { id: 'm', content: 'x', citations: [NOTES, PAGE] }
    expect(openWebui.fromPayload(openWebui.toPayload(message))).toEqual({
      id: 'm',
      content: 'x',
      sources: [NOTES, PAGE],
    })
  })

  test('what has no place in a payload stays: several documents, repeats, junk, unnamed ones', () => {
    const odd = [
      { ...NOTES, metadata: [{ source: 'a' }, { source: 'b' }], distances: [1.5, Number.NaN] },
      null,
      { source: {}, document: ['nobody'], metadata: [{ secret: { x: [1] } }] },
      NOTES,
      'text',
      { source: { name: 'no documents' } },
      PAGE,
    ]
    const message = { content: 'x', sources: odd }
    expect(openWebui.fromPayload(openWebui.toPayload(message))).toEqual(message)
  })

  test('sources that were added come last', () => {
    const payload = openWebui.toPayload({ content: 'x', sources: [NOTES, PAGE] })
    payload.sources.push({ title: 'notes.md', citedText: 'new' })
    const message = openWebui.fromPayload(payload)
    expect(message.sources!.slice(0, 2)).toEqual([NOTES, PAGE])
    expect(openWebui.listSources(message).map(({ name }) => name)).toEqual([
      'notes.md',
      'History of Rust',
      'notes.md',
    ])
  })

  test('a payload with fewer sources, in another order, keeps its numbers', () => {
    fc.assert(
      fc.property(sources, fc.array(fc.nat(9), { maxLength: 6 }), (list, picks) => {
        const payload = openWebui.toPayload({ content: '', sources: list })
        const chosen = [...new Set(picks)].filter((pick) => pick < payload.sources.length)
        const changed = { ...payload, sources: chosen.map((pick) => payload.sources[pick]!) }
        const message = openWebui.fromPayload(changed)
        const before = openWebui.listSources(list)
        expect(openWebui.listSources(message)).toEqual(
          chosen.map((pick, index) => ({ ...before[pick], number: index + 1 })),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('the answer becomes the content, unless it is that already', () => {
    const payload = { text: '', answer: 'New.', sources: [] }
    expect(openWebui.fromPayload(payload)).toEqual({ content: 'New.', sources: [] })
    expect(openWebui.fromPayload(payload, { id: 'm', content: 'Old.' })).toEqual({
      id: 'm',
      content: 'New.',
    })
    expect(openWebui.fromPayload({ text: '', sources: [] }, { content: 'Old.' })).toEqual({
      content: 'Old.',
    })
  })

  test('pages and scores find their way without the message', () => {
    const { sources: ours } = openWebui.toPayload({ sources: [NOTES] })
    const message = openWebui.fromPayload({ text: '', sources: ours })
    expect(openWebui.listSources(message)[0]!.documents).toMatchObject([
      { text: 'Tokio is a runtime.', page: 3, score: 0.91 },
      { text: 'It has timers.', score: 0.4 },
    ])
  })
})
