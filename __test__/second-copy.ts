/** A second copy of the package in this process, as two versions of one dependency are. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as citations from '../index.js'

const ROOT = join(__dirname, '..')

export function secondCopy(): typeof citations {
  const folder = mkdtempSync(join(tmpdir(), 'copy-'))
  const files = readdirSync(ROOT).filter((name) => name.endsWith('.node'))
  for (const name of ['index.js', 'load.js', 'package.json', ...files]) {
    copyFileSync(join(ROOT, name), join(folder, name))
  }
  const copy = createRequire(__filename)(folder) as typeof citations
  rmSync(folder, { recursive: true, force: true })
  return copy
}
