import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import { META } from '../../../shared/protocol/meta'
import { MODERN_VERSION } from '../../../shared/protocol/revisions'
import type { Backend } from '../../backends/backend'
import { readUpstreamMessage } from '../upstream-message'
import { expectedOf, type Filter } from './filter'
import { ACKNOWLEDGED, FINAL_ERRORS } from './message-texts'
import { RENEWAL_PAUSES_MS, renewalPauseMs } from './pauses'

export interface OwnListeningOptions {
  backend: Backend
  version: string
  pausesMs?: readonly number[]
  /** The backend sent a notification. */
  heard(method: string): void
  /** Nothing was heard for a while: any list may be another one. */
  missed(): void
}

const METHOD = 'subscriptions/listen'
const LISTS: Filter = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }

let listenings = 0

/**
 * A `subscriptions/listen` of the gateway's own at a modern backend, for changes of the lists that it says may change.
 * Like all questions of the gateway's own without a client, it is not recorded. Resolves when `over` is aborted, when the
 * backend is down or refuses for good, or when none of its lists changes: whoever learns the lists anew listens anew.
 */
export async function listenForChanges(
  options: OwnListeningOptions,
  isFresh: boolean,
  over: AbortSignal,
): Promise<void> {
  const { backend, missed, pausesMs = RENEWAL_PAUSES_MS } = options
  let failures = 0
  let fresh = isFresh
  while (!over.aborted) {
    const wanted = expectedOf(LISTS, backend.state.discovered)
    if (Object.keys(wanted).length === 0) return
    const end = await attempt(options, wanted, over, () => {
      failures = 0
      if (!fresh) missed()
    })
    fresh = false
    if (end === 'refused') return
    // A server that closes subscriptions as it should is not asked again at once.
    const wait = end === 'closed' ? Math.max(...pausesMs) : renewalPauseMs(failures++, pausesMs)
    await pause(wait, undefined, { signal: over, ref: false }).catch((error: unknown) => {
      if (!over.aborted) throw error
    })
    if (backend.state.health === 'down' || backend.state.era !== 'modern') return
  }
}

async function attempt(
  { backend, version, heard }: OwnListeningOptions,
  wanted: Filter,
  over: AbortSignal,
  acknowledged: () => void,
): Promise<'lost' | 'closed' | 'refused'> {
  const id = `sluice-listen-${++listenings}`
  const _meta = {
    [META.protocolVersion]: MODERN_VERSION,
    [META.clientInfo]: { name: 'sluice', version },
    [META.clientCapabilities]: {},
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: METHOD, params: { notifications: wanted, _meta } })
  let end: 'lost' | 'closed' | 'refused' = 'lost'
  for await (const part of backend.exchange({ method: METHOD, id, body, headers: [] }, over)) {
    if (part.kind !== 'frame' || part.data === undefined || part.data === '') continue
    const read = readUpstreamMessage(part.data, id)
    if (read.kind === 'response') {
      if (read.error === undefined) end = 'closed'
      else if (FINAL_ERRORS.has(read.error.code)) end = 'refused'
    }
    if (read.kind !== 'notification') continue
    const { method, params } = read.message
    if (method === ACKNOWLEDGED) acknowledged()
    else if (method === 'notifications/cancelled' && isEndOf(params, id)) end = 'closed'
    else heard(String(method))
  }
  return end
}

function isEndOf(params: JsonObject[string], id: string): boolean {
  return isObject(params) && params.requestId === id
}
