import { COMPOSE_CLIENT, type ComposeSettings } from '../../shared/api/compose'
import type { HeaderList } from '../../shared/capture/events'
import { isObject, isRequestId, type JsonObject, type RequestId } from '../../shared/protocol/json-rpc'
import { fieldOf } from '../backends/own-question'
import { cancelledText, errorOf, pongText } from '../backends/messages'
import {
  AnswerReader,
  headersOf,
  type EndpointClient,
  type OutgoingRequest,
  type RequestEvents,
} from './endpoint-client'
import type { EndpointLink } from './endpoint-link'
import { requestText } from './request-text'

/** The revision that is asked for in `initialize`. */
const LEGACY_VERSION = '2025-11-25'
const MOST_SESSIONS = 8
/** How a client refuses a question that knows no `decline` (client/sampling, "Error Handling"). */
const REFUSED = { code: -1, message: 'The user refused to answer' }

interface Session {
  endpoint: string
  /** Of `initialize`: what follows it. */
  headers: HeaderList
  capabilities: JsonObject
}

/**
 * Sends as a client of 2025-11-25 does, in a session for each endpoint and kind of client (basic/transports). It opens
 * no GET stream: what comes outside of calls is not for composed requests.
 */
export class LegacyClient implements EndpointClient {
  readonly #link: EndpointLink
  readonly #version: string
  readonly #sessions = new Map<string, Promise<Session>>()
  #count = 0

  constructor(link: EndpointLink, version: string) {
    this.#link = link
    this.#version = version
  }

