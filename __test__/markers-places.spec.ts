/**
 * Where a marker stands decides: never in code, links, pictures and definitions, as CommonMark knows them,
 * also while a fence is still open; everywhere else it is found at its exact UTF-16 place. In each case the
 * markers stand between `⟦` and `⟧`.
 */
import { describe, expect, test } from 'vitest'
import { markers } from '../index.js'
import { type Case, expectMarkers, privateUse } from './marked-answers.js'

/** Cases whose markers are all `[1]`, one list of numbers per marker. */
function onlyOnes(marked: string[]): Case[] {
  return marked.map((text) => [text, Array.from({ length: text.split('⟦').length - 1 }, () => [1])])
}

describe('code within a line', () => {
  test.each<Case>(
    onlyOnes([
      'Call `a [1]` and see ⟦[1]⟧.',
      'Call ``a ` [1]`` and see ⟦[1]⟧.',
      'Call ``` a [1] ``` and see ⟦[1]⟧.',
      'Call ` [1] ` and see ⟦[1]⟧.',
      'Call `a\n[1]` and see ⟦[1]⟧.',
      'Call `【1†source】` and see ⟦[1]⟧.',
      'Call `［1］` and see ⟦[1]⟧.',
      'Call `[^1]` and see ⟦[1]⟧.',
      'Call `x.¹` and see ⟦[1]⟧.',
      `Call \`${privateUse('turn0search0')}\` and see ⟦[1]⟧.`,
      'Call `a\\` and ⟦[1]⟧ and `b`.',
      'Call \\`a ⟦[1]⟧ \\`.',
      'Call \\`a `[1]` ⟦[1]⟧.',
      'A tick ` alone and ⟦[1]⟧.',
      'A tick ` alone and ⟦[1]⟧.\n\nAnd ` another.',
      'Two `` and one ` and ⟦[1]⟧.',
      'One ` and two `` and one [1] ` and ⟦[1]⟧.',
      'Code before `a`⟦[1]⟧ and behind ⟦[1]⟧`b`.',
      '`[1]``[1]` ⟦[1]⟧',
      'A bracket around code [`a[1]`] and ⟦[1]⟧.',
      'Code that takes a bracket ⟦[1]⟧ [a `](b [1]` ⟦[1]⟧.',
      '**`a[1]`** ⟦[1]⟧',
      '- item `a [1]` ⟦[1]⟧',
      '> quote `a [1]` ⟦[1]⟧',
      '# Heading `a [1]` ⟦[1]⟧',
      '| `a [1]` | ⟦[1]⟧ |\n|---|---|\n| ⟦[1]⟧ | `[1]` |',
      'Maths is text: $x$ ⟦[1]⟧.',
    ]),
  )('%j', (...one) => expectMarkers(one))
})

