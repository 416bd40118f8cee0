import { describe, expect, it } from 'vitest'
import { plainCall } from '../../../test/capture/call-script'
import { foldCall } from '../capture/fold'
import type { CallRecord } from '../capture/record'
import { jsonFormat } from './json-view'

const HEADER = {
  format: 'sluice-capture' as const,
  version: 1 as const,
  startedAt: '2026-08-28T14:02:00.974Z',
  gateway: { name: 'sluice', version: '0' },
  backends: [],
  redaction: { headers: [], keys: [] },
  lost: { events: 0, bytes: 0 },
}

describe('jsonFormat', () => {
  it('writes a message that is nested deeper than the stack, with its text whole', () => {
    const levels = 50_000
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`
    const events = plainCall().map((event) => (event.kind === 'call.received' ? { ...event, body } : event))
    const record = JSON.parse(jsonFormat().call(foldCall(events), HEADER)) as CallRecord
    expect(record.request?.body.text).toBe(body)
    expect(JSON.stringify(record.request?.message)).toContain('nested too deep')
  })
})
