/**
 * What a marker looks like, and when a bracket or a raised number is a citation where it stands. In each
 * case the markers stand between `⟦` and `⟧`: exactly these are found, with their UTF-16 spans.
 */
import { describe, expect, test } from 'vitest'
import { buildCitationData, type CitationMarker, markers } from '../index.js'
import { type Case, expectMarkers, pages, privateUse, unmarked } from './marked-answers.js'

describe('dialects', () => {
  test.each<Case>([
    ['In Paris ⟦[1]⟧.', [[1]]],
    ['In Paris ⟦[12]⟧.', [[12]]],
    ['In Paris ⟦[999]⟧.', [[999]]],
    ['In Paris.⟦[1]⟧', [[1]]],
    ['⟦[1]⟧ says so.', [[1]]],
    ['⟦[1]⟧', [[1]]],
    ['Both ⟦[2, 3]⟧ say so.', [[2, 3]]],
    ['Both ⟦[2,3]⟧ say so.', [[2, 3]]],
    ['Both ⟦[3, 2]⟧ say so.', [[3, 2]]],
    ['All ⟦[1, 2, 3, 4, 5]⟧.', [[1, 2, 3, 4, 5]]],
    ['Both ⟦[2; 3]⟧.', [[2, 3]]],
    ['两者⟦[2，3]⟧。', [[2, 3]]],
    ['両方⟦[2、3]⟧。', [[2, 3]]],
    ['Each ⟦[1]⟧⟦[2]⟧ says so.', [[1], [2]]],
    ['Each ⟦[1]⟧ ⟦[2]⟧ says so.', [[1], [2]]],
    ['Each ⟦[1]⟧, ⟦[2]⟧ says so.', [[1], [2]]],
    ['All ⟦[1-3]⟧.', [[1, 2, 3]]],
    ['All ⟦[1–3]⟧.', [[1, 2, 3]]],
    ['All ⟦[1‑3]⟧.', [[1, 2, 3]]],
    ['Most ⟦[1-3, 7]⟧.', [[1, 2, 3, 7]]],
    ['Most ⟦[1, 4-6]⟧.', [[1, 4, 5, 6]]],
    ['So ⟦[[1]]⟧.', [[1]]],
    ['So ⟦[[1]]⟧⟦[[2]]⟧.', [[1], [2]]],
    ['So ⟦[[1, 2]]⟧.', [[1, 2]]],
    ['A note ⟦[^1]⟧.', [[1]]],
    ['A note⟦[^1]⟧⟦[^2]⟧.', [[1], [2]]],
    ['So ⟦【1】⟧.', [[1]]],
    ['So ⟦【1, 2】⟧.', [[1, 2]]],
    ['So ⟦【1-3】⟧.', [[1, 2, 3]]],
    ['So ⟦【1†source】⟧.', [[1]]],
    ['So⟦【1†source】⟧⟦【2†source】⟧.', [[1], [2]]],
    ['So ⟦【3†report 2024.pdf】⟧.', [[3]]],
    ['So ⟦［1］⟧.', [[1]]],
    ['So ⟦［1, 2］⟧.', [[1, 2]]],
    ['ソ連⟦［1］⟧⟦［2］⟧。', [[1], [2]]],
    ['So it is.⟦¹⟧', [[1]]],
    ['So it is.⟦¹²⟧ Yes.', [[12]]],
    ['So it is.⟦¹,²⟧ Yes.', [[1, 2]]],
    ['So it is.⟦¹˒²⟧ Yes.', [[1, 2]]],
    ['So it is.⟦¹⁻³⟧ Yes.', [[1, 2, 3]]],
    ['So it is ⟦⁴⟧ and ⟦¹⁰⟧.', [[4], [10]]],
    ['Mixed ⟦[1]⟧ ⟦【2†source】⟧ ⟦［3］⟧ ⟦[^4]⟧ ⟦⁵⟧.', [[1], [2], [3], [4], [5]]],
    ['Mixed ⟦[1]⟧⟦【2】⟧⟦[3]⟧.', [[1], [2], [3]]],
  ])('%s', (...one) => expectMarkers(one))

  test.each<[string, Partial<CitationMarker>[]]>([
    ['So ⟦【10:13†source】⟧.', [{ ids: [{ id: '10:13' }], dialect: 'lenticular' }]],
    ['So ⟦【0:0†source】⟧.', [{ ids: [{ id: '0:0' }], dialect: 'lenticular' }]],
    ['So ⟦【4:2†notes.txt】⟧.', [{ ids: [{ id: '4:2' }], dialect: 'lenticular' }]],
    ['So ⟦【4:2】⟧.', [{ ids: [{ id: '4:2' }], dialect: 'lenticular' }]],
    ['So ⟦【4:2†L3-L5】⟧.', [{ ids: [{ id: '4:2', lines: 'L3-L5' }], dialect: 'lenticular' }]],
    ['So ⟦【1†L3-L5】⟧.', [{ numbers: [1], lines: 'L3-L5', dialect: 'lenticular' }]],
    ['So ⟦【1†L3】⟧.', [{ numbers: [1], lines: 'L3', dialect: 'lenticular' }]],
    [`So ⟦${privateUse('turn0search1')}⟧.`, [{ ids: [{ id: 'turn0search1' }] }]],
    [
      `So ⟦${privateUse('turn0search1', 'turn2news0', 'turn0fetch3')}⟧.`,
      [{ ids: [{ id: 'turn0search1' }, { id: 'turn2news0' }, { id: 'turn0fetch3' }] }],
    ],
    [
      `So ⟦${privateUse('turn0search0', 'L8-L13')}⟧.`,
      [{ ids: [{ id: 'turn0search0', lines: 'L8-L13' }] }],
    ],
    [
      `So ⟦${privateUse('turn0search0', 'L8', 'turn0search2', 'L1-L2', 'turn0view1')}⟧.`,
      [
        {
          ids: [
            { id: 'turn0search0', lines: 'L8' },
            { id: 'turn0search2', lines: 'L1-L2' },
            { id: 'turn0view1' },
          ],
        },
      ],
    ],
    [
      `So ⟦${privateUse('turn0search0')}⟧⟦${privateUse('turn1search0')}⟧`,
      [{ ids: [{ id: 'turn0search0' }] }, { ids: [{ id: 'turn1search0' }] }],
    ],
    [
      `So ⟦\ue200filecite\ue202turn0file0\ue202L1-L9\ue201⟧.`,
      [{ ids: [{ id: 'turn0file0', lines: 'L1-L9' }] }],
    ],
    [`word⟦${privateUse('turn0search0')}⟧word`, [{ ids: [{ id: 'turn0search0' }] }]],
  ])('with ids or lines: %s', (marked, expected) => {
    const { text, spans } = unmarked(marked)
    expect(markers.parseMarkers(text)).toEqual(
      expected.map((one, at) => {
        const [start, end] = spans[at]!
        const written = text.slice(start, end)
        return { start, end, text: written, numbers: [], dialect: 'private-use', ...one }
      }),
    )
  })
})

