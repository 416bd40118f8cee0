import { describe, expect, it, vi } from 'vitest'
import type { Feeds } from '../../shared/api/contract'
import type { CallEvent } from '../../shared/capture/events'
import { CommandFailure } from '../connection/command-failure'
import { CallLogs } from './call-logs'

const received: CallEvent = {
  kind: 'call.received',
  seq: 1,
  at: 1_000,
  call: 7,
  endpoint: '/mcp',
  era: 'modern',
  http: { method: 'POST', path: '/mcp', headers: [] },
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  method: 'tools/list',
  deferralWindowMs: 15_000,
  responseMode: 'auto',
}
const ping = (seq: number): CallEvent => ({ kind: 'response.ping', seq, at: 1_000 + seq, call: 7 })

function setUp() {
  const listeners = new Set<(feed: Feeds['call']) => void>()
  const answers: { resolve: (value: unknown) => void; reject: (reason: unknown) => void }[] = []
  const frames: (() => void)[] = []
  const leaveCall = vi.fn()
  const connection = {
    command: vi.fn(() => new Promise((resolve, reject) => answers.push({ resolve, reject }))) as never,
    openCall: vi.fn(() => leaveCall),
    onFeed: (_name: string, listener: (feed: never) => void) => {
      listeners.add(listener as (feed: Feeds['call']) => void)
      return () => listeners.delete(listener as (feed: Feeds['call']) => void)
    },
  }
  const push = (events: CallEvent[], clipped: Feeds['call']['clipped'] = []) => {
    for (const listener of listeners) listener({ call: 7, events, clipped })
  }
  const logs = new CallLogs(connection, (task) => frames.push(task))
  return { logs, connection, answers, push, leaveCall, listeners, frames }
}
const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

