import type { CallEvent, CaptureEvent, CaptureHeader } from '../../src/shared/capture/events'
import { plainCall } from './call-script'

export const HEADER: CaptureHeader = {
  format: 'sluice-capture',
  version: 1,
  startedAt: '2026-08-28T12:00:00.000Z',
  gateway: { name: 'sluice', version: '0.1.0' },
  backends: [{ name: 'weather', type: 'http', url: 'http://127.0.0.1:9/mcp' }],
  redaction: { headers: [], keys: [] },
  lost: { events: 0, bytes: 0 },
}

/** The text of a capture file; strings are lines as they are, and the last of them ends without a line feed. */
export function captureText(events: readonly (CaptureEvent | string)[], header: CaptureHeader = HEADER): string {
  const lines = [header, ...events].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  return lines.join('\n') + (typeof events.at(-1) === 'string' ? '' : '\n')
}

/** Calls of eight events each, numbered from 1. */
export function manyCalls(count: number): CallEvent[] {
  return Array.from({ length: count }, (_, index) => plainCall({ call: index + 1 }, index * 8)).flat()
}
