/**
 * Which terminals show hyperlinks: known by name and version, from nothing but the description
 * handed in, always with a reason; and what `links: 'auto'` makes of it.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { detectHyperlinks, renderCitationBlock, type TerminalDescription } from '../index.js'
import { SEARCH, SPECIFIED } from './blocks.js'

type Environment = Record<string, string | undefined>

const ITERM = { TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.0' }
const program = (name: string, version?: string): Environment => {
  return { TERM_PROGRAM: name, TERM_PROGRAM_VERSION: version }
}

function onTerminal(env: Environment, platform = 'linux') {
  return detectHyperlinks({ env: { TERM: 'xterm-256color', ...env }, isTTY: true, platform })
}

/** What is known, by environment. */
const TERMINALS: [string, Environment, boolean][] = [
  ['iTerm 2', program('iTerm.app', '2.9.3'), false],
  ['iTerm 3.0', program('iTerm.app', '3.0.15'), false],
  ['iTerm 3.1', program('iTerm.app', '3.1.0'), true],
  ['iTerm 3.10', program('iTerm.app', '3.10'), true],
  ['iTerm 4', program('iTerm.app', '4.0'), true],
  ['iTerm of unknown age', program('iTerm.app'), false],
  ['WezTerm before', program('WezTerm', '20200607-144723-74889cd4'), false],
  ['WezTerm since', program('WezTerm', '20200620-160318-e00b076c'), true],
  ['WezTerm of 2024', program('WezTerm', '20240203-110809-5046fc22'), true],
  ['WezTerm unstable', program('WezTerm', '0-unstable-2024-05-18'), true],
  ['VS Code 1.71', program('vscode', '1.71.2'), false],
  ['VS Code 1.72', program('vscode', '1.72.0'), true],
  ['VS Code insiders', program('vscode', '1.100.0-insider'), true],
  ['Cursor', { ...program('vscode', '0.42.0'), CURSOR_TRACE_ID: 'abc' }, true],
  ['Ghostty by name', program('ghostty', '1.0.0'), true],
  ['Ghostty by TERM', { TERM: 'xterm-ghostty' }, true],
  ['Zed', program('zed'), true],
  ['Hyper', program('Hyper', '3.4.1'), true],
  ['Terminal.app', program('Apple_Terminal', '455'), false],
  ['VTE packed 4999', { VTE_VERSION: '4999' }, false],
  ['VTE packed 5000', { VTE_VERSION: '5000' }, false],
  ['VTE packed 5001', { VTE_VERSION: '5001' }, true],
  ['VTE packed 6003', { VTE_VERSION: '6003' }, true],
  ['VTE dotted 0.48.1', { VTE_VERSION: '0.48.1' }, false],
  ['VTE dotted 0.50.0', { VTE_VERSION: '0.50.0' }, false],
  ['VTE dotted 0.50.1', { VTE_VERSION: '0.50.1' }, true],
  ['VTE dotted 0.76.3', { VTE_VERSION: '0.76.3' }, true],
  ['VTE unreadable', { VTE_VERSION: 'unknown' }, false],
  ['kitty by TERM', { TERM: 'xterm-kitty' }, true],
  ['kitty by window', { KITTY_WINDOW_ID: '1' }, true],
  ['Alacritty', { TERM: 'alacritty' }, true],
  ['Alacritty by window', { ALACRITTY_WINDOW_ID: '1' }, true],
  ['Konsole before 21.04', { KONSOLE_VERSION: '201200' }, false],
  ['Konsole 21.04', { KONSOLE_VERSION: '210400' }, true],
  ['Konsole 24.08', { KONSOLE_VERSION: '240800' }, true],
  ['Konsole of unknown age', { KONSOLE_VERSION: 'x' }, false],
  ['mintty 3.2', program('mintty', '3.2.0'), false],
  ['mintty 3.3', program('mintty', '3.3.0'), true],
  ['JetBrains', { TERMINAL_EMULATOR: 'JetBrains-JediTerm' }, true],
  ['DomTerm', { DOMTERM: 'QtDomTerm' }, true],
  ['Windows Terminal', { WT_SESSION: '1b0f' }, true],
  ['a terminal nobody knows', { TERM_PROGRAM: 'frobnicator' }, false],
  ['plain xterm', {}, false],
  ['no TERM at all', { TERM: undefined }, false],
  ['the Linux console', { TERM: 'linux' }, false],
]

