/** Small things that were lost, doubled or let through once. */
import { describe, expect, test } from 'vitest'
import { buildCitationData, CitationService, grounding } from '../index.js'
import { claims, finished, gemini, grounded, turnOf, web } from './turns.js'

const A = web('https://a.example/', 'A')

describe('what a provider says of its certainty', () => {
  const support = { segment: { endIndex: 3, text: 'Yes' }, groundingChunkIndices: [0] }

  test.each<[string, unknown, number | undefined]>([
    ['numbers', [0.5, 0.75], 0.75],
    ['words', ['x'], undefined],
    ['words and a number', ['x', 0.5, null], 0.5],
    ['no list', 0.5, undefined],
    ['an empty list', [], undefined],
  ])('%s', (_, confidenceScores, confidence) => {
    const { anchors } = finished([
      gemini('Yes.', grounded([A], [{ ...support, confidenceScores }])),
    ])
    expect(anchors).toHaveLength(1)
    expect(anchors[0]?.confidence).toBe(confidence)
  })

  test('supports that come again with every event count once', () => {
    const more = { segment: { startIndex: 5, endIndex: 7, text: 'No' }, groundingChunkIndices: [0] }
    const turn = turnOf([
      gemini('Yes. ', grounded([A], [support])),
      gemini('No.', grounded([A], [support, more])),
      gemini('', grounded([A], [support, more])),
    ])
    expect(claims(turn.finish())).toEqual([
      ['Yes', [1]],
      ['No', [1]],
    ])
    expect(turn.anchored().metadata.groundingSupports).toBe(2)
  })
})

test('stored sources are merged with place, quotation and whether they were shown', () => {
  const location = { type: 'page_location', startPageNumber: 5, endPageNumber: 6, documentIndex: 0 }
  const source = { title: 'Paper', citedText: 'Words.', location, shownInline: true }
  const stored = buildCitationData('s', 'Yes [1].', [source] as never)
  const turn = new CitationService().startTurn()
  expect(turn.merge('agent', JSON.parse(JSON.stringify(stored)))).toEqual([1])
  expect(turn.finish().sources).toMatchObject([source])
  // Passages of one document are not one passage.
  const other = { ...source, location: { ...location, startPageNumber: 7, endPageNumber: 8 } }
  expect(turn.merge('agent', [other])).toEqual([2])
})

test('stored sources have an id each, whatever they were called', () => {
  const ids = ['x', 'x', undefined, 's-1', 's-3', undefined, '']
  const sources = ids.map((id, at) => ({
    url: `https://a.example/${at}`,
    ...(id !== undefined && { id }),
  }))
  const stored = buildCitationData('s', 'All [1][2][3][4][5][6][7].', sources)
  const given = stored.sources.map(({ id }) => id)
  expect(new Set(given).size).toBe(ids.length)
  expect(given.every((id) => id !== '')).toBe(true)
  expect([given[0], given[3], given[4]]).toEqual(['x', 's-1', 's-3'])
  expect(stored.references.map(({ sourceIds }) => sourceIds[0])).toEqual(given)
})

test.each([[{}], [null], ['no JSON'], [{ candidates: [] }]])('nobody answered: %j', (input) => {
  const anchored = grounding.anchorCitations(input)
  expect(anchored.metadata.requiredPassReason).toBeNull()
  if (input === null || !('candidates' in Object(input))) expect(anchored.vendor).toBeNull()
})

test('what a stored turn says of model and searches is cleaned', () => {
  const groundingMetadata = { groundingChunks: [A], webSearchQueries: ['who QUERY'] }
  const event = { ...gemini('Yes.', { groundingMetadata }), modelVersion: 'gemini-MODEL' }
  const service = new CitationService()
  const stored = turnOf([event]).serialize()
  expect(stored).toContain('gemini-MODEL')
  const control = JSON.stringify('\u001b[31m\nX').slice(1, -1)
  const restored = service.restoreTurn(stored.replace('MODEL', control).replace('QUERY', control))
  const anchored = restored.anchored()
  expect(anchored.model).toBe('gemini-[31m X')
  expect(anchored.metadata.webSearchQueries).toEqual(['who [31m X'])
})
