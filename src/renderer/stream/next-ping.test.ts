import { describe, expect, it } from 'vitest'
import { emptyRecord } from '../../shared/capture/empty-record'
import { describeNextPing } from './next-ping'

describe('the next ping of an open stream', () => {
  const record = emptyRecord([])
  record.response.commit = { seq: 1, offset: 1_000_000, form: 'sse', status: 200, cause: 'mode', headers: [] }

  it('is not known when the capture does not tell the interval', () => {
    expect(describeNextPing(record, 2_000_000)).toBe('the capture does not say')
  })

  it('counts from what was last written, a ping as well', () => {
    record.response.pingIntervalMs = 15_000
    expect(describeNextPing(record, 2_000_000)).toBe('in 14.0 s · every 15 s of silence')
    record.response.pings.push({ seq: 2, offset: 16_000_000 })
    expect(describeNextPing(record, 17_500_000)).toBe('in 13.5 s · every 15 s of silence')
    expect(describeNextPing(record, 32_000_000)).toBe('due · every 15 s of silence')
  })
})
