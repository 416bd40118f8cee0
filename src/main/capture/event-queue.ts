import type { NewCaptureEvent } from '../../shared/capture/events'

/** An event and its stamp. */
export interface Pending {
  seq: number
  /** Microseconds since the capture began. */
  at: number
  event: NewCaptureEvent
}

export interface EventQueueOptions {
  /** Takes events in order. Must not throw. */
  take(batch: readonly Pending[]): void
  /** What is done beside, when all events are taken; `quiet`: nothing came since the time before. True when more is left to do. */
  beside(quiet: boolean): boolean
  /** How long events are gathered, in milliseconds. */
  gatherMs(): number
}

/** Events handled in one go, at least; the relay comes in between. */
const SLICE = 32

/**
 * Events between the relay, which only stamps them, and the work on them. They are gathered for a moment, so that most calls
 * are relayed without this work in between, and then taken in slices.
 */
export class EventQueue {
  private pending: Pending[] = []
  private scheduled = false
  /** Nothing came since the last time that all were taken. */
  private quiet = true

  constructor(private readonly options: EventQueueOptions) {}

  /** Nothing waits, and nothing came since the last time that all were taken. */
  get isQuiet(): boolean {
    return this.quiet
  }

  push(pending: Pending): void {
    this.pending.push(pending)
    this.quiet = false
    this.schedule()
  }

  /** Everything that waits is taken now, also what comes of that. */
  drain(): void {
    while (this.pending.length > 0) this.work(Infinity)
  }

  /** Something is to be done beside, though nothing came. */
  schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setTimeout(this.turn, this.options.gatherMs())
  }

  private readonly turn = (): void => {
    // A part of what waits, so that a flood is worked off however large it is.
    this.work(Math.max(SLICE, this.pending.length >> 2))
    if (this.pending.length > 0) {
      setImmediate(this.turn)
      return
    }
    const { quiet } = this
    this.quiet = true
    this.scheduled = false
    if (this.options.beside(quiet)) this.schedule()
  }

  private work(count: number): void {
    if (this.pending.length === 0) return
    const batch = count >= this.pending.length ? this.pending : this.pending.slice(0, count)
    this.pending = count >= this.pending.length ? [] : this.pending.slice(count)
    this.options.take(batch)
  }
}
