import { z } from 'zod'
import { readAnnotation, writeAnnotation, type Annotation, type WrittenAnnotation } from '../capture/annotation'
import type { HeaderList, NewCaptureEvent, Outcome, UpstreamEnded } from '../capture/events'
import { base64Of, MAX_KEPT_BYTES } from '../capture/frame-bytes'
import { readMessage, readSseBlock, resultTypeOf, type Message } from '../capture/message'
import { isObject, isRequestId, type JsonValue } from '../protocol/json-rpc'
import type { Era } from '../protocol/revisions'

/** What is read of an entry of a HAR from anywhere; everything else of it is passed over. */
const field = z.object({ name: z.string(), value: z.string() })
const Entry = z.object({
  startedDateTime: z.string(),
  time: z.number().nullish(),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(field).default([]),
    postData: z.object({ text: z.string().nullish() }).nullish(),
  }),
  response: z.object({
    status: z.number(),
    _error: z.string().nullish().catch(null),
    headers: z.array(field).default([]),
    content: z
      .object({ mimeType: z.string().nullish(), text: z.string().nullish(), encoding: z.string().nullish() })
      .nullish(),
  }),
  timings: z.object({ wait: z.number().nullish(), receive: z.number().nullish() }).nullish(),
  _eventSourceMessages: z
    .array(
      z.object({
        time: z.number(),
        eventName: z.string().nullish(),
        eventId: z.string().nullish(),
        // Chrome's DevTools leave it out unless they export with sensitive data; the content has it all the same.
        data: z.string().nullish(),
      }),
    )
    .nullish()
    // Where another tool has something else there, the content counts alone.
    .catch(null),
  comment: z.string().nullish().catch(null),
  _sluice: z
    .object({
      leg: z.enum(['client', 'backend']),
      call: z.number(),
      backend: z.string().nullish(),
      operation: z.string().nullish(),
      round: z.int().min(1).nullish(),
      outcome: z.enum(['result', 'tool-error', 'error', 'input-required', 'task', 'cancelled']).nullish(),
      endedBy: z.enum(['backend', 'client', 'gateway']).nullish(),
      annotation: z
        .object({ mark: z.string().optional(), pinned: z.boolean().optional(), comment: z.string().optional() })
        .optional(),
    })
    .nullish()
    // Another one's extension of that name says nothing to us.
    .catch(null),
})
type Entry = z.infer<typeof Entry>

const REASONS: readonly UpstreamEnded['reason'][] = ['cancelled', 'refused', 'lost', 'timeout', 'protocol']

/** Why a browser has no answer: nobody waited for it any more (`net::ERR_ABORTED`); an entry that says nothing is of that kind. */
const GIVEN_UP = /^$|abort|cancel/i

export interface ImportedCall {
  /** Unix milliseconds of the request. */
  startedAt: number
  /** The events, with microseconds since the request; without `call`, which is given when they are written. */
  events: { at: number; event: WithoutCall<NewCaptureEvent> }[]
  /** What the call began or went on with, to link rounds: the states it was sent with and answered with. */
  state: { given: string | null; got: string | null }
  /** Of an entry that Sluice wrote: which call it is of, on which leg, and the place of that call among its rounds. */
  written: { leg: 'client' | 'backend'; call: number; operation: string | null; round: number } | null
}
type WithoutCall<T> = T extends { call: number } ? Omit<T, 'call'> : never
export type ImportedEvent = ImportedCall['events'][number]

/** The bytes that Base64 stands for; given by who is fast at it. */
export type DecodeBase64 = (text: string) => Uint8Array

/**
 * An entry of a HAR as a call, as if the client had spoken through the gateway to the server; `skipped` when it is no MCP
 * over HTTP, or in words what is wrong with it.
 */
