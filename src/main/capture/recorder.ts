import { performance } from 'node:perf_hooks'
import type { RecordingStatus } from '../../shared/api/contract'
import { writeAnnotation, type Annotation } from '../../shared/capture/annotation'
import type { CallEvent, CaptureEvent, CaptureHeader, NewCaptureEvent } from '../../shared/capture/events'
import { redactEvent, RedactionMemory } from '../../shared/capture/redaction'
import { redactionRules, type RedactionRules } from '../../shared/capture/redaction-rules'
import type { CallSummary } from '../../shared/capture/summary'
import { BackendActivityLog } from './backend-activity'
import { openAppendFile } from './append-file'
import { CaptureFiles } from './capture-files'
import { newHeader } from './capture-header'
import { CaptureIndex } from './capture-index'
import { CaptureReading } from './capture-reading'
import { CaptureSearch } from './capture-search'
import { CaptureWriter } from './capture-writer'
import { lockCapture, type CaptureLock } from './capture-lock'
import { readContinuation, type Continuation } from './continuation'
import { parseOwnLine } from './event-line'
import { EventQueue, type Pending } from './event-queue'
import { EventWindow } from './event-window'
import { MAX_LINE_BYTES } from './capture-file'
import { cutEvent, fittingLength, LARGE_TEXT, textLength, textOf } from './event-size'
import { FileSuccession } from './file-succession'
import { FindingsQueue } from './findings-queue'
import type { Recorder, RecorderOptions } from './recorder-contract'
import { Rotation } from './rotation'
import { Watchers } from './watchers'

export function createRecorder(options: RecorderOptions): Recorder {
  if (options.file === null) return new FileRecorder(options, { kind: 'new' }, undefined)
  const lock = lockCapture(options.file)
  if ('problem' in lock) return new FileRecorder(options, { kind: 'refused', problem: lock.problem }, undefined)
  return new FileRecorder(options, readContinuation(options.file), lock)
}

const MIB = 1_048_576
/** Of a text in its line, with room for the rest of the event: no line is longer than what is read again. */
const MAX_TEXT_BYTES = MAX_LINE_BYTES - 4 * MIB
const FINDINGS_BUDGET_MS = 3
/** Few and large portions leave more calls alone. */
const GATHER_MS = 50
/** Far below what the desk takes to show a frame (100 ms). */
const WATCHED_GATHER_MS = 8
/** While the file has them, few events need to be in memory. */
const WRITTEN_WINDOW_BYTES = 8 * MIB
const OFF_REASON = 'recording was switched off'

class FileRecorder implements Recorder {
  readonly header: CaptureHeader
  readonly index: CaptureIndex
  readonly activities = new BackendActivityLog()
  private readonly reading: CaptureReading
  private readonly finder: CaptureSearch
  private rules: RedactionRules
  private readonly memory = new RedactionMemory()
  private readonly window: EventWindow
  private readonly findings: FindingsQueue
  private readonly writer: CaptureFiles | null
  /** Null when this run stays with its file. */
  private readonly succession: FileSuccession | null
  private readonly maxEventLength: number
  private readonly windowBytes: number
  private readonly now: () => number
  /** Microseconds to add to the clock. */
  private readonly origin: number
  private readonly refused: string | null
  private seq = 0
  private calls = 0
  /** Calls of earlier runs in the file. */
  private callsBefore = 0
  private exchanges = 0
  private readonly queue: EventQueue
  /** How many look at rows as they change. */
  private attending = 0
  private on = true
  private skipped = { events: 0, bytes: 0 }
  /** Events that were cut or could not be handled at all. */
  private spoiled = 0
  private fault: string | null = null
  private closed = false
  private readonly changed = new Map<number, CallSummary>()
  private readonly watchers = new Watchers((error) => this.failed(error))

  constructor(
    private readonly options: RecorderOptions,
    continuation: Continuation,
    lock: CaptureLock | undefined,
  ) {
    const wallClock = options.wallClock ?? Date.now
    this.now = options.now ?? (() => performance.now())
    this.rules = redactionRules(options.redaction)
    this.maxEventLength = options.maxEventLength ?? 32 * MIB
    this.windowBytes = options.windowBytes ?? 32 * MIB
    this.index = new CaptureIndex(options.maxCalls ?? 100_000)
    this.refused = continuation.kind === 'refused' ? continuation.problem : null
    let begun = 0
    if (continuation.kind === 'continued') {
      this.seq = continuation.seq
      this.calls = continuation.call
      this.callsBefore = continuation.call
      this.exchanges = continuation.exchange
      this.header = continuation.header
      begun = Math.max(continuation.at, (wallClock() - Date.parse(continuation.header.startedAt)) * 1_000)
    } else {
      this.header = newHeader(options.header, this.rules, wallClock())
    }
    this.origin = Math.round(begun - this.now() * 1_000)
    this.writer =
      options.file === null || this.refused !== null ? null : this.createFiles(options.file, continuation, lock)
    this.succession =
      options.rotation === undefined || this.writer === null
        ? null
        : new FileSuccession(this.writer, new Rotation(options.rotation, this.elapsed()))
    this.window = new EventWindow(this.writer === null ? this.windowBytes : WRITTEN_WINDOW_BYTES)
    this.reading = new CaptureReading((call) => this.index.places(call), this.window, this.writer, parseOwnLine)
    const begin = continuation.kind === 'continued' ? continuation.bytes : 0
    this.finder = new CaptureSearch(this.writer, this.window, begin, parseOwnLine)
    this.findings = new FindingsQueue({
      inMemory: (call) => {
        const { events, whole } = this.window.of(call)
        return whole ? events : undefined
      },
      read: (call) => this.reading.events(call),
      calm: () => this.judgesNow(this.queue.isQuiet),
      onFindings: (call, count) => {
        const summary = this.index.get(call)
        if (summary === undefined || summary.findings === count) return
        summary.findings = count
        this.changed.set(call, summary)
        this.queue.schedule()
      },
      onFault: (error) => this.failed(error),
    })
    this.queue = new EventQueue({
      take: (batch) => this.takeAll(batch),
      beside: (quiet) => this.judge(quiet),
      gatherMs: () => (this.attending > 0 ? WATCHED_GATHER_MS : GATHER_MS),
    })
    void this.writer?.flush()
  }

