/**
 * Turns of every provider as lists of steps, so that a spec can stop between any two of them, store the
 * turn and take it up again.
 */
import type { CitationTurn } from '../index.js'
import { searched } from './agent-runs.js'
import { CALL_ID, TOOLS } from './tool-results.js'
import {
  anthropicStream,
  charLocation,
  gemini,
  grounded,
  link,
  openAiStream,
  support,
  urlCitation,
  web,
} from './turns.js'

/** Something that happens to a turn, with what the turn answers. */
export type Step = (turn: CitationTurn) => unknown

const url = (name: string) => `https://${name}.example/`
const push = (event: object): Step => {
  return (turn) => turn.push(event)
}
const pushJson = (event: object): Step => {
  return (turn) => turn.push(JSON.stringify(event))
}

/** A grounded answer in three chunks; the sources come with the second and again with the third. */
export function geminiEvents(id = 'gen-1'): object[] {
  const text = 'Das größte Rad 🎡 steht in Wien. Es dreht sich seit 1897.'
  const chunks = [web(url('wien'), 'Wien – Prater'), web(url('rad'), '観覧車')]
  const sure = (entry: object, ...confidenceScores: number[]) => ({ ...entry, confidenceScores })
  const supports = [
    sure(support(text, 'Das größte Rad 🎡 steht in Wien.', [0, 1]), 0.75, 0.5),
    sure(support(text, 'Es dreht sich seit 1897.', [1]), 0.25),
    sure(support(text, 'seit 1897', [0]), 1),
  ]
  return [
    gemini('Das größte Rad 🎡 ', {}, id),
    gemini('steht in Wien. Es dreht ', grounded(chunks), id),
    gemini('sich seit 1897.', { ...grounded(chunks, supports), finishReason: 'STOP' }, id),
  ]
}

const OPENAI_TEXT = `Node 24 🚀 ist da ${link(url('node'))}. Näheres ${link(url('blog'))}.`

/** Every delta and each annotation four times. */
export function openAiEvents(): object[] {
  const pages = ['node', 'blog'] as const
  return openAiStream(
    OPENAI_TEXT,
    pages.map((name) => urlCitation(OPENAI_TEXT, url(name), name)),
  )
}

export const ENCRYPTED_INDEX = 'Eo8BCioIAhgBIiQ4Y2E1+/=='

/** Passages of a document, and a page that must be sent back with its encrypted index. */
export function anthropicEvents(): object[] {
  const found = {
    type: 'web_search_result_location',
    cited_text: 'It’s out now…',
    url: url('news'),
    title: 'Nachrichten',
    encrypted_index: ENCRYPTED_INDEX,
  }
  return anthropicStream([
    ['Laut Bericht: '],
    ['Gräser sind grün', [charLocation('My Document', 0, 'The grass is green. ')]],
    [' und 😀 '],
    ['neu', [found, charLocation('My Document', 20, 'The sky is blue.')]],
  ])
}

