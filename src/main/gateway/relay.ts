import type { CallRouted, Edit, Outcome, Unstamped } from '../../shared/capture/events'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { Era } from '../../shared/protocol/revisions'
import type { Backend, UpstreamPart, UpstreamRequest } from '../backends/backend'
import { backendFailure, notSent, silentEnd } from './backend-failure'
import type { Call } from './call'
import { eachPart } from '../backends/part-queue'
import { carriedVia, withVia } from './carried-via'
import type { Again, Answered, Cell, CellFailure } from './cells/cell'
import type { EditedText } from './edited-text'
import { ExchangeRecord } from './exchange-record'
import { passedHeaders } from './passed-headers'
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
  /** Task ids of this backend leave with its name before them (aggregate endpoint). */
  namesTasks?: boolean
}

type Frame = UpstreamPart & { kind: 'frame' }
type Response = UpstreamMessage & { kind: 'response' }

/** After the terminal frame the backend's stream is watched this long for frames that come too late, then closed. */
const LATE_FRAMES_MS = 1_000

/**
 * Relays one call to one backend: request out, notifications gated and passed on in order, the terminal response as the
 * cell makes it. Every step is recorded. Always ends the call.
 */
export async function relay(call: Call, route: Route, makeCell: (era: Era) => Cell): Promise<void> {
  const { backend } = route
  // The first call may come before the backend was probed.
  if (backend.state.era === null) await backend.discover(passedHeaders(call, route.passHeaders))
  const era = backend.state.era ?? 'modern'
  if (call.ended) return
  const first = await relayIn(call, route, makeCell(era))
  if (first === 'answered') return
  // The answer showed another era than was known, so nothing was done yet: once more, at most.
  await backend.discover(passedHeaders(call, route.passHeaders))
  const now = backend.state.era
  if (call.ended) return
  // Where neither era is known now, nothing says that a third try would be understood.
  const outcome = now === null || now === era ? first : await relayIn(call, route, makeCell(now))
  if (outcome !== 'answered') call.fail(outcome.wrongEra, 200)
}

/** `wrongEra` is the error for the client, unless another try in the other era helps. */
async function relayIn(call: Call, route: Route, cell: Cell): Promise<'answered' | { wrongEra: CellFailure }> {
  let make: Again = (upstreamId) => cell.request(upstreamId)
  let { round } = route
  while (!call.ended) {
    const outcome = await new Exchange(call, round === route.round ? route : { ...route, round }, cell).run(make)
    if (outcome === 'answered' || 'wrongEra' in outcome) return outcome
    make = outcome.again
    if (!outcome.repeats) round++
  }
  return 'answered'
}

/** What is sent in the next exchange of the call: the next round, or the same once more. */
interface Next {
  again: Again
  repeats: boolean
}

/** One upstream exchange of a call. */
class Exchange {
  readonly #call: Call
  readonly #route: Route
  readonly #cell: Cell
  readonly #upstreamId: number
  #record: ExchangeRecord | undefined
  #parts: AsyncIterableIterator<UpstreamPart> | undefined
  #late: NodeJS.Timeout | undefined
  /** The response has come; what follows is late. */
  #answered = false
  #next: Next | undefined
  #wrongEra: CellFailure | undefined
  /** Why what came so far is no answer. */
  #problem: { reason: string; detail: string } | undefined

  constructor(call: Call, route: Route, cell: Cell) {
    this.#call = call
    this.#route = route
    this.#cell = cell
    // Exchange numbers never repeat in a run, so they serve as ids: those outstanding at one backend must differ (basic/index).
    this.#upstreamId = call.tap.nextExchange()
  }

