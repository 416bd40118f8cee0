import type { HeaderList } from '../../shared/capture/events'
import { ErrorCode } from '../../shared/protocol/errors'
import type { JsonObject, RequestId } from '../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../shared/protocol/json-text'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import type { Backend, LegacySession, UpstreamPart } from '../backends/backend'
import { backendFailure, notSent, silentEnd } from './backend-failure'
import type { Call } from './call'
import { carriedVia, withVia } from './carried-via'
import type { Answer } from './catalog/contract'
import { ExchangeRecord } from './exchange-record'
import { judge } from './gate'
import { errorResponseText } from './gateway-error'
import { discoverResult } from './legacy/discover-result'
import { passedHeaders } from './passed-headers'
import { readUpstreamMessage, type UpstreamMessage } from './upstream-message'

interface Question {
  backend: Backend
  method: string
  params: JsonObject
  meta: JsonObject
  id: RequestId
  headers: HeaderList
  signal: AbortSignal
  quiet?: true
  session?: OwnSession
}

/** The session of one client's own with a legacy backend; undefined where all share one. */
export type OwnSession = (backend: Backend, headers: HeaderList) => Promise<LegacySession> | undefined

/** In whose name is asked. */
export interface AskingClient {
  /** The modern `_meta` that tells of the client: its own, or what its legacy session says. */
  meta: JsonObject
  session?: OwnSession
}

/** Sees every part as it arrives; `frame` hears of messages that are not the answer. */
interface Observer {
  part(part: UpstreamPart): number
  stray(seq: number, read: UpstreamMessage, respond?: (text: string) => void): void
}

/** One request of the gateway's own to one backend, as part of a client's call, recorded. */
export async function askForCall(
  call: Call,
  backend: Backend,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
  passHeaders: ReadonlySet<string>,
  client: AskingClient = call.request,
): Promise<Answer> {
  // The first call may come before the backend was probed.
  if (backend.state.era === null) await raced(backend.discover(passedHeaders(call, passHeaders)), signal)
  const exchange = call.tap.nextExchange()
  // Neither a progress token nor a log level: notifications of several backends could not be told apart by the client.
  const { progressToken: _token, [META.logLevel]: _level, ...meta } = client.meta
  const question: Question = {
    backend,
    method,
    params,
    meta,
    id: exchange,
    headers: passedHeaders(call, passHeaders),
    signal: AbortSignal.any([call.signal, signal]),
    ...(client.session && { session: client.session }),
  }
  const via = carriedVia(call, backend)
  const body = via === undefined ? bodyOf(question) : withVia(bodyOf(question), via).text
  const record = new ExchangeRecord(call.tap, exchange, call.number, backend, { body })
  return exchangeOnce(question, body, {
    part: (part) => record.record(part),
    stray: (seq, read, respond) => {
      if (read.kind === 'notification') {
        const verdict = judge(read.message, { method })
        if (verdict.pass)
          call.withhold(
            seq,
            'not-request-scoped',
            'the gateway asked this itself to build a merged answer',
            read.message.method,
          )
        else call.withhold(seq, verdict.reason, verdict.detail, read.message.method)
      } else if (read.kind === 'request') {
        const detail =
          respond === undefined
            ? 'a server may not send requests in this revision'
            : 'it asks while the gateway builds a merged answer, of which the client knows nothing'
        call.withhold(seq, 'server-request', detail, read.message.method)
        if (respond !== undefined) refuse(call, seq, read.message, detail, respond)
      } else if (read.kind === 'invalid') call.withhold(seq, 'not-json-rpc', read.detail, undefined)
    },
  })
}

/** A server that waits for an answer would never come to its own. */
function refuse(call: Call, seq: number, message: JsonObject, detail: string, respond: (text: string) => void): void {
  const raw = errorResponseText(JSON.stringify(message.id), {
    code: ErrorCode.MethodNotFound,
    message: `Sluice: ${detail}.`,
  })
  call.tap.record({ kind: 'request.answered', call: call.number, to: seq, by: 'gateway', raw })
  respond(raw)
}

/** Waits for `work`, but no longer than `signal` allows. */
function raced(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  if (signal.aborted) return Promise.resolve()
  return Promise.race([work, new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))])
}

