import { describe, expect, it } from 'vitest'
import type { ReplayStatus } from '../../shared/api/replay'
import { emptySummary } from '../../shared/capture/summarise'
import { Attention, replayNotice } from './attention'

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

describe('what a notification says', () => {
  const counts = { same: 9, different: 0, failed: 0, 'not-sent': 2 }
  const notice = (change: Partial<ReplayStatus>) => replayNotice({ ...replay('a', 'done'), counts, ...change })

  it.each<[Partial<ReplayStatus>, string, string]>([
    [{}, 'Replay finished', '“friday”: no differences in 9'],
    [
      { counts: { ...counts, different: 2, failed: 1 } },
      'Replay finished',
      '“friday”: 2 of 12 operations differ, 1 of 12 failed',
    ],
    [{ counts: { ...counts, failed: 1 } }, 'Replay finished', '“friday”: 1 of 10 failed'],
    [{ counts: { ...counts, same: 0 } }, 'Replay finished', '“friday”: nothing was compared'],
    [{ stopped: true }, 'Replay stopped', '“friday”: no differences in 9'],
    [{ state: 'failed', problem: 'its file is gone' }, 'Replay failed', '“friday”: its file is gone'],
  ])('%j', (change, title, body) => {
    expect(notice(change)).toEqual({ title, body })
  })
})
