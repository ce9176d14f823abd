/**
 * Proves who gets to see citations: the settings matrix from every place LLxprt asks, how lenient
 * each level is, what `/set citations …` answers, and which providers cite by themselves.
 */
import { describe, expect, it } from 'vitest'
import { Config, LoadedSettings, streamRuntime } from '../examples/llxprt-host/settings.js'
import { parseCitationsSetting, resolveCitationsEnabled, supportsCitations } from '../index.js'

type Mode = 'enabled' | 'disabled' | undefined
type Flag = boolean | undefined

/** A host's settings. `undefined` is a level that was never set. */
interface Levels {
  session?: unknown
  stored?: unknown
  merged?: unknown
}

function configWith({ session, stored }: Levels): Config {
  const config = new Config()
  if (session !== undefined) config.setEphemeralSetting('citations', session)
  if (stored !== undefined) config.getSettingsService().set('ui.showCitations', stored)
  return config
}

function settingsWith({ merged }: Levels): LoadedSettings | undefined {
  return merged === undefined ? undefined : new LoadedSettings({ ui: { showCitations: merged } })
}

/** The same settings, asked with 0.9's `Config` and with 0.11's runtime. */
const HOSTS: [string, (levels: Levels) => boolean][] = [
  ['Config', (levels) => resolveCitationsEnabled(configWith(levels), settingsWith(levels))],
  [
    'runtime of 0.11',
    (levels) => resolveCitationsEnabled(streamRuntime(configWith(levels)), settingsWith(levels)),
  ],
]

describe('settings matrix', () => {
  const MATRIX: [Mode, Flag, boolean][] = [
    ['enabled', true, true],
    ['enabled', false, true],
    ['enabled', undefined, true],
    ['disabled', true, false],
    ['disabled', false, false],
    ['disabled', undefined, false],
    [undefined, true, true],
    [undefined, false, false],
    [undefined, undefined, false],
  ]
  /** Each place LLxprt asks from, and where the persistent setting lives there. */
  const CALL_SITES: [string, (mode: Mode, persistent: Flag) => boolean][] = [
    [
      'turn: Config alone, stored by the service',
      (session, stored) => resolveCitationsEnabled(configWith({ session, stored })),
    ],
    [
      'stream of 0.9: Config and LoadedSettings',
      (session, merged) =>
        resolveCitationsEnabled(configWith({ session }), settingsWith({ merged })),
    ],
    [
      'stream of 0.11: runtime and LoadedSettings',
      (session, merged) =>
        resolveCitationsEnabled(streamRuntime(configWith({ session })), settingsWith({ merged })),
    ],
    [
      'runtime of 0.11 alone, stored by the service',
      (session, stored) => resolveCitationsEnabled(streamRuntime(configWith({ session, stored }))),
    ],
  ]
  for (const [site, ask] of CALL_SITES) {
    it.each(MATRIX)(`${site}: session %s, persistent %s gives %s`, (mode, persistent, expected) => {
      expect(ask(mode, persistent)).toBe(expected)
    })
  }

  it.each([
    [[], false],
    [[undefined], false],
    [[null], false],
    [[undefined, undefined], false],
    [[null, null], false],
    [[undefined, new LoadedSettings()], false],
    [[undefined, new LoadedSettings({ ui: { showCitations: true } })], true],
    [[null, new LoadedSettings({ ui: { showCitations: true } })], true],
    [[undefined, { merged: { ui: { showCitations: true } } }], true],
    [[undefined, { merged: { ui: { showCitations: false } } }], false],
    [[undefined, { merged: { ui: {} } }], false],
    [[undefined, { merged: {} }], false],
    [[undefined, {}], false],
  ] as [[unknown?, unknown?], boolean][])('without a config: %o gives %s', (args, expected) => {
    expect(resolveCitationsEnabled(...args)).toBe(expected)
  })
})