let quietQuestions = 0

/** The same without a client, for the desk and at start-up: nothing is recorded, no capability is declared. */
export async function askQuietly(
  backend: Backend,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
  version: string,
): Promise<Answer> {
  const meta = {
    [META.protocolVersion]: MODERN_VERSION,
    [META.clientInfo]: { name: 'sluice', version },
    [META.clientCapabilities]: {},
  }
  const question: Question = {
    backend,
    method,
    params,
    meta,
    id: `sluice-${++quietQuestions}`,
    headers: [],
    signal,
    quiet: true,
  }
  return exchangeOnce(question, bodyOf(question), { part: () => 0, stray: () => undefined })
}

/** In the backend's era: `_meta` with the reserved keys is for modern ones only. */
function bodyOf({ backend, id, method, params, meta }: Question): string {
  const own = backend.state.era === 'legacy' ? params : { ...params, _meta: meta }
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: own })
}

async function partsOf(question: Question, body: string): Promise<AsyncIterableIterator<UpstreamPart>> {
  const { backend, method, id, headers, signal, quiet, session } = question
  const request = { method, id, body, headers, ...(quiet && { quiet }) }
  if (backend.state.era !== 'legacy') return backend.exchange(request, signal)
  return (await (session?.(backend, headers) ?? backend.shared(headers))).exchange(request, signal)
}

async function exchangeOnce(question: Question, body: string, observer: Observer): Promise<Answer> {
  const { backend, method, id, signal } = question
  if (backend.state.era === 'legacy' && method === 'server/discover') return discoverLegacy(question)
  let parts: AsyncIterableIterator<UpstreamPart>
  try {
    parts = await partsOf(question, body)
  } catch (error) {
    const failure = notSent(backend.name, error)
    return { ok: false, error: failure, reason: failure.message }
  }
  let status = 0
  let answer: Answer | undefined
  let problem: { reason: string; detail: string } | undefined
  for await (const part of parts) {
    const seq = observer.part(part)
    if (part.kind === 'head') status = part.status
    if (part.kind === 'frame' && part.data !== undefined && part.data !== '') {
      const read = readUpstreamMessage(part.data, id)
      if (read.kind === 'response' && answer === undefined) answer = answerOf(backend.name, part.data, read)
      else observer.stray(seq, read, part.respond)
      if (read.kind === 'invalid')
        problem = {
          reason: 'not-json-rpc',
          detail: `its answer is no JSON-RPC message for this request: ${read.detail}`,
        }
    }
    if (part.kind === 'ended' && part.reason !== 'complete') {
      const detail = signal.aborted ? 'it took too long' : (part.detail ?? part.reason)
      problem = { reason: signal.aborted ? 'timeout' : part.reason, detail }
    }
  }
  if (answer !== undefined) return answer
  const error = backendFailure(backend.name, problem ?? silentEnd(status, undefined), status)
  return { ok: false, error, reason: error.message }
}

/** A legacy backend has said at `initialize` what a modern one says here; its era may be known before that. */
async function discoverLegacy({ backend, headers, signal }: Question): Promise<Answer> {
  if (backend.state.initialized === undefined) await raced(backend.discover(headers), signal)
  const { initialized, reason, challenge } = backend.state
  if (initialized !== undefined) return { ok: true, resultText: JSON.stringify(discoverResult(initialized)) }
  const detail = reason ?? 'it has not answered initialize yet'
  const failure = backendFailure(backend.name, { reason: 'refused', detail }, 0, challenge)
  return { ok: false, error: failure, reason: failure.message }
}

function answerOf(backend: string, data: string, read: UpstreamMessage & { kind: 'response' }): Answer {
  const members = objectMembers(data)
  const result = memberOf(members, 'result')
  if (read.error === undefined && result !== undefined)
    return { ok: true, resultText: data.slice(result.start, result.end) }
  const error = read.error ?? { code: 0, message: 'no result' }
  const data_ = (read.message.error as JsonObject | undefined)?.data
  return {
    ok: false,
    error: data_ === undefined ? error : { ...error, data: data_ },
    reason: `"${backend}" answered error ${error.code}: ${error.message.slice(0, 200)}`,
  }
}
