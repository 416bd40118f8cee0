import type { CallEvent } from '../../shared/capture/events'
import { readEvent } from '../../shared/capture/schema'

/** The event of a line that this run wrote itself; undefined when the line is not whole. */
export function parseOwnLine(line: string): CallEvent | undefined {
  try {
    const event = JSON.parse(line) as CallEvent
    return typeof event.call === 'number' ? event : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The event of a line that comes from anywhere; undefined when it is none of a call. */
export function parseForeignLine(line: string): CallEvent | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const read = readEvent(value)
  return read.ok && 'call' in read.value ? read.value : undefined
}
