/**
 * How an INFO item reads its text: Markdown links, bare addresses, emphasis and code, in the way of LLxprt.
 * It knows no escapes and no hyperlinks: an address inside of one is taken out of it, which breaks it.
 */
import { Text } from 'ink'
import { createElement, type ReactNode } from 'react'
import { createOsc8Link } from './link.js'
import type { Release } from './tools.js'

const MARKS =
  /\[(?<label>.*?)\]\((?<target>.*?)\)|(?<address>https?:\/\/\S+)|\*(?<emphasis>[^*]+)\*|`(?<code>[^`]+)`/g

/** The pieces of a line. 0.9 colours addresses, 0.11 makes links of them. */
export function inlinePieces(line: string, release: Release): ReactNode[] {
  const pieces: ReactNode[] = []
  let end = 0
  for (const match of line.matchAll(MARKS)) {
    pieces.push(line.slice(end, match.index))
    end = match.index + match[0].length
    const { label, target, address, emphasis, code } = match.groups!
    if (target !== undefined) pieces.push(linked(`${label} (${target})`, target, release))
    else if (address !== undefined) pieces.push(linked(address, address, release))
    else pieces.push(createElement(Text, { italic: true, key: match.index }, emphasis ?? code))
  }
  pieces.push(line.slice(end))
  return pieces
}

function linked(text: string, url: string, release: Release): ReactNode {
  const shown = release === '0.11' && /^[!-~]+$/.test(url) ? createOsc8Link(text, url) : text
  return createElement(Text, { color: 'blue' }, shown)
}
