import { applyEdits, ownText, referenceOf } from './body-reference'
import {
  describeAnswer,
  describeCause,
  describeEnd,
  describeMessage,
  describeRefusal,
  describeRequest,
  oneLine,
} from './describe'
import type {
  CallEvent,
  RequestAnswered,
  ResponseFrame,
  StateOpened,
  StateRefused,
  StateSealed,
  UpstreamFrame,
  UpstreamSent,
} from './events'
import { emptyExchange, emptyRecord } from './empty-record'
import { QuestionFold } from './fold-questions'
import { isKeptBytes } from './frame-bytes'
import { logOf, progressOf, readMessage, readSseBlock, type Message } from './message'
import type { BodyText, CallRecord, ExchangeRecord, SentRecord, TimelineEntry } from './record'
import { applyToSummary, emptySummary, startSummary } from './summarise'

/** Texts that were cut before they came here: whole lengths in UTF-16 code units by `seq`. */
export type ClippedLengths = ReadonlyMap<number, number>

/** Of what references name again, in UTF-16 code units: a file of few bytes may mean a text of many. */
export const MAX_REFERRED_TEXT = 67_108_864
/** How much of a text over the bound is still there. */
const REFERRED_BEGINNING = 2_048

/** How much text references may still bring into a record, in UTF-16 code units. Is used up. */
export interface ReferredRoom {
  left: number
}

/** The record of a call from its events. Pure; tolerates events that are missing or come from another order of things. */
export function foldCall(events: readonly CallEvent[], clipped?: ClippedLengths, room?: ReferredRoom): CallRecord {
  const fold = new CallFold(clipped, true, room)
  for (const event of events) fold.add(event)
  return fold.record
}

/**
 * A record that grows with the events of a live call. `add` changes `record` in place (its lists are appended to), so
 * that a call of many thousand frames costs the same per frame at its end as at its beginning.
 */
export class CallFold {
  private readonly questions = new QuestionFold()
  readonly record: CallRecord = emptyRecord(this.questions.questions)
  private readonly texts = new Map<number, { text: string; length: number; clipped: boolean }>()
  private readonly exchanges = new Map<number, ExchangeRecord>()
  private readonly clipped: Map<number, number>
  private empty = true

  /** Without `timeline`, for those who want the facts only, its lines and the counts of the summary are not made. */
  constructor(
    clipped: ClippedLengths = new Map(),
    private readonly timeline = true,
    private readonly room: ReferredRoom = { left: MAX_REFERRED_TEXT },
  ) {
    this.clipped = new Map(clipped)
  }

  /** Tells that the text of event `seq`, which comes next, was cut. */
  addClipped(seq: number, length: number): void {
    this.clipped.set(seq, length)
  }

  add(event: CallEvent): void {
    const record = this.record
    if (this.empty) this.begin(event)
    const message = this.apply(event)
    if (event.kind === 'call.received' || (!this.timeline && event.kind !== 'call.routed')) return
    const text = event.kind === 'response.frame' ? record.response.frames.at(-1)?.body.text : undefined
    applyToSummary(record.summary, event, { ...(text !== undefined && { text }), ...(message && { message }) })
  }

  private begin(event: CallEvent): void {
    this.empty = false
    const record = this.record
    record.call = event.call
    record.receivedAt = event.at
    record.summary = event.kind === 'call.received' ? startSummary(event) : emptySummary(event.call, event.at)
  }

