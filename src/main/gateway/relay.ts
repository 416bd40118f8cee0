import type { Outcome, WithheldReason } from '../../shared/capture/events'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { mirroredNameParam, MULTI_ROUND_METHODS } from '../../shared/protocol/methods'
import type { Backend, UpstreamPart } from '../backends/backend'
import { backendFailure, silentEnd } from './backend-failure'
import type { Call } from './call'
import { EditedText } from './edited-text'
import { ExchangeRecord } from './exchange-record'
import { judge } from './gate'
import { passedHeaders } from './passed-headers'
import { editRequest } from './request-edits'
import { editResponse, editSubscriptionNotification } from './response-edits'
import type { StateSealer } from './state-sealer'
import type { ClientFrame } from './response-stream'
import { readUpstreamMessage, type UpstreamMessage } from './upstream-message'

/** Where a call goes and what is edited on the way. */
export interface Route {
  backend: Backend
  /** Names of client header fields that this backend may see, lower case. */
  passHeaders: ReadonlySet<string>
  /** The backend's own name or URI of the target; absent where the method has none. */
  name?: string
  referencedPrompt?: string
  /** Of a retry: the backend's own state, or null when it had given none. */
  requestState?: string | null
  operation: string
  round: number
}

/** After the terminal frame the backend's stream is watched this long for frames that come too late, then closed. */
const LATE_FRAMES_MS = 1_000

/**
 * Relays one call to one backend: request out, notifications gated and passed on in order, the terminal response restored
 * to the client's id (and its request state sealed). Every step is recorded. Always ends the call.
 */
export async function relay(call: Call, route: Route, sealer: StateSealer): Promise<void> {
  await new Relay(call, route, sealer).run()
}

class Relay {
  readonly #call: Call
  readonly #route: Route
  readonly #sealer: StateSealer
  readonly #upstreamId: number
  readonly #record: ExchangeRecord
  readonly #parts: AsyncIterableIterator<UpstreamPart>
  #late: NodeJS.Timeout | undefined
  /** Why what came so far is no answer. */
  #problem: { reason: string; detail: string } | undefined

  constructor(call: Call, route: Route, sealer: StateSealer) {
    this.#call = call
    this.#route = route
    this.#sealer = sealer
    const { request, tap } = call
    // Exchange numbers never repeat in a run, so they serve as ids: those outstanding at one backend must differ (basic/index).
    const exchange = tap.nextExchange()
    this.#upstreamId = exchange
    const member = mirroredNameParam(request.method)
    const edited = editRequest(request.body, {
      upstreamId: String(this.#upstreamId),
      ...(member !== undefined && route.name !== undefined ? { target: { member, name: route.name } } : {}),
      ...(route.requestState === undefined ? {} : { requestState: route.requestState }),
      ...(route.referencedPrompt === undefined ? {} : { referencedPrompt: route.referencedPrompt }),
    })
    const body = edited.text
    const name = route.name ?? route.referencedPrompt
    tap.record({
      kind: 'call.routed',
      call: call.number,
      backend: route.backend.name,
      ...(route.backend.state.era === null ? {} : { backendEra: route.backend.state.era }),
      ...(name === undefined ? {} : { name }),
      operation: route.operation,
      round: route.round,
      edits: edited.edits,
    })
    const reference = edited.reference(call.receivedSeq)
    const sent = reference === undefined ? { body } : { bodyFrom: reference }
    this.#record = new ExchangeRecord(tap, exchange, call.number, route.backend.name, sent)
    const mirroredName = route.name ?? request.target
    this.#parts = route.backend.exchange(
      {
        method: request.method,
        id: this.#upstreamId,
        body,
        ...(mirroredName === undefined ? {} : { mirroredName }),
        headers: passedHeaders(call, route.passHeaders),
      },
      call.signal,
    )
  }

