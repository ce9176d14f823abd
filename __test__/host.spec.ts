/**
 * Proves the behaviour users of LLxprt see, in a small host like it: when sources are shown, for
 * which providers, without repeating what a tool has listed, in a stable order, and in silence.
 * Every case runs with the settings objects of LLxprt 0.9 and of 0.11.
 */
import { describe, expect, it } from 'vitest'
import {
  extractAnthropicCitations,
  extractGeminiCitations,
  extractOpenAIResponsesCitations,
  renderCitations,
  supportsCitations,
} from '../index.js'
import {
  BLOG,
  CITING,
  HISTORY,
  NODE,
  NODE_ANSWER,
  NODE_BLOCK,
  NOTES,
  REPORT,
  REPORT_ANSWER,
  REPORT_BLOCK,
  RUST,
  RUST_ANSWER,
  RUST_BLOCK,
  TREE,
  TREE_ANSWER,
  WIKI,
} from './host/answers.js'
import {
  googleWebSearch,
  type ProviderResponse,
  type Release,
  Session,
  type SessionOptions,
  type StreamItem,
} from './host/host.js'
import { printedDuring } from './host/output.js'

const chunk = (response: ProviderResponse): StreamItem => ({ kind: 'chunk', response })

function grounded(text: string, groundingMetadata?: unknown): StreamItem {
  return chunk({ candidates: [{ content: { parts: [{ text }] }, groundingMetadata }] })
}

/** A session that keeps its screen. */
function start(release: Release, options: Partial<SessionOptions> = {}) {
  let screen = ''
  const write = (text: string) => {
    screen += text
  }
  const session = new Session({ release, write, ...options })
  return { session, screen: () => screen }
}

