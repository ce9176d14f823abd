/**
 * Random answers as OpenAI Responses sends them: parts whose annotations span the link in the text.
 */
import fc from 'fast-check'
import {
  cuts,
  type Generated,
  inPieces,
  numbers,
  type Planned,
  page,
  pageUrl,
  text,
} from './arbitrary.js'

type Unit = 'code points' | 'UTF-16'

const link = fc.record({
  page,
  label: fc.constantFrom('site.example', 'naïve', '漢字', '👍🏽', 'שלום'),
  suffix: fc.boolean(),
})

/** Text, and the link behind it that cites a page. */
const openaiSegment = fc.record({ text, link: fc.option(link) })

/** A response of one message with `parts` parts; offsets count in `unit`. */
export function openaiAnswer(
  unit: Unit,
  parts: number,
): fc.Arbitrary<Generated & { cites: object[] }> {
  const part = fc.array(openaiSegment, { minLength: 1, maxLength: 5 })
  return fc
    .record({
      parts: fc.array(part, { minLength: 1, maxLength: parts }),
      cuts,
      early: fc.boolean(),
      repeated: fc.boolean(),
    })
    .map(({ parts, cuts, early, repeated }) => {
      const pages: string[] = []
      const anchors: Planned['anchors'] = []
      let base = 0
      const content = parts.map((segments, contentIndex) => {
        let text = ''
        const annotations: object[] = []
        segments.forEach((segment, index) => {
          text += segment.text
          if (!segment.link) return
          // Where the unit must be guessed, no other link may hold the same address.
          const own = unit === 'UTF-16' ? `/${contentIndex}-${index}` : ''
          const bare = pageUrl(segment.link.page) + own
          const url = segment.link.suffix ? `${bare}?utm_source=openai` : bare
          const written = `([${segment.link.label}](${url}))`
          const count = (value: string) =>
            unit === 'UTF-16' ? value.length : Array.from(value).length
          const title = `Page ${segment.link.page}`
          const [start_index, end_index] = [count(text), count(text + written)]
          annotations.push({ type: 'url_citation', url, title, start_index, end_index })
          if (!pages.includes(bare)) pages.push(bare)
          const start = base + text.length
          anchors.push({
            start,
            end: start + written.length,
            text: written,
            sources: numbers([bare], pages),
          })
          text += written
        })
        base += text.length
        return { type: 'output_text', text, annotations }
      })
      const search = { id: 'ws_1', type: 'web_search_call', action: { type: 'search' } }
      const message = { id: 'msg_1', type: 'message', role: 'assistant', content }
      const whole = { id: 'resp_1', object: 'response', output: [search, message] }
      const answer = content.map((each) => each.text).join('')
      const cites = content.flatMap((each, index) => annotationEvents(each, index))
      const events = openaiEvents(whole, message, cuts, early, repeated)
      return { answer, pages, anchors, whole, events, cites }
    })
}

interface OpenAiPart {
  type: string
  text: string
  annotations: object[]
}

function annotationEvents(part: OpenAiPart, content_index: number): object[] {
  return part.annotations.map((annotation, annotation_index) => ({
    type: 'response.output_text.annotation.added',
    item_id: 'msg_1',
    output_index: 1,
    content_index,
    annotation_index,
    annotation,
  }))
}

function openaiEvents(
  response: { id: string; output: object[] },
  message: { content: OpenAiPart[] },
  cuts: readonly number[],
  early: boolean,
  repeated: boolean,
): object[] {
  const parts = message.content.flatMap((part, content_index) => {
    const at = { item_id: 'msg_1', output_index: 1, content_index }
    const opened = { ...part, text: '', annotations: [] }
    const deltas = inPieces(part.text, cuts).map((delta) => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
    }))
    const cites = annotationEvents(part, content_index)
    return [
      { type: 'response.content_part.added', ...at, part: opened },
      ...(early ? [...cites, ...deltas] : [...deltas, ...cites]),
      ...(repeated ? [{ type: 'response.output_text.done', ...at, text: part.text }] : []),
      ...(repeated ? [{ type: 'response.content_part.done', ...at, part }] : []),
    ]
  })
  const item = { ...message, content: [] }
  return [
    { type: 'response.created', response: { ...response, output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: response.output[0] },
    { type: 'response.output_item.added', output_index: 1, item },
    ...parts,
    ...(repeated ? [{ type: 'response.output_item.done', output_index: 1, item: message }] : []),
    ...(repeated ? [{ type: 'response.completed', response }] : []),
  ]
}