  send(request: OutgoingRequest, events: RequestEvents): () => void {
    let cancelled = false
    let cancel = (): void => undefined
    this.#session(request.endpoint, request.settings).then(
      (session) => {
        if (!cancelled) cancel = this.#request(session, request, events)
      },
      (error: unknown) => {
        if (!cancelled) events.failed(error instanceof Error ? error.message : String(error))
      },
    )
    return () => {
      cancelled = true
      cancel()
    }
  }

  /** What the server of an endpoint said that it can do. */
  async capabilities(endpoint: string, settings: ComposeSettings): Promise<JsonObject> {
    return (await this.#session(endpoint, settings)).capabilities
  }

  /** Ends all sessions; one that could not be begun has nothing to end. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(sessions.map((session) => session.then((one) => this.#end(one)).catch(() => undefined)))
  }

  /** The session of this kind of client: one that says other things of itself in `initialize` is another. */
  #session(endpoint: string, settings: ComposeSettings): Promise<Session> {
    const { capabilities, headers, logLevel } = settings
    const key = JSON.stringify([endpoint, capabilities, headers, logLevel])
    const kept = this.#sessions.get(key)
    if (kept !== undefined) return kept
    const begun = this.#begin(endpoint, settings)
    this.#sessions.set(key, begun)
    begun.catch(() => this.#sessions.delete(key))
    const [oldest] = this.#sessions
    if (oldest !== undefined && this.#sessions.size > MOST_SESSIONS) {
      this.#sessions.delete(oldest[0])
      void oldest[1].then((session) => this.#end(session)).catch(() => undefined)
    }
    return begun
  }

  async #begin(endpoint: string, settings: ComposeSettings): Promise<Session> {
    const own = headersOf(settings)
    const clientInfo = { name: COMPOSE_CLIENT, version: this.#version }
    const params = { protocolVersion: LEGACY_VERSION, capabilities: settings.capabilities, clientInfo }
    const { message, headers } = await this.#ask(endpoint, own, 'initialize', params)
    const result = isObject(message.result) ? message.result : {}
    const error = errorOf(message)
    if (error !== undefined) throw new Error(`initialize was refused: ${String(error.message)}`)
    const sessionId = fieldOf(headers, 'mcp-session-id')
    const version = typeof result.protocolVersion === 'string' ? result.protocolVersion : LEGACY_VERSION
    const session: Session = {
      endpoint,
      headers: [
        ...(sessionId === undefined ? [] : [['mcp-session-id', sessionId] as [string, string]]),
        ['mcp-protocol-version', version],
        ...own,
      ],
      capabilities: isObject(result.capabilities) ? result.capabilities : {},
    }
    await this.#notify(session, { jsonrpc: '2.0', method: 'notifications/initialized' })
    if (settings.logLevel !== null && session.capabilities.logging !== undefined)
      await this.#ask(endpoint, session.headers, 'logging/setLevel', { level: settings.logLevel })
    return session
  }

  #request(session: Session, { id, endpoint, method, params, settings }: OutgoingRequest, events: RequestEvents) {
    const meta = settings.progress ? { progressToken: id } : {}
    const body = requestText({ id, method, params, meta, ownMeta: settings.meta })
    const reader = new AnswerReader(events, (message) => this.#question(session, message, events))
    const close = this.#link.send('POST', endpoint, [['accept', BOTH], ...session.headers], body, {
      head: (status) => {
        reader.head(status)
        events.status(status)
        if (status === 404) this.#forget(session)
      },
      text: (text) => reader.take(text),
      end: (problem) => reader.end(problem),
    })
    return () => {
      reader.stop()
      // Closing the stream does not cancel (2025-11-25 basic/transports), so that it is said.
      void this.#notify(session, JSON.parse(cancelledText(id, 'cancelled in the desk')) as JsonObject).finally(close)
    }
  }

  #question(session: Session, message: JsonObject, events: RequestEvents): void {
    const { id, method, params } = message
    if (!isRequestId(id)) return
    const pong = pongText(message)
    if (pong !== undefined) {
      void this.#notify(session, JSON.parse(pong) as JsonObject)
      return
    }
    let answered = false
    const ask = { key: String(id), method: String(method), params: isObject(params) ? params : {} }
    events.asked(ask, (result) => {
      if (answered) return
      answered = true
      void this.#notify(session, answerOf(id, result))
    })
  }

  /** A session that the gateway does not know any more is not used again. */
  #forget(session: Session): void {
    for (const [key, kept] of this.#sessions) {
      void kept.then((one) => {
        if (one === session) this.#sessions.delete(key)
      })
    }
  }

  /** One request of the client itself. Rejects in words. */
  #ask(
    endpoint: string,
    headers: HeaderList,
    method: string,
    params: JsonObject,
  ): Promise<{ message: JsonObject; headers: HeaderList }> {
    return new Promise((resolve, reject) => {
      const id = `compose-session-${++this.#count}`
      let fields: HeaderList = []
      const reader = new AnswerReader(
        {
          answered: (_text, message) => resolve({ message, headers: fields }),
          failed: (problem) => reject(new Error(`${method} failed: ${problem}`)),
        },
        () => undefined,
      )
      this.#link.send(
        'POST',
        endpoint,
        [['accept', BOTH], ...headers],
        JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        {
          head: (status, list) => {
            reader.head(status)
            fields = list
          },
          text: (text) => reader.take(text),
          end: (problem) => reader.end(problem),
        },
      )
    })
  }

  /** A message that has no answer. What the gateway thinks of it is in the capture. */
  #notify(session: Session, message: JsonObject): Promise<void> {
    return this.#deliver('POST', session, JSON.stringify(message))
  }

  #end(session: Session): Promise<void> {
    return this.#deliver('DELETE', session, undefined)
  }

  #deliver(method: 'POST' | 'DELETE', session: Session, body: string | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.#link.send(method, session.endpoint, [['accept', BOTH], ...session.headers], body, {
        head: () => undefined,
        text: () => undefined,
        end: () => resolve(),
      })
    })
  }
}

const BOTH = 'application/json, text/event-stream'

function answerOf(id: RequestId, result: JsonObject | null): JsonObject {
  return { jsonrpc: '2.0', id, ...(result === null ? { error: REFUSED } : { result }) }
}
