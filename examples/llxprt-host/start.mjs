#!/usr/bin/env node
/**
 * Bundles the host and runs it. Node 20 reads no TypeScript; Bun does and can run main.ts itself. The
 * package stays outside of the bundle, as it must in LLxprt's: its loader looks for the binary beside it.
 */
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))
// Not below node_modules: from there the package cannot be reached by its own name.
const outfile = path('../../target/llxprt-host/main.mjs')

await build({
  entryPoints: [path('main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})

await import(pathToFileURL(outfile).href)
