/** Whether the documents say what they are quoted with. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { markers } from '../../load.js'
import { Complaint, messageOf } from './complaint.mjs'
import { printable } from './printable.mjs'

/** @typedef {import('../../index.js').QuotedDocument} QuotedDocument */
/** @typedef {import('../../index.js').QuoteVerdict} QuoteVerdict */

/**
 * The documents in the order of the request, each called what its file is called.
 *
 * @param {string[]} files
 * @returns {QuotedDocument[]}
 */
export const readDocuments = (files) =>
  files.map((file) => {
    try {
      return { title: basename(file), text: readFileSync(file, 'utf8') }
    } catch (error) {
      throw new Complaint(`cannot read ${file}: ${messageOf(error)}`)
    }
  })

/**
 * @param {import('../../index.js').TurnPayload} payload
 * @param {QuotedDocument[] | undefined} documents
 * @returns {QuoteVerdict[] | undefined}
 */
export const verdictsOf = (payload, documents) =>
  documents && markers.verifyQuotes(payload, documents)

/** @param {QuoteVerdict[] | undefined} verdicts */
export const isUnproven = (verdicts = []) => verdicts.some(({ verdict }) => verdict === 'not_found')

const WORDS = { exact: 'exact', normalized: 'normalized', not_found: 'not found' }
const WIDEST_WORD = 10

/** @param {QuoteVerdict[]} verdicts */
export function quotesBlock(verdicts) {
  if (verdicts.length === 0) return ' Quotations: none'
  const rows = verdicts.map(
    ({ source, verdict, citedText }) =>
      `  ${source}. ${WORDS[verdict].padEnd(WIDEST_WORD)}  "${printable(citedText)}"`,
  )
  return [' Quotations:', ...rows].join('\n')
}
