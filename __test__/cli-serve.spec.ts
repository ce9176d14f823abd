/** The page on loopback, over real HTTP. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spanned } from '../bin/cite/spans.mjs'
import { citationAssets, renderAnswerHtml } from '../index.js'
import { cite, ended, example, line, numbered, served } from './cli.js'
import { pushedBytes } from './stream-bodies.js'

let child: ChildProcess
let origin: string

beforeAll(async () => {
  ;[child, origin] = await served(['--port', '0'])
})
afterAll(() => {
  child.kill()
})

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** A request with any headers at all, which `fetch` would not send. */
function ask(path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}${path}`, { method, headers }, async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve({ status: response.statusCode!, headers: response.headers, body: text })
    })
    asked.on('error', reject).end(body)
  })
}

const paste = (text: string, tool = '') =>
  ask('/', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    // As a browser sends the lines of a text area.
    body: new URLSearchParams({ text: text.replaceAll('\n', '\r\n'), tool }).toString(),
  })

describe('who may ask', () => {
  const port = () => new URL(origin).port

  test('the address is loopback, and only that', async () => {
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of others) {
      const socket = connect(Number(port()), address)
      const [error] = await once(socket, 'error')
      expect(error.code).toBe('ECONNREFUSED')
    }
  })

  test.each([
    ['its address', () => `127.0.0.1:${port()}`, 200],
    ['its name', () => `localhost:${port()}`, 200],
    ['a name somebody made up for it', () => `evil.example:${port()}`, 403],
    ['another port', () => '127.0.0.1:1', 403],
    ['no port', () => '127.0.0.1', 403],
    ['a longer name', () => `127.0.0.1:${port()}.evil.example`, 403],
  ])('under %s', async (_, host, status) => {
    expect((await ask('/', { headers: { host: host() } })).status).toBe(status)
  })

  test('no page of another site', async () => {
    for (const origin of ['https://evil.example', 'null', `http://localhost:${port()}`]) {
      const reply = await ask('/', { method: 'POST', headers: { origin }, body: 'text=1' })
      expect([origin, reply.status]).toEqual([origin, 403])
    }
  })

  test('no other way', async () => {
    expect((await ask('/', { method: 'PUT' })).status).toBe(405)
    expect((await ask('/cite.css', { method: 'POST' })).status).toBe(405)
    expect((await ask('/../package.json')).status).toBe(404)
    expect((await ask('/__proto__')).status).toBe(404)
    expect((await ask('//evil.example/')).status).toBeGreaterThanOrEqual(200)
    expect((await ask('/', { method: 'HEAD' })).body).toBe('')
  })
})

describe('what is sent', () => {
  test.each(['/', '/cite.css', '/desk.css', '/cite.js', '/nothing'])(
    '%s is strict',
    async (path) => {
      const { headers } = await ask(path)
      const policy = headers['content-security-policy']
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    },
  )

  test('the page has nothing inline, and every file it names', async () => {
    const { body } = await paste(readFileSync(example('gemini-coverage.json'), 'utf8'))
    expect(body).not.toMatch(/<style|<script>| style=| on\w+=/)
    const named = [...body.matchAll(/ (?:href|src)="(\/[^"]*)"/g)].map(([, path]) => path!)
    expect(named).toEqual(['/cite.css', '/desk.css', '/cite.js'])
    for (const path of named) expect((await ask(path)).status).toBe(200)
    expect((await ask('/cite.js')).body).toBe(citationAssets().script)
  })
})

