import type { Initialized, LegacySession, Stray, UpstreamPart, UpstreamRequest } from '../backend'
import { endedParts } from '../part-queue'
import { abortSignalOf, type CancelSignal } from '../cancel-signal'

/** A session with a replayed legacy server. It holds nothing: every request is answered from the recording. */
export class ReplaySession implements LegacySession {
  readonly connection = Symbol('replay')
  readonly exclusive = false
  readonly #aborts = new Set<AbortController>()
  readonly #closedListeners = new Set<(reason: string) => void>()
  #open = true

  constructor(
    readonly initialized: Initialized,
    private readonly begin: (
      request: UpstreamRequest,
      signal: CancelSignal,
      done: () => void,
    ) => AsyncIterableIterator<UpstreamPart>,
    private readonly ended: (session: ReplaySession) => void,
  ) {}

  get open(): boolean {
    return this.#open
  }

  get inFlight(): number {
    return this.#aborts.size
  }

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    if (!this.#open) return endedParts('lost', 'the session is closed')
    const abort = new AbortController()
    this.#aborts.add(abort)
    return this.begin(request, AbortSignal.any([abortSignalOf(signal), abort.signal]), () => this.#aborts.delete(abort))
  }

  /** A recording has no messages of its own accord. */
  onStray(_listener: (stray: Stray) => void): () => void {
    return () => undefined
  }

  /** It is begun once: there is nothing that could be lost and begun anew. */
  onRenewed(_listener: () => void): () => void {
    return () => undefined
  }

  onClosed(listener: (reason: string) => void): () => void {
    this.#closedListeners.add(listener)
    return () => this.#closedListeners.delete(listener)
  }

  notify(_body: string): Promise<void> {
    return this.#open ? Promise.resolve() : Promise.reject(new Error('the session is closed'))
  }

  /** It holds no stream. */
  rest(): void {
    return
  }

  close(): Promise<void> {
    this.#end()
    return Promise.resolve()
  }

  /** The recording is no longer there. */
  lost(reason: string): void {
    if (!this.#end()) return
    for (const listener of this.#closedListeners) listener(reason)
  }

  #end(): boolean {
    if (!this.#open) return false
    this.#open = false
    for (const abort of this.#aborts) abort.abort('the session was closed')
    this.ended(this)
    return true
  }
}
