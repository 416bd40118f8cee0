import type { HeaderList } from '../../shared/capture/events'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { SessionError, type Initialized, type SessionOpening } from './backend'
import type { BackendTiming } from './backend-options'
import { INITIALIZED_TEXT, initializeText, isModernCode, readInitialize, type OwnAnswer } from './era'
import type { HttpConnection } from './http-connection'
import { postParts } from './http-post'
import { errorOf } from './messages'
import { fieldOf, readAnswer, type AnswerWithHead } from './own-question'
import { mergedHeaders, sessionHeaders, viaOf } from './session-headers'

export interface SessionWireOptions {
  http: HttpConnection
  opening: SessionOpening
  timing: BackendTiming
  /** An answer shows that the server does not speak the legacy era any more. */
  contradicted(): void
  /** Something that no call hears of, in words. */
  report(text: string): void
  /** The server had forgotten the session, and a new one is there in its place; in words, with what was set on it again. */
  renewed(text: string): void
}

const POST_FIELDS: HeaderList = [
  ['content-type', 'application/json'],
  ['accept', 'application/json, text/event-stream'],
]
/** 2025-11-25 basic/transports, "Session Management". */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/
const DELIVERY_MS = 10_000
const DELETE_MS = 1_000

/** The session as the server knows it: `initialize`, the fields of every later request, and small deliveries. */
export class SessionWire {
  readonly http: HttpConnection
  readonly timing: BackendTiming
  readonly contradicted: () => void
  readonly report: (text: string) => void
  readonly renewed: (text: string) => void
  /** Called after every later `initialize`; those that found the session gone wait for it. */
  onRenewed: () => Promise<void> = () => Promise.resolve()
  #initialized: Initialized | undefined
  #id: string | undefined
  #generation = 0
  #questions = 0
  #renewing: Promise<string | undefined> | undefined
  readonly #opening: SessionOpening
  readonly #passed: HeaderList

  constructor({ http, opening, timing, contradicted, report, renewed }: SessionWireOptions) {
    this.http = http
    this.timing = timing
    this.contradicted = contradicted
    this.report = report
    this.renewed = renewed
    this.#opening = opening
    this.#passed = sessionHeaders(opening.headers)
  }

  /** `Mcp-Session-Id`; undefined when the server keeps no session. */
  get id(): string | undefined {
    return this.#id
  }

  /** Grows with every `initialize`. */
  get generation(): number {
    return this.#generation
  }

  get initialized(): Initialized | undefined {
    return this.#initialized
  }

  /** The fields of a request of this session. `passed` are those of the client's request at hand. */
  headers(passed: HeaderList, own: HeaderList): HeaderList {
    const fields: HeaderList = [...own]
    if (this.#initialized !== undefined) fields.push(['mcp-protocol-version', this.#initialized.protocolVersion])
    if (this.#id !== undefined) fields.push(['mcp-session-id', this.#id])
    return this.http.headers(fields, [...mergedHeaders(this.#passed, sessionHeaders(passed)), ...viaOf(passed)])
  }

  /** Rejects with `SessionError`. `initialize` itself is never repeated. */
  async initialize(): Promise<Initialized> {
    const id = `sluice-initialize-${this.#generation + 1}`
    const headers = this.http.headers(POST_FIELDS, [...this.#passed, ...viaOf(this.#opening.headers)])
    const answer = await this.#ask(id, headers, initializeText(id, this.#opening), this.timing.initializeMs)
    const read = readInitialize(answer)
    if ('trouble' in read) throw this.#refusal(answer, read.trouble.reason ?? 'it refuses initialize')
    const given = fieldOf(answer.headers, 'mcp-session-id')
    if (given !== undefined && !VISIBLE_ASCII.test(given))
      throw new SessionError('protocol', 'it gave a session id that no header field can carry')
    this.#id = given
    this.#initialized = read.initialized
    this.#generation++
    const problem = (await this.deliver(INITIALIZED_TEXT))?.problem
    if (problem !== undefined)
      throw new SessionError('protocol', `it did not take notifications/initialized: ${problem}`)
    return read.initialized
  }

  /**
   * Initializes anew, unless that has happened since `generation`: all that found the session gone share one attempt.
   * Resolves with the problem when no session is to be had.
   */
  renew(generation: number): Promise<string | undefined> {
    if (generation !== this.#generation) return Promise.resolve(undefined)
    this.#renewing ??= this.initialize()
      .then(() => this.onRenewed())
      .then(() => undefined)
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      .finally(() => (this.#renewing = undefined))
    return this.#renewing
  }

  /** A request of the connector's own; a session that is not known is not begun anew for it. */
  ask(method: string, params: JsonObject): Promise<OwnAnswer> {
    const id = `sluice-renewal-${++this.#questions}`
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    return this.#ask(id, this.headers([], POST_FIELDS), body, this.timing.discoverMs)
  }

  /** Posts a notification or a response. Resolves with what went wrong, undefined when it was taken. */
  async deliver(body: string): Promise<{ status: number; problem: string } | undefined> {
    const { status, failure } = await this.#ask('', this.headers([], POST_FIELDS), body, DELIVERY_MS)
    if (failure === undefined && status >= 200 && status < 300) return undefined
    return { status, problem: failure ?? `HTTP ${status}` }
  }

  async respond(text: string): Promise<void> {
    const trouble = await this.deliver(text)
    if (trouble !== undefined) this.report(`the answer to a request of the server was not taken: ${trouble.problem}`)
  }

  /** Ends the session at the server. 405 says that it lets nobody do that; the session is not used any more all the same. */
  async end(): Promise<void> {
    if (this.#id === undefined) return
    const headers = this.headers([], [])
    await readAnswer(postParts(this.http, { method: 'DELETE', headers, signal: AbortSignal.timeout(DELETE_MS) }), '')
  }

  async #ask(id: string, headers: HeaderList, body: string, limitMs: number): Promise<AnswerWithHead> {
    const signal = AbortSignal.timeout(limitMs)
    const answer = await readAnswer(postParts(this.http, { headers, body, signal }), id)
    return signal.aborted && answer.message === undefined
      ? { ...answer, failure: `no answer within ${limitMs / 1000} s` }
      : answer
  }

  #refusal(answer: AnswerWithHead, detail: string): SessionError {
    const { message, status, challenge, failure } = answer
    const code = errorOf(message)?.code
    if (isModernCode(code)) this.contradicted()
    const reason = failure === undefined || message !== undefined ? 'protocol' : 'refused'
    return new SessionError(reason, detail, status, challenge, typeof code === 'number' ? code : undefined)
  }
}
