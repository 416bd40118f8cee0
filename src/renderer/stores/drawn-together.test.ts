import { describe, expect, it } from 'vitest'
import { drawnTogether } from './drawn-together'

function setUp() {
  const frames: (() => void)[] = []
  const timers: { task: () => void; delayMs: number }[] = []
  const together = drawnTogether(
    (task) => frames.push(task),
    (task, delayMs) => timers.push({ task, delayMs }),
  )
  /** Lets `timers` of a delay up to this one run out. */
  const pass = (ms: number): void => {
    for (const { task } of timers.splice(0).filter(({ delayMs }) => delayMs <= ms)) task()
  }
  return { together, frames, pass }
}

describe('drawnTogether', () => {
  it('runs what came meanwhile in one go, in order, at a frame of the screen', () => {
    const { together, frames, pass } = setUp()
    const done: string[] = []
    together(() => done.push('a'))
    together(() => done.push('b'))
    pass(50)
    expect(done).toEqual([])
    expect(frames).toHaveLength(1)
    frames[0]?.()
    expect(done).toEqual(['a', 'b'])
  })

  it('runs what comes after at the frame after that, and with nothing before it at once', () => {
    const { together, frames, pass } = setUp()
    const done: string[] = []
    together(() => done.push('row'), 'after')
    together(() => done.push('frame'))
    pass(50)
    frames.shift()?.()
    expect(done).toEqual(['frame'])
    pass(0)
    frames.shift()?.()
    expect(done).toEqual(['frame', 'row'])
    together(() => done.push('tick'), 'after')
    pass(50)
    frames.shift()?.()
    expect(done).toEqual(['frame', 'row', 'tick'])
    expect(frames).toEqual([])
  })

  it('begins anew with what a task asks for', () => {
    const { together, frames, pass } = setUp()
    const done: string[] = []
    together(() => {
      done.push('a')
      together(() => done.push('b'))
    })
    pass(50)
    frames.shift()?.()
    expect(done).toEqual(['a'])
    pass(50)
    frames.shift()?.()
    expect(done).toEqual(['a', 'b'])
  })

  it('goes on where no frame is drawn, and runs nothing twice', () => {
    const { together, frames, pass } = setUp()
    const done: string[] = []
    together(() => done.push('a'))
    pass(100)
    expect(done).toEqual(['a'])
    together(() => done.push('b'))
    frames[0]?.()
    expect(done).toEqual(['a'])
  })
})
