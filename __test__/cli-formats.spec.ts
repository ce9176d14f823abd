/** What the tool writes: formats, files, verdicts on quotations, terminals. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import headless from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import {
  CitationService,
  grounding,
  renderAnswerHtml,
  renderAnswerMarkdown,
  type TurnPayload,
} from '../index.js'
import { blockOf, cite, example, folder, line, numbered } from './cli.js'
import { isControl, readScreen, textOf } from './screen.js'

const { file, path } = folder()

const COVERAGE = example('gemini-coverage.json')
const DOCUMENT = example('anthropic-document.json')
const QUOTED = 'Total revenue for Q3 2025 increased 15% year-over-year to $4.2 billion.'

function payloadOf(name: string): TurnPayload {
  const turn = new CitationService({ documents: true }).startTurn()
  turn.pushBytes(readFileSync(name))
  return turn.finish()
}

/** The rows of a terminal that is shown this. */
async function rowsOf(output: string, cols: number): Promise<string[]> {
  const terminal = new headless.Terminal({
    cols,
    rows: 100,
    convertEol: true,
    allowProposedApi: true,
  })
  await new Promise<void>((done) => terminal.write(output, done))
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.cursorY }, (_, y) =>
    active.getLine(y)!.translateToString(true),
  )
  terminal.dispose()
  return rows
}

describe('formats', () => {
  const payload = payloadOf(COVERAGE)
  const written = (...args: string[]) => {
    const { status, stdout, stderr } = cite([COVERAGE, ...args])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return stdout
  }

  test('markdown', () => {
    expect(written('--format', 'markdown')).toBe(renderAnswerMarkdown(payload.answer, payload))
  })

  test('json is one line', () => {
    const stdout = written('--format', 'json')
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1)
    expect(JSON.parse(stdout)).toEqual(payload)
  })

  test('svg, narrower on request', () => {
    expect(written('--format', 'svg')).toBe(`${grounding.coverageSvg(payload.answer, payload)}\n`)
    expect(written('--format', 'svg', '--width', '40')).toBe(
      `${grounding.coverageSvg(payload.answer, payload, { width: 40 })}\n`,
    )
  })

  test('html is a page with the answer, which allows no script but its own', () => {
    const page = written('--format', 'html')
    expect(page).toContain(renderAnswerHtml(payload.answer, payload, { idPrefix: 'a1' }))
    expect(page).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/)
    expect(page.trimEnd().endsWith('</html>')).toBe(true)
  })

  test('coverage, without colours where there is no terminal', () => {
    const stdout = written('--coverage', '--width', '60')
    const picture = grounding.renderCoverage(payload.answer, payload, { width: 60, color: false })
    expect(stdout.startsWith(`${picture}\n\n Sources:\n`)).toBe(true)
    expect([...stdout].filter(isControl).join('').replaceAll('\n', '')).toBe('')
  })

  test('no excerpts', () => {
    expect(cite([DOCUMENT, '--no-excerpts']).stdout).not.toContain(QUOTED)
    expect(cite([DOCUMENT]).stdout).toContain(QUOTED)
    expect(cite([DOCUMENT, '--no-excerpts', '--format', 'markdown']).stdout).not.toContain(QUOTED)
  })

  test('at most so many sources', () => {
    const calls = [
      {
        name: 'web_search',
        output: {
          results: [1, 2, 3].map((at) => ({
            title: `Page ${at}`,
            link: `https://a.example/${at}`,
          })),
        },
      },
    ]
    const input = JSON.stringify({ tools: calls, answer: 'Yes [2].' })
    const { stdout } = cite(['-', '--max', '1'], { input })
    expect(stdout).toContain('2. Page 2')
    expect(stdout).not.toContain('3. Page 3')
  })
})

describe('files', () => {
  test('--output writes there and says nothing', () => {
    const target = path('out.md')
    const result = cite([COVERAGE, '--format', 'markdown', '--output', target])
    expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(target, 'utf8')).toBe(cite([COVERAGE, '--format', 'markdown']).stdout)
  })

  test('--html writes a page and names it', () => {
    const target = path('out.html')
    expect(cite([COVERAGE, '--html', target])).toEqual({
      status: 0,
      stdout: `${target}\n`,
      stderr: '',
    })
    expect(readFileSync(target, 'utf8')).toBe(cite([COVERAGE, '--format', 'html']).stdout)
  })

  test('--html of the gallery', () => {
    const target = path('gallery.html')
    expect(cite(['--html', target]).status).toBe(0)
    const page = readFileSync(target, 'utf8')
    expect(page.match(/<article>/g)).toHaveLength(4)
    expect(page).toContain('<h2>Gemini with Google Search</h2>')
  })

  test('a log as a page has an id for each answer', () => {
    const { stdout } = cite(['-', '--format', 'html'], {
      input: [1, 2].map((at) => line(numbered(at))).join(''),
    })
    const ids = [...stdout.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(stdout).toContain('<h2>standard input:2</h2>')
  })

  test('what is read is not written over, and nothing found leaves an old file alone', () => {
    const input = file('precious.json', JSON.stringify(numbered(1)))
    expect(cite([input, '--output', input]).status).toBe(2)
    expect(cite(['-', '--output', input], { input: '{}' }).status).toBe(1)
    expect(JSON.parse(readFileSync(input, 'utf8'))).toEqual(numbered(1))
  })

  test('a place that cannot be written', () => {
    const { status, stderr } = cite([COVERAGE, '--output', path('no/such/folder')])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^cannot write .*folder: ENOENT/)
  })
})

