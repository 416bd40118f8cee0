import { CaptureIndex } from '../../src/main/capture/capture-index'
import type { CaptureSource } from '../../src/main/backends/replay/capture-source'
import type { CallEvent, CaptureEvent } from '../../src/shared/capture/events'
import { KnownServers } from '../../src/shared/capture/known-servers'

/** Captures in memory by the name of their file; setting one again is a file that changed. */
export class MemoryCaptures implements CaptureSource {
  readonly #files = new Map<string, { events: readonly CaptureEvent[]; version: number }>()
  /** Captures that are open now. */
  opened = 0

  set(file: string, events: readonly CaptureEvent[]): void {
    const version = (this.#files.get(file)?.version ?? 0) + 1
    this.#files.set(file, { events: [...events], version })
  }

  remove(file: string): void {
    this.#files.delete(file)
  }

  fingerprint(file: string): Promise<string> {
    const known = this.#files.get(file)
    return known === undefined ? Promise.reject(missing(file)) : Promise.resolve(String(known.version))
  }

  open(file: string): ReturnType<CaptureSource['open']> {
    const known = this.#files.get(file)
    if (known === undefined) return Promise.reject(missing(file))
    const events = known.events.filter((event): event is CallEvent => 'call' in event)
    const servers = new KnownServers()
    for (const event of known.events) servers.take(event)
    const bySeq = new Map(events.map((event) => [event.seq, event]))
    const index = new CaptureIndex(100_000)
    const byCall = new Map<number, CallEvent[]>()
    for (const event of events) {
      index.enter(event, (seq) => bySeq.get(seq))
      byCall.set(event.call, [...(byCall.get(event.call) ?? []), event])
    }
    this.opened++
    return Promise.resolve({
      startedAt: '2026-11-29T19:00:00.000Z',
      calls: () => index.list(0, 100_000).calls,
      server: (backend) => servers.of(backend),
      events: (call) => Promise.resolve(byCall.get(call) ?? []),
      close: () => {
        this.opened--
        return Promise.resolve()
      },
    })
  }
}

function missing(file: string): Error {
  return new Error(`${file} does not exist; check the path`)
}
