/**
 * LLxprt's settings as the package meets them: a service with private state and dotted keys, a `Config`
 * whose methods stand on a base class and need their `this`, a runtime of closures, and loaded settings
 * behind a getter.
 */
import { EventEmitter } from 'node:events'

type Json = Record<string, unknown>

/** Dotted keys walk nested objects, as in LLxprt. State is private, so `get` needs its `this`. */
export class SettingsService extends EventEmitter {
  readonly #global: Json = {}

  get(key: string): unknown {
    let held: unknown = this.#global
    for (const part of key.split('.')) {
      if (typeof held !== 'object' || held === null) return undefined
      held = (held as Json)[part]
    }
    return held
  }

  set(key: string, value: unknown): void {
    const parts = key.split('.')
    const last = parts.pop()!
    let holder = this.#global
    for (const part of parts) {
      holder[part] ??= {}
      holder = holder[part] as Json
    }
    holder[last] = value
    this.emit('settings-changed', { key, value })
  }

  /** Everything that was ever set; a cleared setting stays, as `undefined`. */
  getAll(): Json {
    return { ...this.#global }
  }
}

/** LLxprt 0.11 has these methods on a base class, two prototypes away from the instance. */
class ConfigBase {
  readonly #service: SettingsService

  constructor(service = new SettingsService()) {
    this.#service = service
  }

  getEphemeralSetting(key: string): unknown {
    return this.#service.get(key)
  }

  setEphemeralSetting(key: string, value: unknown): void {
    this.#service.set(key, value)
  }

  getSettingsService(): SettingsService {
    return this.#service
  }
}

export class Config extends ConfigBase {
  provider = 'gemini'
}

/** What LLxprt 0.11's interface has in place of a `Config`: closures, one level down. */
export function streamRuntime(config: Config) {
  return {
    ephemeral: { getEphemeralSetting: (key: string) => config.getEphemeralSetting(key) },
    settings: { getSettingsService: () => config.getSettingsService() },
    agentClientSource: {},
  }
}

/** What a user's `settings.json` may hold; nothing validates it. */
export interface SettingsFile {
  ui?: { showCitations?: unknown }
}

/** `merged` is a getter of the class; the schema's default is always spread in. */
export class LoadedSettings {
  #file: SettingsFile

  constructor(file: SettingsFile = {}) {
    this.#file = file
  }

  get merged(): { ui: { showCitations: unknown } } {
    return { ui: { showCitations: false, ...this.#file.ui } }
  }

  setShowCitations(value: unknown): void {
    this.#file = { ...this.#file, ui: { ...this.#file.ui, showCitations: value } }
  }
}
