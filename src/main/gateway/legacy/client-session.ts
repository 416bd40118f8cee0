import { randomUUID } from 'node:crypto'
import { canBeAsked } from '../../../shared/protocol/client-capabilities'
import { isObject, type JsonObject, type JsonValue, type RequestId } from '../../../shared/protocol/json-rpc'
import type { LogLevel } from '../../../shared/protocol/meta'
import type { Backend, LegacySession } from '../../backends/backend'
import type { Call } from '../call'
import { errorResponseText } from '../gateway-error'
import { progressTokenOf, replaceToken, withProgressToken } from '../progress-token'
import { EventStore } from './event-store'

/** Stream id of the session's GET stream in its event store. */
export const STANDALONE = 'get'

export interface SessionFacts {
  endpoint: string
  /** Name of the backend of `/mcp/<backend>`; undefined for all. */
  backend: string | undefined
  /** Digest of the `Authorization` that opened it; requests of another caller do not find it. */
  caller: string | null
  protocolVersion: string
  clientInfo: JsonObject
  capabilities: JsonObject
}

/** What a client answered to a request that was sent to it. */
export type ClientAnswer = { result: JsonObject } | { error: { code: number; message: string } }

/** The answer as the server gets it, under the id of its request. */
export function answerText(idRaw: string, answer: ClientAnswer): string {
  if ('result' in answer) return `{"jsonrpc":"2.0","id":${idRaw},"result":${JSON.stringify(answer.result)}}`
  return errorResponseText(idRaw, answer.error)
}

interface Pending {
  /** Number of the call that it was asked for. */
  call: number
  resolve: (answer: ClientAnswer) => void
  /** Who wants to hear of progress, under which token. */
  progress?: { token: RequestId; asker: Backend }
}

/** One `initialize` session of a legacy client: its capabilities, its streams, and what it was asked. */
export class ClientSession {
  readonly id = randomUUID()
  readonly store = new EventStore()
  /** Calls in flight by the raw JSON of the client's id, for `notifications/cancelled`. */
  readonly calls = new Map<string, Call>()
  /** URIs subscribed with `resources/subscribe`, by the backend that has them. */
  readonly subscriptions = new Map<Backend, Set<string>>()
  logLevel: LogLevel | undefined
  lastUsed = Date.now()
  readonly #pending = new Map<string, Pending>()
  readonly #upstream = new Map<Backend, Promise<LegacySession>>()
  readonly #onClose = new Set<() => void>()
  #lastRequest = 0
  #closed = false

  constructor(readonly facts: SessionFacts) {}

  get closed(): boolean {
    return this.#closed
  }

  /** Whether this client can be asked `method`: it declared the capability at `initialize`. */
  canAnswer(method: string, params: JsonValue | undefined): boolean {
    return canBeAsked(this.facts.capabilities, method, params)
  }

  /**
   * Sends a request to the client through `send`, for a call, and resolves with its answer, or with an error when the
   * session or `signal` ends first. `asker` is the legacy backend that hears of the client's progress on it.
   */
  ask(
    call: number,
    method: string,
    params: JsonValue | undefined,
    signal: AbortSignal,
    send: (text: string, id: string) => void,
    asker?: Backend,
  ): Promise<ClientAnswer> {
    const id = `sluice-${++this.#lastRequest}`
    // Backends may use the same tokens, as they may use the same ids.
    const token = asker && progressTokenOf(params)
    const given = token === undefined ? params : withProgressToken(params, id)
    return new Promise((resolve) => {
      const settle = (answer: ClientAnswer): void => {
        this.#pending.delete(id)
        signal.removeEventListener('abort', abort)
        resolve(answer)
      }
      const abort = (): void =>
        settle({ error: { code: -32603, message: 'the call ended before the client answered' } })
      const progress = asker === undefined || token === undefined ? {} : { progress: { token, asker } }
      this.#pending.set(id, { call, resolve: settle, ...progress })
      if (this.#closed || signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      send(JSON.stringify({ jsonrpc: '2.0', id, method, params: given }), id)
    })
  }

  /** Takes a posted response. Returns the number of the call that it is for; undefined when nothing was asked under its id. */
  answer(message: JsonObject): number | undefined {
    const pending = typeof message.id === 'string' ? this.#pending.get(message.id) : undefined
    if (pending === undefined) return undefined
    const { result, error } = message
    if (isObject(result)) pending.resolve({ result })
    else {
      const given = isObject(error) ? error : {}
      const code = typeof given.code === 'number' ? given.code : -32603
      pending.resolve({ error: { code, message: String(given.message ?? 'the client answered without a result') } })
    }
    return pending.call
  }

  /**
   * Takes the client's progress on what it was asked to the backend that asked, under that one's own token. Resolves with
   * what became of it, in words.
   */
  async progress(message: JsonObject, body: string): Promise<string> {
    const token = isObject(message.params) ? message.params.progressToken : undefined
    const pending = typeof token === 'string' ? this.#pending.get(token) : undefined
    const upstream = pending?.progress && this.#upstream.get(pending.progress.asker)
    if (pending?.progress === undefined || upstream === undefined)
      return 'Progress on nothing that this client was asked with a progress token: ignored.'
    const { asker, token: own } = pending.progress
    const of = `Progress on what call #${pending.call} asked this client`
    try {
      await (await upstream).notify(replaceToken(body, JSON.stringify(own)).text)
      return `${of}: passed on to "${asker.name}".`
    } catch (error) {
      return `${of}: not passed on to "${asker.name}" (${error instanceof Error ? error.message : String(error)}).`
    }
  }

  subscribed(backend: Backend): string[] {
    return [...(this.subscriptions.get(backend) ?? [])]
  }

  /** Sends a message that belongs to no call: onto the GET stream, or kept for when one is opened or resumed. `from`: the upstream frame. */
  push(text: string, from?: number): void {
    if (!this.#closed) this.store.append(STANDALONE, text, false, from)
  }

  /** The session of this client's own with a legacy backend, opened when first needed. */
  upstream(backend: Backend, open: () => Promise<LegacySession>): Promise<LegacySession> {
    const known = this.#upstream.get(backend)
    if (known !== undefined) return known
    const opening = open()
    this.#upstream.set(backend, opening)
    const forget = (): void => {
      if (this.#upstream.get(backend) === opening) this.#upstream.delete(backend)
    }
    // A session that could not be opened, or was lost, is opened anew by the next call.
    opening.then((session) => session.onClosed(forget), forget)
    return opening
  }

  /** Upstream sessions that are open now. */
  async upstreams(): Promise<LegacySession[]> {
    const settled = await Promise.allSettled(this.#upstream.values())
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  /** Calls are in flight, or the GET stream is followed. */
  get busy(): boolean {
    return this.calls.size > 0 || this.store.followed(STANDALONE)
  }

  /** The client is away: upstream sessions are left in peace until it comes back. */
  async rest(): Promise<void> {
    for (const session of await this.upstreams()) if (!this.busy) session.rest()
  }

  /** Returns what takes the listener back. */
  onClose(listener: () => void): () => void {
    if (this.#closed) listener()
    else this.#onClose.add(listener)
    return () => this.#onClose.delete(listener)
  }

  /** Ends calls, streams and upstream sessions. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const call of this.calls.values()) call.abandon({ code: -32603, message: 'The session was ended.' })
    for (const { resolve } of [...this.#pending.values()])
      resolve({ error: { code: -32603, message: 'the session was ended' } })
    for (const listener of this.#onClose) listener()
    await Promise.all((await this.upstreams()).map((session) => session.close()))
  }
}
