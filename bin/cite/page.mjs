/** A page that needs nothing but itself, made piece by piece: a log may have any number of answers. */
import { createHash } from 'node:crypto'
import { citationAssets } from '../../load.js'

const LAYOUT = `
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color-scheme: light dark; background: #fff; color: #1f2328; }
article + article { margin-top: 3rem; }
article > h2 { font-size: 1rem; font-weight: 600; color: #57606a; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } article > h2 { color: #9ea7b3; } }
`

/** Everything before the first answer. */
export function pageStart() {
  const assets = citationAssets()
  const css = assets.css + LAYOUT
  const policy = [
    "default-src 'none'",
    `style-src ${hash(css)}`,
    `script-src ${hash(assets.script)}`,
    "base-uri 'none'",
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Answers with their sources</title>
<style>${css}</style>
</head>
<body>
<main>
<h1>Answers with their sources</h1>
`
}

/**
 * @param {string} name
 * @param {string} html
 */
export const article = (name, html) => `<article>\n<h2>${escaped(name)}</h2>\n${html}</article>\n`

/** Everything behind the last answer. */
export function pageEnd() {
  return `</main>
<script>${citationAssets().script}</script>
</body>
</html>
`
}

/** @param {string} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** @param {string} text */
export const escaped = (text) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
