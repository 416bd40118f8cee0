import { describe, expect, it, vi } from 'vitest'
import type { CommandName, DeskConnection, Feeds, OpenedCaptureStatus } from '../../shared/api/contract'
import { CommandFailure } from '../connection/command-failure'
import { createPreferencesStore } from '../stores/preferences-store'
import { Captures, PIECE_BYTES, type GivenFile } from './captures'

const status = (id: string, state: OpenedCaptureStatus['state'] = 'open'): OpenedCaptureStatus => ({
  id,
  name: `${id}.ndjson`,
  file: `/${id}.ndjson`,
  state,
  progress: null,
  problem: null,
  calls: 0,
  bytes: 0,
  startedAt: '2026-08-28T12:00:00.000Z',
  writtenBy: null,
  backends: [],
  notes: [],
  passedOver: [],
  damaged: false,
  handedOverAt: null,
})

function setUp(
  answers: Partial<Record<CommandName, (request: never) => unknown>> = {},
  files?: DeskConnection['files'],
) {
  let feed = (_value: Feeds['captures']): void => undefined
  let open: OpenedCaptureStatus[] = []
  const command = vi.fn(async (name: CommandName, request: never): Promise<unknown> => {
    if (name === 'captures.list') return { captures: open, recent: [] }
    if (name === 'calls.list') return { calls: [], more: false }
    return answers[name]?.(request) ?? {}
  })
  const connection: DeskConnection = {
    command: command as never,
    openCall: () => () => undefined,
    onFeed: (name, listener) => {
      if (name === 'captures') feed = listener as typeof feed
      return () => undefined
    },
    onConnection: () => () => undefined,
    ...(files === undefined ? {} : { files }),
  }
  const captures = new Captures({
    connection,
    preferences: createPreferencesStore({ getItem: () => null, setItem: () => undefined }),
    wallNow: () => 0,
    later: () => undefined,
    frame: () => undefined,
  })
  const push = (...list: OpenedCaptureStatus[]) => {
    open = list
    feed({ captures: list })
  }
  return { captures, command, push, state: () => captures.store.getState() }
}

const given = (name: string, size: number): GivenFile => ({
  name,
  size,
  slice: (from, to) => ({ arrayBuffer: () => Promise.resolve(new Uint8Array(to - from).fill(65).buffer) }),
})

describe('Captures', () => {
  it('shows at once what the system hands over, once', () => {
    const { captures, push, state } = setUp()
    const handed = { ...status('c2'), handedOverAt: 1 }
    push(status('c1'), handed)
    expect(state().current).toBe('c2')
    captures.show(null)
    push(status('c1'), handed)
    expect(state().current).toBeNull()
    push(status('c1'), { ...handed, handedOverAt: 2 })
    expect(state().current).toBe('c2')
  })

  it('shows the one that was handed over last, wherever it stands among those that are open', () => {
    const { push, state } = setUp()
    const second = { ...status('c2'), handedOverAt: 2 }
    push({ ...status('c1'), handedOverAt: 1 }, second)
    expect(state().current).toBe('c2')
    push({ ...status('c1'), handedOverAt: 3 }, second)
    expect(state().current).toBe('c1')
  })

  it('leaves what was handed over long ago', () => {
    const { push, state } = setUp()
    push({ ...status('c1'), handedOverAt: -60_000 })
    expect(state().current).toBeNull()
  })

  it('shows what it opens, and has stores for it once it is open', async () => {
    const { captures, push, state } = setUp({ 'capture.open': () => ({ capture: 'c1' }) })
    const opening = captures.open('/c1.ndjson')
    push(status('c1', 'opening'))
    await opening
    expect(state().current).toBe('c1')
    expect(captures.source('c1')).toBeUndefined()
    push(status('c1'))
    const source = captures.source('c1')
    expect(source?.clock.startedAt).toBe(Date.parse('2026-08-28T12:00:00.000Z'))
    expect(captures.source('c1')).toBe(source)
  })

  it('asks for the calls of the capture, not for those of the live run', async () => {
    const { captures, push, command } = setUp()
    push(status('c1'))
    captures.source('c1')
    await vi.waitFor(() => expect(command).toHaveBeenCalledWith('calls.list', { after: 0, limit: 1000, capture: 'c1' }))
  })

  it('goes back to the live run when the capture that is shown is closed', () => {
    const { captures, push, state } = setUp()
    push(status('c1'), status('c2'))
    captures.show('c1')
    push(status('c1'))
    expect(state().current).toBe('c1')
    push()
    expect(state().current).toBeNull()
  })

  it('says why a file cannot be opened', async () => {
    const error = { code: 'failed', message: '16 captures are open already', hint: 'close one of them' } as const
    const { captures, state } = setUp({
      'capture.open': () => {
        throw new CommandFailure(error)
      },
    })
    expect(await captures.open('/x')).toBe(false)
    expect(state()).toMatchObject({ error, current: null })
    captures.clearError()
    expect(state().error).toBeNull()
  })

  it('hands over a file without a path in pieces that join', async () => {
    const pieces: { upload?: string; data: string; last: boolean }[] = []
    const { captures, state } = setUp({
      'capture.upload': (request: (typeof pieces)[number]) => {
        pieces.push(request)
        return { upload: 'u1', capture: request.last ? 'c1' : null }
      },
    })
    expect(await captures.openGiven(given('a.ndjson', PIECE_BYTES + 10))).toBe(true)
    expect(pieces.map(({ upload, last }) => [upload, last])).toEqual([
      [undefined, false],
      ['u1', true],
    ])
    expect(atob(pieces.map(({ data }) => data).join(''))).toBe('A'.repeat(PIECE_BYTES + 10))
    expect(state()).toMatchObject({ current: 'c1', upload: null })
  })

  it('opens a file by its path where the desktop knows that, and hands over nothing', async () => {
    const files = { pathOf: () => '/dropped.ndjson', chooseCaptures: async () => [], chooseTarget: async () => null }
    const { captures, command } = setUp({ 'capture.open': () => ({ capture: 'c1' }) }, files)
    await captures.openGiven(given('dropped.ndjson', 5))
    expect(command).toHaveBeenCalledWith('capture.open', { file: '/dropped.ndjson' })
  })

  it('hands over an empty file too, so that it is main that says what is wrong with it', async () => {
    const upload = vi.fn(() => ({ upload: 'u1', capture: 'c1' }))
    const { captures } = setUp({ 'capture.upload': upload })
    await captures.openGiven(given('empty', 0))
    expect(upload).toHaveBeenCalledExactlyOnceWith({ name: 'empty', data: '', last: true })
  })
})