describe.each(['0.9', '0.11'] as const)('LLxprt %s', (release) => {
  const startEnabled = (options: Partial<SessionOptions> = {}) => {
    const started = start(release, options)
    started.session.command('/set citations enabled')
    return started
  }

  describe.each(CITING)('with %s', (provider, response, answer, block) => {
    const cases: [string, string[], SessionOptions['file'], boolean][] = [
      ['/set citations enabled shows', ['/set citations enabled'], {}, true],
      ['/set citations disabled hides', ['/set citations disabled'], {}, false],
      ['by default hidden', [], {}, false],
      ['the settings file shows', [], { ui: { showCitations: true } }, true],
      ['the settings file hides', [], { ui: { showCitations: false } }, false],
      ['a string in the settings file is no setting', [], { ui: { showCitations: 'true' } }, false],
      [
        'disabled for the session hides against the file',
        ['/set citations disabled'],
        { ui: { showCitations: true } },
        false,
      ],
      [
        'enabled for the session shows against the file',
        ['/set citations enabled'],
        { ui: { showCitations: false } },
        true,
      ],
      [
        'unset gives the word back to the file',
        ['/set citations disabled', '/set unset citations'],
        { ui: { showCitations: true } },
        true,
      ],
      [
        'a mistyped mode changes nothing',
        ['/set citations enabled', '/set citations maybe'],
        {},
        true,
      ],
    ]
    it.each(cases)('%s', async (_name, commands, file, shown) => {
      const { session, screen } = start(release, { file, documents: true })
      session.command(`/provider ${provider}`)
      for (const command of commands) session.command(command)
      await session.prompt(chunk(response))
      expect(screen()).toBe(shown ? `${answer}\n\n${block}\n` : `${answer}\n`)
    })
  })

  it('/set answers in the words of the specification', () => {
    const { session } = start(release)
    expect(
      ['enabled', 'DISABLED', 'maybe', ''].map((mode) => session.command(`/set citations ${mode}`)),
    ).toEqual([
      'Citations enabled. Structured source references will appear after responses (when available from your provider).',
      'Citations disabled.',
      "Invalid citations mode 'maybe'. Valid modes are: enabled, disabled",
      "Invalid citations mode ''. Valid modes are: enabled, disabled",
    ])
    expect(session.config.getEphemeralSetting('citations')).toBe('disabled')
  })

  it('takes what a profile injects without checking', async () => {
    const { session, screen } = start(release)
    for (const raw of [true, ' ENABLED ', false, 0, 'yes', undefined]) {
      session.config.setEphemeralSetting('citations', raw)
      await session.prompt(chunk(RUST))
    }
    const [shown, hidden] = [`${RUST_ANSWER}\n\n${RUST_BLOCK}\n`, `${RUST_ANSWER}\n`]
    expect(screen()).toBe([shown, shown, hidden, hidden, hidden, hidden].join(''))
  })

  it.each(['openai', 'kimi', 'qwen'])('%s has nothing to cite', async (provider) => {
    const { session, screen } = startEnabled({ file: { ui: { showCitations: true } } })
    session.command(`/provider ${provider}`)
    const events = await session.prompt(chunk(TREE))
    expect(events.map(({ type }) => type)).toEqual(['content', 'finished'])
    expect(screen()).toBe(`${TREE_ANSWER}\n`)
  })

  it('Anthropic sleeps until the host sends documents', async () => {
    const { session, screen } = startEnabled({ documents: false })
    session.command('/provider anthropic')
    const events = await session.prompt(chunk(REPORT))
    expect(events.filter(({ type }) => type === 'citation')).toEqual([])
    expect(screen()).toBe(`${REPORT_ANSWER}\n`)
  })

  it('what a provider declares does not gate what it sends', async () => {
    const { session, screen } = startEnabled({ documents: true })
    session.command('/provider zai')
    await session.prompt(chunk(REPORT))
    expect(supportsCitations('zai')).toBe(false)
    expect(screen()).toBe(`${REPORT_ANSWER}\n\n${REPORT_BLOCK}\n`)
  })

  it('switching providers in a session keeps the setting and cites when there is something', async () => {
    const { session, screen } = startEnabled()
    session.config.setEphemeralSetting('temperature', 0.2)
    const turns: [string, ProviderResponse][] = [
      ['gemini', RUST],
      ['openai', TREE],
      ['openai-responses', NODE],
      ['kimi', TREE],
      ['gemini', RUST],
    ]
    for (const [provider, response] of turns) {
      session.command(`/provider ${provider}`)
      await session.prompt(chunk(response))
    }
    const rust = `${RUST_ANSWER}\n\n${RUST_BLOCK}\n`
    const node = `${NODE_ANSWER}\n\n${NODE_BLOCK}\n`
    expect(screen()).toBe(`${rust}${TREE_ANSWER}\n${node}${TREE_ANSWER}\n${rust}`)
    expect(session.config.getEphemeralSetting('temperature')).toBeUndefined()
  })

  describe('sources a search tool has listed', () => {
    const searched = (...sources: { web?: { uri?: string; title?: string } }[]): StreamItem => ({
      kind: 'tool',
      result: googleWebSearch('rust 1.0', 'Released in 2015. [1]', sources),
    })
    const times = (screen: string, part: string) => screen.split(part).length - 1

    it('are not listed again', async () => {
      const { session, screen } = startEnabled()
      await session.prompt(searched(HISTORY, NOTES), chunk(RUST))
      expect(screen()).toBe(
        `Web search results for "rust 1.0":\n\nReleased in 2015. [1]\n\nSources:\n[1] History of Rust (${WIKI})\n[2] Rust Release Notes (${BLOG})\n\n${RUST_ANSWER}\n`,
      )
    })

    it('leave the rest, numbered from one', async () => {
      const { session, screen } = startEnabled()
      await session.prompt(searched(HISTORY), chunk(RUST))
      expect(screen()).toMatch(/ {2}1\. Rust Release Notes — \S+\n$/)
      expect([times(screen(), WIKI), times(screen(), BLOG)]).toEqual([1, 1])
    })

    it.each([
      ['a trailing slash', `${WIKI}/`],
      ['the case of the host', WIKI.replace('en.wikipedia', 'EN.Wikipedia')],
      ['the default port', WIKI.replace('.org/', '.org:443/')],
      ["OpenAI's tracking", `${WIKI}?utm_source=openai`],
    ])('are the same page whatever %s says', async (_name, uri) => {
      const { session, screen } = startEnabled()
      await session.prompt(searched({ web: { uri, title: 'Rust' } }), chunk(RUST))
      expect(screen()).toContain(`\n Sources:\n  1. Rust Release Notes — ${BLOG}\n`)
      expect(screen()).not.toContain(`— ${WIKI}`)
    })

    it.each([
      ['nothing', undefined],
      ['an empty list', []],
      ['entries without an address', [{}, { web: {} }, { web: { title: 'History of Rust' } }]],
      ["LLxprt's stand-in for an address", [{ web: { uri: 'No URI', title: 'Untitled' } }]],
      ['another page', [{ web: { uri: 'https://other.example/', title: 'History of Rust' } }]],
    ])('hide no other source: the tool listed %s', async (_name, sources) => {
      const { session, screen } = startEnabled()
      const result = googleWebSearch('rust 1.0', 'Released in 2015.', sources)
      await session.prompt({ kind: 'tool', result }, chunk(RUST))
      expect(screen().endsWith(`${RUST_ANSWER}\n\n${RUST_BLOCK}\n`)).toBe(true)
    })

    it('of several tools all count, whenever they ran', async () => {
      const { session, screen } = startEnabled()
      await session.prompt(searched(HISTORY), chunk(RUST), searched(NOTES))
      expect([times(screen(), WIKI), times(screen(), BLOG)]).toEqual([1, 1])
    })

    it('are listed anew in the next turn', async () => {
      const { session, screen } = startEnabled()
      await session.prompt(searched(HISTORY, NOTES), chunk(RUST))
      await session.prompt(chunk(RUST))
      expect(screen().endsWith(`${RUST_ANSWER}\n\n${RUST_BLOCK}\n`)).toBe(true)
    })
  })

  it('a stream that repeats its metadata cites once, in one event before the end', async () => {
    const { session, screen } = startEnabled()
    const events = await session.prompt(
      grounded('The Rust programming language '),
      grounded('was first released ', { groundingChunks: [HISTORY] }),
      grounded('in 2015.', { groundingChunks: [HISTORY, NOTES] }),
      grounded('', { groundingChunks: [HISTORY, NOTES] }),
    )
    expect(screen()).toBe(`${RUST_ANSWER}\n\n${RUST_BLOCK}\n`)
    expect(events.map(({ type }) => type)).toEqual([
      ...['content', 'content', 'content'],
      ...['citation', 'finished'],
    ])
    const location = (groundingChunkIndex: number) => ({ type: 'grounding', groundingChunkIndex })
    const citation = {
      type: 'citation',
      value: {
        text: '',
        sources: [
          { title: 'History of Rust', url: WIKI, provider: 'gemini', location: location(0) },
          { title: 'Rust Release Notes', url: BLOG, provider: 'gemini', location: location(1) },
        ],
      },
    }
    expect(events.at(-2)).toStrictEqual(citation)
    expect(JSON.parse(JSON.stringify(events.at(-2)))).toStrictEqual(citation)
  })

  it('a retry drops the sources of the attempt it replaces', async () => {
    const { session, screen } = startEnabled()
    const events = await session.prompt(
      grounded('Rust is from 1999.', {
        groundingChunks: [HISTORY, { web: { uri: 'https://wrong.example/' } }],
      }),
      { kind: 'retry' },
      grounded('Rust is from 2015.', { groundingChunks: [NOTES] }),
    )
    expect(screen()).toBe(`Rust is from 2015.\n\n Sources:\n  1. Rust Release Notes — ${BLOG}\n`)
    expect(events.filter(({ type }) => type === 'citation')).toHaveLength(1)
  })

  it('a retry without sources cites nothing', async () => {
    const { session, screen } = startEnabled()
    await session.prompt(chunk(RUST), { kind: 'retry' }, grounded('Rust is from 2015.'))
    expect(screen()).toBe('Rust is from 2015.\n')
  })

  it.each([
    ['null', null],
    ['a string', 'groundingChunks'],
    ['chunks that are no list', { groundingChunks: 'https://a.example/' }],
    ['chunks of rubbish', { groundingChunks: [null, 7, 'x', {}, { web: null }, { web: 'x' }] }],
    ['supports alone', { groundingSupports: [{ groundingChunkIndices: [0, 99, -1] }] }],
  ])('malformed metadata is no error: %s', async (_name, metadata) => {
    const { session, screen } = startEnabled()
    await session.prompt(grounded('Answer.', metadata))
    expect(screen()).toBe('Answer.\n')
  })

  it('the same turn reads the same, time after time', async () => {
    const pages = Array.from({ length: 40 }, (_, index) => ({
      web: { uri: `https://p${(index * 7) % 40}.example/`, title: `Page ${index}` },
    }))
    const block = pages.map(({ web }, index) => `  ${index + 1}. ${web.title} — ${web.uri}`)
    const expected = `Answer.\n\n Sources:\n${block.join('\n')}\n`
    for (let run = 0; run < 50; run += 1) {
      const { session, screen } = startEnabled()
      await session.prompt(grounded('Answer.', { groundingChunks: [...pages, ...pages] }))
      expect(screen()).toBe(expected)
    }
  })

  it.each(['/set citations enabled', '/set citations disabled', '/set unset citations'])(
    'after %s a full session logs nothing',
    async (command) => {
      const printed = await printedDuring(async () => {
        const { session } = start(release, { documents: true })
        session.command(command)
        for (const [provider, response] of [...CITING, ['openai', TREE] as const]) {
          session.command(`/provider ${provider}`)
          await session.prompt(chunk(response), { kind: 'retry' }, chunk(response))
        }
      })
      expect(printed).toEqual([])
    },
  )
})

describe('responses of the wrong provider', () => {
  it('give no sources to any extractor, and no error', () => {
    for (const other of [NODE, TREE, REPORT]) expect(extractGeminiCitations(other)).toEqual([])
    for (const other of [RUST, TREE, REPORT]) {
      expect(extractOpenAIResponsesCitations(other)).toEqual([])
    }
    for (const other of [RUST, TREE, NODE]) {
      expect(extractAnthropicCitations(other, { documents: true })).toEqual([])
    }
    expect(renderCitations(TREE, { links: 'plain' })).toBe('')
  })
})
