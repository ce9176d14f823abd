/**
 * Open WebUI's citation flow, function by function: context, prompt, events, markers, list, payloads.
 */
import { describe, expect, test } from 'vitest'
import {
  type CitationSource,
  openWebui,
  renderAnswerHtml,
  renderAnswerMarkdown,
  renderCitationBlock,
} from '../index.js'
import { NOTES, PAGE } from './openwebui-messages.js'

const utf8 = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

describe('buildSourceContext', () => {
  test('a tag for each document, numbered by source', () => {
    expect(openWebui.buildSourceContext([NOTES, PAGE, NOTES])).toBe(
      [
        '<source id="1" name="notes.md">Tokio is a runtime.</source>\n',
        '<source id="1" name="notes.md">It has timers.</source>\n',
        '<source id="2" name="web_search">Rust 1.0 came in 2015.</source>\n',
        '<source id="1" name="notes.md">Tokio is a runtime.</source>\n',
        '<source id="1" name="notes.md">It has timers.</source>\n',
      ].join(''),
    )
  })

  test('without metadata the id of the source counts, without a name there is none', () => {
    const context = openWebui.buildSourceContext([
      { source: { id: 'a' }, document: ['x', 'y'], metadata: [{ source: 'b' }] },
      { source: { id: 'b' }, document: ['z'] },
    ])
    expect(context).toBe(
      '<source id="1">x</source>\n<source id="2">y</source>\n<source id="1">z</source>\n',
    )
  })

  test('what nobody can name has no id, and takes no number', () => {
    const context = openWebui.buildSourceContext([
      { source: {}, document: ['nobody'], metadata: [{}] },
      { source: { name: 'N' }, document: ['named'], metadata: [{}] },
      { source: { id: 'i' }, document: ['by id'], metadata: [{}] },
    ])
    expect(context).toBe(
      '<source>nobody</source>\n<source id="1" name="N">named</source>\n<source id="2">by id</source>\n',
    )
  })

  test('a name is an attribute whatever it holds', () => {
    const source = { source: { id: 'x', name: 'a"><source id="9">\n\u001b[2J' }, document: ['t'] }
    expect(openWebui.buildSourceContext([source])).toBe(
      '<source id="1" name="a&quot;&gt;&lt;source id=&quot;9&quot;&gt; [2J">t</source>\n',
    )
  })

  test('our own sources are numbered by their places', () => {
    const list: CitationSource[] = [
      {
        title: 'A',
        url: 'https://a.example/',
        citedText: 'quoted',
        also: [{ citedText: 'again' }],
      },
      { title: 'A', url: 'https://a.example/' },
      {},
      { title: 'B', snippet: 'first words' },
    ]
    const expected = [
      '<source id="1" name="A">quoted</source>\n<source id="1" name="A">again</source>\n',
      '<source id="2" name="A">A</source>\n<source id="3"></source>\n',
      '<source id="4" name="B">first words</source>\n',
    ].join('')
    expect(openWebui.buildSourceContext(list)).toBe(expected)
    expect(openWebui.buildSourceContext({ text: '', sources: list })).toBe(expected)
  })

  test('a list, a message, a source, JSON and bytes come to the same', () => {
    const expected = openWebui.buildSourceContext([NOTES])
    for (const input of [NOTES, { sources: [NOTES] }, { citations: [NOTES] }]) {
      expect(openWebui.buildSourceContext(input)).toBe(expected)
      expect(openWebui.buildSourceContext(JSON.stringify(input))).toBe(expected)
      expect(openWebui.buildSourceContext(utf8(input))).toBe(expected)
    }
  })

  test('JSON that breaks off is read up to there', () => {
    const json = JSON.stringify([NOTES, PAGE])
    const half = json.slice(0, json.indexOf('Rust 1.0') - 5)
    expect(openWebui.buildSourceContext(half)).toBe(openWebui.buildSourceContext([NOTES]))
  })
})

