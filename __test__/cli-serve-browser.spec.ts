/** The page on loopback as a reader uses it: in a real browser, which sends what browsers send. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInChromium, expectQuiet } from './chromium.js'
import { example, served } from './cli.js'
import { eventually, isVisible } from './page-parts.js'

const NARROW = { viewport: { width: 390, height: 800 } }

describeInChromium('the page of cite serve', ({ visit }) => {
  let child: ChildProcess
  let origin: string
  beforeAll(async () => {
    ;[child, origin] = await served(['--port', '0'])
  })
  afterAll(() => {
    child.kill()
  })

  async function paste(page: Page, text: string): Promise<void> {
    await page.getByLabel('A response, a stream').fill(text)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('heading', { name: 'Answer' }).waitFor()
    // With its styles: the heading may be there before them.
    await page.waitForLoadState()
  }
  const pasteExample = (page: Page, name: string) =>
    paste(page, readFileSync(example(name), 'utf8'))

  test('a pasted response shows its answer, its spans and its sources', async () => {
    const opened = await visit(origin)
    const { page } = opened
    await pasteExample(page, 'gemini-coverage.json')
    expect(await page.locator('.cite-answer').innerText()).toContain('Tokio is an asynchronous')
    expect(await page.locator('mark').count()).toBe(4)
    expect(await page.locator('article table tbody tr').count()).toBe(3)
    expect(await page.locator('.bar').innerText()).toMatch(/78\.4 % anchored · 4 spans · 3 sources/)
    expectQuiet(opened)
  })

  test('what was pasted stays to be mended', async () => {
    const { page } = await visit(origin)
    await paste(page, '{\n "a": [1,,2]\n}')
    expect(await page.getByRole('alert').innerText()).toMatch(/^Line 2: no JSON: /)
    expect(await page.locator('#text').inputValue()).toBe('{\n "a": [1,,2]\n}')
  })

  test('markers have tooltips, sources a dialog, spans lead to their row', async () => {
    const opened = await visit(origin)
    const { page } = opened
    await pasteExample(page, 'gemini-coverage.json')
    await page.locator('.cite-mark a').first().hover()
    await isVisible(page.locator('#a1-t1'))
    await page.locator('.cite-panel summary').click()
    await page.locator('.cite-open').first().click()
    await isVisible(page.locator('#a1-d1'))
    await page.keyboard.press('Escape')
    await page.locator('pre a').first().click()
    await eventually(async () => page.url(), `${origin}/#a1-row-1`)
    expectQuiet(opened)
  })

  describe.each([
    ['wide', {}],
    ['narrow', NARROW],
    ['dark', { colorScheme: 'dark' as const }],
  ])('%s', (_, options) => {
    test.each([
      'gemini-coverage.json',
      'openai-web-search.json',
      'anthropic-document.json',
      'tool-run.json',
    ])('%s needs no more width than there is', async (name) => {
      const { page } = await visit(origin, options)
      await pasteExample(page, name)
      const [content, width] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      expect(content).toBeLessThanOrEqual(width!)
    })
  })
})
