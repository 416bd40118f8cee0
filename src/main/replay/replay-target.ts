import type { CallEvent } from '../../shared/capture/events'
import type { CallRecord } from '../../shared/capture/record'
import { CallFold } from '../../shared/capture/fold'
import { redactEvent, RedactionMemory } from '../../shared/capture/redaction'
import type { RedactionRules } from '../../shared/capture/redaction-rules'
import type { CallSummary } from '../../shared/capture/summary'
import type { BackendState } from '../backends/backend'
import type { Recorder } from '../capture/recorder-contract'

/** The running gateway that recorded calls are sent to, and what it records of them. */
export interface ReplayTarget {
  /** Names of the configured backends. */
  backends(): string[]
  /** Asks a backend how it is. Resolves with why it cannot be used, in words, or undefined when it can. */
  problem(backend: string): Promise<string | undefined>
  /** The endpoint of one backend, where names are its own. */
  endpoint(backend: string): string
  /**
   * What was recorded of the call with this id, once it has ended, with marks in place of what `rules` redact. Ids are
   * texts that begin with `REPLAY_ID`. Rejects when `signal` is aborted before.
   */
  recorded(id: string, rules: RedactionRules, signal: AbortSignal): Promise<CallRecord>
  /** What was recorded of a call of this run. */
  events(call: number): Promise<readonly CallEvent[]>
  close(): void
}

/** How ids of calls begin that a replay makes. */
export const REPLAY_ID = 'replay-'

interface TargetGateway {
  readonly base: string
  backends(): readonly { name: string; state: BackendState; discover(): Promise<BackendState> }[]
}

export function createReplayTarget(
  gateway: TargetGateway,
  recorder: Pick<Recorder, 'onChange' | 'events'>,
): ReplayTarget {
  /** Calls that have ended, and those that are waited for, by id. */
  const ended = new Map<string, number>()
  const waiting = new Map<string, (call: number) => void>()
  const stop = recorder.onChange((rows) => {
    for (const { id, endedAt, call } of rows) {
      if (!isReplayed(id) || endedAt === null) continue
      const resolve = waiting.get(id)
      if (resolve === undefined) ended.set(id, call)
      else resolve(call)
    }
  })
  const numberOf = (id: string, signal: AbortSignal): Promise<number> =>
    new Promise((resolve, reject) => {
      const known = ended.get(id)
      const done = (): void => {
        waiting.delete(id)
        ended.delete(id)
        signal.removeEventListener('abort', abort)
      }
      const abort = (): void => {
        done()
        reject(signal.reason instanceof Error ? signal.reason : new Error('the call was not recorded in time'))
      }
      if (known !== undefined) {
        done()
        resolve(known)
        return
      }
      waiting.set(id, (call) => {
        done()
        resolve(call)
      })
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    })
  return {
    backends: () => gateway.backends().map(({ name }) => name),
    problem: async (wanted) => {
      const backend = gateway.backends().find(({ name }) => name === wanted)
      if (backend === undefined) return `there is no backend "${wanted}"`
      const state = ['ready', 'degraded'].includes(backend.state.health) ? backend.state : await backend.discover()
      if (state.health === 'ready' || state.health === 'degraded') return undefined
      return `the backend "${wanted}" is ${state.health}${state.reason === undefined ? '' : `: ${state.reason}`}`
    },
    endpoint: (backend) => `${gateway.base}/mcp/${backend}`,
    recorded: async (id, rules, signal) => {
      const call = await numberOf(id, signal)
      const fold = new CallFold(undefined, false)
      const memory = new RedactionMemory()
      for (const event of await recorder.events(call)) fold.add(redactEvent(event, rules, memory) as CallEvent)
      return fold.record
    },
    events: (call) => recorder.events(call),
    close: stop,
  }
}

function isReplayed(id: CallSummary['id']): id is string {
  return typeof id === 'string' && id.startsWith(REPLAY_ID)
}
