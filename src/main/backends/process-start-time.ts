import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LIMIT_MS = 5_000

/**
 * When a process began, as a text that is the same for the same process and no other: process ids are used again.
 * Undefined when there is no such process, or the system does not tell.
 */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxStartTime(pid)
  const [command, args] =
    process.platform === 'win32'
      ? ['powershell', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`]]
      : ['ps', ['-o', 'lstart=', '-p', String(pid)]]
  try {
    const { stdout } = await run(command, args, { timeout: LIMIT_MS, windowsHide: true })
    return stdout.trim() || undefined
  } catch (error) {
    // Both end with a status that is not 0 when there is no such process.
    if ((error as { code?: unknown }).code !== undefined) return undefined
    throw error
  }
}

/** Clock ticks after the boot that `boot_id` names: the 22nd field of `stat` (proc(5)), the second being a name with spaces. */
function linuxStartTime(pid: number): string | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields ?? []
  const ticks = fields?.[19]
  // A zombie is no process any more.
  if (ticks === undefined || state === 'Z') return undefined
  return `${ticks}@${readOrNothing('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}`
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return undefined
    throw error
  }
}
