import { expect, it } from 'vitest'
import { RowSlots } from './row-slots'

it('keeps the element of a row that stays, and gives that of one that has left to one that comes', () => {
  const slots = new RowSlots()
  expect(slots.assign([10, 11, 12, 13])).toEqual([0, 1, 2, 3])
  expect(slots.assign([12, 13, 14, 15])).toEqual([2, 3, 0, 1])
  expect(slots.assign([13, 14])).toEqual([3, 0])
  expect(new Set(slots.assign([1, 13, -2, 14, 5]))).toEqual(new Set([0, 1, 2, 3, 4]))
  expect(slots.assign([1, 13, -2, 14, 5])).toEqual(slots.assign([1, 13, -2, 14, 5]))
})

it('gives rows that all give way to others their elements in their order', () => {
  const slots = new RowSlots()
  slots.assign([10, 11, 12])
  expect(slots.assign([12, 13, 14])).toEqual([2, 0, 1])
  expect(slots.assign([1, 2, 3])).toEqual([2, 0, 1])
  expect(slots.assign([4])).toEqual([2])
  expect(slots.assign([4, 5, 6, 7])).toEqual([2, 0, 1, 3])
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
