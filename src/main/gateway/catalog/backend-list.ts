import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import { arrayItems, memberOf, objectMembers } from '../../../shared/protocol/json-text'
import type { Backend } from '../../backends/backend'
import type { Ask, ListKind } from './contract'
import { KINDS, readEntry, type ListEntry } from './list-entry'

/** How long a result may be kept, and for whom (server/utilities/caching). */
export interface CacheHint {
  /** Milliseconds, whole, 0 when not to be kept. */
  ttlMs: number
  scope: 'public' | 'private'
}

/** All pages of one list of one backend. */
export interface BackendList {
  entries: ListEntry[]
  /** Undefined when the backend does not know the method: then its list is empty and says nothing of caching. */
  hint?: CacheHint
  /** Why entries are lacking, in words. */
  reason?: string
  /** The backend did not come to the end of its list: what was learned before is worth more. */
  broken: boolean
}

const MAX_PAGES = 100
const MAX_ENTRIES = 20_000
const MAX_CHARACTERS = 32 * 1024 * 1024
/** As the published clients cap it; a hint, not a promise. */
const MAX_TTL_MS = 86_400_000

/** Follows the pages of one list. Never rejects; ends when `signal` is aborted by itself or with the exchange under way. */
export async function fetchList(backend: Backend, kind: ListKind, ask: Ask, limitMs: number): Promise<BackendList> {
  const abort = new AbortController()
  const reading: Reading = { kind, entries: [], unnamed: 0, characters: 0, full: false }
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<BackendList>((resolve) => {
    timer = setTimeout(() => {
      abort.abort()
      resolve(ended(reading, `did not answer ${KINDS[kind].method} within ${limitMs} ms`, true))
    }, limitMs)
  })
  try {
    return await Promise.race([limit, readPages(backend, ask, abort.signal, reading)])
  } finally {
    clearTimeout(timer)
  }
}

interface Reading {
  kind: ListKind
  entries: ListEntry[]
  /** Entries that nothing identifies. */
  unnamed: number
  characters: number
  /** There are more entries than are taken. */
  full: boolean
  hint?: CacheHint
}

async function readPages(backend: Backend, ask: Ask, signal: AbortSignal, reading: Reading): Promise<BackendList> {
  const { method } = KINDS[reading.kind]
  const cursors = new Set<string>()
  let params: JsonObject = {}
  for (let page = 1; ; page++) {
    const answer = await ask(backend, method, params, signal)
    if (signal.aborted) return ended(reading, `did not answer ${method} in time`, true)
    if (!answer.ok) {
      // A backend that has no prompts answers -32601 to prompts/list: it lacks nothing.
      if (page === 1 && answer.error.code === ErrorCode.MethodNotFound) return { entries: [], broken: false }
      return ended(reading, answer.reason, true)
    }
    const read = readPage(answer.resultText, reading)
    if ('fault' in read) return ended(reading, `answered ${method} with nonsense: ${read.fault}`, true)
    if (reading.full) return ended(reading, `has more than ${MAX_ENTRIES} entries in ${method}`, false)
    if (read.next === undefined) return ended(reading, undefined, false)
    if (cursors.has(read.next)) return ended(reading, `sends the pages of ${method} in a circle`, false)
    if (page === MAX_PAGES) return ended(reading, `has more than ${MAX_PAGES} pages of ${method}`, false)
    cursors.add(read.next)
    params = { cursor: read.next }
  }
}

function readPage(resultText: string, reading: Reading): { next?: string } | { fault: string } {
  reading.characters += resultText.length
  if (reading.characters > MAX_CHARACTERS) return { fault: `more than ${MAX_CHARACTERS} characters` }
  const result = parse(resultText)
  if (!isObject(result)) return { fault: 'the result is no object' }
  if (result.resultType !== undefined && result.resultType !== 'complete')
    return { fault: `resultType ${JSON.stringify(result.resultType).slice(0, 60)}` }
  const { member } = KINDS[reading.kind]
  const values = result[member]
  if (!Array.isArray(values)) return { fault: `"${member}" is no array` }
  const spans = arrayItems(resultText, memberOf(objectMembers(resultText), member)?.start) ?? []
  for (const [index, { start, end }] of spans.entries()) {
    if (reading.entries.length + reading.unnamed >= MAX_ENTRIES) {
      reading.full = true
      break
    }
    const entry = readEntry(reading.kind, values[index], resultText.slice(start, end))
    if (entry === undefined) reading.unnamed++
    else reading.entries.push(entry)
  }
  reading.hint = narrowest(reading.hint, readCacheHint(result))
  return typeof result.nextCursor === 'string' ? { next: result.nextCursor } : {}
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function ended({ kind, entries, unnamed, hint }: Reading, why: string | undefined, broken: boolean): BackendList {
  const { method, key } = KINDS[kind]
  const reasons = why === undefined ? [] : [why]
  if (unnamed > 0) reasons.push(`has ${unnamed} of ${unnamed + entries.length} entries without "${key}" in ${method}`)
  const list: BackendList = { entries: [...entries], broken }
  if (hint !== undefined) list.hint = hint
  if (reasons.length > 0) list.reason = reasons.join('; ')
  return list
}

/** An absent or negative `ttlMs` counts as 0, an absent `cacheScope` as private. */
export function readCacheHint(result: JsonObject): CacheHint {
  const { ttlMs, cacheScope } = result
  return {
    ttlMs: typeof ttlMs === 'number' && ttlMs > 0 ? Math.floor(Math.min(ttlMs, MAX_TTL_MS)) : 0,
    scope: cacheScope === 'public' ? 'public' : 'private',
  }
}

/** The smallest `ttlMs`, and `private` if one of them says so. */
export function narrowest(one: CacheHint | undefined, other: CacheHint): CacheHint {
  if (one === undefined) return other
  return {
    ttlMs: Math.min(one.ttlMs, other.ttlMs),
    scope: one.scope === 'private' ? 'private' : other.scope,
  }
}
