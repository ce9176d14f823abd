// Makes the objects of a result in one call: what they hold stands in `cells`, their text in one string. Run once per
// environment. A shape makes one kind of record; it comes as code that knows the fields and asks for what they hold in
// the order in which that was written down. Literals define their fields: a setter that somebody hung on
// `Object.prototype` for one of them is never run.

// biome-ignore lint/correctness/noUnusedVariables: carry.rs calls it
function maker(cells, FIRST, strings, call, describe, parse) {
  const { slice } = strings
  const shapes = { __proto__: null }
  let all = ''
  let beside
  let at = 0
  /** Where the next text begins. */
  let from = 0

  // Both give a piece of a text. The first takes Bun half as long, and holds while nobody has changed what strings do.
  const piece = (text, begin, end) => text.slice(begin, end)
  const bound = call.bind(slice)
  let cut = bound

  const choose = () => {
    // A getter could give another one the next time.
    cut = describe(strings, 'slice')?.value === slice ? piece : bound
  }

  // Each gives the next value that was written down.

  const number = () => cells[at++]

  const text = () => {
    const begin = from
    from += cells[at++]
    return cut(all, begin, from)
  }

  const json = () => {
    const value = parse(text())
    // It may be somebody's own.
    choose()
    return value
  }

  const given = () => beside

  const numbers = () => {
    const list = []
    const length = cells[at++]
    for (let index = 0; index < length; index++) list[index] = cells[at++]
    return list
  }

  const record = () => shapes[cells[at++]]()

  const records = () => {
    const list = []
    const length = cells[at++]
    for (let index = 0; index < length; index++) list[index] = record()
    return list
  }

  const add = (shape, place) => {
    shapes[place] = shape({ number, text, json, given, numbers, record, records })
  }

  const make = (value, other, isList) => {
    choose()
    all = value
    beside = other
    at = FIRST
    from = 0
    try {
      return isList ? records() : record()
    } finally {
      all = ''
      beside = undefined
    }
  }

  return { add, make }
}
