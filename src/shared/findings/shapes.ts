import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'

/** Marks of redaction stand in place of values of any type; nothing can be said of those. */
export function isRedacted(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.startsWith('«redacted ')
}

/** A string, or what was redacted. */
export function mayBeText(value: JsonValue | undefined): value is string {
  return typeof value === 'string'
}

export function mayBeNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'number' || isRedacted(value)
}

export function mayBeObject(value: JsonValue | undefined): boolean {
  return isObject(value) || isRedacted(value)
}

export function mayBeList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) || isRedacted(value)
}

/** The objects in a list; nothing when it is no list. */
export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Longer texts are looked at in their beginning and end only. */
const LOOKED_AT = 4_096
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** False for text that is surely no base64 of RFC 4648, section 4. */
export function mayBeBase64(text: string): boolean {
  if (isRedacted(text)) return true
  if (text.length % 4 !== 0) return false
  if (text.length <= LOOKED_AT) return BASE64.test(text)
  const half = LOOKED_AT / 2
  return /^[A-Za-z0-9+/]*$/.test(text.slice(0, half)) && BASE64.test(text.slice(-half))
}
