import { writeAnnotation } from '../capture/annotation'
import type { CaptureHeader, HeaderList } from '../capture/events'
import { binaryOf, isWhole } from '../capture/frame-bytes'
import { readSseBlock } from '../capture/message'
import type { BodyText, CallRecord, ExchangeRecord } from '../capture/record'
import { utf8Length } from '../capture/utf8-length'
import type { HarCall, HarEntry, HarEvent, HarField, HarPage } from './har'

const HAR_PAGES = { client: 'client leg', backend: 'backend leg' } as const

export function harPages(header: CaptureHeader): HarPage[] {
  return Object.entries(HAR_PAGES).map(([id, title]) => ({
    id,
    title,
    startedDateTime: header.startedAt,
    pageTimings: {},
  }))
}

/** The entries of one call: one for the client leg, and one for each exchange with a backend. */
export function harEntries(record: CallRecord, header: CaptureHeader): HarEntry[] {
  const zero = Date.parse(header.startedAt) + record.receivedAt / 1_000
  const client = clientEntry(record, header, zero)
  const exchanges = record.exchanges.map((exchange) => exchangeEntry(record, exchange, zero))
  const comment = record.summary.annotation?.comment ?? null
  if (client !== undefined && comment !== null) client.comment = comment
  return [client, ...exchanges].filter((entry) => entry !== undefined)
}

function clientEntry(record: CallRecord, header: CaptureHeader, zero: number): HarEntry | undefined {
  const { request, response, ended } = record
  if (request === null) return undefined
  const { commit, frames, pings } = response
  const parts: Part[] =
    commit?.form === 'sse'
      ? [
          ...frames.map(({ body, offset }) => ({
            offset,
            body,
            text: `event: message\ndata: ${body.text}\n\n`,
            event: 'message',
          })),
          ...pings.map(({ offset }) => ({ offset, body: null, text: ': ping\n\n', event: null })),
        ].sort((a, b) => a.offset - b.offset)
      : frames.map(({ body, offset }) => ({ offset, body, text: body.text, event: null }))
  const last = Math.max(ended?.offset ?? 0, parts.at(-1)?.offset ?? 0, commit?.offset ?? 0)
  return entry({
    zero,
    leg: 'client',
    call: callOf(record, 'client'),
    http: { ...request.http, url: absolute(request.http.path, request.http.headers, header) },
    body: request.body,
    head: commit,
    headers: commit?.headers ?? [],
    stream: commit?.form === 'sse',
    start: 0,
    last,
    parts,
    error: commit === null ? (ended === null ? 'no answer was recorded' : `${ended.outcome} by ${ended.by}`) : null,
  })
}

function exchangeEntry(record: CallRecord, exchange: ExchangeRecord, zero: number): HarEntry | undefined {
  const { sent, head, frames, ended } = exchange
  if (sent === null) return undefined
  const stream = frames.some(({ form }) => form === 'event' || form === 'comment')
  const parts: Part[] = frames.map(({ raw, offset, form, bytes }) => ({
    offset,
    body: raw,
    ...(bytes !== undefined && { bytes }),
    text: stream ? `${raw.text}\n\n` : form === 'line' ? `${raw.text}\n` : raw.text,
    event: form === 'event' ? (readSseBlock(raw.text).event ?? 'message') : null,
  }))
  const last = Math.max(ended?.offset ?? 0, parts.at(-1)?.offset ?? 0, head?.offset ?? sent.offset)
  const failed = ended !== null && ended.reason !== 'complete'
  return entry({
    zero,
    leg: 'backend',
    call: { ...callOf(record, 'backend'), exchange: exchange.exchange, backend: exchange.backend },
    http: sent.http,
    body: sent.body,
    head,
    headers: head?.headers ?? [],
    stream,
    start: sent.offset,
    last,
    parts,
    error: failed ? [ended.reason, ended.detail].filter(Boolean).join(': ') : null,
  })
}

/** A piece of an answer. `event`: name of the SSE event that it is. */
interface Part {
  offset: number
  body: BodyText | null
  text: string
  /** Base64 of what is not valid UTF-8. */
  bytes?: string
  event: string | null
}

interface Exchanged {
  /** Unix milliseconds of offset 0. */
  zero: number
  leg: HarCall['leg']
  call: HarCall
  http: { method: string; url: string; headers: HeaderList }
  body: BodyText | null
  head: { status: number; offset: number } | null
  headers: HeaderList
  stream: boolean
  start: number
  last: number
  parts: Part[]
  error: string | null
}

