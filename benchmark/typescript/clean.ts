/** Sources, made safe to print. */
import type { CitationSource } from '../../index.js'
import type { Rules } from './rules.ts'

const TITLE_LIMIT = 300
const EXCERPT_LIMIT = 200

/** Whether there is nothing to see. */
export const isBlank = (text: string | undefined) => text === undefined || text.trim() === ''

/** Cleans every field, and settles what it is linked to. */
export function sanitize(source: CitationSource, rules: Rules): CitationSource {
  const { clean, link, isHttp } = rules
  let { uri } = source
  let url: string | undefined
  let refused: string | undefined
  if (source.url !== undefined) {
    url = link(source.url)
    if (url === undefined) refused = source.url
  }
  if (uri !== undefined && isHttp(uri)) {
    const other = link(uri)
    if (other === undefined) refused ??= uri
    else url ??= other
    uri = undefined
  }
  if (uri === undefined && refused !== undefined && !isHttp(refused)) uri = refused
  uri = clean(uri, TITLE_LIMIT)
  const fileId = clean(source.fileId, TITLE_LIMIT)
  let title = clean(source.title, TITLE_LIMIT)
  if (title === undefined && url === undefined) {
    title = clean(refused, TITLE_LIMIT) ?? uri ?? fileId
  }
  return {
    title,
    url,
    uri,
    citedText: clean(source.citedText, EXCERPT_LIMIT),
    provider: source.provider,
    domain: clean(source.domain, TITLE_LIMIT),
    fileId,
    location: source.location,
  }
}
