import type { JsonValue } from '../protocol/json-rpc'

/** JSON with members sorted by their keys: equal texts mean equal values. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.keys(value)
    .sort()
    .map((key): [string, JsonValue | undefined] => {
      const member = value[key]
      return [key, member === undefined ? undefined : sorted(member)]
    })
  // A null prototype: "__proto__" is a key like any other.
  return Object.assign(Object.create(null) as object, Object.fromEntries(entries))
}
