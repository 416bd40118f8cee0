import type { HeaderList } from '../../../shared/capture/events'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import type { LegacySession, Stray } from '../../backends/backend'
import { ExchangeRecord } from '../exchange-record'
import { discoverResult } from '../legacy/discover-result'
import { readUpstreamMessage } from '../upstream-message'
import { expectedOf, isTexts, type Filter } from './filter'
import type { AttemptEnd, AttemptListener, LegOptions } from './leg'
import { forgetWanted, isUpdateFor, unwant, want } from './wanted-resources'

const CHANGE_MS = 5_000

/**
 * A subscription at a legacy backend, for as long as one session lasts: it announces changes unasked on its session, and
 * resources after `resources/subscribe`.
 */
export class LegacyAttempt {
  readonly #options: LegOptions
  readonly #headers: HeaderList
  readonly #listener: AttemptListener
  readonly #owner: object

  constructor(options: LegOptions, headers: HeaderList, listener: AttemptListener, leg: object) {
    this.#options = options
    this.#headers = headers
    this.#listener = listener
    this.#owner = options.owner ?? leg
  }

  /** Resolves when the session is lost, or nobody listens any more. */
  async run(over: AbortSignal): Promise<AttemptEnd> {
    const { backend, session: open = (headers) => backend.shared(headers) } = this.#options
    let session: LegacySession
    try {
      session = await open(this.#headers)
    } catch (error) {
      // The state of the backend says why; the leg tries again.
      if (error instanceof Error) return 'lost'
      throw error
    }
    if (over.aborted) return 'ended'
    const ends = endOf(session, over)
    const exchange = this.#options.call.tap.nextExchange()
    const forget = session.onStray((stray) => this.#stray(stray, exchange, session))
    const honoured = expectedOf(this.#options.wanted, discoverResult(session.initialized))
    const uris = urisOf(honoured)
    for (const uri of uris) if (want(session, uri, this.#owner)) await this.#change(session, uri, 'resources/subscribe')
    await this.#listener.acknowledged(honoured)
    const unwatch = session.onRenewed(() => void this.#listener.missed())
    await ends
    forget()
    unwatch()
    if (!session.open) forgetWanted(session)
    else if (this.#options.owner === undefined) {
      for (const uri of uris)
        if (unwant(session, uri, this.#owner)) await this.#change(session, uri, 'resources/unsubscribe')
    }
    return 'lost'
  }

  #stray({ raw, data, respond }: Stray, exchange: number, session: LegacySession): void {
    const { call, wanted, backend } = this.#options
    const form = backend.type === 'stdio' ? 'line' : 'event'
    const unasked = backend.name
    const seq = call.tap.record({ kind: 'upstream.frame', call: call.number, exchange, form, unasked, raw })
    const read = readUpstreamMessage(data, exchange)
    if (read.kind === 'request') {
      const detail = this.#ask(read.message, seq, session, respond)
      if (detail === undefined) return
      const refusal = refusalOf(read.message, detail)
      call.tap.record({ kind: 'request.answered', call: call.number, to: seq, by: 'gateway', raw: refusal })
      respond?.(refusal)
      call.withhold(seq, 'server-request', detail, read.message.method)
      return
    }
    if (read.kind !== 'notification') return
    const { method, params } = read.message
    const uri = isObject(params) ? params.uri : undefined
    // Others share the session, each with its own resources.
    if (method === 'notifications/resources/updated' && !isUpdateFor(uri, urisOf(wanted))) {
      call.withhold(seq, 'not-subscribed', 'this client did not subscribe to that resource', method)
      return
    }
    void this.#listener.notification(read.message, data, seq)
  }

  /** On a session that is one client's alone, what names no call is for that client. */
  #ask(message: JsonObject, seq: number, session: LegacySession, respond: Stray['respond']): string | undefined {
    const { ask } = this.#options
    if (ask === undefined || respond === undefined || !session.exclusive)
      return 'it names no call that it belongs to, so no client can be asked'
    return ask(message, seq, respond)
  }

  async #change(
    session: LegacySession,
    uri: string,
    method: 'resources/subscribe' | 'resources/unsubscribe',
  ): Promise<void> {
    const { call, backend } = this.#options
    const id = call.tap.nextExchange()
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { uri } })
    const record = new ExchangeRecord(call.tap, id, call.number, backend, { body })
    for await (const part of session.exchange({ method, id, body, headers: [] }, AbortSignal.timeout(CHANGE_MS))) {
      const seq = record.record(part)
      if (part.kind !== 'frame' || part.data === undefined) continue
      if (readUpstreamMessage(part.data, id).kind === 'response')
        call.withhold(seq, 'merged', `"${backend.name}" answered ${method}`, undefined)
    }
  }
}

/** Resolves when the session is lost, or nobody listens any more. */
function endOf(session: LegacySession, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      forget()
      over.removeEventListener('abort', end)
      resolve()
    }
    const forget = session.onClosed(end)
    over.addEventListener('abort', end)
    if (!session.open) end()
  })
}

function urisOf({ resourceSubscriptions: uris }: Filter): string[] {
  return isTexts(uris) ? uris : []
}

function refusalOf({ id }: JsonObject, detail: string): string {
  const error = { code: ErrorCode.MethodNotFound, message: `Sluice: ${detail}.` }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
