import { describe, expect, it, vi } from 'vitest'
import { Departure } from './departure'

describe('Departure', () => {
  it('tells each listener once, in the order in which they came', () => {
    const departure = new Departure()
    const told: string[] = []
    departure.addEventListener('abort', () => told.push('first'))
    departure.addEventListener('abort', () => told.push('second'))
    departure.abort()
    departure.abort()
    expect(told).toEqual(['first', 'second'])
    expect(departure.aborted).toBe(true)
  })

  it('does not tell who no longer listens', () => {
    const departure = new Departure()
    const listener = vi.fn()
    departure.addEventListener('abort', listener)
    departure.removeEventListener('abort', listener)
    departure.abort()
    expect(listener).not.toHaveBeenCalled()
  })

  it('has a signal that follows it, whenever it is asked for', () => {
    const departure = new Departure()
    const { signal } = departure
    expect(signal.aborted).toBe(false)
    departure.abort()
    expect(signal.aborted).toBe(true)
    const late = new Departure()
    late.abort()
    expect(late.signal.aborted).toBe(true)
  })
})
