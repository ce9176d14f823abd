/** Runs the command line tool as a user does: as a process of its own, on files of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const CITE = join(__dirname, '../bin/cite.mjs')
const EXAMPLES = join(__dirname, '../examples')

/** What a process sees of its surroundings: nothing that says what terminal this is. */
const PLAIN = { PATH: process.env.PATH }

export interface Circumstances {
  input?: string | Uint8Array
  env?: Record<string, string>
}

/** Runs it to its end. */
export function cite(args: readonly string[], { input = '', env }: Circumstances = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CITE, ...args], {
    input,
    encoding: 'utf8',
    env: { ...PLAIN, ...env },
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  return { status, stdout, stderr }
}

/** The package as it is installed, with nothing beside it that is not in it, and how it is called. */
export function installed(at: (name: string) => string): string {
  const root = join(__dirname, '..')
  for (const name of ['package.json', 'load.js', 'index.js', 'bin']) {
    cpSync(join(root, name), at(name), { recursive: true })
  }
  for (const name of readdirSync(root).filter((name) => name.endsWith('.node'))) {
    symlinkSync(join(root, name), at(name))
  }
  const { bin } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  symlinkSync(at(bin['llxprt-citations']), at('llxprt-citations'))
  return at('llxprt-citations')
}

/** Starts it and leaves it running. */
export function start(args: readonly string[], nodeOptions: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...nodeOptions, CITE, ...args], { env: PLAIN })
}

/** Starts its page, and says under which origin. */
export async function served(args: readonly string[]): Promise<[ChildProcess, string]> {
  const child = start(['serve', ...args])
  const [text] = await once(child.stdout!, 'data')
  return [child, String(text).trimEnd().replace(/\/$/, '')]
}

/** All that a process writes, and how it ended. */
export async function ended(child: ChildProcess) {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  const [status, signal] = await once(child, 'close')
  return { status, signal, ...texts }
}

export const example = (name: string) => join(EXAMPLES, name)

/** A folder for the files of a spec, gone when it is over. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'cite-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return {
    path: (name: string) => join(path, name),
    file(name: string, content: string | Uint8Array): string {
      writeFileSync(join(path, name), content)
      return join(path, name)
    },
  }
}

/** A whole response of Gemini that says which one it is. */
export function numbered(number: number, padding = '') {
  const text = `Answer ${number}.`
  const web = { uri: `https://a.example/${number}`, title: `Page ${number}` }
  const groundingMetadata = {
    groundingChunks: [{ web }],
    groundingSupports: [{ segment: { endIndex: text.length, text }, groundingChunkIndices: [0] }],
  }
  const content = { role: 'model', parts: [{ text }] }
  const candidates = [{ content, finishReason: 'STOP', groundingMetadata }]
  return { candidates, modelVersion: `gemini${padding}`, responseId: `response-${number}` }
}

/** A line of a log. */
export const line = (value: unknown) => `${JSON.stringify(value)}\n`

/** The block of that response. */
export const blockOf = (number: number) =>
  `Answer ${number}.\n\n Sources:\n  1. Page ${number} — https://a.example/${number}\n`
