import { describe, expect, it, vi } from 'vitest'
import type { DeskConnection, DeskStatus, FeedName } from '../../shared/api/contract'
import { emptySummary } from '../../shared/capture/summarise'
import { CommandFailure } from '../connection/command-failure'
import { createDesk } from './desk'

const STATUS: DeskStatus = {
  version: '0',
  endpoint: 'http://127.0.0.1:7420/mcp',
  configFile: null,
  recording: { on: true, file: null, calls: 0, events: 0, bytes: 0, lostEvents: 0, problem: null },
  backends: [],
  applied: 0,
  off: [],
  waiting: [],
  demo: null,
  startedAt: '2026-11-29T10:00:00.000Z',
}

function setUp(stored = new Map<string, string>()) {
  const feeds = new Map<FeedName, Set<(value: never) => void>>()
  const links = new Set<(connected: boolean) => void>()
  const answers: Record<string, unknown> = {
    'desk.status': STATUS,
    'calls.list': { calls: [], more: false },
    'captures.list': { captures: [], recent: [] },
    'replay.list': { replays: [] },
  }
  const command = vi.fn((name: string) =>
    answers[name] instanceof Error ? Promise.reject(answers[name]) : Promise.resolve(answers[name]),
  )
  const connection: DeskConnection = {
    command: command as never,
    openCall: () => () => undefined,
    onFeed: (name, listener) => {
      const listeners = feeds.get(name) ?? new Set()
      feeds.set(name, listeners.add(listener))
      return () => listeners.delete(listener)
    },
    onConnection: (listener) => {
      links.add(listener)
      return () => links.delete(listener)
    },
  }
  const desk = createDesk({
    connection,
    storage: { getItem: () => null, setItem: () => undefined },
    session: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) },
    wallNow: () => Date.parse(STATUS.startedAt) + 1_000,
    later: () => undefined,
    frame: () => undefined,
  })
  const push = (name: FeedName, value: unknown) => feeds.get(name)?.forEach((listener) => listener(value as never))
  const link = (connected: boolean) => links.forEach((listener) => listener(connected))
  return { desk, push, link, command, answers }
}
const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

describe('createDesk', () => {
  it('shows status and calls, and counts the time of the capture', async () => {
    const { desk, push } = setUp()
    await settle()
    expect(desk.status.getState().status).toEqual(STATUS)
    expect(desk.clock.now()).toBe(1_000_000)
    push('calls', { calls: [emptySummary(1, 5)] })
    expect(desk.calls.store.getState().rows).toEqual([1])
  })

  it('says why there is no status, until there is one', async () => {
    const { desk, answers, push } = setUp()
    await settle()
    answers['desk.status'] = new CommandFailure({ code: 'failed', message: 'no' })
    await desk.refreshStatus()
    expect(desk.status.getState().error?.message).toBe('no')
    push('status', STATUS)
    expect(desk.status.getState().error).toBeNull()
  })

  it('begins anew when another run of Sluice answers', async () => {
    const { desk, push } = setUp()
    await settle()
    push('calls', { calls: [emptySummary(1, 5)] })
    desk.selection.setState({ call: 1 })
    push('status', { ...STATUS, startedAt: '2026-11-29T11:00:00.000Z' })
    expect(desk.calls.store.getState().rows).toEqual([])
    expect(desk.selection.getState().call).toBeNull()
  })

  it('looks at the same call and tab when the page is loaded again', async () => {
    const stored = new Map<string, string>()
    const before = setUp(stored)
    await settle()
    before.desk.selection.setState({ call: 7, tab: 'raw', seq: 3 })
    const after = setUp(stored)
    expect(after.desk.selection.getState().call).toBeNull()
    await settle()
    expect(after.desk.selection.getState()).toEqual({ view: 'calls', call: 7, backend: null, tab: 'raw', seq: null })
  })

  it('forgets the call of another run, and what cannot be read', async () => {
    const stored = new Map<string, string>()
    const before = setUp(stored)
    await settle()
    before.desk.selection.setState({ call: 7, tab: 'raw' })
    const after = setUp(stored)
    after.answers['desk.status'] = { ...STATUS, startedAt: '2026-11-29T11:00:00.000Z' }
    after.push('status', after.answers['desk.status'])
    expect(after.desk.selection.getState()).toMatchObject({ call: null, tab: 'stream' })
    await settle()
    for (const key of stored.keys()) stored.set(key, '{"startedAt":')
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const third = setUp(stored)
    await settle()
    expect(third.desk.selection.getState().call).toBeNull()
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  it('keeps what was selected before the state of Sluice was known', async () => {
    const stored = new Map<string, string>()
    const before = setUp(stored)
    await settle()
    before.desk.selection.setState({ call: 7 })
    const after = setUp(stored)
    after.desk.selection.setState({ call: 2 })
    await settle()
    expect(after.desk.selection.getState().call).toBe(2)
  })

  it('asks for what it missed when the connection is back', async () => {
    const { desk, link, command } = setUp()
    await settle()
    link(false)
    expect(desk.status.getState().connected).toBe(false)
    command.mockClear()
    link(true)
    await settle()
    expect(command.mock.calls.map(([name]) => name)).toEqual([
      'compose.calls',
      'desk.status',
      'captures.list',
      'replay.list',
      'calls.list',
    ])
  })
})
