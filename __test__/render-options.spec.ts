/**
 * Misuse of our own options is a `TypeError` that names the option and the value, whatever the other
 * options say; nothing at all is a fine choice.
 */
import { describe, expect, test } from 'vitest'
import {
  extractAnthropicCitations,
  layoutCitationBlock,
  renderCitationBlock,
  renderCitations,
} from '../index.js'
import { SEARCH, SPECIFIED } from './blocks.js'

const payload = { text: '', sources: SEARCH }

const RENDERERS: [string, (options: never) => unknown][] = [
  ['renderCitationBlock', (options) => renderCitationBlock(payload, options)],
  ['layoutCitationBlock', (options) => layoutCitationBlock(payload, options)],
  ['renderCitations', (options) => renderCitations(payload, options)],
  ['renderCitations without sources', (options) => renderCitations(null, options)],
]

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

/** Option, wrong value, how the message shows the value. */
const MISUSES: [string, unknown, string][] = [
  ['links', 'OSC8', "'OSC8'"],
  ['links', 'html', "'html'"],
  ['links', '', "''"],
  ['links', true, 'true'],
  ['links', 8, '8'],
  ['links', {}, 'object'],
  ['links', ['osc8'], 'array'],
  ['links', Symbol('osc8'), 'symbol'],
  ['terminator', 'nul', "'nul'"],
  ['terminator', 7, '7'],
  ['width', -1, '-1'],
  ['width', -80, '-80'],
  ['width', 40.5, '40.5'],
  ['width', Number.NaN, 'NaN'],
  ['width', Number.NEGATIVE_INFINITY, 'inf'],
  ['width', '80', "'80'"],
  ['width', 80n, 'bigint'],
  ['width', false, 'false'],
  ['maxSources', -1, '-1'],
  ['maxSources', 1.5, '1.5'],
  ['maxSources', Number.NaN, 'NaN'],
  ['maxSources', '3', "'3'"],
  ['showExcerpts', 1, '1'],
  ['showExcerpts', 'no', "'no'"],
  ['terminal', 'xterm', "'xterm'"],
  ['terminal', 1, '1'],
]

describe.each(RENDERERS)('%s', (_, render) => {
  test.each(MISUSES)('%s: %o', (name, value, shown) => {
    const error = thrownBy(() => render({ [name]: value } as never))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toContain(name)
    expect((error as TypeError).message.toLowerCase()).toContain(shown.toLowerCase())
  })

  test.each([
    [5, '5'],
    ['plain', "'plain'"],
    [true, 'true'],
    [10n, 'a bigint'],
    [Symbol('options'), 'a symbol'],
  ])('options that are no object: %o', (options, shown) => {
    const error = thrownBy(() => render(options as never))
    expect(error).toBeInstanceOf(TypeError)
    expect((error as TypeError).message).toMatch(/^options /)
    expect((error as TypeError).message.toLowerCase()).toContain(`got ${shown}`)
  })
})

// Otherwise a mistake shows only on the user's terminal, never on the developer's.
describe.each(['auto', 'osc8', 'markdown', 'plain'] as const)('with links: %s', (links) => {
  test.each([
    ['terminator', 'nul'],
    ['terminal', 'xterm'],
    ['width', -1],
  ])('a wrong %s is found', (name, value) => {
    const options = { links, [name]: value } as never
    expect(thrownBy(() => renderCitationBlock(payload, options))).toBeInstanceOf(TypeError)
    expect(thrownBy(() => renderCitations(payload, options))).toBeInstanceOf(TypeError)
  })
})

describe('documents', () => {
  test.each([1, 'yes', {}, 0])('%o', (documents) => {
    const options = { documents } as never
    for (const run of [renderCitations, extractAnthropicCitations]) {
      const error = thrownBy(() => run({ content: [] }, options))
      expect(error).toBeInstanceOf(TypeError)
      expect((error as TypeError).message).toContain('documents')
    }
  })
})

test('a message never repeats a value that could steer the terminal it is printed on', () => {
  const options = { links: `\u001b]0;${'x'.repeat(5000)}\u0007` } as never
  const { message } = thrownBy(() => renderCitationBlock(payload, options)) as TypeError
  expect(message).not.toContain('\u001b')
  expect(message).not.toContain('\u0007')
  expect(message.length).toBeLessThan(300)
})

describe('nothing is a fine choice', () => {
  test.each([
    ['no options', undefined],
    ['null', null],
    ['an empty object', {}],
    ['options that are undefined', { width: undefined, maxSources: undefined, links: undefined }],
    ['options that are null', { width: null, terminator: null, showExcerpts: null }],
    ['an option of somebody else', { colour: 'red' }],
  ])('%s', (_, options) => {
    // Which of the two depends on the terminal the tests run in.
    const expected = [SPECIFIED.gemini, renderCitationBlock(payload, { links: 'osc8' })]
    expect(expected).toContain(renderCitationBlock(payload, options as never))
    expect(expected).toContain(renderCitations(payload, options as never))
    expect(layoutCitationBlock(payload, options as never)).toHaveLength(3)
  })

  test.each([0, Number.POSITIVE_INFINITY, undefined, 1000])('width %s does not wrap', (width) => {
    expect(renderCitationBlock(payload, { links: 'plain', width })).toBe(SPECIFIED.gemini)
    expect(layoutCitationBlock(payload, { width })).toHaveLength(3)
  })

  test('a getter that throws counts as not set', () => {
    const options = Object.defineProperty({ links: 'plain' as const }, 'width', {
      get() {
        throw new Error('unreadable')
      },
    })
    expect(renderCitationBlock(payload, options)).toBe(SPECIFIED.gemini)
  })
})
