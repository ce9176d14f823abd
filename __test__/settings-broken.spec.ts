/**
 * Proves that a broken host cannot break `resolveCitationsEnabled`: whatever a settings object does,
 * the level it spoils counts as not set, the next level decides, nothing is thrown, no exception
 * stays behind, and nothing is printed. This is what LLxprt's log spam was about.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { Config, LoadedSettings } from '../examples/llxprt-host/settings.js'
import { resolveCitationsEnabled } from '../index.js'
import { printedDuring } from './output.js'

function fail(): never {
  throw new Error('broken host')
}

const storedAs = (flag: boolean) => ({ get: () => flag })

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const EVERY_TRAP: ProxyHandler<object> = {
  get: fail,
  has: fail,
  ownKeys: fail,
  getPrototypeOf: fail,
  getOwnPropertyDescriptor: fail,
  apply: fail,
}

const cyclic: Record<string, unknown> = {}
cyclic.ephemeral = cyclic
cyclic.settings = cyclic
cyclic.merged = cyclic
cyclic.ui = cyclic

/** Members that are no methods, in one object. */
const holding = (value: unknown) => ({ getEphemeralSetting: value, getSettingsService: value })

/** Hosts that say nothing that counts. Made anew for each use, because some of them change. */
const MUTE: [string, () => unknown][] = [
  ['an empty object', () => ({})],
  ['null prototype', () => Object.create(null)],
  ['a frozen empty object', () => Object.freeze({})],
  ['a number', () => 42],
  ['a string', () => 'enabled'],
  ['the boolean true', () => true],
  ['a BigInt', () => 1n],
  ['a Symbol', () => Symbol('config')],
  ['an array', () => ['enabled']],
  ['a function', () => () => true],
  ['a Map', () => new Map([['citations', 'enabled']])],
  ['a Promise', () => Promise.resolve(new Config())],
  ['a cycle', () => cyclic],
  ['a Proxy whose traps all throw', () => new Proxy({}, EVERY_TRAP)],
  ['a revoked Proxy', revoked],
  ['a Proxy that answers itself for everything', selfAnswering],
  ['methods that throw', () => holding(fail)],
  ['methods that throw undefined', () => holding(() => void thrown(undefined))],
  ['methods that throw a revoked Proxy', () => holding(() => void thrown(revoked()))],
  [
    'methods that throw a throwing object',
    () =>
      holding(
        () =>
          void thrown({
            get message() {
              return fail()
            },
          }),
      ),
  ],
  ['numbers for methods', () => holding(1)],
  ['strings for methods', () => holding('enabled')],
  ['booleans for methods', () => holding(true)],
  ['null for methods', () => holding(null)],
  ['objects for methods', () => holding({ call: () => 'enabled', apply: () => 'enabled' })],
  ['classes for methods', () => holding(class Method {})],
  ['a Proxy of a function that cannot be called', () => holding(new Proxy(() => true, EVERY_TRAP))],
  [
    'getters that throw',
    () => ({
      get getEphemeralSetting() {
        return fail()
      },
      get getSettingsService() {
        return fail()
      },
    }),
  ],
  [
    'getters for the runtime that throw',
    () => ({
      get ephemeral() {
        return fail()
      },
      get settings() {
        return fail()
      },
    }),
  ],
  ['runtime holders of null', () => ({ ephemeral: null, settings: null })],
  ['runtime holders that are strings', () => ({ ephemeral: 'enabled', settings: 'enabled' })],
  ['runtime holders that throw', () => ({ ephemeral: holding(fail), settings: holding(fail) })],
  ['a null service', () => ({ getSettingsService: () => null })],
  ['an undefined service', () => ({ getSettingsService: () => undefined })],
  ['a service that is a number', () => ({ getSettingsService: () => 7 })],
  ['a service without get', () => ({ getSettingsService: () => ({}) })],
  ['a service whose get is no method', () => ({ getSettingsService: () => ({ get: true }) })],
  ['a service whose get throws', () => ({ getSettingsService: () => ({ get: fail }) })],
  [
    'a service with a throwing getter',
    () => ({
      getSettingsService: () => ({
        get get() {
          return fail()
        },
      }),
    }),
  ],
  ['a service that is a revoked Proxy', () => ({ getSettingsService: revoked })],
  ['a service whose traps throw', () => ({ getSettingsService: () => new Proxy({}, EVERY_TRAP) })],
  [
    'async methods',
    () =>
      new (class {
        async getEphemeralSetting() {
          return 'enabled'
        }
        async getSettingsService() {
          return storedAs(true)
        }
      })(),
  ],
  ['an async get', () => ({ getSettingsService: () => ({ get: async () => true }) })],
  [
    'generator methods',
    () => ({
      *getEphemeralSetting() {
        yield 'enabled'
      },
    }),
  ],
  ['a Config that lost its private state', () => Object.create(Config.prototype)],
  [
    'a Config behind a Proxy, whose private state is out of reach',
    () => new Proxy(new Config(), {}),
  ],
  [
    'values whose conversion throws',
    () => ({ getEphemeralSetting: () => ({ toString: fail, valueOf: fail }) }),
  ],
  ['a lone surrogate as value', () => ({ getEphemeralSetting: () => 'enabled\ud800' })],
  ['a value of a megabyte', () => ({ getEphemeralSetting: () => 'enabled'.repeat(150_000) })],
  [
    'an object of another realm whose method throws',
    () => vm.runInNewContext('({ getEphemeralSetting() { throw new Error("x") } })'),
  ],
]

