/**
 * The registry behind `/set`: what may be set, how a value is read, what of it a provider gets to see,
 * and what outlives a switch of provider.
 */
import { parseCitationsSetting } from '@vybestack/llxprt-code-citations'
import type { Config } from './settings.js'

interface SettingSpec {
  key: string
  /** Only `model-param` leaves this machine. */
  category: 'cli-behavior' | 'model-param'
  description: string
  type: 'enum' | 'number'
  enumValues?: string[]
  persistToProfile: boolean
  completionOptions?: { value: string; description: string }[]
  /** The value to store and what to print, or an error. */
  read(text: string): { value: unknown; message?: string } | { error: string }
}

const CITATIONS: SettingSpec = {
  key: 'citations',
  category: 'cli-behavior',
  description: 'List the sources of an answer below it (enabled or disabled)',
  type: 'enum',
  enumValues: ['enabled', 'disabled'],
  persistToProfile: true,
  completionOptions: [
    { value: 'enabled', description: 'list sources where the provider or a tool names them' },
    { value: 'disabled', description: 'list none' },
  ],
  read(text) {
    const { value, message, error } = parseCitationsSetting(text)
    return error === undefined ? { value, message } : { error }
  },
}

const TEMPERATURE: SettingSpec = {
  key: 'temperature',
  category: 'model-param',
  description: 'How freely the model picks its words',
  type: 'number',
  persistToProfile: true,
  read: (text) =>
    text.trim() === '' || Number.isNaN(Number(text))
      ? { error: 'temperature must be a number' }
      : { value: Number(text) },
}

export const SETTINGS_REGISTRY = [CITATIONS, TEMPERATURE]

const specOf = (key: string) => SETTINGS_REGISTRY.find((spec) => spec.key === key)

/**
 * What goes into the request. A key that nobody registered counts as a parameter of the model, as in
 * LLxprt; this is why `citations` must be registered.
 */
export function modelParams(config: Config): Record<string, unknown> {
  const all = Object.entries(config.getSettingsService().getAll())
  return Object.fromEntries(
    all.filter(([key, value]) => value !== undefined && specOf(key)?.category !== 'cli-behavior'),
  )
}

/** Kept when the provider changes; everything else is cleared. */
const PRESERVED = new Set(['context-limit', 'max_tokens', 'streaming', 'citations'])

/** Runs a slash command and answers what it prints. */
export function runCommand(config: Config, line: string): string {
  const [name = '', key = '', ...rest] = line.trim().split(/\s+/)
  if (name === '/provider') return switchProvider(config, key)
  if (name !== '/set') return `Unknown command: ${line}`
  if (key === 'unset') return unset(config, rest.join(' '))
  const spec = specOf(key)
  if (!spec) {
    const keys = SETTINGS_REGISTRY.map((known) => known.key).join(', ')
    return `Invalid setting key: ${key}. Valid keys are: ${keys}`
  }
  if (rest.length === 0) return `${key}: ${spec.description}`
  const read = spec.read(rest.join(' '))
  if ('error' in read) return read.error
  config.setEphemeralSetting(key, read.value)
  const set = `Ephemeral setting '${key}' set to ${JSON.stringify(read.value)} (session only)`
  return read.message ?? set
}

function unset(config: Config, key: string): string {
  if (!specOf(key)) return `Invalid setting key: ${key}`
  config.setEphemeralSetting(key, undefined)
  return `Ephemeral setting '${key}' cleared`
}

function switchProvider(config: Config, name: string): string {
  for (const key of Object.keys(config.getSettingsService().getAll())) {
    if (!PRESERVED.has(key)) config.setEphemeralSetting(key, undefined)
  }
  config.provider = name
  return `Switched to provider: ${name}`
}
