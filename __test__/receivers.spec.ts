/**
 * A method works on instances of its own class, made by its own copy of the package. On anything else it throws a
 * `TypeError` and touches nothing. V8 refuses most of these calls by itself, but not those of getters; other
 * engines refuse none.
 */
import { describe, expect, test } from 'vitest'
import * as citations from '../index.js'
import { secondCopy } from './second-copy.js'

type Class = (new (...values: never[]) => object) & { prototype: object }
type Member = (this: unknown, ...values: unknown[]) => unknown

const COPIES = [citations, secondCopy()] as const

/** Every class of a copy, wherever it is exported. */
function classes(of: object): Class[] {
  return Object.entries(of).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return classes(value)
    return typeof value === 'function' && /^[A-Z]/.test(name) ? [value as Class] : []
  })
}

/** An instance of every class of a copy. */
function instances(copy: typeof citations): object[] {
  const service = new copy.CitationService()
  return [
    service,
    service.startTurn(),
    service.restoreTurn(service.startTurn().serialize()),
    copy.getDefaultExtractors()[0]!,
    new copy.markers.MarkerStream(),
  ]
}

/** The methods and getters of a class. */
function members({ prototype }: Class): [string, Member][] {
  const all = Object.entries(Object.getOwnPropertyDescriptors(prototype))
  return all
    .filter(([name]) => name !== 'constructor')
    .map(([name, { value, get }]) => [name, (value ?? get) as Member])
}

const OWN = instances(COPIES[0])
const MADE = [...OWN, ...instances(COPIES[1])]
const CLASSES = [...new Set(classes(citations))]
const SHARED: unknown[] = [
  ...[null, undefined, 7, 'x', 10n, true, Symbol('s'), () => 'x', {}, [], globalThis],
  ...[new Uint8Array(64), new Map(), new Proxy({}, {}), Object.create(null), ...CLASSES],
]

/** What is no instance of a class, though it may look like one. */
function strangers(of: Class): unknown[] {
  const own = OWN.filter((instance) => instance instanceof of)
  const { proxy, revoke } = Proxy.revocable(own[0]!, {})
  revoke()
  return [
    ...SHARED,
    ...MADE.filter((instance) => !(instance instanceof of)),
    ...own.flatMap((instance) => [Object.create(instance), new Proxy(instance, {})]),
    proxy,
    of.prototype,
    Object.create(of.prototype),
    Object.setPrototypeOf(() => 'x', of.prototype),
    ...CLASSES.filter((other) => other !== of).flatMap((other) => disguised(other, of)),
  ]
}

/** Instances of one class with the prototype of another. */
function disguised(as: Class, of: Class): object[] {
  const { CitationService, markers } = citations
  if (as !== CitationService && as !== markers.MarkerStream) return []
  return [Reflect.construct(as, [], of), Object.setPrototypeOf(new as(), of.prototype)]
}

function thrown(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

test('there is an instance of every class, and a class for every instance', () => {
  expect(CLASSES.map(({ name }) => name).sort()).toEqual([
    'BuiltInExtractor',
    'CitationService',
    'CitationTurn',
    'MarkerStream',
  ])
  expect(new Set(OWN.map((instance) => instance.constructor))).toEqual(new Set(CLASSES))
  expect(classes(COPIES[1]).some((other) => CLASSES.includes(other))).toBe(false)
})

describe.each(CLASSES.map((of): [string, Class] => [of.name, of]))('%s', (name, of) => {
  const refusal = new RegExp(`^this must be a ${name} of this copy|^Illegal invocation$`)

  test.each(members(of))('%s works on its own instances alone', (_, member) => {
    for (const stranger of strangers(of)) {
      const error = thrown(() => member.call(stranger))
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(refusal)
    }
  })

  test('instances of the other copy answer as before', () => {
    for (const instance of MADE.slice(OWN.length)) {
      if (instance.constructor.name === name) works(instance)
    }
  })

  test('a subclass is its class too', () => {
    if (disguised(of, of).length === 0) return
    class Special extends of {}
    works(new Special())
  })

  test('it is no function: nothing it is called on becomes an instance', () => {
    for (const self of [...SHARED, ...MADE, Object.create(of.prototype)]) {
      const error = thrown(() => Reflect.apply(of, self, []))
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(
        new RegExp(`${name} cannot be invoked without 'new'`),
      )
    }
    MADE.forEach(works)
    for (const [, member] of members(of)) expect(() => member.call(globalThis)).toThrow(TypeError)
  })

  test('who may not make one is told who does', () => {
    const isMade = disguised(of, of).length > 0
    const error = thrown(() => new (of as new () => object)())
    if (isMade) works(error as object)
    else expect(String(error)).toMatch(/^TypeError: \w+ has no constructor: .* gives one$/)
  })
})

/** Calls something on an instance that reads its insides. */
function works(instance: object): void {
  const { CitationService, CitationTurn, BuiltInExtractor } = citations
  const name = [CitationService, CitationTurn, BuiltInExtractor].find(
    (of) => instance instanceof of || instance.constructor.name === of.name,
  )?.name
  const any = instance as never
  if (name === 'CitationService') {
    expect((any as citations.CitationService).config.enabled).toBe(true)
  } else if (name === 'CitationTurn') {
    expect((any as citations.CitationTurn).finish().sources).toEqual([])
  } else if (name === 'BuiltInExtractor') {
    expect((any as citations.BuiltInExtractor).pattern).toBeInstanceOf(RegExp)
  } else {
    expect((any as citations.markers.MarkerStream).push('a.')).toBe('a.')
  }
}
