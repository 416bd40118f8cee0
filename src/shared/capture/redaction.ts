import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import type { BodyReference, CallEvent, CaptureEvent, Edit, SealedState } from './events'
import { readSseBlock } from './message'
import { redactField, redactHeaders, redactSentence, redactUrl, redactWords } from './redact-fields'
import {
  editsOf,
  hasSecrets,
  hasTexts,
  isSecret,
  nameIsSecret,
  redactText,
  type RedactionRules,
} from './redaction-rules'
import { plainName, redactedMark } from './secret-keys'
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
 * event of a call to the next, and is needed only where rules name keys or paths.
 */
export function redactEvent(event: CaptureEvent, rules: RedactionRules, memory?: RedactionMemory): CaptureEvent {
  const plain = redactHead(event, rules)
  return !hasTexts(rules) || !('call' in plain)
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
      const headers = redactHeaders(event.http.headers, rules, rules.sent)
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
      const detail = event.detail === undefined ? undefined : redactSentence(event.detail, rules)
      const message = event.error === undefined ? undefined : redactSentence(event.error.message, rules)
      if (detail === event.detail && message === event.error?.message) return event
      const error = event.error === undefined || message === undefined ? {} : { error: { ...event.error, message } }
      return { ...event, ...(detail !== undefined && { detail }), ...error }
    }
    case 'upstream.ended':
    case 'response.withheld': {
      const detail = event.detail === undefined ? undefined : redactSentence(event.detail, rules)
      return detail === undefined || detail === event.detail ? event : { ...event, detail }
    }
    case 'call.routed': {
      const edits = event.edits.map((edit) => redactHeaderEdit(edit, rules))
      const name = event.name === undefined ? undefined : redactUrl(event.name, rules)
      if (name === event.name && edits.every((edit, index) => edit === event.edits[index])) return event
      return { ...event, edits, ...(name !== undefined && { name }) }
    }
    case 'state.sealed':
    case 'state.opened': {
      const sealed = redactTarget(event.sealed, rules)
      return sealed === event.sealed ? event : { ...event, sealed }
    }
    case 'state.refused': {
      const sealed = event.sealed === undefined ? undefined : redactTarget(event.sealed, rules)
      return sealed === undefined || sealed === event.sealed ? event : { ...event, sealed }
    }
    default:
      return event
  }
}

function redactHeaderEdit(edit: Edit, rules: RedactionRules): Edit {
  if (edit.what !== 'header') return edit
  const redact = (value: string): string => redactField(edit.at, value, rules, rules.sent)
  const was = edit.was === undefined ? undefined : redact(edit.was)
  const now = edit.now === undefined ? undefined : redact(edit.now)
  if (was === edit.was && now === edit.now) return edit
  return { ...edit, ...(was !== undefined && { was }), ...(now !== undefined && { now }) }
}

/** Resources are named by URLs. */
function redactTarget(sealed: SealedState, rules: RedactionRules): SealedState {
  const target = redactUrl(sealed.target, rules)
  return target === sealed.target ? sealed : { ...sealed, target }
}

function redactNotice(event: CaptureEvent, rules: RedactionRules): CaptureEvent {
  if (!('backend' in event) || 'call' in event) return event
  const redact = (text: string): string => redactSentence(hasTexts(rules) ? redactText(text, rules) : text, rules)
  const notice = { ...event }
  if (event.url !== undefined) notice.url = redactUrl(event.url, rules)
  if (event.text !== undefined) notice.text = redact(event.text)
  if (event.reason !== undefined) notice.reason = redact(event.reason)
  if (event.result !== undefined && hasTexts(rules)) notice.result = redactText(event.result, rules)
  return notice
}