describe('blocks of code', () => {
  test.each<Case>(
    onlyOnes([
      'See ⟦[1]⟧.\n\n```\na [1]\n```\n\nAnd ⟦[1]⟧.',
      'See ⟦[1]⟧:\n```js\nconst b = a[1] // see [1]\n```\nAnd ⟦[1]⟧.',
      'See ⟦[1]⟧.\n\n```\n[1]\n\n[1]\n```\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n``` title [1]\nx\n```\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n~~~\na [1]\n~~~\n\nAnd ⟦[1]⟧.',
      'See ⟦[1]⟧.\n\n~~~ ` [1]\n[1]\n~~~\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n~~~\n```\n[1]\n~~~\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n```\n~~~\n[1]\n```\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n````\n```\n[1]\n```\n[1]\n````\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n```\n[1]\n`````\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n   ```\n   [1]\n  ```\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n```\n[1]\n    ```\n[1]\n```\n⟦[1]⟧',
      'See ⟦[1]⟧.\n\n    a [1]\n\nAnd ⟦[1]⟧.',
      'See ⟦[1]⟧.\n\n    a [1]\n\n    b [1]\nAnd ⟦[1]⟧.',
      'See ⟦[1]⟧.\n\n\ta [1]\n\nAnd ⟦[1]⟧.',
      '    a [1]',
      'A paragraph that goes on\n    is no code ⟦[1]⟧.',
      '- item ⟦[1]⟧\n\n  ```\n  [1]\n  ```\n\n  more ⟦[1]⟧',
      '- item ⟦[1]⟧\n\n      code [1]\n\n- item ⟦[1]⟧',
      '- item\n\n    a paragraph of the item ⟦[1]⟧',
      '-     code [1]\n- item ⟦[1]⟧',
      '1. ```\n   [1]\n   ```\n   ⟦[1]⟧',
      '1. a\n   - b\n\n     ```\n     [1]\n     ```\n\n     c ⟦[1]⟧',
      '> ```\n> [1]\n> ```\n> ⟦[1]⟧',
      '> ```\n> [1]\n⟦[1]⟧ outside: the quotation ended the fence.',
      '>     code [1]\n> \n> text ⟦[1]⟧',
      '> - ```\n>   [1]\n>   ```\n>   ⟦[1]⟧',
      '- > ~~~\n  > [1]\n  > ~~~\n  > ⟦[1]⟧',
      '# Heading ⟦[1]⟧\n```\n[1]\n```',
      'Text ⟦[1]⟧\n===\n\n    [1]\n',
      '``` no fence ` ⟦[1]⟧ \n⟦[1]⟧',
    ]),
  )('%j', (...one) => expectMarkers(one))

  test.each<Case>(
    onlyOnes([
      'See ⟦[1]⟧.\n\n```\na [1]',
      'See ⟦[1]⟧.\n\n```\na [1]\n',
      'See ⟦[1]⟧.\n\n```py\na [1]\n\n[1]\n\n# Heading [1]',
      'See ⟦[1]⟧.\n\n~~~\na [1]\n```\n[1]',
      'See ⟦[1]⟧.\n\n````\n[1]\n```\n[1]',
      'See ⟦[1]⟧.\n\n```\n[1]\n``` no end [1]',
      'See ⟦[1]⟧:\n```\n[1]',
      '- item ⟦[1]⟧\n\n  ```\n  [1]\n',
      '> ```\n> [1]\n> [1]',
      'See `a ⟦[1]⟧',
    ]),
  )('still open: %j', (...one) => expectMarkers(one))
})

describe('links, pictures, definitions', () => {
  test.each<Case>(
    onlyOnes([
      'A [1](https://a.example/) link and ⟦[1]⟧.',
      'A [1](https://a.example/ "title [1]") link and ⟦[1]⟧.',
      'A [1](<https://a.example/ [1]>) link and ⟦[1]⟧.',
      'A [1](https://a.example/x_(y)) link and ⟦[1]⟧.',
      'A [1]() link and ⟦[1]⟧.',
      'A [[1]](https://a.example/) link and ⟦[1]⟧.',
      'A [^1](https://a.example/) link and ⟦[1]⟧.',
      'A [word [1] word](https://a.example/) link and ⟦[1]⟧.',
      'A [see [1], [1]](https://a.example/) link and ⟦[1]⟧.',
      'A [【1】](https://a.example/) link and ⟦[1]⟧.',
      'A [word](https://a.example/?q=[1]) link and ⟦[1]⟧.',
      'A [word](https://a.example/)⟦[1]⟧ link.',
      'A picture ![1](https://a.example/i.png) and ⟦[1]⟧.',
      'A picture ![alt [1]](https://a.example/i.png) and ⟦[1]⟧.',
      'A picture [![1](https://a.example/i.png)](https://a.example/) and ⟦[1]⟧.',
      'An address <https://a.example/?q=[1]> and ⟦[1]⟧.',
      'A tag <a title="[1]"> and ⟦[1]⟧</a>.',
      'A comment <!-- [1] --> and ⟦[1]⟧.',
      'A reference [word][1] and ⟦[1]⟧.\n\n[1]: https://a.example/',
      'See ⟦[1]⟧.\n\n[1]: https://a.example/',
      'See ⟦[1]⟧.\n\n[1]: https://a.example/ "Title [1]"',
      'See ⟦[^1]⟧.\n\n[^1]: The note.',
      'See ⟦[1]⟧.\n\n[1]: The first source.',
      '> See ⟦[1]⟧.\n>\n> [1]: https://a.example/',
      '- 【1†source】: https://a.example/\n- ⟦[1]⟧',
      '1. 【1†source】: https://a.example/\n2. ⟦[1]⟧',
      '> 1) ［1］: https://a.example/\n> 2) ⟦[1]⟧',
      'Not a link ⟦[1]⟧ (https://a.example/).',
      'Not a link ⟦[1]⟧(two words).',
      'Escaped \\[1] and \\[1\\] and ⟦[1]⟧.',
      'Not escaped \\\\ ⟦[1]⟧.',
      'An escaped link \\[a](b) ⟦[1]⟧.',
      'So it is!⟦[1]⟧',
      'Not a definition: see ⟦[1]⟧: it says so.',
      'Brackets [that are no link ⟦[1]⟧] and ⟦[1]⟧.',
      'A bracket [ that never closes ⟦[1]⟧.',
      'A bracket ] that never opened ⟦[1]⟧.',
    ]),
  )('%j', (...one) => expectMarkers(one))
})

