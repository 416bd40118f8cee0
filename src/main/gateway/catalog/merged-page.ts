import { applyTextEdits } from '../../../shared/protocol/json-text'
import { META } from '../../../shared/protocol/meta'
import { narrowest, type BackendList, type CacheHint } from './backend-list'
import type { ListKind, Missing } from './contract'
import { markOf, printCursor, type Place } from './cursor'
import { KINDS, type ListEntry } from './list-entry'
import type { Offer } from './offer'

/** `_meta` key of merged results: the backends whose part is lacking, with the reason. */
const MISSING_META = 'dev.sluice/missing'
const PAGE_SIZE = 1_000

/** One backend's part of a merged list. `offers` stand for the entries of `list`, in order; there may be more of them. */
export interface Part {
  backend: string
  list: BackendList
  /** The list's `ttlMs` less the time since it was received. */
  ttlMs: number
  offers: readonly Offer[]
}

interface Row {
  backend: string
  index: number
  entry: ListEntry
  exposedAs: string
}

/** One page of the merged list as raw JSON. Entries are passed on byte for byte, but for the name that they are called by. */
export function printPage(kind: ListKind, parts: readonly Part[], after: Place | undefined, version: string): string {
  const rows = parts.flatMap(({ backend, list, offers }) =>
    list.entries.flatMap((entry, index): Row[] => {
      const exposedAs = offers[index]?.exposedAs
      return exposedAs === undefined || exposedAs === null ? [] : [{ backend, index, entry, exposedAs }]
    }),
  )
  const start = after === undefined ? 0 : startAfter(rows, after, parts)
  const page = rows.slice(start, start + PAGE_SIZE)
  const last = page.at(-1)
  const missing = missingOf(parts)
  const members = [
    `${JSON.stringify(KINDS[kind].member)}:[${page.map(printRow).join(',')}]`,
    '"resultType":"complete"',
    ...printHint(hintOf(parts, missing.length > 0)),
    printMeta(version, missing),
  ]
  if (last !== undefined && start + page.length < rows.length) {
    const place = { backend: last.backend, index: last.index, mark: markOf(last.entry.name) }
    members.push(`"nextCursor":${JSON.stringify(printCursor(kind, place))}`)
  }
  return `{${members.join(',')}}`
}

export function missingOf(parts: readonly Part[]): Missing[] {
  return parts.flatMap(({ backend, list }) => (list.reason === undefined ? [] : [{ backend, reason: list.reason }]))
}

export function printHint({ ttlMs, scope }: CacheHint): string[] {
  return [`"ttlMs":${ttlMs}`, `"cacheScope":"${scope}"`]
}

export function printMeta(version: string, missing: readonly Missing[]): string {
  return `"_meta":${JSON.stringify({
    [META.serverInfo]: { name: 'sluice', version },
    ...(missing.length === 0 ? {} : { [MISSING_META]: missing }),
  })}`
}

/** While a backend is missing nothing may be kept: it can be back at any moment. */
function hintOf(parts: readonly Part[], someMissing: boolean): CacheHint {
  let hint: CacheHint | undefined
  for (const { list, ttlMs } of parts) if (list.hint !== undefined) hint = narrowest(hint, { ...list.hint, ttlMs })
  if (hint === undefined) return { ttlMs: 0, scope: 'private' }
  return someMissing ? { ...hint, ttlMs: 0 } : hint
}

function startAfter(rows: readonly Row[], after: Place, parts: readonly Part[]): number {
  const order = new Map(parts.map(({ backend }, index) => [backend, index]))
  const own = order.get(after.backend) ?? -1
  const known = rows.findIndex((row) => row.backend === after.backend && markOf(row.entry.name) === after.mark)
  if (known >= 0) return known + 1
  const next = rows.findIndex(
    (row) => (order.get(row.backend) ?? -1) > own || (row.backend === after.backend && row.index >= after.index),
  )
  return next === -1 ? rows.length : next
}

function printRow({ entry, exposedAs }: Row): string {
  const { source } = entry
  if (source === undefined) throw new Error('an entry without its text cannot be offered')
  if (exposedAs === entry.name) return source.text
  return applyTextEdits(source.text, [
    { start: source.nameStart, end: source.nameEnd, text: JSON.stringify(exposedAs) },
  ])
}
