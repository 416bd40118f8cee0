import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'

/** Texts longer than this (UTF-16 code units) are not parsed: their message reads as `unread`. */
export const MAX_PARSED_LENGTH = 1_048_576

export type MessageKind = 'request' | 'notification' | 'result' | 'error' | 'invalid' | 'unread'

/**
 * A JSON-RPC message as far as it can be read. `invalid`: no JSON, or no JSON-RPC 2.0 message (`problem` says why).
 * `unread`: too long, or only a part of it is here.
 */
export interface Message {
  kind: MessageKind
  problem?: string
  /** Undefined when the message has no `id`. */
  id?: JsonValue
  method?: string
  params?: JsonObject
  result?: JsonValue
  error?: { code: number; message: string; data?: JsonValue }
}

/** Reads a JSON-RPC message from its text. Never throws. */
export function readMessage(text: string): Message {
  if (text.length > MAX_PARSED_LENGTH) return { kind: 'unread', problem: 'too long to be read as a whole' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { kind: 'invalid', problem: `no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return asMessage(value)
}

function asMessage(value: unknown): Message {
  if (Array.isArray(value)) return { kind: 'invalid', problem: 'a batch; MCP has none' }
  if (!isObject(value)) return { kind: 'invalid', problem: 'no JSON object' }
  const message: Message = { kind: 'invalid' }
  if (value.id !== undefined) message.id = value.id
  if (typeof value.method === 'string') message.method = value.method
  if (isObject(value.params)) message.params = value.params
  if (value.result !== undefined) message.result = value.result
  const error = value.error
  if (isObject(error) && typeof error.code === 'number') {
    message.error = { code: error.code, message: typeof error.message === 'string' ? error.message : '' }
    if (error.data !== undefined) message.error.data = error.data
  }
  if (value.jsonrpc !== '2.0') message.problem = '"jsonrpc" is not "2.0"'
  else if (message.method !== undefined) message.kind = value.id === undefined ? 'notification' : 'request'
  else if (message.result !== undefined && value.error === undefined) message.kind = 'result'
  else if (message.error !== undefined && value.result === undefined) message.kind = 'error'
  else message.problem = 'neither a request, a notification, a result nor an error'
  return message
}

/** The parts of a progress notification, or undefined when the message is none or its `progress` is no number. */
export function progressOf(
  message: Message,
): { token: JsonValue | undefined; progress: number; total?: number; message?: string } | undefined {
  if (message.method !== 'notifications/progress' || typeof message.params?.progress !== 'number') return undefined
  const { progressToken: token, progress, total, message: text } = message.params
  return {
    token,
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof text === 'string' ? { message: text } : {}),
  }
}

/** The parts of a log notification, or undefined when the message is none. */
export function logOf(message: Message): { level: string; logger: string | null; data: JsonValue } | undefined {
  if (message.method !== 'notifications/message') return undefined
  const { level, logger, data } = message.params ?? {}
  return {
    level: typeof level === 'string' ? level : '',
    logger: typeof logger === 'string' ? logger : null,
    data: data ?? null,
  }
}

/** `resultType` of a result; undefined when it is absent or no string. */
export function resultTypeOf(message: Message): string | undefined {
  const type = isObject(message.result) ? message.result.resultType : undefined
  return typeof type === 'string' ? type : undefined
}

/** One SSE event as the wire had it, split into its fields (WHATWG, "Interpreting an event stream"). */
export interface SseBlock {
  /** The `data:` lines joined by a line feed; undefined when there is none. */
  data: string | undefined
  event?: string
  id?: string
  retry?: string
}

/** Reads the block of one SSE event. Line ends may be CR, LF or CRLF. */
export function readSseBlock(raw: string): SseBlock {
  const block: SseBlock = { data: undefined }
  // `indexOf` is many times faster than a pattern on a body of megabytes; each end is searched once, not for every line.
  let feed = -1
  let carriage = -1
  let from = 0
  while (from <= raw.length) {
    if (feed < from) feed = indexOrEnd(raw, '\n', from)
    if (carriage < from) carriage = indexOrEnd(raw, '\r', from)
    const to = Math.min(feed, carriage)
    const line = raw.slice(from, to)
    from = raw.startsWith('\r\n', to) ? to + 2 : to + 1
    const colon = line.indexOf(':')
    if (colon === 0 || line === '') continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`
    else if (field === 'event') block.event = value
    else if (field === 'id') block.id = value
    else if (field === 'retry') block.retry = value
  }
  return block
}

function indexOrEnd(raw: string, char: string, from: number): number {
  const index = raw.indexOf(char, from)
  return index < 0 ? raw.length : index
}
