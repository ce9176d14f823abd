/** The addon that does nothing but cross the border, for the rows that compare with it. */
import { createRequire } from 'node:module'

export interface Floor {
  nothing(): void
  carry(strings: string[], length: number): string
  find(body: Uint8Array, length: number): string
  found(body: Uint8Array): number
  look(piece: Uint8Array): number
}

/** Where the files under test lie; the runner builds and finds them. */
export function fileOf(which: 'ADDON' | 'BINARY' | 'FLOOR'): string {
  const file = process.env[`CITATIONS_${which}`]
  if (!file) throw new Error(`CITATIONS_${which} is not set: run this with npm run bench`)
  return file
}

/** Loaded by the rows that ask for it, so that the others need no second addon. */
export function loadFloor(): Floor {
  const file = fileOf('FLOOR')
  return createRequire(file)(file)
}
