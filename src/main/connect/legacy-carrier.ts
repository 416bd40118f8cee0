import type { HeaderList } from '../../shared/capture/events'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { fieldOf } from '../backends/own-question'
import { parsed } from '../backends/messages'
import { cancelledKeyOf, viaHeaders, type ClientLine } from './client-line'
import { Exchange } from './exchange'
import type { Ending, GatewayLink } from './gateway-link'
import type { LineOutput } from './line-output'
import { SessionStream } from './session-stream'

interface Session {
  id?: string
  version?: string
  stream?: SessionStream
}

/** Attempts to go on with one request's broken stream. */
const MOST_FRUITLESS = 5
/** What the SDKs and this gateway answer for a session that is not known (any more), with HTTP status 404. */
const SESSION_NOT_FOUND = -32001
const DELETE_MS = 1_000

/**
 * Carries legacy messages within one session: the id that `initialize` brings, a POST for each line, the GET stream once
 * the client is ready, resumption of what breaks, DELETE at the end (2025-11-25 basic/transports).
 */
export class LegacyCarrier {
  readonly #link: GatewayLink
  readonly #output: LineOutput
  readonly #tell: (text: string) => void
  #session: Session | undefined
  /** What begins the session, in order; everything else waits for it. */
  #begun: Promise<void> = Promise.resolve()
  readonly #posts = new Set<Promise<void>>()
  readonly #cancels = new Set<() => void>()
  readonly #byKey = new Map<string, Exchange>()
  #closed = false

  /** `tell`: for people, on stderr. */
  constructor(link: GatewayLink, output: LineOutput, tell: (text: string) => void) {
    this.#link = link
    this.#output = output
    this.#tell = tell
  }

  carry(line: ClientLine): void {
    const methods = line.messages.map(({ message }) => message.method)
    for (const message of line.messages) {
      const key = cancelledKeyOf(message)
      if (key !== undefined) this.#byKey.get(key)?.abandon()
    }
    const begins = methods.includes('initialize')
    const ready = methods.includes('notifications/initialized')
    const post = this.#begun.then(async () => {
      if (this.#closed) return
      if (begins) this.#begin()
      await this.#post(line, begins)
      if (ready) this.#listen()
    })
    if (begins || ready) this.#begun = post
    this.#posts.add(post)
    void post.then(() => this.#posts.delete(post))
  }