export function importEntry(
  value: unknown,
  decode: DecodeBase64,
): ImportedCall | { skipped: true } | { problem: string } {
  const read = Entry.safeParse(value)
  if (!read.success) {
    const issue = read.error.issues[0]
    return { problem: issue === undefined ? 'not readable' : `${issue.path.map(String).join('.')}: ${issue.message}` }
  }
  const entry = read.data
  const startedAt = Date.parse(entry.startedDateTime)
  if (!Number.isFinite(startedAt))
    return { problem: `startedDateTime: ${entry.startedDateTime.slice(0, 40)} is no time` }
  const body = entry.request.postData?.text ?? ''
  const message = readMessage(body)
  // What Sluice wrote of a backend is MCP, whatever it was carried by.
  const carries = entry.request.method === 'POST' || entry._sluice?.leg === 'backend'
  const isCall = carries && (message.method !== undefined || message.kind === 'result')
  if (body === '' && entry.request.method === 'POST' && isOfMcp(entry))
    return { problem: 'a request of MCP without its body; record the HAR with contents' }
  if (!isCall && !isListening(entry)) return { skipped: true }
  return new EntryReader(entry, startedAt, body, message, decode).call()
}

function isOfMcp({ request }: Entry): boolean {
  return request.headers.some(({ name }) => /^mcp-(session-id|protocol-version)$/i.test(name))
}

function isListening(entry: Entry): boolean {
  const { request, response } = entry
  return request.method === 'GET' && isOfMcp(entry) && mimeOf(response.content?.mimeType) === 'text/event-stream'
}

class EntryReader {
  private readonly backend: string
  private readonly era: Era
  private readonly events: ImportedEvent[] = []
  private readonly content: { text: string; bytes?: string }

  constructor(
    private readonly entry: Entry,
    private readonly startedAt: number,
    private readonly body: string,
    private readonly message: Message,
    decode: DecodeBase64,
  ) {
    this.content = contentOf(entry, decode)
    this.backend = entry._sluice?.backend ?? backendName(entry.request.url)
    this.era = eraOf(entry, message)
  }

  call(): ImportedCall {
    const { entry, message, backend, era } = this
    const { request, response, timings } = entry
    const headers = listOf(request.headers)
    const path = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(request.url)?.[1] || '/'
    const target = [message.params?.name, message.params?.uri].find((value) => typeof value === 'string')
    const token = isObject(message.params?._meta) ? message.params._meta.progressToken : undefined
    const client = clientOf(message)
    this.add(0, {
      kind: 'call.received',
      endpoint: `/mcp/${backend}`,
      era,
      http: { method: request.method, path, headers },
      body: this.body,
      ...(isRequestId(message.id) && { id: message.id }),
      ...(message.method !== undefined && { method: message.method }),
      ...(typeof target === 'string' && { name: target }),
      ...(isRequestId(token) && { progressToken: token }),
      ...(client !== undefined && { client }),
      deferralWindowMs: 0,
      responseMode: 'auto',
    })
    const given = message.params?.requestState
    this.add(0, { kind: 'call.routed', backend, backendEra: era, operation: '', round: 1, edits: [] })
    this.add(0, {
      kind: 'upstream.sent',
      exchange: 1,
      backend,
      era,
      http: { method: request.method, url: request.url, headers },
      ...(this.body !== '' && { body: this.body }),
    })
    const wait = microseconds(timings?.wait ?? entry.time)
    const end = Math.max(wait, wait + microseconds(timings?.receive), microseconds(entry.time))
    const last = response.status === 0 ? this.lines(end) : this.answer(wait, end)
    const { reason, detail } = this.ending()
    const outcome = outcomeOf(last) ?? entry._sluice?.outcome ?? this.withoutAnswer(reason)
    this.add(end, { kind: 'upstream.ended', exchange: 1, reason, ...(detail !== undefined && { detail }) })
    this.add(end, {
      kind: 'call.ended',
      outcome,
      by: entry._sluice?.endedBy ?? (outcome === 'cancelled' ? 'client' : 'backend'),
      ...(last?.error !== undefined && { error: { code: last.error.code, message: last.error.message } }),
    })
    const annotation = annotationOf(entry)
    if (annotation !== null) this.add(end, { kind: 'call.annotated', ...writeAnnotation(annotation) })
    const got = isObject(last?.result) ? last.result.requestState : undefined
    const { leg, call, operation, round } = entry._sluice ?? {}
    const written =
      leg === undefined || call === undefined ? null : { leg, call, operation: operation ?? null, round: round ?? 1 }
    return {
      startedAt: this.startedAt,
      events: this.events,
      state: { given: textOf(given), got: textOf(got) },
      written,
    }
  }

