import { distance } from 'fastest-levenshtein'
import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { jsonDifferences, type JsonDifference } from './json-difference'
import { patternNames, pointerSegments, pointerTo, type PointerPattern } from './pointer'

/** Members of `params` that are no arguments: they differ between rounds, or belong to one run (basic/patterns/mrtr). */
const NOT_MATCHED: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState'])

/** What two requests of one method and name are matched by: their params without what belongs to one run, and what is ignored. */
export function matchedParams(params: JsonObject, ignore: readonly PointerPattern[]): JsonObject {
  const own = Object.fromEntries(Object.entries(params).filter(([key]) => !NOT_MATCHED.has(key)))
  return ignore.length === 0 ? own : (without(own, ignore, []) as JsonObject)
}

function without(value: JsonValue, ignore: readonly PointerPattern[], path: readonly string[]): JsonValue {
  const kept = ([key]: [string | number, unknown]): boolean =>
    !ignore.some((pattern) => patternNames(pattern, [...path, String(key)]))
  if (Array.isArray(value))
    return [...value.entries()].filter(kept).map(([index, item]) => without(item, ignore, [...path, String(index)]))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(kept)
      .map(([key, member]) => [key, member === undefined ? undefined : without(member, ignore, [...path, key])]),
  )
}

/** Something recorded that a request may be like. */
export interface Candidate {
  name: string | null
  /** As `matchedParams` gives them. */
  params: JsonObject
}

export interface Nearest<Found extends Candidate> {
  candidate: Found
  /** Where it differs first; undefined when it does not (what was redacted is like anything), or has another name. */
  difference: JsonDifference | undefined
}

/** Params are compared exactly; of redacted values nothing is known, so that they are like anything. */
const EXACT = { ignore: [], unordered: [], volatile: false }

/** The candidate that a request is most like: by name, then by how many places differ. Undefined when there is none. */
export function nearestCandidate<Found extends Candidate>(
  name: string | null,
  params: JsonObject,
  candidates: readonly Found[],
): Nearest<Found> | undefined {
  const sameName = candidates.filter((candidate) => candidate.name === name)
  const among = sameName.length > 0 ? sameName : ofNearestName(name, candidates)
  let best: (Nearest<Found> & { count: number }) | undefined
  for (const candidate of among) {
    const { differences, more } = jsonDifferences(candidate.params, params, EXACT)
    const count = differences.length + more
    if (best === undefined || count < best.count) best = { candidate, difference: differences[0], count }
    if (count === 0) break
  }
  return best && { candidate: best.candidate, difference: best.difference }
}

function ofNearestName<Found extends Candidate>(name: string | null, candidates: readonly Found[]): readonly Found[] {
  const steps = new Map([...new Set(candidates.map((one) => one.name))].map((one) => [one, stepsTo(one, name)]))
  const least = Math.min(...steps.values())
  return candidates.filter((candidate) => steps.get(candidate.name) === least)
}

/** Names of hostile length are compared by their beginning. */
function stepsTo(one: string | null, other: string | null): number {
  return distance((one ?? '').slice(0, 200), (other ?? '').slice(0, 200))
}

/** Where an answer to `input_required` is not the recorded one. */
export interface AnswerDifference {
  /** Of the input request. */
  key: string
  /** JSON pointer into the answer; "" for the answer as a whole. */
  pointer: string
  /** Absent when the recording has no such member. */
  was?: JsonValue
  now?: JsonValue
}

/** The first place where answers to input requests are not those that were recorded. `ignore` leads into the params. */
export function answerDifference(
  recorded: JsonObject,
  given: JsonObject,
  ignore: readonly PointerPattern[],
): AnswerDifference | undefined {
  const found = jsonDifferences({ inputResponses: recorded }, { inputResponses: given }, { ...EXACT, ignore })
  const [first] = found.differences.filter(({ path }) => pointerSegments(path)[2] !== '_meta')
  if (first === undefined) return undefined
  const [, key = '', ...inner] = pointerSegments(first.path)
  const pointer = inner.reduce(pointerTo, '')
  const { was, now } = first
  return { key, pointer, ...(was !== undefined && { was }), ...(now !== undefined && { now }) }
}
