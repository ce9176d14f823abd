/**
 * Runs the host: the lines given as arguments, or a conversation, or, where nobody can type, a tour
 * through all scenes.
 */
import { parseArgs } from 'node:util'
import { detectHyperlinks } from '@vybestack/llxprt-code-citations'
import { render } from 'ink'
import { createElement } from 'react'
import type { CitationStyle } from './history.js'
import { DOCUMENT, SCENES, sceneOf } from './scenes.js'
import { ReplayServer } from './server.js'
import { Session } from './session.js'
import type { Release } from './tools.js'
import { App } from './ui.js'

const HELP = `Usage: node examples/llxprt-host/start.mjs [options] [line …]

Lines are what a user would type: /set citations enabled, /provider openai-responses, a question.
Without lines you type yourself; Ctrl+C ends it.

Options:
  --release 0.9|0.11    whose interfaces to use                       (default: 0.11)
  --style info|raw      INFO items, or an item with hyperlinks        (default: info)
  --show-citations      ui.showCitations of the settings file
  --help                show this

Questions:
${SCENES.map(({ provider, question, release }) => `  ${provider}: ${question}${release ? ` (${release})` : ''}`).join('\n')}
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: 'string', default: '0.11' },
    style: { type: 'string', default: 'info' },
    'show-citations': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const release: Release = values.release === '0.9' ? '0.9' : '0.11'
const style: CitationStyle = values.style === 'raw' ? 'raw' : 'info'

/** Every scene of this release, after a switch to its provider. */
function tour(): string[] {
  const scenes = SCENES.filter((scene) => (scene.release ?? release) === release)
  return [
    '/set citations enabled',
    ...scenes.flatMap(({ provider, question }) => [`/provider ${provider}`, question]),
  ]
}

async function main(): Promise<void> {
  const { env, platform, stdout, stdin } = process
  const server = new ReplayServer()
  await server.start()
  const session = new Session({
    release,
    origin: server.origin,
    file: values['show-citations'] ? { ui: { showCitations: true } } : {},
    documents: [DOCUMENT],
    style,
  })
  const enter = async (line: string) => {
    const question = !line.startsWith('/')
    const scene = question ? sceneOf(session.config.provider, line, release) : undefined
    server.reply(...(scene?.replies ?? []))
    await session.enter(line)
  }
  const follow = async () => {
    for (const line of positionals.length > 0 ? positionals : tour()) await enter(line)
  }
  const typed = positionals.length === 0 && stdin.isTTY
  // A file or a pipe gets what was said, not how it came to be said.
  if (!typed && !stdout.isTTY) await follow()
  // One line after the other, however fast they are typed.
  let work = Promise.resolve()
  const onLine = (line: string) => {
    work = work.then(() => enter(line))
  }
  const app = render(
    createElement(App, {
      history: session.history,
      release,
      columns: stdout.columns || 80,
      hyperlinks: detectHyperlinks({ env, isTTY: stdout.isTTY, platform }).supported,
      ...(typed ? { onLine } : {}),
    }),
  )
  const over = app.waitUntilExit()
  if (!typed) {
    if (stdout.isTTY) await follow()
    app.unmount()
  }
  await over
  await server.stop()
  // A keyboard that was listened to keeps a process alive.
  if (typed) stdin.unref()
}

if (values.help) process.stdout.write(HELP)
else void main()
