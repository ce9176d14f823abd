/**
 * Proves what users of LLxprt see of citations, in the example host: the official SDKs ask a server on this
 * machine, Ink draws, a terminal emulator shows. When sources are shown, for which providers, and in silence.
 * With the settings objects of LLxprt 0.9 and of 0.11, as INFO items and as items of their own.
 */
import { describe, expect, it } from 'vitest'
import * as scenes from '../examples/llxprt-host/scenes.js'
import { ReplayServer, type Reply } from '../examples/llxprt-host/server.js'
import type { SettingsFile } from '../examples/llxprt-host/settings.js'
import { completion } from '../examples/llxprt-host/wire.js'
import { supportsCitations } from '../index.js'
import { type HostOptions, hostsOn, infoRows } from './llxprt-host.js'
import { printedDuring } from './output.js'

const server = new ReplayServer()
const open = hostsOn(server)

const RUST_LINES = [
  ' Sources:',
  `  1. History of Rust — ${scenes.WIKI}`,
  `  2. Rust Release Notes — ${scenes.BLOG}`,
]
const NODE_LINES = [' Sources:', `  1. Node.js Release Schedule — ${scenes.NODE_PAGE}`]
const REPORT_LINES = [
  ' Sources:',
  '  1. "Q3 Revenue Report" (chars 1204–1275):',
  '     > "Total revenue for Q3 2025 increased 15% year-over-year to $4.2 billion."',
]

/** Provider, what the network replies, what the answer says, how its sources are listed. */
const CITING: [string, Reply, string, string[]][] = [
  ['gemini', scenes.RUST, scenes.RUST_ANSWER, RUST_LINES],
  ['openai-responses', scenes.NODE, scenes.NODE_ANSWER, NODE_LINES],
  ['anthropic', scenes.REPORT, scenes.REPORT_ANSWER, REPORT_LINES],
]

describe.each([
  ['0.9', 'info'],
  ['0.11', 'info'],
  ['0.11', 'raw'],
] as const)('LLxprt %s, %s', (release, style) => {
  const start = (options: HostOptions = {}) => open({ release, style, ...options })
  const startEnabled = async (options: HostOptions = {}) => {
    const host = start(options)
    await host.session.enter('/set citations enabled')
    return host
  }
  const block = (lines: string[]) => (style === 'info' ? infoRows(...lines) : lines)

  describe.each(CITING)('with %s', (provider, reply, answer, lines) => {
    const cases: [string, string[], SettingsFile, boolean][] = [
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
      const { session, ask, text } = start({ file })
      await session.enter(`/provider ${provider}`)
      for (const command of commands) await session.enter(command)
      await ask(reply)
      expect(await text()).toEqual(shown ? [answer, '', ...block(lines)] : [answer])
    })
  })

  it('/set answers in the words of the specification', async () => {
    const { session, transcript } = start({ columns: 140 })
    for (const mode of ['enabled', 'DISABLED', 'maybe'])
      await session.enter(`/set citations ${mode}`)
    await session.enter('/set citations')
    expect(session.config.getEphemeralSetting('citations')).toBe('disabled')
    expect((await transcript()).filter((row) => row.startsWith('ℹ'))).toEqual([
      'ℹ Citations enabled. Structured source references will appear after responses (when available from your provider).',
      'ℹ Citations disabled.',
      "ℹ Invalid citations mode 'maybe'. Valid modes are: enabled, disabled",
      'ℹ citations: List the sources of an answer below it (enabled or disabled)',
    ])
  })

  it.each([
    [true, true],
    [' ENABLED ', true],
    [false, false],
    [0, false],
    ['yes', false],
    [undefined, false],
  ])('a profile that injects %j without checking: shown is %j', async (raw, shown) => {
    const { session, ask, text } = start()
    session.config.setEphemeralSetting('citations', raw)
    await ask(scenes.RUST)
    expect(await text()).toEqual([scenes.RUST_ANSWER, ...(shown ? ['', ...block(RUST_LINES)] : [])])
  })

  it.each(['openai', 'kimi', 'qwen'])('%s has nothing to cite', async (provider) => {
    const { session, ask, text } = await startEnabled({ file: { ui: { showCitations: true } } })
    await session.enter(`/provider ${provider}`)
    const events = await ask(scenes.TREE)
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['content', 'finished']))
    expect(await text()).toEqual([scenes.TREE_ANSWER])
  })

  it('Anthropic sleeps until the host sends documents', async () => {
    const { session, ask, text } = await startEnabled({ documents: [] })
    await session.enter('/provider anthropic')
    const events = await ask(scenes.REPORT)
    expect(events.filter(({ type }) => type === 'citation')).toEqual([])
    expect(await text()).toEqual([scenes.REPORT_ANSWER])
  })

  it('what a provider declares does not gate what it sends', async () => {
    const { session, ask, text } = await startEnabled()
    await session.enter('/provider zai')
    await ask(scenes.REPORT)
    expect(supportsCitations('zai')).toBe(false)
    expect(await text()).toEqual([scenes.REPORT_ANSWER, '', ...block(REPORT_LINES)])
  })

  it('switching providers keeps the setting and cites when there is something', async () => {
    const { session, ask, transcript } = await startEnabled()
    await session.enter('/set temperature 0.2')
    const turns: [string, Reply, string[]][] = [
      ['gemini', scenes.RUST, RUST_LINES],
      ['openai', scenes.TREE, []],
      ['openai-responses', scenes.NODE, NODE_LINES],
      ['kimi', scenes.TREE, []],
      ['claudecode', scenes.REPORT, REPORT_LINES],
      ['gemini', scenes.RUST, RUST_LINES],
    ]
    for (const [provider, reply] of turns) {
      await session.enter(`/provider ${provider}`)
      await ask(reply)
    }
    expect(session.config.getEphemeralSetting('temperature')).toBeUndefined()
    const listed = (await transcript()).filter((row) => /Sources:$|^ +(\d+\.|>) /.test(row))
    expect(listed).toEqual(turns.flatMap(([, , lines]) => (lines.length > 0 ? block(lines) : [])))
  })

  it('the setting is nobody’s business but ours: no provider is sent it', async () => {
    const { session, ask } = await startEnabled()
    for (const [provider, reply] of [...CITING, ['openai', scenes.TREE] as const]) {
      await session.enter(`/provider ${provider}`)
      await session.enter('/set temperature 0.25')
      // As in LLxprt, what nobody registered is taken for a parameter of the model.
      session.config.setEphemeralSetting('top_k', 7)
      server.requests.length = 0
      await ask(reply)
      const { body } = server.requests[0]!
      expect(Object.keys(JSON.parse(body))).not.toContain('citations')
      expect(body).not.toContain('"citations":"')
      expect(body).toMatch(/"temperature":0.25/)
      if (provider !== 'gemini') expect(body).toMatch(/"top_k":7/)
    }
  })

  it.each(['/set citations enabled', '/set citations disabled', '/set unset citations'])(
    'after %s a full session logs nothing',
    async (command) => {
      const printed = await printedDuring(async () => {
        const { session, ask, transcript } = start()
        await session.enter(command)
        for (const [provider, reply] of [...CITING, ['openai', scenes.TREE] as const]) {
          await session.enter(`/provider ${provider}`)
          await ask(reply)
        }
        await transcript()
      })
      expect(printed).toEqual([])
    },
  )

  it('an answer without words or sources shows nothing', async () => {
    const { session, ask, text } = await startEnabled()
    await session.enter('/provider openai')
    await ask(completion(''))
    expect(await text()).toEqual([])
  })
})
