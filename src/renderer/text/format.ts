import type { CallSummary } from '../../shared/capture/summary'

/** A span of time given in microseconds: `412 µs`, `4.1 ms`, `41 ms`, `3.4 s`, `2 m 05 s`, `1 h 02 m`. */
export function formatDuration(micros: number): string {
  const value = Math.max(0, micros)
  if (value < 999.5) return `${Math.round(value)} µs`
  const ms = value / 1000
  if (ms < 9.95) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${pad(whole % 60)} s`
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} m`
}

/** A configured span, given in milliseconds: `15 s`, `1.5 s`, `250 ms`. */
export function formatSetting(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  return `${ms / 1000} s`
}

/** A stretch of a capture given in microseconds, as on a player: `0:04.2`, `12:30.0`, `1:02:03`. */
export function formatSpan(micros: number): string {
  const tenths = Math.round(Math.max(0, micros) / 100_000)
  const seconds = Math.floor(tenths / 10)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  if (hours > 0) return `${hours}:${pad(minutes)}:${pad(seconds % 60)}`
  return `${minutes}:${pad(seconds % 60)}.${tenths % 10}`
}

/** A moment of a call in microseconds since it was received: `+0.412 s`. */
export function formatOffset(micros: number): string {
  return `${micros < 0 ? '−' : '+'}${(Math.abs(micros) / 1e6).toFixed(3)} s`
}

/** The same for lists of calls so short that milliseconds tell nothing: `+8.32 ms`. */
export function formatFineOffset(micros: number): string {
  return `+${(micros / 1000).toFixed(2)} ms`
}

/** The distance to the frame before, in microseconds: `+904 ms`; empty for the first. */
export function formatDelta(micros: number | undefined): string {
  return micros === undefined ? '' : `+${formatDuration(micros)}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 'B'
  for (const next of units) {
    if (value < 999.5) break
    value /= 1000
    unit = next
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

const counts = new Intl.NumberFormat('en-US')
export function formatCount(count: number): string {
  return counts.format(count)
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Time of day, local, of a moment of the capture: `14:02:11.204`. */
export function formatClock(captureStartMs: number, atMicros: number): string {
  const date = new Date(captureStartMs + atMicros / 1000)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Day and time, local, of Unix milliseconds: `2026-08-28 14:02`. */
export function formatDay(milliseconds: number): string {
  const date = new Date(milliseconds)
  if (Number.isNaN(date.getTime())) return 'at an unknown time'
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`
}

const JUST_NOW = 'just now'

/** How long ago something changed, in words: `just now`, `2 m`, `3 h`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 5) return JUST_NOW
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** For how long something has been so, in words: `just now`, `for 2 m`. */
export function formatSince(milliseconds: number): string {
  const age = formatAge(milliseconds)
  return age === JUST_NOW ? age : `for ${age}`
}

/** What is left of a span given in seconds: `9 m 41 s`, `41 s`, or how long ago it ran out. */
export function formatRemaining(seconds: number): string {
  const whole = Math.ceil(Math.abs(seconds))
  const text = whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} m ${pad(whole % 60)} s`
  return seconds > 0 ? `in ${text}` : `${text} ago`
}

const ROUND_MARKS = ['①', '②', '③', '④', '⑤', '⑥', '⑦', '⑧', '⑨', '⑩']
export function roundMark(round: number): string {
  return ROUND_MARKS[round - 1] ?? `(${round})`
}

/** `M→M` and its kin: era of the client leg, era of the backend leg (`*`: several backends). */
export function formatEras(call: Pick<CallSummary, 'era' | 'backendEra' | 'backends'>): string {
  const letter = (era: CallSummary['era']) => (era === 'modern' ? 'M' : 'L')
  if (call.backendEra !== null) return `${letter(call.era)}→${letter(call.backendEra)}`
  return call.backends.length > 0 ? `${letter(call.era)}→*` : letter(call.era)
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
