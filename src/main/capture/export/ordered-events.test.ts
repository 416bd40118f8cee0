import { describe, expect, it } from 'vitest'
import { byTime, OrderedEvents, type TimedEvent } from './ordered-events'

const at = (at: number, call: number): TimedEvent => ({ kind: 'response.ping', seq: 0, at, call })

/** The calls of the events up to `until`, as they are taken, and how often two events were compared by then. */
function taken(events: readonly TimedEvent[], until = Infinity): { calls: unknown[]; compared: number } {
  let compared = 0
  const ordered = new OrderedEvents((one, other) => {
    compared++
    return byTime(one, other)
  })
  for (const event of events) ordered.push(event)
  const calls: unknown[] = []
  for (let event = ordered.take(until); event !== undefined; event = ordered.take(until))
    calls.push('call' in event ? event.call : null)
  return { calls, compared }
}

describe('OrderedEvents', () => {
  it('gives events in the order of time, those of the same moment as they came', () => {
    expect(taken([at(5, 1), at(1, 2), at(5, 3), at(0, 4)]).calls).toEqual([4, 2, 1, 3])
  })

  it('keeps what is later than the moment that is asked for', () => {
    expect(taken([at(5, 1), at(1, 2), at(2, 3)], 2).calls).toEqual([2, 3])
  })

  it.each<[string, (index: number, count: number) => number]>([
    ['all of the same moment', () => 7],
    ['the latest first', (index, count) => count - index],
    ['the earliest first', (index) => index],
    ['in turn early and late', (index, count) => (index % 2 === 0 ? index : count - index)],
  ])('compares as often as a heap does, and not each with each: %s', (_what, timeOf) => {
    const comparisons = (count: number): number =>
      taken(Array.from({ length: count }, (_, index) => at(timeOf(index, count), index))).compared
    for (const count of [1_000, 10_000]) {
      // Up and down once, with two comparisons a level on the way down.
      expect(comparisons(count)).toBeLessThan(3 * count * Math.ceil(Math.log2(count)))
    }
    expect(comparisons(10_000) / comparisons(1_000)).toBeLessThan(20)
  })
})
