import { randomUUID } from 'node:crypto'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import { mirroredNameParam, MULTI_ROUND_METHODS } from '../../../shared/protocol/methods'
import type { UpstreamPart, UpstreamRequest } from '../../backends/backend'
import type { Call } from '../call'
import { EditedText } from '../edited-text'
import type { ClientSession } from '../legacy/client-session'
import { legacyResponse } from '../legacy/legacy-result'
import { modernRequest } from '../legacy/modern-request'
import { restoreToken, withClientToken } from '../progress-token'
import type { Route } from '../relay'
import type { UpstreamMessage } from '../upstream-message'
import type { Answered, Cell, CellFailure, Withheld } from './cell'
import type { MirroredArguments } from './mirrored-arguments'
import type { CancelSignal } from '../../backends/cancel-signal'

const MAX_ROUNDS = 10
const MAX_ROUNDS_WITHOUT_QUESTIONS = 3
/** A backend that sheds load by a state alone is not asked again at once. */
const LOAD_SHEDDING_PAUSE_MS = 250
/** Revisions whose elicitations have modes and ids (2025-11-25 client/elicitation). */
const FIRST_WITH_ELICITATION_MODES = '2025-11-25'

/** Of a further round: the client's answers, and the backend's state. */
interface Addition {
  inputResponses?: JsonObject
  requestState?: string
}

/**
 * A legacy client's call to a modern backend. The backend answers `input_required`; the client knows requests on its
 * stream. The gateway drives the rounds: each input request becomes a real request to the client, its answers go back with
 * the state. The state stays within the call and needs no seal.
 */
export class LegacyToModern implements Cell {
  readonly #call: Call
  readonly #route: Route
  readonly #session: ClientSession
  readonly #mirrored: MirroredArguments
  /** What was added to the client's request when it was sent last. */
  #more: Addition = {}
  #rounds = 0
  #withoutQuestions = 0

  constructor(call: Call, route: Route, session: ClientSession, mirrored: MirroredArguments) {
    this.#call = call
    this.#route = route
    this.#session = session
    this.#mirrored = mirrored
  }

