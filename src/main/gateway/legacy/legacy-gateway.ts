import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import type { Call } from '../call'
import { askForCall } from '../ask'
import type { Backend } from '../../backends/backend'
import { configuredBackends, type DispatchParts } from '../dispatch'
import type { Reception } from '../reception'
import type { ClientSession, SessionFacts } from './client-session'
import { GatewayError } from '../gateway-error'
import { dispatchLegacy } from './legacy-dispatch'
import { LegacyDoor } from './legacy-door'
import { modernMeta } from './modern-request'
import { upstreamOpener } from './open-upstream'
import { SessionPush } from './session-push'
import { SessionStore } from './session-store'

export interface LegacyGatewayOptions {
  reception: Reception
  parts: DispatchParts
  version: string
  pingIntervalMs(): number
  /** Time that a client may be away before backends are no longer listened to for it. */
  pushLingerMs(): number
  onBackends(listener: () => void): () => void
  /** A backend said that one of its lists changed. */
  announced(backend: Backend, method: string): void
  /** Keeps account of calls under way, so that they end with the gateway. */
  track(call: Call, serving: Promise<void>): Promise<void>
}

/** All that legacy clients need, put together: sessions, their calls, and what is pushed to them. */
export class LegacyGateway {
  readonly door: LegacyDoor
  readonly #options: LegacyGatewayOptions
  readonly #sessions = new SessionStore()
  readonly #pushes = new WeakMap<ClientSession, SessionPush>()
  /** Sessions whose client is away. */
  readonly #away = new WeakSet<ClientSession>()
  readonly #leaving = new WeakMap<ClientSession, NodeJS.Timeout>()

  constructor(options: LegacyGatewayOptions) {
    this.#options = options
    const { reception, version, pingIntervalMs, parts } = options
    const open = upstreamOpener(parts.logLevel)
    const resubscribe = async (session: ClientSession, backend: Backend): Promise<void> =>
      this.#pushes.get(session)?.resubscribe(backend)
    this.door = new LegacyDoor({
      reception,
      sessions: this.#sessions,
      version,
      pingIntervalMs,
      discover: (call, facts) => this.#discover(call, facts),
      serve: (call, session) => {
        const own = session.facts.backend === undefined ? undefined : parts.backend(session.facts.backend)
        return options.track(call, dispatchLegacy(call, session, own, { ...parts, open, resubscribe }))
      },
      left: (session) => this.#left(session),
      listening: (session, call, headers, resumed) => {
        const push = this.#pushes.get(session)
        // What broke off was only the client's stream.
        if (resumed && push !== undefined) return
        push?.stop()
        this.#pushes.set(
          session,
          new SessionPush({
            session,
            call,
            headers,
            returned: this.#away.delete(session),
            tap: reception.tap,
            backends: () => configuredBackends(parts, session.facts.backend),
            open,
            onBackends: options.onBackends,
            changed: options.announced,
          }),
        )
      },
    })
  }

  close(): Promise<void> {
    return this.#sessions.closeAll()
  }

  /** A client that stays away does not keep the streams of backends open; they are opened again when it is back. */
  #left(session: ClientSession): void {
    clearTimeout(this.#leaving.get(session))
    if (session.busy || session.closed) return
    const timer = setTimeout(() => {
      if (session.busy || session.closed) return
      const push = this.#pushes.get(session)
      if (push !== undefined) this.#away.add(session)
      push?.stop()
      this.#pushes.delete(session)
      void session.rest()
    }, this.#options.pushLingerMs())
    this.#leaving.set(session, timer.unref())
  }

  /** What the endpoint offers, for `initialize`. */
  async #discover(call: Call, facts: SessionFacts): Promise<JsonObject> {
    const { parts } = this.#options
    const { backend, clientInfo, capabilities } = facts
    const meta = modernMeta(clientInfo, capabilities)
    const own = backend === undefined ? undefined : parts.backend(backend)
    if (own === undefined) {
      const { resultText } = await parts.catalog.discover((asked, method, params, signal) =>
        askForCall(call, asked, method, params, signal, parts.backend(asked.name)?.passHeaders ?? new Set(), { meta }),
      )
      return JSON.parse(resultText) as JsonObject
    }
    const signal = AbortSignal.timeout(5_000)
    const answer = await askForCall(call, own.backend, 'server/discover', {}, signal, own.passHeaders, { meta })
    const result: unknown = answer.ok ? JSON.parse(answer.resultText) : own.backend.state.discovered
    if (isObject(result)) return result
    // A client that is told of no capabilities would never ask for anything again.
    if (!answer.ok) throw new GatewayError(answer.error.code, answer.error.message, answer.error.data)
    return {}
  }
}
