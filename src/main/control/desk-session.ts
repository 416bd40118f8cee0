import type { ComposedCall } from '../../shared/api/compose'
import type { DeskStatus, OpenedCaptureStatus } from '../../shared/api/contract'
import type { ReplayStatus } from '../../shared/api/replay'
import type { CallEvent } from '../../shared/capture/events'
import type { CallSummary } from '../../shared/capture/summary'
import type { Recorder } from '../capture/recorder-contract'
import { ActivityFeed } from './activity-feed'
import { clipEvents } from './clip-events'
import type { DeskSink } from './control'

/** Feeds go out at most so often: 30 times a second. */
const BATCH_MS = 34
const MAX_ROWS = 500
const MAX_EVENTS = 500
/** So many events of a call are held for a desk that is behind; what follows is read again later. */
const MAX_HELD = 20_000
/** The counters of recording change with every event; once a second is enough for people. */
const STATUS_MS = 1_000
/** A desk looks at one call, or at the rounds of one operation. */
const MAX_OPEN_CALLS = 64

interface OpenCall {
  /** Events up to this one were pushed. */
  sent: number
  /** Events that wait for the desk; null when they were too many and must be read again. */
  waiting: CallEvent[] | null
  reading: boolean
  leave: () => void
}

/**
 * What one desk is told. What a desk cannot take at once is not queued: of rows the newest state is sent when it can,
 * of opened calls the events are read again from where it was, so a slow desk costs nothing but its own view.
 */
export class DeskSession {
  readonly activity = new ActivityFeed(() => this.schedule())
  private readonly changed = new Set<number>()
  private readonly opened = new Map<number, OpenCall>()
  private readonly composedCalls = new Map<string, ComposedCall>()
  private timer: NodeJS.Timeout | undefined
  private statusDue = false
  private capturesDue = false
  private replaysDue = false
  /** Only counters changed. */
  private statusStale = false
  private statusAt = 0
  private closed = false

  constructor(
    private readonly recorder: Recorder,
    private readonly sink: DeskSink,
    private readonly state: {
      status: () => DeskStatus
      captures: () => OpenedCaptureStatus[]
      replays: () => ReplayStatus[]
    },
  ) {}

  callsChanged(calls: readonly CallSummary[]): void {
    for (const { call } of calls) this.changed.add(call)
    this.statusStale = true
    this.schedule()
  }

  statusChanged(): void {
    this.statusDue = true
    this.schedule()
  }

  composed(call: ComposedCall): void {
    this.composedCalls.set(call.id, call)
    this.schedule()
  }

  replaysChanged(): void {
    this.replaysDue = true
    this.schedule()
  }

  capturesChanged(): void {
    this.capturesDue = true
    this.schedule()
  }

  openCall(call: number): void {
    if (this.closed || this.opened.has(call) || this.opened.size >= MAX_OPEN_CALLS) return
    const open: OpenCall = { sent: 0, waiting: [], reading: false, leave: () => undefined }
    open.leave = this.recorder.onEvents(call, (events) => this.eventsOf(open, call, events))
    this.opened.set(call, open)
  }

  closeCall(call: number): void {
    this.opened.get(call)?.leave()
    this.opened.delete(call)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    for (const call of [...this.opened.keys()]) this.closeCall(call)
    this.changed.clear()
  }

  private eventsOf(open: OpenCall, call: number, events: readonly CallEvent[]): void {
    if (open.sent === 0) open.sent = (events[0]?.seq ?? 1) - 1
    if (open.waiting !== null) open.waiting.push(...events)
    if (open.waiting !== null && open.waiting.length > MAX_EVENTS && !this.sink.ready()) open.waiting = null
    // An event is on screen at once: a frame is what people wait for.
    if (!open.reading && this.sink.ready()) this.pushEvents(open, call)
    else this.schedule()
  }

  private pushEvents(open: OpenCall, call: number): void {
    if (open.waiting === null) return void this.readAgain(open, call)
    const events = open.waiting.filter(({ seq }) => seq > open.sent)
    open.waiting = []
    if (events.length > 0) this.send(open, call, events)
  }

  private send(open: OpenCall, call: number, events: readonly CallEvent[]): void {
    open.sent = events.at(-1)?.seq ?? open.sent
    this.sink.push({ feed: 'call', value: { call, ...clipEvents(events) } })
  }

  /** Reads what a desk could not take, and goes on with it as fast as the desk takes it. */
  private async readAgain(open: OpenCall, call: number): Promise<void> {
    open.reading = true
    open.waiting = []
    const behind = (await this.recorder.events(call)).filter(({ seq }) => seq > open.sent)
    for (let at = 0; at < Math.min(behind.length, MAX_HELD); at += MAX_EVENTS) {
      while (!this.sink.ready() && this.opened.get(call) === open) await pause()
      if (this.opened.get(call) !== open) return
      this.send(open, call, behind.slice(at, at + MAX_EVENTS))
    }
    if (behind.length > MAX_HELD) open.waiting = null
    open.reading = false
    this.schedule()
  }

  private get due(): boolean {
    if (this.changed.size > 0 || this.activity.due || this.capturesDue || this.statusDue || this.statusStale)
      return true
    if (this.composedCalls.size > 0 || this.replaysDue) return true
    for (const { waiting } of this.opened.values()) if (waiting === null || waiting.length > 0) return true
    return false
  }

  private schedule(): void {
    if (this.closed || this.timer !== undefined) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      if (this.sink.ready()) this.flush()
      if (this.due) this.schedule()
    }, BATCH_MS)
  }

  private flush(): void {
    if (this.changed.size > 0) this.pushRows()
    for (const value of this.composedCalls.values()) this.sink.push({ feed: 'composed', value })
    this.composedCalls.clear()
    this.activity.flush((value) => this.sink.push({ feed: 'activity', value }))
    for (const [call, open] of this.opened) if (!open.reading && this.sink.ready()) this.pushEvents(open, call)
    if (this.capturesDue) this.sink.push({ feed: 'captures', value: { captures: this.state.captures() } })
    this.capturesDue = false
    if (this.replaysDue) this.sink.push({ feed: 'replays', value: { replays: this.state.replays() } })
    this.replaysDue = false
    const now = Date.now()
    if (!this.statusDue && !(this.statusStale && now - this.statusAt >= STATUS_MS)) return
    this.statusDue = false
    this.statusStale = false
    this.statusAt = now
    this.sink.push({ feed: 'status', value: this.state.status() })
  }

  private pushRows(): void {
    const calls: CallSummary[] = []
    for (const call of this.changed) {
      if (calls.length === MAX_ROWS) break
      this.changed.delete(call)
      const summary = this.recorder.index.get(call)
      if (summary !== undefined) calls.push(summary)
    }
    this.sink.push({ feed: 'calls', value: { calls } })
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, BATCH_MS))
}
