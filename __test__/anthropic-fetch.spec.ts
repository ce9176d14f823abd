/**
 * Pages that the model fetches by itself: citations of them count them behind the documents of the request and
 * name no address; the result of the fetch does. No citation gets the address of another page.
 */
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  type CitationSource,
  extractAnthropicCitations,
  renderCitations,
} from '../index.js'
import {
  char,
  eventsOf,
  fetched,
  message,
  pages,
  requestOf,
  requestWith,
  serverSent,
} from './anthropic-requests.js'

const SERVICE = new CitationService({ documents: true })
const URL_A = 'https://a.example/page'
const URL_B = 'https://b.example/paper.pdf'

const pageA = fetched(URL_A, 'Page A', 'Alpha. Beta.')
const pageB = fetched(URL_B, null, 'Gamma.')
const failed = {
  type: 'web_fetch_tool_result',
  tool_use_id: 'srvtoolu_2',
  content: { type: 'web_fetch_tool_result_error', error_code: 'url_not_accessible' },
}

type Answer = ReturnType<typeof message>

/** The name and address of each source of a turn, however the answer comes. */
function listed(answers: Answer[], request?: object): [title?: string, url?: string][] {
  const named = ({ title, url }: CitationSource): [string?, string?] => [title, url]
  const turn = () => {
    const started = SERVICE.startTurn()
    if (request) started.setRequest(request)
    return started
  }
  const [whole, streamed, bytes] = [turn(), turn(), turn()]
  for (const answer of answers) {
    whole.push(answer)
    for (const event of eventsOf(answer)) streamed.push(event)
    bytes.pushBytes(Buffer.from(serverSent(eventsOf(answer))))
  }
  const payload = whole.finish()
  expect(streamed.finish()).toEqual(payload)
  expect(bytes.finish()).toEqual(payload)
  expect(SERVICE.restoreTurn(whole.serialize()).finish()).toEqual(payload)
  return payload.sources.map(named)
}

describe('addresses', () => {
  test.each<[string, Answer, request: object | undefined, [title?: string, url?: string][]]>([
    ['of one page', message(pageA, ['A', char(0, 0, 'Alpha. ')]), undefined, [['Page A', URL_A]]],
    [
      'of a page whose citation has a title',
      message(pageA, ['A', char(0, 0, 'Alpha. ', 'Own name')]),
      undefined,
      [['Own name', URL_A]],
    ],
    [
      'of a page without title',
      message(pageB, ['A', pages(0, 1, 2, 'Gamma.')]),
      undefined,
      [[undefined, URL_B]],
    ],
    [
      'of two pages',
      message(pageA, ['A', char(0, 7, 'Beta.')], pageB, ['B', char(1, 0, 'Gamma.')]),
      undefined,
      [
        ['Page A', URL_A],
        [undefined, URL_B],
      ],
    ],
    [
      'behind a fetch that failed',
      message(failed, pageB, ['B', char(0, 0, 'Gamma.')]),
      undefined,
      [[undefined, URL_B]],
    ],
    [
      'behind the documents of the request',
      message(pageA, ['A', char(2, 0, 'Alpha. '), char(1, 0, 'Two.')]),
      requestOf(['One.', 'First'], ['Two.', 'Second']),
      [
        ['Page A', URL_A],
        ['Second', undefined],
      ],
    ],
  ])('%s', (_, answer, request, expected) => {
    expect(listed([answer], request)).toEqual(expected)
    const options = { documents: true, ...(request && { request }) }
    const sources = extractAnthropicCitations(answer, options)
    expect(sources.map(({ title, url }) => [title, url])).toEqual(expected)
  })

  test('of a page that an earlier message fetched', () => {
    const later = {
      ...message(['B', char(0, 7, 'Beta.'), char(1, 0, 'Gamma.')], pageB),
      id: 'msg_2',
    }
    expect(listed([message(pageA, ['A', char(0, 0, 'Alpha. ')]), later])).toEqual([
      ['Page A', URL_A],
      ['Page A', URL_A],
      [undefined, URL_B],
    ])
  })

  test('that are no web addresses stay out', () => {
    const page = fetched('javascript:alert(1)', 'Page', 'Alpha.')
    expect(listed([message(page, ['A', char(0, 0, 'Alpha.')])])).toEqual([['Page', undefined]])
  })

  test('stand in the block', () => {
    const answer = message(pageA, ['A', char(0, 0, 'Alpha. ')])
    const block = ` Sources:\n  1. Page A (chars 0–7) — ${URL_A}\n     > "Alpha."`
    const turn = SERVICE.startTurn()
    turn.push(answer)
    expect(turn.render({ links: 'plain' })).toBe(block)
    for (const groupByDocument of [true, false]) {
      const options = { documents: true, groupByDocument, links: 'plain' } as const
      expect(renderCitations(answer, options)).toBe(block)
    }
  })
})

describe('a page that was fetched in an earlier turn', () => {
  /** The conversation goes on: the earlier answer is part of the request. */
  const request = {
    ...requestWith(),
    messages: [
      ...requestOf(['One.', 'First']).messages,
      { role: 'assistant', content: [pageA, { type: 'text', text: 'A' }] },
      ...requestOf(['Two.', 'Second']).messages,
    ],
  }

  test('is counted among the documents of the request, with its address', () => {
    const answer = message(
      ['A', char(0, 0, 'One.')],
      ['B', char(1, 7, 'Beta.')],
      ['C', char(2, 0, 'Two.')],
    )
    expect(listed([answer], request)).toEqual([
      ['First', undefined],
      ['Page A', URL_A],
      ['Second', undefined],
    ])
  })

  test('is counted once in a turn that goes on with the next request', () => {
    const turn = SERVICE.startTurn()
    turn.setRequest(requestOf(['One.', 'First']))
    turn.push(message(pageA, ['A', char(1, 0, 'Alpha. ')]))
    const next = { ...request, messages: request.messages.slice(0, 2) }
    turn.setRequest(next)
    turn.push({ ...message(pageB, ['B', char(1, 7, 'Beta.'), char(2, 0, 'Gamma.')]), id: 'msg_2' })
    expect(turn.finish().sources.map(({ title, url }) => [title, url])).toEqual([
      ['Page A', URL_A],
      ['Page A', URL_A],
      [undefined, URL_B],
    ])
  })
})

test('a citation of a document of the request never gets the address of a fetched page', () => {
  // The host did not say what it sent; the page does not hold what is quoted.
  const answer = message(pageA, ['A', char(0, 0, 'Rent is due on Monday.', 'Contract')])
  expect(listed([answer])).toEqual([['Contract', undefined]])
  const [source] = extractAnthropicCitations(answer, { documents: true })
  expect(source?.url).toBeUndefined()
})
