import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import type { BodyReference, CallEvent, CaptureEvent, Edit, HeaderList, SealedState } from './events'
import { readSseBlock } from './message'
import { redactJson, redactedMark, secretEdits } from './secret-keys'

/** Header fields whose values never reach a capture. */
export const SECRET_HEADERS: readonly string[] = [
  'authorization',
  'cookie',
  'mcp-session-id',
  'proxy-authorization',
  'set-cookie',
  'x-amz-security-token',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-goog-api-key',
  'api-key',
]

/** Names of query parameters that never reach a capture (RFC 6750 section 2.3, and what services made of it). */
const SECRET_PARAMETERS: readonly string[] = [
  'access_token',
  'api_key',
  'apikey',
  'token',
  'client_secret',
  'sig',
  'signature',
]

/** What is redacted. Names are lower case. */
export interface RedactionRules {
  headers: ReadonlySet<string>
  /** Keys of JSON members, at any depth. */
  keys: ReadonlySet<string>
  parameters: ReadonlySet<string>
}

/** The rules of a configuration: the defaults, and the names that it adds. */
export function redactionRules(
  configured: { headers?: readonly string[]; keys?: readonly string[] } = {},
): RedactionRules {
  const keys = new Set((configured.keys ?? []).map((name) => name.toLowerCase()))
  const headers = new Set([...SECRET_HEADERS, ...(configured.headers ?? []).map((name) => name.toLowerCase())])
  // Arguments of tools may travel in headers too (streamable-http, `x-mcp-header`), and so may keys in a query.
  for (const key of keys) headers.add(`mcp-param-${key}`)
  return { headers, keys, parameters: new Set([...SECRET_PARAMETERS, ...keys]) }
}

const MAX_SHIFTED_TEXTS = 1_000
const MAX_SHIFTED_CALLS = 10_000
/** Under which the request's body is kept, beside its own `seq`: a route names its positions without naming it. */
const REQUEST = 0

/**
 * Where redaction moved what stood behind it, by call and event: later events name positions in those texts. Forgets a
 * call when it has ended.
 */
export class RedactionMemory {
  private readonly calls = new Map<number, Map<number, readonly TextEdit[]>>()

  keep(call: number, seq: number, edits: readonly TextEdit[]): void {
    let texts = this.calls.get(call)
    if (texts === undefined) this.calls.set(call, (texts = new Map()))
    texts.set(seq, edits)
    if (texts.size > MAX_SHIFTED_TEXTS) forgetOldest(texts)
    // Backends may send when a call is over, and is forgotten already.
    if (this.calls.size > MAX_SHIFTED_CALLS) forgetOldest(this.calls)
  }

  of(call: number, seq: number | undefined): readonly TextEdit[] {
    return (seq === undefined ? undefined : this.calls.get(call)?.get(seq)) ?? []
  }

  forget(call: number): void {
    this.calls.delete(call)
  }
}

