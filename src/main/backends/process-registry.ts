import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { endGroup } from './process-group'
import { processStartTime } from './process-start-time'

/** What a run writes down of itself and of the server processes that it has started. */
const Entry = z.object({ pid: z.int().positive(), startTime: z.string(), command: z.string().optional() })
const RunFile = z.object({ owner: Entry, processes: z.array(Entry) })
type Entry = z.infer<typeof Entry>

export interface Orphan {
  pid: number
  command: string
}

export interface ProcessRegistry {
  /** Writes a process down that was just started. */
  add(pid: number, command: string): Promise<void>
  /** The process has ended. */
  remove(pid: number): void
  /** Ends what runs that crashed have left behind; resolves with what was ended. */
  reapOrphans(): Promise<Orphan[]>
}

const TERM_WAIT_MS = 1_000

/**
 * Server processes by run, one file a run in `folder`. A run that is killed leaves its file; the next one ends what still
 * runs of it. Ids are used again by the system, so that only a process with the same id and start time is the same.
 * Files that cannot be written are no reason not to start a server: `report` hears of it.
 */
export function createProcessRegistry(folder: string, report: (problem: string) => void): ProcessRegistry {
  const file = join(folder, `${process.pid}.json`)
  const processes = new Map<number, Entry>()
  let owner: Entry | undefined
  let own: Promise<string | undefined> | undefined

  const write = (): void => {
    if (owner === undefined) return
    try {
      if (processes.size === 0) {
        rmSync(file, { force: true })
        return
      }
      mkdirSync(folder, { recursive: true })
      const text = JSON.stringify({ owner, processes: [...processes.values()] })
      writeFileSync(`${file}.new`, text, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    } catch (error) {
      report(`the list of running servers cannot be written to ${file}: ${textOf(error)}`)
    }
  }

  return {
    add: async (pid, command) => {
      own ??= processStartTime(process.pid)
      const [ownStart, startTime] = await Promise.all([own, processStartTime(pid)])
      if (ownStart === undefined || startTime === undefined) return
      owner = { pid: process.pid, startTime: ownStart }
      processes.set(pid, { pid, startTime, command })
      write()
    },
    remove: (pid) => {
      if (processes.delete(pid)) write()
    },
    reapOrphans: async () => {
      const reaped: Orphan[] = []
      for (const name of filesIn(folder, report)) {
        const path = join(folder, name)
        const run = readRun(path, report)
        if (run !== undefined && (await isSame(run.owner))) continue
        await Promise.all(
          (run?.processes ?? []).map(async (entry) => {
            if (!(await isSame(entry))) return
            await endGroup(entry.pid, TERM_WAIT_MS)
            reaped.push({ pid: entry.pid, command: entry.command ?? '' })
          }),
        )
        rmSync(path, { force: true })
      }
      return reaped
    },
  }
}

async function isSame({ pid, startTime }: Entry): Promise<boolean> {
  return (await processStartTime(pid)) === startTime
}

function filesIn(folder: string, report: (problem: string) => void): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      report(`the lists of running servers in ${folder} cannot be read: ${textOf(error)}`)
    return []
  }
}

/** A file that cannot be understood names nothing that could be ended safely. */
function readRun(path: string, report: (problem: string) => void): z.infer<typeof RunFile> | undefined {
  try {
    return RunFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    report(`the list of running servers in ${path} cannot be read: ${textOf(error)}`)
    return undefined
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
