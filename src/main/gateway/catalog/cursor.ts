import { createHash } from 'node:crypto'
import { ErrorCode } from '../../../shared/protocol/errors'
import type { JsonValue } from '../../../shared/protocol/json-rpc'
import { CatalogError, type ListKind } from './contract'

/**
 * The last entry of the page before: `backend`'s entry number `index`, recognised by `mark`. A place, not an offset into
 * the whole, so that a backend that comes or goes between two pages moves nothing but its own entries.
 */
export interface Place {
  backend: string
  index: number
  mark: string
}

const MAX_CURSOR_LENGTH = 400

/** Recognises a name without carrying it: names may be long. */
export function markOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 11)
}

export function printCursor(kind: ListKind, { backend, index, mark }: Place): string {
  return Buffer.from(JSON.stringify([1, kind, backend, index, mark])).toString('base64url')
}

/** Throws `CatalogError` (-32602) for what `printCursor` has not made for this kind of list (server/utilities/pagination). */
export function readCursor(kind: ListKind, cursor: JsonValue): Place {
  const place = typeof cursor === 'string' && cursor.length <= MAX_CURSOR_LENGTH ? parse(kind, cursor) : undefined
  if (place === undefined || printCursor(kind, place) !== cursor)
    throw new CatalogError(
      ErrorCode.InvalidParams,
      'Client leg: the cursor is not one of this list. Begin again without a cursor.',
    )
  return place
}

function parse(kind: ListKind, cursor: string): Place | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  if (!Array.isArray(value) || value.length !== 5 || value[0] !== 1 || value[1] !== kind) return undefined
  const [, , backend, index, mark] = value as unknown[]
  return typeof backend === 'string' &&
    typeof mark === 'string' &&
    typeof index === 'number' &&
    Number.isSafeInteger(index) &&
    index >= 0
    ? { backend, index, mark }
    : undefined
}
