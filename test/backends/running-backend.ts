import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Activity, Backend, BackendState, UpstreamPart, UpstreamRequest } from '../../src/main/backends/backend'
import type { BackendOptions, BackendTiming } from '../../src/main/backends/backend-options'
import { createBackend } from '../../src/main/backends/create-backend'
import { BackendConfig } from '../../src/shared/config/schema'
import { META } from '../../src/shared/protocol/meta'

const here = fileURLToPath(new URL('../peers/servers/', import.meta.url))
const tsx = import.meta.resolve('tsx')

/** Short waits: nothing here is about the lengths themselves. */
export const QUICK: Partial<BackendTiming> = {
  // A server that is started with tsx on a busy machine needs seconds, and would be taken for a legacy one.
  discoverMs: 10_000,
  initializeMs: 10_000,
  probePausesMs: [30],
  restartPausesMs: [30, 60, 120],
  stopWaitMs: 300,
  resumeMs: 20,
}

export interface Run {
  backend: Backend
  states: BackendState[]
  activities: Activity[]
  /** Resolves with the first activity, past or to come, that fits. */
  activity(kind: Activity['kind'], text?: string | RegExp): Promise<Activity>
  /** Resolves when the state, now or later, is of that health. */
  health(health: BackendState['health']): Promise<BackendState>
}

/** Makes a backend for one test; it is closed when the test ends. */
export function run(config: Record<string, unknown>, options: Partial<BackendOptions> = {}): Run {
  const timing = { ...QUICK, ...options.timing }
  const backend = createBackend('one', BackendConfig.parse(config), {
    maxMessageBytes: 1_048_576,
    version: '0.0.0-test',
    via: '1.1 test',
    ...options,
    timing,
  })
  onTestFinished(() => backend.close())
  const states: BackendState[] = []
  const activities: Activity[] = []
  const waiting = new Set<() => void>()
  const news = (): void => {
    for (const check of [...waiting]) check()
  }
  backend.onState((state) => {
    states.push(state)
    news()
  })
  backend.onActivity((activity) => {
    activities.push(activity)
    news()
  })
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const found = find()
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  return {
    backend,
    states,
    activities,
    activity: (kind, text = '') =>
      until(() => activities.find((one) => one.kind === kind && one.text.search(text) !== -1)),
    health: (health) => until(() => (backend.state.health === health ? backend.state : undefined)),
  }
}

/** Configuration of a server of `test/peers/servers`, started with tsx. */
export function typescriptServer(file: string, ...args: string[]): Record<string, unknown> {
  return { command: process.execPath, args: ['--import', tsx, `${here}${file}`, ...args] }
}

/** Configuration of the scripted server. */
export function scripted(...modes: string[]): Record<string, unknown> {
  return { command: process.execPath, args: [`${here}scripted-stdio.mjs`, ...modes] }
}

let ids = 1_000

/** A `tools/call` in legacy form. */
export function legacyCall(name: string, args: object = {}, id: number | string = ++ids): UpstreamRequest {
  const params = { name, arguments: args, _meta: { progressToken: id } }
  return {
    method: 'tools/call',
    id,
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    mirroredName: name,
    headers: [],
  }
}

export interface ModernCallOptions {
  logLevel?: string
  method?: string
  params?: object
}

/** A request in modern form; `tools/call` unless `method` says otherwise. */
export function modernCall(name: string, args: object = {}, options: ModernCallOptions = {}): UpstreamRequest {
  const id = ++ids
  const method = options.method ?? 'tools/call'
  const meta = {
    [META.protocolVersion]: '2026-07-28',
    [META.clientInfo]: { name: 'test', version: '0' },
    [META.clientCapabilities]: {},
    progressToken: id,
    ...(options.logLevel === undefined ? {} : { [META.logLevel]: options.logLevel }),
  }
  const params = { ...(options.params ?? { name, arguments: args }), _meta: meta }
  return {
    method,
    id,
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    mirroredName: name,
    headers: [],
  }
}

/** All parts of an exchange. */
export async function partsOf(exchange: AsyncIterable<UpstreamPart>): Promise<UpstreamPart[]> {
  const parts: UpstreamPart[] = []
  for await (const part of exchange) parts.push(part)
  return parts
}

/** The messages among parts, parsed. */
export function messagesOf(parts: readonly UpstreamPart[]): unknown[] {
  return parts.flatMap((part) =>
    part.kind === 'frame' && part.data !== undefined && part.data !== '' ? [JSON.parse(part.data) as unknown] : [],
  )
}

export const ANY_SIGNAL = new AbortController().signal

export function textResult(text: string): object {
  return { result: { content: [{ type: 'text', text }] } }
}

/** True while a process of that id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves when `holds` does; it is looked at again and again. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
