import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder'

export interface CaptureLock {
  release(): void
}

/**
 * Claims a capture file for this process, by a file beside it that names the process. Two writers would give out the same
 * numbers. A claim of a process that is no longer there does not count. Where no claim can be written, the capture itself
 * will fail in the same way and say so.
 */
export function lockCapture(path: string): CaptureLock | { problem: string } {
  const file = `${path}.lock`
  const unclaimed: CaptureLock = { release: () => undefined }
  try {
    makeFolder(dirname(path))
  } catch (error) {
    if (codeOf(error) !== undefined) return unclaimed
    throw error
  }
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
      return { release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      if (codeOf(error) !== 'EEXIST') return unclaimed
      const holder = holderOf(file)
      if (holder !== undefined) {
        return {
          problem: `${path} is being written by another Sluice (process ${holder}); name another file to record to`,
        }
      }
      rmSync(file, { force: true })
    }
  }
  return unclaimed
}

/** True while a process that is alive records to `path`. */
export function isBeingWritten(path: string): boolean {
  return holderOf(`${path}.lock`) !== undefined
}

/** The living process that wrote the claim, if there is one besides this. */
function holderOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    process.kill(pid, 0)
    return pid
  } catch (error) {
    // EPERM: it is there, and another user's.
    return codeOf(error) === 'EPERM' ? 0 : undefined
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
