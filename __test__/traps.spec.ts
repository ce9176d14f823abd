/**
 * Mistakes that others made with citations, one test each: the list at the end of the survey of peers
 * that this engine was built on.
 */
import { expect, test } from 'vitest'
import {
  CitationService,
  dedupeCitations,
  detectHyperlinks,
  extractAnthropicCitations,
  insertMarkers,
  renderCitationBlock,
  sanitizeCitationSource,
} from '../index.js'

const turn = () => new CitationService({ documents: true }).startTurn()

const gemini = (text: string, chunks: object[], supports: object[] = []) => ({
  candidates: [
    {
      content: { parts: [{ text }] },
      groundingMetadata: { groundingChunks: chunks, groundingSupports: supports },
    },
  ],
})

const web = (name: string) => ({ web: { uri: `https://${name}.example/`, title: name } })

test('markers at the same place are not reversed', () => {
  const support = (index: number) => ({
    segment: { endIndex: 6, text: 'h\u00e9llo' },
    groundingChunkIndices: [index],
  })
  const one = turn()
  one.push(gemini('h\u00e9llo', [web('a'), web('b')], [support(0), support(1)]))
  const payload = one.finish()
  expect(insertMarkers(payload.answer, payload)).toBe('h\u00e9llo[1][2]')
})

test('an encrypted index is no position', () => {
  const citation = {
    type: 'web_search_result_location',
    url: 'https://a.example/',
    title: 'A',
    cited_text: 'words',
    encrypted_index: 'Eo8BCioIAhgB',
  }
  const [source] = extractAnthropicCitations([citation], { documents: true })
  expect(source?.location).toEqual({
    type: 'web_search_result_location',
    encryptedIndex: 'Eo8BCioIAhgB',
  })
})

test('a span that starts at 0, which Gemini leaves out, and all of its sources are kept', () => {
  const one = turn()
  const support = { segment: { endIndex: 4, text: 'Both' }, groundingChunkIndices: [1, 0] }
  one.push(gemini('Both agree.', [web('a'), web('b')], [support]))
  expect(one.finish().anchors).toEqual([{ start: 0, end: 4, text: 'Both', sources: [1, 2] }])
})

test('documents do not vanish in a stream', () => {
  const document = { retrievedContext: { text: 'A passage.', title: 'report.pdf' } }
  const one = turn()
  one.push(gemini('First ', []))
  one.push(gemini('and last.', [document]))
  expect(one.finish().sources.map((source) => source.title)).toEqual(['report.pdf'])
})

test('an address that is none does not throw when it is shown', () => {
  const sources = [{ title: 'Broken', url: 'http://[oops' }]
  expect(renderCitationBlock({ text: '', sources }, { links: 'osc8' })).toBe(
    ' Sources:\n  1. Broken',
  )
})

test('code is told by CommonMark, not by counting backticks', () => {
  const text = 'An odd ``` here, and then `arr[0][1]` ends.'
  const end = text.indexOf('[1]')
  const payload = { anchors: [{ start: 0, end, text: '', sources: [1] }] }
  expect(insertMarkers(text, payload)).toContain('`arr[0][1]`')
})

test('text is cut between characters a reader sees, not between UTF-16 units', () => {
  const { citedText } = sanitizeCitationSource({ citedText: '\u{1f44d}\u{1f3fd}'.repeat(300) })
  expect(citedText).toBe(`${'\u{1f44d}\u{1f3fd}'.repeat(200)}\u2026`)
})

test('control characters are not stripped to make a link', () => {
  const url = 'https://good.example\u0007.evil.example/'
  const block = renderCitationBlock({ text: '', sources: [{ title: 'T', url }] }, { links: 'osc8' })
  expect(block).toBe(' Sources:\n  1. T')
})

test('nothing is wrapped for tmux: links are off there unless forced', () => {
  const env = {
    TMUX: '/tmp/tmux-1/default',
    TERM_PROGRAM: 'iTerm.app',
    TERM_PROGRAM_VERSION: '3.5',
  }
  expect(detectHyperlinks({ env, isTTY: true }).supported).toBe(false)
  const forced = { ...env, FORCE_HYPERLINK: '1' }
  expect(detectHyperlinks({ env: forced, isTTY: true }).supported).toBe(true)
})

test('FORCE_HYPERLINK=false means no', () => {
  const env = { FORCE_HYPERLINK: 'false', WT_SESSION: 'x' }
  expect(detectHyperlinks({ env, isTTY: true }).supported).toBe(false)
})

test('pages with the same title are two pages', () => {
  const sources = ['a', 'b'].map((host) => ({ title: 'Home', url: `https://${host}.example/` }))
  expect(dedupeCitations(sources)).toHaveLength(2)
})

test('a marker that names a repeated page points at the one that is listed', () => {
  const twice = [web('a'), { web: { uri: 'https://A.example', title: 'again' } }, web('b')]
  const support = { segment: { endIndex: 4, text: 'Text' }, groundingChunkIndices: [1, 2] }
  const one = turn()
  one.push(gemini('Text.', twice, [support]))
  const { sources, anchors } = one.finish()
  expect(sources.map((source) => source.title)).toEqual(['a', 'b'])
  expect(anchors[0]?.sources).toEqual([1, 2])
})
