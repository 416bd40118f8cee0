import { describe, expect, it, vi } from 'vitest'
import { nextFrame } from './next-frame'

function setUp(): { run: (task: () => void) => void; frames: (() => void)[]; timers: [() => void, number][] } {
  const frames: (() => void)[] = []
  const timers: [() => void, number][] = []
  const run = nextFrame(
    (task) => frames.push(task),
    (task, delayMs) => timers.push([task, delayMs]),
  )
  return { run, frames, timers }
}

describe('nextFrame', () => {
  it('runs the task at the next frame, once', () => {
    const { run, frames, timers } = setUp()
    const task = vi.fn()
    run(task)
    expect(task).not.toHaveBeenCalled()
    frames[0]?.()
    timers[0]?.[0]()
    expect(task).toHaveBeenCalledTimes(1)
  })

  it('runs it after a tenth of a second where no frame is drawn', () => {
    const { run, timers } = setUp()
    const task = vi.fn()
    run(task)
    expect(timers[0]?.[1]).toBe(100)
    timers[0]?.[0]()
    expect(task).toHaveBeenCalledTimes(1)
  })
})
