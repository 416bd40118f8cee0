import { describe, expect, it } from 'vitest'
import type { ReplayStatus } from '../../shared/api/replay'
import { emptySummary } from '../../shared/capture/summarise'
import { Attention } from './attention'

const call = (number: number, findings: number) => ({ ...emptySummary(number, 0), findings })
const replay = (id: string, state: ReplayStatus['state']): ReplayStatus => ({
  id,
  capture: null,
  name: 'friday',
  state,
  problem: null,
  stopped: false,
  done: 0,
  total: 0,
  counts: {} as ReplayStatus['counts'],
})

describe('findings', () => {
  it('count calls that have some, each once, since the user looked', () => {
    const attention = new Attention()
    attention.calls([call(1, 0), call(2, 1), call(3, 4)])
    attention.calls([call(2, 2)])
    expect(attention.unseen).toBe(2)
    attention.looked()
    expect(attention.unseen).toBe(0)
    attention.calls([call(3, 5), call(4, 1)])
    expect(attention.unseen).toBe(1)
  })
})

describe('replays', () => {
  it('are told once, when they end', () => {
    const attention = new Attention()
    expect(attention.replays([replay('a', 'running'), replay('b', 'done')])).toEqual([])
    expect(attention.replays([replay('a', 'paused'), replay('b', 'done')])).toEqual([])
    expect(attention.replays([replay('a', 'failed'), replay('b', 'done')]).map(({ id }) => id)).toEqual(['a'])
    expect(attention.replays([replay('a', 'failed'), replay('b', 'done')])).toEqual([])
  })
})
