/**
 * The rows of the benchmark, each in a process of its own. `list` prints what there is, a number runs
 * that row and prints its result; both as JSON.
 */
import { FULL, QUICK } from './race.ts'
import type { Result, Row } from './row.ts'
import { answers } from './rows/answers.ts'
import { border } from './rows/border.ts'
import { growth } from './rows/growth.ts'
import { loading } from './rows/loading.ts'
import { responses } from './rows/responses.ts'
import { sdks } from './rows/sdk.ts'
import { streams } from './rows/streams.ts'
import { terminal } from './rows/terminal.ts'

const ROWS: Row[] = [
  ...responses,
  ...streams,
  ...answers,
  ...terminal,
  ...sdks,
  ...border,
  ...growth,
  ...loading,
]

async function measured(row: Row, quick: boolean): Promise<Result> {
  const { name, against, measure } = row
  return { row: name, against, measure, ...(await row.run(quick ? QUICK : FULL)) }
}

async function main([what, pace]: string[]): Promise<void> {
  const row = ROWS[Number(what)]
  const found = row
    ? await measured(row, pace === 'quick')
    : ROWS.map(({ name, against, needsFloor }) => ({ row: name, against, needsFloor }))
  process.stdout.write(JSON.stringify(found))
}

main(process.argv.slice(2))
