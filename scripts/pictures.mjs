/** Draws the pictures of the documentation from the examples. Run: node scripts/pictures.mjs */
import { readFileSync, writeFileSync } from 'node:fs'
import { CitationService, grounding } from '../index.js'

const file = (/** @type {string} */ path) => new URL(`../${path}`, import.meta.url)

const turn = new CitationService().startTurn()
turn.pushBytes(readFileSync(file('examples/gemini-coverage.json')))
const payload = turn.finish()
writeFileSync(file('docs/coverage.svg'), grounding.coverageSvg(payload.answer, payload))
