/**
 * The example host under test: its session, its server, and its screen, drawn by Ink into a terminal
 * emulator. Nothing of the package, of the SDKs or of Ink is replaced.
 */
import { Writable } from 'node:stream'
import { type Instance, render } from 'ink'
import { createElement, type ReactElement } from 'react'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { DOCUMENT } from '../examples/llxprt-host/scenes.js'
import type { ReplayServer, Reply } from '../examples/llxprt-host/server.js'
import { Session, type SessionOptions } from '../examples/llxprt-host/session.js'
import { App } from '../examples/llxprt-host/ui.js'
import { show } from './emulator.js'
import { type Piece, textOf } from './screen.js'

const QUESTION = 'What do you say?'

/** Takes what Ink writes and calls itself a terminal. */
class Screen extends Writable {
  readonly rows = 120
  readonly isTTY = true
  readonly columns: number
  written = ''

  constructor(columns: number) {
    super()
    this.columns = columns
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString()
    done()
  }
}

/** Has Ink draw something, and reads what the emulator shows of it. */
export async function drawn(element: ReactElement, columns: number) {
  const { app, read } = mounted(element, columns)
  const over = app.waitUntilExit()
  app.unmount()
  await over
  return read()
}

function mounted(element: ReactElement, columns: number) {
  const stdout = new Screen(columns)
  const app = render(element, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    patchConsole: false,
    exitOnCtrlC: false,
  })
  return { app, read: () => show(stdout.written, columns) }
}

export interface Host {
  session: Session
  /** Asks a question that the network answers like this. Gives the events of the turn. */
  ask(...replies: Reply[]): ReturnType<Session['enter']>
  /** Ends the session and reads what is on the screen below the last question. */
  answer(): Promise<Piece[][]>
  /** Likewise, without links. */
  text(): Promise<string[]>
  /** Likewise, of the whole session. */
  transcript(): Promise<string[]>
}

export interface HostOptions extends Partial<SessionOptions> {
  columns?: number
  hyperlinks?: boolean
}

/** For the specs of one file: a server that runs as long as they do, and hosts that talk to it. */
export function hostsOn(server: ReplayServer) {
  beforeAll(async () => {
    // SDKs take settings from here; what this machine has must not lead them elsewhere.
    for (const name of Object.keys(process.env)) {
      if (/proxy|^(OPENAI|ANTHROPIC|GOOGLE|GEMINI)_/i.test(name)) vi.stubEnv(name, undefined)
    }
    await server.start()
  })
  const apps: Instance[] = []
  afterEach(() => {
    for (const app of apps.splice(0)) app.unmount()
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await server.stop()
  })

  return (options: HostOptions = {}): Host => {
    const { columns = 100, hyperlinks = true, release = '0.11', ...rest } = options
    const session = new Session({ release, origin: server.origin, documents: [DOCUMENT], ...rest })
    const { history } = session
    const { app, read } = mounted(
      createElement(App, { history, release, columns, hyperlinks }),
      columns,
    )
    apps.push(app)
    const whole = async () => {
      const over = app.waitUntilExit()
      app.unmount()
      await over
      const { rows, noises } = await read()
      if (noises.length > 0) throw new Error(`the terminal did more than print: ${noises}`)
      return rows
    }
    const answer = async () => {
      const rows = await whole()
      const asked = rows.findLastIndex((row) => textOf(row) === `> ${QUESTION}`)
      return withoutBlankEdges(rows.slice(asked + 1))
    }
    return {
      session,
      answer,
      ask: async (...replies) => {
        server.reply(...replies)
        const events = await session.enter(QUESTION)
        if (server.left > 0) throw new Error(`${server.left} replies were not asked for`)
        return events
      },
      text: async () => (await answer()).map(textOf),
      transcript: async () => withoutBlankEdges(await whole()).map(textOf),
    }
  }
}

function withoutBlankEdges(rows: Piece[][]): Piece[][] {
  const filled = rows.map((row) => textOf(row) !== '')
  return rows.slice(Math.max(filled.indexOf(true), 0), filled.lastIndexOf(true) + 1)
}

/** The rows of an INFO item: its icon, then each line as far in. */
export function infoRows(...lines: string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? 'ℹ' : ' '} ${line}`)
}