function forgetOldest(map: Map<number, unknown>): void {
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

/**
 * The event with secrets replaced by marks; the event itself when it holds none. `memory` carries positions from one
 * event of a call to the next, and is needed only where rules name keys.
 */
export function redactEvent(event: CaptureEvent, rules: RedactionRules, memory?: RedactionMemory): CaptureEvent {
  const plain = redactHead(event, rules)
  return rules.keys.size === 0 || !('call' in plain)
    ? redactNotice(plain, rules)
    : redactTexts(plain, rules, memory ?? new RedactionMemory())
}

/** Header fields and URLs: all that there is to do where no keys are configured. */
function redactHead(event: CaptureEvent, rules: RedactionRules): CaptureEvent {
  switch (event.kind) {
    case 'call.received': {
      const headers = redactHeaders(event.http.headers, rules)
      const path = redactUrl(event.http.path, rules)
      const name = event.name === undefined ? undefined : redactUrl(event.name, rules)
      if (headers === event.http.headers && path === event.http.path && name === event.name) return event
      return { ...event, http: { ...event.http, headers, path }, ...(name !== undefined && { name }) }
    }
    case 'upstream.sent': {
      const headers = redactHeaders(event.http.headers, rules)
      const url = redactUrl(event.http.url, rules)
      if (headers === event.http.headers && url === event.http.url) return event
      return { ...event, http: { ...event.http, headers, url } }
    }
    case 'upstream.head':
    case 'response.committed': {
      const headers = redactHeaders(event.headers, rules)
      return headers === event.headers ? event : { ...event, headers }
    }
    case 'call.ended': {
      const detail = event.detail === undefined ? undefined : redactWords(event.detail, rules)
      const message = event.error === undefined ? undefined : redactWords(event.error.message, rules)
      if (detail === event.detail && message === event.error?.message) return event
      const error = event.error === undefined || message === undefined ? {} : { error: { ...event.error, message } }
      return { ...event, ...(detail !== undefined && { detail }), ...error }
    }
    case 'upstream.ended':
    case 'response.withheld': {
      const detail = event.detail === undefined ? undefined : redactWords(event.detail, rules)
      return detail === undefined || detail === event.detail ? event : { ...event, detail }
    }
    case 'call.routed': {
      const secret = (edit: Edit): boolean => edit.what === 'header' && rules.headers.has(edit.at.toLowerCase())
      if (!event.edits.some(secret)) return event
      return { ...event, edits: event.edits.map((edit) => (secret(edit) ? redactHeaderEdit(edit) : edit)) }
    }
    default:
      return event
  }
}

function redactHeaderEdit(edit: Edit): Edit {
  const { was, now } = edit
  return {
    ...edit,
    ...(was !== undefined && { was: redactHeaderValue(was) }),
    ...(now !== undefined && { now: redactHeaderValue(now) }),
  }
}

function redactNotice(event: CaptureEvent, rules: RedactionRules): CaptureEvent {
  if (!('backend' in event) || 'call' in event) return event
  const redact = (text: string): string =>
    redactWords(rules.keys.size === 0 ? text : redactJson(text, rules.keys), rules)
  const notice = { ...event }
  if (event.url !== undefined) notice.url = redactUrl(event.url, rules)
  if (event.text !== undefined) notice.text = redact(event.text)
  if (event.reason !== undefined) notice.reason = redact(event.reason)
  return notice
}

const CREDENTIALS = /\b(Basic|Bearer) +([A-Za-z0-9._~+/=-]{4,})/gi
const PARAMETER = /([?&])([^=&\s"'<>]{1,100})=([^&\s"'<>#]+)/g

/** Text for people (what a process prints, why something failed) may quote URLs and header fields. */
function redactWords(text: string, rules: RedactionRules): string {
  return text
    .replace(CREDENTIALS, (_all, scheme: string, secret: string) => `${scheme} ${redactedMark(secret.length)}`)
    .replace(PARAMETER, (all, mark: string, name: string, value: string) =>
      rules.parameters.has(parameterName(name)) && !value.startsWith('«')
        ? `${mark}${name}=${redactedMark(value.length)}`
        : all,
    )
}

function redactHeaders(headers: HeaderList, rules: RedactionRules): HeaderList {
  let redacted: HeaderList | undefined
  for (let index = 0; index < headers.length; index++) {
    const header = headers[index]
    if (header === undefined || !rules.headers.has(header[0].toLowerCase())) continue
    redacted ??= headers.slice()
    redacted[index] = [header[0], redactHeaderValue(header[1])]
  }
  return redacted ?? headers
}

const SCHEMES = /^(Basic|Bearer|Digest|DPoP|Negotiate) +/i

/** The scheme of an authorization says how a client authenticates, and nothing secret. */
function redactHeaderValue(value: string): string {
  if (value === '') return value
  const scheme = SCHEMES.exec(value)?.[0] ?? ''
  const secret = value.slice(scheme.length)
  return secret.startsWith('«redacted ') ? value : scheme + redactedMark(secret.length)
}

/** Replaces user information and the values of secret parameters; everything else keeps its spelling. */
export function redactUrl(url: string, rules: RedactionRules): string {
  let text = url
  if (url.includes('@'))
    text = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]+)@/i, (_all, scheme: string, user: string) =>
      user.startsWith('«') ? _all : `${scheme}${redactedMark(user.length)}@`,
    )
  const query = text.indexOf('?')
  if (query < 0) return text
  const fragment = text.indexOf('#', query)
  const end = fragment < 0 ? text.length : fragment
  const parameters = text
    .slice(query + 1, end)
    .split('&')
    .map((parameter) => {
      const equals = parameter.indexOf('=')
      if (equals < 0 || !rules.parameters.has(parameterName(parameter.slice(0, equals)))) return parameter
      const value = parameter.slice(equals + 1)
      return value === '' || value.startsWith('«')
        ? parameter
        : parameter.slice(0, equals + 1) + redactedMark(value.length)
    })
  return text.slice(0, query + 1) + parameters.join('&') + text.slice(end)
}

function parameterName(raw: string): string {
  try {
    return decodeURIComponent(raw).toLowerCase()
  } catch {
    // Not decodable is not secret by any name that a server could read.
    return raw.toLowerCase()
  }
}

