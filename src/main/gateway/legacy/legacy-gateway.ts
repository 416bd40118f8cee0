import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import type { Call } from '../call'
import { askForCall } from '../ask'
import type { ListKind } from '../catalog/contract'
import { configuredBackends, type DispatchParts } from '../dispatch'
import type { Reception } from '../reception'
import type { ClientSession, SessionFacts } from './client-session'
import { dispatchLegacy, openUpstream } from './legacy-dispatch'
import { LegacyDoor } from './legacy-door'
import { modernMeta } from './modern-request'
import { ResourceSubscriptions } from './resource-subscriptions'
import { SessionPush } from './session-push'
import { SessionStore } from './session-store'

export interface LegacyGatewayOptions {
  reception: Reception
  parts: DispatchParts
  version: string
  pingIntervalMs(): number
  /** Keeps account of calls under way, so that they end with the gateway. */
  track(call: Call, serving: Promise<void>): Promise<void>
}

const LISTS_OF: Readonly<Record<string, readonly ListKind[]>> = {
  'notifications/tools/list_changed': ['tools'],
  'notifications/prompts/list_changed': ['prompts'],
  'notifications/resources/list_changed': ['resources', 'resourceTemplates'],
}

/** All that legacy clients need, put together: sessions, their calls, and what is pushed to them. */
export class LegacyGateway {
  readonly door: LegacyDoor
  readonly #options: LegacyGatewayOptions
  readonly #sessions = new SessionStore()
  readonly #pushes = new WeakMap<ClientSession, SessionPush>()

  constructor(options: LegacyGatewayOptions) {
    this.#options = options
    const { reception, version, pingIntervalMs, parts } = options
    const subscriptions = new ResourceSubscriptions((session, backend) =>
      this.#pushes.get(session)?.resubscribe(backend),
    )
    this.door = new LegacyDoor({
      reception,
      sessions: this.#sessions,
      version,
      pingIntervalMs,
      discover: (call, facts) => this.#discover(call, facts),
      serve: (call, session) => {
        const own = session.facts.backend === undefined ? undefined : parts.backend(session.facts.backend)
        return options.track(call, dispatchLegacy(call, session, own, { ...parts, subscriptions }))
      },
      listening: (session, call, headers) => {
        this.#pushes.get(session)?.stop()
        this.#pushes.set(
          session,
          new SessionPush({
            session,
            call,
            headers,
            tap: reception.tap,
            backends: () => configuredBackends(parts, session.facts.backend),
            open: openUpstream,
            changed: (backend, method) => {
              for (const kind of LISTS_OF[method] ?? []) parts.catalog.expire(backend.name, kind)
            },
          }),
        )
      },
    })
  }

  close(): Promise<void> {
    return this.#sessions.closeAll()
  }

  /** What the endpoint offers, for `initialize`. */
  async #discover(call: Call, facts: SessionFacts): Promise<JsonObject> {
    const { parts } = this.#options
    const { backend, clientInfo, capabilities } = facts
    const meta = modernMeta(clientInfo, capabilities)
    const own = backend === undefined ? undefined : parts.backend(backend)
    if (own === undefined) {
      const { resultText } = await parts.catalog.discover((asked, method, params, signal) =>
        askForCall(call, asked, method, params, signal, parts.backend(asked.name)?.passHeaders ?? new Set(), meta),
      )
      return JSON.parse(resultText) as JsonObject
    }
    const signal = AbortSignal.timeout(5_000)
    const answer = await askForCall(call, own.backend, 'server/discover', {}, signal, own.passHeaders, meta)
    const result: unknown = answer.ok ? JSON.parse(answer.resultText) : undefined
    return isObject(result) ? result : {}
  }
}
