import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Measured, Order } from './scenarios'

/** A process of the measurement. `firstLine` is what it printed first. */
export interface Started {
  firstLine: string
  pid: number
  stop(): Promise<void>
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** Runs a TypeScript file of this folder in a process of its own. */
export function startScript(file: string, ...parameters: string[]): Promise<Started> {
  return started(
    spawn(process.execPath, ['--import', 'tsx', here(file), ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] }),
    file,
  )
}

/** Runs the built command line, as it is shipped. */
export function startSluice(built: string, parameters: string[], nodeOptions: string[]): Promise<Started> {
  if (!existsSync(built)) throw new Error(`${built} is not there: run "npm run build" first`)
  const child = spawn(process.execPath, [...nodeOptions, built, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return started(child, 'sluice')
}

async function started(child: ChildProcess, name: string): Promise<Started> {
  if (!child.stdout || child.pid === undefined) throw new Error(`${name} did not start`)
  const lines = createInterface({ input: child.stdout })
  const [firstLine] = (await answerOf(child, name, (signal) => once(lines, 'line', { signal }))) as [string]
  return {
    firstLine,
    pid: child.pid,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** What `wait` brings, unless the process ends first. */
async function answerOf<Answer>(
  child: ChildProcess,
  name: string,
  wait: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, 'exit', { signal }).then(([code]: unknown[]) => {
    throw new Error(`${name} ended with ${String(code)}`)
  })
  try {
    return await Promise.race([wait(signal), ended])
  } finally {
    // The loser rejects with an AbortError, which says nothing.
    ended.catch(() => undefined)
    settled.abort()
  }
}

export interface LoadGenerator {
  run(order: Order): Promise<Measured>
  stop(): void
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(here('load.ts'), { execArgv: ['--import', 'tsx'] })
  return {
    run: async (order) => {
      child.send(order)
      const [measured] = await answerOf(child, 'the load generator', (signal) => once(child, 'message', { signal }))
      return measured as Measured
    },
    stop: () => child.disconnect(),
  }
}

const TICKS_PER_SECOND = 100

/** CPU time that a process has used, in seconds (user and system, to 10 ms), or undefined where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  // The command's name is in parentheses and may hold spaces; the fields after it are numbers.
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
