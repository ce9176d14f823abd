/**
 * Grounded answers in the shape Gemini and Vertex send, and every form they travel in. Offsets are
 * counted here with `Buffer`, in bytes, as Google counts.
 */

/** How Google writes the address of a page it found. */
export const REDIRECT = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/'

/** What is said before anything is claimed. */
const OPENING =
  'Researchers reported several advances in solar power this year, from new cells to lower cost of work.\n\n'

/** What the answer claims, each with the chunks it leans on. */
const CLAIMS: [text: string, chunks: number[]][] = [
  [
    'Key highlights include tandem cells that turn 34.6 % of sunlight into electricity, the highest mark any laboratory has certified.',
    [0],
  ],
  ['A cell in one lab kept 95 % of its output after 1,000 hours at 85 °C.', [0, 1]],
  ['The record before it, set in June 2024, stood at 33.9 %.', [1]],
  ['Perovskite layers cost about €0.30 per watt in a pilot line of 2025.', [2]],
  ['A factory in Brandenburg shipped the first modules to a utility.', [2, 3]],
  ['Its panels reach 24.5 %, against 20 % to 22 % for common ones.', [3]],
  ['World capacity passed two terawatts by the end of the year 2024.', [4]],
  ['Half of it was built in the last two years alone, the agency says.', [4]],
  ['China added 277 GW, more than all other countries together.', [4, 5]],
  ['In the European Union, solar overtook coal for the first time.', [5]],
  ['Prices of modules fell by a third, to about ten cents per watt.', [0]],
  ['Storage grew as well: batteries of 160 GWh went online worldwide.', [2]],
  ['Researchers at Kyōto printed cells on film thinner than a hair.', [1]],
  ['Lead can leak from broken cells; a coating now holds 99 % of it.', [3]],
  ['Recycling plants recover silver and silicon from old panels.', [5]],
  ['Trials above farmland raised yields of berries by 16 per cent.', [0]],
]

const CLOSING = '\nShall I go on?'

export const ANSWER_A = `${OPENING}${CLAIMS.map(([claim]) => claim).join(' ')}${CLOSING}`

/** The hosts of the six pages; behind redirects, they are their titles. */
export const HOSTS_A = [
  'nrel.example',
  'nature.example',
  'pv-magazine.example',
  'oxford.example',
  'iea.example',
  'ember.example',
]

export const QUERIES_A = ['solar power news', 'perovskite record', 'solar capacity 2024']

/** A support of words that stand in the answer once. */
export function supportOf(answer: string, words: string, groundingChunkIndices: number[]) {
  const at = answer.indexOf(words)
  if (at < 0) throw new Error(`not in the answer: ${words}`)
  const startIndex = Buffer.byteLength(answer.slice(0, at))
  const endIndex = startIndex + Buffer.byteLength(words)
  return { segment: { startIndex, endIndex, text: words }, groundingChunkIndices }
}

export const web = (uri: string, title: string) => ({ web: { uri, title } })

/** A whole response of Gemini. */
export function response(answer: string, groundingMetadata?: object) {
  const content = { role: 'model', parts: [{ text: answer }] }
  const grounding = groundingMetadata && { groundingMetadata }
  return {
    responseId: 'gen-1',
    modelVersion: 'gemini-2.5-pro',
    candidates: [{ index: 0, finishReason: 'STOP', content, ...grounding }],
  }
}

/** Anchored: 3 queries, 6 chunks, 17 supports, of which two are of the same span. */
export const TEST_A = response(ANSWER_A, {
  webSearchQueries: QUERIES_A,
  searchEntryPoint: { renderedContent: '<div>solar power news</div>' },
  groundingChunks: HOSTS_A.map((host, index) => web(`${REDIRECT}AUZIYQ${index}`, host)),
  groundingSupports: [
    ...CLAIMS.map(([claim, chunks]) => supportOf(ANSWER_A, claim, chunks)),
    supportOf(ANSWER_A, CLAIMS[15]![0], [4]),
  ],
})

export const QUERIES_B = ['fern', 'tree fern', 'fern height', 'oldest fern', 'fern spores']

/** Searched five times, and nothing of it in the response. */
export const TEST_B = response('Ferns are old plants. Some grow tall.', {
  webSearchQueries: QUERIES_B,
  searchEntryPoint: { renderedContent: '<div>fern</div>' },
})

/** The same with its fields spelled as Python's SDK spells them. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeName(name), snakeCased(inner)]),
  )
}

function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

type Response = ReturnType<typeof response>

/** The chunks of a stream that says the same: text in pieces, grounding with the last. */
export function streamed(whole: Response, pieces = 7): object[] {
  const [candidate] = whole.candidates
  const { content, finishReason: _, ...rest } = candidate!
  const letters = Array.from(content.parts[0]!.text)
  const size = Math.ceil(letters.length / pieces)
  return Array.from({ length: pieces }, (_, at) => {
    const text = letters.slice(at * size, (at + 1) * size).join('')
    const last = at === pieces - 1 ? { finishReason: 'STOP', ...rest } : { index: 0 }
    return { ...whole, candidates: [{ ...last, content: { role: 'model', parts: [{ text }] } }] }
  })
}

/** A list of events as the bytes of server-sent events. */
export function serverSent(events: object[]): Uint8Array {
  return Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''))
}

/** Every form in which one response can reach a host. */
export function formsOf(whole: Response): [form: string, input: object | string][] {
  const stream = streamed(whole)
  const snake = snakeCased(whole) as object
  const snakeStream = snakeCased(stream) as object[]
  return [
    ['whole, camelCase', whole],
    ['whole, snake_case', snake],
    ['as JSON text', JSON.stringify(whole)],
    ['as JSON bytes', Buffer.from(JSON.stringify(whole))],
    ['as snake_case JSON bytes', Buffer.from(JSON.stringify(snake))],
    ['as a list of chunks', stream],
    ['as a list of snake_case chunks', snakeStream],
    ['as server-sent events', serverSent(stream)],
    ['as server-sent events in snake_case', serverSent(snakeStream)],
  ]
}
