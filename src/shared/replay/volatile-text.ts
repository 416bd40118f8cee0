/**
 * Values that differ from run to run and say nothing of what a server does: points in time, and random identifiers. They
 * may stand inside a text, since tools repeat structured content as text.
 */
const DATE_TIME = /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?/g
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi
/** Milliseconds since 1970, from 2017 to 2049. */
const EPOCH_MS = /(?<![\d.])(?:1[5-9]|2[0-4])\d{11}(?![\d.])/g

/** True when two numbers are points in time, in milliseconds since 1970. */
export function areTimes(was: number, now: number): boolean {
  return isTime(was) && isTime(now)
}

function isTime(value: number): boolean {
  return Number.isInteger(value) && value >= 1.5e12 && value < 2.5e12
}

/** A text with words in place of its points in time and random identifiers. */
export function withoutVolatileText(text: string): string {
  return text.replace(DATE_TIME, '<time>').replace(UUID, '<id>').replace(EPOCH_MS, '<time>')
}