describe('--verify', () => {
  const right = () => file('report.txt', `Introduction. ${QUOTED} The end.`)
  const loose = () => file('loose.txt', QUOTED.replaceAll(' ', '\n '))
  const wrong = () => file('wrong.txt', 'Total revenue decreased.')

  test.each([
    ['exact', right, 0, 'exact     '],
    ['normalized', loose, 0, 'normalized'],
    ['not found', wrong, 3, 'not found '],
  ])('%s', (_, document, status, word) => {
    const result = cite([DOCUMENT, '--verify', document()])
    expect(result.status).toBe(status)
    expect(result.stdout.endsWith(`\n\n Quotations:\n  1. ${word}  "${QUOTED}"\n`)).toBe(true)
  })

  test('in several documents, named one behind the other or before the response', () => {
    const documents = [wrong(), right()]
    const quotes = (args: string[]) => JSON.parse(cite(['--format', 'json', ...args]).stdout).quotes
    // The citation is of the first document.
    expect(quotes([DOCUMENT, '--verify', ...documents])[0].verdict).toBe('not_found')
    expect(quotes([DOCUMENT, '--verify', ...documents.reverse()])[0].verdict).toBe('exact')
    expect(quotes(['--verify', right(), '--', DOCUMENT])[0].verdict).toBe('exact')
  })

  test('of a log: one quotation that is not found is enough', () => {
    const input = line(JSON.parse(readFileSync(DOCUMENT, 'utf8'))).repeat(2)
    expect(cite(['-', '--verify', right()], { input }).status).toBe(0)
    expect(cite(['-', '--verify', wrong()], { input }).status).toBe(3)
  })

  test('nothing is quoted', () => {
    const { status, stdout } = cite([COVERAGE, '--verify', right()])
    expect(status).toBe(0)
    expect(stdout.endsWith('\n Quotations: none\n')).toBe(true)
  })

  test('a document that is not there', () => {
    expect(cite([DOCUMENT, '--verify', path('missing.txt')]).status).toBe(1)
  })
})

describe('on a terminal', () => {
  const LINKED = { FORCE_HYPERLINK: '1' }

  test('links lead where they say, and rows fit', async () => {
    const { stdout } = cite([COVERAGE, '--width', '30'], { env: LINKED })
    const rows = readScreen(stdout.trimEnd())
    const urls = new Set(rows.flat().flatMap(({ url }) => url ?? []))
    expect(urls).toEqual(
      new Set(['https://tokio.rs/', 'https://docs.rs/tokio', 'https://hyper.rs/']),
    )
    const shown = await rowsOf(stdout.slice(stdout.indexOf(' Sources:')), 30)
    expect(shown).toEqual(rows.slice(-shown.length).map((row) => textOf(row).trimEnd()))
  })

  test('an answer that steers terminals does not', async () => {
    const attack =
      'a\u001b]0;t\u0007\u001b[2J\u009b31m\u202eb\tc\r\nd\u001b]8;;https://evil.example\u0007e'
    const input = JSON.stringify({ candidates: [{ content: { parts: [{ text: attack }] } }] })
    for (const format of ['terminal', 'json']) {
      const { stdout } = cite(['-', '--format', format], { input, env: LINKED })
      expect([...stdout].filter((one) => isControl(one) && one !== '\n')).toEqual([])
      expect(stdout).not.toContain('\u202e')
    }
    const { stdout } = cite(['-'], { input })
    expect(await rowsOf(stdout, 80)).toEqual(['a]0;t[2J31mb    c', 'd]8;;https://evil.examplee'])
  })

  test('markers that no font has a sign for are written as numbers', () => {
    const results = [{ title: 'A', link: 'https://a.example/' }]
    const answer = 'Yes \ue200cite\ue202turn0search0\ue201.'
    const input = JSON.stringify({ tools: [{ name: 'web_search', output: { results } }], answer })
    expect(cite(['-'], { input }).stdout).not.toMatch(/[\ue200-\ue206]/)
  })

  // Only there a program can be given a terminal without a package that has to be compiled.
  const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script')

  /** Both outputs, as a terminal gets them. */
  function onTerminal(command: string, columns: number): string {
    const line = `stty cols ${columns}; ${process.execPath} ${join(__dirname, '../bin/cite.mjs')} ${command}`
    const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...LINKED },
    })
    return stdout.replaceAll('\r\n', '\n')
  }

  test.skipIf(!hasTerminals)(
    'a real one: as wide as it is, with links and underlines',
    async () => {
      const output = onTerminal(`${COVERAGE} --coverage`, 50)
      expect(output).toContain('\u001b[4m')
      const rows = await rowsOf(output, 50)
      expect(rows.some((row) => row.startsWith(' Sources:'))).toBe(true)
      expect(rows.length).toBe(output.trimEnd().split('\n').length)
      expect(onTerminal(COVERAGE, 50)).toContain('\u001b]8;;https://tokio.rs/\u0007')
    },
  )

  test.skipIf(!hasTerminals)('a real one: what goes into a file has neither', () => {
    const target = path('from-terminal.txt')
    onTerminal(`${COVERAGE} --coverage --output ${target}`, 50)
    expect(readFileSync(target, 'utf8')).not.toContain('\u001b[')
  })
})

test('two answers have a blank line between them', () => {
  const input = line(numbered(1)) + line(numbered(2))
  expect(cite(['-'], { input }).stdout).toBe(`${blockOf(1)}\n${blockOf(2)}`)
})
