import type { JsonValue } from '../protocol/json-rpc'
import { canonicalJson } from './canonical'
import type { JsonDifference } from './json-difference'
import { pointerSegment, pointerSegments } from './pointer'

/** A difference of one call. */
export interface CallDifference extends JsonDifference {
  /** Number of the call in the capture. */
  call: number
  /** Tool or prompt name, or URI, as the backend knows it; the method where it has none. */
  name: string
}

export type DifferenceKind = 'changed' | 'new' | 'gone'

/** The same difference in many calls, as one line. */
export interface DifferenceGroup {
  kind: DifferenceKind
  /** Pointer with `*` for the indexes of lists. */
  path: string
  /** What it is in: names with their numbers of calls, most first, at most `MAX_NAMES`; `moreNames` counts the rest. */
  names: { name: string; calls: number }[]
  moreNames: number
  calls: number
  /** How often; a list may have it several times in one call. */
  count: number
  /** True when `was` and `now` are the same everywhere: those of the example. */
  constant: boolean
  /** That of the first call in the capture, in whatever order calls were compared. */
  example: CallDifference
  /** Numbers of calls that have it, at most `MAX_CALLS`. */
  inCalls: number[]
}

const MAX_NAMES = 20
const MAX_CALLS = 1_000
/** Pairs of values that are longer are not compared with those of other tools. */
const MAX_VALUE_LENGTH = 2_000

interface Gathered {
  kind: DifferenceKind
  path: string
  /** `was` and `now` as text while they are the same everywhere; null when they are not. */
  values: string | null
  names: Map<string, Set<number>>
  count: number
  example: CallDifference
}

/**
 * Gathers differences call by call: one line for one field of one tool, and one line over all tools where the same
 * value turned into the same other value. Memory grows with the number of lines and of calls, not of differences.
 */
export class DifferenceGroups {
  private readonly gathered = new Map<string, Gathered>()

  add(difference: CallDifference): void {
    const kind = kindOf(difference)
    const path = withoutIndexes(difference.path)
    const key = `${kind} ${path} ${difference.name}`
    const values = valuesOf(difference)
    const known = this.gathered.get(key)
    if (known === undefined) {
      const names = new Map([[difference.name, new Set([difference.call])]])
      this.gathered.set(key, { kind, path, values, names, count: 1, example: difference })
      return
    }
    if (known.values !== values) known.values = null
    known.count++
    known.names.get(difference.name)?.add(difference.call)
    if (difference.call < known.example.call) known.example = difference
  }

  /** The lines, those of most calls first. */
  list(): DifferenceGroup[] {
    const merged = new Map<string, Gathered>()
    for (const [key, one] of this.gathered) {
      const shared = one.values === null ? key : `${one.kind} ${one.path} = ${one.values}`
      const other = merged.get(shared)
      if (other === undefined) {
        merged.set(shared, { ...one, names: new Map(one.names) })
        continue
      }
      for (const [name, calls] of one.names) other.names.set(name, calls)
      other.count += one.count
      if (one.example.call < other.example.call) other.example = one.example
    }
    return [...merged.values()].map(groupOf).sort((a, b) => b.calls - a.calls || a.path.localeCompare(b.path))
  }
}

function groupOf({ kind, path, values, names, count, example }: Gathered): DifferenceGroup {
  const all = [...new Set([...names.values()].flatMap((calls) => [...calls]))].sort((a, b) => a - b)
  const sorted = [...names].map(([name, calls]) => ({ name, calls: calls.size })).sort((a, b) => b.calls - a.calls)
  return {
    kind,
    path,
    names: sorted.slice(0, MAX_NAMES),
    moreNames: Math.max(0, sorted.length - MAX_NAMES),
    calls: all.length,
    count,
    constant: values !== null,
    example,
    inCalls: all.slice(0, MAX_CALLS),
  }
}

function kindOf({ was, now }: JsonDifference): DifferenceKind {
  if (was === undefined) return 'new'
  return now === undefined ? 'gone' : 'changed'
}

/** Which item of a list it is says little of what changed. */
function withoutIndexes(path: string): string {
  return pointerSegments(path)
    .map((segment) => (/^\d+$/.test(segment) ? '/*' : `/${pointerSegment(segment)}`))
    .join('')
}

function valuesOf({ was, now }: JsonDifference): string | null {
  const text = `${valueText(was)} → ${valueText(now)}`
  return text.length > MAX_VALUE_LENGTH ? null : text
}

function valueText(value: JsonValue | undefined): string {
  return value === undefined ? '' : canonicalJson(value)
}