describe('what is no marker', () => {
  test.each<Case>([
    ['Zero [0] is none.'],
    ['Zero [0, 1] is none.'],
    ['Zero [1, 0] is none.'],
    ['Zero [0-2] is none.'],
    ['Zero 【0】 is none.'],
    ['Zero ［0］ is none.'],
    ['Zero [^0] is none.'],
    ['Zero [[0]] is none.'],
    ['Zero.⁰ None.'],
    ['A leading zero [01].'],
    ['A year [2015].'],
    ['Years [2014-2015].'],
    ['A year [[1999]].'],
    ['A year [2015].', [], 1999],
    ['Five digits [12345].', [], 3],
    ['A number of 300 digits '.concat(`[${'9'.repeat(300)}].`)],
    ['Backwards [3-1].'],
    ['The same [2-2].'],
    ['A wide range [1-500].'],
    ['Blanks [ 1 ].'],
    ['A blank [1 ].'],
    ['Two numbers [1 2].'],
    ['A comma too many [1,].'],
    ['A comma too many [,1].'],
    ['Empty [].'],
    ['A letter [a].'],
    ['A letter [1a].'],
    ['A sign [-1].'],
    ['A sign [+1].'],
    ['A fraction [1.5].'],
    ['A time [12:30].'],
    ['A word [see 1].'],
    ['A named note [^note].'],
    ['Half a pair [[1].'],
    ['Half a pair [1, [2]].'],
    ['Half a pair [1, 2'],
    ['Half a pair 【1†source'],
    ['Half a pair 【1†source]'],
    ['Half a pair ［1]'],
    ['A line break [1,\n2].'],
    ['A label with a line break 【1†so\nurce】.'],
    ['Other digits [١] and [१].'],
    ['A task:\n\n- [x] done\n- [ ] open'],
    ['Braces {1} and (1) and <1>.'],
    ['\ue200cite\ue201 names nothing.'],
    ['\ue200navlist\ue202turn0search1\ue201 is something else.'],
    ['\ue200cite\ue202turn0search1 has no end.'],
    ['\ue200cite\ue202\ue202turn0search1\ue201 has an empty name.'],
    ['turn0search1\ue201 has no start.'],
    ['⟦[1000]⟧ is a source that is known.', [[1000]], 1000],
    ['⟦[1-50]⟧ is as wide as a range gets.', [Array.from({ length: 50 }, (_, at) => at + 1)]],
  ])('%s', (...one) => expectMarkers(one))
})

