import { expect, it } from 'vitest'
import { nearestPlace } from './first-problem'

it.each([
  ['/stops/1/city', '/stops/1/city'],
  ['/stops/1/city/0', '/stops/1/city'],
  ['/stops/2/city', '/stops'],
  ['/other', null],
  ['', null],
])('%j is told of at %j', (pointer, place) => {
  expect(nearestPlace(pointer, new Set(['/stops', '/stops/1', '/stops/1/city']))).toBe(place)
})
