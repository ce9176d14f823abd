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
  const { NAPI_RS_NATIVE_LIBRARY_PATH: chosen } = process.env
  delete process.env.NAPI_RS_NATIVE_LIBRARY_PATH
  if (chosen?.endsWith('.node')) {
    process.env.NAPI_RS_NATIVE_LIBRARY_PATH = join(folder, 'chosen.node')
    copyFileSync(chosen, join(folder, 'chosen.node'))
  }
  try {
    return createRequire(__filename)(folder) as typeof citations
  } finally {
    if (chosen) process.env.NAPI_RS_NATIVE_LIBRARY_PATH = chosen
    rmSync(folder, { recursive: true, force: true })
  }
}
