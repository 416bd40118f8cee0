import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import type { JsonValue } from '../protocol/json-rpc'
import type {
  BodyReference,
  CallEvent,
  CaptureEvent,
  CallReceived,
  Edit,
  SealedState,
  StateRefused,
  UpstreamFrame,
} from './events'
import { readSseBlock } from './message'
import { mergeEdits } from './merge-edits'
import { redactField, redactHeaders, redactUrl, redactWords, sentenceEdits } from './redact-fields'
import {
  editsOf,
  hasSecrets,
  isSecret,
  mayHoldSecrets,
  nameIsSecret,
  redactText,
  type RedactionRules,
} from './redaction-rules'
import { marked, namesSecret, redactedMark } from './secret-keys'
import { below, segmentsOf } from './secret-paths'

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
 * event of a call to the next.
 */
export function redactEvent(event: CaptureEvent, rules: RedactionRules, memory?: RedactionMemory): CaptureEvent {
  const plain = redactHead(event, rules)
  return 'call' in plain ? redactTexts(plain, rules, memory ?? new RedactionMemory()) : redactNotice(plain, rules)
}

/** Header fields, URLs, names and sentences. */
function redactHead(event: CaptureEvent, rules: RedactionRules): CaptureEvent {
  switch (event.kind) {
    case 'call.received':
      return redactReceived(event, rules)
    case 'upstream.sent': {
      const { http } = event
      const headers = redactHeaders(http.headers, rules, rules.sent)
      const url = redactUrl(http.url, rules)
      return headers === http.headers && url === http.url ? event : { ...event, http: { ...http, headers, url } }
    }
    case 'upstream.head':
    case 'response.committed': {
      const headers = redactHeaders(event.headers, rules)
      return headers === event.headers ? event : { ...event, headers }
    }
    case 'call.ended': {
      const { detail, error } = event
      if (detail === undefined && error === undefined) return event
      const ended = withWords(event, 'detail', rules)
      return error === undefined ? ended : changed(ended, 'error', withWords(error, 'message', rules))
    }
    case 'call.annotated':
      return withWords(event, 'comment', rules)
    case 'upstream.ended':
      return withWords(event, 'detail', rules)
    case 'response.withheld':
      return withWords(withWords(event, 'method', rules), 'detail', rules)
    case 'call.routed': {
      const edits = sameList(event.edits, redactHeaderEdit, rules)
      return withUrl(changed(event, 'edits', edits), 'name', rules)
    }
    case 'state.sealed':
    case 'state.opened':
      return changed(event, 'sealed', withUrl(event.sealed, 'target', rules))
    case 'state.refused':
      return event.sealed === undefined ? event : changed(event, 'sealed', withUrl(event.sealed, 'target', rules))
    case 'capture.lost':
      return withWords(event, 'reason', rules)
    default:
      return event
  }
}

/** What is redacted in the text of a frame would still be in its bytes. */
function withoutBytes(redacted: UpstreamFrame, before: UpstreamFrame): UpstreamFrame {
  if (redacted === before || redacted.bytes === undefined) return redacted
  const { bytes: _bytes, ...rest } = redacted
  return rest
}

function redactReceived(event: CallReceived, rules: RedactionRules): CallReceived {
  const { http, client } = event
  const headers = redactHeaders(http.headers, rules)
  const path = redactUrl(http.path, rules)
  const same = headers === http.headers && path === http.path
  const received = withUrl(same ? event : { ...event, http: { ...http, headers, path } }, 'name', rules)
  const named = withWords(withUrl(received, 'endpoint', rules), 'method', rules)
  return client === undefined ? named : changed(named, 'client', redactProduct(client, rules))
}

/** The event with another value of a member; the event itself when it is the same. */
function changed<T extends object, K extends keyof T>(event: T, key: K, value: T[K]): T {
  return event[key] === value ? event : { ...event, [key]: value }
}

function withWords<K extends string, T extends { [key in K]?: string }>(event: T, key: K, rules: RedactionRules): T {
  const text: string | undefined = event[key]
  if (text === undefined) return event
  const redacted = redactWords(text, rules)
  return redacted === text ? event : { ...event, [key]: redacted }
}

/** Resources are named by URLs, too. */
function withUrl<K extends string, T extends { [key in K]?: string }>(event: T, key: K, rules: RedactionRules): T {
  const url: string | undefined = event[key]
  if (url === undefined) return event
  const redacted = redactUrl(url, rules)
  return redacted === url ? event : { ...event, [key]: redacted }
}

