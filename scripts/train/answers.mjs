/**
 * Answers as models give them, in the languages people ask in, and the pages they lean on. Not those
 * of the benchmark: what the addon is built from must not be what it is measured with.
 */

/** @typedef {{ url: string, site: string, title: string, words: string }} Page */
/** @typedef {{ sentences: string[], pages: Page[] }} Answer */

const PROSE = [
  [
    'The bridge was closed for eleven weeks while its cables were replaced.',
    'Ferries carried twice as many people as in the summer before, and still left late.',
    'Nobody expected the tolls to pay for more than a third of it – they paid for half.',
    'Its engineers called the result “boring, which is what a bridge should be”.',
    'A second crossing is planned; where it will land has not been said.',
  ],
  [
    'Die Brücke wurde für elf Wochen gesperrt, während man die Seile tauschte.',
    'Die Fähren beförderten doppelt so viele Menschen wie im Jahr zuvor.',
    'Für größere Schäden, so heißt es, hätte das Geld nicht gereicht.',
    'Über den zweiten Übergang wird erst im März entschieden.',
  ],
  [
    'Мост был закрыт одиннадцать недель, пока меняли тросы.',
    'Паромы перевезли вдвое больше людей, чем прошлым летом.',
    'Второй переход запланирован, но место ещё не названо.',
  ],
  [
    '更换缆索期间,大桥关闭了十一周。',
    '渡轮运送的乘客是去年夏天的两倍,🚢 仍然经常晚点。',
    '第二座桥已在规划之中,位置尚未公布。',
  ],
]

const SITES = [
  'harbour.example',
  'www.city-news.example',
  'data.transport.example',
  'brücke.example',
]
const TITLES = [
  'Bridge reopens after eleven weeks',
  'Ferries in numbers: July 2.1 million, August 2.4 million | City News',
  'crossing-report_v2.pdf',
  'Warum die Seile getauscht wurden – ein Überblick',
  '大桥重新开放',
  'What “boring” means to an engineer & why it costs $40M',
]

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} n
 */
export const pick = (list, n) => /** @type {T} */ (list[n % list.length])

/** @param {number} n @returns {Page} */
function page(n) {
  const site = pick(SITES, n)
  const query = n % 5 === 0 ? `?issue=${n}&lang=en` : ''
  return {
    url: `https://${site === 'brücke.example' ? 'xn--brcke-lva.example' : site}/reports/${n}/cables_(new)${query}`,
    site,
    title: pick(TITLES, n + (n >> 2)),
    words: `Words of page ${n}, with more of them behind.`.repeat(1 + (n % 9)),
  }
}

/**
 * The answer with that number, in one language after the other.
 *
 * @param {number} n
 * @param {number} [count] how many pages it leans on
 * @returns {Answer}
 */
export function answer(n, count = pick([1, 2, 4, 5, 9, 14, 27], n)) {
  const prose = pick(PROSE, n)
  return {
    sentences: Array.from({ length: count + 3 }, (_, at) => pick(prose, at + n)),
    pages: Array.from({ length: count }, (_, at) => page(n * 31 + at)),
  }
}

const CODE = '```js\nconst first = rows[0][1]\nreturn rows.map((row) => row[2])\n```'

/**
 * The answer as markdown with markers of every kind, as models write them when they are told to.
 *
 * @param {Answer} answer
 */
export function marked({ sentences, pages }) {
  const marks = [
    /** @param {number} n */ (n) => `[${n}]`,
    /** @param {number} n */ (n) => `[${n}, ${n + 1}]`,
    /** @param {number} n */ (n) => `【${n}†source】`,
    /** @param {number} n */ (n) => `[^${n}]`,
    /** @param {number} n */ (n) => ` [${n}-${n + 1}]`,
  ]
  const cited = sentences.map((sentence, at) => {
    const mark = pick(marks, at)(1 + (at % pages.length))
    const words = at % 3 === 1 ? `As \`cables[${at}]\` says, **${sentence}**` : sentence
    return `${words.slice(0, -1)}${mark}${words.slice(-1)}`
  })
  const list = cited.map((line) => `- ${line}`).join('\n')
  return [
    '## What happened',
    cited.join(' '),
    list,
    CODE,
    `> ${cited[0]}`,
    `See [the report](${pages[0]?.url}) and <https://harbour.example/x[1]>.`,
  ].join('\n\n')
}
