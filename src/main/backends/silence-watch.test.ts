import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SilenceWatch } from './silence-watch'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function watched() {
  const seen: unknown[] = []
  const watch = new SilenceWatch({
    quietMs: 10_000,
    answerMs: 5_000,
    ask: () => seen.push('asked'),
    onSilent: (silence) => seen.push(silence),
    onHeard: () => seen.push('heard'),
  })
  return { watch, seen }
}

it('a server that says nothing while calls wait is asked once, and then silent until it speaks', () => {
  const { watch, seen } = watched()
  watch.began()
  vi.advanceTimersByTime(9_999)
  expect(seen).toEqual([])
  watch.began()
  vi.advanceTimersByTime(1)
  expect(seen).toEqual(['asked'])
  vi.advanceTimersByTime(5_000)
  expect(seen).toEqual(['asked', { calls: 2, forMs: 15_000 }])
  vi.advanceTimersByTime(600_000)
  expect(seen).toHaveLength(2)
  watch.heard()
  expect(seen.at(-1)).toBe('heard')
  vi.advanceTimersByTime(15_000)
  expect(seen.slice(3)).toEqual(['asked', { calls: 2, forMs: 15_000 }])
})

it('one that works long and answers is left alone', () => {
  const { watch, seen } = watched()
  watch.began()
  for (let asked = 1; asked <= 3; asked++) {
    vi.advanceTimersByTime(10_000)
    expect(seen).toHaveLength(asked)
    watch.heard()
  }
  expect(seen).toEqual(['asked', 'asked', 'asked'])
})

it('silence without calls means nothing, and each call counts from its own beginning', () => {
  const { watch, seen } = watched()
  watch.began()
  vi.advanceTimersByTime(4_000)
  watch.ended()
  vi.advanceTimersByTime(60_000)
  watch.began()
  vi.advanceTimersByTime(9_000)
  watch.ended()
  watch.began()
  vi.advanceTimersByTime(9_000)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(seen).toEqual(['asked'])
})

it('calls that were given up do not make a silent server one that speaks', () => {
  const { watch, seen } = watched()
  watch.began()
  vi.advanceTimersByTime(15_000)
  watch.ended()
  watch.began()
  vi.advanceTimersByTime(60_000)
  expect(seen).toEqual(['asked', { calls: 1, forMs: 15_000 }])
})