describe('a bracket right behind a word', () => {
  test.each<Case>([
    // What follows is the end, a blank, punctuation of a sentence or another marker.
    ['in Paris⟦[1]⟧', [[1]]],
    ['in Paris⟦[1]⟧.', [[1]]],
    ['in Paris⟦[1]⟧. Then', [[1]]],
    ['in Paris⟦[1]⟧, then', [[1]]],
    ['in Paris⟦[1]⟧; then', [[1]]],
    ['in Paris⟦[1]⟧: then', [[1]]],
    ['in Paris⟦[1]⟧!', [[1]]],
    ['in Paris⟦[1]⟧?', [[1]]],
    ['in Paris⟦[1]⟧ then', [[1]]],
    ['in Paris⟦[1]⟧\tthen', [[1]]],
    ['in Paris⟦[1]⟧\nthen', [[1]]],
    ['in Paris⟦[1]⟧…', [[1]]],
    ['in Paris⟦[1]⟧ — then', [[1]]],
    ['in Paris⟦[1]⟧—then', [[1]]],
    ['in Paris⟦[1]⟧ - then', [[1]]],
    ['in Paris⟦[1]⟧ (then)', [[1]]],
    ['in Paris⟦[1]⟧⟦[2]⟧.', [[1], [2]]],
    ['in Paris⟦[1]⟧⟦[2]⟧⟦[3]⟧ then', [[1], [2], [3]]],
    ['in Paris⟦[1]⟧ ⟦[2]⟧.', [[1], [2]]],
    ['in Paris⟦[1, 2]⟧.', [[1, 2]]],
    ['in Paris⟦[1-3]⟧.', [[1, 2, 3]]],
    ['in Paris⟦[[1]]⟧.', [[1]]],
    ['(in Paris⟦[1]⟧)', [[1]]],
    ['(in Paris)⟦[1]⟧.', [[1]]],
    ['"in Paris⟦[1]⟧"', [[1]]],
    ['"in Paris"⟦[1]⟧', [[1]]],
    ['**in Paris⟦[1]⟧**', [[1]]],
    ['**in Paris**⟦[1]⟧.', [[1]]],
    ['in 2015⟦[1]⟧.', [[1]]],
    ['`code`⟦[1]⟧.', [[1]]],
    ['50 %⟦[1]⟧.', [[1]]],
    // Where sources are given, every number names one.
    ['in Paris⟦[1]⟧.', [[1]], 1],
    ['in Paris⟦[1]⟧⟦[2]⟧.', [[1], [2]], 2],
    ['in Paris[2].', [], 1],
    ['in Paris[1, 2].', [], 1],
    ['in Paris[1-3].', [], 2],
    ['in Paris[1][2].', [], 1],
    ['in Paris[1].', [], 0],
    ['in Paris ⟦[7]⟧.', [[7]], 1],
    // What follows is an operator, a call or a member.
    ['arr[0][1] = 2'],
    ['arr[1][0]'],
    ['arr[1] = 2', [], 3],
    ['arr[1]=2', [], 3],
    ['arr[1] == 2'],
    ['arr[1] += 2'],
    ['arr[1] -= 2'],
    ['arr[1] != 2'],
    ['arr[1] + 2'],
    ['arr[1] * 2'],
    ['arr[1] % 2'],
    ['arr[1] < 2'],
    ['arr[1] > 2'],
    ['arr[1] && ok'],
    ['arr[1] || ok'],
    ['arr[1] := 2'],
    ['arr[1]++'],
    ['arr[1]--'],
    ['arr[1]->next'],
    ['arr[1]*2'],
    ['arr[1]/2'],
    ['arr[1][i]'],
    ['arr[1](2)'],
    ['arr[1](2', [], 3],
    ['a[1].x', [], 3],
    ['a[1].x()'],
    ['a[1]?.x'],
    ['a[1]::x'],
    ['a[1]x'],
    ['a[1]_x'],
    ['a[1][2].x', [], 3],
    ['a[1][2] = 3', [], 3],
    ['print(a[1])'],
    ['snake_case[1].x'],
    ['$1[1] = 2'],
    ['f()[1].x'],
    ['f()[1] = 2'],
    // A footnote is no subscript, whatever is known.
    ['in Paris⟦[^9]⟧.', [[9]], 1],
    // Words of other scripts are no names in programs.
    ['ville fondé⟦[1]⟧ en', [[1]]],
    ['巴黎⟦[1]⟧是', [[1]]],
    ['パリ⟦[1]⟧は', [[1]]],
    ['巴黎⟦[7]⟧是', [[7]], 1],
    ['Москва⟦[1]⟧.', [[1]]],
    ['😀⟦[1]⟧.', [[1]]],
    // These dialects are no subscripts.
    ['in Paris⟦【1】⟧x', [[1]]],
    ['in Paris⟦［1］⟧x', [[1]]],
    ['in Paris⟦【7】⟧.', [[7]], 1],
  ])('%s', (...one) => expectMarkers(one))
})