describe('terminals', () => {
  test.each(TERMINALS)('%s', (_, env, supported) => {
    const answer = onTerminal(env)
    expect(Object.keys(answer)).toEqual(['supported', 'reason'])
    expect(answer.supported).toBe(supported)
    expect(answer.reason.trim()).not.toBe('')
  })

  test('as documented', () => {
    expect(onTerminal(ITERM)).toEqual({ supported: true, reason: 'iTerm.app 3.5.0' })
  })

  test.each([
    ['a plain console', {}, false],
    ['Windows Terminal', { WT_SESSION: '1b0f' }, true],
    ['VS Code', program('vscode', '1.95.0'), true],
  ])('on Windows: %s', (_, env, supported) => {
    expect(onTerminal({ TERM: undefined, ...env }, 'win32').supported).toBe(supported)
  })
})

describe('places where a terminal that shows them does not', () => {
  test.each([
    ['tmux', { TMUX: 'socket,1,0' }],
    ['tmux by TERM', { TERM: 'tmux-256color' }],
    ['GNU screen', { STY: '1234.pts-0.host' }],
    ['GNU screen by TERM', { TERM: 'screen-256color' }],
    ['continuous integration', { CI: 'true' }],
    ['TeamCity', { TEAMCITY_VERSION: '2023.11' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ])('%s', (_, env) => {
    const { supported, reason } = onTerminal({ ...ITERM, ...env })
    expect(supported).toBe(false)
    expect(reason).not.toBe(onTerminal(ITERM).reason)
    expect(reason.trim()).not.toBe('')
  })

  test.each([false, undefined])('a pipe, isTTY %s', (isTTY) => {
    const { supported, reason } = detectHyperlinks({ env: ITERM, isTTY, platform: 'darwin' })
    expect(supported).toBe(false)
    expect(reason.trim()).not.toBe('')
  })
})

describe('FORCE_HYPERLINK', () => {
  const everywhere: [string, TerminalDescription][] = [
    ['a pipe', { env: {}, isTTY: false }],
    ['tmux', { env: { TMUX: 'x', TERM: 'tmux' }, isTTY: true }],
    ['CI', { env: { CI: '1' }, isTTY: false }],
    ['iTerm', { env: ITERM, isTTY: true }],
    ['a Windows console', { env: {}, isTTY: true, platform: 'win32' }],
  ]
  describe.each(everywhere)('on %s', (_, terminal) => {
    test.each([
      ['1', true],
      ['true', true],
      ['yes', true],
      ['0', false],
      ['false', false],
      ['FALSE', false],
    ])('%s decides', (FORCE_HYPERLINK, supported) => {
      const answer = detectHyperlinks({ ...terminal, env: { ...terminal.env, FORCE_HYPERLINK } })
      expect(answer.supported).toBe(supported)
      expect(answer.reason).toContain('FORCE_HYPERLINK')
    })

    test('empty is as if it were not set', () => {
      const env = { ...terminal.env, FORCE_HYPERLINK: '' }
      expect(detectHyperlinks({ ...terminal, env })).toEqual(detectHyperlinks(terminal))
    })
  })
})

describe('looks at nothing but its argument', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('the environment of the process does not count', () => {
    const before = onTerminal({})
    vi.stubEnv('FORCE_HYPERLINK', '1')
    vi.stubEnv('WT_SESSION', 'x')
    expect(onTerminal({})).toEqual(before)
    expect(detectHyperlinks({})).toEqual({ supported: false, reason: expect.any(String) })
    vi.stubEnv('FORCE_HYPERLINK', '0')
    vi.stubEnv('TMUX', 'x')
    expect(onTerminal(ITERM).supported).toBe(true)
  })

  test('the argument is not changed', () => {
    const terminal = Object.freeze({ env: Object.freeze({ ...ITERM }), isTTY: true })
    expect(detectHyperlinks(terminal).supported).toBe(true)
  })

  test('variables may be inherited, as those of a wrapped environment are', () => {
    const env = Object.create({ TERM: 'xterm-kitty' }) as Environment
    expect(detectHyperlinks({ env, isTTY: true }).supported).toBe(true)
  })
})

describe('a description of another shape is a terminal nobody knows', () => {
  const throwing = new Proxy(
    {},
    {
      get() {
        throw new Error('unreadable')
      },
    },
  )
  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
    ['a string', 'xterm-kitty'],
    ['a list', []],
    ['nothing in it', {}],
    ['env of another type', { env: 5, isTTY: true }],
    ['env null', { env: null, isTTY: true, platform: null }],
    [
      'variables of another type',
      { env: { TERM: 5, FORCE_HYPERLINK: 1, VTE_VERSION: {} }, isTTY: true },
    ],
    ['isTTY of another type', { env: ITERM, isTTY: 'yes' }],
    ['platform of another type', { env: {}, isTTY: true, platform: 32 }],
    ['unreadable', throwing],
    ['unreadable variables', { env: throwing, isTTY: true }],
  ])('%s', (_, terminal) => {
    const { supported, reason } = detectHyperlinks(terminal as never)
    expect(supported).toBe(false)
    expect(reason.trim()).not.toBe('')
  })

  test('versions beyond any number do not throw', () => {
    for (const version of [
      '99999999999999999999',
      '0.99999999999.9',
      '0.4294967295.4294967295',
      '.',
      '0.',
      '-1',
      '',
    ]) {
      expect(onTerminal({ VTE_VERSION: version }).reason).not.toBe('')
      expect(onTerminal({ KONSOLE_VERSION: version }).reason).not.toBe('')
      expect(onTerminal(program('iTerm.app', version)).reason).not.toBe('')
    }
  })
})

