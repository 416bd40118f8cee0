import type {
  BackendActivity,
  CommandName,
  Commands,
  DeskConnection,
  DeskStatus,
  FeedName,
  Feeds,
} from '../../src/shared/api/contract'
import { writeAnnotation, type Annotation } from '../../src/shared/capture/annotation'
import { ownText } from '../../src/shared/capture/body-reference'
import type { CallEvent } from '../../src/shared/capture/events'
import { foldCall } from '../../src/shared/capture/fold'
import type { CallSummary } from '../../src/shared/capture/summary'
import { findingsOf } from '../../src/shared/findings'
import { FindingGroups } from '../../src/shared/findings/finding-groups'
import { CapturesFixture } from './captures-fixture'
import { CATALOG } from './catalog'
import { ComposeFixture } from './compose-fixture'
import { ConfigFixture } from './config-fixture'
import { ReplaysFixture } from './replays-fixture'
import type { Step } from './modern-script'

const CLIP = 65_536
const FLUSH_MS = 33

type Listeners = { [N in FeedName]: Set<(value: Feeds[N]) => void> }

/** A desk connection on invented calls: some are history, some happen while one looks. */
export class FixtureConnection implements DeskConnection {
  status: DeskStatus
  /** Commands that fail, for error states. */
  readonly failing = new Set<CommandName>()
  /** Captures that are open; each shows the calls of the live run. */
  readonly captures = new CapturesFixture((captures) => {
    for (const listener of this.#listeners.captures) listener({ captures })
  })
  readonly replays = new ReplaysFixture((replays) => {
    for (const listener of this.#listeners.replays) listener({ replays })
  })
  /** What backends have printed. */
  readonly activity = new Map<string, BackendActivity[]>()
  readonly #begun = performance.now()
  readonly #events = new Map<number, CallEvent[]>()
  readonly #summaries = new Map<number, CallSummary>()
  readonly #listeners: Listeners = {
    calls: new Set(),
    call: new Set(),
    status: new Set(),
    composed: new Set(),
    activity: new Set(),
    captures: new Set(),
    replays: new Set(),
  }
  readonly #links = new Set<(connected: boolean) => void>()
  readonly #opened = new Set<number>()
  readonly #changed = new Set<number>()
  readonly #fresh = new Map<number, CallEvent[]>()
  readonly #historyMs: number
  readonly #compose = new ComposeFixture((call) => {
    for (const listener of this.#listeners.composed) listener(call)
  })
  readonly #config = new ConfigFixture(
    () => this.status,
    (change) => this.setStatus(change),
  )
  #seq = 0
  #call = 0

  /** `historyMs`: how much time has passed before one begins to look. */
  constructor(status: DeskStatus, historyMs: number) {
    this.status = status
    this.#historyMs = historyMs
    window.setInterval(() => this.#flush(), FLUSH_MS)
  }

  now(): number {
    return this.#historyMs + performance.now() - this.#begun
  }

  /** A call that began `agoMs` ago; what lies ahead of now will happen. Returns its number. */
  play(make: (call: number) => Step[], agoMs = 0): number {
    const call = ++this.#call
    if (agoMs === 0) this.#changed.add(call)
    const steps = make(call).map((step, index) => ({ ...step, own: index + 1 }))
    steps.sort((a, b) => a.ms - b.ms)
    const begin = this.now() - agoMs
    const base = this.#seq
    this.#seq += steps.length
    // A scenario counts its own events; in the capture they have other numbers.
    const seqOf = new Map(steps.map((step, index) => [step.own, base + index + 1]))
    for (const [index, step] of steps.entries()) {
      const event: CallEvent = {
        ...step.event,
        seq: base + index + 1,
        at: Math.round((begin + step.ms) * 1000),
        call,
      }
      if (event.kind === 'request.answered' && event.to !== undefined) event.to = seqOf.get(event.to) ?? event.to
      if ('from' in event && event.from !== undefined) event.from = seqOf.get(event.from) ?? event.from
      // What has passed is asked for, not pushed.
      if (step.ms <= agoMs) this.#keep(event)
      else window.setTimeout(() => this.#happen(event), step.ms - agoMs)
    }
    return call
  }

  /** What a reader puts on a call. */
  annotate(call: number, annotation: Annotation | null): void {
    const event = { kind: 'call.annotated', call, seq: ++this.#seq, at: Math.round(this.now() * 1000) } as const
    this.#happen({ ...event, ...writeAnnotation(annotation) })
  }

  setStatus(change: Partial<DeskStatus>): void {
    this.status = { ...this.status, ...change }
    for (const listener of this.#listeners.status) listener(this.status)
  }

  /** A backend prints a line now, or did so in the past. */
  say(backend: string, kind: BackendActivity['kind'], text: string, agoMs = 0): void {
    const lines = this.activity.get(backend) ?? []
    this.activity.set(backend, lines)
    const line = { seq: ++this.#seq, at: Math.round((this.now() - agoMs) * 1000), kind, text }
    lines.push(line)
    for (const listener of this.#listeners.activity) listener({ backend, lines: [line], skipped: 0 })
  }

  setConnected(connected: boolean): void {
    for (const listener of this.#links) listener(connected)
  }

  async command<N extends CommandName>(name: N, request: Commands[N]['request']): Promise<Commands[N]['response']> {
    await new Promise((resolve) => setTimeout(resolve, 15))
    // As over IPC: a rejection is the contract's plain error.
    if (this.failing.has(name))
      throw Object.assign(new Error('The capture index cannot be read.'), {
        code: 'failed',
        hint: 'Look at the log of Sluice.',
      })
    return this.#answer(name, request as never) as Commands[N]['response']
  }

  openCall(call: number): () => void {
    this.#opened.add(call)
    return () => this.#opened.delete(call)
  }

  onFeed<N extends FeedName>(name: N, listener: (value: Feeds[N]) => void): () => void {
    this.#listeners[name].add(listener)
    return () => this.#listeners[name].delete(listener)
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#links.add(listener)
    return () => this.#links.delete(listener)
  }

  #keep(event: CallEvent): void {
    const events = this.#events.get(event.call) ?? []
    this.#events.set(event.call, events)
    events.push(event)
  }

  #happen(event: CallEvent): void {
    this.#keep(event)
    this.#changed.add(event.call)
    if (this.#opened.has(event.call)) this.#fresh.set(event.call, [...(this.#fresh.get(event.call) ?? []), event])
  }

  #findings(): Commands['findings.list']['response'] {
    const groups = new FindingGroups()
    const found = [...this.#summaries.values()].filter(({ findings }) => findings > 0).reverse()
    for (const row of found) groups.add(row, findingsOf(foldCall(this.#events.get(row.call) ?? [])))
    return { groups: groups.all(), judged: found.length, left: 0 }
  }

  #summary(call: number): CallSummary {
    const record = foldCall(this.#events.get(call) ?? [])
    const summary = { ...record.summary, findings: findingsOf(record).length }
    this.#summaries.set(call, summary)
    return summary
  }

  #flush(): void {
    const calls = [...this.#changed].map((call) => this.#summary(call))
    this.#changed.clear()
    if (calls.length > 0) for (const listener of this.#listeners.calls) listener({ calls })
    for (const [call, events] of this.#fresh) {
      const clipped = clip(events)
      for (const listener of this.#listeners.call) listener({ call, ...clipped })
    }
    this.#fresh.clear()
  }

  #answer(name: CommandName, request: Record<string, never>): unknown {
    switch (name) {
      case 'desk.status':
        return this.status
      case 'calls.list': {
        const { after, limit = 1_000 } = request as unknown as { after: number; limit?: number }
        const numbers = [...this.#events.keys()].filter((call) => call > after)
        return {
          calls: numbers.slice(0, limit).map((call) => this.#summaries.get(call) ?? this.#summary(call)),
          more: numbers.length > limit,
        }
      }
      case 'call.events':
        return { ...clip(this.#events.get(Number(request.call)) ?? []), header: {} }
      case 'call.text': {
        const event = this.#events.get(Number(request.call))?.find((each) => each.seq === Number(request.seq))
        return {
          text: event?.kind === 'upstream.frame' ? event.raw : event === undefined ? '' : (ownText(event) ?? ''),
        }
      }
      case 'call.annotate': {
        const { call, annotation } = request as unknown as Commands['call.annotate']['request']
        this.annotate(call, annotation)
        return {}
      }
      case 'operation.calls':
        return {
          calls: [...this.#summaries.values()]
            .filter((each) => each.operation === String(request.operation))
            .map((each) => each.call),
        }
      case 'calls.search': {
        const wanted = String(request.text).toLowerCase()
        const hits = [...this.#events].filter(([, events]) =>
          events.some((event) => (ownText(event) ?? '').toLowerCase().includes(wanted)),
        )
        return { calls: hits.map(([call]) => call) }
      }
      case 'findings.list':
        return this.#findings()
      case 'backend.catalog': {
        const asked = this.status.backends.find((each) => each.name === String(request.backend))
        return asked?.health === 'ready' || asked?.health === 'degraded' ? CATALOG : { entries: [], problems: [] }
      }
      case 'backend.activity':
        return { lines: this.activity.get(String(request.backend)) ?? [] }
      case 'backend.restart':
      case 'backend.refresh':
        return this.status.backends.find((each) => each.name === String(request.backend))
      case 'captures.list':
      case 'capture.open':
      case 'capture.upload':
      case 'capture.close':
      case 'capture.export':
      case 'capture.exporting':
      case 'capture.stopExport':
        return this.captures.answer(name, request)
      case 'replay.list':
      case 'replay.plan':
      case 'replay.show':
      case 'replay.start':
      case 'replay.stop':
      case 'replay.pause':
      case 'replay.keep':
      case 'replay.save':
      case 'replay.addBackend':
      case 'replay.close':
        return this.replays.answer(name, request)
      case 'config.addBackend':
      case 'config.backend':
      case 'config.editBackend':
      case 'config.turnBackend':
      case 'config.removeBackend':
      case 'config.restoreBackend':
      case 'config.settings':
      case 'config.set':
      case 'config.importable':
      case 'config.import':
      case 'secrets.list':
      case 'secrets.set':
      case 'secrets.remove':
        return this.#config.answer(name, request)
      case 'compose.offer':
      case 'compose.complete':
      case 'compose.send':
      case 'compose.answer':
      case 'compose.cancel':
      case 'compose.calls':
      case 'compose.openUrl':
      case 'compose.collections':
      case 'compose.saveCollection':
      case 'compose.deleteCollection':
        return this.#compose.answer(name, request)
      case 'recording.set': {
        const recording = { ...this.status.recording, on: Boolean(request.on) }
        this.setStatus({ recording })
        return recording
      }
      case 'demo.set':
        this.setStatus({ demo: { running: Boolean(request.running) } })
        return { running: Boolean(request.running) }
    }
  }
}

function clip(events: readonly CallEvent[]): Pick<Feeds['call'], 'events' | 'clipped'> {
  const clipped: Feeds['call']['clipped'] = []
  const cut = events.map((event) => {
    if (event.kind === 'upstream.frame' && event.raw.length > CLIP) {
      clipped.push({ seq: event.seq, length: event.raw.length })
      return { ...event, raw: event.raw.slice(0, CLIP) }
    }
    if (event.kind === 'response.frame' && event.raw !== undefined && event.raw.length > CLIP) {
      clipped.push({ seq: event.seq, length: event.raw.length })
      return { ...event, raw: event.raw.slice(0, CLIP) }
    }
    return event
  })
  return { events: cut, clipped }
}
