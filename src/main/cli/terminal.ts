import { CaptureFileError } from '../capture/capture-file'
import { OutputError, TakenError } from '../capture/export/output-file'
import { plainText } from '../plain-text'

/** Something that a command was asked for and cannot do; `message` says why and what helps. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem'
}

/** Exit code of a command that could not do its work. */
export const CANNOT = 2
const INTERRUPTED = 130

/**
 * Runs a command that may take long: Ctrl+C stops it, and what goes wrong is said in one line. Sets the exit code to what
 * `work` answers, to 2 when it could not do its work, to 130 when it was stopped.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<number>): Promise<void> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort(new Error('stopped'))
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  try {
    process.exitCode = await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) {
      console.error('sluice: stopped')
      process.exitCode = INTERRUPTED
      return
    }
    const expected = [CaptureFileError, OutputError, CommandProblem].some((kind) => error instanceof kind)
    if (!expected) throw error
    const force = error instanceof TakenError ? ', or give --force to replace it' : ''
    console.error(`sluice: ${error instanceof Error ? plainText(error.message) : ''}${force}`)
    process.exitCode = CANNOT
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

const REDRAW_MS = 100

export interface Progress {
  update(done: number, total: number): void
  /** Takes the line away. */
  end(): void
}

/** A line on stderr that says how far something is; nothing where stderr is no terminal. */
export function showProgress(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (stream.isTTY !== true) return { update: () => undefined, end: () => undefined }
  let drawn = 0
  return {
    update(done, total) {
      if (Date.now() - drawn < REDRAW_MS) return
      drawn = Date.now()
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
      stream.write(`\r\u001b[K${what}: ${percent} %`)
    },
    end() {
      if (drawn > 0) stream.write('\r\u001b[K')
    },
  }
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB']

export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1_024 && unit < UNITS.length - 1) {
    size /= 1_024
    unit++
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit] ?? ''}`
}
