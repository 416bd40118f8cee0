import type { z } from 'zod'

/** Of a place or a value that is told. */
const MAX_LENGTH = 60

/**
 * In a few words what is wrong with `value`, of which the schema said `error`: the place, and what should be there.
 * Both may come from hostile files, so they are told shortly, and lists of all that could be are not told.
 */
export function problemWords(error: z.ZodError, value: unknown): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'not readable'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'no JSON object'
  const place = short(issue.path.map(String).join('.'))
  const found = issue.path.reduce<unknown>(memberOf, value)
  if (issue.code === 'unrecognized_keys' || place === '') return short(issue.message)
  if (found === undefined) return `"${place}" is missing`
  if (issue.code === 'invalid_type') return `"${place}" is ${kindOf(found)}, and should be ${named(issue.expected)}`
  if (issue.code === 'invalid_value' || issue.code === 'invalid_union') {
    return `"${place}" is ${short(JSON.stringify(found) ?? '')}, which is not known there`
  }
  return `"${place}": ${short(issue.message)}`
}

function memberOf(of: unknown, member: PropertyKey): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of, member)
    ? (of as Record<PropertyKey, unknown>)[member]
    : undefined
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : named(Array.isArray(value) ? 'array' : typeof value)
}

function named(kind: string): string {
  if (kind === 'int') return 'a whole number'
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`
}

function short(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
