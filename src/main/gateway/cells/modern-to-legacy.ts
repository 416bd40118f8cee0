import { ErrorCode } from '../../../shared/protocol/errors'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import { isObject } from '../../../shared/protocol/json-rpc'
import { META } from '../../../shared/protocol/meta'
import { mirroredNameParam } from '../../../shared/protocol/methods'
import type { LegacySession, UpstreamPart, UpstreamRequest } from '../../backends/backend'
import type { Call } from '../call'
import type { EditedText } from '../edited-text'
import { judge } from '../gate'
import { errorResponseText } from '../gateway-error'
import { modernResult } from '../legacy/modern-result'
import type { UpstreamLogLevel } from '../legacy/upstream-log-level'
import { restoreToken, withClientToken } from '../progress-token'
import type { Route } from '../relay'
import { editRequest } from '../request-edits'
import type { UpstreamMessage } from '../upstream-message'
import type { Answered, Cell, CellFailure, Withheld } from './cell'
import { answeredPing } from './ping'
import type { CancelSignal } from '../../backends/cancel-signal'

/** The capability that a client needs to answer a request of a legacy server. */
const NEEDED: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/**
 * A modern client's call to a legacy backend, on the upstream session that all modern clients of the same credentials
 * share. What the backend asks of the client in the middle of the call cannot be answered: there is no way back to the
 * client but `input_required`, and holding the backend's live call for that would be a session in disguise. It is refused
 * at once.
 */
export class ModernToLegacy implements Cell {
  readonly #call: Call
  readonly #route: Route
  readonly #logLevel: UpstreamLogLevel
  #session: LegacySession | undefined

  constructor(call: Call, route: Route, logLevel: UpstreamLogLevel) {
    this.#call = call
    this.#route = route
    this.#logLevel = logLevel
  }

  request(upstreamId: number): EditedText {
    const { request } = this.#call
    const { name, referencedPrompt } = this.#route
    const member = mirroredNameParam(request.method)
    return editRequest(request.body, {
      upstreamId: String(upstreamId),
      progressToken: String(upstreamId),
      withoutReservedMeta: true,
      ...(member !== undefined && name !== undefined ? { target: { member, name } } : {}),
      ...(referencedPrompt === undefined ? {} : { referencedPrompt }),
    })
  }

  async exchange(request: UpstreamRequest, signal: CancelSignal): Promise<AsyncIterableIterator<UpstreamPart>> {
    const session = await this.#route.backend.shared(request.headers)
    this.#session = session
    const { logLevel } = this.#call.request
    if (logLevel !== undefined) this.#call.onEnd(await this.#logLevel.want(session, this.#call, logLevel))
    return session.exchange(request, signal)
  }

  notification(message: JsonObject, text: string, upstreamId: number): EditedText | Withheld {
    const { request } = this.#call
    const verdict = judge(withClientToken(message, upstreamId, request.progressToken), request)
    return verdict.pass ? restoreToken(text, request.body) : verdict
  }

  serverRequest(
    message: JsonObject,
    _text: string,
    _seq: number,
    respond: ((text: string) => void) | undefined,
  ): Withheld | undefined {
    const ping = answeredPing(message, respond)
    if (ping !== undefined) return ping
    const method = String(message.method)
    const idRaw = JSON.stringify(message.id)
    const failure = this.#refusal(method)
    respond?.(errorResponseText(idRaw, { code: ErrorCode.MethodNotFound, message: failure.message }))
    this.#call.fail(failure, failure.code === ErrorCode.MissingRequiredClientCapability ? 400 : 200)
    this.#call.response.abandon()
    return { reason: 'server-request', detail: failure.message }
  }

  response(read: UpstreamMessage & { kind: 'response' }, text: string): Answered {
    const { request } = this.#call
    return { pass: modernResult(text, request, this.#session?.initialized.serverInfo, read) }
  }

  #refusal(method: string): CellFailure {
    const capability = NEEDED[method]
    const declared = this.#call.request.meta[META.clientCapabilities]
    if (capability !== undefined && (!isObject(declared) || declared[capability] === undefined)) {
      return {
        code: ErrorCode.MissingRequiredClientCapability,
        message: `The backend asked for ${method} in the middle of the call; the client does not declare the capability "${capability}".`,
        data: { requiredCapabilities: { [capability]: {} } },
      }
    }
    return {
      code: ErrorCode.InternalError,
      message: `The backend asked for ${method} in the middle of the call. It speaks a legacy revision, where that is a request on a live session; a modern client can only be asked by input_required (SEP-2322). Use a legacy client, or a server that speaks 2026-07-28.`,
      data: { backend: this.#route.backend.name, reason: 'server-request', method },
    }
  }
}