describe('order of the levels', () => {
  const MODES: Mode[] = ['enabled', 'disabled', undefined]
  const FLAGS: Flag[] = [true, false, undefined]
  const SESSION = { enabled: true, disabled: false }
  const every = MODES.flatMap((session) =>
    FLAGS.flatMap((stored) => FLAGS.map((merged) => ({ session, stored, merged }))),
  )
  for (const [host, ask] of HOSTS) {
    it.each(every)(`${host}: session $session, stored $stored, merged $merged`, (levels) => {
      const { session, stored, merged } = levels
      const expected = (session && SESSION[session]) ?? stored ?? merged ?? false
      expect(ask(levels)).toBe(expected)
    })
  }

  it('asks for the keys LLxprt stores, as methods of their owners, and for nothing else', () => {
    const asked: unknown[] = []
    const service = {
      get(...args: unknown[]) {
        asked.push([this === service, ...args])
      },
    }
    const config = {
      getEphemeralSetting(...args: unknown[]) {
        asked.push([this === config, ...args])
      },
      getSettingsService(...args: unknown[]) {
        asked.push([this === config, ...args])
        return service
      },
    }
    expect(resolveCitationsEnabled(config)).toBe(false)
    expect(asked).toEqual([[true, 'citations'], [true], [true, 'ui.showCitations']])
  })

  it('sees every change at once, because nothing is remembered between calls', () => {
    const config = new Config()
    const settings = new LoadedSettings()
    const seen = [
      () => {},
      () => settings.setShowCitations(true),
      () => config.getSettingsService().set('ui.showCitations', false),
      () => config.setEphemeralSetting('citations', 'enabled'),
      () => config.setEphemeralSetting('citations', 'disabled'),
      () => config.setEphemeralSetting('citations', undefined),
      () => config.getSettingsService().set('ui.showCitations', undefined),
      () => settings.setShowCitations(false),
    ].map((change) => {
      change()
      return resolveCitationsEnabled(config, settings)
    })
    expect(seen).toEqual([false, true, false, true, false, false, true, false])
  })

  it('reads `merged` through its getter, also from a subclass', () => {
    class Workspace extends LoadedSettings {}
    const settings = new Workspace({ ui: { showCitations: true } })
    expect(Object.keys(settings)).toEqual([])
    expect(resolveCitationsEnabled(new Config(), settings)).toBe(true)
  })
})

/** Neither on nor off, whatever truthiness would say. */
const UNCLEAR: [string, unknown][] = [
  ["'true'", 'true'],
  ["'false'", 'false'],
  ["'yes'", 'yes'],
  ["'on'", 'on'],
  ["'1'", '1'],
  ["'enable'", 'enable'],
  ["'enabled!'", 'enabled!'],
  ["'en abled'", 'en abled'],
  ["''", ''],
  ["' '", ' '],
  ['1', 1],
  ['0', 0],
  ['NaN', Number.NaN],
  ['null', null],
  ['{}', {}],
  ['[]', []],
  ["['enabled']", ['enabled']],
  ["new String('enabled')", new String('enabled')],
  ['new Boolean(true)', new Boolean(true)],
  ["{ value: 'enabled' }", { value: 'enabled' }],
  ["an object that says 'enabled'", { toString: () => 'enabled' }],
  ['a Symbol', Symbol('enabled')],
  ['a BigInt', 1n],
  ['a function', () => 'enabled'],
  ['a Promise', Promise.resolve('enabled')],
]

const CLEAR: [string, unknown, boolean][] = [
  ["'enabled'", 'enabled', true],
  ["'Enabled'", 'Enabled', true],
  ["' ENABLED '", ' ENABLED ', true],
  ["'\\tenabled\\r\\n'", '\tenabled\r\n', true],
  ['true', true, true],
  ["'disabled'", 'disabled', false],
  ["'DisAbled'", 'DisAbled', false],
  ["' disabled'", ' disabled', false],
  ['false', false, false],
]

describe.each(HOSTS)('leniency, asked with %s', (_, ask) => {
  it.each(CLEAR)('session value %s decides', (_name, session, expected) => {
    expect(ask({ session, stored: !expected, merged: !expected })).toBe(expected)
  })

  it.each(UNCLEAR)('session value %s counts as not set', (_name, session) => {
    expect(ask({ session, stored: true })).toBe(true)
    expect(ask({ session, stored: false, merged: true })).toBe(false)
    expect(ask({ session, merged: true })).toBe(true)
    expect(ask({ session })).toBe(false)
  })

  // Only real booleans decide here, so even the session's own words fall through.
  const NO_FLAG: [string, unknown][] = [
    ["'enabled'", 'enabled'],
    ["'disabled'", 'disabled'],
    ...UNCLEAR,
  ]
  it.each(NO_FLAG)('stored value %s counts as not set', (_name, stored) => {
    expect(ask({ stored, merged: true })).toBe(true)
    expect(ask({ stored, merged: false })).toBe(false)
    expect(ask({ stored })).toBe(false)
    expect(ask({ session: 'enabled', stored })).toBe(true)
  })

  it.each(NO_FLAG)('merged value %s counts as not set', (_name, merged) => {
    expect(ask({ merged })).toBe(false)
    expect(ask({ stored: true, merged })).toBe(true)
    expect(ask({ session: 'enabled', merged })).toBe(true)
  })
})