  /** Sluice writes how an exchange ended into `_error`, unless it is complete; others leave the status out. */
  private ending(): { reason: UpstreamEnded['reason']; detail?: string } {
    const { response, _sluice } = this.entry
    const answered = response.status !== 0 || (_sluice?.leg === 'backend' && this.content.text !== '')
    const [, word, detail] = /^([a-z]+)(?:: ([^]*))?$/.exec(response._error ?? '') ?? []
    const reason = _sluice?.leg === 'backend' ? REASONS.find((one) => one === word) : undefined
    if (reason !== undefined) return { reason, ...(detail !== undefined && { detail }) }
    if (answered) return { reason: 'complete' }
    const why = response._error ?? ''
    return { reason: GIVEN_UP.test(why) ? 'cancelled' : 'lost', ...(why !== '' && { detail: why }) }
  }

  /** How a call ended that no message answered. */
  private withoutAnswer(reason: UpstreamEnded['reason']): Outcome {
    if (reason === 'complete') return this.message.id === undefined ? 'result' : 'error'
    return reason === 'cancelled' ? 'cancelled' : 'error'
  }

  /** The answer of a backend that Sluice spoke to without HTTP: its lines. */
  private lines(end: number): Message | undefined {
    if (this.entry._sluice?.leg !== 'backend') return undefined
    const lines = this.content.text.split('\n').filter((line) => line !== '')
    if (lines.length === 0) return undefined
    const form = lines.length === 1 ? 'json' : 'sse'
    this.add(end, { kind: 'response.committed', status: 200, headers: [], form, cause: 'result' })
    let last: Message | undefined
    for (const line of lines) {
      const message = this.frame(end, 'line', line, line)
      if (message.kind === 'result' || message.kind === 'error') last = message
    }
    return last
  }

  /** Both legs of the answer; returns the message that ends it. */
  private answer(wait: number, end: number): Message | undefined {
    const { response } = this.entry
    const headers = listOf(response.headers)
    const mime = mimeOf(response.content?.mimeType) || mimeOf(valueOf(headers, 'content-type'))
    const stream = mime === 'text/event-stream'
    this.add(wait, { kind: 'upstream.head', exchange: 1, status: response.status, headers })
    const committed = { kind: 'response.committed' as const, status: response.status, headers }
    const text = this.content.text
    if (!stream) {
      this.add(wait, { ...committed, form: 'json', cause: readMessage(text).kind === 'error' ? 'error' : 'result' })
      return text === '' ? undefined : this.frame(end, 'body', text, text, this.content.bytes)
    }
    this.add(wait, { ...committed, form: 'sse', cause: 'mode' })
    let last: Message | undefined
    for (const { at, raw, data } of this.blocks(text, wait, end)) {
      const message = this.frame(at, 'event', raw, data)
      if (message.kind === 'result' || message.kind === 'error') last = message
    }
    return last
  }

  private frame(at: number, form: 'event' | 'body' | 'line', raw: string, data: string, bytes?: string): Message {
    const message = readMessage(data)
    this.add(at, { kind: 'upstream.frame', exchange: 1, form, raw, ...(bytes !== undefined && { bytes }) })
    if (message.kind === 'invalid') return message
    const kind = message.kind === 'unread' ? 'result' : message.kind
    this.add(at, {
      kind: 'response.frame',
      form: form === 'line' ? 'event' : form,
      message: kind,
      raw: data,
      edits: [],
    })
    return message
  }

