import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../shared/protocol/json-rpc'
import { SessionError, type Backend, type LegacySession } from '../backends/backend'
import type { ListKind } from './catalog/contract'

const LISTS_OF: ReadonlyMap<string, readonly ListKind[]> = new Map([
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/prompts/list_changed', ['prompts']],
  ['notifications/resources/list_changed', ['resources', 'resourceTemplates']],
])
/** Announcements of one change come several at a time, by every session and subscription there is. */
const SETTLE_MS = 50

export interface AnnouncementsOptions {
  /** What is kept of a list is stale. */
  expire(backend: Backend, kind: ListKind): void
  /** Asks for the lists anew, for the desk. */
  learn(backend: Backend): Promise<void>
}

/** What backends say of changes of their lists, on whatever way it comes. */
export class Announcements {
  readonly #options: AnnouncementsOptions
  readonly #heardOn = new WeakSet<LegacySession>()
  readonly #learning = new Map<Backend, Promise<void>>()
  readonly #again = new Set<Backend>()

  constructor(options: AnnouncementsOptions) {
    this.#options = options
  }

  /** Takes a notification of a backend; all but `list_changed` are of no interest here. */
  heard(backend: Backend, method: string): void {
    const kinds = LISTS_OF.get(method)
    if (kinds === undefined) return
    for (const kind of kinds) this.#options.expire(backend, kind)
    if (this.#learning.has(backend)) this.#again.add(backend)
    else this.#learning.set(backend, this.#learn(backend))
  }

  /** Hears a legacy backend on the session that the gateway's own questions use. */
  async listen(backend: Backend): Promise<void> {
    let session: LegacySession
    try {
      session = await backend.shared([])
    } catch (error) {
      // The state of the backend says why; it is listened to when it is back.
      if (error instanceof SessionError) return
      throw error
    }
    if (this.#heardOn.has(session)) return
    this.#heardOn.add(session)
    session.onRenewed(() => {
      for (const method of LISTS_OF.keys()) this.heard(backend, method)
    })
    session.onStray(({ data, respond }) => {
      const message: unknown = JSON.parse(data)
      if (!isObject(message)) return
      if (respond === undefined) this.heard(backend, String(message.method))
      else respond(refusal(message.id))
    })
  }

  async #learn(backend: Backend): Promise<void> {
    do {
      this.#again.delete(backend)
      await pause(SETTLE_MS, undefined, { ref: false })
      await this.#options.learn(backend)
    } while (this.#again.has(backend))
    this.#learning.delete(backend)
  }
}

function refusal(id: unknown): string {
  const error = { code: -32601, message: 'Sluice: this request names no call that it belongs to.' }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
