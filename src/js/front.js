// The short way that fronts take (front.rs): what an export is given is written down before the call, and crosses with
// it. Run once per environment, with the carrier.

// biome-ignore lint/correctness/noUnusedVariables: carry.js calls it
function fronts(values, END, CHOSEN, BUSY, ON, isView, later, written, choose) {
  /** A number on an object, which nobody else can see, take away or forge. To ask the border who it is costs more. */
  class Numbered extends function self(object) {
    return object
  } {
    #number

    constructor(object, number) {
      super(object)
      this.#number = number
    }

    static of(object) {
      return typeof object === 'object' && object !== null && #number in object ? object.#number : 0
    }
  }

  /** Who is at work, by a number that nobody has had before. */
  let worker = 0

  const clear = () => {
    values[BUSY] = 0
  }

  /**
   * Finds out what the options say, and what `plan` asks of the input. Answers the text of it. Whoever worked here
   * meanwhile has written over that, so it counts as not found out.
   */
  const fetched = (input, options, plan) => {
    let carried
    const own = ++worker
    values[BUSY] = own
    try {
      if (options === undefined) values[CHOSEN] = 0
      else if (typeof options === 'object') choose(options)
      else values[CHOSEN] = -1
      if (typeof input === 'object' && input !== null && !isView(input)) {
        carried = written(input, 0, 0, plan)
      } else {
        values[END] = 0
      }
      if (values[BUSY] !== own) {
        values[END] = 0
        values[CHOSEN] = -1
      }
    } finally {
      values[BUSY] = 0
    }
    return carried
  }

  /**
   * What a front calls from now on, with what it was called on, or `null` if it is no method. While somebody is at work
   * here, and for objects without a number, that is what it called `before`. An engine that is told to stop ends the work
   * without a word, so nobody is at work any more when all that runs now has come to its end.
   */
  const short = (asks, plan, crossing) => (before) => (self, input, options) => {
    const number = self === null ? 0 : Numbered.of(self)
    if (values[BUSY] !== 0) {
      try {
        later(clear)
      } catch {
        // Somebody has put a function of their own in its place.
      }
      return before(self, input, options)
    }
    if (number === 0 && self !== null) return before(self, input, options)
    const carried = asks ? fetched(input, options, plan) : undefined
    values[ON] = number
    return crossing(input, options, carried)
  }

  const give = (object, number) => {
    new Numbered(object, number)
  }

  return { short, give }
}
