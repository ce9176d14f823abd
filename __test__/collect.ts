/** Collects garbage, now. Each engine has its own way to be asked. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const { Bun } = globalThis as { Bun?: { gc(now: boolean): void } }

export const collect: () => void = Bun ? () => Bun.gc(true) : fromV8()

function fromV8(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
