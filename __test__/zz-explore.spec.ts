import { test } from 'vitest'
import { CitationService } from '../index.js'
import { recordings, recording } from './recordings.js'
test('x', () => {
  const kinds = new Map<string, number>()
  for (const { file, exchanges } of recordings()) exchanges.forEach((e, i) => {
    if (!file.startsWith('google')) return
    console.log(file, i, e.kind, JSON.stringify(e.raw.slice(-40)), JSON.stringify(e.events.map((x: any) => [Object.keys(x).join(), x.responseId, x.candidates?.[0]?.finishReason, x.event_type, x.delta?.type, x.index])).slice(0, 1500))
  })
  const e = recording('google/url-context-supports-without-chunks-vertex.json').exchanges[0]!
  console.log(JSON.stringify((e.events[0] as any).candidates[0].urlContextMetadata))
  for (const f of ['google/interactions-google-search-stream.chunks.txt']) {
    for (const ev of recording(f).exchanges[0]!.events) console.log(JSON.stringify(ev).slice(0, 300))
  }
  console.log(JSON.stringify(recording('google/interactions-google-search-nonascii.cassette.yaml').exchanges[0]!.events[0]).slice(0, 6000))
})
