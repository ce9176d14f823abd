/** Watches everything a process can print through, so that a spec can assert silence. */
import { vi } from 'vitest'

const LOGGERS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const

/** What was printed while `work` ran, one entry per call. */
export async function printedDuring(work: () => unknown): Promise<string[]> {
  const printed: string[] = []
  const spies = [
    ...LOGGERS.map((name) =>
      vi.spyOn(console, name).mockImplementation((...args: unknown[]) => {
        printed.push(`console.${name}: ${args.map(String).join(' ')}`)
      }),
    ),
    ...(['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
        printed.push(`${name}: ${chunk}`)
        return true
      }),
    ),
    vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
      printed.push(`warning: ${warning}`)
    }),
  ]
  try {
    await work()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return printed
}
