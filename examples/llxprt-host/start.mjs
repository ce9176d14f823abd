#!/usr/bin/env node
/**
 * Bundles the host and runs it. Node 20 reads no TypeScript; Bun does and can run main.ts itself. The
 * addon stays outside of the bundle, as it must in LLxprt's: its loader looks for the binary beside it.
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))
const outfile = path('../../node_modules/.cache/llxprt-host/main.mjs')

await build({
  entryPoints: [path('main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  external: [path('../../index.js')],
  logLevel: 'warning',
})

await import(pathToFileURL(outfile).href)
