import { parseFilter, type Filter, type FilterContext } from './filter'
import type { CallSummary } from './summary'

/** Numbers of calls from `first` to `last`, both included. */
export interface CallRange {
  first: number
  last: number
}

const MAX_RANGES = 10_000

/** Reads "1,5-9,20-"; undefined when it is no such list. */
export function parseCallRanges(text: string): CallRange[] | undefined {
  const parts = text.split(',')
  if (parts.length > MAX_RANGES) return undefined
  const ranges: CallRange[] = []
  for (const part of parts) {
    const found = /^\s*(\d{1,15})(?:\s*(-)\s*(\d{1,15})?)?\s*$/.exec(part)
    if (found === null) return undefined
    const first = Number(found[1])
    const last = found[2] === undefined ? first : found[3] === undefined ? Number.MAX_SAFE_INTEGER : Number(found[3])
    if (first < 1 || last < first) return undefined
    ranges.push({ first, last })
  }
  return ranges
}

export function inRanges(call: number, ranges: readonly CallRange[]): boolean {
  return ranges.some(({ first, last }) => call >= first && call <= last)
}

/** What a selection is made from. */
export interface SelectionSource {
  list(after: number, limit: number): { calls: readonly CallSummary[]; more: boolean }
  operation(operation: string): number[]
  /** Calls in whose bodies `text` occurs. */
  search(text: string): Promise<readonly number[]>
}

const PAGE = 1_000

/**
 * The calls that a filter matches, in order, and with them the other rounds of their operations: a round alone cannot be
 * understood, nor replayed. Answers with what is wrong with the filter where it cannot be read.
 */
export async function selectCalls(
  source: SelectionSource,
  filterText: string,
): Promise<{ calls: ReadonlySet<number>; isPart: PartTest } | { problem: string }> {
  const filter = parseFilter(filterText)
  const [problem] = filter.problems
  if (problem !== undefined) return { problem: `the filter, from character ${problem.from + 1}: ${problem.message}` }
  const hits = new Map<string, ReadonlySet<number>>()
  for (const text of filter.bodyTexts) hits.set(text, new Set(await source.search(text)))
  // Rows are made when they are looked at: going through them twice takes less memory than keeping them.
  let now = 0
  for (const row of allRows(source)) now = Math.max(now, row.endedAt ?? row.receivedAt)
  const context: FilterContext = { now, bodyHits: hits }
  return {
    calls: withRounds(source, allRows(source), (row) => filter.matches(row, context)),
    isPart: partsBy(filter, context),
  }
}

/** Whether a filter means what one of several backends answered in a call, as `backend:weather` does of a merged list. */
export type PartTest = (row: CallSummary, backend: string) => boolean

export function partsBy(filter: Filter, context: FilterContext): PartTest {
  return (row, backend) => filter.matches({ ...row, backend, backends: [backend] }, context)
}

/** The calls whose rows are `chosen`, in order, and with them the other rounds of their operations. */
export function withRounds(
  source: Pick<SelectionSource, 'operation'>,
  rows: Iterable<CallSummary>,
  chosen: (row: CallSummary) => boolean,
): ReadonlySet<number> {
  const calls = new Set<number>()
  const operations = new Set<string>()
  for (const row of rows) {
    if (!chosen(row)) continue
    calls.add(row.call)
    if (row.operation === null || operations.has(row.operation)) continue
    operations.add(row.operation)
    for (const round of source.operation(row.operation)) calls.add(round)
  }
  return new Set([...calls].sort((a, b) => a - b))
}

/** Every row, in order. */
export function* allRows(source: Pick<SelectionSource, 'list'>): Generator<CallSummary> {
  for (let after = 0; ;) {
    const { calls, more } = source.list(after, PAGE)
    yield* calls
    const last = calls.at(-1)
    if (!more || last === undefined) return
    after = last.call
  }
}
