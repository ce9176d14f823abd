/**
 * Answers on a page, in a real browser, under a policy that allows nothing but their own style and
 * script. Whatever a reader does, the page asks for nothing and reports no error.
 */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { citationAssets } from '../index.js'
import { type Browsing, describeInChromium, documentOf, expectQuiet, HOME } from './chromium.js'
import {
  dialog,
  eventually,
  focused,
  isHidden,
  isVisible,
  isWithinWindow,
  marker,
  scrolled,
  source,
  tip,
} from './page-parts.js'
import { ANSWER, EXCERPT, LONG_ANSWER, rendered } from './page-samples.js'

describeInChromium('answers on a page', ({ open }) => {
  describe('tooltips', () => {
    test('show title, host and excerpt on hover, and go', async () => {
      const opened = await open(documentOf(rendered(ANSWER)))
      const { page } = opened
      await isHidden(tip(page, 1))
      await marker(page, 1).hover()
      await isVisible(tip(page, 1))
      const words = await tip(page, 1).innerText()
      for (const part of [
        'Announcing Rust 1.0',
        'blog.rust.example',
        'was released on 15 May 2015',
      ])
        expect(words).toContain(part)
      expect(await isWithinWindow(tip(page, 1))).toBe(true)
      await page.mouse.move(500, 550)
      await isHidden(tip(page, 1))
      expectQuiet(opened)
    })

    test('show on focus, go with it, and describe their marker', async () => {
      const opened = await open(documentOf(rendered(ANSWER)))
      const { page } = opened
      await page.keyboard.press('Tab')
      await isVisible(tip(page, 1))
      expect(await marker(page, 1).getAttribute('aria-describedby')).toBe('cite-t1')
      await page.keyboard.press('Tab')
      await isHidden(tip(page, 1))
      await isVisible(tip(page, 2))
      await page.keyboard.press('Escape')
      await isHidden(tip(page, 2))
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('[2]')
      expectQuiet(opened)
    })

    test('can be pointed at, and are dismissed with Escape', async () => {
      const opened = await open(documentOf(rendered(ANSWER)))
      const { page } = opened
      await marker(page, 1).hover()
      await isVisible(tip(page, 1))
      const { x, y, width, height } = (await tip(page, 1).boundingBox())!
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 8 })
      await page.waitForTimeout(400)
      expect(await tip(page, 1).isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await isHidden(tip(page, 1))
      expectQuiet(opened)
    })

    test.each([
      ['the right edge', 'p { text-align: right }'],
      ['the bottom', '.cite { position: absolute; bottom: 0 } .cite-panel { display: none }'],
      ['the bottom right', '.cite { position: absolute; bottom: 0; right: 0; text-align: right }'],
    ])('stay inside the window at %s', async (_, style) => {
      const opened = await open(documentOf(rendered('It is so [1].'), { style }), {
        viewport: { width: 420, height: 320 },
      })
      const { page } = opened
      await marker(page, 1).hover()
      await isVisible(tip(page, 1))
      expect(await isWithinWindow(tip(page, 1))).toBe(true)
      // Beside its marker, never on it.
      const [mark, box] = [
        (await marker(page, 1).boundingBox())!,
        (await tip(page, 1).boundingBox())!,
      ]
      expect(box.y >= mark.y + mark.height || box.y + box.height <= mark.y).toBe(true)
      expectQuiet(opened)
    })

    test('stay when the focus scrolls the page to their marker', async () => {
      const opened = await open(documentOf(rendered(LONG_ANSWER)))
      const { page } = opened
      await page.locator('.cite-mark a').last().focus()
      expect(await scrolled(page)).toBeGreaterThan(500)
      await page.waitForTimeout(300)
      expect(await tip(page, 2).isVisible()).toBe(true)
      expect(await isWithinWindow(tip(page, 2))).toBe(true)
      await page.mouse.wheel(0, -3000)
      await isHidden(tip(page, 2))
      expectQuiet(opened)
    })

    test('are not there when they are not wanted', async () => {
      const opened = await open(documentOf(rendered(ANSWER, { enableTooltips: false })))
      const { page } = opened
      await marker(page, 1).hover()
      expect(await page.locator('.cite-tip, [aria-describedby]').count()).toBe(0)
      expectQuiet(opened)
    })
  })

  describe('markers', () => {
    test('open the panel, scroll to the source, light it up and focus it', async () => {
      const opened = await open(documentOf(rendered(LONG_ANSWER)))
      const { page } = opened
      expect(
        await page.locator('.cite-panel').evaluate((panel) => panel.hasAttribute('open')),
      ).toBe(false)
      await marker(page, 4).click()
      await isVisible(source(page, 4))
      expect(await isWithinWindow(source(page, 4))).toBe(true)
      expect(await source(page, 4).getAttribute('class')).toBe('cite-lit')
      expect(await focused(page)).toBe('cite-s4')
      await isHidden(tip(page, 4))
      // The address of the page is the host's.
      expect(page.url()).toBe(HOME)
      await eventually(() => source(page, 4).getAttribute('class'), '')
      expectQuiet(opened)
    })

    test('leave clicks for a new window to the browser', async () => {
      const opened = await open(documentOf(rendered(ANSWER)))
      const { page } = opened
      await marker(page, 1).click({ modifiers: ['Alt'] })
      expect(await source(page, 1).isVisible()).toBe(false)
    })

    test('of two answers lead each to its own', async () => {
      const both =
        rendered('First [1].', { idPrefix: 'a' }) + rendered('Second [1].', { idPrefix: 'a-s1' })
      const opened = await open(documentOf(both))
      const { page } = opened
      const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
      await page.locator('#a-s1-answer .cite-mark a').hover()
      await isVisible(page.locator('#a-s1-t1'))
      await isHidden(page.locator('#a-t1'))
      await page.locator('#a-s1-answer .cite-mark a').click()
      await isVisible(page.locator('#a-s1-s1'))
      expect(await page.locator('#a-s1').isVisible()).toBe(false)
      await page.locator('#a-answer .cite-mark a').click()
      await isVisible(page.locator('#a-s1'))
      await page.locator('#a-s1 .cite-open').click()
      await isVisible(page.locator('#a-d1'))
      expect(await page.locator('dialog[open]').count()).toBe(1)
      expectQuiet(opened)
    })

    test('of an answer that came later work', async () => {
      const opened = await open(documentOf('<div id="place"></div>'))
      const { page } = opened
      await page.evaluate((html) => {
        document.getElementById('place')!.innerHTML = html
      }, rendered(ANSWER))
      await marker(page, 2).hover()
      await isVisible(tip(page, 2))
      await marker(page, 2).click()
      await isVisible(source(page, 2))
      await source(page, 2).locator('.cite-open').click()
      await isVisible(dialog(page, 2))
      expectQuiet(opened)
    })

    test('work in a shadow root', async () => {
      const opened = await open(documentOf('<div id="place"></div>'))
      const { page } = opened
      await page.evaluate((html) => {
        document.getElementById('place')!.attachShadow({ mode: 'open' }).innerHTML = html
      }, rendered(ANSWER))
      await marker(page, 2).hover()
      await isVisible(tip(page, 2))
      await marker(page, 2).click()
      await isVisible(source(page, 2))
      expectQuiet(opened)
    })

    test('with inline links lead to the page itself', async () => {
      const opened = await open(documentOf(rendered(ANSWER, { format: 'inline-links' })))
      const link = opened.page.locator('.cite-mark a').first()
      expect(await link.getAttribute('href')).toBe(
        'https://blog.rust.example/2015/05/15/Rust-1.0.html',
      )
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
      // What has no address leads to the list.
      expect(await marker(opened.page, 4).count()).toBe(1)
      expectQuiet(opened)
    })

    test('the script may be there twice', async () => {
      const opened = await open(documentOf(rendered(ANSWER)))
      const { page } = opened
      await page.evaluate(citationAssets().script)
      await marker(page, 1).click()
      expect(await focused(page)).toBe('cite-s1')
      expectQuiet(opened)
    })
  })

  describe('dialogs', () => {
    async function openFirst(open: Browsing['open']) {
      const opened = await open(documentOf(rendered(ANSWER, { expandSourcesByDefault: true })))
      await source(opened.page, 1).locator('.cite-open').click()
      await isVisible(dialog(opened.page, 1))
      return opened
    }

    test('tell all there is to know', async () => {
      const opened = await openFirst(open)
      const words = await dialog(opened.page, 1).innerText()
      for (const part of [
        'Announcing Rust 1.0',
        'https://blog.rust.example/2015/05/15/Rust-1.0.html',
        'The core team',
        '2015-05-15',
        'web_search',
        'gemini',
        '0.875',
        EXCERPT,
      ])
        expect(words).toContain(part)
      expect(words).not.toContain('cached')
      await opened.page.keyboard.press('Escape')
      await source(opened.page, 4).locator('.cite-open').click()
      expect(await dialog(opened.page, 4).innerText()).toContain('pages 5–7')
      expectQuiet(opened)
    })

    test.each<[string, (page: Page) => Promise<unknown>]>([
      ['Escape', (page) => page.keyboard.press('Escape')],
      ['their button', (page) => dialog(page, 1).getByRole('button', { name: 'Close' }).click()],
      ['a click beside them', (page) => page.mouse.click(5, 5)],
    ])('close with %s, and the focus returns', async (_, close) => {
      const opened = await openFirst(open)
      await close(opened.page)
      await isHidden(dialog(opened.page, 1))
      expect(await focused(opened.page)).toBe('cite-s1')
      expectQuiet(opened)
    })

    test('stay open under clicks inside them, on their edge too', async () => {
      const opened = await openFirst(open)
      const { page } = opened
      const { x, y, width } = (await dialog(page, 1).boundingBox())!
      await page.mouse.click(x + 6, y + 6)
      await page.mouse.click(x + width / 2, y + 60)
      expect(await dialog(page, 1).isVisible()).toBe(true)
    })

    test('keep the button in sight, however long the excerpt', async () => {
      const opened = await openFirst(open)
      const { page } = opened
      await page.setViewportSize({ width: 360, height: 400 })
      expect(await isWithinWindow(dialog(page, 1))).toBe(true)
      expect(await isWithinWindow(dialog(page, 1).getByRole('button'))).toBe(true)
    })

    /** As in a browser that knows neither commands nor who may close a dialog. */
    test('work in older browsers', async () => {
      const opened = await open(
        documentOf(
          rendered(ANSWER, { expandSourcesByDefault: true }).replaceAll(
            / command="show-modal"| closedby="any"/g,
            '',
          ),
        ),
      )
      const { page } = opened
      await page.evaluate(() => {
        delete (
          HTMLButtonElement.prototype as Partial<HTMLButtonElement> & {
            commandForElement?: unknown
          }
        ).commandForElement
        delete (HTMLDialogElement.prototype as { closedBy?: unknown }).closedBy
      })
      const openIt = () => source(page, 1).locator('.cite-open').click()
      await openIt()
      await isVisible(dialog(page, 1))
      const { x, y } = (await dialog(page, 1).boundingBox())!
      await page.mouse.click(x + 6, y + 6)
      // Words are selected, and the button is let go of beside the dialog.
      await page.mouse.move(x + 100, y + 100)
      await page.mouse.down()
      await page.mouse.move(5, 5)
      await page.mouse.up()
      expect(await dialog(page, 1).isVisible()).toBe(true)
      await page.mouse.click(5, 5)
      await isHidden(dialog(page, 1))
      await openIt()
      await page.keyboard.press('Escape')
      await isHidden(dialog(page, 1))
      expect(await focused(page)).toBe('cite-s1')
      expectQuiet(opened)
    })
  })
})