describe('anywhere else', () => {
  test.each<Case>([
    ['# Heading ⟦[1]⟧', [[1]]],
    ['###### Heading ⟦[1]⟧ ######', [[1]]],
    ['Heading ⟦[1]⟧\n=======\n\nText ⟦[2]⟧', [[1], [2]]],
    ['- ⟦[1]⟧ item\n- item ⟦[2]⟧\n* item⟦[3]⟧', [[1], [2], [3]]],
    ['1. item ⟦[1]⟧\n2. item ⟦[2]⟧', [[1], [2]]],
    ['- [x] task ⟦[1]⟧', [[1]]],
    ['> quote ⟦[1]⟧\n> > deeper ⟦[2]⟧\nlazy ⟦[3]⟧', [[1], [2], [3]]],
    [
      '| City | Since |\n|---|---|\n| Köln⟦[1]⟧ | 50 ⟦[2]⟧ |\n|Bonn⟦[3]⟧|11⟦[4]⟧|',
      [[1], [2], [3], [4]],
    ],
    ['*so ⟦[1]⟧* and __so ⟦[2]⟧__ and *so⟦[3]⟧*', [[1], [2], [3]]],
    ['A line ⟦[1]⟧  \nand one ⟦[2]⟧\\\nand one ⟦[3]⟧', [[1], [2], [3]]],
    ['A <b>tag ⟦[1]⟧</b>.', [[1]]],
    ['---\n\nText ⟦[1]⟧\n\n***', [[1]]],
    ['😀 ⟦[1]⟧', [[1]]],
    ['😀😀⟦[1]⟧👨‍👩‍👧⟦[2]⟧🇩🇪 ⟦[3]⟧', [[1], [2], [3]]],
    ['漢字⟦[1]⟧、かな⟦[2]⟧。한글⟦[3]⟧.', [[1], [2], [3]]],
    ['𝕏 𠮷野家⟦【1†source】⟧𠮷', [[1]]],
    ['Cafe\u0301 ⟦[1]⟧ naïve ⟦[2]⟧', [[1], [2]]],
    ['مرحبا ⟦[1]⟧ שלום ⟦[2]⟧', [[1], [2]]],
    ['😀 `[1]` ⟦[2]⟧ 😀 [3](https://a.example/) ⟦[4]⟧', [[2], [4]]],
    [`😀 ⟦[1]⟧ 漢字 \`${'😀'.repeat(20)}\` ⟦[2]⟧`, [[1], [2]]],
    ['One ⟦[1]⟧\r\n\r\n```\r\n[2]\r\n```\r\n\r\nThree ⟦[3]⟧\r\n', [[1], [3]]],
    ['One ⟦[1]⟧\r\n\r\n    [2]\r\n\r\nThree ⟦[3]⟧', [[1], [3]]],
    ['- One ⟦[1]⟧\r\n  `a\r\n  [2]`\r\n> Three⟦[3]⟧\r\n', [[1], [3]]],
    ['One ⟦[1]⟧\r\r~~~\r[2]\r~~~\rThree ⟦[3]⟧', [[1], [3]]],
    ['\n\n\n⟦[1]⟧\n\n\n', [[1]]],
    ['\ufeffOne ⟦[1]⟧', [[1]]],
    ['A\u00a0⟦[1]⟧\u200b⟦[2]⟧', [[1], [2]]],
  ])('%j', (...one) => expectMarkers(one))

  test('a long answer of 500 markers, each at its place', () => {
    const numbers = Array.from({ length: 500 }, (_, at) => [(at % 9) + 1])
    const pieces = numbers.map(([n]) => `Größe 😀 of ${n} ⟦[${n}]⟧.\n\n\`a[${n}]\` 漢字\n\n`)
    expectMarkers([pieces.join(''), numbers])
  })
})

test('a fence that opens later takes back nothing before it', () => {
  const text = 'See [1].\n\n```\n[2]\n'
  const found = (length: number) => markers.parseMarkers(text.slice(0, length)).length
  for (let length = 8; length <= text.length; length++) expect(found(length), `${length}`).toBe(1)
})
