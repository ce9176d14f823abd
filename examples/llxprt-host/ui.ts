/** The screen, in Ink: what was said, what is being said, and a line to type in. */

import { type CitationPayload, layoutCitationBlock } from '@vybestack/llxprt-code-citations'
import { Box, Static, Text, useInput } from 'ink'
import { createElement as h, useState, useSyncExternalStore } from 'react'
import type { History, HistoryItem } from './history.js'
import { inlinePieces } from './inline.js'
import { createOsc8Link } from './link.js'
import type { Release } from './tools.js'

export interface AppProps {
  history: History
  release: Release
  columns: number
  /** Whether the terminal shows hyperlinks; else addresses are just text. */
  hyperlinks: boolean
  /** Takes the lines the user types. Without it there is nothing to type in. */
  onLine?: (line: string) => void
}

export function App({ history, onLine, ...view }: AppProps) {
  const { items, pending } = useSyncExternalStore(history.subscribe, history.snapshot)
  return h(
    Box,
    { flexDirection: 'column' },
    h(Static<HistoryItem>, {
      items: [...items],
      // biome-ignore lint/correctness/noChildrenProp: the types of Static want it among the props
      children: (item, key) => h(Box, { key, ...whole(view.columns) }, h(Item, { item, ...view })),
    }),
    pending === '' ? null : h(Text, null, pending),
    onLine ? h(Prompt, { onLine }) : null,
  )
}

/** Ink squeezes what is taller than it thinks there is room for; an item must stay as it is. */
function whole(width: number) {
  return { width, flexShrink: 0, flexDirection: 'column' } as const
}

type ItemProps = Omit<AppProps, 'history' | 'onLine'> & { item: HistoryItem }

function Item({ item, release, columns, hyperlinks }: ItemProps) {
  switch (item.type) {
    case 'user':
      return h(Box, { marginTop: 1 }, h(Text, { bold: true }, `> ${item.text}`))
    case 'ai':
      return h(Box, { marginTop: 1 }, h(Text, null, item.text))
    case 'tool':
      return h(Text, { dimColor: true }, `⚙ ${item.text}`)
    case 'info':
      return h(InfoMessage, { text: item.text, release })
    case 'citations':
      return h(CitationMessage, { payload: item.payload, columns, hyperlinks })
  }
}

/** LLxprt's INFO item: an icon, and each line through the reader of Markdown. Blank lines collapse. */
function InfoMessage({ text, release }: { text: string; release: Release }) {
  const lines = text
    .split('\n')
    .map((line, key) => h(Text, { key }, ...inlinePieces(line, release)))
  return h(
    Box,
    { marginTop: 1 },
    h(Text, null, 'ℹ '),
    h(Box, { flexDirection: 'column', flexGrow: 1 }, ...lines),
  )
}

interface CitationMessageProps {
  payload: CitationPayload
  columns: number
  hyperlinks: boolean
}

/** An item of its own for citations: rows that are wrapped already, with the link on each of them. */
function CitationMessage({ payload, columns, hyperlinks }: CitationMessageProps) {
  const rows = layoutCitationBlock(payload, { width: columns }).map((row, key) => {
    const texts = row.map(({ text, url }) => (url && hyperlinks ? createOsc8Link(text, url) : text))
    return h(Text, { key }, texts.join(''))
  })
  return h(Box, { marginTop: 1, flexDirection: 'column' }, ...rows)
}

function Prompt({ onLine }: { onLine: (line: string) => void }) {
  const [line, setLine] = useState('')
  useInput((input, key) => {
    if (key.return) {
      setLine('')
      if (line.trim() !== '') onLine(line.trim())
    } else if (key.backspace || key.delete) setLine(line.slice(0, -1))
    else if (!key.ctrl && !key.meta) setLine(line + input)
  })
  return h(Box, { marginTop: 1 }, h(Text, null, `> ${line}█`))
}
