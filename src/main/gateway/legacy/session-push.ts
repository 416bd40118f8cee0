import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../../shared/protocol/json-text'
import { META } from '../../../shared/protocol/meta'
import type { Backend } from '../../backends/backend'
import type { Tap } from '../../capture/tap'
import type { ConfiguredBackend } from '../dispatch'
import { EditedText } from '../edited-text'
import { MEMBER_OF, type Filter } from '../subscriptions/filter'
import { SubscriptionLeg, type LegCall, type LegListener } from '../subscriptions/leg'
import { RENEWAL_PAUSES_MS } from '../subscriptions/pauses'
import { isUpdateFor } from '../subscriptions/wanted-resources'
import { AskedClient } from './asked-client'
import type { ClientSession } from './client-session'
import { modernMeta } from './modern-request'
import type { OpenUpstream } from './open-upstream'

/** A client that subscribes waits for the backend's word, but not for long. */
const ACKNOWLEDGEMENT_MS = 1_000

export interface SessionPushOptions {
  session: ClientSession
  /** Number of the recorded GET, under which what flows is shown. */
  call: number
  headers: IncomingHttpHeaders
  /** Nothing was pushed to this client for a while, because it was away. */
  returned: boolean
  tap: Tap
  backends(): readonly ConfiguredBackend[]
  /** Any change of the list of backends. */
  onBackends(listener: () => void): () => void
  open: OpenUpstream
  /** A backend's lists changed: what is kept of them is stale. */
  changed(backend: Backend, method: string): void
}

/**
 * What backends push to a legacy client: from legacy ones over the client's own sessions with them, from modern ones over
 * a `subscriptions/listen` each, whose notifications lose the subscription id.
 */
export class SessionPush implements LegListener {
  readonly #options: SessionPushOptions
  readonly #over = new AbortController()
  readonly #legs = new Map<Backend, SubscriptionLeg>()
  /** Backends that nothing was heard of for a while. */
  readonly #unheard = new Set<Backend>()
  readonly #asked = new WeakMap<Backend, AskedClient>()
  readonly #acknowledged = new Map<SubscriptionLeg, () => void>()