  /** The events of a stream: with their times where the HAR has them, else all at its end. */
  private blocks(text: string, wait: number, end: number): { at: number; raw: string; data: string }[] {
    const timed = this.entry._eventSourceMessages ?? []
    const within = ({ time }: { time: number }): number =>
      Math.min(Math.max(Math.round((time * 1_000 - this.startedAt) * 1_000), wait), Math.max(end, wait))
    const whole = timed.flatMap(({ data, ...event }) => (typeof data === 'string' ? [{ ...event, data }] : []))
    if (timed.length > 0 && whole.length === timed.length) {
      return whole.map(({ eventName, eventId, data, ...event }) => ({
        at: within(event),
        raw: [
          ...(eventName ? [`event: ${oneLine(eventName)}`] : []),
          ...(eventId ? [`id: ${oneLine(eventId)}`] : []),
          ...data.split('\n').map((line) => `data: ${line}`),
        ].join('\n'),
        data,
      }))
    }
    const blocks = text
      .split(/\r\n\r\n|\n\n|\r\r/)
      .map((raw) => ({ raw, data: readSseBlock(raw).data ?? '' }))
      .filter(({ data }) => data !== '')
    // Only when there are as many is it known which time is whose.
    const times = timed.length === blocks.length ? timed.map(within) : []
    return blocks.map((block, index) => ({ at: times[index] ?? end, ...block }))
  }

  private add(at: number, event: ImportedEvent['event']): void {
    this.events.push({ at, event })
  }
}

/** The text of an answer, and its first bytes where they are no text. */
function contentOf({ response }: Entry, decode: DecodeBase64): { text: string; bytes?: string } {
  const { text, encoding } = response.content ?? {}
  if (text === undefined || text === null) return { text: '' }
  if (encoding !== 'base64') return { text }
  const bytes = decode(text)
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    let kept = ''
    for (const byte of bytes.subarray(0, MAX_KEPT_BYTES)) kept += String.fromCharCode(byte)
    return { text: new TextDecoder().decode(bytes), bytes: base64Of(kept) }
  }
}

/** What a reader has put on the call, here or with another tool; entries of Sluice say which leg they are in their comment. */
function annotationOf({ comment, _sluice }: Entry): Annotation | null {
  if (_sluice !== null && _sluice !== undefined) return readAnnotation(written(_sluice.annotation ?? {}))
  return readAnnotation(written({ comment: comment ?? undefined }))
}

function written({ mark, pinned, comment }: { [key in keyof WrittenAnnotation]?: WrittenAnnotation[key] | undefined }) {
  return {
    ...(mark !== undefined && { mark }),
    ...(pinned !== undefined && { pinned }),
    ...(comment !== undefined && { comment }),
  }
}

/** What is no message (an error page) is no answer. */
function outcomeOf(last: Message | undefined): Outcome | undefined {
  if (last === undefined || last.kind === 'invalid') return undefined
  if (last.kind === 'error') return 'error'
  const type = resultTypeOf(last)
  if (type === 'input_required') return 'input-required'
  if (type === 'task') return 'task'
  return isObject(last.result) && last.result.isError === true ? 'tool-error' : 'result'
}

function eraOf({ request }: Entry, message: Message): Era {
  const meta = message.params?._meta
  const named = isObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
  const header = request.headers.find(({ name }) => name.toLowerCase() === 'mcp-protocol-version')?.value
  const revision = typeof named === 'string' ? named : (header ?? '')
  return revision >= '2026-07-28' && message.method !== 'initialize' ? 'modern' : 'legacy'
}

function clientOf(message: Message): { name: string; version?: string } | undefined {
  const meta = message.params?._meta
  const info = (isObject(meta) ? meta['io.modelcontextprotocol/clientInfo'] : undefined) ?? message.params?.clientInfo
  if (!isObject(info) || typeof info.name !== 'string') return undefined
  return { name: info.name, ...(typeof info.version === 'string' && { version: info.version }) }
}

/** A name that a backend may have, made of where it was reached. */
function backendName(url: string): string {
  const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1]?.replace(/^.*@/, '') ?? ''
  const name = host
    .replace(/[^A-Za-z0-9.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60)
  return /[A-Za-z]/.test(name) ? name : `server-${name}`
}

function microseconds(milliseconds: number | null | undefined): number {
  const known = milliseconds !== null && milliseconds !== undefined && milliseconds > 0 && milliseconds < 1e10
  return known ? Math.round(milliseconds * 1_000) : 0
}

function mimeOf(type: string | null | undefined): string {
  return (type ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function listOf(fields: readonly { name: string; value: string }[]): HeaderList {
  return fields.map(({ name, value }) => [name, value])
}

function valueOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}
