/**
 * A gateway in a process of its own (`node --expose-gc`), so that what it holds can be measured apart from clients and
 * servers. It records nothing, it only counts: what a capture costs is another question.
 */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { Tap } from '../../src/main/capture/tap'
import { createGateway } from '../../src/main/gateway/gateway'
import type { NewCaptureEvent } from '../../src/shared/capture/events'
import { Configuration } from '../../src/shared/config/schema'

/** What the gateway's process holds, after a garbage collection. */
export interface Holdings {
  heapBytes: number
  /** Open file descriptors. */
  descriptors: number
  /** What keeps the event loop busy, by kind. */
  resources: Record<string, number>
  /** Calls that were received and have not ended. */
  calls: number
}

export type ToParent =
  | { kind: 'listening'; base: string }
  /** A backend's process was started. */
  | { kind: 'process'; backend: string; pid: number }
  | { kind: 'learned'; backend: string }
  | { kind: 'holdings'; holdings: Holdings }

export type ToGateway =
  { kind: 'start'; backends: Record<string, Record<string, unknown>>; timing: object } | { kind: 'measure' }

const tell = (message: ToParent): void => void process.send?.(message)

let calls = 0
let exchanges = 0
let received = 0
let ended = 0
let seq = 0
const tap: Tap = {
  record: (event: NewCaptureEvent) => {
    if (event.kind === 'call.received') received++
    if (event.kind === 'call.ended') ended++
    if (event.kind === 'backend.started' || event.kind === 'backend.restarted') {
      const pid = /^process (\d+)/.exec(event.text ?? '')?.[1]
      if (pid !== undefined) tell({ kind: 'process', backend: event.backend, pid: Number(pid) })
    }
    if (event.kind === 'backend.catalog') tell({ kind: 'learned', backend: event.backend })
    return ++seq
  },
  nextCall: () => ++calls,
  nextExchange: () => ++exchanges,
}

async function measured(): Promise<Holdings> {
  if (global.gc === undefined) throw new Error('to be started with --expose-gc')
  // What was let go of in one collection may free more in the next.
  for (let round = 0; round < 3; round++) {
    global.gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const resources: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
  const descriptors = process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0
  return { heapBytes: process.memoryUsage().heapUsed, descriptors, resources, calls: received - ended }
}

process.on('message', (message: ToGateway) => {
  if (message.kind === 'measure') {
    void measured().then((holdings) => tell({ kind: 'holdings', holdings }))
    return
  }
  const { backends, timing } = message
  const gateway = createGateway({
    configuration: Configuration.parse({ gateway: { port: 0 }, mcpServers: backends }),
    tap,
    stateKeys: { current: 'test', secrets: new Map([['test', new Uint8Array(randomBytes(32))]]) },
    version: '0.0.0-test',
    backends: { timing },
  })
  process.on('disconnect', () => void gateway.close(0).then(() => process.exit(0)))
  void gateway.listen().then(() => tell({ kind: 'listening', base: gateway.base }))
})
