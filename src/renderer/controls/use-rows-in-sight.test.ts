import { describe, expect, it } from 'vitest'
import { rowsInSight, scrollTopThen } from './use-rows-in-sight'

describe('rowsInSight', () => {
  it('is what is in sight and ten rows around it', () => {
    expect(rowsInSight(2_800, 280, 28, 1_000)).toEqual({ first: 90, end: 120 })
  })
  it('or fewer, in a table that is not being scrolled', () => {
    expect(rowsInSight(2_800, 280, 28, 1_000, 4)).toEqual({ first: 96, end: 114 })
  })
  it('counts rows that are in sight in part', () => {
    expect(rowsInSight(2_810, 280, 28, 1_000)).toEqual({ first: 90, end: 121 })
  })
  it('ends where the list does, and begins where it does', () => {
    expect(rowsInSight(0, 280, 28, 1_000)).toEqual({ first: 0, end: 20 })
    expect(rowsInSight(27_720, 280, 28, 1_000)).toEqual({ first: 980, end: 1_000 })
    expect(rowsInSight(0, 280, 28, 4)).toEqual({ first: 0, end: 4 })
  })
  it('is empty, and no negative number of rows, when the list got shorter than the place', () => {
    expect(rowsInSight(27_720, 280, 28, 5)).toEqual({ first: 5, end: 5 })
    expect(rowsInSight(0, 0, 28, 0)).toEqual({ first: 0, end: 0 })
  })
})

describe('scrollTopThen', () => {
  it('is the end or the top for a table that is kept there, however many rows it has now', () => {
    expect(scrollTopThen(500, 280, 28_000, 'end')).toBe(27_720)
    expect(scrollTopThen(27_720, 280, 560, 'end')).toBe(280)
    expect(scrollTopThen(500, 280, 28_000, 'top')).toBe(0)
  })
  it('stays where the reader is, as far as there are rows', () => {
    expect(scrollTopThen(500, 280, 28_000, null)).toBe(500)
    expect(scrollTopThen(27_720, 280, 560, null)).toBe(280)
    expect(scrollTopThen(27_720, 280, 140, null)).toBe(0)
  })
})