  record(event: NewCaptureEvent): number {
    const seq = ++this.seq
    if (this.closed) return seq
    // Put together when its turn comes: copying here would cost the call that is being relayed.
    this.queue.push({ seq, at: this.elapsed(), event })
    return seq
  }

  nextCall(): number {
    return ++this.calls
  }

  nextExchange(): number {
    return ++this.exchanges
  }

  elapsed(): number {
    return Math.round(this.now() * 1_000) + this.origin
  }

  status(): RecordingStatus {
    return {
      on: this.on && this.writer !== null,
      file: this.writer === null ? null : this.writer.path,
      calls: this.calls - this.callsBefore,
      events: this.seq,
      bytes: this.writer?.fileBytes ?? 0,
      lostEvents: (this.writer?.lostEvents ?? 0) + this.spoiled,
      problem: this.refused ?? this.writer?.problem ?? this.fault,
    }
  }

  setRecording(on: boolean): RecordingStatus {
    if (on === this.on) return this.status()
    this.queue.drain()
    this.on = on
    if (on && this.skipped.events > 0) {
      this.record({ kind: 'capture.lost', ...this.skipped, reason: OFF_REASON })
      this.skipped = { events: 0, bytes: 0 }
    }
    this.stateChanged()
    return this.status()
  }

  annotate(call: number, annotation: Annotation | null): boolean {
    this.queue.drain()
    if (this.index.get(call) === undefined) return false
    this.record({ kind: 'call.annotated', call, ...writeAnnotation(annotation) })
    this.queue.drain()
    return true
  }

  earlierFileOf(call: number): string | null {
    const offset = this.index.places(call)[0]?.offset
    return offset === undefined ? null : (this.writer?.earlierAt(offset) ?? null)
  }

  earlierFiles(): string[] {
    return this.writer?.earlierPaths ?? []
  }

  get redaction(): RedactionRules {
    return this.rules
  }

  setRedaction(configured: RecorderOptions['redaction']): void {
    this.queue.drain()
    this.rules = redactionRules(configured)
  }

  onChange(listener: (calls: readonly CallSummary[]) => void): () => void {
    return this.watchers.onChange(listener)
  }

  onStatus(listener: () => void): () => void {
    return this.watchers.onStatus(listener)
  }

  onEvents(call: number, listener: (events: readonly CallEvent[]) => void): () => void {
    return this.watchers.onEvents(call, listener)
  }

  events(call: number): Promise<CallEvent[]> {
    this.queue.drain()
    return this.reading.events(call)
  }

  text(call: number, seq: number): Promise<{ text: string } | { problem: string }> {
    this.queue.drain()
    return this.reading.text(call, seq)
  }

  async search(text: string, signal: AbortSignal): Promise<number[]> {
    this.queue.drain()
    const found = await this.finder.find(text, signal)
    return [...found].filter((call) => this.index.get(call) !== undefined).sort((a, b) => a - b)
  }

  attend(): () => void {
    this.attending++
    if (this.findings.waiting > 0) this.queue.schedule()
    let here = true
    return () => {
      if (here) this.attending--
      here = false
    }
  }

  async flush(): Promise<void> {
    this.queue.drain()
    await this.writer?.flush()
  }

  async settled(): Promise<void> {
    await this.flush()
    await this.findings.idle()
    this.tellChange()
  }

  async close(): Promise<void> {
    await this.flush()
    this.queue.drain()
    this.closed = true
    // Without a file to read each would be gone through at once, with nothing else in between.
    this.findings.forget()
    await this.writer?.close()
  }

