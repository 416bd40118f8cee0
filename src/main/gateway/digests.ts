import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'

/** Members of `params` that differ between rounds of one operation and are left out of the digest (basic/patterns/mrtr). */
const NOT_BOUND = new Set(['_meta', 'inputResponses', 'requestState'])

/** Digest of the original params: SHA-256 of their canonical JSON (members sorted), base64url. */
export function paramsDigest(params: JsonObject): string {
  const bound: JsonObject = {}
  for (const [key, value] of Object.entries(params)) if (!NOT_BOUND.has(key)) bound[key] = value
  return sha256(canonical(bound))
}

/** Digest of the caller's `Authorization` header, or null when there is none. */
export function callerDigest(authorization: string | undefined): string | null {
  return authorization === undefined ? null : sha256(authorization)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => {
      const member = value[key]
      return member === undefined ? [] : [`${JSON.stringify(key)}:${canonical(member)}`]
    })
  return `{${members.join(',')}}`
}
