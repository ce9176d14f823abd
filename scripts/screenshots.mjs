/**
 * Takes the pictures of a page for the documentation, with the Chromium of this machine.
 * Run: node scripts/screenshots.mjs (CHROMIUM_PATH names another one)
 */
import { getuid } from 'node:process'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { citationAssets, renderAnswerHtml } from '../index.js'

const ANSWER = `Rust began in 2006 as a side project [1] and became stable with version 1.0 on 15 May 2015 [2].
Since then a new version appears **every six weeks** [2][3].

| Year | Milestone |
|-----:|-----------|
| 2015 | 1.0, the promise of stability [2] |
| 2021 | a foundation of its own [4] |
`

/** @type {import('../index.js').CitationSource[]} */
const sources = [
  {
    title: 'A history of the Rust language',
    url: 'https://history.example/rust',
    citedText: 'It started in 2006 as a personal project and was announced in 2010.',
  },
  {
    title: 'Announcing Rust 1.0',
    url: 'https://blog.example/2015/05/15/rust-1.0',
    citedText:
      'The 1.0 release marks the end of churn. From now on programs that compile keep compiling, and new versions arrive every six weeks, each tested against all published packages.',
    author: 'The core team',
    publishedDate: '2015-05-15',
    toolName: 'web_search',
    provider: 'gemini',
    metadata: { score: 0.92 },
  },
  {
    title: 'release-process.pdf',
    citedText: 'Trains leave every six weeks, whoever is aboard.',
    location: { type: 'page_location', startPageNumber: 5, endPageNumber: 8, documentIndex: 0 },
  },
  { title: 'Hello, foundation', url: 'https://foundation.example/hello' },
  { title: 'Editions guide', url: 'https://docs.example/editions' },
]
const anchors = [{ start: 0, end: 10, text: '', sources: [2], confidence: 0.97 }]

const { css, script } = citationAssets()
const html = `<!doctype html><html lang="en"><head><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><style>${css}
body { margin: 1.5rem auto; max-width: 42rem; padding: 0 1rem; font: 16px/1.6 "Liberation Sans", sans-serif }
</style></head><body>${renderAnswerHtml(
  ANSWER,
  // @ts-expect-error: a payload has more, which is not needed here.
  { sources, anchors },
  { expandSourcesByDefault: true, maxSourcesDisplayed: 4 },
)}<script>${script}</script></body></html>`

const wide = { width: 640, height: 600 }
const narrow = { width: 360, height: 720 }
const pointAtSecond = (/** @type {import('playwright-core').Page} */ page) =>
  page.locator('.cite-mark a').nth(1).hover()
const openSecond = (/** @type {import('playwright-core').Page} */ page) =>
  page.locator('#cite-s2 .cite-open').click()

const pictures = [
  { name: 'page-light', colorScheme: 'light', viewport: wide, act: pointAtSecond },
  { name: 'page-dark', colorScheme: 'dark', viewport: wide, act: pointAtSecond },
  { name: 'page-narrow', colorScheme: 'light', viewport: narrow, act: pointAtSecond },
  { name: 'page-narrow-dark', colorScheme: 'dark', viewport: narrow, act: openSecond },
  { name: 'page-dialog', colorScheme: 'light', viewport: wide, act: openSecond },
]

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: getuid?.() === 0 ? ['--no-sandbox'] : [],
})
for (const { name, act, ...how } of pictures) {
  const page = await browser.newPage(/** @type {object} */ ({ ...how, reducedMotion: 'reduce' }))
  await page.setContent(html)
  await act(page)
  await page.waitForTimeout(300)
  await page.screenshot({ path: fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url)) })
  await page.close()
}
await browser.close()
