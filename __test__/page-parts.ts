/** The parts of an answer on a page, and what a reader sees of them. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const marker = (page: Page, number: number, nth = 0) =>
  page.locator(`.cite-mark a[href$="-s${number}"]`).nth(nth)
export const tip = (page: Page, number: number) => page.locator(`#cite-t${number}`)
export const source = (page: Page, number: number) => page.locator(`#cite-s${number}`)
export const dialog = (page: Page, number: number) => page.locator(`#cite-d${number}`)
export const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    return at?.closest('li')?.id || at?.id || at?.textContent || at?.tagName
  })
export const scrolled = (page: Page) => page.evaluate(() => scrollY)

/** Waits until it is so; says what it is if it never is. */
export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  await expect.poll(read, { timeout: 3000, interval: 25 }).toEqual(expected)
}

export const isVisible = (locator: Locator) => eventually(() => locator.isVisible(), true)
export const isHidden = (locator: Locator) => eventually(() => locator.isVisible(), false)

/** Whether all of it is inside the window. */
export async function isWithinWindow(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    return left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight
  })
}
