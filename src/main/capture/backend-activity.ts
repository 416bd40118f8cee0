import type { BackendActivity } from '../../shared/api/contract'
import type { BackendEvent } from '../../shared/capture/events'

/** Lines kept of one backend, the newest. */
export const KEPT_LINES = 1_000
/** A longer line is cut: these are for people. */
const MAX_TEXT = 4_000
/** Names come from configurations, which may change for ever. */
const MAX_BACKENDS = 200

type Listener = (backend: string, line: BackendActivity) => void

/** What backends print, and how they start, end and change: the last lines of each, and the new ones as they come. */
export class BackendActivityLog {
  readonly #lines = new Map<string, BackendActivity[]>()
  readonly #listeners = new Set<Listener>()

  /** Oldest first. */
  of(backend: string): BackendActivity[] {
    return (this.#lines.get(backend) ?? []).slice(-KEPT_LINES)
  }

  onLine(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  add(event: BackendEvent): void {
    const line = lineOf(event)
    if (line === undefined) return
    const { backend } = event
    let lines = this.#lines.get(backend)
    if (lines === undefined) {
      if (this.#lines.size >= MAX_BACKENDS) this.#forgetOldest()
      this.#lines.set(backend, (lines = []))
    }
    lines.push(line)
    // Trimmed now and then, not at every line.
    if (lines.length >= 2 * KEPT_LINES) this.#lines.set(backend, lines.slice(-KEPT_LINES))
    for (const listener of this.#listeners) listener(backend, line)
  }

  #forgetOldest(): void {
    for (const oldest of this.#lines.keys()) {
      this.#lines.delete(oldest)
      return
    }
  }
}

function lineOf({ kind, seq, at, text, url, health, era, reason }: BackendEvent): BackendActivity | undefined {
  switch (kind) {
    case 'backend.catalog':
      return undefined
    case 'backend.probed': {
      const words = [health, era === undefined ? undefined : `era ${era}`].filter((word) => word !== undefined)
      return { seq, at, kind: 'state', text: short(words.join(', ') + (reason === undefined ? '' : `: ${reason}`)) }
    }
    case 'backend.started':
      return { seq, at, kind: 'started', text: short(text ?? url ?? '') }
    case 'backend.restarted':
      return { seq, at, kind: 'restarted', text: short(text ?? '') }
    case 'backend.exited':
      return { seq, at, kind: 'exited', text: short(text ?? '') }
    case 'backend.stderr':
      return { seq, at, kind: 'stderr', text: short(text ?? '') }
    case 'backend.noise':
      return { seq, at, kind: 'noise', text: short(text ?? '') }
  }
}

function short(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`
}
