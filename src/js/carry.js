// Fetches the fields of many records in one call: what they hold goes into `cells`, their text into one
// string. Run once per environment; `plan` makes the code that knows the fields. What is not as planned is
// marked, not judged: Rust then reads that record field by field. The same for options: `choices` tells which
// of them are there at all.
//
// `cells` stays in here, and nothing is asked of it but numbers at their places: a method or a getter of arrays may be
// somebody else's. The number at its `END` says how many were written.
//
// A cell is two numbers. The first is its kind and, times 8, a length; the second a number, or where its text
// or its list begins.

// biome-ignore lint/correctness/noUnusedVariables: carry.rs calls it
function carrier(cells, END, plan, choices, isArray) {
  const NOTHING = 0
  const ODD = 1
  const RECORD = 2
  const TEXT = 3
  const NUMBER = 4
  const NUMBERS = 5
  const MOST_TEXT = 1 << 24
  let all = ''
  /** The next free place behind the cells of the records. */
  let free = 0

  // Each writes a value into its cell and answers whether it is what it should be.

  const text = (value, at) => {
    if (typeof value !== 'string') return nothing(value, at)
    if (all.length + value.length > MOST_TEXT) return false
    cells[at] = TEXT + 8 * value.length
    cells[at + 1] = all.length
    all += value
    return true
  }

  const number = (value, at) => {
    if (typeof value !== 'number') return nothing(value, at)
    cells[at] = NUMBER
    cells[at + 1] = value
    return true
  }

  const numbers = (value, at) => {
    if (!isArray(value)) return nothing(value, at)
    const { length } = value
    // A proxy may say anything.
    if (length >>> 0 !== length || free + length > END) return false
    cells[at] = NUMBERS + 8 * length
    cells[at + 1] = free
    for (let index = 0; index < length; index++) {
      const item = value[index]
      if (typeof item !== 'number') return false
      cells[free + index] = item
    }
    free += length
    return true
  }

  const nothing = (value, at) => {
    cells[at] = NOTHING
    return value === undefined || value === null
  }

  const record = (value, at, fill) => {
    if (typeof value !== 'object' || value === null) return nothing(value, at)
    cells[at] = RECORD
    return fill(value, at)
  }

  const plans = plan(text, number, numbers, record)

  const CHOOSE = plans.length
  const ALL_CHOICES = 2 ** 32 - 1

  const choose = (options) => {
    try {
      return choices(options)
    } catch {
      return ALL_CHOICES
    }
  }

  const carry = (list) => {
    // Which of its records, and what of them, stands where the first record will.
    const from = cells[0]
    const to = cells[1]
    const { fill, size } = plans[cells[2]]
    free = (to - from) * size
    all = ''
    for (let index = from; index < to; index++) {
      const at = (index - from) * size
      try {
        if (!record(list[index], at, fill)) cells[at] = ODD
      } catch {
        cells[at] = ODD
      }
    }
    cells[END] = free
    const carried = all
    all = ''
    return carried
  }

  return (value) => {
    if (cells[2] !== CHOOSE) return carry(value)
    cells[0] = choose(value)
    return ''
  }
}