  async settled(): Promise<void> {
    await Promise.all(this.#posts)
  }

  /** Cancels what is under way and ends the session. */
  async close(): Promise<void> {
    this.#closed = true
    for (const exchange of this.#byKey.values()) exchange.abandon()
    for (const cancel of [...this.#cancels]) cancel()
    await this.#end()
  }

  #begin(): void {
    const before = this.#session
    if (before !== undefined) void this.#end()
    this.#session = {}
  }

  /** Resolves when the line has all its answers, or the reason why there are none. */
  #post(line: ClientLine, begins: boolean): Promise<void> {
    const session = this.#session
    const exchange = new Exchange(line.expected, this.#output, (message) => {
      if (begins && session !== undefined) readVersion(message, session)
    })
    for (const key of line.expected.keys()) this.#byKey.set(key, exchange)
    const event: { id?: string; retryMs?: number } = {}
    let status = 0
    return new Promise((resolve) => {
      const done = (): void => {
        this.#cancels.delete(cancel)
        for (const key of line.expected.keys()) if (this.#byKey.get(key) === exchange) this.#byKey.delete(key)
        resolve()
      }
      const headers: HeaderList = [
        ['accept', 'application/json, text/event-stream'],
        ...viaHeaders(line),
        ...headersOf(session),
      ]
      let cancel = (): void => undefined
      cancel = this.#link.send('POST', headers, line.text, {
        head: (code, fields) => {
          status = code
          const id = fieldOf(fields, 'mcp-session-id')
          if (begins && session !== undefined && id !== undefined) session.id = id
        },
        fields: (fields) => Object.assign(event, fields),
        data: (text) => {
          if (status === 404 && session?.id !== undefined && isLost(text)) this.#lost(exchange)
          else exchange.take(text)
        },
        end: (ending) => {
          const broken = status < 400 && ending.reason !== 'cancelled' && !exchange.answered
          if (!broken || event.id === undefined) {
            if (line.expected.size === 0) this.#tellRefusal(status, ending)
            exchange.close(ending, this.#link.url)
            done()
            return
          }
          this.#cancels.delete(cancel)
          cancel = this.#resume(exchange, session, event, done)
          this.#cancels.add(cancel)
        },
      })
      this.#cancels.add(cancel)
    })
  }

  /** The stream of one request broke, and the gateway keeps what was to come. Returns what cancels. */
  #resume(
    exchange: Exchange,
    session: Session | undefined,
    event: { id?: string; retryMs?: number },
    done: () => void,
  ): () => void {
    const stream = new SessionStream({
      link: this.#link,
      headers: headersOf(session),
      ...(event.id === undefined ? {} : { lastEventId: event.id }),
      ...(event.retryMs === undefined ? {} : { retryMs: event.retryMs }),
      mostFruitless: MOST_FRUITLESS,
      data: (text) => {
        exchange.take(text)
        if (!exchange.answered) return
        stream.stop()
        done()
      },
      gaveUp: (ending) => {
        exchange.close(ending, this.#link.url)
        done()
      },
    })
    return () => {
      stream.stop()
      done()
    }
  }

  /** The client is ready: messages that belong to no request come on the GET stream. */
  #listen(): void {
    const session = this.#session
    if (session?.id === undefined || session.stream !== undefined) return
    const messages = new Exchange(new Map(), this.#output, () => undefined)
    session.stream = new SessionStream({
      link: this.#link,
      headers: headersOf(session),
      mostFruitless: Number.POSITIVE_INFINITY,
      data: (text) => messages.take(text),
      gaveUp: (ending) => {
        if (ending.status !== 405) this.#tell(`no messages outside of requests any more: HTTP status ${ending.status}`)
      },
    })
  }

  #lost(exchange: Exchange): void {
    const words = `the gateway at ${this.#link.url} no longer knows this session (it was started anew, or the session ended); connect again`
    this.#tell(words)
    exchange.fail(words, 'session-lost')
  }

  /** Nobody waits for an answer to a notification, so that its refusal is told on stderr. */
  #tellRefusal(status: number, ending: Ending): void {
    if (ending.reason === 'cancelled') return
    if (ending.reason !== 'complete') this.#tell(ending.words)
    else if (status >= 400) this.#tell(`the gateway at ${this.#link.url} refused a message with HTTP status ${status}`)
  }

  /** Ends the session; a gateway that does not answer soon is not waited for. */
  #end(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    session?.stream?.stop()
    if (session?.id === undefined) return Promise.resolve()
    return new Promise((resolve) => {
      const late = setTimeout(() => cancel(), DELETE_MS)
      const cancel = this.#link.send('DELETE', headersOf(session), undefined, {
        data: () => undefined,
        end: () => {
          clearTimeout(late)
          resolve()
        },
      })
    })
  }
}

function headersOf(session: Session | undefined): HeaderList {
  const headers: HeaderList = []
  if (session?.id !== undefined) headers.push(['mcp-session-id', session.id])
  if (session?.version !== undefined) headers.push(['mcp-protocol-version', session.version])
  return headers
}

function readVersion(message: JsonObject, session: Session): void {
  const version = isObject(message.result) ? message.result.protocolVersion : undefined
  if (typeof version === 'string' && /^[\x21-\x7e]+$/.test(version)) session.version = version
}

function isLost(text: string): boolean {
  const message = parsed(text)
  return message === undefined || (isObject(message.error) && message.error.code === SESSION_NOT_FOUND)
}
