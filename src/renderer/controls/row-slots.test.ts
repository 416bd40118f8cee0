import { expect, it } from 'vitest'
import { RowSlots } from './row-slots'

it('keeps the element of a row that stays, and gives that of one that has left to one that comes', () => {
  const slots = new RowSlots()
  expect(slots.assign([10, 11, 12, 13])).toEqual([0, 1, 2, 3])
  expect(slots.assign([12, 13, 14, 15])).toEqual([2, 3, 1, 0])
  expect(slots.assign([13, 14])).toEqual([3, 1])
  expect(new Set(slots.assign([1, 13, -2, 14, 5]))).toEqual(new Set([0, 1, 2, 3, 4]))
  expect(slots.assign([1, 13, -2, 14, 5])).toEqual(slots.assign([1, 13, -2, 14, 5]))
})

it('leaves elements where they are in the document while the table is scrolled, and puts them in order after it', () => {
  const slots = new RowSlots()
  expect(slots.order(slots.assign([10, 11, 12]), true)).toEqual([0, 1, 2])
  // Row 9 takes the element of row 12, which stays the last one.
  expect(slots.order(slots.assign([9, 10, 11]), false)).toEqual([1, 2, 0])
  expect(slots.order(slots.assign([8, 9, 10, 11]), false)).toEqual([2, 3, 1, 0])
  expect(slots.order(slots.assign([8, 9]), false)).toEqual([1, 0])
  expect(slots.order(slots.assign([8, 9]), true)).toEqual([0, 1])
})
