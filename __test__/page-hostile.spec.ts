/**
 * Nothing of what an answer or a source holds becomes an element, an attribute, an address or a request:
 * hundreds of attempts in every place, parsed by a real browser that would run them.
 */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type CitationSource, renderAnswerHtml } from '../index.js'
import { describeInChromium, type Opened } from './chromium.js'
import { ADDRESSES, inMarkdown, PAYLOADS } from './page-payloads.js'

const ID = /^cite-(answer|panel|[sdtn]\d+)$/
const NONE = /^$/
const LANGUAGE = /^language-[A-Za-z0-9+#._-]+$/

/** Every element we write, each attribute it may have, and the values of that. */
const ALLOWED: Record<string, Record<string, RegExp>> = {
  a: {
    href: /^(https?:\/\/[^\s"<>]+|#cite-s\d+)$/,
    target: /^_blank$/,
    rel: /^noopener noreferrer nofollow$/,
    class: /^cite-home$/,
    'aria-describedby': /^cite-t\d+$/,
    'aria-label': /^Source \d+$/,
  },
  blockquote: {},
  br: {},
  button: {
    type: /^button$/,
    class: /^cite-open$/,
    'aria-haspopup': /^dialog$/,
    command: /^show-modal$/,
    commandfor: /^cite-d\d+$/,
  },
  code: { class: LANGUAGE },
  dd: {},
  details: { class: /^cite-(panel|more)$/, id: /^cite-panel$/, open: NONE },
  dialog: {
    class: /^cite-dialog$/,
    closedby: /^any$/,
    id: /^cite-d\d+$/,
    'aria-labelledby': /^cite-n\d+$/,
  },
  div: {
    class: /^cite(-answer|-wide|-tip)?$/,
    id: ID,
    role: /^(group|tooltip)$/,
    'aria-label': /^Table$/,
    tabindex: /^0$/,
    popover: /^manual$/,
    hidden: NONE,
  },
  dl: {},
  dt: {},
  em: {},
  form: { method: /^dialog$/ },
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, {}])),
  hr: {},
  li: { id: /^cite-s\d+$/, value: /^\d+$/ },
  ol: { class: /^cite-list$/, start: /^\d+$/ },
  p: { class: /^cite-(raw|name)$/, id: /^cite-n\d+$/ },
  pre: { tabindex: /^0$/ },
  span: { class: /^cite-(count|home|number|place|quote)$/ },
  strong: {},
  summary: {},
  sup: { class: /^cite-mark$/ },
  table: {},
  tbody: {},
  td: { class: /^cite-(center|right)$/ },
  th: { class: /^cite-(center|right)$/, scope: /^col$/ },
  thead: {},
  tr: {},
  ul: {},
}

/** Elements and attributes of a page, each once. */
type Parsed = [name: string, attribute?: string, value?: string][]

/** What in a parsed page is not ours. */
function strangers(parsed: Parsed): string[] {
  const strange = parsed.filter(([name, attribute, value = '']) => {
    const allowed = ALLOWED[name]
    return !allowed || (attribute !== undefined && !allowed[attribute]?.test(value))
  })
  return strange.map((one) => one.join(' '))
}

const source = (payload: string): CitationSource => ({
  title: payload,
  url: `https://a.example/${payload}`,
  citedText: payload,
  snippet: payload,
  author: payload,
  publishedDate: payload,
  timestamp: payload,
  toolName: payload,
  agentId: payload,
  provider: payload,
  uri: payload,
  domain: payload,
  fileId: payload,
  id: payload,
  metadata: { [`score ${payload}`]: 1, [payload]: payload, distance: payload },
  also: [{ citedText: payload, id: payload, toolName: payload, rawUrl: payload }],
})

/** An address where one is, a name where there is no address, and a passage of a document. */
function sourcesOf(payload: string): CitationSource[] {
  const { url: _, ...unlinked } = source(payload)
  const location = {
    type: 'page_location',
    startPageNumber: 1,
    endPageNumber: 2,
    documentIndex: 0,
  } as const
  return [
    source(payload),
    unlinked,
    { url: payload },
    { uri: payload },
    { domain: payload },
    { title: payload, citedText: payload, location, also: [{ citedText: payload, location }] },
  ]
}

/** An answer that points at all of them, and an answer that is the attempt itself. */
function pagesOf(payload: string): string[] {
  const sources = sourcesOf(payload)
  const plain = [{ title: 'T', url: 'https://a.example/' }]
  const render = (text: string, list: CitationSource[], format: 'brackets' | 'inline-links') =>
    renderAnswerHtml(text, { text: '', sources: list }, { format, expandSourcesByDefault: true })
  return [
    render('It is so [1][2][3][4][5][6].', sources, 'inline-links'),
    render(payload, plain, 'brackets'),
    render(inMarkdown(payload), plain, 'brackets'),
  ]
}

type Inserted = { parsed: Parsed; same: boolean }

/** What pages hold when a script inserts them; and whether the browser reads what it writes the same. */
async function inserted(page: Page, pages: string[]): Promise<Inserted[]> {
  // Text crosses into the browser far faster than lists do.
  const found = await page.evaluate((pages) => {
    const found = (JSON.parse(pages) as string[]).map((html) => {
      const [once, twice] = [document.createElement('div'), document.createElement('div')]
      document.body.append(once, twice)
      once.innerHTML = html
      twice.innerHTML = once.innerHTML
      const parsed = globalThis.partsOf(once)
      const same = once.isEqualNode(twice)
      once.remove()
      twice.remove()
      return { parsed, same }
    })
    return JSON.stringify(found)
  }, JSON.stringify(pages))
  return JSON.parse(found)
}

