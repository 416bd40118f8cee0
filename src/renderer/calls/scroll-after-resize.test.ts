import { describe, expect, it } from 'vitest'
import { scrollAfterResize, type ResizedTable } from './scroll-after-resize'

/** 40 rows of 28 pixels, of which the last 20 were in sight and 10 are now. */
const LAST: ResizedTable = { scrollTop: 560, before: 560, now: 280, row: null, opened: false, newest: 840 }
const rowAt = (index: number) => ({ begin: index * 28, end: (index + 1) * 28 })

describe('scrollAfterResize', () => {
  it.each<[string, Partial<ResizedTable>, number]>([
    ['the newest is followed where nobody reads a row', {}, 840],
    ['nothing moves where the newest is not followed', { newest: null }, 560],
    ['a row that was opened in the upper part stays where it is', { row: rowAt(22), opened: true }, 560],
    ['also the uppermost', { row: rowAt(20), opened: true }, 560],
    ['also the last that has room', { row: rowAt(29), opened: true }, 560],
    ['also where the newest could be in sight with it', { row: rowAt(25), opened: true, newest: 600 }, 560],
    [
      'one that would be covered goes on with the newest where both are in sight',
      { row: rowAt(31), opened: true },
      840,
    ],
    [
      'one that would be covered stays in sight where the newest is not',
      { row: rowAt(31), opened: true, newest: 900 },
      616,
    ],
    ['a row that is being read and the newest stay in sight', { row: rowAt(35) }, 840],
    ['a row that is being read stays in sight before the newest does', { row: rowAt(22) }, 560],
    ['a row that is being read stays in sight where nothing is followed', { row: rowAt(35), newest: null }, 728],
    ['a row above what was in sight is not looked for', { row: rowAt(19), opened: true }, 840],
    ['a row below what was in sight is not looked for', { row: rowAt(40), opened: true, newest: null }, 560],
    ['a row keeps the head of its group above it', { row: { begin: 20 * 28, end: 22 * 28 }, newest: null }, 560],
    ['a table that gets higher goes on with the newest', { row: rowAt(22), before: 280, now: 560, newest: 560 }, 560],
    ['a table without room shows the beginning of the row', { row: rowAt(22), now: 0, newest: null }, 616],
    [
      'the newest first: a row that was opened stays while the top is followed',
      { scrollTop: 0, newest: 0, row: rowAt(3), opened: true },
      0,
    ],
    [
      'the newest first: a row that would be covered comes into sight',
      { scrollTop: 0, newest: 0, row: rowAt(15), opened: true },
      168,
    ],
  ])('%s', (_, changes, scrollTop) => {
    expect(scrollAfterResize({ ...LAST, ...changes })).toBe(scrollTop)
  })
})
