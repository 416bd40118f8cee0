import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallScript, progress, result } from '../../../../test/capture/call-script'
import { foldCall } from '../../../shared/capture/fold'
import { recordedExchanges, type RecordedExchange } from '../../../shared/replay/recorded-exchange'
import type { UpstreamPart } from '../backend'
import { play } from './playback'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function exchangeOf(script: CallScript): RecordedExchange {
  const [first] = recordedExchanges(foldCall(script.events))
  if (first === undefined) throw new Error('no exchange')
  return first
}

/** Ping after 2 s, progress after 5 s, the answer after 60 s. */
const slow = (): RecordedExchange =>
  exchangeOf(
    new CallScript({ meta: { progressToken: 'p' } })
      .received()
      .routed()
      .sent()
      .wait(999_000)
      .head()
      .wait(999_000)
      .upstream(': ping', 'comment')
      .wait(2_999_000)
      .event(progress(1))
      .wait(54_999_000)
      .event(result())
      .upstreamEnded()
      .ended(),
  )

/** What came, with its time in milliseconds. */
function told(recorded: RecordedExchange, speed: number, signal = new AbortController().signal): [number, string][] {
  const came: [number, string][] = []
  const began = performance.now()
  const parts = play({
    request: { method: 'tools/call', id: 9, body: '{"jsonrpc":"2.0","id":9,"params":{}}', headers: [] },
    signal,
    speed,
    tell: () => Promise.resolve({ kind: 'recorded', recorded, requestState: 's' }),
    url: () => 'file',
    check: () => undefined,
    refusal: () => undefined,
    done: () => undefined,
  })
  void (async () => {
    for await (const part of parts) came.push([Math.round(performance.now() - began), nameOf(part)])
  })()
  return came
}

function nameOf(part: UpstreamPart): string {
  if (part.kind === 'frame') return part.form
  return part.kind === 'ended' ? part.reason : part.kind
}

describe('the pace of a replay', () => {
  it('is the recorded one: silence, pings, frames', async () => {
    const came = told(slow(), 1)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(came).toEqual([
      [0, 'sent'],
      [1_000, 'head'],
      [2_000, 'comment'],
      [5_000, 'event'],
    ])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(came.slice(4)).toEqual([
      [60_000, 'event'],
      [60_001, 'complete'],
    ])
  })

  it('is N times faster', async () => {
    const came = told(slow(), 10)
    await vi.advanceTimersByTimeAsync(6_100)
    expect(came.map(([at]) => at)).toEqual([0, 100, 200, 500, 6_000, 6_001])
  })

  it('is at once', async () => {
    const came = told(slow(), Infinity)
    await vi.advanceTimersByTimeAsync(0)
    expect(came.map(([at]) => at)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('keeps silent where the recorded server did until its client left', async () => {
    const silent = new CallScript().received().routed().sent()
    silent.push({ kind: 'upstream.ended', exchange: 1, reason: 'cancelled' })
    const abort = new AbortController()
    const came = told(exchangeOf(silent), Infinity, abort.signal)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(came.map(([, name]) => name)).toEqual(['sent'])
    abort.abort('enough')
    await vi.advanceTimersByTimeAsync(0)
    expect(came.map(([, name]) => name)).toEqual(['sent', 'cancelled'])
  })

  it('ends at once when the caller leaves in the middle', async () => {
    const abort = new AbortController()
    const came = told(slow(), 1, abort.signal)
    await vi.advanceTimersByTimeAsync(3_000)
    abort.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect(came.at(-1)?.[1]).toBe('cancelled')
    expect(vi.getTimerCount()).toBe(0)
  })
})
