import { describe, expect, it } from 'vitest'
import { SortedValues } from './sorted-values'

describe('SortedValues', () => {
  it('knows the median while values come and go, equal ones counted each', () => {
    const values = new SortedValues()
    expect(values.median).toBeNull()
    for (const value of [7, 1, 5, 5, 9]) values.add(value)
    expect(values.median).toBe(5)
    values.remove(5)
    expect(values.median).toBe(5)
    values.remove(5)
    expect(values.median).toBe(7)
    values.remove(8)
    expect(values.size).toBe(3)
  })

  it('is the nearest rank below, as in the statistics', () => {
    const values = new SortedValues()
    values.fill([40, 10, 30, 20])
    expect(values.median).toBe(20)
  })
})
