/** Cites files, one after the other. */
import { realpathSync } from 'node:fs'
import { EXIT, Misuse, tell, Unreadable } from './complaint.mjs'
import { flawIn } from './flaw.mjs'
import { nameOf, piecesOf, recognized, sizeOf, together } from './input.mjs'
import { readLog } from './log.mjs'
import { Output } from './output.mjs'
import { Printer } from './printer.mjs'
import { Progress } from './progress.mjs'
import { isUnproven, readDocuments, verdictsOf } from './quotes.mjs'
import { isEmpty, Reader, textOf } from './reader.mjs'
import { written } from './writer.mjs'

/** @typedef {import('./arguments.mjs').CiteCommand} CiteCommand */
/** @typedef {import('../../index.js').QuotedDocument} QuotedDocument */
/** @typedef {{ name: string, path: string }} Input */

/**
 * @param {CiteCommand} command
 * @param {Input[]} inputs
 * @returns {Promise<number>} the exit code
 */
export async function citeFiles(command, inputs) {
  refuseOverwriting(command, inputs)
  if (command.look.format === 'svg' && inputs.length > 1) throw new Misuse(ONE_PICTURE)
  const documents = command.documents && readDocuments(command.documents)
  const printer = new Printer(new Output(command.output), command.look.format)
  /** @type {number[]} */
  const codes = []
  for (const [index, input] of inputs.entries()) {
    const task = {
      wanted: command.wanted,
      look: command.look,
      documents,
      name: input.name,
      ...(inputs.length > 1 && { file: input.name }),
      id: `a${index + 1}`,
    }
    try {
      codes.push(await citeFile(input.path, command.kind, task, printer))
    } catch (error) {
      // One that cannot be read does not keep the others from being shown.
      if (!(error instanceof Unreadable)) throw error
      tell(error.message)
      codes.push(error.exitCode)
    }
  }
  await printer.end()
  if (command.namesOutput && codes.includes(EXIT.fine)) process.stdout.write(`${command.output}\n`)
  // What is missing weighs more than what is not proven.
  return [EXIT.failed, EXIT.unproven].find((code) => codes.includes(code)) ?? EXIT.fine
}

const ONE_PICTURE = '--format svg draws one answer, and there are several'

/**
 * @param {string} path
 * @param {CiteCommand['kind']} forced
 * @param {import('./lines.mjs').Task} task
 * @param {Printer} printer
 * @returns {Promise<number>}
 */
async function citeFile(path, forced, task, printer) {
  const bytes = piecesOf(path)
  const isTool = task.wanted.tool !== undefined
  /** @type {import('./kind.mjs').Kind | undefined} */
  const known = forced ?? (isTool ? 'document' : undefined)
  const { kind, pieces } = known ? { kind: known, pieces: bytes } : await recognized(bytes)
  if (kind === 'log') return citeLog(path, pieces, task, printer)
  return citeOne(await readOne(kind, pieces, task), task, printer)
}

/**
 * @param {'document' | 'events'} kind
 * @param {import('./input.mjs').Pieces} pieces
 * @param {import('./lines.mjs').Task} task
 */
async function readOne(kind, pieces, { name, wanted }) {
  const reader = new Reader(wanted)
  if (kind === 'events') {
    const payload = await reader.readStream(pieces)
    const damaged = payload.diagnostics.find(({ code }) => code === 'data_damaged')
    if (damaged) tell(`${name}: an event is no JSON: ${damaged.detail}`)
    return payload
  }
  const bytes = await together(pieces)
  const payload = reader.read(bytes)
  const isDamaged = payload.diagnostics.some(({ code }) => code === 'data_damaged')
  if (wanted.tool === undefined && (isEmpty(payload) || isDamaged)) {
    const flaw = flawIn(textOf(bytes))
    const complaint = flaw && `${name}:${flaw.line}: no JSON: ${flaw.message}`
    if (complaint && isEmpty(payload)) throw new Unreadable(complaint)
    if (complaint) tell(complaint)
  }
  return payload
}

/**
 * @param {import('../../index.js').TurnPayload} payload
 * @param {import('./lines.mjs').Task} task
 * @param {Printer} printer
 * @returns {Promise<number>}
 */
async function citeOne(payload, { name, file, id, look, documents, wanted }, printer) {
  if (isEmpty(payload)) throw new Unreadable(nothingIn(name, wanted))
  const verdicts = verdictsOf(payload, documents)
  await printer.print(written(payload, look, { file, name, id }, verdicts))
  return isUnproven(verdicts) ? EXIT.unproven : EXIT.fine
}

/**
 * @param {string} path
 * @param {import('./input.mjs').Pieces} pieces
 * @param {import('./lines.mjs').Task} task
 * @param {Printer} printer
 * @returns {Promise<number>}
 */
async function citeLog(path, pieces, task, printer) {
  const { name, look, wanted } = task
  if (look.format === 'svg') throw new Misuse(ONE_PICTURE)
  // Where answers run over the same screen, they are progress enough.
  const screen = look.toTerminal ? { write: () => {} } : process.stderr
  const progress = new Progress(screen, sizeOf(path))
  const count = await readLog(pieces, task, (answers) => printer.print(answers), progress)
  if (count.bad > 0) tell(`${name}: ${count.bad} of ${count.lines} lines could not be read`)
  if (count.found === 0) throw new Unreadable(nothingIn(name, wanted))
  if (count.bad > 0) return EXIT.failed
  return count.unproven ? EXIT.unproven : EXIT.fine
}

/**
 * @param {string} name
 * @param {import('./reader.mjs').Wanted} wanted
 */
function nothingIn(name, { tool, provider }) {
  if (tool !== undefined) return `${name} holds no source of ${tool}`
  return `${name} holds no answer of ${provider ?? 'a provider'}`
}

/**
 * @param {CiteCommand} command
 * @param {Input[]} inputs
 */
function refuseOverwriting({ output, documents = [] }, inputs) {
  if (output === undefined) return
  const target = place(output)
  const read = [...inputs.map(({ path }) => path), ...documents]
  if (target !== undefined && read.some((path) => place(path) === target)) {
    throw new Misuse(`${output} is read, so it cannot be written`)
  }
}

/** @param {string} path */
function place(path) {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/**
 * @param {string} file
 * @returns {Input}
 */
export const inputOf = (file) => ({ name: nameOf(file), path: file })
