import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { ResponseFrame } from '../../../shared/capture/events'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import { arrayItems } from '../../../shared/protocol/json-text'
import { errorOf, kindOf, parsed } from '../../backends/messages'
import { Call } from '../call'
import { headerValue, readMessage, type ClientMessage, type ModernRequest } from '../envelope'
import { GatewayError } from '../gateway-error'
import type { LegacyServing } from '../ingress'
import { asGatewayError, bodyOfError, endpointOf, type Arrival, type Reception } from '../reception'
import { BatchCollector } from './batch'
import { STANDALONE, type ClientSession, type SessionFacts } from './client-session'
import { followStream } from './follow-stream'
import { initializeResult, sessionFacts, sessionOf, SESSION_HEADER } from './initialize'
import type { SessionStore } from './session-store'

export interface LegacyDoorOptions {
  reception: Reception
  sessions: SessionStore
  version: string
  pingIntervalMs(): number
  /** What the endpoint offers, as a `server/discover` result. */
  discover(call: Call, facts: SessionFacts): Promise<JsonObject>
  /** Serves one request of a session. */
  serve(call: Call, session: ClientSession): Promise<void>
  /** The client opened its GET stream, or (`resumed`) goes on with it: what backends push can be fetched. */
  listening(session: ClientSession, call: number, headers: IncomingHttpHeaders, resumed: boolean): void
  /** A call or the GET stream of the client ended: it may be away. */
  left(session: ClientSession): void
}

/** The first revision that opens streams with an event that carries only an id (2025-11-25 basic/transports). */
const FIRST_WITH_PRIMING = '2025-11-25'
const LAST_WITH_BATCHES = '2025-03-26'

/** The door for legacy clients: `initialize`, sessions, GET streams, posted answers, cancellation. */
export class LegacyDoor implements LegacyServing {
  readonly #options: LegacyDoorOptions

  constructor(options: LegacyDoorOptions) {
    this.#options = options
  }

  async follow(arrival: Arrival): Promise<void> {
    const { request, response } = arrival
    const { reception, sessions, pingIntervalMs } = this.#options
    arrival.era = 'legacy'
    const session = this.#sessionOf(arrival)
    if (request.method === 'DELETE') {
      reception.accept(arrival, 'The client ended its session.')
      await sessions.close(session)
      return
    }
    const lastEventId = headerValue(request.headers, 'last-event-id')
    if (lastEventId !== undefined && session.store.after(lastEventId) === undefined) {
      throw new GatewayError(
        ErrorCode.Transport,
        'Client leg: Bad Request: Last-Event-ID is not known (any more).',
        undefined,
        { status: 400 },
      )
    }
    const { number } = reception.receive(arrival)
    const { tap } = reception
    const stream = lastEventId === undefined ? STANDALONE : session.store.after(lastEventId)?.stream
    tap.record({ kind: 'response.committed', call: number, form: 'sse', status: 200, cause: 'mode', headers: [] })
    followStream(
      response,
      session,
      { standalone: STANDALONE, lastEventId, pingIntervalMs: pingIntervalMs() },
      {
        frame: ({ text: raw, from }) => {
          const message = frameKind(raw)
          const origin = from === undefined ? {} : { from }
          tap.record({ kind: 'response.frame', call: number, form: 'event', message, raw, edits: [], ...origin })
        },
        ping: () => tap.record({ kind: 'response.ping', call: number }),
        end: (by) => {
          const detail = 'The stream of the session was closed.'
          tap.record({ kind: 'call.ended', call: number, outcome: 'result', by, detail })
          this.#options.left(session)
        },
      },
    )
    if (stream === STANDALONE) this.#options.listening(session, number, request.headers, lastEventId !== undefined)
  }

  async posted(arrival: Arrival, backend: string | undefined): Promise<boolean> {
    const body = parse(arrival.body)
    const batch = Array.isArray(body)
    const message = isObject(body) ? body : undefined
    const response =
      message !== undefined && message.method === undefined && ('result' in message || 'error' in message)
    const notification = message !== undefined && message.id === undefined && typeof message.method === 'string'
    if (!batch && !response && !notification) return false
    const { reception } = this.#options
    arrival.era = 'legacy'
    const session = this.#sessionOf(arrival)
    if (batch) {
      await this.#batch(arrival, body, session, backend)
      return true
    }
    if (response) {
      const asking = session.answer(message)
      reception.accept(
        arrival,
        asking === undefined
          ? 'A response to nothing that was asked: ignored.'
          : `The answer to what call #${asking} asked this client.`,
      )
      return true
    }
    arrival.message = readMessage(arrival.body)
    reception.accept(arrival, await this.#notification(message ?? {}, arrival.body, session))
    return true
  }

  async call(arrival: Arrival, message: ClientMessage, backend: string | undefined): Promise<void> {
    arrival.era = 'legacy'
    if (message.method === 'initialize') {
      await this.#initialize(arrival, message, backend)
      return
    }
    const session = this.#sessionOf(arrival)
    await this.#serve(arrival, asServed(message, session), session, arrival.response)
  }

  #sessionOf(arrival: Arrival): ClientSession {
    const session = sessionOf(arrival.request, endpointOf(arrival.path), this.#options.sessions)
    arrival.clientInfo = session.facts.clientInfo
    return session
  }

  async #initialize(arrival: Arrival, message: ClientMessage, backend: string | undefined): Promise<void> {
    const { reception, sessions, version, discover } = this.#options
    const endpoint = endpointOf(arrival.path)
    const facts = sessionFacts(message, arrival.request, endpoint, backend)
    arrival.clientInfo = facts.clientInfo
    const { number, seq } = reception.receive(arrival)
    const stream = reception.stream(arrival, number)
    const call = new Call(number, seq, endpoint, asServed(message), arrival.request.headers, stream, reception.tap)
    try {
      const result = initializeResult(facts, await discover(call, facts), version)
      const session = sessions.open(facts)
      call.succeed(JSON.stringify(result), { [SESSION_HEADER]: session.id })
    } catch (error) {
      call.fail(bodyOfError(asGatewayError(error)), 200)
    }
  }