function withText<K extends string, T extends { [key in K]?: string }>(event: T, key: K, rules: RedactionRules): T {
  const text: string | undefined = event[key]
  if (text === undefined) return event
  const redacted = redactText(text, rules)
  return redacted === text ? event : { ...event, [key]: redacted }
}

/** The list with each item redacted; the list itself when nothing changes. */
function sameList<T, C>(list: T[], redact: (item: T, context: C) => T, context: C): T[] {
  if (list.length === 0) return list
  const redacted = list.map((item) => redact(item, context))
  return redacted.every((item, index) => item === list[index]) ? list : redacted
}

/** What a client or a server calls itself. */
function redactProduct<T extends { name: string; version?: string }>(product: T, rules: RedactionRules): T {
  return withWords(withWords(product, 'name', rules), 'version', rules)
}

function redactHeaderEdit(edit: Edit, rules: RedactionRules): Edit {
  if (edit.what !== 'header') return edit
  const redact = (value: string): string => redactField(edit.at, value, rules, rules.sent)
  const was = edit.was === undefined ? undefined : redact(edit.was)
  const now = edit.now === undefined ? undefined : redact(edit.now)
  if (was === edit.was && now === edit.now) return edit
  return { ...edit, ...(was !== undefined && { was }), ...(now !== undefined && { now }) }
}

function redactNotice(event: CaptureEvent, rules: RedactionRules): CaptureEvent {
  if (!('backend' in event) || 'call' in event) return event
  // What a server prints may be a message, in which places are secret.
  const texts = withText(withText(withText(event, 'text', rules), 'reason', rules), 'result', rules)
  const words = withWords(withWords(texts, 'text', rules), 'reason', rules)
  const placed = withUrl(words, 'url', rules)
  return placed.serverInfo === undefined
    ? placed
    : changed(placed, 'serverInfo', redactProduct(placed.serverInfo, rules))
}

function redactTexts(event: CallEvent, rules: RedactionRules, memory: RedactionMemory): CallEvent {
  switch (event.kind) {
    case 'call.received': {
      const secret = event.name !== undefined && nameIsSecret(rules)
      const plain = secret ? changed(event, 'name', marked(event.name ?? '')) : event
      const edits = editsOf(event.body, rules)
      if (edits.length === 0) return plain
      memory.keep(event.call, REQUEST, edits)
      memory.keep(event.call, event.seq, edits)
      return { ...plain, body: applyTextEdits(event.body, edits) }
    }
    case 'call.routed': {
      const context = { rules, shifts: memory.of(event.call, REQUEST) }
      const routed = changed(event, 'edits', sameList(event.edits, redactEdit, context))
      return event.name !== undefined && nameIsSecret(rules) ? changed(routed, 'name', marked(event.name)) : routed
    }
    case 'upstream.sent':
      if (event.bodyFrom === undefined) return withText(event, 'body', rules)
      return changed(event, 'bodyFrom', redactReference(event.bodyFrom, event.call, rules, memory))
    case 'upstream.frame': {
      if (!mayHoldSecrets(event.raw, rules)) return event
      if (event.form === 'comment') return withWords(withText(event, 'raw', rules), 'raw', rules)
      const data = event.form === 'event' ? readSseBlock(event.raw).data : event.raw
      const edits = data === undefined ? [] : editsOf(data, rules)
      if (edits.length > 0) memory.keep(event.call, event.seq, edits)
      if (event.form !== 'event') return withoutBytes(changed(event, 'raw', applyTextEdits(event.raw, edits)), event)
      const places = mergeEdits(inSseBlock(event.raw, edits), inOtherFields(event.raw, rules))
      return changed(event, 'raw', applyTextEdits(event.raw, places))
    }
    case 'response.frame': {
      const context = { rules, shifts: memory.of(event.call, event.from) }
      const frame = changed(event, 'edits', sameList(event.edits, redactEdit, context))
      if (event.rawFrom === undefined) return withText(frame, 'raw', rules)
      return changed(frame, 'rawFrom', redactReference(event.rawFrom, event.call, rules, memory))
    }
    case 'request.answered':
      return withText(event, 'raw', rules)
    case 'state.sealed':
    case 'state.opened': {
      const { outer, sealed } = redactState(event, event.sealed, rules)
      return changed(changed(event, 'outer', outer), 'sealed', sealed)
    }
    case 'state.refused': {
      const { sealed, differs } = event
      const refused = changed(event, 'outer', redactState(event, sealed, rules).outer)
      const opened =
        sealed === undefined ? refused : changed(refused, 'sealed', redactState(event, sealed, rules).sealed)
      return differs === undefined ? opened : changed(opened, 'differs', redactDiffers(differs, rules))
    }
    case 'call.ended':
      memory.forget(event.call)
      if (event.error === undefined || !isSecret(rules.paths, ERROR_MESSAGE)) return event
      return { ...event, error: { ...event.error, message: marked(event.error.message) } }
    default:
      return event
  }
}

