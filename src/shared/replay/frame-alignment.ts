import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import { isObject } from '../protocol/json-rpc'
import { canonicalJson } from './canonical'
import { withEqualMarks } from './redacted-text'

/** Longer sequences are aligned by position: the table has the product of both lengths. */
const MAX_CELLS = 1_000_000

export type FramePair = [was: number | undefined, now: number | undefined]

/**
 * Which notification of one run corresponds to which of the other, in order: equal ones first (longest common
 * subsequence), then, between them, those of the same method. What is left was there only then, or only now.
 */
export function alignFrames(was: readonly JsonObject[], now: readonly JsonObject[]): FramePair[] {
  const before = was.map(keyOf)
  const after = now.map(keyOf)
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const pairs: FramePair[] = Array.from({ length: start }, (_, index) => [index, index])
  const middle = { was: [start, before.length - end] as const, now: [start, after.length - end] as const }
  let from: readonly [number, number] = [middle.was[0], middle.now[0]]
  for (const [one, other] of [...common(before, after, middle), [middle.was[1], middle.now[1]] as const]) {
    pairs.push(...gap(was, now, [from[0], one], [from[1], other]))
    if (one < middle.was[1] && other < middle.now[1]) pairs.push([one, other])
    from = [one + 1, other + 1]
  }
  for (let index = end; index > 0; index--) pairs.push([before.length - index, after.length - index])
  return pairs
}

/** The pairs of the longest common subsequence within both ranges. */
function common(
  before: readonly string[],
  after: readonly string[],
  { was, now }: { was: readonly [number, number]; now: readonly [number, number] },
): (readonly [number, number])[] {
  const rows = was[1] - was[0]
  const columns = now[1] - now[0]
  if (rows * columns > MAX_CELLS || rows === 0 || columns === 0) return []
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[was[0] + row] === after[now[0] + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const pairs: (readonly [number, number])[] = []
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (before[was[0] + row] === after[now[0] + column]) pairs.push([was[0] + row++, now[0] + column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return pairs
}

/** Between two equal notifications: those of one method belong together, in order. */
function gap(
  was: readonly JsonObject[],
  now: readonly JsonObject[],
  [wasFrom, wasTo]: readonly [number, number],
  [nowFrom, nowTo]: readonly [number, number],
): FramePair[] {
  const pairs: FramePair[] = []
  let next = nowFrom
  for (let index = wasFrom; index < wasTo; index++) {
    let partner = next
    while (partner < nowTo && now[partner]?.method !== was[index]?.method) partner++
    if (partner >= nowTo) {
      pairs.push([index, undefined])
      continue
    }
    for (; next < partner; next++) pairs.push([undefined, next])
    pairs.push([index, partner])
    next = partner + 1
  }
  for (; next < nowTo; next++) pairs.push([undefined, next])
  return pairs
}

/** A notification without what belongs to one run, and without how long secrets are. */
function keyOf({ method, params }: JsonObject): string {
  const own: JsonValue = isObject(params) ? withoutTokens(params) : null
  return withEqualMarks(`${String(method)} ${canonicalJson(own)}`)
}

function withoutTokens({ progressToken: _token, _meta, ...rest }: JsonObject): JsonObject {
  if (!isObject(_meta)) return rest
  const { progressToken: _inner, ...meta } = _meta
  return { ...rest, _meta: meta }
}