describe('parseCitationsSetting', () => {
  const ENABLED = {
    value: 'enabled',
    message:
      'Citations enabled. Structured source references will appear after responses (when available from your provider).',
  }
  const DISABLED = { value: 'disabled', message: 'Citations disabled.' }
  const invalid = (value: string) => ({
    error: `Invalid citations mode ${value}. Valid modes are: enabled, disabled`,
  })

  it.each(CLEAR)('%s is a mode', (_name, value, expected) => {
    expect(parseCitationsSetting(value)).toStrictEqual(expected ? ENABLED : DISABLED)
  })

  const NO_MODES: [unknown, string][] = [
    ['maybe', "'maybe'"],
    ['true', "'true'"],
    ['false', "'false'"],
    ['', "''"],
    ['enable', "'enable'"],
    ["it's", "'it's'"],
    ['größe 日本 😀', "'größe 日本 😀'"],
    // A message is printed, so what the user pasted may not steer the terminal or fill the screen.
    ['a\u001b[31mb\u0007', "'a[31mb'"],
    ['two\nlines', "'two lines'"],
    ['x'.repeat(500), `'${'x'.repeat(60)}…'`],
    [0, '0'],
    [1, '1'],
    [-1.5, '-1.5'],
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    [null, 'null'],
    [[], 'an array'],
    [['enabled'], 'an array'],
    [{}, 'an object'],
    [{ value: 'enabled' }, 'an object'],
    [Object.create(null), 'an object'],
    [new String('enabled'), 'an object'],
    [new Date(0), 'an object'],
    [{ toString: () => 'enabled' }, 'an object'],
  ]
  it.each(NO_MODES.map(([value, named]) => [named, value] as const))(
    'the error names %s',
    (named, value) => {
      expect(parseCitationsSetting(value)).toStrictEqual(invalid(named))
    },
  )

  it.each([
    ['a BigInt', 10n, /^Invalid citations mode .*(10|bigint)/i],
    ['a Symbol', Symbol('x'), /^Invalid citations mode .*symbol/i],
    ['a function', () => 'enabled', /^Invalid citations mode .*(function|object)/i],
  ] as [string, unknown, RegExp][])(
    '%s is none, and the error says what it is',
    (_name, value, named) => {
      const { error } = parseCitationsSetting(value)
      expect(error).toMatch(named)
      expect(error).toMatch(/\. Valid modes are: enabled, disabled$/)
    },
  )

  it('never runs the code of a value', () => {
    const trap = () => {
      throw new Error('was run')
    }
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const proxy = new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })
    const values = [
      proxy,
      revoked.proxy,
      { toString: trap, valueOf: trap, [Symbol.toPrimitive]: trap },
    ]
    for (const value of values) {
      expect(parseCitationsSetting(value)).toStrictEqual(invalid('an object'))
    }
  })

  it('gives a value that resolveCitationsEnabled understands', () => {
    for (const [typed, shown] of [
      [' Enabled', true],
      ['DISABLED ', false],
    ] as const) {
      const session = parseCitationsSetting(typed).value
      expect(resolveCitationsEnabled(configWith({ session, stored: !shown }))).toBe(shown)
    }
  })
})

describe('supportsCitations', () => {
  it.each([
    'gemini',
    'anthropic',
    'claudecode',
    'openai-responses',
    'codex',
    'Gemini',
    'ANTHROPIC',
    'OpenAI-Responses',
    ' gemini ',
    '\tcodex\n',
  ])('%j has an API that cites', (provider) => {
    expect(supportsCitations(provider)).toBe(true)
  })

  const CHAT_ALIASES =
    'openai,deepseek,kimi,mistral,qwen,xAI,OpenRouter,Fireworks,Cerebras Code,Chutes.ai,LiteLLM,llama.cpp,LM Studio,Makora,Ollama Cloud,Synthetic'
  it.each([
    ...CHAT_ALIASES.split(','),
    ...['zai', 'openaivercel', 'openai-vercel', 'qwenvercel', 'load-balancer', 'fake'],
    ...['', ' ', 'gemin', 'geminii', 'google-gemini', 'openai responses', 'openai_responses'],
  ])('%j has none', (provider) => {
    expect(supportsCitations(provider)).toBe(false)
  })

  it.each([undefined, null, 1, true, {}, ['gemini'], new String('gemini'), Symbol('gemini'), 1n])(
    'no provider at all: %o',
    (provider) => {
      expect(supportsCitations(provider as unknown as string)).toBe(false)
    },
  )
})
