import { describe, expect, it, vi } from 'vitest'
import type { UpstreamPart } from './backend'
import { eachPart, PartQueue } from './part-queue'

function frame(raw: string): UpstreamPart {
  return { kind: 'frame', form: 'event', raw, data: raw }
}

function source(): { pause: () => void; resume: () => void; abandon: () => void } {
  return { pause: vi.fn(), resume: vi.fn(), abandon: vi.fn() }
}

function textOf(part: UpstreamPart): string {
  return part.kind === 'frame' ? part.raw : part.kind
}

describe('eachPart', () => {
  it('hands a part on within the push that brings it', () => {
    const queue = new PartQueue(source())
    const seen: string[] = []
    void eachPart(queue, (part) => seen.push(textOf(part)) < 0)
    queue.push(frame('a'))
    expect(seen).toEqual(['a'])
  })

  it('hands on what came before it was asked for, in order, and resolves after the end', async () => {
    const queue = new PartQueue(source())
    const seen: string[] = []
    queue.push(frame('a'))
    queue.push(frame('b'))
    queue.end('complete')
    await eachPart(queue, (part) => seen.push(textOf(part)) < 0)
    expect(seen).toEqual(['a', 'b', 'ended'])
  })

  it('lets parts wait while the one before is in hand, pauses a source that goes on, and resumes it', async () => {
    const from = source()
    const queue = new PartQueue(from)
    const seen: string[] = []
    let release = (): void => undefined
    const over = eachPart(queue, async (part) => {
      seen.push(textOf(part).slice(0, 1))
      if (seen.length === 1) await new Promise<void>((resolve) => (release = resolve))
      return false
    })
    queue.push(frame('a'))
    queue.push(frame('b'.repeat(300_000)))
    expect(seen).toEqual(['a'])
    expect(from.pause).toHaveBeenCalledTimes(1)
    release()
    await vi.waitFor(() => expect(seen).toEqual(['a', 'b']))
    expect(from.resume).toHaveBeenCalledTimes(1)
    queue.end('complete')
    await over
    expect(seen).toEqual(['a', 'b', 'e'])
  })

  it('does not hand on a part from within the handling of another', () => {
    const queue = new PartQueue(source())
    const seen: string[] = []
    void eachPart(queue, (part) => {
      seen.push(`begin ${textOf(part)}`)
      if (textOf(part) === 'a') queue.push(frame('b'))
      seen.push(`end ${textOf(part)}`)
      return false
    })
    queue.push(frame('a'))
    expect(seen).toEqual(['begin a', 'end a', 'begin b', 'end b'])
  })

  it('gives the exchange up when enough was taken, and what follows is not handed on', async () => {
    const from = source()
    const queue = new PartQueue(from)
    const seen: string[] = []
    const over = eachPart(queue, (part) => {
      seen.push(textOf(part))
      return true
    })
    queue.push(frame('a'))
    queue.push(frame('b'))
    await over
    expect(seen).toEqual(['a'])
    expect(from.abandon).toHaveBeenCalledTimes(1)
  })

  it('rejects with what the taker throws, at once or later, and gives the exchange up', async () => {
    for (const fail of [
      (): boolean => {
        throw new Error('no')
      },
      (): Promise<boolean> => Promise.reject(new Error('no')),
    ]) {
      const from = source()
      const queue = new PartQueue(from)
      const over = eachPart(queue, fail)
      queue.push(frame('a'))
      await expect(over).rejects.toThrow('no')
      expect(from.abandon).toHaveBeenCalledTimes(1)
    }
  })

  it('resolves when the exchange is given up from elsewhere while a part is in hand', async () => {
    const queue = new PartQueue(source())
    let release = (): void => undefined
    const over = eachPart(queue, () => new Promise<boolean>((resolve) => (release = () => resolve(false))))
    queue.push(frame('a'))
    queue.push(frame('b'))
    await queue.return()
    release()
    await over
  })

  it('takes the parts of any iteration', async () => {
    const seen: string[] = []
    async function* parts(): AsyncGenerator<UpstreamPart> {
      yield await Promise.resolve(frame('a'))
      yield frame('b')
    }
    await eachPart(parts(), (part) => seen.push(textOf(part)) === 1)
    expect(seen).toEqual(['a'])
  })
})
