import { describe, expect, it } from 'vitest'
import { CallScript, progress, progressCall, plainCall } from '../../../test/capture/call-script'
import type { CallEvent } from './events'
import { applyToSummary, startSummary } from './summarise'
import { MAX_LIFE_MARKS, type CallSummary } from './summary'

function summarise(events: readonly CallEvent[]): CallSummary {
  const [first, ...rest] = events
  if (first?.kind !== 'call.received') throw new Error('a call begins with call.received')
  const summary = startSummary(first)
  for (const event of rest) applyToSummary(summary, event)
  return summary
}

describe('summaries', () => {
  it('counts a streamed call', () => {
    expect(summarise(progressCall({ id: 'abc' }))).toMatchObject({
      call: 1,
      receivedAt: 1_000,
      id: 'abc',
      method: 'tools/call',
      target: 'forecast',
      upstreamTarget: null,
      backend: 'weather',
      backends: ['weather'],
      backendEra: 'modern',
      answer: { form: 'sse', status: 200, cause: 'notification' },
      committedAt: 6_000,
      outcome: 'result',
      endedBy: 'backend',
      frames: 4,
      progress: 2,
      logs: 1,
      lastProgress: { progress: 2, total: 5, message: 'step 2' },
      life: [
        { at: 6_000, mark: 'progress' },
        { at: 8_000, mark: 'log' },
        { at: 10_000, mark: 'progress' },
      ],
    })
  })

  it('counts a plain call', () => {
    const summary = summarise(plainCall())
    expect(summary).toMatchObject({ frames: 1, progress: 0, life: [], outcome: 'result', answer: { form: 'json' } })
    expect(summary.endedAt).toBe(8_000)
  })

  it('counts bytes of UTF-8', () => {
    const script = new CallScript({ body: 'aé漢😀' }).received().committed()
    const summary = summarise(script.events)
    expect(summary.bytesIn).toBe(Buffer.byteLength('aé漢😀'))
  })

  it('keeps few marks and says how many there were', () => {
    const script = new CallScript().received().committed()
    for (let step = 1; step <= MAX_LIFE_MARKS + 5; step++) script.frame(progress(step))
    const summary = summarise(script.events)
    expect(summary.life).toHaveLength(MAX_LIFE_MARKS)
    expect(summary.lifeDropped).toBe(5)
  })

  it('does not keep long texts', () => {
    const long = 'x'.repeat(1_000_000)
    const script = new CallScript({ id: long, params: { name: long } }).received().routed({ name: long })
    script.push({ kind: 'call.ended', outcome: 'error', by: 'backend', error: { code: 1, message: long } })
    const summary = summarise(script.events)
    expect(JSON.stringify(summary).length).toBeLessThan(3_000)
    expect(summary.upstreamTarget).toBeNull()
  })

  it('marks operations, pings and withheld notifications', () => {
    const script = new CallScript({ round: 2 }).received().routed({ name: 'other' })
    script.push({ kind: 'response.ping' })
    script.push({ kind: 'response.withheld', from: 3, reason: 'no-log-level', detail: 'no level asked for' })
    script.ended('input-required')
    expect(summarise(script.events)).toMatchObject({
      round: 2,
      operation: 'op-1',
      upstreamTarget: 'other',
      pings: 1,
      withheld: 1,
      input: true,
      outcome: 'input-required',
    })
  })
})
