import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../shared/protocol/json-rpc'
import { SessionError, type Backend, type LegacySession } from '../backends/backend'
import type { ListKind } from './catalog/contract'
import { listenForChanges } from './subscriptions/own-listening'

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
  /** Of this gateway, for `clientInfo`. */
  version: string
}

/**
 * What backends say of changes of their lists, on whatever way it comes. Legacy ones say it on the session that they have
 * with the gateway anyway. At modern ones a stream has to be opened for it, which is done only while somebody watches.
 */
export class Announcements {
  readonly #options: AnnouncementsOptions
  readonly #heardOn = new WeakSet<LegacySession>()
  readonly #learning = new Map<Backend, Promise<void>>()
  readonly #again = new Set<Backend>()
  /** Streams of the gateway's own at modern backends. */
  readonly #listening = new Map<Backend, AbortController>()
  #watchers = 0

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

  /** Somebody looks at what backends offer, until the function is called that this returns. */
  watch(backends: readonly Backend[]): () => void {
    this.#watchers++
    for (const backend of backends) if (backend.state.era === 'modern') void this.#listenModern(backend, false)
    let left = false
    return () => {
      if (left) return
      left = true
      if (--this.#watchers === 0) for (const backend of [...this.#listening.keys()]) this.forget(backend)
    }
  }

  /** The backend is let go. */
  forget(backend: Backend): void {
    this.#listening.get(backend)?.abort()
    this.#listening.delete(backend)
  }

  /** The lists of the backend were just learned: hears of their changes from now on. */
  async listen(backend: Backend): Promise<void> {
    if (backend.state.era === 'legacy') await this.#listenLegacy(backend)
    else if (this.#watchers > 0) void this.#listenModern(backend, true)
  }

  async #listenModern(backend: Backend, isFresh: boolean): Promise<void> {
    if (this.#listening.has(backend)) return
    const over = new AbortController()
    this.#listening.set(backend, over)
    const heard = (method: string): void => this.heard(backend, method)
    const missed = (): void => this.#missed(backend)
    await listenForChanges({ backend, version: this.#options.version, heard, missed }, isFresh, over.signal)
    if (this.#listening.get(backend) === over) this.#listening.delete(backend)
  }

  #missed(backend: Backend): void {
    for (const method of LISTS_OF.keys()) this.heard(backend, method)
  }

  /** Hears a legacy backend on the session that the gateway's own questions use. */
  async #listenLegacy(backend: Backend): Promise<void> {
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
    session.onRenewed(() => this.#missed(backend))
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
