/**
 * The declarations of the namespace `openWebui`, checked by the compiler alone.
 */
import {
  type CitationPayload,
  type CitationSource,
  type OpenWebuiListedSource,
  type OpenWebuiMessage,
  type OpenWebuiSource,
  openWebui,
  renderCitationBlock,
  type TurnPayload,
} from '../index.js'

/** Compiles only where both types are exactly the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => undefined

/** A message as a host declares it, without an index signature. */
interface HostMessage {
  id: string
  content: string
}

declare const host: HostMessage
declare const source: OpenWebuiSource
declare const message: OpenWebuiMessage
declare const citation: CitationSource
declare const payload: CitationPayload
declare const turn: TurnPayload
declare const bytes: Uint8Array

export function whatIsAccepted(): void {
  for (const input of [[source], message, host, [citation], payload, turn, bytes, '[]', null]) {
    openWebui.buildSourceContext(input)
    openWebui.sourceEvents(input)
    openWebui.listSources(input)
    openWebui.readMessageSources(input)
  }
  openWebui.fromPayload(payload)
  openWebui.fromPayload(turn, host)
  openWebui.fromPayload([citation], null)
  openWebui.fromPayload(bytes)
  openWebui.toPayload('{}')
  openWebui.replaceSourceMarkers('', openWebui.listSources(message))
  openWebui.replaceSourceMarkers('', ['a', null, { name: 'b' }])
}

export function whatComesBack(): void {
  same<string, ReturnType<typeof openWebui.buildSourceContext>>(true)
  same<string, ReturnType<typeof openWebui.sourceEvents>>(true)
  same<OpenWebuiListedSource[], ReturnType<typeof openWebui.listSources>>(true)
  same<OpenWebuiSource[], ReturnType<typeof openWebui.readMessageSources>>(true)
  const merged = openWebui.mergeSourceEvent(host, { type: 'source', data: source })
  same<string, typeof merged.id>(true)
  same<OpenWebuiSource[] | undefined, typeof merged.sources>(true)
  const made = openWebui.toPayload(host)
  same<HostMessage | undefined, typeof made.openWebui>(true)
  renderCitationBlock(made)
  const parsed = openWebui.toPayload(bytes)
  same<OpenWebuiMessage | undefined, typeof parsed.openWebui>(true)
  const back = openWebui.fromPayload(made, host)
  same<string, typeof back.id>(true)
}

export function mistakes(): void {
  // @ts-expect-error the text is missing
  openWebui.replaceSourceMarkers(['a'])
  // @ts-expect-error a template is text
  openWebui.ragTemplate('', '', 7)
  // @ts-expect-error the query is missing
  openWebui.ragTemplate('')
  // @ts-expect-error a number is no message
  openWebui.mergeSourceEvent(7, {})
  // @ts-expect-error numbers name nothing
  openWebui.replaceSourceMarkers('', [1])
}
