import { describe, expect, it } from 'vitest'
import { nextOf, rowIndexOf, stepTo } from './step'

const byNumber = 'end'
const newestFirst = 'top'
const byDuration = null

describe('stepTo', () => {
  it('walks through pinned calls and rows as one list, and stops at its ends', () => {
    const walk = (step: 'next' | 'previous', selected: number) => stepTo(step, selected, [1, 2, 5], [3, 4], byNumber)
    expect([3, 4, 1, 2, 5].map((call) => walk('next', call))).toEqual([4, 1, 2, 5, 5])
    expect([3, 4, 1, 2, 5].map((call) => walk('previous', call))).toEqual([3, 3, 4, 1, 2])
  })
  it('begins at the newest when nothing is selected, or what is selected is not shown', () => {
    expect(stepTo('next', null, [1, 2, 5], [], byNumber)).toBe(5)
    expect(stepTo('previous', 4, [1, 2, 5], [], byNumber)).toBe(5)
    expect(stepTo('next', null, [5, 2, 1], [3], newestFirst)).toBe(5)
  })
  it('jumps to both ends, and nowhere in an empty table', () => {
    expect(stepTo('first', null, [1, 2], [], byNumber)).toBe(1)
    expect(stepTo('last', 1, [1, 2], [], byNumber)).toBe(2)
    expect(stepTo('last', 1, [], [], byNumber)).toBeUndefined()
  })
})

describe('rowIndexOf', () => {
  it('finds calls in every order', () => {
    expect(rowIndexOf([1, 3, 9], 3, byNumber)).toBe(1)
    expect(rowIndexOf([9, 3, 1], 1, newestFirst)).toBe(2)
    expect(rowIndexOf([3, 9, 1], 9, byDuration)).toBe(1)
    expect(rowIndexOf([1, 3, 9], 4, byNumber)).toBe(-1)
  })
})

describe('nextOf', () => {
  const even = (row: number) => row % 2 === 0
  it('finds the next in either direction, around the ends', () => {
    const rows = [1, 2, 3, 4, 5]
    expect(nextOf(rows, null, 1, even)).toBe(2)
    expect(nextOf(rows, null, -1, even)).toBe(4)
    expect(nextOf(rows, 2, 1, even)).toBe(4)
    expect(nextOf(rows, 4, 1, even)).toBe(2)
    expect(nextOf(rows, 2, -1, even)).toBe(4)
    expect(nextOf(rows, 1, -1, even)).toBe(4)
  })
  it('comes back to where it began, and finds nothing where nothing is', () => {
    expect(nextOf([1, 2, 3], 2, 1, even)).toBe(2)
    expect(nextOf([1, 3], 1, 1, even)).toBeUndefined()
    expect(nextOf([], null, -1, even)).toBeUndefined()
  })
})