  private createFiles(path: string, continuation: Continuation, lock: CaptureLock | undefined): CaptureFiles {
    const { maxBacklogBytes = 64 * MIB, retryMs = 1_000, open = openAppendFile } = this.options
    let continuedBytes = continuation.kind === 'continued' ? continuation.bytes : 0
    const write = (file: string, header: string, begin: number): CaptureWriter => {
      const writer = new CaptureWriter({
        path: file,
        header,
        continuedBytes,
        open,
        maxBacklogBytes,
        gatherMs: 8,
        retryMs,
        onWritten: (seq, offset, length) => this.index.place(seq, begin + offset, length),
        onReplaced: () => {
          this.index.forgetPlaces()
          this.finder.forget()
        },
        onState: () => this.stateChanged(),
        onRecovered: (lost) => this.record({ kind: 'capture.lost', ...lost }),
      })
      continuedBytes = 0
      return writer
    }
    return new CaptureFiles({ path, header: JSON.stringify(this.header), lock, write })
  }

  /** Says in the file that it gives way to another, when it is time for that. */
  private rotate(): void {
    const file = this.on ? this.succession?.due(this.elapsed()) : undefined
    if (file !== undefined) this.record({ kind: 'capture.continued', file })
  }

  /** Event `seq` was the last one of its file. */
  private goOn(seq: number): void {
    const header = newHeader(this.options.header, this.rules, Date.parse(this.header.startedAt))
    this.succession?.goOn(header, seq).then(
      () => this.stateChanged(),
      (error: unknown) => this.failed(error),
    )
  }

  private stateChanged(): void {
    const inFile = this.on && this.writer !== null && this.writer.problem === null
    this.window.limit = inFile ? WRITTEN_WINDOW_BYTES : this.windowBytes
    this.watchers.tellStatus()
  }

  /** Redacts, indexes, hands on and writes stamped events. */
  private takeAll(batch: readonly Pending[]): void {
    const watched = new Map<number, CallEvent[]>()
    for (const { seq, at, event } of batch) this.guarded(1, () => this.take({ seq, at, ...event }, watched))
    for (const [call, events] of watched) this.watchers.tellEvents(call, events)
    this.tellChange()
  }

  /** Findings are counted at once while somebody looks, or while memory alone has the calls; else when no call comes. */
  private judgesNow(quiet: boolean): boolean {
    return quiet || this.attending > 0 || !this.on || this.writer === null
  }

  private judge(quiet: boolean): boolean {
    if (this.judgesNow(quiet) && this.findings.waiting > 0)
      this.guarded(0, () => this.findings.work(FINDINGS_BUDGET_MS))
    this.tellChange()
    return this.findings.waiting > 0
  }

  private tellChange(): void {
    if (this.changed.size === 0) return
    const calls = [...this.changed.values()]
    this.changed.clear()
    this.watchers.tellChange(calls)
  }

  /** The relay must go on whatever fails here; what failed is counted and shown. */
  private guarded(events: number, task: () => void): void {
    try {
      task()
    } catch (error) {
      this.spoiled += events
      this.failed(error)
    }
  }

  private failed(error: unknown): void {
    this.fault = `recording failed on something unexpected: ${error instanceof Error ? error.message : String(error)}`
  }

  private take(stamped: CaptureEvent, watched: Map<number, CallEvent[]>): void {
    const redacted = redactEvent(stamped, this.rules, this.memory)
    const fitting = 'call' in redacted ? fittingLength(textOf(redacted), MAX_TEXT_BYTES) : 0
    const event = cutEvent(redacted, Math.min(this.maxEventLength, fitting))
    if (event !== redacted && 'call' in event) this.countCut(event)
    this.write(event)
    if (!('call' in event)) {
      if (event.kind === 'capture.continued') this.goOn(event.seq)
      else if (event.kind !== 'capture.lost') this.activities.add(event)
      return
    }
    const { call } = event
    this.window.add(event)
    this.succession?.take(event)
    this.rotate()
    const summary = this.index.enter(event, (seq) => this.window.event(call, seq))
    this.changed.set(call, summary)
    if (this.watchers.watches(call)) {
      const events = watched.get(call)
      if (events === undefined) watched.set(call, [event])
      else events.push(event)
    }
    // A backend may go on sending when the call is over, which is a finding.
    const late = event.kind === 'upstream.frame' && summary.endedAt !== null
    if (event.kind === 'call.ended' || late) this.findings.ended(call)
  }

  private countCut(event: CallEvent): void {
    this.spoiled++
    const kept = textLength(event)
    const bytes = (event.cut ?? 0) - kept
    const reason = `the text of event ${event.seq} is over ${kept} characters; only its beginning is recorded`
    this.record({ kind: 'capture.lost', events: 1, bytes, reason })
  }

  private write(event: CaptureEvent): void {
    if (this.writer === null) return
    const length = 'call' in event ? textLength(event) : 0
    // What a reader writes is not what recording was switched off for.
    if (!this.on && event.kind !== 'call.annotated' && event.kind !== 'capture.continued') {
      this.skipped.events++
      this.skipped.bytes += length
    } else if (length > LARGE_TEXT) this.writer.push(event.seq, event, length)
    else {
      const line = JSON.stringify(event)
      this.writer.push(event.seq, line, line.length)
    }
  }
}
