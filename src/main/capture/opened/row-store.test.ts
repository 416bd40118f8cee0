import { describe, expect, it } from 'vitest'
import { CallScript, plainCall, progressCall } from '../../../../test/capture/call-script'
import { randomFrom, type Random } from '../../../../test/capture/random'
import type { CallEvent } from '../../../shared/capture/events'
import type { CallSummary } from '../../../shared/capture/summary'
import { CaptureIndex } from '../capture-index'
import type { EventPlace } from '../event-table'
import type { RowIndex } from './row-index'
import { RowStore, type RowStoreLimits } from './row-store'

const UNBOUNDED: RowStoreLimits = { calls: 200_000, bytes: 1e9 }

/** Events of many calls, in turns, numbered anew, some of them long after the others of their call. */
function mixed(random: Random, calls: number): CallEvent[] {
  const scripts = Array.from({ length: calls }, (_, index) => {
    const options = { call: 1 + index * 3 + random.below(3), operation: `op-${index >> 1}` }
    const make = random.pick([plainCall, progressCall])
    return [...make({ ...options, round: 1 + (index & 1) })]
  })
  const events: CallEvent[] = []
  while (scripts.length > 0) {
    // Mostly the next few calls; now and then any.
    const index = random.below(random.below(4) === 0 ? scripts.length : Math.min(scripts.length, 8))
    const script = scripts[index]
    const event = script?.shift()
    if (event === undefined) scripts.splice(index, 1)
    else events.push({ ...event, seq: events.length + 1, at: events.length * 100 })
  }
  return events
}

const placeOf = ({ seq }: CallEvent): EventPlace => ({ seq, offset: 300 + seq * 70, length: 40 + (seq % 30) })

function fill(store: RowStore, events: readonly CallEvent[]): RowIndex {
  const bySeq = new Map(events.map((event) => [event.seq, event]))
  for (const [at, event] of events.entries()) {
    const { offset = 0, length } = placeOf(event)
    store.enter(event, offset, length, (seq) => bySeq.get(seq))
    if (at % 500 === 0) store.settle()
  }
  return store.finish()
}

/** The rows as the live index has them. */
function rowsOf(events: readonly CallEvent[]): CallSummary[] {
  const bySeq = new Map(events.map((event) => [event.seq, event]))
  const index = new CaptureIndex(1_000_000)
  for (const event of events) index.enter(event, (seq) => bySeq.get(seq))
  return index.list(0, 1_000_000).calls
}

describe('RowStore', () => {
  const events = mixed(randomFrom(7), 6_000)
  const calls = rowsOf(events)

  it('has the rows and places of all calls, packed or not, however their events mix', () => {
    const store = new RowStore(UNBOUNDED)
    const index = fill(store, events)
    expect(index.list(0, 10_000)).toEqual({ calls, more: false })
    for (const { call } of calls.slice(0, 300)) {
      expect(index.places(call)).toEqual(events.filter((event) => event.call === call).map(placeOf))
    }
    expect(store.openCalls).toBe(0)
  })

  it('lists pages, knows single calls, and finds the rounds of operations', () => {
    const index = fill(new RowStore(UNBOUNDED), events)
    const [first, second, third] = calls
    expect(index.list(first?.call ?? 0, 1)).toEqual({ calls: [second], more: true })
    expect(index.list(calls.at(-1)?.call ?? 0, 5)).toEqual({ calls: [], more: false })
    expect(index.get(third?.call ?? 0)).toEqual(third)
    expect([index.get(0), index.has(0), index.places(0)]).toEqual([undefined, false, []])
    expect(index.operation('op-0')).toEqual([first?.call, second?.call])
    expect(index.operation('op-2999')).toHaveLength(2)
    expect(index.operation('no such')).toEqual([])
  })

  it('goes on from an index of the beginning', () => {
    const half = events.length >> 1
    const before = fill(new RowStore(UNBOUNDED), events.slice(0, half))
    const store = new RowStore(UNBOUNDED, before)
    expect(store.openCalls).toBe(before.list(0, 10_000).calls.filter(({ endedAt }) => endedAt === null).length)
    const index = fill(store, events.slice(half))
    expect(index.list(0, 10_000).calls).toEqual(calls)
    const last = calls.at(-1)?.call ?? 0
    for (const call of [1, last]) {
      expect(index.places(call)).toEqual(events.filter((event) => event.call === call).map(placeOf))
    }
  })

  it('lets the oldest calls go when there are too many, or their rows too large', () => {
    for (const limits of [
      { ...UNBOUNDED, calls: 1_000 },
      { ...UNBOUNDED, bytes: 300_000 },
    ]) {
      const store = new RowStore(limits)
      const index = fill(store, Array.from({ length: 5_000 }, (_, at) => plainCall({ call: at + 1 }, at * 8)).flat())
      expect(index.size + store.forgotten).toBe(5_000)
      expect(index.size).toBeLessThan(3_500)
      expect(index.has(5_000)).toBe(true)
      expect(index.has(1)).toBe(false)
      expect(index.places(5_000)).toHaveLength(8)
    }
  })

  it('keeps rows within bounds that are written anew again and again', () => {
    const begun = Array.from({ length: 5_000 }, (_, at) => new CallScript({ call: at + 1 }).received().routed().events)
    const rounds = Array.from({ length: 20 }, () =>
      begun.map(([first]): CallEvent => ({ seq: 0, at: 9_000, call: first?.call ?? 0, kind: 'response.ping' })),
    )
    const all = [...begun.flat(), ...rounds.flat()].map((event, at) => ({ ...event, seq: at + 1 }))
    const store = new RowStore(UNBOUNDED)
    expect(fill(store, all).list(0, 10_000).calls).toEqual(rowsOf(all))
    expect(store.openCalls).toBe(5_000)
  })
})
