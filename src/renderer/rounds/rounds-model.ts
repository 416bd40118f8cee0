import { resultTypeOf } from '../../shared/capture/message'
import type { CallRecord, StateRecord } from '../../shared/capture/record'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'

/** One input that the backend asks for. Texts are the backend's: hostile. */
export interface Ask {
  key: string
  method: string
  mode: string | null
  message: string | null
  url: string | null
  /** The fields of the requested schema: `from: string (date)`. */
  fields: string[]
}

export interface Answer {
  key: string
  /** `accept`, `decline` or `cancel` for elicitations; null for results of sampling and roots. */
  action: string | null
  content: JsonValue
}

export interface Round {
  call: number
  round: number
  record: CallRecord
  /** Microseconds; null while in flight. */
  duration: number | null
  /** Microseconds between the end of the round before and this one; null for the first. */
  waited: number | null
  asks: Ask[]
  answers: Answer[]
  sealed: StateRecord | null
  opened: StateRecord | null
  refused: StateRecord | null
  /** Whether the state that came is, byte for byte, the one that the round before sent; null when there is nothing to compare. */
  echoed: boolean | null
  result: string | null
}

export interface Operation {
  rounds: Round[]
  complete: boolean
  /** Microseconds from the first round's begin to the last one's end; null while in flight. */
  duration: number | null
  waited: number
  echoed: boolean | null
  sameBackend: boolean | null
}

/** The rounds of one operation from the records of its calls, in order. */
export function operationOf(records: readonly CallRecord[]): Operation {
  const rounds: Round[] = []
  for (const record of records)
    rounds.push(
      roundOf(
        record,
        rounds.findLast((round) => round.refused === null),
      ),
    )
  const first = rounds[0]
  const last = rounds.at(-1)
  const echoes = rounds.map((round) => round.echoed).filter((echoed) => echoed !== null)
  const backends = rounds.filter((round) => round.refused === null).map((round) => round.record.route?.backend ?? null)
  const end = last?.record.ended
  return {
    rounds,
    complete: end !== undefined && end !== null && end.outcome !== 'input-required' && last?.refused === null,
    duration:
      first === undefined || last === undefined || end === undefined || end === null
        ? null
        : last.record.receivedAt + end.offset - first.record.receivedAt,
    waited: rounds.reduce((sum, round) => sum + (round.refused === null ? (round.waited ?? 0) : 0), 0),
    echoed: echoes.length === 0 ? null : echoes.every(Boolean),
    sameBackend: backends.length < 2 ? null : new Set(backends).size === 1,
  }
}

function roundOf(record: CallRecord, before: Round | undefined): Round {
  const terminal = record.response.frames.findLast(
    (frame) => frame.message.result !== undefined || frame.message.error !== undefined,
  )
  const result = terminal?.message.result
  const asked =
    isObject(result) && terminal !== undefined && resultTypeOf(terminal.message) === 'input_required' ? result : null
  const params = record.request?.message.params
  const state = typeof params?.requestState === 'string' ? params.requestState : null
  const end = before?.record.ended
  return {
    call: record.call,
    round: record.route?.round ?? record.summary.round,
    record,
    duration: record.ended?.offset ?? null,
    waited:
      before === undefined || end === undefined || end === null
        ? null
        : Math.max(0, record.receivedAt - before.record.receivedAt - end.offset),
    asks: asksOf(asked?.inputRequests),
    answers: answersOf(params?.inputResponses),
    sealed: record.states.findLast((each) => each.action === 'sealed') ?? null,
    opened: record.states.findLast((each) => each.action === 'opened') ?? null,
    refused: record.states.findLast((each) => each.action === 'refused') ?? null,
    echoed: state === null || before === undefined || before.sealed === null ? null : state === before.sealed.outer,
    result:
      asked !== null ? null : (record.ended?.error?.message ?? terminal?.message.error?.message ?? resultText(result)),
  }
}

/** The input requests of an `input_required` result. */
export function asksOf(requests: JsonValue | undefined): Ask[] {
  if (!isObject(requests)) return []
  return Object.entries(requests).map(([key, request]) => {
    const method = isObject(request) && typeof request.method === 'string' ? request.method : 'no method'
    return askOf(key, method, isObject(request) && isObject(request.params) ? request.params : {})
  })
}

/** One request for input, however it is carried. */
export function askOf(key: string, method: string, params: JsonObject): Ask {
  return {
    key,
    method,
    mode: text(params.mode),
    message: text(params.message) ?? samplingText(params),
    url: text(params.url),
    fields: fieldsOf(params.requestedSchema),
  }
}

/** The text that a sampling request asks a model to go on from. */
function samplingText(params: JsonObject): string | null {
  const last = Array.isArray(params.messages) ? params.messages.at(-1) : undefined
  return isObject(last) && isObject(last.content) ? text(last.content.text) : null
}

function fieldsOf(schema: JsonValue | undefined): string[] {
  if (!isObject(schema) || !isObject(schema.properties)) return []
  const required: readonly JsonValue[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).map(([name, property]) => {
    const type = isObject(property) ? typeWords(property) : 'any'
    return `${name}${required.includes(name) ? '' : '?'}: ${type}`
  })
}

function typeWords(property: JsonObject): string {
  if (Array.isArray(property.enum)) return property.enum.map((value) => JSON.stringify(value)).join(' | ')
  const type = text(property.type) ?? 'any'
  const format = text(property.format)
  return format === null ? type : `${type} (${format})`
}

/** The input responses of a retry. */
export function answersOf(responses: JsonValue | undefined): Answer[] {
  if (!isObject(responses)) return []
  return Object.entries(responses).map(([key, response]) => answerTo(key, response))
}

export function answerTo(key: string, response: JsonValue | undefined): Answer {
  const action = isObject(response) ? text(response.action) : null
  const content = isObject(response) && action !== null ? (response.content ?? null) : (response ?? null)
  return { key, action, content }
}

/** The text of a result's first text content, as a sign of what came out. */
export function resultText(result: JsonValue | undefined): string | null {
  if (!isObject(result)) return null
  const items = [result.content, result.contents, result.messages].find(Array.isArray)
  const first = items?.find((item) => isObject(item) && (typeof item.text === 'string' || isObject(item.content)))
  if (!isObject(first)) return null
  return text(first.text) ?? (isObject(first.content) ? text(first.content.text) : null)
}

function text(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
