import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import type { Backend } from '../../backends/backend'
import type { Call } from '../call'
import type { EditedText } from '../edited-text'
import type { Route } from '../relay'
import { isTexts, LIST_MEMBERS, MEMBER_OF } from '../subscriptions/filter'
import { ACKNOWLEDGED, FINAL_ERRORS, notificationText } from '../subscriptions/message-texts'
import { renewalPauseMs } from '../subscriptions/pauses'
import type { UpstreamMessage } from '../upstream-message'
import type { Again, Answered, Withheld } from './cell'
import { ModernToModern, type ModernParts } from './modern-to-modern'

export interface SubscriptionParts extends ModernParts {
  /** A backend sent a notification: what is kept of a list that it is about is stale. */
  announced(backend: Backend, method: string): void
  /** The backend is still configured. */
  configured(backend: Backend): boolean
}

/**
 * A `subscriptions/listen` relayed to one modern backend. When its stream breaks after the acknowledgement, the same
 * subscription is begun anew with pauses (basic/patterns/subscriptions: no server state survives an abrupt end); the
 * client keeps its stream and is told that what it subscribed to may have changed.
 */
export class ModernSubscription extends ModernToModern {
  readonly #call: Call
  readonly #backend: Backend
  readonly #parts: SubscriptionParts
  #acknowledged = false
  #lost = false
  #failures = 0

  constructor(call: Call, route: Route, parts: SubscriptionParts) {
    super(call, route, parts)
    this.#call = call
    this.#backend = route.backend
    this.#parts = parts
  }

  override notification(message: JsonObject, text: string, upstreamId: number): EditedText | Withheld {
    if (message.method !== ACKNOWLEDGED) {
      this.#parts.announced(this.#backend, String(message.method))
      return super.notification(message, text, upstreamId)
    }
    this.#failures = 0
    if (!this.#lost) {
      this.#acknowledged = true
      return super.notification(message, text, upstreamId)
    }
    this.#lost = false
    this.#tellWhatMayHaveChanged(message)
    return { reason: 'merged', detail: 'the subscription was begun anew; the client has its acknowledgement already' }
  }

  override response(read: UpstreamMessage & { kind: 'response' }, text: string): Promise<Answered> | Answered {
    // A backend that is not up yet may refuse what it took before.
    const passing = this.#lost && read.error !== undefined && !FINAL_ERRORS.has(read.error.code)
    return passing ? this.#renew(super.response(read, text)) : super.response(read, text)
  }

  async lost(): Promise<Again | undefined> {
    if (!this.#acknowledged || !this.#parts.configured(this.#backend)) return undefined
    this.#lost = true
    const { signal } = this.#call
    await pause(renewalPauseMs(this.#failures++), undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    if (!this.#parts.configured(this.#backend)) return undefined
    return (upstreamId) => this.request(upstreamId)
  }

  async #renew(otherwise: Promise<Answered> | Answered): Promise<Answered> {
    const again = await this.lost()
    return again === undefined ? otherwise : { again, repeats: 'the subscription is begun anew' }
  }

  #tellWhatMayHaveChanged({ params }: JsonObject): void {
    const honoured = isObject(params) && isObject(params.notifications) ? params.notifications : {}
    for (const [method, member] of MEMBER_OF) {
      if (honoured[member] === undefined || honoured[member] === false) continue
      if (LIST_MEMBERS.has(member)) {
        this.#parts.announced(this.#backend, method)
        this.#say(method)
      } else if (member === 'resourceSubscriptions' && isTexts(honoured[member]))
        for (const uri of honoured[member]) this.#say(method, { uri })
    }
  }

  #say(method: string, params: JsonObject = {}): void {
    const text = notificationText(method, this.#call.request.idRaw, params)
    void this.#call.response.notify({ text, edits: [] })
  }
}
