/**
 * Answers on a page for readers who have no mouse, no script, no light, a narrow screen, or paper.
 */
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { describeInChromium, documentOf, expectQuiet, HOME } from './chromium.js'
import {
  dialog,
  eventually,
  focused,
  isHidden,
  isVisible,
  marker,
  source,
  tip,
} from './page-parts.js'
import { ANSWER, LONG_ANSWER, rendered } from './page-samples.js'

describeInChromium('answers for everybody', ({ open }) => {
  describe('by keyboard alone', () => {
    test('everything is reached, in the order of the page', async () => {
      const opened = await open(
        documentOf(rendered('One [1], two [2].', { maxSourcesDisplayed: 3 })),
      )
      const { page } = opened
      const press = (key: string) => page.keyboard.press(key)
      await press('Tab')
      await isVisible(tip(page, 1))
      await press('Enter')
      expect(await focused(page)).toBe('cite-s1')
      await isHidden(tip(page, 1))
      await press('Enter')
      await isVisible(dialog(page, 1))
      // The dialog keeps the focus: its link, its button.
      expect(await focused(page)).toContain('https://blog.rust.example')
      await press('Tab')
      expect(await focused(page)).toBe('Close')
      await press('Enter')
      await isHidden(dialog(page, 1))
      expect(await focused(page)).toBe('cite-s1')
      const stops: unknown[] = []
      for (let at = 0; at < 6; at++) {
        await press('Tab')
        stops.push(await focused(page))
      }
      expect(stops).toEqual(['cite-s1', 'cite-s2', 'cite-s2', 'cite-s3', 'cite-s3', 'Show all 6'])
      await press('Enter')
      await isVisible(source(page, 6))
      await press('Tab')
      expect(await focused(page)).toBe('cite-s4')
      for (let at = 0; at < 20 && (await focused(page)) !== 'Sources 6'; at++)
        await press('Shift+Tab')
      await press('Enter')
      await isHidden(source(page, 1))
      expectQuiet(opened)
    })
  })

  describe('without any script', () => {
    const plain = (body: string) => documentOf(body, { script: false })

    test('a marker opens the panel and goes to its source', async () => {
      const opened = await open(plain(rendered(LONG_ANSWER)), { javaScriptEnabled: false })
      const { page } = opened
      await isHidden(source(page, 4))
      await marker(page, 4).click()
      await isVisible(source(page, 4))
      await eventually(async () => {
        const { y, height } = (await source(page, 4).boundingBox())!
        return y >= 0 && y + height <= 600
      }, true)
      expect(page.url()).toBe(`${HOME}#cite-s4`)
      expectQuiet(opened)
    })

    test('an address with a fragment reaches a source behind "Show all"', async () => {
      const body = `<a id="go" href="#cite-s6">six</a>${rendered(LONG_ANSWER, { maxSourcesDisplayed: 3 })}`
      const opened = await open(plain(body), { javaScriptEnabled: false })
      const { page } = opened
      await page.locator('#go').click()
      await isVisible(source(page, 6))
      expectQuiet(opened)
    })

    test('dialogs open and close', async () => {
      const opened = await open(plain(rendered(ANSWER, { expandSourcesByDefault: true })), {
        javaScriptEnabled: false,
      })
      const { page } = opened
      await source(page, 1).locator('.cite-open').click()
      await isVisible(dialog(page, 1))
      await dialog(page, 1).getByRole('button', { name: 'Close' }).click()
      await isHidden(dialog(page, 1))
      await source(page, 2).locator('.cite-open').click()
      await page.mouse.click(5, 5)
      await isHidden(dialog(page, 2))
      expectQuiet(opened)
    })

    test('links leave the page in a window of their own', async () => {
      const opened = await open(plain(rendered(ANSWER)), { javaScriptEnabled: false })
      const { page } = opened
      const link = page.getByRole('link', { name: 'its site' })
      const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
      await eventually(async () => opened.requests, ['https://rust.example/'])
      expect(other.url()).not.toBe(HOME)
      expect(page.url()).toBe(HOME)
    })

    test('tooltips stay out of sight', async () => {
      const opened = await open(plain(rendered(ANSWER)), { javaScriptEnabled: false })
      expect(await opened.page.locator('.cite-tip').first().isVisible()).toBe(false)
      expectQuiet(opened)
    })
  })

  describe('on paper', () => {
    test.each([true, false])('all sources are there, script: %s', async (script) => {
      const opened = await open(
        documentOf(rendered(ANSWER, { maxSourcesDisplayed: 3 }), { script }),
        { javaScriptEnabled: script },
      )
      const { page } = opened
      await page.emulateMedia({ media: 'print' })
      for (const number of [1, 4, 6]) await isVisible(source(page, number))
      expect(await page.locator('.cite-tip:visible, .cite-dialog:visible').count()).toBe(0)
      const pdf = await page.pdf()
      expect(pdf.length).toBeGreaterThan(1000)
      await page.emulateMedia({ media: 'screen' })
      await isHidden(source(page, 1))
      expectQuiet(opened)
    })
  })

  describe('to all eyes', () => {
    /** What axe finds, the rules of the whole page included, for people to read. */
    async function violations(page: Page): Promise<string[]> {
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() => {
        const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
        return axe.run(document, { rules: { 'target-size': { enabled: true } } })
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      )
    }

    const schemes = ['light', 'dark'] as const
    const sizes = [
      { width: 1000, height: 700 },
      { width: 360, height: 640 },
    ]
    const cases = schemes.flatMap((colorScheme) =>
      sizes.map((viewport) => ({ colorScheme, viewport })),
    )

    test.each(cases)('axe finds nothing: %j', async (how) => {
      const opened = await open(documentOf(rendered(ANSWER, { maxSourcesDisplayed: 4 })), how)
      const { page } = opened
      expect(await violations(page)).toEqual([])
      await marker(page, 1).hover()
      await isVisible(tip(page, 1))
      expect(await violations(page)).toEqual([])
      await marker(page, 4).click()
      await page.locator('.cite-more > summary').click()
      await isVisible(source(page, 6))
      await marker(page, 4).click()
      expect(await violations(page)).toEqual([])
      await source(page, 1).locator('.cite-open').click()
      await isVisible(dialog(page, 1))
      expect(await violations(page)).toEqual([])
      expectQuiet(opened)
    })

    test('nothing is wider than a narrow page', async () => {
      const opened = await open(documentOf(rendered(ANSWER, { expandSourcesByDefault: true })), {
        viewport: { width: 320, height: 600 },
      })
      const wide = await opened.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wide).toBe(0)
    })

    test('colours can be set on the page', async () => {
      const style = ':root { --cite-link: rgb(1, 2, 3); --cite-raised: rgb(4, 5, 6) }'
      const opened = await open(documentOf(rendered(ANSWER), { style }))
      const { page } = opened
      const color = await marker(page, 1).evaluate((link) => getComputedStyle(link).color)
      expect(color).toBe('rgb(1, 2, 3)')
      const panel = page.locator('.cite-panel')
      expect(await panel.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
        'rgb(4, 5, 6)',
      )
      expectQuiet(opened)
    })

    test('a page that is only light stays so for readers who like it dark', async () => {
      const html = documentOf(rendered(ANSWER)).replace('content="light dark"', 'content="light"')
      const { page } = await open(html, { colorScheme: 'dark' })
      expect(await violations(page)).toEqual([])
    })
  })
})
