import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import type { CallEnded, CallReceived, CommitCause, StateRefusedReason } from './events'
import { logOf, progressOf, resultTypeOf, type Message } from './message'
import type { TimelineKind } from './record'

const MAX_SUMMARY_LENGTH = 160

/** Cuts a text to one line of bounded length. */
export function oneLine(text: string): string {
  const cut = text.length > MAX_SUMMARY_LENGTH ? `${text.slice(0, MAX_SUMMARY_LENGTH - 1)}…` : text
  return /[\r\n\t]/.test(cut) ? cut.replace(/[\r\n\t]+/g, ' ') : cut
}

const MAX_PREVIEW_DEPTH = 4

/** The beginning of a value as JSON. Bounded in depth and length: what a server logs may be huge or nested without end. */
function preview(value: JsonValue, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, MAX_SUMMARY_LENGTH))
  if (typeof value !== 'object' || value === null) return String(value)
  const list = Array.isArray(value)
  if (depth === MAX_PREVIEW_DEPTH) return list ? '[…]' : '{…}'
  let text = list ? '[' : '{'
  const opened = text.length
  for (const key in value) {
    if (text.length > MAX_SUMMARY_LENGTH) break
    const item = list ? value[Number(key)] : value[key]
    if (text.length > opened) text += ','
    text += list ? preview(item ?? null, depth + 1) : `${JSON.stringify(key)}:${preview(item ?? null, depth + 1)}`
  }
  return text + (list ? ']' : '}')
}

/** What a message is on the timeline, and in one line. `legacy`: it crossed a leg of a legacy revision. */
export function describeMessage(
  message: Message,
  legacy = false,
): { kind: TimelineKind; summary: string; level?: string } {
  const progress = progressOf(message)
  if (progress !== undefined) {
    const total = progress.total === undefined ? '' : `/${progress.total}`
    const text = progress.message === undefined ? '' : ` "${progress.message}"`
    return { kind: 'progress', summary: oneLine(`${progress.progress}${total}${text}`) }
  }
  const log = logOf(message)
  if (log !== undefined) {
    const logger = log.logger === null ? '' : ` ${log.logger}`
    const text = typeof log.data === 'string' ? log.data : preview(log.data)
    return { kind: 'log', summary: oneLine(`${log.level || 'no level'}${logger}: ${text}`), level: log.level }
  }
  switch (message.kind) {
    case 'notification':
      return { kind: 'notification', summary: oneLine(message.method ?? '') }
    case 'request':
      return { kind: 'server-request', summary: oneLine(`request ${message.method ?? ''}`) }
    case 'error':
      return { kind: 'error', summary: oneLine(`${message.error?.code ?? ''} ${message.error?.message ?? ''}`) }
    case 'result':
      return { kind: 'result', summary: describeResult(message, legacy) }
    default:
      return { kind: 'unreadable', summary: oneLine(message.problem ?? '') }
  }
}

function describeResult(message: Message, legacy: boolean): string {
  const type = resultTypeOf(message)
  const result = isObject(message.result) ? message.result : {}
  if (type === 'input_required') {
    const keys = isObject(result.inputRequests) ? Object.keys(result.inputRequests) : []
    return oneLine(keys.length === 0 ? 'input_required' : `input_required: ${keys.join(', ')}`)
  }
  return oneLine(
    `${type ?? (legacy ? 'result' : 'no resultType')}${result.isError === true ? ', tool error' : ''}${describeContent(result)}`,
  )
}

/** A client's request in one line: a JSON-RPC message, or what legacy clients do by HTTP alone. */
export function describeRequest(event: CallReceived, message: Message): string {
  const target = event.name === undefined ? '' : ` ${event.name}`
  if (event.method !== undefined) return oneLine(`${event.method}${target}`)
  if (event.http.method === 'GET') return 'GET: the stream of the session'
  if (event.http.method === 'DELETE') return 'DELETE: the session ends'
  if (message.kind === 'result' || message.kind === 'error')
    return oneLine(`answer to ${JSON.stringify(message.id ?? null)}`)
  return oneLine(message.problem ?? 'request')
}

/** The answer to a request that went in the direction of the client. */
export function describeAnswer(message: Message, method: string | undefined): string {
  const to = method === undefined ? '' : ` to ${method}`
  if (message.error !== undefined) return oneLine(`error ${message.error.code}${to}: ${message.error.message}`)
  const result = isObject(message.result) ? message.result : undefined
  const action = typeof result?.action === 'string' ? `: ${result.action}` : ''
  return oneLine(`answer${to}${action}`)
}

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const

/** What a result brings: how many of what, or the beginning of its text. */
function describeContent(result: JsonObject): string {
  for (const name of LISTS) {
    const list = result[name]
    if (Array.isArray(list)) return ` · ${list.length} ${name}`
  }
  for (const parts of [result.content, result.contents]) {
    if (!Array.isArray(parts)) continue
    for (const part of parts) if (isObject(part) && typeof part.text === 'string') return ` · ${preview(part.text)}`
  }
  return ''
}

const CAUSES: Record<CommitCause, string> = {
  result: 'result',
  error: 'error',
  notification: 'first notification',
  window: 'window elapsed',
  mode: 'response mode',
}
/** Why the response was committed, in words. */
export function describeCause(cause: CommitCause): string {
  return CAUSES[cause]
}

const REFUSED: Record<StateRefusedReason, string> = {
  malformed: 'is no sealed state',
  unauthentic: 'was changed or was not sealed here',
  unknown_key: 'was sealed with a key that is not here',
  expired: 'has expired',
  caller_mismatch: 'belongs to another caller',
  request_mismatch: 'belongs to another request',
  backend_gone: 'names a backend that is not configured',
}
/** Why a state was refused, as the end of a sentence that begins with "the state". */
export function describeRefusal(reason: StateRefusedReason): string {
  return REFUSED[reason]
}

/** How a call ended, in one line. */
export function describeEnd(ended: Pick<CallEnded, 'outcome' | 'by' | 'detail'>): string {
  const detail = ended.detail === undefined ? '' : `: ${ended.detail}`
  return oneLine(`${ended.outcome} by ${ended.by}${detail}`)
}