describe('a raised number', () => {
  test.each<Case>([
    ['It is Paris⟦¹⟧.', [[1]]],
    ['It is Paris⟦¹,²⟧.', [[1, 2]]],
    ['It is Paris⟦¹⟧, then', [[1]]],
    ['It is Paris⟦²⟧.', [[2]], 2],
    ['It is Paris⁷.', [], 2],
    ['It is so.⟦⁷⟧', [[7]], 2],
    ['It is "so"⟦¹⟧.', [[1]]],
    ['巴黎⟦¹⟧。', [[1]]],
    ['An area of x².'],
    ['An area of 5 km².'],
    ['An area of 5 m².'],
    ['sin² and cosh² of it'],
    ['10² and 2⁸ and 10⁻³'],
    ['(a + b)²'],
    ['E = mc².'],
    ['Ca²⁺ and ¹⁴C'],
    ['In 2015² it was.'],
    ['Five digits.¹²³⁴⁵'],
  ])('%s', (...one) => expectMarkers(one))
})

test.each([1, null, undefined, {}, ['[1]'], true])('a text that is %j', (text) => {
  const parse = markers.parseMarkers as (text: unknown) => unknown
  expect(() => parse(text)).toThrow(TypeError)
})

test('markers are found in order and never overlap', () => {
  const text = 'A [1][2] b【3†source】 c［4］ d[^5] e.⁶ f [7, 8].'
  const found = markers.parseMarkers(text, pages(8))
  expect(found.flatMap(({ numbers }) => numbers)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  for (const [at, one] of found.entries()) {
    expect(one.start).toBeGreaterThanOrEqual(found[at - 1]?.end ?? 0)
  }
  const { references } = buildCitationData('s', text, pages(8))
  expect(references.map(({ startIndex, endIndex }) => [startIndex, endIndex])).toEqual(
    found.map(({ start, end }) => [start, end]),
  )
})
