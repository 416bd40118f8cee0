import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../../shared/protocol/json-rpc'
import type { LegacySession } from '../../backends/backend'
import { ExchangeRecord } from '../exchange-record'
import { discoverResult } from '../legacy/discover-result'
import { passedHeaders } from '../passed-headers'
import { readUpstreamMessage } from '../upstream-message'
import { expectedOf, isTexts, type Filter } from './filter'
import type { LegListener, LegOptions, SubscriptionLeg } from './leg'

/** How many subscriptions want a resource on a session, so that the last one to leave takes it back. */
const wantedOn = new WeakMap<LegacySession, Map<string, number>>()

/**
 * The part of a subscription that a legacy backend serves: it announces changes unasked on its session, and resources
 * after `resources/subscribe`. A session that is lost is opened anew after a pause.
 */
export class LegacyLeg implements SubscriptionLeg {
  readonly backend: LegOptions['backend']
  honoured: Filter | undefined
  readonly ended = false
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

  async run(listener: LegListener): Promise<void> {
    const over = AbortSignal.any([this.#options.call.signal, this.#stop.signal])
    while (!over.aborted) {
      await this.#attempt(listener, over)
      if (over.aborted) return
      this.#wasLost = true
      listener.lost(this)
      const { pausesMs } = this.#options
      const wait = pausesMs[Math.min(this.#failures++, pausesMs.length - 1)] ?? 0
      await pause(wait, undefined, { signal: over }).catch((error: unknown) => {
        if (!over.aborted) throw error
      })
    }
  }

  /** Resolves when the session is lost, or nobody listens any more. */
  async #attempt(listener: LegListener, over: AbortSignal): Promise<void> {
    const { call, backend, wanted, passHeaders } = this.#options
    let session: LegacySession
    try {
      session = await backend.shared(passedHeaders(call, passHeaders))
    } catch (error) {
      // The state of the backend says why; the leg tries again.
      if (error instanceof Error) return
      throw error
    }
    const exchange = call.tap.nextExchange()
    const ends = new Promise<void>((resolve) => {
      session.onClosed(() => resolve())
      over.addEventListener('abort', () => resolve(), { once: true })
    })
    const forget = session.onStray(({ raw, data }) => {
      const seq = call.tap.record({ kind: 'upstream.frame', call: call.number, exchange, form: 'event', raw })
      const read = readUpstreamMessage(data, exchange)
      if (read.kind === 'notification') void listener.notification(this, read.message, data, seq)
    })
    this.honoured = expectedOf(wanted, discoverResult(session.initialized))
    const uris = isTexts(this.honoured.resourceSubscriptions) ? this.honoured.resourceSubscriptions : []
    for (const uri of uris) await this.#change(session, uri, 'resources/subscribe')
    this.#failures = 0
    await listener.acknowledged(this, this.#wasLost)
    this.#wasLost = false
    await ends
    forget()
    if (session.open) for (const uri of uris) await this.#change(session, uri, 'resources/unsubscribe')
  }

  async #change(
    session: LegacySession,
    uri: string,
    method: 'resources/subscribe' | 'resources/unsubscribe',
  ): Promise<void> {
    const counts = wantedOn.get(session) ?? new Map<string, number>()
    wantedOn.set(session, counts)
    const before = counts.get(uri) ?? 0
    const now = before + (method === 'resources/subscribe' ? 1 : -1)
    counts.set(uri, now)
    if (before !== 0 && now !== 0) return
    const { call, backend } = this.#options
    const id = call.tap.nextExchange()
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { uri } })
    const record = new ExchangeRecord(call.tap, id, call.number, backend, { body })
    for await (const part of session.exchange({ method, id, body, headers: [] }, AbortSignal.timeout(5_000))) {
      const seq = record.record(part)
      if (part.kind !== 'frame' || part.data === undefined) continue
      const read = readUpstreamMessage(part.data, id)
      if (isObject(read) && read.kind === 'response')
        call.withhold(seq, 'merged', `"${backend.name}" answered ${method}`, undefined)
    }
  }
}