  /** Resolves with what to send next, when the cell wants another round. */
  async run(make: Again): Promise<Next | 'answered' | { wrongEra: CellFailure }> {
    const { backend } = this.#route
    const edited = make(this.#upstreamId)
    const via = carriedVia(this.#call, backend)
    const carried = via === undefined ? undefined : withVia(edited.text, via)
    const body = carried === undefined ? edited.text : carried.text
    this.#recordRoute(carried === undefined ? edited.edits : [...edited.edits, ...carried.edits])
    const reference = via === undefined ? edited.reference(this.#call.receivedSeq) : undefined
    const sent = reference === undefined ? { body } : { bodyFrom: reference }
    const record = new ExchangeRecord(this.#call.tap, this.#upstreamId, this.#call.number, backend, sent)
    this.#record = record
    try {
      const sending = this.#send(body)
      this.#parts = sending instanceof Promise ? await sending : sending
    } catch (error) {
      this.#call.fail(notSent(backend.name, error), 200)
      return 'answered'
    }
    await eachPart(this.#parts, (part) => {
      const handled = this.#part(part, record.record(part))
      return handled === undefined ? this.#next !== undefined : handled.then(() => this.#next !== undefined)
    })
    clearTimeout(this.#late)
    if (this.#wrongEra !== undefined) return { wrongEra: this.#wrongEra }
    return this.#next ?? 'answered'
  }

  #recordRoute(edits: Edit[]): void {
    const { backend, name: target, referencedPrompt, operation, round } = this.#route
    const name = target ?? referencedPrompt
    const { number: call, tap } = this.#call
    const event: Unstamped<CallRouted> = {
      kind: 'call.routed',
      call,
      backend: backend.name,
      operation,
      round,
      edits,
    }
    if (backend.state.era !== null) event.backendEra = backend.state.era
    if (name !== undefined) event.name = name
    tap.record(event)
  }

  #send(body: string): ReturnType<Cell['exchange']> {
    const { request, response } = this.#call
    const headers = passedHeaders(this.#call, this.#route.passHeaders)
    const upstream: UpstreamRequest = { method: request.method, id: this.#upstreamId, body, headers }
    const mirroredName = this.#route.name ?? request.target
    if (mirroredName !== undefined) upstream.mirroredName = mirroredName
    return this.#cell.exchange(upstream, response.gone)
  }

  #part(part: UpstreamPart, seq: number): Promise<void> | undefined {
    if (part.kind === 'ended') return this.#call.ended || this.#answered ? undefined : this.#upstreamEnded(part)
    if (part.kind !== 'frame' || part.data === undefined || part.data === '') return undefined
    return this.#frame(part, part.data, seq)
  }

  #frame(part: Frame, text: string, seq: number): Promise<void> | undefined {
    const read = readUpstreamMessage(text, this.#upstreamId)
    if (this.#call.ended || this.#answered) {
      this.#call.withhold(seq, 'after-result', 'it came after the call had ended', methodOf(read))
      return undefined
    }
    switch (read.kind) {
      case 'notification': {
        const outcome = this.#cell.notification(read.message, text, this.#upstreamId)
        if ('reason' in outcome) this.#call.withhold(seq, outcome.reason, outcome.detail, methodOf(read))
        else if (this.#call.response.mode === 'json') {
          const detail = 'gateway.responseMode is "json": nothing but the result can be sent'
          this.#call.withhold(seq, 'json-mode', detail, methodOf(read))
        } else return this.#call.response.notify(frameOf(outcome, seq))
        return undefined
      }
      case 'request': {
        const withheld = this.#cell.serverRequest(read.message, text, seq, this.#recorded(part.respond, seq))
        if (withheld !== undefined) this.#call.withhold(seq, withheld.reason, withheld.detail, methodOf(read))
        return undefined
      }
      case 'invalid': {
        const what = part.form === 'body' ? 'its answer' : 'a frame'
        this.#problem = {
          reason: 'not-json-rpc',
          detail: `${what} is no JSON-RPC message for this request: ${read.detail}`,
        }
        this.#call.withhold(seq, 'not-json-rpc', read.detail, undefined)
        return undefined
      }
      case 'response':
        return this.#response(part, read, text, seq)
    }
  }

  /** `respond` that also records what the backend is answered. What is answered at once is answered by the gateway. */
  #recorded(respond: ((text: string) => void) | undefined, seq: number): typeof respond {
    if (respond === undefined) return undefined
    const { tap, number, response } = this.#call
    let atOnce = true
    queueMicrotask(() => (atOnce = false))
    return (raw) => {
      const by = atOnce || response.gone.aborted ? 'gateway' : 'client'
      tap.record({ kind: 'request.answered', call: number, to: seq, by, raw })
      respond(raw)
    }
  }

  #response(part: Frame, read: Response, text: string, seq: number): Promise<void> | undefined {
    this.#answered = true
    const answered = this.#cell.response(read, text)
    if (answered instanceof Promise) return answered.then((later) => this.#answer(later, part, read, seq))
    this.#answer(answered, part, read, seq)
    return undefined
  }

  #answer(answered: Answered, { form }: Frame, read: Response, seq: number): void {
    // The client may have left meanwhile.
    if (this.#call.ended) return
    if ('again' in answered) {
      const { again, repeats } = answered
      if (repeats !== undefined) this.#call.withhold(seq, 'merged', repeats, undefined)
      this.#next = { again, repeats: repeats !== undefined }
      return
    }
    if ('fail' in answered) this.#call.fail(answered.fail, 200)
    else {
      const { response } = this.#call
      const status = answerStatus(this.#record?.status ?? 200)
      response.finish(frameOf(answered.pass, seq), read.error === undefined ? 'result' : 'error', status)
      if (read.error !== undefined) this.#call.end('error', 'backend', { error: read.error })
      else this.#call.end(outcomeOf(read.result), 'backend')
    }
    // Nothing follows a body.
    if (form !== 'body') this.#late = setTimeout(() => void this.#parts?.return?.(), LATE_FRAMES_MS)
  }

  /** No terminal frame came: the client gets an error at once, since published clients wait for one until their time-out. */
  async #upstreamEnded({ reason, detail, wrongEra }: UpstreamPart & { kind: 'ended' }): Promise<void> {
    if (wrongEra !== true && this.#cell.lost !== undefined) {
      const again = await this.#cell.lost()
      if (again !== undefined) this.#next = { again, repeats: true }
      if (again !== undefined || this.#call.ended) return
    }
    const status = this.#record?.status ?? 0
    const found =
      reason === 'complete' ? (this.#problem ?? silentEnd(status, detail)) : { reason, detail: detail ?? reason }
    const failure = backendFailure(this.#route.backend.name, found, status, this.#record?.challenge)
    if (wrongEra === true) this.#wrongEra = failure
    else this.#call.fail(failure, 200)
  }
}

function methodOf(read: UpstreamMessage): JsonObject['method'] {
  return 'message' in read ? read.message.method : undefined
}

function outcomeOf(result: JsonObject | undefined): Outcome {
  if (result?.resultType === 'input_required') return 'input-required'
  if (result?.resultType === 'task') return 'task'
  return result?.isError === true ? 'tool-error' : 'result'
}

/** A status that cannot carry a body, or none, becomes 200. */
function answerStatus(status: number): number {
  return status < 200 || status === 204 || status === 205 || status === 304 ? 200 : status
}

function frameOf(edited: EditedText, from: number): ClientFrame {
  const frame: ClientFrame = { text: edited.text, edits: edited.edits, from }
  const rawFrom = edited.reference(from)
  if (rawFrom !== undefined) frame.rawFrom = rawFrom
  return frame
}