describe('what is pasted', () => {
  test.each(['gemini-coverage.json', 'anthropic-document.json', 'openai-web-search.json'])(
    '%s: answer, spans and sources',
    async (name) => {
      const text = readFileSync(example(name), 'utf8')
      const payload = pushedBytes(text)
      const { status, body } = await paste(text)
      expect(status).toBe(200)
      expect(body).toContain(
        renderAnswerHtml(payload.answer, payload, { idPrefix: 'a1', showInlineSources: true }),
      )
      expect(body.match(/<mark>/g)!.length).toBeGreaterThanOrEqual(payload.anchors.length)
      for (const number of payload.sources.keys()) {
        expect(body).toContain(`<tr id="a1-row-${number + 1}">`)
      }
      const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const links = [...body.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
      expect(links.filter((id) => !ids.includes(id))).toEqual([])
    },
  )

  test('stays in the form', async () => {
    const { body } = await paste('{"a": "</textarea><script>alert(1)</script>"}', '"><b>')
    expect(body).not.toContain('<script>')
    expect(body).not.toContain('<b>')
    expect(body).toContain('&#60;/textarea&#62;&#60;script&#62;')
  })

  test('a stream, a log, a result of a tool', async () => {
    const stream = [{ candidates: [{ content: { parts: [{ text: 'One ' }] } }] }, numbered(2)]
    const asStream = await paste(stream.map((event) => `data: ${line(event)}\n`).join(''))
    expect(asStream.body).toContain('One Answer 2.')
    const asLog = await paste([1, 2, 3].map((number) => line(numbered(number))).join(''))
    expect(asLog.body).toContain('<h2 id="a3-heading">Line 3</h2>')
    const asResult = await paste('see https://a.example/there', 'mine')
    expect(asResult.body).toContain('<td>https://a.example/there</td>')
  })

  test('a long log is shown as far as a reader may want it', async () => {
    const { body } = await paste(
      Array.from({ length: 120 }, (_, at) => line(numbered(at))).join(''),
    )
    expect(body.match(/<article /g)).toHaveLength(100)
    expect(body).toContain('20 more lines are not shown.')
  })

  test('nothing that can be read', async () => {
    expect((await paste('{"a": 1,\n,}')).body).toMatch(/role="alert">Line 2: no JSON: /)
    expect((await paste('{"a": 1}')).body).toContain('Nothing was found')
    expect((await paste('  ')).body).not.toContain('role="alert"')
  })

  test('more than anybody pastes', async () => {
    const body = `text=${'x'.repeat(97 * 1024 * 1024)}`
    const reply = await ask('/', { method: 'POST', body }).catch(({ code }) => ({ status: code }))
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(reply.status)
    expect((await ask('/')).status).toBe(200)
  })
})

describe('spans', () => {
  const anchor = (start: number, end: number, ...sources: number[]) => ({
    start,
    end,
    text: '',
    sources,
  })

  test('may overlap, touch and repeat', () => {
    const anchors = [anchor(0, 4, 2), anchor(2, 6, 1, 2), anchor(6, 8, 3), anchor(6, 8, 1)]
    expect(spanned({ answer: 'abcdefghij', anchors }, 'a')).toBe(
      '<mark>abcd</mark><mark>ef</mark>ij'
        .replace('<mark>abcd', '<mark>ab</mark><mark>cd')
        .replace('cd</mark>', 'cd</mark><a href="#a-row-2">[2]</a>')
        .replace(
          'ef</mark>',
          'ef</mark><a href="#a-row-1">[1]</a><a href="#a-row-2">[2]</a><mark>gh</mark><a href="#a-row-1">[1]</a><a href="#a-row-3">[3]</a>',
        ),
    )
  })

  test('show what cannot be seen', () => {
    expect(spanned({ answer: '<a>\u202e\u{e0041}\n', anchors: [] }, 'a')).toBe(
      '&#60;a&#62;<span class="faint">U+202E</span><span class="faint">U+E0041</span>\n',
    )
  })
})

describe('its end', () => {
  test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    '%s, though somebody is still connected',
    async (signal) => {
      const [child, origin] = await served([])
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {})
      socket.write('POST / HTTP/1.1\r\nHost: x\r\n')
      child.kill(signal)
      expect(await ended(child)).toEqual({ status: 0, signal: null, stdout: '', stderr: '' })
    },
  )

  test('a port that is taken', () => {
    const { status, stderr } = cite(['serve', '--port', new URL(origin).port])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^cannot serve on port \d+: .*in use/)
  })
})
