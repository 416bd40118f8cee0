import { isObject, type JsonValue } from '../protocol/json-rpc'
import { canonicalJson } from './canonical'
import { isIgnored, isUnordered, type CompareRules } from './compare-rules'
import { pointerTo } from './pointer'
import { fitsMarks, isRedacted } from './redacted-text'
import { areTimes, withoutVolatileText } from './volatile-text'

/** One place in which two values differ. `was` is absent when the place is new, `now` when it is gone. */
export interface JsonDifference {
  /** JSON pointer (RFC 6901); of an item of a list where it was, or where it is when it is new. */
  path: string
  was?: JsonValue
  now?: JsonValue
}

/** Deeper values are compared as a whole: what comes from a server may be nested without end. */
const MAX_DEPTH = 200
/** More differences of one answer are counted only. */
export const MAX_DIFFERENCES = 200
/** Longer arrays are aligned by position only. */
const MAX_ALIGNED = 5_000

export interface Differences {
  differences: JsonDifference[]
  /** Differences beyond `MAX_DIFFERENCES`. */
  more: number
  /** Differences that rules say not to count. */
  ignored: number
}

/** Where `now` differs from `was`, member by member. */
export function jsonDifferences(
  was: JsonValue | undefined,
  now: JsonValue | undefined,
  rules: CompareRules,
): Differences {
  const comparison = new Comparison(rules)
  comparison.compare(was, now, '', [])
  return comparison.found
}

class Comparison {
  readonly found: Differences = { differences: [], more: 0, ignored: 0 }

  constructor(private readonly rules: CompareRules) {}

  compare(was: JsonValue | undefined, now: JsonValue | undefined, path: string, segments: string[]): void {
    if (was === now) return
    const walked = segments.length < MAX_DEPTH
    if (walked && Array.isArray(was) && Array.isArray(now)) return this.arrays(was, now, path, segments)
    if (walked && isObject(was) && isObject(now)) {
      for (const key of new Set([...Object.keys(was), ...Object.keys(now)]))
        this.compare(own(was, key), own(now, key), pointerTo(path, key), [...segments, key])
      return
    }
    if (isDeep(was) && isDeep(now) && canonicalJson(was) === canonicalJson(now)) return
    if (isIgnored(this.rules, segments) || this.isVolatile(was, now)) this.found.ignored++
    else this.report(path, was, now)
  }

  private arrays(was: JsonValue[], now: JsonValue[], path: string, segments: string[]): void {
    const unordered = isUnordered(this.rules, segments) || (this.rules.volatile && isSchemaSet(segments, was, now))
    const pairs = unordered && Math.max(was.length, now.length) <= MAX_ALIGNED ? asSets(was, now) : byPosition(was, now)
    for (const [before, after] of pairs) {
      const index = before ?? after ?? 0
      this.compare(
        before === undefined ? undefined : was[before],
        after === undefined ? undefined : now[after],
        pointerTo(path, index),
        [...segments, String(index)],
      )
    }
  }

  private isVolatile(was: JsonValue | undefined, now: JsonValue | undefined): boolean {
    // What was redacted is not known any more.
    if (isRedacted(was) || isRedacted(now)) return true
    if (typeof was === 'string' && typeof now === 'string')
      return this.rules.volatile
        ? fitEachOther(withoutVolatileText(was), withoutVolatileText(now))
        : fitEachOther(was, now)
    if (!this.rules.volatile) return false
    return typeof was === 'number' && typeof now === 'number' && areTimes(was, now)
  }

  private report(path: string, was: JsonValue | undefined, now: JsonValue | undefined): void {
    if (this.found.differences.length >= MAX_DIFFERENCES) {
      this.found.more++
      return
    }
    this.found.differences.push({ path, ...(was !== undefined && { was }), ...(now !== undefined && { now }) })
  }
}

/** True for texts that are the same but for what was redacted in one of them. */
function fitEachOther(was: string, now: string): boolean {
  return was === now || fitsMarks(was, now) || fitsMarks(now, was)
}

function own(value: { [key: string]: JsonValue | undefined }, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isDeep(value: JsonValue | undefined): value is JsonValue & object {
  return typeof value === 'object' && value !== null
}

/** `required` and `enum` of a JSON schema are sets (JSON Schema 2020-12 validation, 6.1.2 and 6.5.3). */
function isSchemaSet(segments: readonly string[], was: JsonValue[], now: JsonValue[]): boolean {
  const key = segments[segments.length - 1]
  return (key === 'required' || key === 'enum') && [...was, ...now].every((item) => !isDeep(item))
}

type Pair = [was: number | undefined, now: number | undefined]

function byPosition(was: readonly JsonValue[], now: readonly JsonValue[]): Pair[] {
  return Array.from({ length: Math.max(was.length, now.length) }, (_, index): Pair => [
    index < was.length ? index : undefined,
    index < now.length ? index : undefined,
  ])
}

/** Pairs of equal items, then of items with one name, then of what is left by position. */
function asSets(was: readonly JsonValue[], now: readonly JsonValue[]): Pair[] {
  const pairs: Pair[] = []
  const left = { was: [...was.keys()], now: [...now.keys()] }
  for (const identity of [canonicalJson, nameOf]) {
    const waiting = new Map<string, number[]>()
    for (const index of left.now) {
      const key = identity(now[index] ?? null)
      if (key !== undefined) waiting.set(key, [...(waiting.get(key) ?? []), index])
    }
    const matched = new Set<number>()
    left.was = left.was.filter((index) => {
      const key = identity(was[index] ?? null)
      const other = key === undefined ? undefined : waiting.get(key)?.shift()
      if (other === undefined) return true
      matched.add(other)
      pairs.push([index, other])
      return false
    })
    left.now = left.now.filter((index) => !matched.has(index))
  }
  // An entry that has a name is gone, or new: it did not turn into another one.
  const isUnnamed = (values: readonly JsonValue[]) => (index: number) => nameOf(values[index] ?? null) === undefined
  const unnamed = { was: left.was.filter(isUnnamed(was)), now: left.now.filter(isUnnamed(now)) }
  for (const [before, after] of byPosition(
    unnamed.was.map((index) => was[index] ?? null),
    unnamed.now.map((index) => now[index] ?? null),
  ))
    pairs.push([
      before === undefined ? undefined : unnamed.was[before],
      after === undefined ? undefined : unnamed.now[after],
    ])
  for (const index of left.was) if (!isUnnamed(was)(index)) pairs.push([index, undefined])
  for (const index of left.now) if (!isUnnamed(now)(index)) pairs.push([undefined, index])
  return pairs
}

function nameOf(item: JsonValue): string | undefined {
  if (!isObject(item)) return undefined
  for (const key of ['name', 'uri', 'uriTemplate', 'id'])
    if (typeof item[key] === 'string') return `${key} ${item[key]}`
  return undefined
}
