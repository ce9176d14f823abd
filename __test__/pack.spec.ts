/** Installs the packed package into new projects, and does there what users do: type-check, bundle, run. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderCitations } from '../index.js'
import { bun, manifest, pack, packPlatform, project, ROOT, run, TSC, temporary } from './packed.ts'

const EXAMPLE = join(ROOT, 'examples/gemini-search.json')
const EXPECTED = renderCitations(readFileSync(EXAMPLE), { links: 'plain' })

const USE = `
const bytes: Uint8Array = readFileSync(process.argv[2]!)
const turn: CitationTurn = new CitationService().startTurn()
turn.pushBytes(bytes)
const payload: CitationPayload = turn.finish()
const block: string = renderCitations(bytes, { links: 'plain' })
// @ts-expect-error: an error only if the types are really there
export const wrong: RenderOptions = { links: 'no such mode' }
process.stdout.write(payload.sources.length > 0 && typeof markers.parseMarkers === 'function' ? block : '')
`
const NAMES = 'CitationService, markers, renderCitations'
const TYPES = 'type CitationPayload, type CitationTurn, type RenderOptions'
const NODE_TYPES = `
declare module 'node:fs' { export function readFileSync(path: string): Uint8Array }
declare const process: { argv: string[], stdout: { write(text: string): void } }
`
const FILES = {
  'main.ts': `import { readFileSync } from 'node:fs'
import { ${NAMES}, ${TYPES} } from '${manifest.name}'
${USE}`,
  'node.d.ts': NODE_TYPES,
}

const folders: string[] = []
let main: ReturnType<typeof pack>
let platform: ReturnType<typeof pack>
let tarballs: string[]
let esm: string
let cjs: string

beforeAll(() => {
  const into = temporary()
  main = pack(ROOT, into)
  platform = packPlatform(into)
  tarballs = [main.tarball, platform.tarball]
  esm = project('module', FILES, tarballs)
  cjs = project('commonjs', FILES, tarballs)
  folders.push(into, esm, cjs)
}, 120_000)

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('the tarball', () => {
  test('holds the package and nothing else', () => {
    const wanted =
      /^(LICENSE|README\.md|package\.json|load\.js|index\.(js|d\.ts)|THIRD-PARTY-NOTICES|bin\/[\w./-]+)$/
    expect(main.files.filter((path: string) => !wanted.test(path))).toEqual([])
    expect(main.files).toEqual(
      expect.arrayContaining(manifest.files.filter((path: string) => path.includes('.'))),
    )
  })

  test('a binary comes with its licences', () => {
    const others = platform.files.filter((path: string) => !path.endsWith('.node'))
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'package.json'])
  })

  test('runs nothing on installation', () => {
    const scripts = Object.keys(manifest.scripts)
    expect(
      scripts.filter((name) => /^(pre|post)?install$|^prepare$|^(pre|post)pack$/.test(name)),
    ).toEqual([])
  })

  test('satisfies publint', async () => {
    const bytes = readFileSync(main.tarball)
    const { messages } = await publint({
      pack: { tarball: bytes.buffer as ArrayBuffer },
      strict: true,
    })
    expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
  })

  test('has types that are right for every way to resolve them', () => {
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const said = JSON.parse(run(process.execPath, [attw, main.tarball, '--format', 'json'], ROOT))
    expect(said.problems ?? {}).toEqual({})
  })
})

const tsc = (folder: string, module: string, resolution: string) => {
  const flags = [
    '--strict',
    '--noUncheckedIndexedAccess',
    '--target',
    'es2023',
    '--lib',
    'es2023',
    '--outDir',
    `out-${module}`,
  ]
  const resolve = ['--module', module, '--moduleResolution', resolution]
  return run(process.execPath, [TSC, ...flags, ...resolve, 'main.ts', 'node.d.ts'], folder)
}

describe('a project in TypeScript', () => {
  test('of ES modules: type-checks as nodenext, and runs', () => {
    expect(tsc(esm, 'nodenext', 'nodenext')).toBe('')
    expect(run(process.execPath, ['out-nodenext/main.js', EXAMPLE], esm)).toBe(EXPECTED)
  })

  test('of ES modules: type-checks as a bundler does', () => {
    expect(tsc(esm, 'esnext', 'bundler')).toBe('')
  })

  test('of CommonJS: type-checks, and runs', () => {
    expect(tsc(cjs, 'nodenext', 'nodenext')).toBe('')
    expect(readFileSync(join(cjs, 'out-nodenext/main.js'), 'utf8')).toContain('require("@vybestack')
    expect(run(process.execPath, ['out-nodenext/main.js', EXAMPLE], cjs)).toBe(EXPECTED)
  })

  test('bundled by esbuild with the package left outside: runs', async () => {
    await build({
      entryPoints: [join(esm, 'main.ts')],
      outfile: join(esm, 'bundle.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: [manifest.name],
      logLevel: 'silent',
    })
    expect(run(process.execPath, ['bundle.mjs', EXAMPLE], esm)).toBe(EXPECTED)
  })
})

describe('a project on Bun', () => {
  const command = bun()

  test.skipIf(!command)('runs TypeScript as it is', () => {
    expect(run(command!, ['main.ts', EXAMPLE], esm)).toBe(EXPECTED)
    expect(run(command!, ['main.ts', EXAMPLE], cjs)).toBe(EXPECTED)
  })

  test.skipIf(!command).each(['bun', 'node'])(
    'bundled for %s with the package left outside: runs',
    (target) => {
      const out = `bundled-for-${target}.mjs`
      const flags = [
        `--target=${target}`,
        '--format=esm',
        `--external=${manifest.name}`,
        `--outfile=${out}`,
      ]
      run(command!, ['build', 'main.ts', ...flags], esm)
      expect(run(target === 'bun' ? command! : process.execPath, [out, EXAMPLE], esm)).toBe(
        EXPECTED,
      )
    },
  )
})

describe('without the package of the platform', () => {
  const failure = (command: string, folder: string) => {
    const code = `import('${manifest.name}').catch((e) => console.log(JSON.stringify([e.code, e.message])))`
    return JSON.parse(run(command, ['-e', code], folder))
  }

  test('the error says the platform, what was tried and how to build', () => {
    const folder = project('module', {}, [main.tarball])
    folders.push(folder)
    const [code, message] = failure(process.execPath, folder)
    expect(code).toBe('ERR_CITATIONS_NO_BINARY')
    expect(message).toContain(`on ${process.platform}-${process.arch}`)
    expect(message).toContain(`Node ${process.versions.node}`)
    expect(message).toMatch(
      new RegExp(`- Cannot find module '${manifest.name}-${process.platform}-${process.arch}`),
    )
    expect(message).toContain('npm ci && npm run build')
    expect(message).not.toContain('\n    at ')
  })
})
