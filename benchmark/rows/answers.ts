/** Texts: an answer with markers, and what a search tool found. */
import assert from 'node:assert'
import { CitationService, extractToolCitations, markers } from '../../index.js'
import { formatMarkers, MarkerStream } from '../markers.ts'
import { cut, exaCall, listedPages, markedAnswer } from '../payloads.ts'
import { faster, type Row } from '../row.ts'
import { extractExa, ToolTurn } from '../tools.ts'

/** How the markers of an answer are rewritten. */
export const rewriting = { dangling: 'flag', renumber: true } as const

interface Stream {
  push(delta: string): string
  finish(): string
}

/** An answer of 100 kB with 200 markers, whole and as it streams in. */
function marked() {
  const pages = listedPages(20)
  const answer = markedAnswer(20)
  assert.equal(markers.parseMarkers(answer, pages).length, 200)
  return { pages, answer, pieces: cut(answer, 5000) }
}

const whole = faster('formatMarkers: 100 kB, 200 markers', 'TypeScript', () => {
  const { pages, answer } = marked()
  const ours = () => markers.formatMarkers(answer, pages, rewriting)
  assert.deepEqual(ours(), formatMarkers(answer, pages))
  return { theirs: () => formatMarkers(answer, pages).text, ours: () => ours().text }
})

const streamed = faster('MarkerStream: the same as 5,000 deltas', 'TypeScript', () => {
  const { pages, answer, pieces } = marked()
  const joined = (stream: Stream) => {
    let text = ''
    for (const piece of pieces) text += stream.push(piece)
    return text + stream.finish()
  }
  const shown = (stream: Stream) => [...pieces.map((piece) => stream.push(piece)), stream.finish()]
  const theirs = () => joined(new MarkerStream(pages))
  const ours = () => joined(new markers.MarkerStream(pages, rewriting))
  assert.equal(ours(), formatMarkers(answer, pages).text)
  // Neither side holds back what the other shows.
  assert.deepEqual(
    shown(new MarkerStream(pages)),
    shown(new markers.MarkerStream(pages, rewriting)),
  )
  return { theirs, ours }
})

const tools = faster('a reused turn, addToolResult: 20 Exa records', 'TypeScript', () => {
  const search = exaCall(20)
  const turn = new CitationService().startTurn()
  const plainTurn = new ToolTurn()
  const ours = () => {
    turn.reset()
    return turn.addToolResult(search)
  }
  const theirs = () => {
    plainTurn.reset()
    return plainTurn.addToolResult(search)
  }
  assert.deepEqual(ours(), theirs())
  return { theirs, ours }
})

const extracted = faster('extractToolCitations: 20 Exa records', 'TypeScript', () => {
  const search = exaCall(20)
  assert.equal(extractExa(search).length, 20)
  assert.deepEqual(extractToolCitations(search), extractExa(search))
  return { theirs: () => extractExa(search), ours: () => extractToolCitations(search) }
})

export const answers: Row[] = [whole, streamed, tools, extracted]
