/** Data that counts how often it is read, without looking like anything but plain data. */

export interface Watched<T> {
  value: T
  /** How many properties and items were asked for, there or not. */
  reads(): number
}

export function watched<T extends object>(data: T): Watched<T> {
  let count = 0
  // What is not there is asked for one prototype further up.
  const missing = new Proxy(Object.prototype, {
    get(target, key) {
      count++
      return Reflect.get(target, key)
    },
  })
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const made: object = Array.isArray(value) ? [] : Object.create(missing)
    for (const [key, held] of Object.entries(value)) {
      const inner = copy(held)
      const get = () => {
        count++
        return inner
      }
      Object.defineProperty(made, key, { get, enumerable: true, configurable: true })
    }
    return made
  }
  return { value: copy(data) as T, reads: () => count }
}
