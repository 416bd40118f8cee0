import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LOOK_MS = 25
const TASKKILL_MS = 5_000

/** True while any process of the group is there. On Windows, where there are no groups, this looks at the process alone. */
export function groupIsAlive(pid: number): boolean {
  return signalGroup(pid, 0)
}

/** Asks the group to end, and kills it when it has not within `waitMs`. Resolves when it is gone, or cannot be ended. */
export async function endGroup(pid: number, waitMs: number): Promise<void> {
  if (process.platform === 'win32') {
    await endTree(pid)
    return
  }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!signalGroup(pid, signal)) return
    await goneWithin(pid, waitMs)
  }
}

/** Where taskkill is missing, or does not end the tree (one process in it may be another user's), the process alone is ended. */
async function endTree(pid: number): Promise<void> {
  try {
    await run('taskkill', ['/pid', String(pid), '/T', '/F'], { timeout: TASKKILL_MS, windowsHide: true })
  } catch (error) {
    // A status that is not 0, ENOENT, or the time-out: what matters is whether the process is still there.
    if (!(error instanceof Error)) throw error
    signalGroup(pid, 'SIGKILL')
  }
}

async function goneWithin(pid: number, limitMs: number): Promise<void> {
  const until = Date.now() + limitMs
  while (groupIsAlive(pid) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

/** False when nothing was there to get the signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // EPERM: it is there, under another user.
    if (code === 'ESRCH') return false
    if (code === 'EPERM') return signal === 0
    throw error
  }
}
