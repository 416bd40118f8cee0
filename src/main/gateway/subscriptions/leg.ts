import { setTimeout as pause } from 'node:timers/promises'
import type { HeaderList } from '../../../shared/capture/events'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import type { Backend, LegacySession } from '../../backends/backend'
import type { Call } from '../call'
import { passedHeaders } from '../passed-headers'
import type { Filter } from './filter'
import { LegacyAttempt } from './legacy-attempt'
import { ModernAttempt } from './modern-attempt'
import { renewalPauseMs } from './pauses'

/** What a leg needs of the call that it serves. */
export type LegCall = Pick<Call, 'number' | 'receivedSeq' | 'request' | 'headers' | 'signal' | 'tap' | 'withhold'>

export interface LegOptions {
  call: LegCall
  backend: Backend
  passHeaders: ReadonlySet<string>
  /** What the client asked for, and what of it this backend is asked; read anew for every attempt. */
  readonly asked: Filter
  readonly wanted: Filter
  /** Pauses before the first, second, … new attempt, in milliseconds; the last one is used from then on. */
  pausesMs: readonly number[]
  /** The session with a legacy backend; that of all modern clients when absent. */
  session?: (headers: HeaderList) => Promise<LegacySession>
  /**
   * What a legacy backend asks of the client whose session it is, outside of calls. Returns why it is refused; undefined
   * when the client is asked, whose answer goes to `respond`.
   */
  ask?: (message: JsonObject, seq: number, respond: (text: string) => void) => string | undefined
  /** Who wants the resources when it is more than this leg: they are not taken back when the leg ends. */
  owner?: object
}

export interface LegListener {
  /** The backend acknowledged; `again` when it had been away before. Frames after it wait for the promise. */
  acknowledged(leg: SubscriptionLeg, again: boolean): Promise<void>
  /** The stream broke, or there was none; it is tried again. */
  lost(leg: SubscriptionLeg): void
  notification(leg: SubscriptionLeg, message: JsonObject, text: string, seq: number): Promise<void>
}

/** How one attempt ended: for good, or not. */
export type AttemptEnd = 'ended' | 'lost'

/** Tells the leg of one attempt. */
export interface AttemptListener {
  acknowledged(honoured: Filter): Promise<void>
  /** The backend was away for a moment; the subscription goes on, but changes may have gone unheard. */
  missed(): Promise<void>
  notification(message: JsonObject, text: string, seq: number): Promise<void>
}

/**
 * The part of a subscription that one backend serves, in whatever era it speaks then. What ends without a closing result
 * is begun anew after a pause, for as long as the client stays (basic/patterns/subscriptions: no server state survives an
 * abrupt end).
 */
export class SubscriptionLeg {
  readonly backend: Backend
  /** What the backend acknowledged last; undefined before it has. */
  honoured: Filter | undefined
  /** The backend closed the subscription, or refused it for good. */
  ended = false
  readonly #options: LegOptions
  readonly #stop = new AbortController()
  #failures = 0
  #wasLost = false

  constructor(options: LegOptions) {
    this.#options = options
    this.backend = options.backend
  }

  get wanted(): Filter {
    return this.#options.wanted
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Resolves when the leg has ended, was stopped, or the client has gone. */
  async run(listener: LegListener): Promise<void> {
    const over = AbortSignal.any([this.#options.call.signal, this.#stop.signal])
    while (!over.aborted) {
      const end = await this.#attempt(listener, over)
      if (over.aborted) return
      if (end === 'ended') {
        this.ended = true
        return
      }
      this.#wasLost = true
      listener.lost(this)
      const wait = renewalPauseMs(this.#failures++, this.#options.pausesMs)
      await pause(wait, undefined, { signal: over }).catch((error: unknown) => {
        if (!over.aborted) throw error
      })
    }
  }

  async #attempt(listener: LegListener, over: AbortSignal): Promise<AttemptEnd> {
    const { call, backend, passHeaders } = this.#options
    const headers = passedHeaders(call, passHeaders)
    if (backend.state.era === null) await backend.discover(headers)
    if (over.aborted) return 'ended'
    const told: AttemptListener = {
      acknowledged: async (honoured) => {
        this.honoured = honoured
        this.#failures = 0
        const again = this.#wasLost
        this.#wasLost = false
        await listener.acknowledged(this, again)
      },
      missed: () => listener.acknowledged(this, true),
      notification: (message, text, seq) => listener.notification(this, message, text, seq),
    }
    const attempt =
      backend.state.era === 'legacy'
        ? new LegacyAttempt(this.#options, headers, told, this)
        : new ModernAttempt(this.#options, headers, told)
    return attempt.run(over)
  }
}
