import type { UpstreamPart } from './backend'
import { endedParts } from './part-queue'
import type { CancelSignal } from './cancel-signal'

type Parts = AsyncIterableIterator<UpstreamPart>

/** The parts of an exchange that begins when its backend is ready, or never, should `signal` be aborted before. */
export function deferredParts(ready: Promise<void>, begin: () => Parts, signal: CancelSignal): Parts {
  let wanted = true
  let abort: () => void = () => undefined
  const aborted = new Promise<'aborted'>((resolve) => (abort = () => resolve('aborted')))
  signal.addEventListener('abort', abort, { once: true })
  const inner = Promise.race([ready, aborted]).then((first) => {
    signal.removeEventListener('abort', abort)
    if (first === 'aborted' || !wanted || signal.aborted) return endedParts('cancelled', 'cancelled before it was sent')
    return begin()
  })
  return {
    next: async () => (await inner).next(),
    return: async () => {
      wanted = false
      abort()
      return (await inner).return?.() ?? { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
