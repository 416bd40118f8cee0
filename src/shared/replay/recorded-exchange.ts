import { readSseBlock, resultTypeOf, readMessage, type Message } from '../capture/message'
import type { EndedBy, HeaderList, Outcome, UpstreamEnded } from '../capture/events'
import type { CallRecord, ExchangeRecord, QuestionRecord, UpstreamFrameRecord } from '../capture/record'
import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import type { Era } from '../protocol/revisions'

/** One frame of a backend as it was recorded. */
export interface RecordedFrame {
  /** Microseconds since the request was sent. */
  offset: number
  form: UpstreamFrameRecord['form']
  /** As on the wire. */
  raw: string
  /** Of a body that is not valid UTF-8: see `UpstreamFrame`. */
  bytes?: string
  /** The JSON-RPC message in it; null for comments and what is no message. */
  message: Message | null
  /** Of a request of a legacy backend: what it was answered with, result or error; null when it was not answered. */
  answer?: Message | null
  /** When that answer was given; microseconds since the request was sent. */
  answeredAt?: number
}

/** One request to a backend and what came back, on the backend leg: names, URIs and states are the backend's own. */
export interface RecordedExchange {
  call: number
  exchange: number
  backend: string
  era: Era
  method: string
  /** Tool or prompt name, URI, or what a completion is for; null where the method has none. */
  name: string | null
  /** Id of the request on the backend leg; undefined where only a part was recorded. */
  id: JsonValue | undefined
  params: JsonObject
  /** `Mcp-Param-*` fields, which mirror arguments (transports/streamable-http). */
  parameterHeaders: HeaderList
  operation: string
  round: number
  /** Microseconds since the call was received. */
  sentAt: number
  head: { status: number; headers: HeaderList; offset: number } | null
  frames: RecordedFrame[]
  ended: { reason: UpstreamEnded['reason']; detail: string | null; offset: number } | null
  /** The response; null when none came. */
  answer: Message | null
  outcome: Outcome | 'none'
  /** Who ended the call that it belongs to; null when the capture ends before that. */
  endedBy: EndedBy | null
  /** Why it is here in part only, in words: what was asked, or what was answered. */
  cut: string | null
}

/** Nesting beyond this is refused: walking what a hostile file holds must not exhaust the stack. */
const MAX_NESTING = 500

/** The exchanges of a call with backends, as far as they can be read, in the order in which they were sent. */
export function recordedExchanges(record: CallRecord): RecordedExchange[] {
  return record.exchanges.flatMap((exchange) => readExchange(record, exchange) ?? [])
}

function readExchange(record: CallRecord, exchange: ExchangeRecord): RecordedExchange | undefined {
  const last = [exchange.sent, ...exchange.sentAgain].filter((sent) => sent !== null && sent.again !== 'resume').at(-1)
  const body = last?.body ?? exchange.sent?.body
  if (last === undefined || last === null || body === null || body === undefined || exchange.backend === null)
    return undefined
  const request = body.clipped ? readCutRequest(record) : readMessage(body.text)
  if (request.method === undefined) return undefined
  const params = request.params ?? {}
  const frames = exchange.frames.map((frame) => readFrame(frame, last.offset, record.questions))
  const answer =
    frames.findLast(({ message }) => message?.kind === 'result' || message?.kind === 'error')?.message ?? null
  const route = exchange.route
  return {
    call: record.call,
    exchange: exchange.exchange,
    backend: exchange.backend,
    era: exchange.era ?? 'modern',
    method: request.method,
    name: targetOf(request.method, params),
    id: request.id,
    params,
    parameterHeaders: last.http.headers.filter(([name]) => name.toLowerCase().startsWith('mcp-param-')),
    operation: route?.operation ?? `call-${record.call}`,
    round: route?.round ?? 1,
    sentAt: last.offset,
    head: exchange.head && { ...exchange.head, offset: Math.max(0, exchange.head.offset - last.offset) },
    frames,
    ended: endOf(record, exchange, last.offset),
    answer,
    outcome: outcomeOf(answer),
    endedBy: record.ended?.by ?? null,
    cut: cutOf(exchange, body.clipped, params, frames),
  }
}

