import { describe, expect, it } from 'vitest'
import { fitSpan, growingSpan, pan, place, ticks, zoom } from './time-scale'

describe('time scale', () => {
  it('places moments', () => {
    const span = { from: 1_000, to: 5_000 }
    expect(place(span, 400, 2_000)).toBe(100)
  })
  it('grows in steps and always has room for now', () => {
    const ends = new Set<number>()
    for (let now = 0; now < 20_000_000; now += 50_000) {
      const span = growingSpan(now)
      expect(span.to).toBeGreaterThanOrEqual(now * 1.04)
      ends.add(span.to)
    }
    expect(ends.size).toBeLessThan(16)
    expect(growingSpan(0).to).toBe(1_000_000)
  })
  it('zooms around a moment that stays where it is, and back to the whole', () => {
    const whole = fitSpan(10_000_000)
    const closer = zoom(whole, 0.5, 0.25, whole)
    expect(place(closer, 100, whole.to / 4)).toBeCloseTo(25)
    expect(zoom(closer, 4, 0.5, whole)).toEqual(whole)
    expect(zoom({ from: 0, to: 300 }, 0.001, 0, whole).to).toBe(200)
  })
  it('never leaves the call', () => {
    const whole = { from: 0, to: 1_000 }
    expect(pan({ from: 100, to: 500 }, -900, whole)).toEqual({ from: 0, to: 400 })
    expect(pan({ from: 100, to: 500 }, 900, whole)).toEqual({ from: 600, to: 1_000 })
  })
  it.each([
    [4_000_000, 400, ['0', '1 s', '2 s', '3 s', '4 s']],
    [2_000, 300, ['0', '1 ms', '2 ms']],
    [45_000, 300, ['0', '20 ms', '40 ms']],
    [1_500_000, 400, ['0', '500 ms', '1.0 s', '1.5 s']],
  ])('labels %d µs on %d px', (to, width, labels) => {
    expect(ticks({ from: 0, to }, width).map((tick) => tick.label)).toEqual(labels)
  })
})
