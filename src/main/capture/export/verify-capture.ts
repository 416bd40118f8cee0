import type { CallEvent, CaptureEvent, CaptureHeader } from '../../../shared/capture/events'
import { referenceOf } from '../../../shared/capture/body-reference'
import type { CaptureNotes } from '../../../shared/capture/notes'
import { isDamaged } from '../../../shared/capture/notes'
import { readCapture } from '../capture-file'

export interface VerifyReport {
  /** True when nothing is wrong. */
  intact: boolean
  events: number
  notes: CaptureNotes
  /** Events that are missing between others, and that no `capture.lost` explains. */
  missing: number
  /** Events that refer to a text which is not there. */
  dangling: number
  /** Events that are earlier than the one before them. */
  backwards: number
  /** Events whose call did not begin in this file. */
  headless: number
  /** Header fields that should be redacted by the header of the capture, and are not. */
  unredacted: number
  /** The first few of each, in words. */
  examples: string[]
}

const MAX_EXAMPLES = 10
/** References are checked for so many texts at a time; older ones are taken for granted. */
const MAX_TEXTS = 1_000_000

/** Reads a capture from its beginning to its end and says what is wrong with it. Rejects with `CaptureFileError`. */
export async function verifyCapture(
  path: string,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void } = {},
): Promise<VerifyReport> {
  const reader = await readCapture(path)
  const check = new Check(reader.header)
  for await (const batch of reader.batches()) {
    signal?.throwIfAborted()
    for (const { event, number } of batch) check.take(event, number)
    onProgress?.(reader.position.offset, reader.bytes)
  }
  return check.report(reader.notes)
}

class Check {
  private readonly counts = { events: 0, missing: 0, dangling: 0, backwards: 0, headless: 0, unredacted: 0 }
  private readonly examples: string[] = []
  private readonly texts = new Map<number, Set<number>>()
  private readonly begun = new Set<number>()
  private texted = 0
  private seq = 0
  private at = 0
  private gap = 0

  private readonly secretHeaders: ReadonlySet<string>
  private readonly excerpt: boolean
  /** Events up to this one are in an earlier file. */
  private readonly before: number

  constructor({ redaction, excerpt, continues }: CaptureHeader) {
    this.secretHeaders = new Set(redaction.headers)
    this.excerpt = excerpt === true
    this.before = continues?.seq ?? 0
    this.seq = this.before
  }

  take(event: CaptureEvent, line: number): void {
    this.counts.events++
    if (!this.excerpt && event.seq > this.before) this.gap += event.seq - this.seq - 1
    this.seq = Math.max(this.seq, event.seq)
    if (event.at < this.at) this.note('backwards', line, `event ${event.seq} is earlier than the one before it`)
    this.at = Math.max(this.at, event.at)
    if (event.kind === 'capture.lost') this.gap = Math.max(0, this.gap - event.events)
    if (!('call' in event)) return
    if (event.kind === 'call.received') this.begun.add(event.call)
    else if (!this.begun.has(event.call) && this.before === 0) {
      this.begun.add(event.call)
      this.note('headless', line, `call ${event.call} has no beginning`)
    }
    this.references(event, line)
    for (const name of unredacted(event, this.secretHeaders)) {
      this.note('unredacted', line, `the value of ${name} is not redacted`)
    }
  }

  report(notes: CaptureNotes): VerifyReport {
    // What was passed over is said already, and lost events are counted by their writer.
    const missing = Math.max(0, this.gap - notes.badLines - notes.longLines - notes.unknownEvents)
    if (missing > 0) this.examples.push(`${missing} events are missing without a word of their loss`)
    const { dangling, backwards, headless, unredacted: open } = this.counts
    const intact = !isDamaged(notes) && missing + dangling + backwards + headless + open === 0
    return { ...this.counts, missing, intact, notes, examples: [...notes.examples, ...this.examples] }
  }

  private references(event: CallEvent, line: number): void {
    const { call, seq } = event
    const reference = referenceOf(event)
    const known = this.texts.get(call)
    if (
      reference !== undefined &&
      reference.seq > this.before &&
      known?.has(reference.seq) !== true &&
      this.texted < MAX_TEXTS
    ) {
      this.note('dangling', line, `event ${seq} refers to event ${reference.seq}, which is not there`)
    }
    if (event.kind !== 'call.received' && event.kind !== 'upstream.frame') return
    if (this.texted >= MAX_TEXTS) return
    this.texted++
    if (known === undefined) this.texts.set(call, new Set([seq]))
    else known.add(seq)
  }

  private note(kind: 'dangling' | 'backwards' | 'headless' | 'unredacted', line: number, problem: string): void {
    this.counts[kind]++
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(`line ${line}: ${problem}`)
  }
}

function unredacted(event: CallEvent, secret: ReadonlySet<string>): string[] {
  const headers = 'http' in event ? event.http.headers : 'headers' in event ? event.headers : []
  return headers
    .filter(([name, value]) => secret.has(name.toLowerCase()) && value !== '' && !value.includes('«redacted '))
    .map(([name]) => name)
}