function thrown(value: unknown): never {
  throw value
}

/** Reads, calls and constructs like anything, and never gives a plain value. */
function selfAnswering(): unknown {
  const proxy: unknown = new Proxy(() => {}, { get: () => proxy, apply: () => proxy })
  return proxy
}

/** A call that must work, so that an exception left behind by the one before would be seen. */
function expectNothingPending(): void {
  expect(resolveCitationsEnabled({ getEphemeralSetting: () => 'enabled' })).toBe(true)
  expect(resolveCitationsEnabled({ getEphemeralSetting: () => 'disabled' })).toBe(false)
}

describe('a broken config', () => {
  it.each(MUTE)('decides nothing: %s', (_name, make) => {
    expect(resolveCitationsEnabled(make())).toBe(false)
    expectNothingPending()
  })

  it.each(MUTE)('leaves it to the merged settings: %s', (_name, make) => {
    for (const shown of [true, false]) {
      const settings = new LoadedSettings({ ui: { showCitations: shown } })
      expect(resolveCitationsEnabled(make(), settings)).toBe(shown)
    }
    expectNothingPending()
  })
})

describe('a broken session level', () => {
  const BROKEN: [string, PropertyDescriptor][] = [
    ['throws', { value: fail }],
    ['is a getter that throws', { get: fail }],
    ['is missing', { value: undefined }],
    ['is no method', { value: 'enabled' }],
    ['answers a Promise', { value: async () => 'enabled' }],
    [
      'answers itself',
      {
        value: function answer() {
          return answer
        },
      },
    ],
  ]
  it.each(BROKEN)('that %s leaves it to the service', (_name, descriptor) => {
    for (const shown of [true, false]) {
      const config = { getSettingsService: () => storedAs(shown) }
      Object.defineProperty(config, 'getEphemeralSetting', descriptor)
      const opposite = new LoadedSettings({ ui: { showCitations: !shown } })
      expect(resolveCitationsEnabled(config, opposite)).toBe(shown)
      expect(resolveCitationsEnabled(Object.freeze(config), opposite)).toBe(shown)
    }
    expectNothingPending()
  })

  it.each(BROKEN)(
    'that %s leaves it to the service, in the runtime of 0.11',
    (_name, descriptor) => {
      for (const shown of [true, false]) {
        const ephemeral = Object.defineProperty({}, 'getEphemeralSetting', descriptor)
        const runtime = { ephemeral, settings: { getSettingsService: () => storedAs(shown) } }
        const opposite = new LoadedSettings({ ui: { showCitations: !shown } })
        expect(resolveCitationsEnabled(runtime, opposite)).toBe(shown)
      }
      expectNothingPending()
    },
  )

  it.each([
    ['throws', { value: fail }],
    ['is a getter that throws', { get: fail }],
  ] as [string, PropertyDescriptor][])(
    'that %s does not cost the read after it',
    (_name, broken) => {
      const inner = {
        getEphemeralSetting: () => 'enabled',
        getSettingsService: () => storedAs(true),
      }
      const session = Object.defineProperty({ ephemeral: inner }, 'getEphemeralSetting', broken)
      const service = Object.defineProperty({ settings: inner }, 'getSettingsService', broken)
      expect(resolveCitationsEnabled(session)).toBe(true)
      expect(resolveCitationsEnabled(service)).toBe(true)
    },
  )

  it('is asked before a broken service, which then does not matter', () => {
    for (const [mode, shown] of [
      ['enabled', true],
      ['disabled', false],
    ] as const) {
      const config = { getEphemeralSetting: () => mode, getSettingsService: fail }
      expect(resolveCitationsEnabled(config, new Proxy({}, EVERY_TRAP))).toBe(shown)
    }
  })
})

