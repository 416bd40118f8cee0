import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderList } from '../../../shared/capture/events'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../../shared/protocol/json-text'
import { META } from '../../../shared/protocol/meta'
import { MODERN_VERSION } from '../../../shared/protocol/revisions'
import type { Backend } from '../../backends/backend'
import type { Tap } from '../../capture/tap'
import type { ConfiguredBackend } from '../dispatch'
import { EditedText } from '../edited-text'
import { passedHeaders } from '../passed-headers'
import type { Filter } from '../subscriptions/filter'
import { createLeg, type LegCall, type LegListener, type SubscriptionLeg } from '../subscriptions/leg'
import type { ClientSession } from './client-session'
import type { OpenUpstream } from './open-upstream'

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

export interface SessionPushOptions {
  session: ClientSession
  /** Number of the recorded GET, under which what flows is shown. */
  call: number
  headers: IncomingHttpHeaders
  tap: Tap
  backends(): readonly ConfiguredBackend[]
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

  constructor(options: SessionPushOptions) {
    this.#options = options
    options.session.onClose(() => this.stop())
    for (const configured of options.backends()) this.#start(configured)
  }

  /** The client subscribed to other resources: the stream of that backend is opened anew. */
  resubscribe(backend: Backend): void {
    const configured = this.#options.backends().find((one) => one.backend === backend)
    if (configured === undefined || backend.state.era === 'legacy') return
    this.#legs.get(backend)?.stop()
    this.#start(configured)
  }

  stop(): void {
    this.#over.abort()
  }

  acknowledged(): Promise<void> {
    return Promise.resolve()
  }

  lost(): void {
    // The leg itself tries again.
  }

  notification(leg: SubscriptionLeg, message: JsonObject, text: string): Promise<void> {
    this.#options.changed(leg.backend, String(message.method))
    this.#options.session.push(withoutSubscription(text))
    return Promise.resolve()
  }

  #start({ backend, passHeaders }: ConfiguredBackend): void {
    const { session, open, headers } = this.#options
    if (backend.state.era === 'legacy') {
      const passed: HeaderList = passedHeaders({ headers }, passHeaders)
      // A backend that cannot be reached now is opened by the first call that needs it.
      open(session, backend, passed).catch((error: unknown) => {
        if (!(error instanceof Error)) throw error
      })
      return
    }
    const asked: Filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      ...(session.subscriptions.size > 0 ? { resourceSubscriptions: [...session.subscriptions] } : {}),
    }
    const leg = createLeg({ call: this.#call(asked), backend, passHeaders, asked, wanted: asked, pausesMs: PAUSES_MS })
    this.#legs.set(backend, leg)
    void leg.run(this)
  }

  #call(asked: Filter): LegCall {
    const { session, call, headers, tap } = this.#options
    const meta = {
      [META.protocolVersion]: MODERN_VERSION,
      [META.clientInfo]: session.facts.clientInfo,
      [META.clientCapabilities]: {},
    }
    const method = 'subscriptions/listen'
    const params: JsonObject = { _meta: meta, notifications: { ...asked } }
    const message: JsonObject = { jsonrpc: '2.0', id: 0, method, params }
    return {
      number: call,
      receivedSeq: 0,
      request: { body: JSON.stringify(message), message, idRaw: '0', id: 0, method, params, meta },
      headers,
      signal: this.#over.signal,
      tap,
      withhold: (from, reason, detail, named) => {
        const known = typeof named === 'string' ? { method: named } : {}
        tap.record({ kind: 'response.withheld', call, from, ...known, reason, detail })
      },
    }
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
