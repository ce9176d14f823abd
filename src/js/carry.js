// Fetches the fields of many records in one call: what they hold goes into `cells`, their text into one
// string. Run once per environment; `plans` says which fields. What is not as planned is marked, not judged:
// Rust then reads that record field by field.
//
// A cell is two numbers. The first is its kind and, times 8, a length; the second a number, or where its text
// or its list begins.
(cells, plans, isArray) => {
  'use strict'
  const NOTHING = 0
  const ODD = 1
  const RECORD = 2
  const TEXT = 3
  const NUMBER = 4
  const NUMBERS = 5
  const MOST_TEXT = 1 << 24
  /** The last number says how many were written. */
  const END = cells.length - 1
  let busy = false
  let text = ''
  /** The next free place behind the cells of the records. */
  let free = 0

  /** Writes what `value` holds, if it is what `field` says. */
  const put = (value, { holds, fields }, at) => {
    if (value === undefined || value === null) {
      cells[at] = NOTHING
      return true
    }
    switch (holds) {
      case TEXT:
        if (typeof value !== 'string' || text.length + value.length > MOST_TEXT) return false
        cells[at] = TEXT + 8 * value.length
        cells[at + 1] = text.length
        text += value
        return true
      case NUMBER:
        cells[at] = NUMBER
        cells[at + 1] = value
        return typeof value === 'number'
      case NUMBERS: {
        if (!isArray(value)) return false
        const { length } = value
        // A proxy may say anything.
        if (length >>> 0 !== length || free + length > END) return false
        cells[at] = NUMBERS + 8 * length
        cells[at + 1] = free
        for (let index = 0; index < length; index++) {
          const number = value[index]
          if (typeof number !== 'number') return false
          cells[free + index] = number
        }
        free += length
        return true
      }
      default:
        cells[at] = RECORD
        return typeof value === 'object' && fill(value, fields)
    }
  }

  const fill = (record, fields) => {
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index]
      const { names } = field
      let value = record[names[0]]
      for (let other = 1; other < names.length; other++) {
        if (value !== undefined && value !== null) break
        value = record[names[other]]
      }
      if (!put(value, field, base + field.at)) return false
    }
    return true
  }

  /** Where the cells of the record at hand begin. */
  let base = 0

  return (list, from, to, plan) => {
    // A getter may call us again, and there is one set of cells.
    if (busy) return undefined
    busy = true
    try {
      const { fields, size } = plans[plan]
      free = (to - from) * size
      for (let index = from; index < to; index++) {
        base = (index - from) * size
        try {
          const record = list[index]
          cells[base] = record === undefined || record === null ? NOTHING : RECORD
          if (cells[base] === RECORD && !(typeof record === 'object' && fill(record, fields))) {
            cells[base] = ODD
          }
        } catch {
          cells[base] = ODD
        }
      }
      cells[END] = free
      return text
    } finally {
      busy = false
      text = ''
    }
  }
}
