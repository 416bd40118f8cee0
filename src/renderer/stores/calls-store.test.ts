import { describe, expect, it, vi } from 'vitest'
import type { CommandName } from '../../shared/api/contract'
import type { Filter } from '../../shared/capture/filter-types'
import { emptySummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { CommandFailure } from '../connection/command-failure'
import { CallsStore } from './calls-store'

const summary = (call: number, more: Partial<CallSummary> = {}): CallSummary => ({
  ...emptySummary(call, call * 1000),
  outcome: 'result',
  endedAt: call * 1000 + 10,
  method: 'tools/call',
  ...more,
})

/** Knows two terms: a method's name, and `body:TEXT`. */
function parseFilter(text: string): Filter {
  const body = /^body:(.+)$/.exec(text)?.[1]
  return {
    ok: true,
    problems: [],
    tokens: [],
    bodyTexts: body === undefined ? [] : [body],
    matches: (call, context) =>
      body === undefined ? call.method === text : (context.bodyHits.get(body)?.has(call.call) ?? false),
  }
}

function setUp(answers: (name: CommandName, request: never) => unknown = () => ({ calls: [], more: false })) {
  const tasks: (() => void)[] = []
  const command = vi.fn((name: CommandName, request: never) => Promise.resolve().then(() => answers(name, request)))
  const calls = new CallsStore({
    connection: { command: command as never },
    parseFilter,
    now: () => 0,
    later: (task) => tasks.push(task),
    together: (task) => tasks.push(task),
  })
  const rows = () => [...calls.store.getState().rows]
  return { calls, rows, command, tasks }
}

describe('CallsStore', () => {
  it('loads page by page', async () => {
    const pages = [
      { calls: [summary(1), summary(2)], more: true },
      { calls: [summary(3)], more: false },
    ]
    const { calls, rows, command } = setUp(() => pages.shift())
    await calls.load()
    expect(rows()).toEqual([1, 2, 3])
    expect(command.mock.calls.map(([, request]) => request)).toEqual([
      { after: 0, limit: 1000 },
      { after: 2, limit: 1000 },
    ])
    expect(calls.store.getState()).toMatchObject({ loading: false, error: null, total: 3 })
  })

  it('tells of a change of the table only when there is one, and of one of calls apart from it', async () => {
    const { calls } = setUp()
    await calls.load()
    const { store } = calls
    const counts = () => [store.getState().changes, store.getState().revision]
    calls.apply([summary(1, { outcome: null }), summary(2)])
    const [changes = 0, revision = 0] = counts()
    calls.apply([summary(1, { outcome: null, frames: 7 })])
    expect(counts()).toEqual([changes + 1, revision])
    calls.setFilter('tools/call')
    calls.apply([summary(1, { method: 'tools/list' })])
    expect(counts()).toEqual([changes + 2, revision + 2])
    calls.setSort({ column: 'duration', descending: false })
    calls.apply([summary(2, { endedAt: 9_000_000 })])
    expect(counts()).toEqual([changes + 3, revision + 4])
    calls.setGrouping('tool')
    calls.apply([summary(2, { endedAt: 8_000_000 })])
    expect(counts()).toEqual([changes + 4, revision + 6])
  })

  it('says why loading failed', async () => {
    const { calls } = setUp(() => {
      throw new CommandFailure({ code: 'failed', message: 'disk on fire', hint: 'leave' })
    })
    await calls.load()
    expect(calls.store.getState().error).toEqual({ code: 'failed', message: 'disk on fire', hint: 'leave' })
  })

  it('asks again for what was in flight, then for what is newer', async () => {
    const { calls, command } = setUp((_name, request: { after: number; limit: number }) => ({
      calls: request.limit === 1 ? [summary(2)] : [],
      more: false,
    }))
    await calls.load()
    calls.apply([summary(1), summary(2, { outcome: null, endedAt: null }), summary(3)])
    calls.disconnected()
    command.mockClear()
    await calls.load()
    expect(command.mock.calls.map(([, request]) => request)).toEqual([
      { after: 1, limit: 1 },
      { after: 3, limit: 1000 },
    ])
    expect(calls.get(2)?.outcome).toBe('result')
  })

  it('loads from where it was complete, not from what the feed has brought beyond', async () => {
    const pages = [{ calls: [summary(1), summary(2)], more: false }, new Error('lost'), { calls: [], more: false }]
    const { calls, command } = setUp(() => {
      const page = pages.shift()
      if (page instanceof Error) throw page
      return page
    })
    await calls.load()
    calls.receive([summary(3)])
    calls.disconnected()
    command.mockClear()
    // The connection is back: its feed is sooner than the list, whose first attempt fails.
    calls.receive([summary(90)])
    await calls.load()
    await calls.load()
    expect(command.mock.calls.map(([, request]) => request)).toEqual([
      { after: 3, limit: 1000 },
      { after: 3, limit: 1000 },
    ])
  })

  it('goes on from its last page when loading is begun again in the middle of it', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { calls, command } = setUp(() => new Promise((resolve) => (answer = resolve)))
    const first = calls.load()
    await Promise.resolve()
    answer({ calls: [summary(1), summary(2)], more: true })
    await vi.waitFor(() => expect(command).toHaveBeenCalledTimes(2))
    calls.receive([summary(90)])
    void calls.load()
    answer({ calls: [summary(3)], more: true })
    await first
    expect(command.mock.calls.at(-1)?.[1]).toEqual({ after: 2, limit: 1000 })
  })

  it('applies pushed rows at once, and those that follow closely together', () => {
    const { calls, rows, tasks } = setUp()
    const drawn = vi.fn()
    calls.receive([summary(1)])
    expect(rows()).toEqual([1])
    calls.store.subscribe(drawn)
    calls.receive([summary(2, { outcome: null })])
    calls.receive([summary(2), summary(3)])
    expect(drawn).not.toHaveBeenCalled()
    tasks.shift()!()
    expect(rows()).toEqual([1, 2, 3])
    expect(calls.get(2)?.outcome).toBe('result')
    expect(drawn).toHaveBeenCalledTimes(1)
    tasks.shift()!()
    expect(tasks).toEqual([])
    calls.receive([summary(4)])
    expect(rows()).toEqual([1, 2, 3, 4])
  })

  it('draws a call that goes on less often than calls that begin or end', () => {
    const { calls, rows, tasks } = setUp()
    const going = (frames: number) => [summary(1, { outcome: null, frames })]
    calls.receive(going(1))
    calls.receive(going(2))
    tasks.shift()!()
    calls.receive(going(3))
    expect(calls.get(1)?.frames).toBe(1)
    tasks.shift()!()
    expect(calls.get(1)?.frames).toBe(3)
    calls.receive(going(4))
    calls.receive([summary(2, { outcome: null })])
    tasks.shift()!()
    expect(rows()).toEqual([1, 2])
    expect(calls.get(1)?.frames).toBe(4)
    calls.receive([summary(1)])
    tasks.shift()!()
    expect(calls.get(1)?.outcome).toBe('result')
    // Nothing waits: the next is drawn with what is drawn next, and one that begins at once.
    tasks.shift()!()
    calls.receive([summary(2, { outcome: null, frames: 9 })])
    expect(calls.get(2)?.frames).not.toBe(9)
    tasks.shift()!()
    expect(calls.get(2)?.frames).toBe(9)
    tasks.shift()!()
    calls.receive([summary(3)])
    expect(rows()).toEqual([1, 2, 3])
  })

  it('does not put a pushed row over a newer one from a page', () => {
    const { calls, tasks } = setUp()
    calls.receive([summary(1)])
    calls.receive([summary(2, { outcome: null })])
    calls.apply([summary(2)])
    tasks.shift()!()
    expect(calls.get(2)?.outcome).toBe('result')
  })

  it('tells a row of its own call only', () => {
    const { calls } = setUp()
    calls.apply([summary(1), summary(2)])
    const first = vi.fn()
    const second = vi.fn()
    calls.subscribeCall(1, first)
    const leave = calls.subscribeCall(2, second)
    calls.apply([summary(2, { frames: 4 })])
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledTimes(1)
    leave()
    calls.apply([summary(2, { frames: 5 })])
    expect(second).toHaveBeenCalledTimes(1)
  })

  it('filters what is here and what comes, and follows rows that begin or cease to match', () => {
    const { calls, rows } = setUp()
    calls.apply([summary(1), summary(2, { method: 'tools/list' })])
    calls.setFilter('tools/list')
    expect(rows()).toEqual([2])
    calls.apply([summary(3, { method: 'tools/list' }), summary(4)])
    expect(rows()).toEqual([2, 3])
    calls.apply([summary(1, { method: 'tools/list' }), summary(3)])
    expect(rows()).toEqual([1, 2])
    calls.setFilter('')
    expect(rows()).toEqual([1, 2, 3, 4])
  })

  it('resolves body terms by searching, and again when calls came', async () => {
    let hits = [2]
    const { calls, rows, tasks } = setUp((name) =>
      name === 'calls.search' ? { calls: hits } : { calls: [], more: false },
    )
    calls.apply([summary(1), summary(2)])
    calls.setFilter('body:x')
    expect(rows()).toEqual([])
    await vi.waitFor(() => expect(rows()).toEqual([2]))
    hits = [2, 3]
    calls.apply([summary(3)])
    expect(tasks).toHaveLength(1)
    tasks[0]!()
    await vi.waitFor(() => expect(rows()).toEqual([2, 3]))
  })

  it('drops the answer to a search that the filter has left behind', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { calls, rows } = setUp(() => new Promise((resolve) => (answer = resolve)))
    calls.apply([summary(1)])
    calls.setFilter('body:x')
    await Promise.resolve()
    await Promise.resolve()
    calls.setFilter('tools/call')
    answer({ calls: [] })
    await Promise.resolve()
    expect(rows()).toEqual([1])
    expect(calls.store.getState().searching).toBe(false)
  })

  it('keeps another order up to date, calls in flight as the longest', () => {
    const { calls, rows } = setUp()
    calls.setSort({ column: 'duration', descending: true })
    calls.apply([
      summary(1, { endedAt: 1_500 }),
      summary(2, { endedAt: null, outcome: null }),
      summary(3, { endedAt: 3_100 }),
    ])
    expect(rows()).toEqual([2, 1, 3])
    calls.apply([summary(3, { endedAt: 9_000 })])
    expect(rows()).toEqual([2, 3, 1])
    calls.setSort({ column: 'call', descending: true })
    calls.apply([summary(4)])
    expect(rows()).toEqual([4, 3, 2, 1])
  })

  it('holds calls in flight above the table when they are pinned', () => {
    const { calls, rows } = setUp()
    calls.setPinInFlight(true)
    calls.apply([summary(1), summary(2, { outcome: null }), summary(3)])
    expect(rows()).toEqual([1, 3])
    expect(calls.store.getState().pinned).toEqual([2])
    calls.apply([summary(2)])
    expect(rows()).toEqual([1, 2, 3])
    expect(calls.store.getState().pinned).toEqual([])
  })

  it('groups what passes the filter, and keeps pinned calls out of the groups', () => {
    const { calls, rows } = setUp()
    calls.apply([summary(1, { client: 'a' }), summary(2, { client: 'b', method: 'ping' }), summary(3, { client: 'a' })])
    calls.setGrouping('client')
    const named = () => rows().map((row) => (row < 0 ? calls.group(row)?.name : row))
    expect(named()).toEqual(['a', 1, 3, 'b', 2])
    expect([calls.groupRowOf(3), calls.groupRowOf(9)]).toEqual([rows()[0], undefined])
    calls.setFilter('tools/call')
    expect(named()).toEqual(['a', 1, 3])
    calls.setPinInFlight(true)
    calls.apply([summary(4, { client: 'a', outcome: null, endedAt: null }), summary(5, { client: 'c' })])
    expect(named()).toEqual(['a', 1, 3, 'c', 5])
    expect(calls.store.getState()).toMatchObject({ pinned: [4], matching: 4, total: 5, grouping: 'client' })
    expect(calls.matching()).toEqual([1, 3, 4, 5])
    calls.expandGroup(rows()[0] ?? 0, false)
    calls.setSort({ column: 'call', descending: true })
    expect(named()).toEqual(['c', 5, 'a'])
    calls.setGrouping(null)
    expect(rows()).toEqual([5, 3, 1])
    expect(calls.group(-1)).toBeUndefined()
  })

  it('brings groups of many calls up to date together', () => {
    const { calls, rows, tasks } = setUp()
    calls.setGrouping('client')
    calls.apply(Array.from({ length: 4_001 }, (_, at) => summary(at + 1, { client: 'a' })))
    tasks.shift()?.()
    calls.apply([summary(5_000, { client: 'b' })])
    calls.apply([summary(5_001, { client: 'b' })])
    expect(rows().length).toBe(4_002)
    expect(tasks).toHaveLength(1)
    tasks.shift()!()
    expect(rows().slice(-3)).toEqual([-2, 5_000, 5_001])
  })

  it('counts the rounds of an operation and tells its rows', () => {
    const { calls } = setUp()
    calls.apply([summary(1, { operation: 'op' })])
    const listener = vi.fn()
    calls.subscribeRounds('op', listener)
    expect(calls.roundsOf('op')).toBe(1)
    calls.apply([summary(2, { operation: 'op', round: 2 }), summary(3, { operation: 'other' })])
    expect(calls.roundsOf('op')).toBe(2)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('forgets all when another run begins', () => {
    const { calls, rows } = setUp()
    calls.apply([summary(1), summary(2)])
    calls.clear()
    expect(rows()).toEqual([])
    expect(calls.get(1)).toBeUndefined()
  })

  it('has the rows of what replaces others, and no more', () => {
    const { calls, rows } = setUp()
    const all = [1, 2, 3, 4].map((call) =>
      summary(call, { annotation: call === 4 ? { mark: null, pinned: true, comment: '' } : null }),
    )
    calls.replace(all)
    expect(rows()).toEqual([1, 2, 3])
    const { revision } = calls.store.getState()
    calls.replace(all.slice(0, 2))
    expect(rows()).toEqual([1, 2])
    expect(calls.matching()).toEqual([1, 2])
    expect(calls.store.getState()).toMatchObject({ pinned: [], matching: 2, total: 2 })
    // The table is drawn anew also where its length stays.
    calls.replace(all.slice(1, 3))
    expect(rows()).toEqual([2, 3])
    expect(calls.store.getState().revision).toBeGreaterThan(revision + 1)
    calls.replace([])
    expect(rows()).toEqual([])
  })

  it('knows the streams of subscriptions, and those that are open', () => {
    const { calls } = setUp()
    const stream = {
      kind: 'session',
      asked: [],
      honoured: null,
      uris: [],
      uriCount: 0,
      flowed: {},
      lastAt: null,
    } as const
    const listening = (call: number, more: Partial<CallSummary> = {}) =>
      summary(call, {
        outcome: null,
        endedAt: null,
        stream: { ...stream, asked: [], uris: [], resumed: false },
        answer: { form: 'sse', status: 200, cause: 'mode' },
        ...more,
      })
    calls.apply([listening(1), summary(2), listening(3), listening(4, { answer: null })])
    expect([...calls.streams()].map(({ call }) => call)).toEqual([3, 1])
    expect(calls.openStreams).toBe(2)
    calls.apply([listening(3, { outcome: 'result', endedAt: 9 })])
    expect([...calls.streams()].map(({ call }) => call)).toEqual([3, 1])
    expect(calls.openStreams).toBe(1)
    calls.clear()
    expect([calls.openStreams, [...calls.streams()].length]).toEqual([0, 0])
  })
})