  constructor(options: SessionPushOptions) {
    this.#options = options
    const unhear = options.session.onClose(() => this.stop())
    if (options.returned) for (const { backend } of options.backends()) this.#unheard.add(backend)
    options.tap.record({
      kind: 'call.routed',
      call: options.call,
      backend: null,
      backends: options.backends().map(({ backend }) => backend.name),
      operation: randomUUID(),
      round: 1,
      edits: [],
    })
    for (const configured of options.backends()) this.#start(configured)
    const forget = options.onBackends(() => this.#backendsChanged())
    this.#over.signal.addEventListener('abort', () => {
      forget()
      unhear()
    })
  }

  /** The client subscribed to other resources of a modern backend: its stream is opened anew. */
  async resubscribe(backend: Backend): Promise<void> {
    const configured = this.#options.backends().find((one) => one.backend === backend)
    if (configured === undefined || this.#over.signal.aborted) return
    this.#legs.get(backend)?.stop()
    const leg = this.#start(configured)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ACKNOWLEDGEMENT_MS)
      this.#acknowledged.set(leg, () => {
        clearTimeout(timer)
        resolve()
      })
    })
    this.#acknowledged.delete(leg)
  }

  stop(): void {
    this.#over.abort()
  }

  acknowledged(leg: SubscriptionLeg, again: boolean): Promise<void> {
    this.#acknowledged.get(leg)?.()
    if (this.#unheard.delete(leg.backend) || again) this.#tellWhatMayHaveChanged(leg)
    return Promise.resolve()
  }

  lost(leg: SubscriptionLeg): void {
    // The leg itself tries again.
    this.#acknowledged.get(leg)?.()
  }

  notification(leg: SubscriptionLeg, message: JsonObject, text: string, seq: number): Promise<void> {
    const { session, changed } = this.#options
    const { method, params } = message
    const member = MEMBER_OF.get(String(method))
    changed(leg.backend, String(method))
    if (method === 'notifications/cancelled') {
      const cancelled = this.#askedBy(leg.backend).cancelled(message, text)
      if (cancelled !== undefined) session.push(cancelled.text, seq)
      else this.#withhold(seq, 'not-request-scoped', 'it takes back a request that this client was not asked', method)
      return Promise.resolve()
    }
    const uri = (params as JsonObject | undefined)?.uri
    if (member === 'resourceSubscriptions' && !isUpdateFor(uri, session.subscribed(leg.backend))) {
      this.#withhold(seq, 'not-subscribed', 'this client did not subscribe to that resource', method)
    } else session.push(withoutSubscription(text))
    return Promise.resolve()
  }

  #start({ backend, passHeaders }: ConfiguredBackend): SubscriptionLeg {
    const { session, open } = this.#options
    const wanted = (): Filter => {
      const uris = session.subscribed(backend)
      const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
      return uris.length > 0 ? { ...lists, resourceSubscriptions: uris } : lists
    }
    const leg = new SubscriptionLeg({
      call: this.#call(wanted),
      backend,
      passHeaders,
      get asked() {
        return wanted()
      },
      get wanted() {
        return wanted()
      },
      pausesMs: RENEWAL_PAUSES_MS,
      session: (headers) => open(session, backend, headers),
      ask: (message, seq, respond) => this.#ask(backend, message, seq, respond),
      owner: session,
    })
    this.#legs.set(backend, leg)
    void leg.run(this)
    return leg
  }

  /** The backend asks the client outside of calls: its roots when it has begun, for instance. */
  #ask(backend: Backend, message: JsonObject, seq: number, respond: (text: string) => void): string | undefined {
    const { session, call, tap } = this.#options
    const method = String(message.method)
    if (!session.canAnswer(method, message.params))
      return `the client did not declare at initialize that it answers ${method}`
    const { signal } = this.#over
    const asked = this.#askedBy(backend).ask(call, message, signal, (text) => session.push(text, seq))
    void asked.then((raw) => {
      if (raw === undefined) return
      tap.record({ kind: 'request.answered', call, to: seq, by: signal.aborted ? 'gateway' : 'client', raw })
      respond(raw)
    })
    return undefined
  }

  #askedBy(backend: Backend): AskedClient {
    const asked = this.#asked.get(backend) ?? new AskedClient(this.#options.session, backend)
    this.#asked.set(backend, asked)
    return asked
  }

  /** A backend taken out of the configuration must be let go; a new one joins. Either way the merged lists are others. */
  #backendsChanged(): void {
    const configured = this.#options.backends()
    const present = new Set(configured.map(({ backend }) => backend))
    const gone = [...this.#legs].filter(([backend]) => !present.has(backend))
    const added = configured.filter(({ backend }) => !this.#legs.has(backend))
    for (const [backend, leg] of gone) {
      this.#legs.delete(backend)
      leg.stop()
    }
    for (const one of added) this.#start(one)
    if (gone.length + added.length > 0) for (const [method, member] of MEMBER_OF) this.#say(method, member)
  }

  /** While a backend was away its changes went unheard: the client is told to look again. */
  #tellWhatMayHaveChanged(leg: SubscriptionLeg): void {
    for (const [method, member] of MEMBER_OF) {
      if (leg.honoured?.[member] === undefined) continue
      this.#options.changed(leg.backend, method)
      this.#say(method, member)
    }
    for (const uri of this.#options.session.subscribed(leg.backend))
      this.#push('notifications/resources/updated', { uri })
  }

  #say(method: string, member: string): void {
    if (member.endsWith('ListChanged')) this.#push(method)
  }

  #push(method: string, params?: JsonObject): void {
    const message = { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }
    this.#options.session.push(JSON.stringify(message))
  }

  #call(wanted: () => Filter): LegCall {
    const { session, call, headers, tap } = this.#options
    const { clientInfo } = session.facts
    return {
      number: call,
      receivedSeq: 0,
      get request() {
        const meta = modernMeta(clientInfo, {})
        const method = 'subscriptions/listen'
        const params: JsonObject = { _meta: meta, notifications: { ...wanted() } }
        const message: JsonObject = { jsonrpc: '2.0', id: 0, method, params }
        return { body: JSON.stringify(message), message, idRaw: '0', id: 0, method, params, meta }
      },
      headers,
      signal: this.#over.signal,
      tap,
      withhold: (...given) => this.#withhold(...given),
    }
  }

  readonly #withhold: LegCall['withhold'] = (from, reason, detail, named) => {
    const { tap, call } = this.#options
    const known = typeof named === 'string' ? { method: named } : {}
    tap.record({ kind: 'response.withheld', call, from, ...known, reason, detail })
  }
}

function withoutSubscription(text: string): string {
  const params = memberOf(objectMembers(text), 'params')
  const meta = params && memberOf(objectMembers(text, params.start), '_meta')
  const members = (meta && objectMembers(text, meta.start)) ?? []
  const id = memberOf(members, META.subscriptionId)
  if (id === undefined) return text
  const edited = new EditedText(text)
  edited.remove('subscriptionId', '/params/_meta', members, id)
  return edited.text
}