function redactTexts(event: CallEvent, rules: RedactionRules, memory: RedactionMemory): CallEvent {
  const keys = rules.keys
  switch (event.kind) {
    case 'call.received': {
      const edits = secretEdits(event.body, keys)
      if (edits.length === 0) return event
      memory.keep(event.call, REQUEST, edits)
      memory.keep(event.call, event.seq, edits)
      return { ...event, body: applyTextEdits(event.body, edits) }
    }
    case 'call.routed':
      return { ...event, edits: event.edits.map((edit) => redactEdit(edit, keys, memory.of(event.call, REQUEST))) }
    case 'upstream.sent':
      if (event.bodyFrom !== undefined)
        return { ...event, bodyFrom: redactReference(event.bodyFrom, event.call, keys, memory) }
      return event.body === undefined ? event : { ...event, body: redactJson(event.body, keys) }
    case 'upstream.frame': {
      if (event.form === 'comment') return { ...event, raw: redactJson(event.raw, keys) }
      const data = event.form === 'event' ? readSseBlock(event.raw).data : event.raw
      const edits = data === undefined ? [] : secretEdits(data, keys)
      if (edits.length === 0) return event
      memory.keep(event.call, event.seq, edits)
      const places = event.form === 'event' ? inSseBlock(event.raw, edits) : edits
      return { ...event, raw: applyTextEdits(event.raw, places) }
    }
    case 'response.frame': {
      const shifts = memory.of(event.call, event.from)
      const edits = event.edits.map((edit) => redactEdit(edit, keys, shifts))
      if (event.rawFrom !== undefined)
        return { ...event, edits, rawFrom: redactReference(event.rawFrom, event.call, keys, memory) }
      return { ...event, edits, ...(event.raw !== undefined && { raw: redactJson(event.raw, keys) }) }
    }
    case 'request.answered':
      return { ...event, raw: redactJson(event.raw, keys) }
    case 'state.sealed':
    case 'state.opened':
      if (!keys.has('requeststate')) return event
      return { ...event, outer: redactedMark(event.outer.length), sealed: redactSealed(event.sealed) }
    case 'state.refused': {
      if (!keys.has('requeststate')) return event
      const sealed = event.sealed === undefined ? {} : { sealed: redactSealed(event.sealed) }
      return { ...event, outer: redactedMark(event.outer.length), ...sealed }
    }
    case 'call.ended':
      memory.forget(event.call)
      return event
    default:
      return event
  }
}

function redactSealed(sealed: SealedState): SealedState {
  return sealed.inner === undefined ? sealed : { ...sealed, inner: redactedMark(sealed.inner.length) }
}

function redactReference(
  reference: BodyReference,
  call: number,
  keys: ReadonlySet<string>,
  memory: RedactionMemory,
): BodyReference {
  const shifts = memory.of(call, reference.seq)
  const edits: Edit[] = []
  for (const edit of reference.edits) {
    const moved = redactEdit(edit, keys, shifts)
    // What was edited inside a secret is gone with the secret.
    if (moved.offset !== undefined || edit.offset === undefined) edits.push(moved)
  }
  return { seq: reference.seq, edits }
}

/** The edit with secrets replaced and its offset moved by what redaction changed before it; without offset when it lay inside a secret. */
function redactEdit(edit: Edit, keys: ReadonlySet<string>, shifts: readonly TextEdit[]): Edit {
  const secret = keys.has(edit.at.slice(edit.at.lastIndexOf('/') + 1).toLowerCase())
  const redact = (text: string): string => {
    const redacted = redactJson(text, keys)
    // An edit may hold a whole member with its key, or the value alone.
    return secret && redacted === text ? JSON.stringify(redactedMark(text.length)) : redacted
  }
  const { offset, ...rest } = edit
  const moved: Edit = rest
  if (edit.was !== undefined) moved.was = redact(edit.was)
  if (edit.now !== undefined) moved.now = redact(edit.now)
  if (offset === undefined) return moved
  let shift = 0
  const end = offset + (edit.was?.length ?? 0)
  for (const { start, end: shiftEnd, text } of shifts) {
    if (shiftEnd <= offset) shift += text.length - (shiftEnd - start)
    else if (start <= offset && end <= shiftEnd) return moved
  }
  moved.offset = offset + shift
  return moved
}

/** Edits of the data of an SSE event as edits of its block. */
function inSseBlock(raw: string, edits: readonly TextEdit[]): TextEdit[] {
  const lines: { data: number; raw: number; length: number }[] = []
  let data = 0
  for (const line of raw.matchAll(/(^|\r\n|\n|\r)data(?::( ?)([^\r\n]*))?(?=[\r\n]|$)/g)) {
    const value = line[3] ?? ''
    const start = line.index + line[0].length - value.length
    lines.push({ data, raw: start, length: value.length })
    data += value.length + 1
  }
  const place = (position: number): number => {
    let found = lines[0]
    for (const line of lines) if (line.data <= position) found = line
    return found === undefined ? 0 : found.raw + Math.min(position - found.data, found.length)
  }
  return edits.map((edit) => ({ start: place(edit.start), end: place(edit.end), text: edit.text }))
}