describe('CallLogs', () => {
  it('joins what was listed with what arrived meanwhile, each event once', async () => {
    const { logs, answers, push } = setUp()
    const { log } = logs.acquire(7)
    push([ping(2), ping(3)])
    expect(log.store.getState().record).toBeNull()
    answers[0]!.resolve({ events: [received, ping(2)], clipped: [] })
    await settle()
    expect(log.store.getState().record?.response.pings.map((each) => each.seq)).toEqual([2, 3])
    const before = log.store.getState().revision
    push([ping(3), ping(4)])
    expect(log.store.getState().record?.response.pings).toHaveLength(3)
    expect(log.store.getState().revision).toBe(before + 1)
  })

  it('reads a call of many events page by page', async () => {
    const { logs, answers, push, connection } = setUp()
    const { log } = logs.acquire(7)
    answers[0]!.resolve({ events: [received, ping(2), ping(3)], clipped: [], more: true })
    await settle()
    push([ping(5), ping(6)])
    await settle()
    expect(connection.command).toHaveBeenLastCalledWith('call.events', { call: 7, after: 3, limit: 2_000 })
    expect(log.store.getState().record).toBeNull()
    answers[1]!.resolve({ events: [ping(4), ping(5)], clipped: [] })
    await settle()
    expect(log.store.getState().record?.response.pings.map((each) => each.seq)).toEqual([2, 3, 4, 5, 6])
    expect(connection.command).toHaveBeenCalledTimes(2)
  })

  it('says how many events did not come, as the last page has it', async () => {
    const { logs, answers } = setUp()
    const { log } = logs.acquire(7)
    expect(log.store.getState().omitted).toBe(0)
    answers[0]!.resolve({ events: [received, ping(2)], clipped: [], more: true, omitted: 5 })
    await settle()
    await settle()
    answers[1]!.resolve({ events: [ping(9)], clipped: [], omitted: 6 })
    await settle()
    expect(log.store.getState().omitted).toBe(6)
    logs.reload()
    answers[2]!.resolve({ events: [received], clipped: [] })
    await settle()
    expect(log.store.getState().omitted).toBe(0)
  })

  it('shows the first event at once, and those that follow before the next frame of the screen together', async () => {
    const { logs, answers, push, frames } = setUp()
    const { log } = logs.acquire(7)
    answers[0]!.resolve({ events: [received], clipped: [] })
    await settle()
    const before = log.store.getState().revision
    push([ping(2)])
    expect(log.store.getState().revision).toBe(before + 1)
    push([ping(3)])
    push([ping(4)])
    expect(log.store.getState().revision).toBe(before + 1)
    frames.shift()?.()
    expect(log.store.getState().revision).toBe(before + 2)
    expect(log.store.getState().record?.response.pings).toHaveLength(3)
    frames.shift()?.()
    expect(log.store.getState().revision).toBe(before + 2)
    push([ping(5)])
    expect(log.store.getState().revision).toBe(before + 3)
  })

  it('marks texts that came clipped', async () => {
    const { logs, answers } = setUp()
    const { log } = logs.acquire(7)
    answers[0]!.resolve({ events: [received], clipped: [{ seq: 1, length: 5_000_000 }] })
    await settle()
    expect(log.store.getState().record?.request?.body).toMatchObject({ clipped: true, length: 5_000_000 })
  })

  it('loads a whole text once, and again only after a failure', async () => {
    const { logs, answers, connection } = setUp()
    const { log } = logs.acquire(7)
    answers[0]!.resolve({ events: [received], clipped: [] })
    await settle()
    void log.loadWhole(1)
    void log.loadWhole(1)
    expect(connection.command).toHaveBeenCalledTimes(2)
    answers[1]!.reject(new CommandFailure({ code: 'failed', message: 'gone' }))
    await settle()
    expect(log.store.getState().wholes.get(1)).toEqual({ state: 'failed', error: { code: 'failed', message: 'gone' } })
    void log.loadWhole(1)
    answers[2]!.resolve({ text: 'all of it' })
    await settle()
    expect(log.store.getState().wholes.get(1)).toEqual({ state: 'ready', text: 'all of it' })
  })

  it('shares one log between users and leaves with the last', () => {
    const { logs, connection, leaveCall, listeners } = setUp()
    const first = logs.acquire(7)
    const second = logs.acquire(7)
    expect(second.log).toBe(first.log)
    expect(connection.openCall).toHaveBeenCalledTimes(1)
    first.release()
    first.release()
    expect(leaveCall).not.toHaveBeenCalled()
    second.release()
    expect(leaveCall).toHaveBeenCalledTimes(1)
    expect(listeners.size).toBe(0)
  })

  it('reports a failure and recovers by loading again', async () => {
    const { logs, answers } = setUp()
    const { log } = logs.acquire(7)
    answers[0]!.reject(new CommandFailure({ code: 'not-found', message: 'no such call' }))
    await settle()
    expect(log.store.getState()).toMatchObject({ status: 'failed', error: { code: 'not-found' } })
    logs.reload()
    answers[1]!.resolve({ events: [received], clipped: [] })
    await settle()
    expect(log.store.getState()).toMatchObject({ status: 'ready', error: null })
  })
})

describe('CallLogs of a capture that is played', () => {
  it('show a call up to the moment that is shown, forth and back', async () => {
    const { connection, answers } = setUp()
    let at = 0
    let moved = (): void => undefined
    const logs = new CallLogs(connection, () => undefined, {
      at: () => at,
      onChange: (listener) => {
        moved = listener
        return () => undefined
      },
    })
    const { log } = logs.acquire(7)
    answers[0]!.resolve({ events: [received, ping(2), ping(3)], clipped: [{ seq: 3, length: 9 }] })
    await settle()
    expect(log.store.getState()).toMatchObject({ status: 'ready', record: null })
    const pingsAt = (moment: number) => {
      at = moment
      moved()
      return log.store.getState().record?.response.pings.length
    }
    expect(pingsAt(1_000)).toBe(0)
    expect(pingsAt(1_003)).toBe(2)
    expect(pingsAt(1_002)).toBe(1)
    expect(pingsAt(999)).toBeUndefined()
    expect(pingsAt(Infinity)).toBe(2)
  })
})
