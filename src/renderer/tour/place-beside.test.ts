import { describe, expect, it } from 'vitest'
import { placeBeside, type Box } from './place-beside'

const window = { width: 1000, height: 700 }
const card = { width: 300, height: 160 }
const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, width, height })

describe('placeBeside', () => {
  it.each<[string, Box, { left: number; top: number }]>([
    ['beside the rail', box(0, 300, 180, 27), { left: 190, top: 300 }],
    ['beside it, and not below the window', box(0, 660, 180, 27), { left: 190, top: 532 }],
    ['below what is in the bar at the top', box(90, 8, 240, 29), { left: 90, top: 47 }],
    ['below what fills the width', box(200, 8, 700, 29), { left: 200, top: 47 }],
    ['above what fills the lower half', box(200, 350, 800, 350), { left: 200, top: 180 }],
    ['before what is at the right edge', box(600, 60, 400, 640), { left: 290, top: 60 }],
    ['within what fills the window', box(0, 0, 1000, 700), { left: 690, top: 530 }],
  ])('%s', (_what, at, place) => {
    expect(placeBeside(at, card, window)).toEqual(place)
  })

  it('never leaves a window that is smaller than the card', () => {
    expect(placeBeside(box(0, 0, 200, 100), card, { width: 200, height: 100 })).toEqual({ left: 8, top: 8 })
  })
})
