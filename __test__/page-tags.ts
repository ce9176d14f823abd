/** A strict reader of the HTML we write: every tag closed, every attribute quoted, nothing else. */

export interface Tag {
  name: string
  attributes: Record<string, string>
  /** What it shows, elements inside it included. */
  text: string
}

const EMPTY = new Set(['br', 'hr'])
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/y
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Text with its entities replaced; throws at what is not written by us. Attributes stand in double quotes. */
export function unescaped(text: string): string {
  if (/[<>"]/.test(text)) throw new Error(`not escaped: ${text}`)
  return text.replaceAll(/&([^;]*;?)/g, (_, entity: string) => {
    const plain = ENTITIES[entity.slice(0, -1)]
    if (!entity.endsWith(';') || plain === undefined) throw new Error(`no entity: &${entity}`)
    return plain
  })
}

function attributesOf(written: string): Record<string, string> {
  const pairs = Array.from(written.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g), ([, name, value]) => {
    return [name!, unescaped(value ?? '')] as const
  })
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new Error(`an attribute twice: ${written}`)
  return Object.fromEntries(pairs)
}

/** All elements in the order they start. */
export function tagsOf(html: string): Tag[] {
  const all: Tag[] = []
  const open: Tag[] = []
  let at = 0
  while (at < html.length) {
    const end = html.indexOf('<', at) < 0 ? html.length : html.indexOf('<', at)
    if (end > at) {
      const text = unescaped(html.slice(at, end))
      for (const tag of open) tag.text += text
      at = end
      continue
    }
    TAG.lastIndex = at
    const [whole, closing, name, attributes] = TAG.exec(html) ?? []
    if (!whole || !name) throw new Error(`no tag: ${html.slice(at, at + 40)}`)
    at += whole.length
    if (closing) {
      if (attributes || open.pop()?.name !== name) throw new Error(`closes nothing: ${whole}`)
      continue
    }
    const tag = { name, attributes: attributesOf(attributes ?? ''), text: '' }
    all.push(tag)
    if (!EMPTY.has(name)) open.push(tag)
  }
  if (open.length > 0) throw new Error(`left open: ${open.map(({ name }) => name).join(' ')}`)
  return all
}

export const ofClass = (tags: Tag[], name: string) =>
  tags.filter(({ attributes }) => attributes.class === name)

/** What the answer shows, its sources aside; blanks as one. */
export function answerText(html: string): string {
  const [answer] = ofClass(tagsOf(html), 'cite-answer')
  return answer!.text.replaceAll(/\s+/g, ' ').trim()
}

/** The markers as `1→#cite-s1`. */
export function marksOf(html: string): string[] {
  const tags = tagsOf(html)
  return tags.flatMap((tag, at) => {
    const link = tags[at + 1]
    return tag.attributes.class === 'cite-mark' ? [`${link!.text}→${link!.attributes.href}`] : []
  })
}