function entry({ zero, leg, call, http, body, head, headers, stream, start, last, parts, error }: Exchanged): HarEntry {
  const wait = Math.max(0, (head?.offset ?? last) - start) / 1_000
  const receive = head === null ? 0 : Math.max(0, last - head.offset) / 1_000
  const text = parts.map((part) => part.text).join('')
  const binary = binaryContent(parts)
  const content = binary ?? textContent(parts, text)
  const { size } = content
  const mimeType = fieldOf(headers, 'content-type') ?? (stream ? 'text/event-stream' : 'application/octet-stream')
  const events = stream ? parts.flatMap((part) => eventOf(part, zero)) : []
  return {
    pageref: leg,
    startedDateTime: new Date(zero + start / 1_000).toISOString(),
    time: wait + receive,
    request: {
      method: http.method,
      url: http.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(http.headers),
      queryString: queryOf(http.url),
      ...(body !== null && body.text !== '' && { postData: postDataOf(body, http.headers) }),
      headersSize: -1,
      bodySize: body === null ? 0 : isPartial(body) ? -1 : utf8Length(body.text),
    },
    response: {
      status: head?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: fieldsOf(headers),
      content: { mimeType, ...content },
      redirectURL: '',
      headersSize: -1,
      bodySize: size,
      ...(error !== null && { _error: error }),
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive },
    _resourceType: stream ? 'eventsource' : 'fetch',
    ...(events.length > 0 && { _eventSourceMessages: events }),
    _sluice: call,
    comment: `${HAR_PAGES[leg]} of call ${call.call}`,
  }
}

type Content = Omit<HarEntry['response']['content'], 'mimeType'>

/** A body that is no text goes as its bytes, where all of them were kept. */
function binaryContent(parts: readonly Part[]): Content | undefined {
  const [only] = parts
  if (only?.bytes === undefined || parts.length > 1) return undefined
  const binary = binaryOf(only.bytes)
  if (!isWhole(binary)) return undefined
  return { size: binary.length, text: only.bytes, encoding: 'base64' }
}

function textContent(parts: readonly Part[], text: string): Content {
  const lacks = parts.flatMap(({ body, bytes }) => {
    if (body !== null && isPartial(body)) return [partialWords(body)]
    return bytes === undefined
      ? []
      : [`the text of event ${body?.seq ?? 0} is not valid UTF-8; U+FFFD stands for what is none`]
  })
  return lacks.length === 0 ? { size: utf8Length(text), text } : { size: -1, text, comment: lacks.join('; ') }
}

function eventOf({ event, body, offset, text }: Part, zero: number): HarEvent[] {
  if (event === null || body === null) return []
  const { data, id } = readSseBlock(text.replace(/\n\n$/, ''))
  return [{ time: (zero + offset / 1_000) / 1_000, eventName: event, eventId: id ?? '', data: data ?? '' }]
}

function isPartial(body: BodyText): boolean {
  return body.clipped || body.missing !== undefined
}

function partialWords({ seq, text, length, missing }: BodyText): string {
  if (missing !== undefined) return `the text of event ${seq} was not recorded`
  return `of the text of event ${seq} only the first ${text.length} of ${length} characters are here`
}

function postDataOf(body: BodyText, headers: HeaderList): { mimeType: string; text: string; comment?: string } {
  const mimeType = fieldOf(headers, 'content-type') ?? 'application/json'
  return { mimeType, text: body.text, ...(isPartial(body) && { comment: partialWords(body) }) }
}

function callOf({ call, summary, route }: CallRecord, leg: HarCall['leg']): HarCall {
  const { endpoint, backend, method, target, upstreamTarget, operation, round, outcome, endedBy } = summary
  const name = leg === 'client' ? target : (upstreamTarget ?? target)
  return {
    leg,
    call,
    backend: route?.backend ?? backend,
    endpoint,
    method,
    name,
    operation,
    round,
    outcome,
    endedBy,
    ...(summary.annotation !== null && { annotation: writeAnnotation(summary.annotation) }),
  }
}

/** What a client sent has a path only; where it sent it to says `Host`, or the gateway. */
function absolute(path: string, headers: HeaderList, header: CaptureHeader): string {
  const host = fieldOf(headers, 'host')
  if (host !== undefined && /^[A-Za-z0-9.:[\]-]+$/.test(host)) return `http://${host}${path}`
  const origin = /^https?:\/\/[^/?#]+/.exec(header.gateway.endpoint ?? '')?.[0]
  return `${origin ?? 'http://127.0.0.1'}${path}`
}

function fieldOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

function fieldsOf(headers: HeaderList): HarField[] {
  return headers.map(([name, value]) => ({ name, value }))
}

function queryOf(url: string): HarField[] {
  const query = /\?([^#]*)/.exec(url)?.[1]
  if (query === undefined || query === '') return []
  return query.split('&').map((parameter) => {
    const equals = parameter.indexOf('=')
    return equals < 0
      ? { name: parameter, value: '' }
      : { name: parameter.slice(0, equals), value: parameter.slice(equals + 1) }
  })
}
