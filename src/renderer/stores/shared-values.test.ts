import { expect, it } from 'vitest'
import { emptySummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { SharedValues } from './shared-values'

const summary = (call: number, more: Partial<CallSummary> = {}): CallSummary => ({
  ...emptySummary(call, call * 1_000),
  method: 'tools/call',
  target: 'forecast',
  backend: 'weather',
  backends: ['weather'],
  answer: { form: 'sse', status: 200, cause: 'notification' },
  outcome: 'result',
  ...more,
})

it('changes nothing that a summary says, and has one list and one answer for all that have equal ones', () => {
  const values = new SharedValues()
  const [first, second] = [summary(1), summary(2)]
  values.share(first)
  values.share(second)
  expect([first, second]).toEqual([summary(1), summary(2)])
  expect(second.backends).toBe(first.backends)
  expect(second.answer).toBe(first.answer)
})

it('keeps apart what differs', () => {
  const values = new SharedValues()
  const others = [
    summary(1),
    summary(2, { backend: null, backends: [] }),
    summary(3, { backends: ['weather', 'booking'] }),
    summary(4, { backends: ['booking'], answer: { form: 'sse', status: 404, cause: 'notification' } }),
    summary(5, { answer: null, outcome: null }),
  ]
  const before = structuredClone(others)
  for (const other of others) values.share(other)
  expect(others).toEqual(before)
})

it('forgets when there are too many to be names', () => {
  const values = new SharedValues()
  const first = summary(1)
  values.share(first)
  for (let call = 2; call < 10_010; call++) values.share(summary(call, { backends: [`b${call}`] }))
  const again = summary(20_000)
  values.share(again)
  expect(again.backends).not.toBe(first.backends)
  expect(again).toEqual(summary(20_000))
})
