import { describe, expect, it, vi } from 'vitest'
import type { CommandName, Feeds } from '../../shared/api/contract'
import type { ReplayStatus } from '../../shared/api/replay'
import { CommandFailure } from '../connection/command-failure'
import { Replays } from './replays'
import { placeWords, valueText } from './value-text'

const status = (id: string, state: ReplayStatus['state'] = 'planned'): ReplayStatus => ({
  id,
  capture: 'c1',
  name: 'a',
  state,
  problem: null,
  done: 0,
  total: 1,
  stopped: false,
  counts: { same: 0, different: 0, failed: 0, 'not-sent': 0 },
})

function setUp(answers: Partial<Record<CommandName, () => unknown>> = {}) {
  let feed = (_value: Feeds['replays']): void => undefined
  let list: ReplayStatus[] = []
  const command = vi.fn(async (name: CommandName): Promise<unknown> => {
    if (name === 'replay.list') return { replays: list }
    return answers[name]?.() ?? {}
  })
  const replays = new Replays({
    command: command as never,
    onFeed: (_name, listener) => {
      feed = listener as typeof feed
      return () => undefined
    },
  })
  const push = (...next: ReplayStatus[]) => {
    list = next
    feed({ replays: next })
  }
  return { replays, command, push, state: () => replays.store.getState() }
}
const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

describe('Replays', () => {
  it('shows a plan once it is made, and how it was made', async () => {
    const plan = { operations: [] }
    const { replays, push, state } = setUp({ 'replay.plan': () => ({ replay: 'r1', plan }) })
    push(status('r1'))
    await replays.plan({ capture: 'c1', calls: [3], instead: 'r0' })
    expect(state()).toMatchObject({ current: 'r1', planning: false })
    expect(state().plans.get('r1')).toBe(plan)
    expect(state().requests.get('r1')).toEqual({ capture: 'c1', calls: [3] })
  })

  it('keeps what is looked at in a report until the replay is forgotten', () => {
    const { replays, push, state } = setUp()
    push(status('r1'), status('r2'))
    replays.look('r1', { group: 2 })
    replays.look('r1', { open: 7 })
    expect(state().views.get('r1')).toEqual({ outcome: 'all', group: 2, open: 7 })
    replays.show(null)
    expect(state().views.has('r1')).toBe(true)
    push(status('r2'))
    expect(state().views.has('r1')).toBe(false)
  })

  it('reads the report of the one that is shown once it is done', async () => {
    let report: object | null = null
    const { replays, push, state, command } = setUp({ 'replay.show': () => ({ plan: {}, report }) })
    push(status('r1', 'running'), status('r2', 'done'))
    replays.show('r1')
    await settle()
    command.mockClear()
    report = { groups: [] }
    push(status('r1', 'done'), status('r2', 'done'))
    await settle()
    expect(state().reports.get('r1')).toBe(report)
    expect(command.mock.calls).toEqual([['replay.show', { replay: 'r1' }]])
  })

  it('forgets what is gone', async () => {
    const { replays, push, state } = setUp({ 'replay.show': () => ({ plan: {}, report: null }) })
    push(status('r1'))
    replays.show('r1')
    await settle()
    push()
    expect(state()).toMatchObject({ current: null })
    push(status('r2'))
    expect(state().plans.size).toBe(0)
  })

  it('says why a plan could not be made', async () => {
    const error = { code: 'failed', message: 'the capture is not open', hint: 'open it' } as const
    const { replays, state } = setUp({
      'replay.plan': () => {
        throw new CommandFailure(error)
      },
    })
    await replays.plan({})
    expect(state()).toMatchObject({ error, planning: false, current: null })
  })
})

describe('words of differences', () => {
  it('name the part of the answer, and shorten long values', () => {
    expect(placeWords('/result/content/0/text')).toBe('/content/0/text')
    expect(placeWords('/result')).toBe('the whole result')
    expect(placeWords('/outcome')).toBe('outcome')
    expect(placeWords('/frames/2')).toBe('frame /2')
    expect(placeWords('/error/code')).toBe('error /code')
    expect(valueText(undefined)).toBe('absent')
    expect(valueText(null)).toBe('null')
    expect(valueText('x'.repeat(1_000)).length).toBe(401)
  })
})
