import { isObject, type JsonValue } from '../protocol/json-rpc'
import type { Era } from '../protocol/revisions'
import type { EndedBy } from '../capture/events'
import type { CallRecord } from '../capture/record'
import type { RecordedExchange } from './recorded-exchange'
import { holdsMark } from './redacted-text'

/** One recorded exchange that is sent again. */
export interface PlannedRound {
  call: number
  exchange: number
  /** Microseconds since the capture began. */
  at: number
}

/** One request, or the chain of rounds that it took, as it would be sent again. */
export interface PlannedOperation {
  /** Position in the plan, from 0. */
  index: number
  /** Call of the first round. */
  call: number
  method: string
  /** Tool or prompt name, or URI, as the backend knows it; null where the method has none. */
  name: string | null
  /** Name of the backend in the capture; null when the call reached none. */
  recordedBackend: string | null
  /** Name of the backend that it would be sent to; null when there is none. */
  backend: string | null
  rounds: PlannedRound[]
  /** Of the client that it is sent as: legacy where the server asked in the middle of the call. */
  era: Era
  /** Why it may only be sent when the user says so; null when it changes nothing. */
  consent: string | null
  /** Why it cannot be sent, in words; null when it can. */
  problem: string | null
}

/** Where the calls of a recorded backend go. */
export interface BackendMapping {
  from: string
  to: string | null
  /** Operations that can be sent there. */
  calls: number
}

/** What a replay would do. Serialisable. */
export interface ReplayPlan {
  mapping: BackendMapping[]
  operations: PlannedOperation[]
  /** Operations that can be sent, those of them that need consent, and those that cannot be sent. */
  counts: { sent: number; consent: number; notSent: number }
}

/** Methods that are no question with an answer of its own, and why. */
const NOT_SENT: Readonly<Record<string, string>> = {
  initialize: 'sessions are opened anew',
  'notifications/initialized': 'sessions are opened anew',
  ping: 'a ping is no call',
  'logging/setLevel': 'it sets the state of a session, and is no call of its own',
  'resources/subscribe': 'it sets the state of a session, and is no call of its own',
  'resources/unsubscribe': 'it sets the state of a session, and is no call of its own',
  'subscriptions/listen': 'a stream of subscriptions has no answer',
  'tasks/get': 'the task of the recording is no longer there',
  'tasks/update': 'the task of the recording is no longer there',
  'tasks/cancel': 'the task of the recording is no longer there',
  'tasks/result': 'the task of the recording is no longer there',
  'tasks/list': 'the tasks of the recording are no longer there',
}

/** Why a call that came to no answer did not, by who ended it. */
const WITHOUT_ANSWER: Readonly<Record<EndedBy | 'nobody', string>> = {
  client: 'its client gave up before the answer came',
  gateway: 'the gateway ended it before the answer came',
  backend: 'its backend ended it without an answer',
  nobody: 'the capture ends before the answer came',
}

/** Why a round cannot be sent again; null when it can. `expected` is the round that it is in its chain. */
export function problemOfRound(
  { method, round, cut, params, answer, ended, endedBy }: RecordedExchange,
  expected: number,
): string | null {
  const why = NOT_SENT[method]
  if (why !== undefined) return why
  if (round !== expected) return 'its first round is not in the capture'
  if (cut !== null) return cut
  if (holdsRedacted(withoutState(params))) return 'a value in its params was redacted'
  if (answer === null && (ended === null || ended.reason === 'cancelled')) return WITHOUT_ANSWER[endedBy ?? 'nobody']
  return null
}

/** Why a call that reached no backend is not sent again. */
export function problemOfUnsent({ summary, ended }: CallRecord): string {
  const why = NOT_SENT[summary.method ?? '']
  if (why !== undefined) return why
  if (summary.method === null) return 'it was no request'
  return ended?.outcome === 'error' ? 'the gateway refused it, and no backend was asked' : 'no backend was asked'
}

function withoutState({ requestState: _state, _meta, ...rest }: RecordedExchange['params']): JsonValue {
  return rest
}

function holdsRedacted(value: JsonValue | undefined): boolean {
  if (holdsMark(value)) return true
  if (Array.isArray(value)) return value.some(holdsRedacted)
  return isObject(value) && Object.values(value).some(holdsRedacted)
}

/** True when the server asked in the middle of the call, which only a legacy client can answer. */
export function asksInTheMiddle({ frames }: RecordedExchange): boolean {
  return frames.some(({ message }) => message?.kind === 'request' && message.method !== 'ping')
}

/** Where calls of recorded backends go: as given, else to the one of the same name, else to the only one there is. */
export function mapBackends(
  recorded: ReadonlyMap<string, number>,
  current: readonly string[],
  given: Readonly<Record<string, string>>,
): BackendMapping[] {
  const only = recorded.size === 1 && current.length === 1 ? (current[0] ?? null) : null
  return [...recorded].map(([from, calls]) => {
    const wanted = Object.hasOwn(given, from) ? given[from] : undefined
    const to = wanted ?? (current.includes(from) ? from : only)
    return { from, to: to !== null && current.includes(to) ? to : null, calls }
  })
}
