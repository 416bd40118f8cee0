import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Annotation } from '../../shared/capture/annotation'
import type { CallSummary } from '../../shared/capture/summary'
import type { Together, Turn } from '../stores/drawn-together'
import { lastMoment, summaryAt } from './summary-at'

export const SPEEDS = [0.5, 1, 2, 5, 10, 25, 100] as const

export const SLICES = 160

/** While it is played the rows are renewed at this pace at most, and the playhead has the other frames of the screen. */
const ROWS_MS = 50
/** When so many come from one time to the next that all in sight are other ones, nobody reads them: a look will do. */
const MANY_ROWS = 50
const MANY_ROWS_MS = 200

export interface PlaybackState {
  /** False while the whole capture is shown, as it is when it was opened. */
  active: boolean
  playing: boolean
  speed: number
  /** The moment that is shown, and those between which it lies; microseconds since the capture began. */
  head: number
  begin: number
  end: number
  /** How many calls were received in each of `SLICES` equal stretches of time, and how many of them failed. */
  density: readonly { calls: number; failed: number }[]
}

export interface PlaybackOptions {
  /** What shows the rows. */
  calls: {
    get(call: number): CallSummary | undefined
    replace(rows: readonly CallSummary[]): void
    apply(rows: readonly CallSummary[]): void
  }
  /** Milliseconds. */
  now: () => number
  /** Runs `task` at the next frame of the screen. */
  frame: (task: () => void) => void
  /** Runs `task` soon, in one go with others. */
  together: Together
}

/** Shows a capture as it was at one moment, and lets that moment move. */
export class Playback {
  readonly store: StoreApi<PlaybackState>
  readonly #options: PlaybackOptions
  readonly #listeners = new Set<() => void>()
  /** By the moment at which they were received. */
  #all: readonly CallSummary[] = []
  /** How many of them were received up to the head. */
  #received = 0
  #inFlight: CallSummary[] = []
  #tickedAt: number | null = null
  /** When the rows are due while it is played, milliseconds. */
  #rowsAt = 0
  /** What is drawn in one go with them. */
  #withRows: (() => void)[] = []

  constructor(options: PlaybackOptions) {
    this.#options = options
    this.store = createStore<PlaybackState>(() => ({
      active: false,
      playing: false,
      speed: 1,
      head: 0,
      begin: 0,
      end: 0,
      density: [],
    }))
  }

  /** Takes the rows of the whole capture. */
  load(all: readonly CallSummary[]): void {
    this.#all = [...all].sort((a, b) => a.receivedAt - b.receivedAt)
    const begin = this.#all[0]?.receivedAt ?? 0
    const end = all.reduce((latest, summary) => Math.max(latest, lastMoment(summary)), begin)
    this.store.setState({ begin, end, head: end, density: densityOf(this.#all, begin, end) })
  }

  /** Up to which moment events are shown. */
  get horizon(): number {
    const { active, head } = this.store.getState()
    return active ? head : Infinity
  }

  /** The moment that is "now" for what is shown. */
  get now(): number {
    const { active, head, end } = this.store.getState()
    return active ? head : end
  }

  onHorizon(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  play(): void {
    const { active, head, end, begin, playing } = this.store.getState()
    if (playing) return
    // At the end, or while all is shown, it begins anew.
    if (!active || head >= end) this.seek(begin)
    this.store.setState({ playing: true })
    this.#tickedAt = this.#options.now()
    this.#options.frame(() => this.#tick())
  }

  pause(): void {
    if (this.#tickedAt === null) return
    this.#tickedAt = null
    this.store.setState({ playing: false })
    this.#renew(this.store.getState().head)
  }

  /** Runs `task` soon, in one go with others and with the rows, so that they are drawn once. */
  together(task: () => void, turn?: Turn): void {
    if (this.#tickedAt === null) this.#options.together(task, turn)
    else this.#withRows.push(task)
  }

  setSpeed(speed: number): void {
    this.store.setState({ speed })
  }

  /** Shows the capture as it was at moment `at`. */
  seek(at: number): void {
    const { active, head, begin, end } = this.store.getState()
    const to = Math.min(end, Math.max(begin, at))
    this.store.setState({ active: true, head: to })
    if (active && to >= head) this.#forward(to)
    else this.#anew(to)
    this.#moved()
  }

  /** Shows the whole capture again. */
  leave(): void {
    this.pause()
    this.store.setState(({ end }) => ({ active: false, head: end }))
    this.#options.calls.replace(this.#all)
    this.#moved()
  }

  /** Changes what a reader has put on a call, which is the same at every moment. */
  annotate(call: number, annotation: Annotation | null): void {
    const changed = (summary: CallSummary): CallSummary =>
      summary.call === call ? { ...summary, annotation } : summary
    this.#all = this.#all.map(changed)
    this.#inFlight = this.#inFlight.map(changed)
    const shown = this.#options.calls.get(call)
    if (shown !== undefined) this.#options.calls.apply([{ ...shown, annotation }])
  }

  #tick(): void {
    const before = this.#tickedAt
    if (before === null) return
    const { head, speed, end } = this.store.getState()
    const now = this.#options.now()
    this.#tickedAt = now
    const to = Math.min(end, head + (now - before) * 1000 * speed)
    this.store.setState({ head: to })
    if (to >= end) this.pause()
    else if (now >= this.#rowsAt) this.#rowsAt = now + (this.#renew(to) > MANY_ROWS ? MANY_ROWS_MS : ROWS_MS)
    this.#moved()
    if (to < end) this.#options.frame(() => this.#tick())
  }

  /** How many rows have come. */
  #renew(head: number): number {
    const before = this.#received
    this.#forward(head)
    const tasks = this.#withRows
    this.#withRows = []
    for (const task of tasks) task()
    return this.#received - before
  }

  #forward(head: number): void {
    const changed: CallSummary[] = []
    const still: CallSummary[] = []
    for (const summary of this.#inFlight) {
      const shown = summaryAt(summary, head)
      changed.push(shown)
      if (shown !== summary) still.push(summary)
    }
    for (let next = this.#all[this.#received]; next !== undefined; next = this.#all[this.#received]) {
      if (next.receivedAt > head) break
      const shown = summaryAt(next, head)
      changed.push(shown)
      if (shown !== next) still.push(next)
      this.#received++
    }
    this.#inFlight = still
    if (changed.length > 0) this.#options.calls.apply(changed)
  }

  #anew(head: number): void {
    this.#received = 0
    this.#inFlight = []
    const shown: CallSummary[] = []
    for (const summary of this.#all) {
      if (summary.receivedAt > head) break
      const then = summaryAt(summary, head)
      shown.push(then)
      if (then !== summary) this.#inFlight.push(summary)
      this.#received++
    }
    this.#options.calls.replace(shown)
  }

  #moved(): void {
    for (const listener of this.#listeners) listener()
  }
}

function densityOf(all: readonly CallSummary[], begin: number, end: number): PlaybackState['density'] {
  const slices = Array.from({ length: SLICES }, () => ({ calls: 0, failed: 0 }))
  const length = Math.max(1, end - begin)
  for (const { receivedAt, outcome } of all) {
    const slice = slices[Math.min(SLICES - 1, Math.floor(((receivedAt - begin) / length) * SLICES))]
    if (slice === undefined) continue
    slice.calls++
    if (outcome === 'error' || outcome === 'tool-error') slice.failed++
  }
  return slices
}
