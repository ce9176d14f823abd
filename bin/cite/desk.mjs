/** The page where a response is pasted, and what is seen of it. Needs no script to work. */
import { grounding, renderAnswerHtml } from '../../load.js'
import { flawIn } from './flaw.mjs'
import { kindOf } from './kind.mjs'
import { escaped } from './page.mjs'
import { isEmpty, Reader } from './reader.mjs'
import { spanned } from './spans.mjs'

/** @typedef {import('../../index.js').TurnPayload} TurnPayload */

/** The most answers of a pasted log that are shown. */
const MOST_ANSWERS = 100

export const DESK_STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fff; --faint: #57606a; --line: #d0d7de; --mark: #fff8c5; --raised: #f6f8fa; --alarm: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --faint: #9ea7b3; --line: #30363d; --mark: #4b3b00; --raised: #21262d; --alarm: #f85149; } }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink); }
label { display: block; margin: .75rem 0 .25rem; font-weight: 600; }
textarea, input { box-sizing: border-box; width: 100%; padding: .5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); font: .875rem/1.4 ui-monospace, monospace; }
form button { margin: .75rem 0; padding: .4rem 1rem; border: 1px solid var(--line); border-radius: 6px; background: var(--raised); color: inherit; font: inherit; cursor: pointer; }
form button:hover { border-color: var(--faint); }
[role=alert] { padding: .75rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--alarm); border-radius: 6px; overflow-wrap: anywhere; }
article { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; font: .875rem/1.6 ui-monospace, monospace; }
mark { background: var(--mark); color: inherit; }
pre a { color: inherit; }
.bar { font: .875rem/1.3 ui-monospace, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
.wide table { border-collapse: collapse; width: 100%; min-width: 44rem; font-size: .875rem; }
th, td { padding: .25rem .5rem; border: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
:target { outline: 2px solid currentColor; }
.faint { color: var(--faint); }
`

/**
 * @param {{ text?: string, tool?: string }} fields as they were sent
 */
export function desk({ text = '', tool = '' }) {
  // A text area sends its line breaks as CRLF.
  const pasted = text.replaceAll('\r\n', '\n')
  const shown = pasted.trim() === '' ? '' : results(pasted, tool.trim())
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Citations</title>
<link rel="stylesheet" href="/cite.css">
<link rel="stylesheet" href="/desk.css">
</head>
<body>
<main>
<h1>Citations</h1>
<form method="post" action="/" autocomplete="off">
<label for="text">A response, a stream, a tool result or a log</label>
<textarea id="text" name="text" rows="10" spellcheck="false" required>
${escaped(pasted)}</textarea>
<label for="tool">Name of the tool, if it is a result of one</label>
<input id="tool" name="tool" value="${escaped(tool)}">
<button>Show</button>
</form>
${shown}</main>
<script src="/cite.js"></script>
</body>
</html>
`
}

/**
 * @param {string} text
 * @param {string} tool
 */
function results(text, tool) {
  const reader = new Reader(tool === '' ? {} : { tool })
  const isLog = tool === '' && kindOf(Buffer.from(text), true) === 'log'
  if (!isLog) return result(reader.read(Buffer.from(text)), text, 'Answer', 1)
  const lines = [...text.split('\n').entries()].filter(([, line]) => line.trim() !== '')
  const articles = lines
    .slice(0, MOST_ANSWERS)
    .map(([at, line]) => result(reader.read(Buffer.from(line)), line, `Line ${at + 1}`, at + 1))
  const rest = lines.length - articles.length
  const note = rest > 0 ? `<p class="faint">${rest} more lines are not shown.</p>\n` : ''
  return articles.join('') + note
}

/**
 * @param {TurnPayload} payload
 * @param {string} text
 * @param {string} heading
 * @param {number} number
 */
function result(payload, text, heading, number) {
  const id = `a${number}`
  const flaw = isEmpty(payload) ? flawIn(text) : undefined
  const body = !isEmpty(payload)
    ? sections(payload, id)
    : flaw
      ? `<p role="alert">Line ${flaw.line}: no JSON: ${escaped(flaw.message)}</p>\n`
      : '<p role="alert">Nothing was found: neither an answer nor sources.</p>\n'
  return `<article aria-labelledby="${id}-heading">\n<h2 id="${id}-heading">${heading}</h2>\n${body}</article>\n`
}

/**
 * @param {TurnPayload} payload
 * @param {string} id
 */
function sections(payload, id) {
  const { answer, anchors, sources, diagnostics } = payload
  const html = renderAnswerHtml(answer, payload, { idPrefix: id, showInlineSources: true })
  const parts = [html]
  if (anchors.length > 0) {
    parts.push(
      `<h3>Spans</h3>\n<pre>${spanned(payload, id)}</pre>\n<p class="faint bar">${bar(payload)}</p>`,
    )
  }
  if (sources.length > 0) parts.push(`<h3>Sources</h3>\n${sourceTable(payload, id)}`)
  if (diagnostics.length > 0) {
    const rows = diagnostics.map(
      ({ code, count, detail }) => `<li>${code}, ${count}: ${escaped(detail)}</li>`,
    )
    parts.push(`<h3>Diagnostics</h3>\n<ul>${rows.join('')}</ul>`)
  }
  return `${parts.join('\n')}\n`
}

/**
 * The last line of the picture for the terminal: how much of the answer is covered.
 *
 * @param {TurnPayload} payload
 */
function bar(payload) {
  const drawn = grounding.renderCoverage(payload.answer, payload, { color: false })
  return escaped(drawn.slice(drawn.lastIndexOf('\n') + 1))
}

/**
 * @param {TurnPayload} payload
 * @param {string} id
 */
function sourceTable({ sources, anchors }, id) {
  const leaning = new Map(sources.map((_, index) => [index + 1, 0]))
  for (const number of anchors.flatMap((anchor) => anchor.sources)) {
    leaning.set(number, (leaning.get(number) ?? 0) + 1)
  }
  const rows = sources.map((source, index) => {
    const number = index + 1
    const from = source.toolName ?? source.provider ?? ''
    const place = source.url ?? source.uri ?? ''
    const cells = [source.title ?? '', place, from, source.citedText ?? source.snippet ?? '']
    const data = cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')
    return `<tr id="${id}-row-${number}"><th scope="row">${number}</th>${data}<td>${leaning.get(number)}</td></tr>`
  })
  const head = ['', 'Title', 'Address', 'From', 'Words', 'Spans']
    .map((name) => `<th scope="col">${name}</th>`)
    .join('')
  // Scrolls by itself on a narrow page, and by keyboard only if it takes the focus.
  return `<div class="wide" role="group" aria-label="Sources" tabindex="0">\n<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>\n</div>`
}