  request(upstreamId: number): EditedText {
    return this.#make(upstreamId, {})
  }

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    const headers = this.#mirrored.headers(request.headers)
    return this.#route.backend.exchange({ ...request, headers }, signal)
  }

  notification(message: JsonObject, text: string, upstreamId: number): EditedText | Withheld {
    const { request } = this.#call
    if (message.method !== 'notifications/progress') return new EditedText(text)
    if (!this.#route.backend.sharesConnection) return new EditedText(text)
    if (withClientToken(message, upstreamId, request.progressToken) === message) {
      return { reason: 'progress-token-mismatch', detail: "the token is not that of this call's request" }
    }
    return restoreToken(text, request.body)
  }

  serverRequest(): Withheld {
    const detail = 'a server may not send requests in 2026-07-28; it must answer input_required'
    return { reason: 'server-request', detail }
  }

  async response(read: UpstreamMessage & { kind: 'response' }, text: string): Promise<Answered> {
    const { request } = this.#call
    const { result } = read
    if (read.error?.code === ErrorCode.HeaderMismatch && (await this.#mirrored.renew())) {
      const repeats = 'the backend misses header fields that its tool list names now: sent again with them'
      return { again: (upstreamId) => this.#make(upstreamId, this.#more), repeats }
    }
    if (result?.resultType === 'task') return { fail: this.#taskFailure() }
    if (result?.resultType !== 'input_required' || !MULTI_ROUND_METHODS.has(request.method)) {
      return { pass: legacyResponse(text, request) }
    }
    const questions = isObject(result.inputRequests) ? Object.entries(result.inputRequests) : []
    const requestState = typeof result.requestState === 'string' ? result.requestState : undefined
    this.#rounds++
    this.#withoutQuestions = questions.length === 0 ? this.#withoutQuestions + 1 : 0
    const tired = this.#tooMany()
    if (tired !== undefined) return { fail: tired }
    if (questions.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, LOAD_SHEDDING_PAUSE_MS))
      return {
        again: (upstreamId) => this.#make(upstreamId, { ...(requestState === undefined ? {} : { requestState }) }),
      }
    }
    const inputResponses: JsonObject = {}
    for (const [key, question] of questions) {
      const answer = await this.#ask(key, isObject(question) ? question : {})
      if ('code' in answer) return { fail: answer }
      inputResponses[key] = answer.result
    }
    const more = { inputResponses, ...(requestState === undefined ? {} : { requestState }) }
    return { again: (upstreamId) => this.#make(upstreamId, more) }
  }

  #make(upstreamId: number, more: Addition): EditedText {
    this.#more = more
    const { request } = this.#call
    const { name, referencedPrompt, backend } = this.#route
    const member = mirroredNameParam(request.method)
    const { clientInfo, capabilities } = this.#session.facts
    return modernRequest(request.body, {
      upstreamId: String(upstreamId),
      clientInfo,
      capabilities,
      // Legacy servers send what they like until a level is set; "info" is what most of them do.
      logLevel: this.#session.logLevel ?? 'info',
      ...(member !== undefined && name !== undefined ? { target: { member, name } } : {}),
      ...(referencedPrompt === undefined ? {} : { referencedPrompt }),
      ...(backend.sharesConnection ? { progressToken: String(upstreamId) } : {}),
      ...more,
    })
  }

  async #ask(key: string, question: JsonObject): Promise<{ result: JsonObject } | CellFailure> {
    const method = String(question.method)
    const { backend } = this.#route
    if (!this.#session.canAnswer(method, question.params)) {
      return this.#failure(
        `"${backend.name}" asks for input "${key}" by ${method}, which the client did not declare at initialize that it answers`,
      )
    }
    const { response, signal, tap, number } = this.#call
    let id: JsonValue | undefined
    const answer = await this.#session.ask(
      number,
      method,
      this.#legacyParams(method, question.params),
      signal,
      (text) => {
        id = (JSON.parse(text) as JsonObject).id
        void response.request({ text, edits: [] })
      },
    )
    const raw = JSON.stringify({ jsonrpc: '2.0', id, ...answer })
    tap.record({ kind: 'request.answered', call: number, by: signal.aborted ? 'gateway' : 'client', raw })
    if ('result' in answer) return answer
    return this.#failure(
      `the client answered the request for input "${key}" (${method}) with error ${answer.error.code}: ${answer.error.message}`,
    )
  }

  /** Legacy elicitation by URL carries an id of its own; revisions before modes know none. */
  #legacyParams(method: string, params: JsonObject[string]): JsonObject[string] {
    if (method !== 'elicitation/create' || !isObject(params)) return params
    if (this.#session.facts.protocolVersion < FIRST_WITH_ELICITATION_MODES) {
      const { mode: _mode, ...rest } = params
      return rest
    }
    return params.mode === 'url' ? { ...params, elicitationId: randomUUID() } : params
  }

  #tooMany(): CellFailure | undefined {
    if (this.#rounds > MAX_ROUNDS) return this.#failure(`the backend asked for input more than ${MAX_ROUNDS} times`)
    if (this.#withoutQuestions > MAX_ROUNDS_WITHOUT_QUESTIONS)
      return this.#failure(
        `the backend answered input_required without input requests more than ${MAX_ROUNDS_WITHOUT_QUESTIONS} times in a row`,
      )
    return undefined
  }

  #taskFailure(): CellFailure {
    const { name } = this.#route.backend
    return {
      code: ErrorCode.InternalError,
      message: `The backend "${name}" answered with a task, which a legacy client cannot follow, and which the client did not declare (SEP-2663).`,
      data: { backend: name, reason: 'task' },
    }
  }

  #failure(what: string): CellFailure {
    return {
      code: ErrorCode.InternalError,
      message: `Gateway: the rounds of this call cannot go on: ${what}.`,
      data: { backend: this.#route.backend.name, reason: 'rounds' },
    }
  }
}