function redactTexts(event: CallEvent, rules: RedactionRules, memory: RedactionMemory): CallEvent {
  switch (event.kind) {
    case 'call.received': {
      const name = event.name !== undefined && nameIsSecret(rules) ? redactedMark(event.name.length) : event.name
      const plain = name === event.name || name === undefined ? event : { ...event, name }
      const edits = editsOf(event.body, rules)
      if (edits.length === 0) return plain
      memory.keep(event.call, REQUEST, edits)
      memory.keep(event.call, event.seq, edits)
      return { ...plain, body: applyTextEdits(event.body, edits) }
    }
    case 'call.routed': {
      const edits = event.edits.map((edit) => redactEdit(edit, rules, memory.of(event.call, REQUEST)))
      const name = event.name !== undefined && nameIsSecret(rules) ? { name: redactedMark(event.name.length) } : {}
      return { ...event, edits, ...name }
    }
    case 'upstream.sent':
      if (event.bodyFrom !== undefined)
        return { ...event, bodyFrom: redactReference(event.bodyFrom, event.call, rules, memory) }
      return event.body === undefined ? event : { ...event, body: redactText(event.body, rules) }
    case 'upstream.frame': {
      if (event.form === 'comment') return { ...event, raw: redactWords(redactText(event.raw, rules), rules) }
      const data = event.form === 'event' ? readSseBlock(event.raw).data : event.raw
      const edits = data === undefined ? [] : editsOf(data, rules)
      if (edits.length === 0) return event
      memory.keep(event.call, event.seq, edits)
      const places = event.form === 'event' ? inSseBlock(event.raw, edits) : edits
      return { ...event, raw: applyTextEdits(event.raw, places) }
    }
    case 'response.frame': {
      const shifts = memory.of(event.call, event.from)
      const edits = event.edits.map((edit) => redactEdit(edit, rules, shifts))
      if (event.rawFrom !== undefined)
        return { ...event, edits, rawFrom: redactReference(event.rawFrom, event.call, rules, memory) }
      return { ...event, edits, ...(event.raw !== undefined && { raw: redactText(event.raw, rules) }) }
    }
    case 'request.answered':
      return { ...event, raw: redactText(event.raw, rules) }
    case 'state.sealed':
    case 'state.opened':
      return { ...event, ...redactState(event.outer, event.sealed, rules) }
    case 'state.refused': {
      const state = redactState(event.outer, event.sealed, rules)
      const { differs } = event
      if (differs === undefined || differs.field !== 'target' || !nameIsSecret(rules)) return { ...event, ...state }
      return { ...event, ...state, differs: { ...differs, sealed: redactedMark(1), now: redactedMark(1) } }
    }
    case 'call.ended':
      memory.forget(event.call)
      if (event.error === undefined || !isSecret(rules.paths, ERROR_MESSAGE)) return event
      return { ...event, error: { ...event.error, message: redactedMark(event.error.message.length) } }
    default:
      return event
  }
}

const ERROR_MESSAGE = ['error', 'message']
const STATE = [
  ['params', 'requestState'],
  ['result', 'requestState'],
]

function redactState<T extends SealedState | undefined>(
  outer: string,
  sealed: T,
  rules: RedactionRules,
): { outer: string; sealed?: SealedState } {
  const secret = rules.keys.has('requeststate') || STATE.some((path) => isSecret(rules.paths, path))
  const state: { outer: string; sealed?: SealedState } = { outer: secret ? redactedMark(outer.length) : outer }
  if (sealed === undefined) return state
  state.sealed = { ...sealed }
  if (secret && sealed.inner !== undefined) state.sealed.inner = redactedMark(sealed.inner.length)
  if (nameIsSecret(rules)) state.sealed.target = redactedMark(sealed.target.length)
  return state
}

function redactReference(
  reference: BodyReference,
  call: number,
  rules: RedactionRules,
  memory: RedactionMemory,
): BodyReference {
  const shifts = memory.of(call, reference.seq)
  const edits: Edit[] = []
  for (const edit of reference.edits) {
    const moved = redactEdit(edit, rules, shifts)
    // What was edited inside a secret is gone with the secret.
    if (moved.offset !== undefined || edit.offset === undefined) edits.push(moved)
  }
  return { seq: reference.seq, edits }
}

/** The edit with secrets replaced and its offset moved by what redaction changed before it; without offset when it lay inside a secret. */
function redactEdit(edit: Edit, rules: RedactionRules, shifts: readonly TextEdit[]): Edit {
  const segments = edit.what === 'header' ? [] : segmentsOf(edit.at)
  const rests = edit.what === 'header' ? [] : below(rules.paths, segments)
  const secret = rules.keys.has(plainName(segments.at(-1) ?? '')) || rests.some((rest) => rest.length === 0)
  const redact = (text: string): string => {
    const inside = rests.filter((rest) => rest.length > 0)
    // An edit may hold a whole member with its key, or the value alone.
    return secret && !hasSecrets(text, rules, inside)
      ? JSON.stringify(redactedMark(text.length))
      : redactText(text, rules, inside)
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
