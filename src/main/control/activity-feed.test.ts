import { expect, it } from 'vitest'
import type { BackendActivity, Feeds } from '../../shared/api/contract'
import { ActivityFeed, MAX_WAITING } from './activity-feed'

const line = (seq: number): BackendActivity => ({ seq, at: seq, kind: 'stderr', text: `line ${seq}` })

it('gathers the lines of each backend until the desk takes them', () => {
  let scheduled = 0
  const feed = new ActivityFeed(() => scheduled++)
  expect(feed.due).toBe(false)
  feed.add('a', line(1))
  feed.add('b', line(2))
  feed.add('a', line(3))
  expect([feed.due, scheduled]).toEqual([true, 3])
  const pushed: Feeds['activity'][] = []
  feed.flush((value) => pushed.push(value))
  expect(pushed).toEqual([
    { backend: 'a', lines: [line(1), line(3)], skipped: 0 },
    { backend: 'b', lines: [line(2)], skipped: 0 },
  ])
  expect(feed.due).toBe(false)
})

it('keeps the newest for a desk that is slow, and counts the rest', () => {
  const feed = new ActivityFeed(() => undefined)
  const flood = 5 * MAX_WAITING + 7
  for (let seq = 1; seq <= flood; seq++) feed.add('a', line(seq))
  const pushed: Feeds['activity'][] = []
  feed.flush((value) => pushed.push(value))
  expect(pushed[0]?.lines).toHaveLength(MAX_WAITING)
  expect(pushed[0]?.lines.at(-1)?.seq).toBe(flood)
  expect(pushed[0]?.skipped).toBe(flood - MAX_WAITING)
})
