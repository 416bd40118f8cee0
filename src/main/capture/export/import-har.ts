import { readFile } from 'node:fs/promises'
import type { CaptureHeader } from '../../../shared/capture/events'
import { redactEvent, RedactionMemory } from '../../../shared/capture/redaction'
import type { RedactionRules } from '../../../shared/capture/redaction-rules'
import { SecretScan, type SecretHint } from '../../../shared/capture/secret-scan'
import { importEntry, type ImportedCall } from '../../../shared/har/har-import'
import { arrayItems, JsonTextError, memberOf, objectMembers, type Span } from '../../../shared/protocol/json-text'
import { CaptureFileError, openRegularFile, refuseOtherEncodings } from '../capture-file'
import { newHeader } from '../capture-header'
import { OrderedEvents, type TimedEvent } from './ordered-events'
import { writeOutput, type OutputFile } from './output-file'

export interface ImportOptions {
  to: string
  replace: boolean
  rules: RedactionRules
  /** Of this Sluice. */
  version: string
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

export interface ImportReport {
  calls: number
  events: number
  bytes: number
  /** Entries that are no MCP over HTTP, or the other leg of a call that is here. */
  skipped: number
  /** Entries that are no HAR entries. */
  bad: number
  /** The first few of those, in words. */
  examples: string[]
  hints: SecretHint[]
}

/** A HAR is one JSON text, and is in memory as such; parsed it is entry by entry. */
const MAX_HAR_BYTES = 268_435_456
const BEGINS_AS_CAPTURE = /^\s*\{\s*"format"\s*:\s*"sluice-capture"/
const MAX_EXAMPLES = 5
const MAX_BACKENDS = 200
const MAX_STATES = 10_000
const ENTRIES_AT_ONCE = 50

/**
 * Makes a capture of the MCP calls in a HAR. Calls stand in the order in which they began. Rejects with `CaptureFileError`
 * when the file is no HAR, with `OutputError`, or with the reason of `signal`.
 */
export async function importHar(path: string, options: ImportOptions): Promise<ImportReport> {
  const text = await readHar(path)
  const { entries, creator } = partsOf(text, path)
  const report: ImportReport = { calls: 0, events: 0, bytes: 0, skipped: 0, bad: 0, examples: [], hints: [] }
  const { order, backends } = await survey(text, entries, report, options)
  const first = order[0]
  if (first === undefined) {
    const why = report.bad > 0 ? ` (${report.examples[0] ?? ''})` : ''
    throw new CaptureFileError(`${path} has no MCP over HTTP in its ${entries.length} entries${why}`)
  }
  const rules = options.rules
  const gateway = { name: 'sluice', version: options.version }
  const header = { ...newHeader({ gateway, backends }, rules, first.startedAt), imported: `HAR of ${creator}` }
  const output = await writeOutput(options.to, { ...options, inputs: [path] }, async (file) => {
    const writer = new ImportWriter(file, header, rules, report)
    await writer.begin()
    for (const [index, { span, number }] of order.entries()) {
      options.signal?.throwIfAborted()
      const call = importEntry(JSON.parse(text.slice(span.start, span.end)), decodeBase64)
      if ('events' in call) await writer.add(call)
      else report.examples.push(`entry ${number} changed while it was read`)
      options.onProgress?.(entries.length + index + 1, entries.length + order.length)
    }
    await writer.end()
    return file
  })
  return { ...report, bytes: output.bytes }
}

async function readHar(path: string): Promise<string> {
  const file = await openRegularFile(path)
  try {
    const { size } = await file.stat()
    if (size > MAX_HAR_BYTES) {
      throw new CaptureFileError(
        `${path} is over ${MAX_HAR_BYTES / 1_048_576} MiB, more than is read of a HAR; export fewer requests to it`,
      )
    }
    const bytes = await readFile(file)
    refuseOtherEncodings(bytes, path)
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
    if (BEGINS_AS_CAPTURE.test(text)) {
      throw new CaptureFileError(
        `${path} is a capture already, and needs no import: open it, or look into it with: sluice capture info FILE`,
      )
    }
    return text
  } finally {
    await file.close()
  }
}

function partsOf(text: string, path: string): { entries: Span[]; creator: string } {
  try {
    const log = memberOf(objectMembers(text), 'log')
    const members = log === undefined ? undefined : objectMembers(text, log.start)
    const entries = memberOf(members, 'entries')
    const items = entries === undefined ? undefined : arrayItems(text, entries.start)
    if (items === undefined) throw new CaptureFileError(`${path} is no HAR: it has no list "entries" in its "log"`)
    const creator = memberOf(members, 'creator')
    return {
      entries: items,
      creator: creator === undefined ? 'unknown' : creatorOf(text.slice(creator.start, creator.end)),
    }
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    throw new CaptureFileError(`${path} is no HAR, or a torn one: ${error.message}`)
  }
}

function creatorOf(json: string): string {
  const value = parsed(json)
  if (typeof value !== 'object' || value === null) return 'unknown'
  const { name, version } = value as { name?: unknown; version?: unknown }
  return [name, version]
    .filter((one) => typeof one === 'string')
    .join(' ')
    .slice(0, 100)
}

interface Entry {
  span: Span
  number: number
  startedAt: number
  to: { backend: string; url: string }
}

/** A first pass: which entries are calls, in which order, and of which backends. */
async function survey(
  text: string,
  entries: readonly Span[],
  report: ImportReport,
  { signal, onProgress }: ImportOptions,
): Promise<{ order: Entry[]; backends: CaptureHeader['backends'] }> {
  const order: Entry[] = []
  const clientLegs = new Map<number, Entry>()
  const backendLegs = new Map<number, Entry[]>()
  const backends = new Map<string, string>()
  for (const [index, span] of entries.entries()) {
    if (index % ENTRIES_AT_ONCE === 0) {
      signal?.throwIfAborted()
      onProgress?.(index, entries.length * 2)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const read = importEntry(parsed(text.slice(span.start, span.end)), decodeBase64)
    if ('skipped' in read) report.skipped++
    else if ('problem' in read) {
      report.bad++
      if (report.examples.length < MAX_EXAMPLES) report.examples.push(`entry ${index + 1}: ${read.problem}`)
    } else {
      const sent = read.events.flatMap(({ event }) => (event.kind === 'upstream.sent' ? [event] : []))[0]
      const to = { backend: sent?.backend ?? '', url: sent?.http.url ?? '' }
      const entry = { span, number: index + 1, startedAt: read.startedAt, to }
      order.push(entry)
      if (read.written?.leg === 'client') clientLegs.set(read.written.call, entry)
      if (read.written?.leg === 'backend') {
        const others = backendLegs.get(read.written.call)
        if (others === undefined) backendLegs.set(read.written.call, [entry])
        else others.push(entry)
      }
    }
  }
  const others = otherLegs(clientLegs, backendLegs)
  const kept = order.filter((entry) => !others.has(entry))
  report.skipped += others.size
  for (const { to } of kept) {
    if (backends.size < MAX_BACKENDS && !backends.has(to.backend)) backends.set(to.backend, to.url)
  }
  kept.sort((a, b) => a.startedAt - b.startedAt || a.number - b.number)
  return { order: kept, backends: [...backends].map(([name, url]) => ({ name, type: 'http', url })) }
}

/**
 * What Sluice wrote has each call on both legs, and a call is imported once: from its backend leg, which has the
 * backend's own names, ids and states; or from its client leg where several backends were asked for one answer.
 */
function otherLegs(
  clientLegs: ReadonlyMap<number, Entry>,
  backendLegs: ReadonlyMap<number, readonly Entry[]>,
): ReadonlySet<Entry> {
  const others = new Set<Entry>()
  for (const [call, asked] of backendLegs) {
    const client = clientLegs.get(call)
    if (client === undefined) continue
    for (const entry of asked.length === 1 ? [client] : asked) others.add(entry)
  }
  return others
}

/** Writes calls that come in the order of their beginnings as events in the order of time. */
class ImportWriter {
  private readonly memory = new RedactionMemory()
  private readonly scan = new SecretScan()
  private readonly states = new Map<string, { operation: string; round: number }>()
  private readonly zero: number
  private readonly waiting = new OrderedEvents()
  private seq = 0

  constructor(
    private readonly file: OutputFile,
    private readonly header: CaptureHeader,
    private readonly rules: RedactionRules,
    private readonly report: ImportReport,
  ) {
    this.zero = Date.parse(header.startedAt)
  }

  begin(): Promise<void> {
    return this.file.write(`${JSON.stringify(this.header)}\n`)
  }

  async add({ startedAt, events, state, written }: ImportedCall): Promise<void> {
    const begin = Math.round((startedAt - this.zero) * 1_000)
    await this.write(begin)
    const call = ++this.report.calls
    const before = state.given === null ? undefined : this.states.get(state.given)
    const link =
      before === undefined && written !== null && written.operation !== null
        ? { operation: written.operation, round: written.round }
        : { operation: before?.operation ?? `har-${call}`, round: (before?.round ?? 0) + 1 }
    if (state.got !== null && this.states.size < MAX_STATES) this.states.set(state.got, link)
    for (const { at, event } of events) {
      const stamped = { seq: 0, at: begin + at, ...event, call } as TimedEvent
      if (stamped.kind === 'call.routed') Object.assign(stamped, link)
      if ('exchange' in stamped) stamped.exchange = call
      this.waiting.push(stamped)
    }
  }

  async end(): Promise<void> {
    await this.write(Infinity)
    this.report.hints = this.scan.hints
  }

  private async write(until: number): Promise<void> {
    for (let event = this.waiting.take(until); event !== undefined; event = this.waiting.take(until)) {
      event.seq = ++this.seq
      const line = JSON.stringify(redactEvent(event, this.rules, this.memory))
      this.scan.look(line, 'call' in event ? event.call : null, event.seq)
      this.report.events++
      await this.file.write(`${line}\n`)
    }
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Counted by who asked for it, as an entry that is none.
    return undefined
  }
}

function decodeBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
