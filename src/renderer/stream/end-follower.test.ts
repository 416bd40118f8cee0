import { expect, it } from 'vitest'
import { EndFollower } from './end-follower'

/** A list of 1000 pixels in a window of 200. */
const list = (scrollTop: number, clientHeight = 200) => ({ scrollTop, clientHeight, scrollHeight: 1_000 })

function begun(): EndFollower {
  const follower = new EndFollower(true)
  follower.resized(list(0))
  return follower
}

it('follows from the beginning, until the reader leaves the end, and again when back', () => {
  const follower = begun()
  expect(follower.following).toBe(true)
  follower.scrolled(list(400))
  expect(follower.following).toBe(false)
  follower.scrolled(list(797))
  expect(follower.following).toBe(true)
})

it('is not put off by what the browser scrolls when the list gets another height', () => {
  const follower = begun()
  // As high as its content for a moment, which leaves nothing to scroll; told when it is low again.
  follower.resized(list(0, 1_000))
  follower.scrolled(list(0))
  expect(follower.following).toBe(true)
})

it('goes to the end when the list gets lower, but not from where the reader is', () => {
  const follower = begun()
  const low = list(800, 100)
  follower.resized(low)
  expect(low.scrollTop).toBe(1_000)
  const selected = list(300, 150)
  follower.resized(selected, true)
  expect(selected.scrollTop).toBe(300)
  follower.resized(list(300, 100), true)
  follower.scrolled(list(400, 100))
  const lower = list(400, 50)
  follower.resized(lower)
  expect(lower.scrollTop).toBe(400)
})

it('leaves a list that grows no more at its beginning, until the reader goes to the end', () => {
  const follower = new EndFollower(false)
  const shown = list(0)
  follower.resized(shown)
  expect(shown.scrollTop).toBe(0)
  expect(follower.following).toBe(false)
  follower.scrolled(list(800))
  expect(follower.following).toBe(true)
})
