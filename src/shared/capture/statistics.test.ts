import { describe, expect, it } from 'vitest'
import { Statistics, type Grouping } from './statistics'
import { emptySummary } from './summarise'
import type { CallSummary } from './summary'

const statisticsOf = (calls: readonly CallSummary[], by: Grouping) => {
  const statistics = new Statistics(by)
  for (const each of calls) statistics.add(each)
  return statistics.groups()
}

let number = 0
const call = (more: Partial<CallSummary> & { took?: number }): CallSummary => {
  const { took = 1_000, ...fields } = more
  const receivedAt = ++number * 10_000
  return {
    ...emptySummary(number, receivedAt),
    method: 'tools/call',
    target: 'weather__forecast',
    upstreamTarget: 'forecast',
    backend: 'weather',
    backends: ['weather'],
    outcome: 'result',
    endedAt: receivedAt + took,
    frames: 1,
    ...fields,
  }
}

describe('groups', () => {
  it.each([
    ['tool', ['forecast', null]],
    ['backend', ['weather', 'weather, booking']],
    ['client', ['editor', null]],
    ['method', ['tools/call', 'tools/list']],
    ['endpoint', ['/mcp', '/mcp/weather']],
  ] as const)('by %s', (by, names) => {
    const calls = [
      call({ client: 'editor', endpoint: '/mcp' }),
      call({ client: 'editor', endpoint: '/mcp' }),
      call({
        method: 'tools/list',
        target: null,
        upstreamTarget: null,
        backend: null,
        backends: ['weather', 'booking'],
        endpoint: '/mcp/weather',
      }),
    ]
    const groups = statisticsOf(calls, by)
    expect(groups.map(({ name }) => name)).toEqual(names)
    expect(groups.map(({ calls }) => calls)).toEqual([2, 1])
  })

  it('tell tools of the same name at two backends apart', () => {
    const groups = statisticsOf([call({}), call({ backend: 'other' })], 'tool')
    expect(groups.map(({ name, backend }) => [name, backend])).toEqual([
      ['forecast', 'other'],
      ['forecast', 'weather'],
    ])
  })

  it('a name that is empty is not the same as none', () => {
    expect(statisticsOf([call({ client: '' }), call({ client: null })], 'client')).toHaveLength(2)
  })
})

describe('numbers of a group', () => {
  const one = (calls: CallSummary[]) => statisticsOf(calls, 'backend')[0]

  it('are null where there is nothing to measure', () => {
    const open = one([call({ outcome: null, endedAt: null, frames: 0 })])
    expect(open).toMatchObject({ calls: 1, open: 1, p50: null, p95: null, p99: null, firstFrame: null })
  })

  it('are quantiles by nearest rank', () => {
    const calls = Array.from({ length: 100 }, (_, index) => call({ took: (index + 1) * 1_000 }))
    expect(one(calls)).toMatchObject({ p50: 50_000, p95: 95_000, p99: 99_000 })
    expect(one([call({ took: 7 })])).toMatchObject({ p50: 7, p95: 7, p99: 7 })
  })

  it('count errors of both kinds, and leave the times of what was cancelled out', () => {
    const calls = [
      call({ took: 10 }),
      call({ outcome: 'error', took: 20 }),
      call({ outcome: 'tool-error', took: 30 }),
      call({ outcome: 'cancelled', took: 9_999 }),
    ]
    expect(one(calls)).toMatchObject({ errors: 2, cancelled: 1, p99: 30 })
  })

  it('sum what was sent', () => {
    const calls = [
      call({ frames: 3, bytesIn: 10, bytesOut: 100, findings: 1 }),
      call({ frames: 2, bytesIn: 5, bytesOut: 50, findings: 2 }),
    ]
    expect(one(calls)).toMatchObject({ frames: 5, bytesIn: 15, bytesOut: 150, findings: 3 })
  })

  it('time the first frame by the first notification, not by a ping or what was withheld', () => {
    const life: CallSummary['life'] = [
      { at: 5, mark: 'ping' },
      { at: 6, mark: 'withheld' },
      { at: 70, mark: 'progress' },
    ]
    expect(one([call({ life, took: 900 })])).toMatchObject({ firstFrame: 70 })
    expect(one([call({ took: 900 })])).toMatchObject({ firstFrame: 900 })
  })

  it('leave the times of subscription streams out', () => {
    const stream: CallSummary['stream'] = {
      kind: 'listen',
      asked: [],
      honoured: [],
      uris: [],
      uriCount: 0,
      flowed: {},
      lastAt: null,
      resumed: false,
    }
    expect(one([call({ stream, took: 60_000_000 }), call({ took: 10 })])).toMatchObject({ calls: 2, p99: 10 })
  })
})
