/** The workflows build, test and publish what package.json promises, and may do no more than that. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'

interface Job {
  'timeout-minutes'?: number
  needs?: string | string[]
  uses?: string
  permissions?: Record<string, string>
  strategy?: { matrix: { include: Record<string, string>[] } }
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[]
}
interface Workflow {
  on: Record<string, unknown>
  permissions: Record<string, string>
  jobs: Record<string, Job>
}

const ROOT = join(__dirname, '..')
const FOLDER = join(ROOT, '.github/workflows')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const workflow = (name: string) => load(text(name)) as Workflow
const ci = workflow('ci.yml')
const release = workflow('release.yml')
const targets = (job: string) =>
  (ci.jobs[job]?.strategy?.matrix.include ?? []).map(({ target }) => target)

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const { permissions, jobs } = workflow(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])

  test('may read, and only what publishes may prove who it is', () => {
    expect(permissions).toEqual({ contents: 'read' })
    const more = Object.entries(jobs).filter(([, job]) => 'id-token' in (job.permissions ?? {}))
    expect(more.map(([job]) => `${name}: ${job}`)).toEqual(
      name === 'release.yml' ? ['release.yml: publish'] : [],
    )
    for (const job of Object.values(jobs)) {
      const { 'id-token': _, ...rest } = job.permissions ?? {}
      expect([{}, { contents: 'read' }]).toContainEqual(rest)
    }
  })

  test('names every action by its commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(0)
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
  })

  test('leaves no credentials behind, and comes to an end', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false })
    const endless = Object.values(jobs).filter((job) => !job.uses && !job['timeout-minutes'])
    expect(endless).toEqual([])
  })

  test('runs nothing that somebody else may have written', () => {
    for (const { run } of steps)
      expect(run ?? '').not.toMatch(/\$\{\{\s*(github\.event|github\.head_ref|inputs)/)
    expect(text(name)).not.toContain('pull_request_target')
    expect(text(name)).not.toContain('secrets.')
  })
})

describe('every target', () => {
  test('is built', () => {
    expect(targets('build').sort()).toEqual([...manifest.napi.targets].sort())
  })

  test('is built from what was seen at work where its host can load it', () => {
    // Its operating system and processor, and a C library that Node runs on there.
    const system: Record<string, RegExp> = {
      'ubuntu-24.04': /^x86_64-.*linux-gnu$/,
      'ubuntu-24.04-arm': /^aarch64-.*linux-gnu$/,
      'macos-15': /^aarch64-apple/,
      'macos-15-intel': /^x86_64-apple/,
      'windows-2025': /^x86_64-pc-windows/,
    }
    const built = ci.jobs.build?.strategy?.matrix.include ?? []
    for (const { target = '', host = '', command } of built) {
      expect([target, command?.includes('profiled')]).toEqual([target, system[host]?.test(target)])
    }
    expect(JSON.stringify(ci.jobs.build?.steps)).toContain('--component llvm-tools')
  })

  test('is tested on the system it is for', () => {
    const tested = new Set([...targets('hosts'), ...targets('alpine'), 'wasm32-wasip1-threads'])
    expect([...tested].sort()).toEqual([...manifest.napi.targets].sort())
    expect(JSON.stringify(ci.jobs.wasi)).toContain('bindings-wasm32-wasip1-threads')
  })
})

describe('a release', () => {
  test('waits for everything CI asks', () => {
    expect(ci.on).toHaveProperty('workflow_call')
    expect(release.jobs.ci?.uses).toBe('./.github/workflows/ci.yml')
    expect(release.jobs.publish?.needs).toBe('ci')
  })

  test('starts from a tag and nothing else', () => {
    expect(Object.keys(release.on)).toEqual(['push'])
    expect(Object.keys(release.on.push as object)).toEqual(['tags'])
  })

  test('is published with provenance', () => {
    const runs = (release.jobs.publish?.steps ?? []).flatMap(({ run }) => run ?? [])
    expect(runs.at(-1)).toMatch(/^npm publish .*--provenance/)
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
  })
})
