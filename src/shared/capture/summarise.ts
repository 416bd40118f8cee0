import { readAnnotation } from './annotation'
import type { CallEvent, CallReceived, CallRouted, ResponseFrame } from './events'
import { logOf, progressOf, readMessage, type Message } from './message'
import { shorten } from './shorten'
import { countFlow, streamOf } from './stream-summary'
import { utf8Length } from './utf8-length'
import { MAX_LIFE_MARKS, type CallSummary, type LifeMark } from './summary'

/**
 * Notifications longer than this (UTF-16 code units) count as plain notifications in a summary, since it is made for
 * every event and must not cost; the record of the call reads them.
 */
const MAX_NOTIFICATION_LENGTH = 65_536

/** What a caller has found out about an event already, so that it is not done twice. */
export interface Reading {
  /** The text of a `response.frame` that is recorded as a reference. */
  text?: string
  /** The text as message. */
  message?: Message
  /** UTF-8 bytes of the text. */
  bytes?: number
}

/** The summary of a call that has just been received. `bytes`: UTF-8 bytes of its body, for callers that know them. */
export function startSummary(event: CallReceived, bytes?: number): CallSummary {
  const summary = emptySummary(event.call, event.at)
  summary.endpoint = shorten(event.endpoint)
  summary.era = event.era
  summary.id = typeof event.id === 'string' ? shorten(event.id) : (event.id ?? null)
  summary.method = shorten(event.method ?? null)
  summary.target = shorten(event.name ?? null)
  summary.client = shorten(event.client?.name ?? null)
  summary.deferralWindowMs = event.deferralWindowMs
  summary.httpMethod = shorten(event.http.method)
  summary.stream = streamOf(event)
  summary.bytesIn = bytes ?? utf8Length(event.body)
  return summary
}

/** The summary of a call whose beginning was not recorded. */
export function emptySummary(call: number, at: number): CallSummary {
  return {
    call,
    receivedAt: at,
    endpoint: '',
    era: 'modern',
    backendEra: null,
    id: null,
    method: null,
    target: null,
    upstreamTarget: null,
    backend: null,
    backends: [],
    client: null,
    deferralWindowMs: 0,
    answer: null,
    committedAt: null,
    outcome: null,
    endedBy: null,
    endedAt: null,
    error: null,
    frames: 0,
    pings: 0,
    progress: 0,
    logs: 0,
    withheld: 0,
    bytesIn: 0,
    bytesOut: 0,
    lastProgress: null,
    operation: null,
    round: 1,
    input: false,
    asked: 0,
    drivenRounds: 0,
    httpMethod: null,
    stream: null,
    findings: 0,
    annotation: null,
    life: [],
    lifeDropped: 0,
  }
}

/** Brings the summary up to date with the next event of its call. */
export function applyToSummary(summary: CallSummary, event: CallEvent, reading: Reading = NOTHING_READ): void {
  switch (event.kind) {
    case 'call.routed':
      // A call that comes with a later round of a client's own begins with that round.
      if (summary.operation === event.operation && event.round > summary.round) {
        summary.drivenRounds = Math.max(summary.drivenRounds, 1) + event.round - summary.round
      }
      summary.backend = shorten(event.backend)
      summary.backends = backendsOf(event)
      summary.backendEra = event.backendEra ?? null
      summary.upstreamTarget = shorten(event.name ?? null)
      if (summary.upstreamTarget === summary.target) summary.upstreamTarget = null
      summary.operation = shorten(event.operation)
      summary.round = event.round
      break
    case 'response.committed':
      summary.answer = { form: event.form, status: event.status, cause: event.cause }
      summary.committedAt = event.at
      break
    case 'response.frame':
      applyFrame(summary, event, reading)
      break
    case 'request.answered':
      addMark(summary, event.at, 'answer')
      break
    case 'response.ping':
      summary.pings++
      addMark(summary, event.at, 'ping')
      break
    case 'response.withheld':
      summary.withheld++
      addMark(summary, event.at, 'withheld')
      break
    case 'state.sealed':
    case 'state.opened':
      summary.input = true
      break
    case 'call.ended':
      summary.outcome = event.outcome
      summary.endedBy = event.by
      summary.endedAt = event.at
      if (event.error !== undefined) {
        summary.error = { code: event.error.code, message: shorten(event.error.message) }
      }
      if (event.outcome === 'input-required') summary.input = true
      break
    case 'call.annotated':
      summary.annotation = readAnnotation(event)
      break
    default:
      break
  }
}

/** More would not fit into a row. */
const MAX_BACKENDS = 100

function backendsOf({ backend, backends }: CallRouted): string[] {
  if (backends === undefined) return backend === null ? [] : [shorten(backend)]
  return backends.slice(0, MAX_BACKENDS).map((name) => shorten(name))
}

const NOTHING_READ: Reading = {}

function applyFrame(summary: CallSummary, event: ResponseFrame, reading: Reading): void {
  const text = reading.text ?? event.raw
  summary.frames++
  summary.bytesOut += reading.bytes ?? utf8Length(text ?? '')
  if (event.message === 'request') {
    summary.asked++
    summary.input = true
    addMark(summary, event.at, 'question')
  }
  if (event.message !== 'notification') return
  let mark: LifeMark['mark'] = 'notification'
  if (text !== undefined && text.length <= MAX_NOTIFICATION_LENGTH) {
    const message = reading.message ?? readMessage(text)
    const progress = progressOf(message)
    if (summary.stream !== null) countFlow(summary.stream, message, event.at)
    if (progress !== undefined) {
      mark = 'progress'
      summary.progress++
      summary.lastProgress = { progress: progress.progress }
      if (progress.total !== undefined) summary.lastProgress.total = progress.total
      if (progress.message !== undefined) summary.lastProgress.message = shorten(progress.message)
    } else if (logOf(message) !== undefined) {
      mark = 'log'
      summary.logs++
    }
  }
  addMark(summary, event.at, mark)
}

function addMark(summary: CallSummary, at: number, mark: LifeMark['mark']): void {
  if (summary.life.length < MAX_LIFE_MARKS) summary.life.push({ at: at - summary.receivedAt, mark })
  else summary.lifeDropped++
}
