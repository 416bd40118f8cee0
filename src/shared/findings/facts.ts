import type { HeaderList } from '../capture/events'
import { readMessage, type Message } from '../capture/message'
import type { BodyText, ExchangeRecord, SentRecord, UpstreamFrameRecord } from '../capture/record'
import type { JudgedCall } from './finding'
import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'

/** What several rules ask of a call. */

/**
 * Exchanges with a backend that speaks the modern revision: the rules of 2026-07-28 are about those. A merged answer asks
 * backends of both eras, and a call may be tried in the one and then the other.
 */
export function modernExchanges(call: JudgedCall): readonly ExchangeRecord[] {
  return call.exchanges.filter((exchange) => !isLegacyExchange(call, exchange))
}

/** True when the backend was spoken to in an older revision; what is not known counts as modern. */
export function isLegacyExchange(call: JudgedCall, exchange: ExchangeRecord | undefined): boolean {
  return (exchange?.era ?? call.summary.backendEra) === 'legacy'
}

/**
 * What a modern backend was told of the client in `_meta`: for modern clients what they said themselves, for legacy ones
 * what the gateway put there. Undefined when it is not here.
 */
export function metaForBackend(call: JudgedCall, exchange: ExchangeRecord): JsonObject | undefined {
  if (call.summary.era === 'modern') return requestMeta(call)
  const sent = sentMessage(exchange)
  if (sent === undefined) return undefined
  const meta = sent.params?._meta
  return isObject(meta) ? meta : {}
}

/** The parameters of the client's request; undefined when the request is not here or cannot be read. */
export function requestParams(call: JudgedCall): JsonObject | undefined {
  return call.request?.message.params
}

/** `_meta` of the client's request; empty when it has none, undefined when the request itself is not here. */
export function requestMeta(call: JudgedCall): JsonObject | undefined {
  const request = call.request
  if (request === null || request.message.kind !== 'request') return undefined
  const meta = request.message.params?._meta
  return isObject(meta) ? meta : {}
}

/** True for the response that ends an exchange. */
export function isTerminal(message: Message | null): boolean {
  return message?.kind === 'result' || message?.kind === 'error'
}

/** The terminal response of an exchange, if it was seen and could be read. */
export function terminalFrame(exchange: ExchangeRecord): TerminalFrame | undefined {
  return exchange.frames.find(endsExchange)
}

type TerminalFrame = UpstreamFrameRecord & { message: Message }

function endsExchange(frame: UpstreamFrameRecord): frame is TerminalFrame {
  return isTerminal(frame.message)
}

/** The result object that ended an exchange, with the frame that brought it. */
export function resultOf(exchange: ExchangeRecord): { seq: number; result: JsonObject } | undefined {
  const frame = terminalFrame(exchange)
  return frame !== undefined && isObject(frame.message.result)
    ? { seq: frame.seq, result: frame.message.result }
    : undefined
}

const SENT = new WeakMap<BodyText, Message>()

/** What was sent in an exchange; undefined when it is not here whole. Read once, since several rules ask for it. */
export function sentMessage(exchange: ExchangeRecord): Message | undefined {
  const body = exchange.sent?.body
  if (body === null || body === undefined || body.clipped || body.missing !== undefined) return undefined
  let message = SENT.get(body)
  if (message === undefined) SENT.set(body, (message = readMessage(body.text)))
  return message
}

/** Longer requests are not read once more for their method: what the gateway asks by itself is short. */
const MAX_OWN_REQUEST = 65_536

/**
 * The method that a backend was asked. Mostly the client's; but methods differ between the eras, and to find out who has
 * a resource the gateway asks for lists.
 */
export function methodAsked(call: JudgedCall, exchange: ExchangeRecord): string | undefined {
  const { sent } = exchange
  if (sent !== null && METHODS.has(sent)) return METHODS.get(sent)
  const method = methodSent(exchange) ?? methodOfClient(call, exchange)
  if (sent !== null) METHODS.set(sent, method)
  return method
}
const METHODS = new WeakMap<SentRecord, string | undefined>()

function methodSent(exchange: ExchangeRecord): string | undefined {
  const { sent } = exchange
  if (sent === null) return undefined
  const named = header(sent.http.headers, 'mcp-method')
  if (named !== undefined || (sent.body?.length ?? 0) > MAX_OWN_REQUEST) return named
  return sentMessage(exchange)?.method
}

function methodOfClient(call: JudgedCall, exchange: ExchangeRecord): string | undefined {
  const same = isLegacyExchange(call, exchange) === (call.summary.era === 'legacy')
  return same ? (call.summary.method ?? undefined) : undefined
}

/**
 * The result of what was asked, for rules about its members: not the one that asks for input, and none that is the
 * handle of a task.
 */
export function completeResult(
  call: JudgedCall,
  exchange: ExchangeRecord,
): { seq: number; result: JsonObject; legacy: boolean } | undefined {
  const ended = resultOf(exchange)
  if (ended === undefined) return undefined
  const legacy = isLegacyExchange(call, exchange)
  const { resultType, task } = ended.result
  if (legacy ? isObject(task) : resultType !== undefined && resultType !== 'complete') return undefined
  return { ...ended, legacy }
}

/** The id under which an exchange was sent; undefined when it is not known. */
export function sentId(exchange: ExchangeRecord): JsonValue | undefined {
  // Of a route to one backend the edits are those of its exchange, which needs no second look at the body then.
  const route = exchange.route
  const edit = route?.backend === exchange.backend ? route?.edits.find(({ what }) => what === 'id') : undefined
  if (edit?.now !== undefined) return parsed(edit.now)
  return sentMessage(exchange)?.id
}

/** The value of a JSON text; undefined when it is none, as in a file that is broken or redacted. */
export function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // Said above: such a text says nothing.
    return undefined
  }
}

/** The first value of a header field. */
export function header(headers: HeaderList, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

/** Media type of a header list, lower case, without parameters; empty when there is none. */
export function mediaType(headers: HeaderList): string {
  return (header(headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** A value for a sentence: short, and as JSON, so that 1 and "1" differ. */
export function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'none'
  const text =
    typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? 'a list'
        : 'an object'
      : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
