/**
 * 256 MB of text for every export that takes text: each comes to the end that is written down for it. Nobody
 * sends that much in earnest; a broken tool or a hostile page does.
 */
import { freemem } from 'node:os'
import { describe, expect, test } from 'vitest'
import * as citations from '../index.js'

const { anthropic, grounding, markers, openWebui } = citations

const LENGTH = 2 ** 28
const NEEDED = 6
const free = freemem() / 2 ** 30
const why =
  free < NEEDED ? ` (skipped: ${free.toFixed(1)} GB of memory are free, ${NEEDED} are needed)` : ''

/** Made once, because that takes as long as most calls. */
const WORDS = why ? '' : flat('a word. '.repeat(LENGTH / 8))

const SOURCE = { title: 'A', url: 'https://a.example/' }
const PAYLOAD: citations.TurnPayload = {
  ...{ text: '', answer: '', sources: [SOURCE] },
  ...{ anchors: [], cited: [], diagnostics: [] },
}
const SERVICE = new citations.CitationService({ documents: true, scanUnknownTools: true })
const turn = () => SERVICE.startTurn()

/** The same string in one piece, which engines put off until somebody reads it. */
function flat(text: string): string {
  return text.charCodeAt(text.length - 1) === 0 ? '' : text
}

/** Comparing lengths, and not texts that a failure would print. */
type Case = [name: string, call: (text: string) => unknown, outcome: unknown]

const length = (value: unknown) => (value as string | undefined)?.length

const ANSWERS: Case[] = [
  ['insertMarkers', (text) => length(citations.insertMarkers(text, PAYLOAD)), LENGTH],
  ['renderAnswerHtml', (text) => length(citations.renderAnswerHtml(text, PAYLOAD)), longer()],
  [
    'renderAnswerMarkdown',
    (text) => length(citations.renderAnswerMarkdown(text, PAYLOAD)),
    longer(),
  ],
  ['buildCitationData', (text) => citations.buildCitationData('s', text, PAYLOAD).references, []],
  ['turn.finish', (text) => length(turn().finish(text).answer), LENGTH],
  ['turn.merge', (text) => turn().merge(text, PAYLOAD), [1]],
  ['turn.mergeAgentText', (text) => length(turn().mergeAgentText(text, PAYLOAD)), LENGTH],
  [
    // Counting columns takes five times as long as anything else here: a quarter of it.
    'grounding.renderCoverage',
    (text) => length(grounding.renderCoverage(text.slice(0, LENGTH / 4), PAYLOAD)),
    longer(-LENGTH * 0.75),
  ],
  ['markers.copyText', (text) => length(markers.copyText(text, PAYLOAD)), longer()],
  ['markers.formatMarkers', (text) => length(markers.formatMarkers(text, PAYLOAD).text), LENGTH],
  ['markers.parseMarkers', (text) => markers.parseMarkers(text, PAYLOAD), []],
  [
    'MarkerStream.push',
    (text) => length(new markers.MarkerStream(PAYLOAD).push(text)),
    longer(-99),
  ],
  ['replaceSourceMarkers', (text) => length(openWebui.replaceSourceMarkers(text, ['a'])), LENGTH],
  ['openWebui.ragTemplate', (text) => length(openWebui.ragTemplate(text, 'why?')), longer()],
]

/** A page for each line is longer than a string of V8 can be: nothing comes back, and nothing breaks. */
const TOO_LONG: Case[] = [
  [
    'grounding.coverageSvg',
    (text) => {
      const svg: string | undefined = grounding.coverageSvg(text, PAYLOAD)
      return svg === undefined || svg.length > LENGTH
    },
    true,
  ],
]

/** No JSON, and so nothing in it. */
const PAYLOADS: Case[] = [
  ['extractGeminiCitations', citations.extractGeminiCitations, []],
  ['extractOpenAIResponsesCitations', citations.extractOpenAIResponsesCitations, []],
  [
    'extractAnthropicCitations',
    (text) => citations.extractAnthropicCitations(text, { documents: true }),
    [],
  ],
  ['renderCitations', (text) => citations.renderCitations(text), ''],
  ['anchorCitations', (text) => grounding.anchorCitations(text).citations, []],
  ['turn.push', (text) => turn().push(text), undefined],
  ['turn.setRequest', (text) => turn().setRequest(text), undefined],
  ['anthropic.checkCitationRequest', (text) => anthropic.checkCitationRequest(text), []],
  ['service.restoreTurn', (text) => refused(() => SERVICE.restoreTurn(text)), TypeError],
  ['formatSourcesForPrompt', (text) => citations.formatSourcesForPrompt(text), ''],
  ['grounding.pendingResolutions', (text) => grounding.pendingResolutions(text), []],
  ['openWebui.buildSourceContext', (text) => openWebui.buildSourceContext(text), ''],
  ['openWebui.fromPayload', (text) => openWebui.fromPayload(text), {}],
  ['openWebui.listSources', (text) => openWebui.listSources(text), []],
  ['openWebui.readMessageSources', (text) => openWebui.readMessageSources(text), []],
  ['openWebui.sourceEvents', (text) => openWebui.sourceEvents(text), ''],
  ['openWebui.toPayload', (text) => openWebui.toPayload(text).sources, []],
]

