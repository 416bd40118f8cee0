import { expect, it } from 'vitest'
import { CallScript, plainCall } from '../../../test/capture/call-script'
import type { CallEvent } from '../../shared/capture/events'
import { emptySummary } from '../../shared/capture/summarise'
import type { CaptureView } from '../capture/capture-view'
import { listFindings } from './findings-list'

/** A capture of calls, of which the index counted so many findings. */
function view(calls: readonly { target: string; findings: number; events: CallEvent[] }[]): CaptureView {
  const rows = calls.map(({ target, findings }, index) => ({
    ...emptySummary(index + 1, 0),
    target,
    findings,
    backend: 'b',
  }))
  const refuse = () => Promise.reject(new Error('not asked for here'))
  return {
    header: { format: 'sluice-capture' } as CaptureView['header'],
    index: {
      get: (call) => rows[call - 1],
      list: (after, limit) => ({ calls: rows.slice(after, after + limit), more: after + limit < rows.length }),
      operation: () => [],
      size: rows.length,
    },
    events: (call) => Promise.resolve(calls[call - 1]?.events ?? []),
    text: refuse,
    search: refuse,
  }
}
const broken = () => new CallScript().received().routed().sent().head().event({ no: 1 }).event({ no: 2 }).events

it('counts by rule and place, the newest calls first', async () => {
  const capture = view([
    { target: 'a', findings: 2, events: broken() },
    { target: 'a', findings: 0, events: plainCall() },
    { target: 'a', findings: 2, events: broken() },
    { target: 'b', findings: 2, events: broken() },
  ])
  expect(await listFindings(capture, new AbortController().signal)).toEqual({
    groups: [
      { rule: 'not-json-rpc', backend: 'b', target: 'b', findings: 2, callCount: 1, calls: [4] },
      { rule: 'not-json-rpc', backend: 'b', target: 'a', findings: 4, callCount: 2, calls: [3, 1] },
    ],
    judged: 3,
    left: 0,
  })
})

it('says how many older calls it left out', async () => {
  const capture = view(Array.from({ length: 1_200 }, () => ({ target: 'a', findings: 1, events: broken() })))
  const { groups, judged, left } = await listFindings(capture, new AbortController().signal)
  expect([judged, left, groups[0]?.callCount, groups[0]?.calls.length]).toEqual([1_000, 200, 1_000, 50])
  expect(groups[0]?.calls[0]).toBe(1_200)
})

it('stops when nobody waits any more', async () => {
  const capture = view([{ target: 'a', findings: 1, events: broken() }])
  await expect(listFindings(capture, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
})