describe("links: 'auto'", () => {
  const payload = { text: '', sources: SEARCH }
  const linked = renderCitationBlock(payload, { links: 'osc8' })

  test.each([
    ['a terminal with hyperlinks', { env: ITERM, isTTY: true }, linked],
    ['a terminal without', { env: {}, isTTY: true }, SPECIFIED.gemini],
    ['tmux', { env: { ...ITERM, TMUX: 'x' }, isTTY: true }, SPECIFIED.gemini],
    ['a pipe', { env: ITERM, isTTY: false }, SPECIFIED.gemini],
    ['a forced pipe', { env: { FORCE_HYPERLINK: '1' }, isTTY: false }, linked],
    ['nothing described', {}, SPECIFIED.gemini],
  ])('asks the terminal handed in: %s', (_, terminal, expected) => {
    expect(renderCitationBlock(payload, { links: 'auto', terminal })).toBe(expected)
    expect(renderCitationBlock(payload, { terminal })).toBe(expected)
  })

  test.each(['osc8', 'plain', 'markdown'] as const)('%s asks nobody', (links) => {
    const terminals = [
      { env: ITERM, isTTY: true },
      { env: { TMUX: 'x' }, isTTY: false },
    ]
    const [one, other] = terminals.map((terminal) =>
      renderCitationBlock(payload, { links, terminal }),
    )
    expect(one).toBe(other)
    expect(one).toBe(renderCitationBlock(payload, { links }))
  })

  test.each([
    ['1', linked],
    ['0', SPECIFIED.gemini],
    ['', SPECIFIED.gemini],
  ])(
    'asks the process, once, when no terminal is handed in: FORCE_HYPERLINK=%s',
    (force, expected) => {
      const program = `
      const { renderCitationBlock } = require(${JSON.stringify(join(__dirname, '../index.js'))})
      const payload = ${JSON.stringify(payload)}
      const first = renderCitationBlock(payload)
      process.env.FORCE_HYPERLINK = '${force === '1' ? '0' : '1'}'
      process.stdout.write(JSON.stringify([first, renderCitationBlock(payload, { links: 'auto' })]))`
      const env = { ...process.env, FORCE_HYPERLINK: force }
      const { stdout } = spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' })
      expect(JSON.parse(stdout)).toEqual([expected, expected])
    },
  )
})