const DOCUMENTS: Case[] = [
  ['plainTextDocument', (text) => length(anthropic.plainTextDocument(text).source.data), LENGTH],
  [
    'pdfDocument',
    (text) => length((anthropic.pdfDocument(text).source as { data: string }).data),
    LENGTH,
  ],
  ['fileDocument', (text) => length(anthropic.fileDocument(text).source.file_id), LENGTH],
  ['customContentDocument', (text) => anthropic.customContentDocument([text]).type, 'document'],
  [
    'anthropic.locate',
    (text) =>
      anthropic.locate(anthropic.plainTextDocument(text), {
        type: 'char_location',
        start_char_index: 2,
        end_char_index: 7,
      }),
    { text: 'word.', start: 2, end: 7 },
  ],
  [
    'markers.verifyQuotes',
    (text) => markers.verifyQuotes([{ ...SOURCE, citedText: 'a word. a word.' }], [text]).length,
    1,
  ],
]

const TOOLS: Case[] = [
  [
    'extractToolCitations',
    (output) => citations.extractToolCitations({ name: 'x', output }, { scanUnknownTools: true }),
    [],
  ],
  ['turn.addToolResult', (output) => turn().addToolResult({ name: 'web_search', output }), []],
  [
    'BuiltInExtractor.extract',
    (text) => citations.getDefaultExtractors()[0]!.extract(text, text, text, text),
    [],
  ],
]

const SOURCES: Case[] = [
  [
    'sanitizeCitationSource',
    (title) => length(citations.sanitizeCitationSource({ ...SOURCE, title }).title),
    301,
  ],
  [
    'renderCitationBlock',
    (title) => length(citations.renderCitationBlock({ text: '', sources: [{ title }] })),
    316,
  ],
  [
    'layoutCitationBlock',
    (title) => citations.layoutCitationBlock({ text: '', sources: [{ title }] }).length,
    2,
  ],
  ['dedupeCitations', (title) => citations.dedupeCitations([{ title }], [title]), []],
]

const SETTINGS: Case[] = [
  ['parseCitationsSetting', (text) => 'error' in citations.parseCitationsSetting(text), true],
  ['supportsCitations', (text) => citations.supportsCitations(text), false],
  ['resolveCitationsEnabled', (text) => citations.resolveCitationsEnabled(text, text), false],
  [
    'detectHyperlinks',
    (text) => citations.detectHyperlinks({ env: { TERM: text }, isTTY: true }).supported,
    false,
  ],
]

function longer(by = 0): unknown {
  return expect.toSatisfy((found: number) => found > LENGTH + by, 'as long as what was given')
}

function refused(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return (error as Error).constructor
  }
}

describe.skipIf(why)(`256 MB${why}`, { timeout: 120_000 }, () => {
  describe.each([
    ['an answer', ANSWERS],
    ['an answer whose picture is longer still', TOO_LONG],
    ['a payload', PAYLOADS],
    ['a document', DOCUMENTS],
    ['what a tool gave', TOOLS],
    ['a field of a source', SOURCES],
    ['a setting', SETTINGS],
  ])('as %s', (_, cases) => {
    test.each(cases)('%s', (_, call, outcome) => {
      expect(call(WORDS)).toEqual(outcome)
    })
  })

  test('as the text of a response', () => {
    const response = `{"candidates":[{"content":{"parts":[{"text":"${WORDS}"}]}}]}`
    const whole = turn()
    whole.push(response)
    expect(length(whole.finish().answer)).toBe(LENGTH)
  })

  test('of characters that take three bytes', () => {
    expect(markers.parseMarkers('漢'.repeat(LENGTH))).toEqual([])
  })
})

test(`markers without end make a list with an end${why}`, {
  timeout: 60_000,
  skip: why !== '',
}, () => {
  const text = 'a [1]. '.repeat(2 ** 20 + 3)
  expect(markers.parseMarkers(text)).toHaveLength(2 ** 20)
})