  private apply(event: CallEvent): Message | undefined {
    const record = this.record
    const seq = event.seq
    const offset = event.at - record.receivedAt
    switch (event.kind) {
      case 'call.received': {
        if (record.request !== null) return undefined
        const body = this.bodyOf(event)
        const message = this.messageOf(body)
        record.begun = true
        record.request = { seq, http: event.http, body, message }
        record.response.pingIntervalMs = event.pingIntervalMs ?? null
        const windowMs = event.deferralWindowMs
        record.deferral = { windowMs, start: offset, end: null, latest: offset + windowMs * 1000, open: true }
        this.line({ seq, offset, leg: 'client', kind: 'request', summary: describeRequest(event, message) }, message)
        return message
      }
      case 'call.routed': {
        const { backend, operation, round, edits } = event
        const backends = event.backends ?? (backend === null ? [] : [backend])
        const era = event.backendEra ?? null
        record.route = { seq, offset, backend, backends, name: event.name ?? null, operation, round, edits, era }
        const where = backend ?? (backends.length === 0 ? 'answered by the gateway' : backends.join(', '))
        const again = round > 1 ? `, round ${round}` : ''
        this.line({ seq, offset, leg: 'gateway', kind: 'routed', summary: oneLine(`${where}${again}`) })
        return undefined
      }
      case 'upstream.sent':
        return this.sent(event, offset)
      case 'upstream.head': {
        const { status, headers, exchange } = event
        const of = this.exchangeOf(exchange)
        if (of.head !== null) of.headsBefore.push(of.head)
        of.head = { seq, offset, status, headers }
        const type = headerValue(headers, 'content-type') ?? 'no content-type'
        this.line({ seq, offset, leg: 'backend', kind: 'head', summary: oneLine(`${status} ${type}`), exchange })
        return undefined
      }
      case 'upstream.frame':
        return this.upstreamFrame(event, offset)
      case 'upstream.ended': {
        const { reason, exchange } = event
        this.exchangeOf(exchange).ended = { seq, offset, reason, detail: event.detail ?? null }
        const detail = event.detail === undefined ? '' : `: ${event.detail}`
        this.line({
          seq,
          offset,
          leg: 'backend',
          kind: 'exchange-ended',
          summary: oneLine(`${reason}${detail}`),
          exchange,
        })
        return undefined
      }
      case 'response.committed': {
        const { form, status, cause, headers } = event
        record.response.commit = { seq, offset, form, status, cause, headers }
        this.closeDeferral(offset)
        const summary = `${form.toUpperCase()} ${status} · ${describeCause(cause)}`
        this.line({ seq, offset, leg: 'client', kind: 'commit', summary })
        return undefined
      }
      case 'response.frame':
        return this.responseFrame(event, offset)
      case 'request.answered':
        this.answered(event, offset)
        return undefined
      case 'response.ping':
        record.response.pings.push({ seq, offset })
        this.line({ seq, offset, leg: 'client', kind: 'ping', summary: 'ping' })
        return undefined
      case 'response.withheld': {
        const { from, reason, detail } = event
        record.withheld.push({ seq, offset, from, method: event.method ?? null, reason, detail })
        this.questions.withheld(from, detail)
        const summary = oneLine(`${event.method ?? 'frame'}: ${detail}`)
        this.line({ seq, offset, leg: 'gateway', kind: 'withheld', summary, from, ...methodOf(event.method) })
        return undefined
      }
      case 'state.sealed':
      case 'state.opened':
      case 'state.refused':
        this.state(event, offset)
        return undefined
      case 'call.ended': {
        const { outcome, by, error, detail } = event
        record.ended = { seq, offset, outcome, by, ...(error && { error }), ...(detail !== undefined && { detail }) }
        this.closeDeferral(offset)
        this.line({ seq, offset, leg: 'gateway', kind: 'end', summary: describeEnd(event) })
        return undefined
      }
      case 'call.annotated':
        // Of a reader, and nothing that happened in the call: the summary has it.
        return undefined
    }
  }

  private sent(event: UpstreamSent, offset: number): undefined {
    const { seq, exchange, backend, http } = event
    const record = this.exchangeOf(exchange)
    record.backend = backend
    record.era = event.era ?? record.route?.era ?? null
    const hasBody = event.body !== undefined || event.bodyFrom !== undefined
    // More may follow in an exchange with a legacy server: the same again for a new session, or what resumes its stream.
    const again = event.again ?? (record.sent === null ? null : hasBody ? 'repeat' : 'resume')
    const sent: SentRecord = { seq, offset, again, http, body: hasBody ? this.bodyOf(event) : null }
    if (record.sent === null) record.sent = sent
    else record.sentAgain.push(sent)
    const why = again === null ? '' : again === 'repeat' ? ' once more, in a new session' : ' to resume the stream'
    const summary = oneLine(`${backend}: ${http.method} ${http.url}${why}`)
    this.line({ seq, offset, leg: 'backend', kind: 'sent', summary, exchange })
    return undefined
  }

  private upstreamFrame(event: UpstreamFrame, offset: number): undefined {
    const { seq, exchange, form } = event
    const raw = this.bodyOf(event, event.raw)
    const of = this.exchangeOf(exchange)
    const frames = of.frames
    if (event.unasked !== undefined) {
      of.backend = event.unasked
      of.era = 'legacy'
    }
    if (form === 'comment') {
      frames.push({ seq, offset, exchange, form, raw, message: null })
      this.line({ seq, offset, leg: 'backend', kind: 'comment', summary: oneLine(event.raw), exchange })
      return
    }
    const data = form === 'event' ? readSseBlock(event.raw).data : event.raw
    if (data === undefined) {
      frames.push({ seq, offset, exchange, form, raw, message: null })
      const summary = oneLine(`event without data: ${event.raw}`)
      this.line({ seq, offset, leg: 'backend', kind: 'unreadable', summary, exchange })
      return
    }
    this.texts.set(seq, { text: data, length: raw.length, clipped: raw.clipped })
    const message: Message = raw.clipped ? unreadPart() : readMessage(data)
    const { bytes } = event
    frames.push({
      seq,
      offset,
      exchange,
      form,
      raw,
      message,
      ...(bytes !== undefined && isKeptBytes(bytes) && { bytes }),
    })
    this.series(message, seq, offset, exchange)
    if (message.kind === 'request') this.questions.backendAsks(seq, offset, exchange, message)
    if (!this.timeline) return
    const { kind, summary, level } = describeMessage(message, of.era === 'legacy')
    this.line({ seq, offset, leg: 'backend', kind, summary, exchange, ...(level !== undefined && { level }) }, message)
  }

