/**
 * What an exchange needs of the signal that cancels it. An `AbortSignal` is one; the relay's own is cheaper to make, since
 * hardly any call is cancelled.
 */
export interface CancelSignal {
  readonly aborted: boolean
  readonly reason?: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The same as an `AbortSignal`, for what takes nothing else. */
export function abortSignalOf(cancel: CancelSignal): AbortSignal {
  if (cancel instanceof AbortSignal) return cancel
  if (cancel.aborted) return AbortSignal.abort(cancel.reason)
  const controller = new AbortController()
  cancel.addEventListener('abort', () => controller.abort(cancel.reason), { once: true })
  return controller.signal
}