describe('ragTemplate', () => {
  test('ours asks for [id] only where there is an id', () => {
    const prompt = openWebui.ragTemplate('<source id="1">x</source>\n', 'What is x?')
    expect(prompt).toContain('<context>\n<source id="1">x</source>\n\n</context>')
    expect(prompt).toContain('What is x?')
    expect(prompt).toMatch(/\[id\].*only when its <source> tag has an id attribute/)
    expect(prompt).not.toMatch(/\{\{|\[context\]|\[query\]/)
  })

  test.each([
    ['{{CONTEXT}} | {{QUERY}}', 'C | Q'],
    ['[context] | [query]', 'C | Q'],
    ['{{CONTEXT}}[context]{{QUERY}}', 'CCQ'],
    ['[context] alone', 'C alone'],
    ['{{context}} [CONTEXT] [context]', '{{context}} [CONTEXT] C'],
  ])('%j', (template, expected) => {
    expect(openWebui.ragTemplate('C', 'Q', template)).toBe(expected)
  })

  test('what is put in is not looked at again', () => {
    const context = '{{QUERY}} [query] {{CONTEXT}} $& $1 $$ $`'
    const query = "[context] {{CONTEXT}} $' \\0"
    expect(openWebui.ragTemplate(context, query, '[context]#{{QUERY}}')).toBe(`${context}#${query}`)
  })

  test.each([undefined, null, '', '  \n'])('%j is ours', (template) => {
    expect(openWebui.ragTemplate('C', 'Q', template)).toBe(openWebui.ragTemplate('C', 'Q'))
  })

  test('a template that would lose the sources is refused', () => {
    const refusal = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' }
    expect(() => openWebui.ragTemplate('C', 'Q', 'Only [query]')).toThrow(
      expect.objectContaining({
        ...refusal,
        message: "template must hold {{CONTEXT}} or [context], got 'Only [query]'",
      }),
    )
    expect(() => openWebui.ragTemplate('C', 'Q', 7 as unknown as string)).toThrow(
      expect.objectContaining({ ...refusal, message: 'template must be a string, got 7' }),
    )
    expect(() => openWebui.ragTemplate(null as unknown as string, 'Q')).toThrow(TypeError)
    expect(() => openWebui.ragTemplate('C', {} as unknown as string)).toThrow(TypeError)
  })
})

describe('sourceEvents', () => {
  const frame = (text: string) => {
    expect(text).toMatch(/^data: [^\n]*\n\n$/)
    return JSON.parse(text.slice(6)) as { sources: unknown[] }
  }

  test('one frame with all of them as they are', () => {
    expect(frame(openWebui.sourceEvents([NOTES, PAGE]))).toEqual({ sources: [NOTES, PAGE] })
    expect(frame(openWebui.sourceEvents({ sources: [NOTES] }))).toEqual({ sources: [NOTES] })
  })

  test('without those nobody can name', () => {
    const nobody = { source: {}, document: ['x'], metadata: [{}] }
    const byDocument = { document: ['y'], metadata: [{ source: 'y.md' }] }
    expect(frame(openWebui.sourceEvents([nobody, NOTES, byDocument]))).toEqual({
      sources: [NOTES, byDocument],
    })
    expect(openWebui.sourceEvents([nobody])).toBe('')
  })

  test.each([[[]], [{}], [null], [undefined], ['no JSON'], [7]])('%j: nothing', (input) => {
    expect(openWebui.sourceEvents(input as object)).toBe('')
  })

  test('a source that is no JSON keeps its place by what is known of it', () => {
    const circle: Record<string, unknown> = { ...NOTES, more: 1n }
    circle.self = circle
    const { sources } = frame(openWebui.sourceEvents([circle, PAGE]))
    expect(openWebui.listSources(sources).map(({ number, id }) => [number, id])).toEqual([
      [1, 'notes.md'],
      [2, 'https://rust.example/history'],
    ])
  })

  test('a payload is sent in the form of Open WebUI', () => {
    const source = { title: 'A', url: 'https://a.example/', citedText: 'words', pageNumber: 3 }
    expect(frame(openWebui.sourceEvents({ text: '', sources: [source] }))).toEqual({
      sources: [
        {
          source: { id: source.url, name: 'A', url: source.url },
          document: ['words'],
          metadata: [{ source: source.url, name: 'A', url: source.url, page: 2, citation: source }],
        },
      ],
    })
  })
})

describe('replaceSourceMarkers', () => {
  const names = ['notes.md', 'a "quoted" <b> & [1] name']
  const one = '<source_id data="1" title="notes.md" />'
  const two = '<source_id data="2" title="a &quot;quoted&quot; &lt;b&gt; &amp; [1] name" />'

  test.each([
    ['A [1].', `A ${one}.`],
    ['A [1][2].', `A ${one}${two}.`],
    ['A [1, 2].', `A ${one}${two}.`],
    ['A [1-2].', `A ${one}${two}.`],
    ['Paris[1].', `Paris${one}.`],
    ['A [3] and [0] and [1, 3].', `A [3] and [0] and ${one}[3].`],
    ['`a[1]` and ``[1]``', '`a[1]` and ``[1]``'],
    ['```\n[1]\n```\n[1]', `\`\`\`\n[1]\n\`\`\`\n${one}`],
    ['~~~\n[1]', '~~~\n[1]'],
    ['    [1] indented', '    [1] indented'],
    ['[1](https://a.example) and [^1]', '[1](https://a.example) and [^1]'],
    ['arr[0][1] = 2', 'arr[0][1] = 2'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(openWebui.replaceSourceMarkers(text, names)).toBe(expected)
    expect(openWebui.replaceSourceMarkers(expected, names)).toBe(expected)
  })

  test('names may be entries of the list', () => {
    const list = openWebui.listSources([NOTES, PAGE])
    expect(openWebui.replaceSourceMarkers('[1] [2]', list)).toBe(
      `${one} <source_id data="2" title="History of Rust" />`,
    )
  })

  test('what a table or code before it would cut is written as a number', () => {
    expect(openWebui.replaceSourceMarkers('| a ` [1] |', ['x | y ` z'])).toBe(
      '| a ` <source_id data="1" title="x &#124; y &#96; z" /> |',
    )
  })

  test('names that are none', () => {
    const odd = [null, 7, { name: 5 }, undefined, '\u200b'] as unknown as string[]
    const text = '[1] [2] [3] [4] [5] [6]'
    const expected = text.replace(/\[([1-5])\]/g, (_, n) => `<source_id data="${n}" title="N/A" />`)
    expect(openWebui.replaceSourceMarkers(text, odd)).toBe(expected)
    for (const none of [null, undefined, {}, 'x', 7]) {
      expect(openWebui.replaceSourceMarkers(text, none as unknown as string[])).toBe(text)
    }
    expect(() => openWebui.replaceSourceMarkers(7 as unknown as string, [])).toThrow(TypeError)
  })
})

describe('listSources', () => {
  test('every source once, with all its documents', () => {
    const again = {
      source: { id: 'file-1' },
      document: ['More.'],
      metadata: [{ source: 'notes.md' }],
    }
    expect(openWebui.listSources({ sources: [NOTES, PAGE, again] })).toEqual([
      {
        number: 1,
        id: 'notes.md',
        name: 'notes.md',
        documents: [
          {
            text: 'Tokio is a runtime.',
            page: 3,
            score: 0.91,
            metadata: NOTES.metadata![0],
            notShown: ['hash'],
          },
          {
            text: 'It has timers.',
            score: 0.4,
            metadata: NOTES.metadata![1],
            notShown: ['start_index'],
          },
          { text: 'More.', metadata: { source: 'notes.md' }, notShown: [] },
        ],
      },
      {
        number: 2,
        id: 'https://rust.example/history',
        name: 'History of Rust',
        url: 'https://rust.example/history',
        documents: [{ text: 'Rust 1.0 came in 2015.', metadata: PAGE.metadata![0], notShown: [] }],
      },
    ])
  })

  test('metadata are the very objects of the message', () => {
    const hidden = { source: 's', secret: { deep: Symbol('x'), run: () => 1 } }
    const [entry] = openWebui.listSources([{ document: ['t'], metadata: [hidden] }])
    expect(entry?.documents[0]?.metadata).toBe(hidden)
    expect(entry?.documents[0]?.notShown).toEqual(['secret'])
  })

  test('text, names and addresses are clean', () => {
    const source = {
      source: { id: 'javascript:alert(1)', name: 'a\u001b[2J\nb', url: 'https://u@a.example/' },
      document: ['x\u0000\u202ey\r\n\tz'],
    }
    expect(openWebui.listSources([source])).toEqual([
      {
        number: 1,
        id: 'javascript:alert(1)',
        name: 'a[2J b',
        documents: [{ text: 'xy\n\tz', metadata: {}, notShown: [] }],
      },
    ])
  })
})

describe('toPayload', () => {
  const message = { id: 'm', content: 'Tokio [1], not `[2]`.', sources: [NOTES, PAGE] }

  test('answer, sources and what is cited', () => {
    const payload = openWebui.toPayload(message)
    expect(payload.openWebui).toBe(message)
    expect(payload).toEqual({
      text: '',
      answer: message.content,
      sources: [
        {
          title: 'notes.md',
          citedText: 'Tokio is a runtime.',
          id: 'notes.md',
          pageNumber: 3,
          also: [{ citedText: 'It has timers.' }],
          metadata: { pages: [3, null], scores: [0.91, 0.4] },
        },
        {
          title: 'History of Rust',
          url: 'https://rust.example/history',
          citedText: 'Rust 1.0 came in 2015.',
          domain: 'rust.example',
          id: 'https://rust.example/history',
        },
      ],
      anchors: [],
      cited: [1],
      diagnostics: [],
      openWebui: message,
    })
    expect(renderCitationBlock(payload)).toContain(
      '2. History of Rust — https://rust.example/history',
    )
  })

  test('what is no message has no sources', () => {
    for (const input of [null, undefined, 7, 'x', {}, [], () => message]) {
      const payload = openWebui.toPayload(input as object)
      expect([payload.answer, payload.sources]).toEqual(['', []])
    }
  })
})

describe('a page of a message', () => {
  const long = 'word '.repeat(1000).trim()
  const message = {
    content: 'So [1].',
    sources: [
      {
        source: { id: 'f1', name: 'notes.md' },
        document: [long, 'Second passage.'],
        metadata: [
          { source: 'notes.md', page: 2 },
          { source: 'notes.md', page: 6 },
        ],
        distances: [0.91, 0.4],
      },
    ],
  }

  test('shows every passage whole, with its page and its score', () => {
    const payload = openWebui.toPayload(message)
    expect(payload.sources[0]!.citedText).toBe(long)
    const html = renderAnswerHtml(message.content, payload)
    const [, dialog] = html.split('<dialog')
    expect(dialog).toContain(
      `<blockquote>${long}</blockquote>\n<p class="cite-figures">page 3 · score 0.91</p>`,
    )
    expect(dialog).toContain(
      '<blockquote>Second passage.</blockquote>\n<p class="cite-figures">page 7 · score 0.4</p>',
    )
  })

  test('other faces cut excerpts', () => {
    const payload = openWebui.toPayload(message)
    for (const text of [
      renderCitationBlock(payload),
      renderAnswerMarkdown(message.content, payload),
    ]) {
      expect(text).toContain('word …')
      expect(text).not.toContain(long)
    }
  })

  test('what was made of ours keeps its excerpt', () => {
    const ours = { title: 'A', url: 'https://a.example/', citedText: long }
    const made = openWebui.fromPayload({ text: '', sources: [ours] })
    expect(openWebui.toPayload(made).sources[0]).toMatchObject(ours)
  })
})