describe('broken merged settings', () => {
  it.each([
    ...MUTE,
    [
      'merged that throws',
      () => ({
        get merged() {
          return fail()
        },
      }),
    ],
    ['merged of null', () => ({ merged: null })],
    ['merged that is a string', () => ({ merged: 'enabled' })],
    ['merged that is a method', () => ({ merged: () => ({ ui: { showCitations: true } }) })],
    [
      'ui that throws',
      () => ({
        merged: {
          get ui() {
            return fail()
          },
        },
      }),
    ],
    ['ui of null', () => ({ merged: { ui: null } })],
    [
      'showCitations that throws',
      () => ({
        merged: {
          ui: {
            get showCitations() {
              return fail()
            },
          },
        },
      }),
    ],
    ['showCitations that is a method', () => ({ merged: { ui: { showCitations: () => true } } })],
    ['a revoked Proxy as ui', () => ({ merged: { ui: revoked() } })],
    ['the legacy place at the root', () => ({ merged: { showCitations: true } })],
  ] as [string, () => unknown][])('hide, unless the config says otherwise: %s', (_name, make) => {
    expect(resolveCitationsEnabled(undefined, make())).toBe(false)
    expect(resolveCitationsEnabled(new Config(), make())).toBe(false)
    expect(resolveCitationsEnabled({ getSettingsService: () => storedAs(true) }, make())).toBe(true)
    expectNothingPending()
  })
})

describe('a host that calls back', () => {
  it('may ask the same question about another config from inside a method', () => {
    const inner = { getEphemeralSetting: () => 'enabled' }
    const outer = { getEphemeralSetting: () => resolveCitationsEnabled(inner) }
    expect(resolveCitationsEnabled(outer)).toBe(true)
  })

  it('may ask about itself from a getter, a bounded number of times', () => {
    let depth = 0
    const config = {
      get getEphemeralSetting() {
        depth += 1
        return depth < 50 ? () => resolveCitationsEnabled(config) : () => 'enabled'
      },
    }
    expect(resolveCitationsEnabled(config)).toBe(true)
    expect(depth).toBe(50)
  })

  it.each(['getEphemeralSetting', 'getSettingsService', 'ephemeral'])(
    'may ask about itself from `%s` for ever: the stack ends, the process does not',
    (member) => {
      const settings = new LoadedSettings({ ui: { showCitations: true } })
      const config = {}
      Object.defineProperty(config, member, {
        get: () => resolveCitationsEnabled(config) || fail(),
      })
      expect(resolveCitationsEnabled(config, settings)).toBe(true)
      expectNothingPending()
    },
  )

  it('sees its own method throw and catch as usual', () => {
    const seen: string[] = []
    const config = {
      getEphemeralSetting() {
        try {
          fail()
        } catch (error) {
          seen.push((error as Error).message)
        }
        return 'enabled'
      },
    }
    expect(resolveCitationsEnabled(config)).toBe(true)
    expect(seen).toEqual(['broken host'])
  })
})

describe('a host', () => {
  it('is asked once for the setting of its session, whatever it answers, with its own this', () => {
    for (const answer of [() => 'enabled', () => 'disabled', () => undefined, () => 7, fail]) {
      const asked: unknown[] = []
      const host = {
        getEphemeralSetting(...words: unknown[]) {
          asked.push([this === host, ...words])
          return answer()
        },
      }
      expect(resolveCitationsEnabled(host)).toBe(answer !== fail && answer() === 'enabled')
      expect(asked).toEqual([[true, 'citations']])
    }
  })
})

describe('silence', () => {
  it('no broken host makes the package print through Node', async () => {
    const printed = await printedDuring(() => {
      for (const [, make] of MUTE) {
        resolveCitationsEnabled(make())
        resolveCitationsEnabled(make(), make())
      }
    })
    expect(printed).toEqual([])
  })

  it('nor past Node: a process of its own prints nothing at all and ends well', () => {
    // Native code can write to a descriptor without any function of Node, which no spy sees.
    const script = `
      const { resolveCitationsEnabled: ask } = require(${JSON.stringify(join(__dirname, '../index.js'))})
      const fail = () => { throw new Error('broken host') }
      const recursive = { get getEphemeralSetting() { return ask(recursive) } }
      const traps = new Proxy({}, { get: fail })
      for (const config of [undefined, 7, {}, traps, recursive, { getEphemeralSetting: fail },
        { getSettingsService: () => ({ get: fail }) }]) {
        if (ask(config) || ask(config, traps)) process.exitCode = 1
      }
      if (!ask({ getEphemeralSetting: () => ' ENABLED ' })) process.exitCode = 2`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], {
      encoding: 'utf8',
      env: { RUST_BACKTRACE: '1', PATH: process.env.PATH },
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
