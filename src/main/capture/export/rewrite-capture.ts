import { writeAnnotation } from '../../../shared/capture/annotation'
import type { CaptureEvent, CaptureHeader } from '../../../shared/capture/events'
import type { CaptureNotes } from '../../../shared/capture/notes'
import { redactEvent, RedactionMemory } from '../../../shared/capture/redaction'
import type { RedactionRules } from '../../../shared/capture/redaction-rules'
import { SecretScan, type SecretHint } from '../../../shared/capture/secret-scan'
import { readAnnotations } from '../opened/annotations-file'
import { readCapture, type FileEvent } from '../capture-file'
import { redactHeader } from '../capture-header'
import { writeOutput } from './output-file'

export interface RewriteOptions {
  to: string
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
  const { rulesOf, select, signal, onProgress } = options
  const reader = await readCapture(from)
  const rules = rulesOf?.(reader.header) ?? null
  const memory = new RedactionMemory()
  const scan = new SecretScan()
  const { annotations } = await readAnnotations(from, options.dataFolder)
  const calls = new Set<number>()
  const counts = { events: 0, redacted: 0 }
  let lastAt = 0

  const lineOf = ({ event, line }: Pick<FileEvent, 'event'> & { line?: Buffer }): string | Buffer | undefined => {
    if (select !== null && !select(event)) return undefined
    const written = rules === null ? event : redactEvent(event, rules, memory)
    const text = written === event && line !== undefined ? line.toString('utf8') : JSON.stringify(written)
    // Redaction may give an equal event anew; then the line keeps its bytes.
    const same = written === event || text === JSON.stringify(event)
    const call = 'call' in event ? event.call : null
    if (call !== null) calls.add(call)
    counts.events++
    if (!same) counts.redacted++
    scan.look(text, call, event.seq)
    return same && line !== undefined ? line : text
  }

  try {
    const output = await writeOutput(options.to, { replace: options.replace, inputs: [from] }, async (file) => {
      const header = JSON.stringify(rewrittenHeader(reader.header, rules, select !== null))
      scan.look(header, null, null)
      await file.write(`${header}\n`)
      for await (const batch of reader.batches()) {
        signal?.throwIfAborted()
        for (const one of batch) {
          lastAt = one.event.at
          const line = lineOf(one)
          if (line === undefined) continue
          await file.write(line)
          await file.write('\n')
        }
        onProgress?.(reader.position.offset, reader.bytes)
      }
      let { seq } = reader.position
      for (const [call, annotation] of annotations) {
        // Only of calls that are in the file, whoever wrote the annotations.
        if (!calls.has(call)) continue
        const event: CaptureEvent = {
          seq: ++seq,
          at: lastAt,
          kind: 'call.annotated',
          call,
          ...writeAnnotation(annotation),
        }
        const line = lineOf({ event })
        if (line === undefined) continue
        await file.write(line)
        await file.write('\n')
      }
      return file
    })
    return { ...counts, notes: reader.notes, calls: calls.size, bytes: output.bytes, hints: scan.hints }
  } finally {
    await reader.close()
  }
}

function rewrittenHeader(header: CaptureHeader, rules: RedactionRules | null, excerpt: boolean): CaptureHeader {
  const redacted = redactHeader(header, rules)
  return excerpt ? { ...redacted, excerpt: true } : redacted
}