  async run(): Promise<void> {
    for await (const part of this.#parts) {
      const seq = this.#record.record(part)
      if (part.kind === 'frame' && part.data !== undefined && part.data !== '')
        await this.#frame(part.form, part.data, seq)
      if (part.kind === 'ended') this.#upstreamEnded(part.reason, part.detail)
    }
    clearTimeout(this.#late)
  }

  async #frame(form: 'event' | 'comment' | 'body' | 'line', text: string, seq: number): Promise<void> {
    const read = readUpstreamMessage(text, this.#upstreamId)
    if (this.#call.ended) {
      this.#withhold(seq, read, 'after-result', 'it came after the call had ended')
      return
    }
    switch (read.kind) {
      case 'notification':
        await this.#notification(read.message, text, seq)
        return
      case 'request':
        this.#withhold(
          seq,
          read,
          'server-request',
          'a server may not send requests in this revision; it must answer input_required',
        )
        return
      case 'invalid':
        this.#problem = {
          reason: 'not-json-rpc',
          detail: `${form === 'body' ? 'its answer' : 'a frame'} is no JSON-RPC message for this request: ${read.detail}`,
        }
        this.#withhold(seq, read, 'not-json-rpc', read.detail)
        return
      case 'response':
        await this.#response(read, text, seq)
        this.#late = setTimeout(() => void this.#parts.return?.(), LATE_FRAMES_MS)
    }
  }

  async #notification(message: JsonObject, text: string, seq: number): Promise<void> {
    const { request, response } = this.#call
    const verdict = judge(message, request)
    if (!verdict.pass) {
      this.#withhold(seq, { kind: 'notification', message }, verdict.reason, verdict.detail)
      return
    }
    if (response.mode === 'json') {
      this.#withhold(
        seq,
        { kind: 'notification', message },
        'json-mode',
        'gateway.responseMode is "json": nothing but the result can be sent',
      )
      return
    }
    const listening = request.method === 'subscriptions/listen'
    await response.notify(
      frameOf(listening ? editSubscriptionNotification(text, request.idRaw) : new EditedText(text), seq),
    )
  }

  async #response(read: UpstreamMessage & { kind: 'response' }, text: string, seq: number): Promise<void> {
    const { request } = this.#call
    const { result, error } = read
    const asksInput = result?.resultType === 'input_required' && MULTI_ROUND_METHODS.has(request.method)
    const requestState = asksInput ? await this.#seal(result) : undefined
    const edited = editResponse(text, {
      clientId: request.idRaw,
      ...(requestState === undefined ? {} : { requestState }),
      uncacheable: request.method === 'resources/read' && isRetry(request.params),
      subscription: request.method === 'subscriptions/listen',
    })
    // The client may have left while the state was sealed.
    if (this.#call.ended) return
    this.#call.response.finish(
      frameOf(edited, seq),
      error === undefined ? 'result' : 'error',
      answerStatus(this.#record.status),
    )
    if (error !== undefined) this.#call.end('error', 'backend', { error })
    else this.#call.end(outcomeOf(result), 'backend')
  }

  async #seal(result: JsonObject): Promise<string> {
    const { backend, operation, round } = this.#route
    const inner = typeof result.requestState === 'string' ? result.requestState : undefined
    return this.#sealer.seal(this.#call, {
      backend: backend.name,
      operation,
      round,
      ...(inner === undefined ? {} : { inner }),
    })
  }

  #withhold(from: number, read: UpstreamMessage, reason: WithheldReason, detail: string): void {
    this.#call.withhold(from, reason, detail, 'message' in read ? read.message.method : undefined)
  }

  /** No terminal frame came: the client gets an error at once, since published clients wait for one until their time-out. */
  #upstreamEnded(reason: string, detail: string | undefined): void {
    if (this.#call.ended) return
    const { status } = this.#record
    const found =
      reason === 'complete' ? (this.#problem ?? silentEnd(status, detail)) : { reason, detail: detail ?? reason }
    this.#call.fail(backendFailure(this.#route.backend.name, found, status, this.#record.challenge), 200)
  }
}

function outcomeOf(result: JsonObject | undefined): Outcome {
  if (result?.resultType === 'input_required') return 'input-required'
  if (result?.resultType === 'task') return 'task'
  return result?.isError === true ? 'tool-error' : 'result'
}

function isRetry(params: JsonObject): boolean {
  return params.inputResponses !== undefined || params.requestState !== undefined
}

/** A status that cannot carry a body, or none, becomes 200. */
function answerStatus(status: number): number {
  return status < 200 || status === 204 || status === 205 || status === 304 ? 200 : status
}

function frameOf(edited: EditedText, from: number): ClientFrame {
  const rawFrom = edited.reference(from)
  return { text: edited.text, edits: edited.edits, from, ...(rawFrom === undefined ? {} : { rawFrom }) }
}
