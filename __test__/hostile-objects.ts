/**
 * Values that nobody sends in good faith: of the wrong type, that throw, that hold themselves, that are
 * made up while they are read, or that cost their maker nothing and a reader everything.
 */

/** Names under which readers look for more. */
const NAMES = [
  'sources',
  'content',
  'messages',
  'anchors',
  'citations',
  'metadata',
  'results',
  'output',
  'candidates',
  'annotations',
  'also',
  'error',
]

/** An object that holds the same under every name. */
function under(value: unknown): Record<string, unknown> {
  return Object.fromEntries(NAMES.map((name) => [name, value]))
}

function fail(): never {
  throw new Error('a trap of the proxy')
}

const throwing = () => {
  const traps = { get: fail, has: fail, ownKeys: fail, getOwnPropertyDescriptor: fail }
  return new Proxy({}, { ...traps, getPrototypeOf: fail })
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Every level holds the next one twice: forty levels are a million million paths. */
function doubled(wrap: (pair: unknown[]) => unknown): unknown {
  let value: unknown = { title: 'x', url: 'https://a.example/' }
  for (let level = 0; level < 40; level++) value = wrap([value, value])
  return value
}

function selfHolding(item: (list: unknown[]) => unknown): unknown[] {
  const list: unknown[] = []
  for (let at = 0; at < 200; at++) list.push(item(list))
  return list
}

/** Longer than any list, and whatever it is asked for is itself. */
export const ENDLESS: unknown[] = new Proxy([], {
  get: (_, name) => {
    if (name === 'length') return Number.MAX_SAFE_INTEGER
    return typeof name === 'string' ? ENDLESS : undefined
  },
})

/** Holes cost nothing, once there is room for them. */
const SPARSE: unknown[] = []
SPARSE.length = 4_000_000

/** Answers itself to whoever asks. */
function recursive(): object {
  const get = function (this: object) {
    return [this]
  }
  const getter = { enumerable: true, get }
  return Object.defineProperties({}, Object.fromEntries(NAMES.map((name) => [name, getter])))
}

/** Grows, or shrinks, while it is read. */
function changing(change: (list: unknown[], item: object) => void): unknown[] {
  const list: unknown[] = []
  const item = {}
  const get = () => {
    change(list, item)
    return list
  }
  for (const name of [...NAMES, 'url', 'title', 'type', 'text', 'start']) {
    Object.defineProperty(item, name, { enumerable: true, get })
  }
  for (let at = 0; at < 20; at++) list.push(item)
  return list
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(100)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

function shrunk(): Uint8Array {
  const buffer = Reflect.construct(ArrayBuffer, [100, { maxByteLength: 100 }])
  const bytes = new Uint8Array(buffer, 50)
  buffer.resize(10)
  return bytes
}

const polluting = () =>
  JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"sources":[{"title":"x","__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}}],"turn":{"__proto__":{"polluted":1}}}',
  )

/** Values that are cheap to read, for every argument of everything. */
export const ODD: [name: string, make: () => unknown][] = [
  ['null', () => null],
  ['undefined', () => undefined],
  ['NaN', () => Number.NaN],
  ['a bigint', () => 10n],
  ['a symbol', () => Symbol('s')],
  ['a function', () => () => 'x'],
  ['half a character', () => '\ud800'],
  ['a proxy that throws', throwing],
  ['a revoked proxy', () => revoked({})],
  ['a revoked proxy of a list', () => revoked([])],
  ['a list of revoked proxies', () => [revoked({}), revoked([])]],
  ['names with proxies that throw', () => under([throwing()])],
  ['an object that holds itself', () => Object.assign(under(null), under(recursive()))],
  ['a getter that answers itself', recursive],
  ['a list that shrinks', () => changing((list) => list.pop())],
  ['names with a list that shrinks', () => under(changing((list) => list.pop()))],
  ['a Map', () => new Map([['a', 1]])],
  ['bytes that are no JSON', () => new Uint8Array([0, 255, 1])],
  ['detached bytes', detached],
  ['shrunk bytes', shrunk],
  ['names with detached bytes', () => under([detached()])],
  ['a date', () => new Date(0)],
  ['an invalid date', () => new Date(Number.NaN)],
  ['names of prototypes', polluting],
  [
    'names of prototypes as JSON',
    () => JSON.stringify(polluting()).replace('{', '{"__proto__":{"polluted":1},'),
  ],
]

/** Values that could keep a reader busy for ever, for every argument that is read in depth. */
export const VAST: [name: string, make: () => unknown][] = [
  ['a list that holds itself', () => selfHolding((list) => list)],
  ['a list that holds itself by name', () => selfHolding(under)],
  ['names with a list that holds itself', () => under(selfHolding(under))],
  [
    'tool results in tool results',
    () => selfHolding((list) => ({ type: 'tool_result', ...under(list) })),
  ],
  ['pairs of pairs', () => doubled((pair) => pair)],
  ['names with pairs of pairs', () => under(doubled((pair) => pair))],
  ['names with names', () => doubled(under)],
  ['pairs of tool results', () => doubled((pair) => ({ type: 'tool_result', content: pair }))],
  ['a sparse list', () => SPARSE],
  ['names with a sparse list', () => under(SPARSE)],
  ['names with an endless list', () => under(ENDLESS)],
  ['a list that grows', () => changing((list, item) => list.push(item))],
  ['names with a list that grows', () => under(changing((list, item) => list.push(item)))],
  ['many bytes by name', () => under(Array(50).fill(new Uint8Array(2_000_000)))],
  ['a long boxed string', () => under(Object('x'.repeat(20_000_000)))],
  ['one long text many times', () => under(Array(300).fill({ title: LONG, text: LONG, id: LONG }))],
]

const LONG = 'x'.repeat(400_000)
