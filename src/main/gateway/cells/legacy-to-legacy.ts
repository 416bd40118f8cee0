import { ErrorCode } from '../../../shared/protocol/errors'
import type { JsonObject } from '../../../shared/protocol/json-rpc'
import { mirroredNameParam } from '../../../shared/protocol/methods'
import type { UpstreamPart, UpstreamRequest } from '../../backends/backend'
import type { Call } from '../call'
import { EditedText } from '../edited-text'
import { judgeForLegacy } from '../gate'
import { errorResponseText } from '../gateway-error'
import { AskedClient } from '../legacy/asked-client'
import type { ClientSession } from '../legacy/client-session'
import type { OpenUpstream } from '../legacy/open-upstream'
import { restoreToken, withClientToken } from '../progress-token'
import type { Route } from '../relay'
import { editRequest } from '../request-edits'
import { editResponse } from '../response-edits'
import type { UpstreamMessage } from '../upstream-message'
import type { Answered, Cell, Withheld } from './cell'
import { answeredPing } from './ping'
import type { CancelSignal } from '../../backends/cancel-signal'

/** A legacy client's call to a legacy backend, on an upstream session of that client's own: only ids, tokens and names are mapped. */
export class LegacyToLegacy implements Cell {
  readonly #call: Call
  readonly #route: Route
  readonly #session: ClientSession
  readonly #open: OpenUpstream
  readonly #asked: AskedClient

  constructor(call: Call, route: Route, session: ClientSession, open: OpenUpstream) {
    this.#call = call
    this.#route = route
    this.#session = session
    this.#open = open
    this.#asked = new AskedClient(session, route.backend)
  }

  request(upstreamId: number): EditedText {
    const { request } = this.#call
    const { name, referencedPrompt } = this.#route
    const member = request.method.startsWith('resources/') ? 'uri' : mirroredNameParam(request.method)
    return editRequest(request.body, {
      upstreamId: String(upstreamId),
      progressToken: String(upstreamId),
      ...(member !== undefined && name !== undefined ? { target: { member, name } } : {}),
      ...(referencedPrompt === undefined ? {} : { referencedPrompt }),
    })
  }

  async exchange(request: UpstreamRequest, signal: CancelSignal): Promise<AsyncIterableIterator<UpstreamPart>> {
    const upstream = await this.#open(this.#session, this.#route.backend, request.headers)
    return upstream.exchange(request, signal)
  }

  notification(message: JsonObject, text: string, upstreamId: number): EditedText | Withheld {
    const { request } = this.#call
    if (message.method === 'notifications/cancelled') {
      const detail = 'it takes back a request that this client was not asked'
      return this.#asked.cancelled(message, text) ?? { reason: 'not-request-scoped', detail }
    }
    if (message.method !== 'notifications/progress') {
      // A process that clients share logs at the most verbose level that one of them set.
      const shared = this.#route.backend.type === 'stdio'
      const verdict = shared ? judgeForLegacy(message, this.#session.logLevel) : undefined
      return verdict === undefined || verdict.pass ? new EditedText(text) : verdict
    }
    if (withClientToken(message, upstreamId, request.progressToken) === message) {
      return { reason: 'progress-token-mismatch', detail: "the token is not that of this call's request" }
    }
    return restoreToken(text, request.body)
  }

  serverRequest(
    message: JsonObject,
    _text: string,
    seq: number,
    respond: ((text: string) => void) | undefined,
  ): Withheld | undefined {
    const ping = answeredPing(message, respond)
    if (ping !== undefined) return ping
    const method = String(message.method)
    const idRaw = JSON.stringify(message.id)
    if (!this.#session.canAnswer(method, message.params)) {
      const detail = `the client did not declare at initialize that it answers ${method}`
      respond?.(errorResponseText(idRaw, { code: ErrorCode.MethodNotFound, message: `Sluice: ${detail}.` }))
      return { reason: 'server-request', detail }
    }
    void this.#forward(message, seq, respond)
    return undefined
  }

  response(_read: UpstreamMessage & { kind: 'response' }, text: string): Answered {
    return { pass: editResponse(text, { clientId: this.#call.request.idRaw }) }
  }

  async #forward(message: JsonObject, seq: number, respond: ((text: string) => void) | undefined): Promise<void> {
    const { number, response, signal } = this.#call
    const ended = new AbortController()
    this.#call.onEnd(() => ended.abort())
    const answer = await this.#asked.ask(number, message, AbortSignal.any([signal, ended.signal]), (text) => {
      void response.request({ text, edits: [], from: seq })
    })
    if (answer !== undefined) respond?.(answer)
  }
}