  private responseFrame(event: ResponseFrame, offset: number): Message {
    const { seq, form, edits } = event
    const body = this.bodyOf(event)
    const message = this.messageOf(body)
    const from = event.from ?? null
    const kept = event.kept === true
    this.record.response.frames.push({ seq, offset, form, body, message, kept, from, edits })
    this.series(message, seq, offset, null)
    if (event.message === 'request') this.questions.clientAsked(seq, offset, message, event.from)
    const described = describeMessage(message, this.record.summary.era === 'legacy')
    // A text that is not here whole is still known as what the gateway sent it for.
    const sentAs = event.message === 'request' ? 'server-request' : event.message
    const kind = message.kind === 'unread' ? sentAs : described.kind
    const away = kept ? ' · kept, the client was away' : ''
    const level = described.level
    this.line(
      {
        seq,
        offset,
        leg: 'client',
        kind,
        summary: `${described.summary}${away}`,
        ...(level !== undefined && { level }),
        ...(event.from !== undefined && { from: event.from }),
      },
      message,
    )
    return message
  }

  private answered(event: RequestAnswered, offset: number): void {
    const { seq, to, by } = event
    const body = this.bodyOf(event)
    const message = this.messageOf(body)
    const question = this.questions.answered(event, offset, message, body)
    const summary = describeAnswer(message, question?.method)
    const exchange = question?.exchange ?? undefined
    this.line({
      seq,
      offset,
      leg: by,
      kind: 'answer',
      summary,
      ...(exchange !== undefined && { exchange }),
      ...(to !== undefined && { from: to }),
    })
  }

  private state(event: StateSealed | StateOpened | StateRefused, offset: number): void {
    const { seq, outer } = event
    const refused = event.kind === 'state.refused'
    this.record.states.push({
      seq,
      offset,
      action: event.kind === 'state.sealed' ? 'sealed' : refused ? 'refused' : 'opened',
      outer,
      kid: refused ? null : event.kid,
      sealed: event.sealed ?? null,
      reason: refused ? event.reason : null,
      differs: refused ? (event.differs ?? null) : null,
    })
    const field = refused && event.differs !== undefined ? ` (${event.differs.field} differs)` : ''
    const summary = refused
      ? `state refused: it ${describeRefusal(event.reason)}${field}`
      : `state ${event.kind === 'state.sealed' ? 'sealed' : 'opened'} with key ${event.kid}, round ${event.sealed.round}`
    this.line({ seq, offset, leg: 'gateway', kind: 'state', summary: oneLine(summary) })
  }

  /** `exchange` is null for what went to the client. */
  private series(message: Message, seq: number, offset: number, exchange: number | null): void {
    const leg = exchange === null ? 'client' : 'backend'
    const progress = progressOf(message)
    if (progress !== undefined) {
      const { token, total, message: text } = progress
      this.record.progress.push({
        seq,
        offset,
        leg,
        exchange,
        token: token ?? null,
        progress: progress.progress,
        total: total ?? null,
        message: text ?? null,
      })
      return
    }
    const log = logOf(message)
    if (log !== undefined) this.record.logs.push({ seq, offset, leg, exchange, ...log })
  }

  private closeDeferral(offset: number): void {
    const deferral = this.record.deferral
    if (!deferral.open) return
    deferral.open = false
    deferral.end = offset
  }

  private exchangeOf(exchange: number): ExchangeRecord {
    let record = this.exchanges.get(exchange)
    if (record === undefined) {
      record = emptyExchange(exchange, this.record.route)
      this.exchanges.set(exchange, record)
      this.record.exchanges.push(record)
    }
    return record
  }

  /** The text of an event, references resolved; `shown` when the text to show is not the text that references mean. */
  private bodyOf(event: CallEvent, shown?: string): BodyText {
    const seq = event.seq
    const reference = referenceOf(event)
    const own = shown ?? ownText(event)
    if (own === undefined && reference !== undefined) {
      const source = this.texts.get(reference.seq)
      if (source === undefined) return { seq, text: '', length: 0, clipped: true, missing: reference.seq }
      if (source.text.length > Math.max(this.room.left, REFERRED_BEGINNING)) {
        return { seq, text: source.text.slice(0, REFERRED_BEGINNING), length: source.length, clipped: true }
      }
      const text = applyEdits(source.text, reference.edits)
      this.room.left -= text.length
      const length = source.clipped ? source.length : text.length
      return { seq, text, length, clipped: source.clipped }
    }
    const text = own ?? ''
    const whole = this.clipped.get(seq) ?? event.cut
    const body: BodyText = { seq, text, length: whole ?? text.length, clipped: whole !== undefined }
    if (shown === undefined) this.texts.set(seq, body)
    return body
  }

  private messageOf(body: BodyText): Message {
    return body.clipped ? unreadPart() : readMessage(body.text)
  }

  private line(entry: TimelineEntry, message?: Message): void {
    if (!this.timeline) return
    if (message?.method !== undefined) entry.method = message.method
    this.record.timeline.push(entry)
  }
}

function methodOf(method: string | undefined): { method?: string } {
  return method === undefined ? {} : { method }
}

function unreadPart(): Message {
  return { kind: 'unread', problem: 'only a part of the text is here' }
}

function headerValue(headers: readonly (readonly [string, string])[], name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}
