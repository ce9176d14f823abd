/** How the tool ends, and what it says when it does not end well. */
import { printable } from './printable.mjs'

/** What the process answers its caller. */
export const EXIT = { fine: 0, failed: 1, misuse: 2, unproven: 3 }

/** A problem to tell the user about, without a stack. */
export class Complaint extends Error {
  exitCode = EXIT.failed
}

/** Something that was to be read and cannot be. What else there is to read is not affected. */
export class Unreadable extends Complaint {}

/** A command line that means nothing. */
export class Misuse extends Complaint {
  /** @override */
  exitCode = EXIT.misuse
}

/** Nobody reads on, as behind `head`. There is nothing more to say, and no reason to go on. */
export class ReaderGone extends Error {}

/**
 * Says one line on standard error. File names and data are quoted in it, so it is made safe.
 *
 * @param {string} message
 */
export function tell(message) {
  process.stderr.write(`${printable(message).replaceAll('\n', ' ')}\n`)
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error))
