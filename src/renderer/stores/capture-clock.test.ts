import { describe, expect, it } from 'vitest'
import { CaptureClock } from './capture-clock'

describe('CaptureClock', () => {
  it('counts from the declared beginning until an event arrived', () => {
    let wall = 10_500
    const clock = new CaptureClock(() => wall)
    clock.begin(10_000)
    expect(clock.now()).toBe(500_000)
    wall = 11_000
    expect(clock.now()).toBe(1_000_000)
  })
  it('trusts the events that arrived with the least delay', () => {
    let wall = 0
    const clock = new CaptureClock(() => wall)
    clock.begin(1_000)
    wall = 5_000
    clock.observe(3_500_000) // 1 500 ms: late, or the clocks differ
    expect(clock.now()).toBe(3_500_000)
    wall = 6_000
    clock.observe(4_980_000) // 1 020 ms
    wall = 7_000
    clock.observe(5_700_000) // late again
    expect(clock.now()).toBe(5_980_000)
  })
  it('forgets what it saw when another capture begins', () => {
    const clock = new CaptureClock(() => 20_000)
    clock.begin(1_000)
    clock.observe(1)
    clock.begin(19_000)
    expect(clock.now()).toBe(1_000_000)
  })
})
