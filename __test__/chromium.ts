/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />
/**
 * A real browser for the specs of pages: the Chromium of this machine, or one its package manager has.
 * Where there is none, the specs that need it are skipped, and say so.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { env, getuid } from 'node:process'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Route,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { citationAssets } from '../index.js'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

function inPath(name: string): string | undefined {
  const places = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return places.find((place) => existsSync(place))
}

const findChromium = () => env.CHROMIUM_PATH || NAMES.map(inPath).find((found) => found)

const isRoot = () => getuid?.() === 0

/** Debian and its children have it as a package. */
function installChromium(): void {
  if (!isRoot() || !inPath('apt-get')) return
  try {
    execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'ignore', timeout: 300_000 })
  } catch {
    // Then there is none, which is what the specs will say.
  }
}

/** Its path, once it is there. */
function providedChromium(): string | undefined {
  if (!findChromium()) installChromium()
  return findChromium()
}

/** Where pages under test live. Nothing is there: what is asked for is answered here. */
export const HOME = 'https://page.example/'

export interface Opened {
  page: Page
  /** Errors of the console and the page, and what the policy refused. */
  problems: string[]
  /** Addresses that were asked for, the page itself aside. */
  requests: string[]
}

export interface Browsing {
  /** Opens a document in a window of its own, which is closed after the test. */
  open(html: string, options?: BrowserContextOptions): Promise<Opened>
  /** The same with a page that is served. Only what it asks of others counts as asked for. */
  visit(url: string, options?: BrowserContextOptions): Promise<Opened>
}

/** A suite that has one browser; skipped where there is none. */
export function describeInChromium(name: string, suite: (browsing: Browsing) => void): void {
  const executablePath = providedChromium()
  const why = executablePath ? '' : ' (skipped: no Chromium; set CHROMIUM_PATH)'
  describe.skipIf(!executablePath)(`${name}${why}`, () => {
    let browser: Browser
    const close: (() => Promise<void>)[] = []
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: isRoot() ? ['--no-sandbox'] : [] })
    })
    afterEach(async () => {
      await Promise.all(close.splice(0).map((one) => one()))
    })
    afterAll(() => browser?.close())
    async function opened(
      url: string,
      options: BrowserContextOptions,
      answer: (route: Route) => Promise<void> | undefined,
    ): Promise<Opened> {
      const context = await browser.newContext({
        viewport: { width: 900, height: 600 },
        reducedMotion: 'reduce',
        ...options,
      })
      close.push(() => context.close())
      const [problems, requests]: [string[], string[]] = [[], []]
      await context.route('**', (route) => {
        const answered = answer(route)
        if (answered) return answered
        requests.push(route.request().url())
        return route.abort()
      })
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning')
          problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(url)
      return { page, problems, requests }
    }
    suite({
      open: (html, options = {}) =>
        opened(HOME, options, (route) =>
          route.request().url() === HOME
            ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html })
            : undefined,
        ),
      visit: (url, options = {}) =>
        opened(url, options, (route) =>
          new URL(route.request().url()).origin === new URL(url).origin
            ? route.continue()
            : undefined,
        ),
    })
  })
}

/** Nothing went wrong, nothing was asked for. */
export function expectQuiet({ problems, requests }: Opened): void {
  expect({ problems, requests }).toEqual({ problems: [], requests: [] })
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Style of the page around it, and whether it has our script. */
export interface Around {
  style?: string
  script?: boolean
}

/** What a page is painted with; said, since not every tool knows what is painted when nothing is said. */
const CANVAS = 'html { color: CanvasText; background: Canvas; font-family: sans-serif }'

/** A whole document that allows its own style and script and nothing else. */
export function documentOf(body: string, { style = '', script = true }: Around = {}): string {
  const assets = citationAssets()
  const own = `${CANVAS} ${style}`
  const policy = [
    "default-src 'none'",
    `style-src ${hash(assets.css)} ${hash(own)}`,
    `script-src ${script ? hash(assets.script) : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>An answer</title>
<style>${assets.css}</style>
<style>${own}</style>
</head>
<body>
<main>
<h1>An answer</h1>
${body}
</main>
${script ? `<script>${assets.script}</script>` : ''}
</body>
</html>`
}
