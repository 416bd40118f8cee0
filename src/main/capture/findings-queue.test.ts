import { describe, expect, it } from 'vitest'
import { plainCall } from '../../../test/capture/call-script'
import { FindingsQueue } from './findings-queue'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A queue of calls that are no longer in memory, each of which is read in a turn of its own. */
function queueOf(calls: number): { queue: FindingsQueue; counted: number[]; weather: { calm: boolean } } {
  const counted: number[] = []
  const weather = { calm: true }
  const queue = new FindingsQueue({
    inMemory: () => undefined,
    read: async () => {
      await turn()
      return plainCall()
    },
    calm: () => weather.calm,
    onFindings: (call) => counted.push(call),
    onFault: (error) => expect.unreachable(String(error)),
  })
  for (let call = 1; call <= calls; call++) queue.ended(call)
  return { queue, counted, weather }
}

describe('calls that are no longer in memory', () => {
  it('are left where they are when calls come again, and taken up when it is calm', async () => {
    const { queue, counted, weather } = queueOf(3)
    queue.work(1_000)
    weather.calm = false
    for (let turns = 0; turns < 10; turns++) await turn()
    expect(counted).toEqual([1])
    queue.work(1_000)
    for (let turns = 0; turns < 10; turns++) await turn()
    expect(counted).toEqual([1])
    expect(queue.waiting).toBe(2)
    weather.calm = true
    queue.work(1_000)
    for (let turns = 0; turns < 10; turns++) await turn()
    expect(counted).toEqual([1, 2, 3])
  })

  it('are all counted for who waits for it, calm or not', async () => {
    const { queue, counted, weather } = queueOf(3)
    weather.calm = false
    await queue.idle()
    expect(counted).toEqual([1, 2, 3])
  })
})

describe('calls that wait', () => {
  it('are bounded in number, also those that are to be read, and the newest are looked at', async () => {
    const { queue, counted, weather } = queueOf(0)
    weather.calm = false
    const many = 300_000
    for (let call = 1; call <= many; call++) {
      queue.ended(call)
      if (call === many / 2) queue.work(Infinity)
    }
    queue.work(Infinity)
    expect(queue.waiting).toBeLessThanOrEqual(100_000)
    await turn()
    weather.calm = true
    queue.work(Infinity)
    for (let turns = 0; turns < 3; turns++) await turn()
    expect(counted[0]).toBeGreaterThan(many - 100_000)
  })

  it('are not looked at any more once they are forgotten', async () => {
    const { queue, counted } = queueOf(3)
    queue.work(Infinity)
    queue.ended(4)
    queue.forget()
    await queue.idle()
    expect(queue.waiting).toBe(0)
    // It was being read.
    expect(counted).toEqual([1])
  })

  it('are looked at though something unexpected is in one of them', async () => {
    const counted: number[] = []
    const faults: unknown[] = []
    const broken = new Error('unexpected')
    const queue = new FindingsQueue({
      inMemory: (call) => {
        if (call === 2) throw broken
        return plainCall()
      },
      read: () => Promise.resolve([]),
      calm: () => true,
      onFindings: (call) => counted.push(call),
      onFault: (error) => faults.push(error),
    })
    for (let call = 1; call <= 3; call++) queue.ended(call)
    await queue.idle()
    expect(counted).toEqual([1, 3])
    expect(faults).toEqual([broken])
  })
})
