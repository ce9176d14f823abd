// Fetches all that a plan asks of a value in one call: what it holds goes into `cells`, its numbers into `values`, its
// text into one string. Run once per environment. A plan is added when it is first needed, as code that knows the fields.
// What is not as planned is marked, not judged: Rust then reads it field by field. The same for options that are given
// beside it: `choices` tells which of them are there, and what some of them say. `ask` calls a method of the host, and
// `make` makes results, which are written down in the same values.
//
// `cells` are whole numbers, which engines write faster than others. They and `values` stay in here, and nothing is asked
// of them but numbers at their places: a method or a getter of arrays may be somebody else's. Values from `END` on say how
// many cells, texts and values were written, and whether all was as planned; the one at `CHOSEN` what is known of the
// options; the one at `BUSY` whether somebody is at work here, whose getters may call us again. Cells from `ENDS` on say
// where each text ends, behind where the first begins; of more texts than there is room for, only their number is known.
//
// A cell is a kind and, times `LENGTH`, the length of a list, or of anything else which of its kind it is; and times
// `BEGIN`, where that list begins.

// biome-ignore lint/correctness/noUnusedVariables: carry.rs calls it
function carrier(values, cells, places, choices, ask, isArray, isView, later, { add, make }) {
  const { END, CHOSEN, BUSY, ON, ENDS, CHOOSE } = places
  const NOTHING = 0
  const ODD = 1
  const RECORD = 2
  const TEXT = 3
  const NUMBER = 4
  const FLAG = 5
  const NUMBERS = 6
  const TEXTS = 7
  const RECORDS = 8
  const WORD = 9
  const LENGTH = 1 << 4
  const BEGIN = 1 << 18
  const MOST_TEXT = 1 << 24
  let all = ''
  /** How many texts are in there. */
  let count = 0
  /** How many values were written. */
  let filled = 0
  /** The next free place behind the cells of the outermost record. */
  let free = 0
  let asPlanned = true

  // Each writes a value into its cell and answers whether it is there and what it should be.

  const odd = (at) => {
    cells[at] = ODD
    asPlanned = false
    return false
  }

  const nothing = (value, at) => {
    if (value !== undefined && value !== null) return odd(at)
    cells[at] = NOTHING
    return false
  }

  const text = (value, at) => {
    if (typeof value !== 'string') return nothing(value, at)
    const length = all.length + value.length
    if (length > MOST_TEXT) return odd(at)
    cells[at] = TEXT + LENGTH * count++
    cells[ENDS + count] = length
    all += value
    return true
  }

  const begins = (value, at, start) => {
    if (typeof value !== 'string') return nothing(value, at)
    for (let index = 0; index < start.length; index++) {
      if (value[index] !== start[index]) return false
    }
    return text(value, at)
  }

  /** What both sides know needs no text. */
  const word = (value, at, expected, number) => {
    if (value !== expected) return false
    cells[at] = WORD + LENGTH * number
    return true
  }

  const usually = (value, at, expected, number) =>
    word(value, at, expected, number) || text(value, at)

  const number = (value, at) => {
    if (typeof value !== 'number') return nothing(value, at)
    if (filled === END) return odd(at)
    cells[at] = NUMBER + LENGTH * filled
    values[filled++] = value
    return true
  }

  const flag = (value, at) => {
    if (typeof value !== 'boolean') return nothing(value, at)
    cells[at] = value ? FLAG + LENGTH : FLAG
    return true
  }

  /** Room for the items of a list. Answers where it begins, or 0. */
  const room = (length, size) => {
    const begin = free
    // A proxy may say anything.
    if (length >>> 0 !== length || begin + length * size > ENDS) return 0
    free += length * size
    return begin
  }

  const numbers = (value, at) => {
    if (!isArray(value)) return nothing(value, at)
    const { length } = value
    // A proxy may say anything.
    if (length >>> 0 !== length || filled + length > END) return odd(at)
    cells[at] = NUMBERS + LENGTH * length + BEGIN * filled
    for (let index = 0; index < length; index++) {
      const item = value[index]
      if (typeof item !== 'number') return odd(at)
      values[filled++] = item
    }
    return true
  }

  const texts = (value, at) => {
    if (!isArray(value)) return nothing(value, at)
    const { length } = value
    const begin = room(length, 1)
    if (begin === 0) return odd(at)
    for (let index = 0; index < length; index++) {
      if (!text(value[index], begin + index)) return odd(at)
    }
    cells[at] = TEXTS + LENGTH * length + BEGIN * begin
    return true
  }

  const record = (value, at, fill) => {
    if (typeof value !== 'object' || value === null || isArray(value)) return nothing(value, at)
    cells[at] = RECORD
    return fill(value, at) || odd(at)
  }

  /** Says of which kind a record turned out to be. */
  const kind = (at, number) => {
    cells[at] = RECORD + LENGTH * number
    return true
  }

  const items = (list, from, to, at, fill, size) => {
    const begin = room(to - from, size)
    if (begin === 0) return odd(at)
    cells[at] = RECORDS + LENGTH * (to - from) + BEGIN * begin
    for (let index = from, item = begin; index < to; index++, item += size) {
      try {
        record(list[index], item, fill)
      } catch {
        odd(item)
      }
    }
    return true
  }

  const records = (value, at, fill, size) =>
    isArray(value) ? items(value, 0, value.length, at, fill, size) : nothing(value, at)

  const plans = { __proto__: null }
  const ASK = CHOOSE + 1
  const MAKE = CHOOSE + 2
  const ADD_SHAPE = CHOOSE + 3
  const ADD_PLAN = CHOOSE + 4
  const OPEN = CHOOSE + 5
  const GIVE_NUMBER = CHOOSE + 6

  const addPlan = (plan, place) => {
    plans[place] = plan({
      nothing,
      text,
      begins,
      word,
      usually,
      number,
      flag,
      numbers,
      texts,
      record,
      records,
      kind,
    })
  }

  /** Writes down what `fill` asks of one record, or of some items of a list. Answers the text of it. */
  const written = (value, from, to, { fill, size, isList }) => {
    free = isList ? 1 : size
    all = ''
    count = 0
    filled = 0
    cells[ENDS] = 0
    asPlanned = true
    try {
      if (isList) items(value, from, to, 0, fill, size)
      else record(value, 0, fill)
    } catch {
      odd(0)
    }
    values[END] = free
    values[END + 1] = count
    values[END + 2] = filled
    values[END + 3] = asPlanned ? 1 : 0
    const carried = all
    all = ''
    return carried
  }

  // Which of its items, and what of them, stands where the first values will.
  const carry = (value) => written(value, values[0], values[1], plans[values[2]])

  const choose = (options) => {
    try {
      values[CHOSEN] = choices(options)
    } catch {
      values[CHOSEN] = -1
    }
  }

  const { short, give } = fronts(values, END, CHOSEN, BUSY, ON, isView, later, written, choose)

  return (value, beside) => {
    const what = values[2]
    if (what === MAKE) return make(value, beside, values[0] === 1)
    if (what === ADD_SHAPE) return add(value, values[0])
    if (what === ADD_PLAN) return addPlan(value, values[0])
    if (what === OPEN) return value(values[1], short(values[0] >= 0, plans[values[0]], beside))
    if (what === GIVE_NUMBER) return give(value, values[0])
    if (beside !== undefined) choose(beside)
    if (what < CHOOSE) return carry(value)
    if (what !== ASK) return ''
    try {
      return ask(value)
    } catch {
      return undefined
    }
  }
}
