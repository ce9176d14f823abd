/** Tables in Markdown files, between markers such as `<!-- figures -->` and `<!-- /figures -->`. */
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * @param {string[][]} rows the first is the head
 */
export function table([head = [], ...rows]) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/**
 * Replaces what stands between the markers of each name.
 *
 * @param {string} path from the root of the project
 * @param {Record<string, string>} parts
 */
export function fill(path, parts) {
  const file = new URL(`../${path}`, import.meta.url)
  let text = readFileSync(file, 'utf8')
  for (const [name, part] of Object.entries(parts)) {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
    const [start, end] = [text.indexOf(open), text.indexOf(close)]
    if (start < 0 || end < start) throw new Error(`${path} has no ${open} … ${close}`)
    text = `${text.slice(0, start + open.length)}\n${part}\n${text.slice(end)}`
  }
  writeFileSync(file, text)
}
