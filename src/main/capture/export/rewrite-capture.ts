import { writeAnnotation } from '../../../shared/capture/annotation'
import type { CaptureEvent, CaptureHeader } from '../../../shared/capture/events'
import { noNotes, type CaptureNotes } from '../../../shared/capture/notes'
import { redactEvent, RedactionMemory } from '../../../shared/capture/redaction'
import type { RedactionRules } from '../../../shared/capture/redaction-rules'
import { SecretScan, type SecretHint } from '../../../shared/capture/secret-scan'
import { readAnnotations } from '../opened/annotations-file'
import { CaptureFileError, readCapture, type CaptureReader } from '../capture-file'
import { redactHeader } from '../capture-header'
import { writeOutput } from './output-file'

export interface RewriteOptions {
  to: string
  /** Files that the capture goes on with, in order: they become one with it. Those before one that is gone are left out. */
  before?: readonly string[]
  /** Replaces a file that is there already. */
  replace: boolean
  /** Makes of the capture's header the rules by which it is redacted; null leaves everything as it is. */
  rulesOf: ((header: CaptureHeader) => RedactionRules) | null
  /** What goes into the new file; everything when null. */
  select: ((event: CaptureEvent) => boolean) | null
  /** Has what readers put on calls where it could not stand beside the capture. */
  dataFolder?: string
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
}

export interface RewriteReport {
  /** Calls, events and bytes in the new file. */
  calls: number
  events: number
  bytes: number
  /** Events that redaction changed. */
  redacted: number
  /** What was not carried over, since it could not be read. */
  notes: CaptureNotes
  /** What still looks like a secret. */
  hints: SecretHint[]
}

/**
 * Writes a capture anew: a part of it, redacted, or just what can be read of it. Events keep their numbers, and what is
 * not changed keeps its bytes; what readers put on calls beside the file comes behind them, as events. Rejects with `CaptureFileError`, `OutputError`, or the reason of `signal`.
 */
export async function rewriteCapture(from: string, options: RewriteOptions): Promise<RewriteReport> {
  const { rulesOf, select, signal, onProgress, before = [] } = options
  const readers = await readersOf(before, from)
  try {
    const [first] = readers
    if (first === undefined) throw new CaptureFileError(`${from} cannot be read`)
    const { header } = first.reader
    const rules = rulesOf?.(header) ?? null
    const writing = new Rewriting(rules, select)
    const bytes = readers.reduce((sum, { reader }) => sum + reader.bytes, 0)
    let [seq, lastAt, done] = [0, 0, 0]
    const inputs = readers.map(({ path }) => path)
    const output = await writeOutput(options.to, { replace: options.replace, inputs }, async (file) => {
      await file.write(`${writing.header(header)}\n`)
      for (const { reader } of readers) {
        for await (const batch of reader.batches()) {
          signal?.throwIfAborted()
          for (const { event, line } of batch) {
            // A file that goes on with another repeats how open calls began.
            if (event.seq <= seq) continue
            ;({ seq, at: lastAt } = event)
            const written = writing.line(event, line)
            if (written === undefined) continue
            await file.write(written)
            await file.write('\n')
          }
          onProgress?.(done + reader.position.offset, bytes)
        }
        done += reader.bytes
      }
      for (const path of inputs) {
        const { annotations } = await readAnnotations(path, options.dataFolder)
        for (const [call, annotation] of annotations) {
          // Only of calls that are in the file, whoever wrote the annotations.
          if (!writing.calls.has(call)) continue
          const said = writeAnnotation(annotation)
          const written = writing.line({ seq: ++seq, at: lastAt, kind: 'call.annotated', call, ...said })
          if (written === undefined) continue
          await file.write(written)
          await file.write('\n')
        }
      }
      return file
    })
    const { events, redacted, calls, scan } = writing
    const notes = notesOf(readers.map(({ reader }) => reader.notes))
    return { events, redacted, notes, calls: calls.size, bytes: output.bytes, hints: scan.hints }
  } finally {
    for (const { reader } of readers) await reader.close()
  }
}

interface OpenReader {
  path: string
  reader: CaptureReader
}

/** Of the files before `from` those that can be read without a gap. */
async function readersOf(before: readonly string[], from: string): Promise<OpenReader[]> {
  const readers: OpenReader[] = [{ path: from, reader: await readCapture(from) }]
  for (const path of [...before].reverse()) {
    try {
      readers.unshift({ path, reader: await readCapture(path) })
    } catch (error) {
      if (!(error instanceof CaptureFileError)) throw error
      // It was removed to keep within the bounds of the folder; the header of the next says that there was one.
      break
    }
  }
  return readers
}

/** What there is to say of several files as of one. */
function notesOf(all: readonly CaptureNotes[]): CaptureNotes {
  const sum = noNotes()
  for (const [index, notes] of all.entries()) {
    const { badLines, longLines, unknownEvents, torn, examples, lost, cutEvents } = notes
    sum.badLines += badLines
    sum.longLines += longLines
    sum.unknownEvents += unknownEvents
    sum.torn ||= torn
    sum.examples.push(...examples)
    sum.lost.events += lost.events
    sum.lost.bytes += lost.bytes
    sum.lost.reasons.push(...lost.reasons.filter((reason) => !sum.lost.reasons.includes(reason)))
    sum.cutEvents += cutEvents
    if (index === 0) sum.continues = notes.continues
  }
  const last = all.at(-1)
  return { ...sum, growing: last?.growing ?? false, continuedIn: last?.continuedIn ?? null }
}

/** Makes the lines of the new file, and counts. */
class Rewriting {
  readonly calls = new Set<number>()
  readonly scan = new SecretScan()
  events = 0
  redacted = 0
  private readonly memory = new RedactionMemory()

  constructor(
    private readonly rules: RedactionRules | null,
    private readonly select: RewriteOptions['select'],
  ) {}

  header(header: CaptureHeader): string {
    const text = JSON.stringify(rewrittenHeader(header, this.rules, this.select !== null))
    this.scan.look(text, null, null)
    return text
  }

  /** `line`: as it stands in the file, whose bytes it keeps when nothing in it changes. Undefined: it is left out. */
  line(event: CaptureEvent, line?: Buffer): string | Buffer | undefined {
    if (this.select !== null && !this.select(event)) return undefined
    const written = this.rules === null ? event : redactEvent(event, this.rules, this.memory)
    const text = written === event && line !== undefined ? line.toString('utf8') : JSON.stringify(written)
    // Redaction may give an equal event anew; then the line keeps its bytes.
    const same = written === event || text === JSON.stringify(event)
    const call = 'call' in event ? event.call : null
    if (call !== null) this.calls.add(call)
    this.events++
    if (!same) this.redacted++
    this.scan.look(text, call, event.seq)
    return same && line !== undefined ? line : text
  }
}

function rewrittenHeader(header: CaptureHeader, rules: RedactionRules | null, excerpt: boolean): CaptureHeader {
  const redacted = redactHeader(header, rules)
  return excerpt ? { ...redacted, excerpt: true } : redacted
}
