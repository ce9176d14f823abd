/** Prints what the addon makes of every example, in every form. Two builds agree when this does. */
import { readdirSync, readFileSync } from 'node:fs'
import { CitationService, renderAnswerHtml, renderAnswerMarkdown } from '../index.js'

const examples = new URL('../examples/', import.meta.url)
const service = new CitationService({ documents: true })

for (const name of readdirSync(examples).sort()) {
  if (!name.endsWith('.json')) continue
  const turn = service.startTurn()
  turn.pushBytes(readFileSync(new URL(name, examples)))
  const payload = turn.finish()
  console.log(name, JSON.stringify(payload))
  console.log(turn.render({ links: 'osc8', width: 60 }))
  console.log(renderAnswerHtml(payload.answer, payload))
  console.log(renderAnswerMarkdown(payload.answer, payload))
}