/** The end of an exchange; where it is missing, it ended no later than its call. */
function endOf(record: CallRecord, exchange: ExchangeRecord, sentAt: number): RecordedExchange['ended'] {
  const since = (offset: number): number => Math.max(0, offset - sentAt)
  if (exchange.ended !== null) {
    const { reason, detail, offset } = exchange.ended
    return { reason, detail, offset: since(offset) }
  }
  if (record.ended === null) return null
  const reason = record.ended.by === 'client' ? 'cancelled' : 'complete'
  return { reason, detail: null, offset: since(record.ended.offset) }
}

/** Of a request that is here in part only, what the call itself says. */
function readCutRequest({ summary }: CallRecord): Message {
  return summary.method === null ? { kind: 'unread' } : { kind: 'unread', method: summary.method }
}

function readFrame(frame: UpstreamFrameRecord, sentAt: number, questions: readonly QuestionRecord[]): RecordedFrame {
  const offset = Math.max(0, frame.offset - sentAt)
  const message = frame.message !== null && isTooDeep(frame) ? { kind: 'unread' as const } : frame.message
  const { form, raw, bytes } = frame
  const read: RecordedFrame = { offset, form, raw: raw.text, message, ...(bytes !== undefined && { bytes }) }
  if (message?.kind === 'request') {
    const question = questions.find(({ seq }) => seq === frame.seq)
    const answer = question?.answer ?? null
    read.answer = answer?.message ?? null
    if (answer !== null) read.answeredAt = Math.max(offset, answer.offset - sentAt)
  }
  return read
}

function isTooDeep({ message }: UpstreamFrameRecord): boolean {
  return [message?.params, message?.result, message?.error?.data].some(
    (value) => value !== undefined && nestsDeeper(value, MAX_NESTING),
  )
}

/** True when a value nests deeper than `limit`. Iterative. */
export function nestsDeeper(value: JsonValue, limit: number): boolean {
  let level: JsonValue[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    const next: JsonValue[] = []
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one)) if (typeof inner === 'object' && inner !== null) next.push(inner)
    level = next
  }
  return false
}

function cutOf(
  exchange: ExchangeRecord,
  clipped: boolean,
  params: JsonObject,
  frames: readonly RecordedFrame[],
): string | null {
  if (clipped) return 'only the beginning of its request was recorded'
  if (nestsDeeper(params, MAX_NESTING)) return `its params nest deeper than ${MAX_NESTING} levels`
  if (exchange.frames.some((frame) => frame.raw.clipped)) return 'only the beginning of its answer was recorded'
  if (frames.some(({ message }) => message?.kind === 'unread')) return 'its answer is too long or too deep to be read'
  return null
}

/** What a request is about, in the words of its backend. */
export function targetOf(method: string, params: JsonObject): string | null {
  if (method === 'completion/complete') {
    const ref = isObject(params.ref) ? params.ref : {}
    const named = [ref.name, ref.uri].find((value) => typeof value === 'string')
    return typeof named === 'string' ? named : null
  }
  const named = [params.name, params.uri, params.taskId].find((value) => typeof value === 'string')
  return typeof named === 'string' ? named : null
}

export function outcomeOf(answer: Message | null): Outcome | 'none' {
  if (answer === null) return 'none'
  if (answer.kind === 'error') return 'error'
  const type = resultTypeOf(answer)
  if (type === 'input_required') return 'input-required'
  if (type === 'task') return 'task'
  return isObject(answer.result) && answer.result.isError === true ? 'tool-error' : 'result'
}

/** The questions of an `input_required` answer by key; empty when it asks nothing. */
export function inputRequestsOf(answer: Message | null): JsonObject {
  const requests = isObject(answer?.result) ? answer.result.inputRequests : undefined
  return isObject(requests) ? requests : {}
}

/** The answers that a request gives to `input_required`, by key. */
export function inputResponsesOf(params: JsonObject): JsonObject {
  return isObject(params.inputResponses) ? params.inputResponses : {}
}

/** The message text of a frame of the wire; undefined for comments and events without data. */
export function messageTextOf(frame: Pick<RecordedFrame, 'form' | 'raw'>): string | undefined {
  if (frame.form === 'comment') return undefined
  return frame.form === 'event' ? readSseBlock(frame.raw).data : frame.raw
}
