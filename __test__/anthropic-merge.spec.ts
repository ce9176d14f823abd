/**
 * A sub-agent had a request of its own: what it calls document 0 is not document 0 of this turn's request, so it
 * shares neither its number nor its name, and its quotations are not held against it.
 */
import { expect, test } from 'vitest'
import { CitationService } from '../index.js'
import { char, MEADOW, message, requestOf } from './anthropic-requests.js'

function startTurn(groupByDocument: boolean) {
  const turn = new CitationService({ documents: true, groupByDocument }).startTurn()
  turn.setRequest(requestOf([MEADOW.text, 'Meadow']))
  return turn
}

const location = {
  type: 'char_location',
  startCharIndex: 0,
  endCharIndex: 12,
  documentIndex: 0,
} as const
const found = { provider: 'anthropic', citedText: 'Rent is due.', location }

test.each([true, false])('a sub-agent has documents of its own, grouped: %s', (groupByDocument) => {
  const turn = startTurn(groupByDocument)
  turn.push(message(['A', char(0, 0, 'The grass is green. ')]))
  expect(turn.merge('lawyer', [{ ...found, title: 'Contract' }])).toEqual([2])
  expect(turn.finish().sources.map(({ title }) => title)).toEqual(['Meadow', 'Contract'])
  expect(turn.finish().diagnostics).toEqual([])
})

test.each([true, false])('a sub-agent gets none of our titles, grouped: %s', (groupByDocument) => {
  const turn = startTurn(groupByDocument)
  expect(turn.merge('lawyer', [found])).toEqual([1])
  expect(turn.finish().sources).toEqual([{ ...found, agentId: 'lawyer' }])
  expect(turn.finish().diagnostics).toEqual([])
})