type Differs = NonNullable<StateRefused['differs']>

function redactDiffers(differs: Differs, rules: RedactionRules): Differs {
  const secret = differs.field === 'target' && nameIsSecret(rules)
  const redact = (value: JsonValue): JsonValue => {
    if (secret) return redactedMark(1)
    return typeof value === 'string' ? redactWords(value, rules) : value
  }
  return changed(changed(differs, 'sealed', redact(differs.sealed)), 'now', redact(differs.now))
}

const ERROR_MESSAGE = ['error', 'message']
const STATE = [
  ['params', 'requestState'],
  ['result', 'requestState'],
]

function redactState<T extends SealedState | undefined>(
  { outer }: { outer: string },
  sealed: T,
  rules: RedactionRules,
): { outer: string; sealed: T } {
  const secret = rules.keys.has('requeststate') || STATE.some((path) => isSecret(rules.paths, path))
  const token = secret ? marked(outer) : outer
  if (sealed === undefined) return { outer: token, sealed }
  const inner = secret && sealed.inner !== undefined ? { ...sealed, inner: marked(sealed.inner) } : sealed
  const plain: T = withText<'inner', T & SealedState>(inner, 'inner', rules)
  const state = nameIsSecret(rules) ? { ...plain, target: marked(sealed.target) } : plain
  return { outer: token, sealed: state }
}

function redactReference(
  reference: BodyReference,
  call: number,
  rules: RedactionRules,
  memory: RedactionMemory,
): BodyReference {
  const redacted = sameList(reference.edits, redactEdit, { rules, shifts: memory.of(call, reference.seq) })
  // What was edited inside a secret is gone with the secret.
  const edits = redacted.filter(
    (moved, index) => moved.offset !== undefined || reference.edits[index]?.offset === undefined,
  )
  return redacted === reference.edits ? reference : { seq: reference.seq, edits }
}

interface EditContext {
  rules: RedactionRules
  /** What redaction changed in the text that is edited. */
  shifts: readonly TextEdit[]
}

/** The edit with secrets replaced and its offset moved by what redaction changed before it; without offset when it lay inside a secret. */
function redactEdit(edit: Edit, { rules, shifts }: EditContext): Edit {
  const segments = edit.what === 'header' ? [] : segmentsOf(edit.at)
  const rests = edit.what === 'header' ? [] : below(rules.paths, segments)
  const secret = namesSecret(segments.at(-1) ?? '', rules.members) || rests.some((rest) => rest.length === 0)
  const redact = (text: string): string => {
    const inside = rests.filter((rest) => rest.length > 0)
    // An edit may hold a whole member with its key, or the value alone.
    return secret && !hasSecrets(text, rules, inside)
      ? JSON.stringify(redactedMark(text.length))
      : redactText(text, rules, inside)
  }
  const was = edit.was === undefined || edit.what === 'header' ? edit.was : redact(edit.was)
  const now = edit.now === undefined || edit.what === 'header' ? edit.now : redact(edit.now)
  if (was === edit.was && now === edit.now && shifts.length === 0) return edit
  const { offset, ...rest } = edit
  const moved: Edit = { ...rest, ...(was !== undefined && { was }), ...(now !== undefined && { now }) }
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

/** Secrets in fields of an SSE event beside its data. */
function inOtherFields(raw: string, rules: RedactionRules): TextEdit[] {
  const edits: TextEdit[] = []
  const ends = /[\r\n]/g
  for (let from = 0; from < raw.length;) {
    const end = ends.exec(raw)?.index ?? raw.length
    if (end > from && !/^data(?::|$)/.test(raw.slice(from, Math.min(end, from + 5)))) {
      for (const { start, end: to, text } of sentenceEdits(raw.slice(from, end), rules))
        edits.push({ start: from + start, end: from + to, text })
    }
    from = end + 1
  }
  return edits
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