/** Cohere quotes the words that lean on a document. */
export function cohereEvents(): object[] {
  const answer = '💎 Ruby ist von Matz.'
  const ruby = { id: 'doc:0', title: 'Ruby', text: 'Ruby was made by Matz.', url: url('ruby') }
  const citation = {
    start: Array.from(answer).indexOf('M'),
    end: Array.from(answer).indexOf('M') + 4,
    text: 'Matz',
    sources: [{ type: 'document', id: 'doc:0', document: ruby }],
    type: 'TEXT_CONTENT',
    content_index: 0,
  }
  const delta = (type: string, message: object) => ({ type, index: 0, delta: { message } })
  const message = { role: 'assistant', content: [], tool_plan: '', citations: [] }
  return [
    { id: 'co-1', type: 'message-start', delta: { message } },
    delta('content-start', { content: { type: 'text', text: '' } }),
    ...Array.from(answer).map((text) => delta('content-delta', { content: { text } })),
    delta('citation-start', { citations: citation }),
    { type: 'citation-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
  ]
}

/** A list of addresses beside the chunks of Chat Completions, cited by number. */
export function chatEvents(): object[] {
  const citations = [url('eins'), url('zwei')]
  const pieces = ['Ja [1], ', 'na klar', ' [2', ']. Und `a[1]`.']
  return pieces.map((content) => ({ id: 'chat-1', citations, choices: [{ delta: { content } }] }))
}

/** References between pieces of text. */
export function mistralEvents(): object[] {
  const text = (text: string) => ({ type: 'text', text })
  const paris = { type: 'tool_reference', tool: 'web_search', title: 'Paris', url: url('paris') }
  const content = [text('Größer ist'), text(' Paris.'), paris, text(' Älter auch.'), paris]
  return content.map((piece) => ({ id: 'm-1', choices: [{ delta: { content: [piece] } }] }))
}

/** Results of every tool that is read, and of one without an id, around an answer. */
const TOOL_STEPS: Step[] = [
  ...TOOLS.map(({ name, args, text }, at): Step => {
    return (turn) => turn.addToolResult({ name, args, callId: `${CALL_ID}-${at}`, output: text })
  }),
  (turn) => turn.addToolResult(searched(undefined, [url('wien'), 'Wien'], [url('neu'), 'Neu'])),
  ...geminiEvents().map(push),
  (turn) => turn.addToolResult(searched(undefined, [url('rad'), 'Rad'], [url('noch'), 'Noch'])),
  push(gemini('Mehr [1][3] dazu [99].', {}, 'gen-2')),
]

/** What agents found, agents of agents, the same twice, and their texts. */
const AGENT_STEPS: Step[] = [
  (turn) => turn.addToolResult(searched('c1', [url('a'), 'A'], [url('b'), 'B'])),
  (turn) => turn.merge('one', [{ url: url('b'), title: 'B', id: 'x-0', citedText: 'Worte.' }]),
  (turn) => turn.merge('two', [{ url: url('B'), id: 'x-0', agentId: 'deep' }, { url: url('c') }]),
  (turn) => turn.merge('one', [{ url: url('b'), title: 'B', id: 'x-0', citedText: 'Worte.' }]),
  ...geminiEvents().map(push),
  (turn) => turn.mergeAgentText('Tokio [1] und Axum [2, 3].', [{ url: url('wien') }], 'three'),
  (turn) => turn.merge('four', [{ uri: 'src/ä.ts', title: 'ä.ts', type: 'file', lineStart: 3 }]),
  (turn) => turn.merge('four', [{ uri: 'src/ä.ts', title: 'ä.ts', type: 'file', lineStart: 4 }]),
  (turn) => turn.mergeAgentText('Noch [1].', [{ url: url('C'), title: 'C' }], 'four'),
]

/** Twelve model calls, the first of which says more at the end. */
const MANY_CALLS: Step[] = [
  ...Array.from({ length: 12 }, (_, at) => push(geminiEvents(`gen-${at}`)[at % 3]!)),
  push(geminiEvents('gen-0')[2]!),
]

/** Broken data, spans that cannot be placed, sources that are not listed. */
const TROUBLE: Step[] = [
  (turn) => turn.pushBytes(new TextEncoder().encode('data: {"candidates": oops}\n\n')),
  push(gemini('Ja.', grounded([web(url('a'), 'A')], [support('Ja.', 'Ja.', [0, 7])]))),
  push(gemini('', grounded([], [{ segment: { text: 'Nie' }, groundingChunkIndices: [0] }]))),
  (turn) => turn.pushBytes(new TextEncoder().encode('data: nope\n\n')),
  (turn) => turn.addToolResult({ name: 'web_search', output: { error: 'limit' } }),
]

/** The host looks at the turn in between and hands over its own answer. */
const LOOKED_AT: Step[] = [
  ...geminiEvents().map(push),
  (turn) => turn.finish('Das größte Rad 🎡 steht in Wien. Punkt.'),
  (turn) => turn.render({ links: 'plain', maxSources: 1 }),
  (turn) => turn.addToolResult(searched('c1', [url('neu'), 'Neu'])),
  (turn) => turn.render({ links: 'plain', maxSources: 1 }),
]

export const TURNS: Record<string, Step[]> = {
  Gemini: geminiEvents().map(push),
  'Gemini, as JSON': geminiEvents().map(pushJson),
  'OpenAI Responses': openAiEvents().map(push),
  Anthropic: anthropicEvents().map(push),
  Cohere: cohereEvents().map(push),
  'Chat Completions with a list': chatEvents().map(push),
  'Chat Completions with references': mistralEvents().map(push),
  tools: TOOL_STEPS,
  'sub-agents': AGENT_STEPS,
  'many model calls': MANY_CALLS,
  'all providers in a row': [
    ...geminiEvents().map(push),
    (turn) => turn.addToolResult(searched('c1', [url('node'), 'Node'], [url('x'), 'X'])),
    ...openAiEvents().map(push),
    ...anthropicEvents().map(push),
    ...cohereEvents().map(push),
    ...chatEvents().map(push),
  ],
  trouble: TROUBLE,
  'a turn that is looked at': LOOKED_AT,
}
