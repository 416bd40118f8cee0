import { describe, expect, it, vi } from 'vitest'
import type { BackendActivity, DeskConnection, Feeds } from '../../shared/api/contract'
import { ActivityLog, MOST_LINES } from './activity-log'

const line = (seq: number): BackendActivity => ({ seq, at: seq, kind: 'stderr', text: `line ${seq}` })

function connect(answers: (() => Promise<{ lines: BackendActivity[] }>)[]) {
  let feed: (value: Feeds['activity']) => void = () => undefined
  let link: (connected: boolean) => void = () => undefined
  const connection = {
    command: () => (answers.shift() ?? (() => Promise.reject(new Error('no more answers'))))(),
    onFeed: (_name: string, listener: (value: Feeds['activity']) => void) => {
      feed = listener
      return () => (feed = () => undefined)
    },
    onConnection: (listener: (connected: boolean) => void) => {
      link = listener
      listener(true)
      return () => undefined
    },
  } as unknown as DeskConnection
  return {
    connection,
    feed: (lines: BackendActivity[], more: Partial<Feeds['activity']> = {}) =>
      feed({ backend: 'files', lines, skipped: 0, ...more }),
    link: (connected: boolean) => link(connected),
  }
}

const seqs = (log: ActivityLog) => log.store.getState().lines.map(({ seq }) => seq)

describe('ActivityLog', () => {
  it('has what was there and what follows, each line once', async () => {
    const desk = connect([() => Promise.resolve({ lines: [line(1), line(4)] })])
    const log = new ActivityLog('files', desk.connection)
    await vi.waitFor(() => expect(log.store.getState().status).toBe('ready'))
    desk.feed([line(4), line(6)])
    desk.feed([line(9)], { backend: 'other' })
    expect(seqs(log)).toEqual([1, 4, 6])
    log.close()
    desk.feed([line(7)])
    expect(seqs(log)).toEqual([1, 4, 6])
  })

  it('keeps lines that came while it was loading', async () => {
    let answer: (value: { lines: BackendActivity[] }) => void = () => undefined
    const desk = connect([() => new Promise((resolve) => (answer = resolve))])
    const log = new ActivityLog('files', desk.connection)
    desk.feed([line(2), line(3)])
    answer({ lines: [line(1), line(2)] })
    await vi.waitFor(() => expect(seqs(log)).toEqual([1, 2, 3]))
  })

  it('stays bounded, and says what it missed', async () => {
    const desk = connect([() => Promise.resolve({ lines: [] })])
    const log = new ActivityLog('files', desk.connection)
    await vi.waitFor(() => expect(log.store.getState().status).toBe('ready'))
    desk.feed(
      Array.from({ length: MOST_LINES + 5 }, (_, index) => line(index + 1)),
      { skipped: 7 },
    )
    expect(log.store.getState().lines).toHaveLength(MOST_LINES)
    expect(log.store.getState().skipped).toBe(7)
  })

  it('says why it could not load, and loads again when the connection is back', async () => {
    const desk = connect([() => Promise.reject(new Error('gone')), () => Promise.resolve({ lines: [line(5)] })])
    const log = new ActivityLog('files', desk.connection)
    await vi.waitFor(() => expect(log.store.getState()).toMatchObject({ status: 'failed', error: { message: 'gone' } }))
    desk.link(false)
    desk.link(true)
    await vi.waitFor(() => expect(seqs(log)).toEqual([5]))
  })
})
