import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Holdings, ToGateway, ToParent } from './gateway-process'

export interface GatewayChild {
  /** The endpoint of all backends. */
  all: string
  /** The process that serves a stdio backend, or did last. */
  pidOf(backend: string): number
  /** Resolves when what all backends offer was learned. */
  learned: Promise<void>
  measure(): Promise<Holdings>
}

/** Starts a gateway in a process of its own; it ends with the test. */
export async function startGatewayChild(
  backends: Record<string, Record<string, unknown>>,
  timing: object,
): Promise<GatewayChild> {
  const script = fileURLToPath(new URL('gateway-process.ts', import.meta.url))
  const child = fork(script, { execArgv: ['--expose-gc', '--import', 'tsx'] })
  onTestFinished(async () => {
    const exited = once(child, 'exit')
    child.disconnect()
    await exited
  })
  const pids = new Map<string, number>()
  const unlearned = new Set(Object.keys(backends))
  let allLearned: () => void = () => undefined
  const learned = new Promise<void>((resolve) => (allLearned = resolve))
  const heard = <Kind extends ToParent['kind']>(kind: Kind): Promise<Extract<ToParent, { kind: Kind }>> =>
    new Promise((resolve) => {
      const listen = (message: ToParent): void => {
        if (message.kind !== kind) return
        child.off('message', listen)
        resolve(message as Extract<ToParent, { kind: Kind }>)
      }
      child.on('message', listen)
    })
  child.on('message', (message: ToParent) => {
    if (message.kind === 'process') pids.set(message.backend, message.pid)
    if (message.kind === 'learned' && unlearned.delete(message.backend) && unlearned.size === 0) allLearned()
  })
  const tell = (message: ToGateway): void => void child.send(message)
  const listening = heard('listening')
  tell({ kind: 'start', backends, timing })
  const { base } = await listening
  return {
    all: `${base}/mcp`,
    pidOf: (backend) => {
      const pid = pids.get(backend)
      if (pid === undefined) throw new Error(`no process of ${backend} was started`)
      return pid
    },
    learned,
    measure: async () => {
      const holdings = heard('holdings')
      tell({ kind: 'measure' })
      return (await holdings).holdings
    },
  }
}