declare global {
  /** Of the page: its elements and attributes, each once. */
  var partsOf: (root: Element) => Parsed
  /** Of the page: how much of what should not ran. */
  var hits: number
}

/** What runs in a page before anything else. */
const PREPARED = `
globalThis.hits = 0
globalThis.hit = globalThis.alert = () => { hits++ }
globalThis.partsOf = (root) => {
  const all = new Map()
  for (const { localName, attributes } of root.querySelectorAll('*')) {
    const parts = [[localName], ...Array.from(attributes, ({ name, value }) => [localName, name, value])]
    for (const part of parts) all.set(part.join(' '), part)
  }
  return [...all.values()]
}`

test('there are enough attempts, each once', () => {
  expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length)
  expect(PAYLOADS.length).toBeGreaterThan(250)
})

describeInChromium('attempts', ({ open }) => {
  /** A page that allows everything and counts what runs. */
  const openCounting = (body: string): Promise<Opened> =>
    open(`<!doctype html><title>x</title><script>${PREPARED}</script><body>${body}</body>`)
  const hits = (page: Page) => page.evaluate(() => globalThis.hits)

  test('would be noticed', async () => {
    const opened = await openCounting('<script>hit(1)</script><img src=nowhere onerror=hit(1)>')
    await expect.poll(() => hits(opened.page)).toBe(2)
    expect(opened.requests).toEqual(['https://page.example/nowhere'])
    const [made] = await inserted(opened.page, ['<p onclick="x">a</p><b>b</b>'])
    expect(strangers(made!.parsed)).toEqual(['p onclick x', 'b'])
  })

  test('leave nothing of theirs when a script inserts the page', async () => {
    const opened = await openCounting('')
    const failed: Record<string, string[]> = {}
    const pages = PAYLOADS.flatMap((payload) => pagesOf(payload).map((html) => ({ payload, html })))
    const found = await inserted(
      opened.page,
      pages.map(({ html }) => html),
    )
    for (const [index, { parsed, same }] of found.entries()) {
      const strange = [...strangers(parsed), ...(same ? [] : ['reads differently again'])]
      if (strange.length > 0) failed[pages[index]!.payload] = strange
    }
    expect(found).toHaveLength(3 * PAYLOADS.length)
    expect(failed).toEqual({})
    await opened.page.waitForTimeout(200)
    expect(await hits(opened.page)).toBe(0)
    expect(opened.requests).toEqual([])
  })

  test('leave nothing of theirs when the page is served', async () => {
    const opened = await openCounting(PAYLOADS.flatMap(pagesOf).join('\n'))
    const { page } = opened
    expect(strangers(await page.evaluate(() => globalThis.partsOf(document.body)))).toEqual([])
    // Nothing got out of its answer.
    const [inside, outside] = await page.evaluate(() => {
      const count = (selector: string) => document.querySelectorAll(selector).length
      return [count('body > .cite'), count('body > :not(.cite), .cite .cite')]
    })
    expect([inside, outside]).toEqual([3 * PAYLOADS.length, 0])
    await page.waitForTimeout(200)
    expect(await hits(page)).toBe(0)
    expect(opened.requests).toEqual([])
    expect(opened.problems).toEqual([])
  })

  test('as addresses lead to the web or nowhere, as the browser reads them', async () => {
    const { page } = await openCounting('')
    const found = await page.evaluate((pages) => {
      return pages.flatMap((html) => {
        const place = document.createElement('div')
        place.innerHTML = html
        const links = Array.from(place.querySelectorAll('a'))
        const away = links.filter((link) => !link.getAttribute('href')!.startsWith('#'))
        return away.map(({ protocol, username, href }) => ({ protocol, username, href }))
      })
    }, ADDRESSES.flatMap(pagesOf))
    expect(found.length).toBeGreaterThan(100)
    const odd = found.filter(({ protocol, username }) => !/^https?:$/.test(protocol) || username)
    expect(odd).toEqual([])
  })
})

describe('prefixes of ids', () => {
  test.each([
    '"><script>hit(1)</script>',
    'a b',
    'a"',
    "a'",
    'a`',
    'a<',
    'a>',
    'a&',
    'a=',
    'a/',
    'a.b',
    'a:b',
    'a#b',
    'a\u0000',
    'a\n',
    'ä',
    'а',
    '1a',
    '-a',
    '_a',
    '',
    ' ',
    'a'.repeat(65),
  ])('%j is refused', (idPrefix) => {
    const render = () => renderAnswerHtml('x', { text: '', sources: [] }, { idPrefix })
    expect(render).toThrow(TypeError)
    expect(render).toThrow('options.idPrefix must be a letter')
  })

  test('no id is a name that scripts know', () => {
    for (const idPrefix of ['document', 'location', 'name', 'constructor', 'hasOwnProperty']) {
      const html = renderAnswerHtml('x [1]', { text: '', sources: [{ title: 'T' }] }, { idPrefix })
      const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id!)
      expect(ids.length).toBeGreaterThan(3)
      for (const id of ids) expect(id).toMatch(new RegExp(`^${idPrefix}-`))
    }
  })
})