  async #serve(
    arrival: Arrival,
    message: ModernRequest,
    session: ClientSession,
    response: ServerResponse,
  ): Promise<void> {
    const { reception, serve } = this.#options
    const served = { ...arrival, response, message }
    const { number, seq } = reception.receive(served)
    const primed = session.facts.protocolVersion >= FIRST_WITH_PRIMING
    const stream = reception.stream(served, number, { store: session.store, stream: `call${number}`, primed })
    const call = new Call(
      number,
      seq,
      endpointOf(arrival.path),
      message,
      arrival.request.headers,
      stream,
      reception.tap,
    )
    session.calls.set(message.idRaw, call)
    call.onEnd(() => {
      session.calls.delete(message.idRaw)
      this.#options.left(session)
    })
    stream.openWindow()
    try {
      await serve(call, session)
    } catch (error) {
      call.fail(bodyOfError(asGatewayError(error)), 200)
    }
  }

  /** What a notification did, in words. */
  async #notification(message: JsonObject, body: string, session: ClientSession): Promise<string> {
    if (message.method === 'notifications/initialized') return 'The session is ready.'
    if (message.method === 'notifications/cancelled') {
      const { requestId } = isObject(message.params) ? message.params : {}
      const call = requestId === undefined ? undefined : session.calls.get(JSON.stringify(requestId))
      if (call === undefined) return 'A cancellation of a request that is not in flight: ignored.'
      call.response.withdraw()
      return `Call #${call.number} was cancelled.`
    }
    if (message.method === 'notifications/progress') return session.progress(message, body)
    const open = await session.upstreams()
    const told = await Promise.allSettled(open.map((upstream) => upstream.notify(body)))
    const reached = told.filter(({ status }) => status === 'fulfilled').length
    return `A notification: passed on to ${reached} legacy backend sessions of this client.`
  }

  /** Revision 2025-03-26 may send several messages in one POST; the answer is the array of the responses. */
  async #batch(
    arrival: Arrival,
    messages: unknown[],
    session: ClientSession,
    backend: string | undefined,
  ): Promise<void> {
    if (session.facts.protocolVersion > LAST_WITH_BATCHES) {
      throw new GatewayError(
        ErrorCode.InvalidRequest,
        `Invalid request: the body is a batch, which revision ${session.facts.protocolVersion} does not have.`,
      )
    }
    if (messages.length === 0)
      throw new GatewayError(ErrorCode.InvalidRequest, 'Invalid request: the body is a batch without a message.')
    const collector = new BatchCollector(arrival.response)
    // Each as it stands there: what is carried on is never printed anew.
    const spans = arrayItems(arrival.body) ?? []
    await Promise.all(
      spans.map(async ({ start, end }) => {
        const body = arrival.body.slice(start, end)
        const part = { ...arrival, body, response: collector.part() }
        try {
          if (await this.posted(part, backend)) return
          await this.#serve(part, asServed(readMessage(body), session), session, part.response)
        } catch (error) {
          this.#options.reception.refuse(part, error)
        }
      }),
    )
    await collector.finish()
  }
}

/** A legacy request in the form in which calls are served. */
function asServed(message: ClientMessage, session?: ClientSession): ModernRequest {
  const { idRaw, id, meta, params } = message
  if (idRaw === undefined || id === undefined)
    throw new GatewayError(ErrorCode.InvalidRequest, 'Invalid request: a request needs an "id".')
  const token = meta.progressToken
  const target = params.name ?? params.uri
  return {
    ...message,
    idRaw,
    id,
    ...(typeof token === 'string' || typeof token === 'number' ? { progressToken: token } : {}),
    ...(session?.logLevel === undefined ? {} : { logLevel: session.logLevel }),
    ...(typeof target === 'string' ? { target } : {}),
  }
}

/** A resumed stream of a call has more than notifications, and so has that of a session whose backend asks. */
function frameKind(text: string): ResponseFrame['message'] {
  const message = parsed(text) ?? {}
  const kind = kindOf(message)
  if (kind === 'response') return errorOf(message) === undefined ? 'result' : 'error'
  return kind ?? 'notification'
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    // The checks that follow say what is wrong with it.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
