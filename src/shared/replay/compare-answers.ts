import type { Message } from '../capture/message'
import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { canonicalJson } from './canonical'
import type { CompareRules } from './compare-rules'
import { alignFrames } from './frame-alignment'
import { jsonDifferences, MAX_DIFFERENCES, type Differences, type JsonDifference } from './json-difference'
import type { RecordedExchange } from './recorded-exchange'

/** Times of an exchange in microseconds since the request was sent; null for what did not happen. */
export interface ExchangeTiming {
  /** Until the head, or the first frame where there is no head. */
  first: number | null
  /** Until the response. */
  answer: number | null
  frames: number
}

export interface ExchangeComparison extends Differences {
  timing: { was: ExchangeTiming; now: ExchangeTiming }
}

type Answered = Pick<RecordedExchange, 'era' | 'head' | 'frames' | 'answer' | 'outcome' | 'ended'>

/**
 * Compares what came back then and now. An answer is compared as one document:
 * `{ outcome, status, result | error, frames: [notification, …] }`. Progress and log messages are compared as a sequence:
 * one that is new or gone is one difference. Time is told, and is no difference.
 */
export function compareExchanges(was: Answered, now: Answered, rules: CompareRules): ExchangeComparison {
  const acrossEras = was.era !== now.era
  const [before, after] = withoutRepeated(documentOf(was, acrossEras), documentOf(now, acrossEras), rules)
  const found = jsonDifferences(before, after, rules)
  addFrames(found, notifications(was), notifications(now), rules)
  return { ...found, timing: { was: timingOf(was), now: timingOf(now) } }
}

function documentOf({ head, answer, outcome, ended }: Answered, acrossEras: boolean): JsonObject {
  const document: JsonObject = {
    outcome: outcome === 'none' ? `no answer: ${ended?.reason ?? 'it did not end'}` : outcome,
  }
  // stdio has no status, and that of a legacy server says nothing of the answer.
  if (!acrossEras && head !== null) document.status = head.status
  if (answer?.kind === 'result')
    document.result = acrossEras ? ofAnyEra(answer.result ?? null) : (answer.result ?? null)
  if (answer?.kind === 'error' && answer.error !== undefined) document.error = { ...answer.error }
  return document
}

/**
 * Tools repeat their structured content as text for older clients (server/tools, "Structured Content"). Where both answers
 * do, what differs is told once, of the structured content.
 */
function withoutRepeated(was: JsonObject, now: JsonObject, rules: CompareRules): [JsonObject, JsonObject] {
  if (!rules.volatile) return [was, now]
  const after = repeatedTexts(now.result)
  const both = repeatedTexts(was.result).filter((index) => after.includes(index))
  return both.length === 0 ? [was, now] : [withoutTexts(was, both), withoutTexts(now, both)]
}

/** Which items of the content say as text what the structured content says. */
function repeatedTexts(result: JsonValue | undefined): number[] {
  if (!isObject(result) || !isObject(result.structuredContent) || !Array.isArray(result.content)) return []
  const structured = canonicalJson(result.structuredContent)
  return result.content.flatMap((item, index) => {
    const text = isObject(item) && item.type === 'text' ? item.text : undefined
    return typeof text === 'string' && text.trimStart().startsWith('{') && asJson(text) === structured ? [index] : []
  })
}

function asJson(text: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(text) as JsonValue)
  } catch {
    // It only begins like JSON.
    return undefined
  }
}

function withoutTexts(document: JsonObject, indexes: readonly number[]): JsonObject {
  const { result } = document
  if (!isObject(result) || !Array.isArray(result.content)) return document
  const content = result.content.map((item, index) => {
    if (!indexes.includes(index) || !isObject(item)) return item
    const { text: _text, ...rest } = item
    return rest
  })
  return { ...document, result: { ...result, content } }
}

/** A result without what only one of the eras has (2026-07-28: `resultType`, the cache hints, the name of the server). */
function ofAnyEra(result: JsonValue): JsonValue {
  if (!isObject(result)) return result
  const { resultType, ttlMs: _ttlMs, cacheScope: _cacheScope, _meta, ...rest } = result
  const plain: JsonObject = resultType === undefined || resultType === 'complete' ? rest : { ...rest, resultType }
  if (!isObject(_meta)) return plain
  const { [META.serverInfo]: _serverInfo, ...meta } = _meta
  return Object.keys(meta).length === 0 ? plain : { ...plain, _meta: meta }
}

function notifications({ frames }: Answered): JsonObject[] {
  return frames.flatMap(({ message }) =>
    message?.kind === 'notification' || message?.kind === 'request' ? [notificationOf(message)] : [],
  )
}

function notificationOf({ method, params }: Message): JsonObject {
  return { method: method ?? '', ...(params !== undefined && { params }) }
}

function addFrames(found: Differences, was: JsonObject[], now: JsonObject[], rules: CompareRules): void {
  for (const [before, after] of alignFrames(was, now)) {
    const index = before ?? after ?? 0
    // Compared where it stands, so that rules see the whole pointer.
    const inner = jsonDifferences(
      framed(before === undefined ? undefined : was[before], index),
      framed(after === undefined ? undefined : now[after], index),
      rules,
    )
    found.ignored += inner.ignored
    found.more += inner.more
    for (const difference of inner.differences) addDifference(found, difference)
  }
}

/** A document with this one frame in it. */
function framed(frame: JsonObject | undefined, index: number): JsonObject {
  return { frames: frame === undefined ? {} : { [String(index)]: frame } }
}

function addDifference(found: Differences, difference: JsonDifference): void {
  if (found.differences.length >= MAX_DIFFERENCES) found.more++
  else found.differences.push(difference)
}

function timingOf({ head, frames }: Answered): ExchangeTiming {
  const messages = frames.filter(({ message }) => message !== null)
  const response = frames.findLast(({ message }) => message?.kind === 'result' || message?.kind === 'error')
  return { first: head?.offset ?? frames[0]?.offset ?? null, answer: response?.offset ?? null, frames: messages.length }
}
