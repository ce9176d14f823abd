/**
 * Where the cells of the screen lead when Ink has drawn a block of sources: as an INFO item, whose reader makes
 * its own links or none, and as an item of its own, which draws hyperlinks.
 */
import { Text } from 'ink'
import { createElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { inlinePieces } from '../examples/llxprt-host/inline.js'
import * as scenes from '../examples/llxprt-host/scenes.js'
import { ReplayServer } from '../examples/llxprt-host/server.js'
import { geminiAnswer } from '../examples/llxprt-host/wire.js'
import { type CitationPayload, extractGeminiCitations, renderCitationBlock } from '../index.js'
import { drawn, type HostOptions, hostsOn } from './llxprt-host.js'
import { type Piece, textOf } from './screen.js'

// A terminal has colours, and colours are what tears hyperlinks apart. Ink looks here when it is loaded.
vi.hoisted(() => {
  process.env.FORCE_COLOR = '1'
})

const { BLOG, RUST, RUST_ANSWER, WIKI } = scenes

const server = new ReplayServer()
const open = hostsOn(server)

async function answered(options: HostOptions, reply = RUST): Promise<Piece[][]> {
  const { session, ask, answer } = open(options)
  await session.enter('/set citations enabled')
  await ask(reply)
  return answer()
}

const plain = (text: string): Piece[] => [{ text }]
const link = (text: string, url = text): Piece => ({ text, url })

describe('an INFO item', () => {
  it('in 0.9 shows addresses, and links none', async () => {
    expect(await answered({ release: '0.9', style: 'info' })).toEqual([
      plain(RUST_ANSWER),
      [],
      plain('ℹ  Sources:'),
      plain(`    1. History of Rust — ${WIKI}`),
      plain(`    2. Rust Release Notes — ${BLOG}`),
    ])
  })

  it('in 0.11 links addresses, parentheses and all', async () => {
    expect(await answered({ release: '0.11', style: 'info' })).toEqual([
      plain(RUST_ANSWER),
      [],
      plain('ℹ  Sources:'),
      [{ text: '    1. History of Rust — ' }, link(WIKI)],
      [{ text: '    2. Rust Release Notes — ' }, link(BLOG)],
    ])
  })

  it('in 0.11 links each row of an address that takes several', async () => {
    const uri = `https://docs.example/${'section/'.repeat(12)}end`
    const grounding = { groundingChunks: [{ web: { uri, title: 'Docs' } }] }
    const rows = await answered({ columns: 60 }, geminiAnswer('Answer.', grounding))
    const linked = rows.flat().filter(({ url }) => url !== undefined)
    expect(linked.length).toBeGreaterThan(1)
    expect(new Set(linked.map(({ url }) => url))).toEqual(new Set([uri]))
    expect(textOf(linked).replaceAll(/\s/g, '')).toBe(uri)
  })
})

describe('an item of its own', () => {
  it.each(['0.9', '0.11'] as const)('in %s links title and address', async (release) => {
    expect(await answered({ release, style: 'raw' })).toEqual([
      plain(RUST_ANSWER),
      [],
      plain(' Sources:'),
      [{ text: '  1. ' }, link('History of Rust', WIKI), { text: ' — ' }, link(WIKI)],
      [{ text: '  2. ' }, link('Rust Release Notes', BLOG), { text: ' — ' }, link(BLOG)],
    ])
  })

  it('without hyperlinks shows the same words', async () => {
    expect(await answered({ style: 'raw', hyperlinks: false })).toEqual([
      plain(RUST_ANSWER),
      [],
      plain(' Sources:'),
      plain(`  1. History of Rust — ${WIKI}`),
      plain(`  2. Rust Release Notes — ${BLOG}`),
    ])
  })

  it.each([20, 33, 40, 64])('on %i columns links every row and nothing else', async (columns) => {
    const rows = await answered({ style: 'raw', columns })
    const listed = rows.slice(rows.findIndex((row) => textOf(row) === ' Sources:') + 1)
    for (const [url, title] of [
      [WIKI, 'History of Rust'],
      [BLOG, 'Rust Release Notes'],
    ]) {
      const words = textOf(listed.flat().filter((piece) => piece.url === url))
      expect(words.replaceAll(/\s/g, '')).toBe(`${title}${url}`.replaceAll(/\s/g, ''))
    }
    const unlinked = listed.flat().filter(({ url }) => url === undefined)
    expect(textOf(unlinked).replaceAll(/\s/g, '')).toBe('1.—2.—')
  })
})

describe('hostile words', () => {
  const title = 'a\u001b[2J\u001b]8;;https://evil.example\u0007b\u202e\nc\u009b31m'
  const grounding = { groundingChunks: [{ web: { uri: 'https://a.example/', title } }] }

  it('steer nothing in an item of its own', async () => {
    const rows = await answered({ style: 'raw' }, geminiAnswer('Answer.', grounding))
    const linked = rows.flat().flatMap(({ url }) => url ?? [])
    expect(new Set(linked)).toEqual(new Set(['https://a.example/']))
    expect(rows).toHaveLength(4)
  })

  it('steer nothing in an INFO item, which links what looks like an address, to just that', async () => {
    const rows = await answered({ style: 'info' }, geminiAnswer('Answer.', grounding))
    const linked = rows.flat().filter(({ url }) => url !== undefined)
    expect(linked).toEqual([link('https://evil.exampleb'), link('https://a.example/')])
    expect(rows).toHaveLength(4)
  })
})

/** Why an INFO item gets `links: 'plain'`: what its reader makes of the others. */
describe('in an INFO item', () => {
  const sources = extractGeminiCitations({
    groundingChunks: [{ web: { uri: 'https://a.example/x', title: 'snake_case | Docs' } }],
  })
  const payload: CitationPayload = { text: '', sources }
  const row = async (links: 'osc8' | 'markdown' | 'plain', release: '0.9' | '0.11') => {
    const line = renderCitationBlock(payload, { links }).split('\n')[1]!
    const { rows, noises } = await drawn(
      createElement(Text, null, ...inlinePieces(line, release)),
      100,
    )
    return { row: rows[0]!, noises }
  }

  it('plain text is itself', async () => {
    const text = '  1. snake_case | Docs — https://a.example/x'
    expect((await row('plain', '0.9')).row).toEqual(plain(text))
    expect((await row('plain', '0.11')).row).toEqual([
      { text: '  1. snake_case | Docs — ' },
      link('https://a.example/x'),
    ])
  })

  it.each(['0.9', '0.11'] as const)('Markdown shows its escapes (%s)', async (release) => {
    const { row: shown } = await row('markdown', release)
    expect(textOf(shown)).toBe('  1. snake\\_case \\| Docs (https://a.example/x)')
  })

  it.each(['0.9', '0.11'] as const)('a hyperlink falls apart (%s)', async (release) => {
    const { row: shown, noises } = await row('osc8', release)
    expect(shown.filter(({ url }) => url !== undefined)).toEqual([])
    expect(textOf(shown)).not.toBe('  1. snake_case | Docs — https://a.example/x')
    expect(noises).toContain('bell')
  })
})
