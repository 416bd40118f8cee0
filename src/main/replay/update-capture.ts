import type { CallEvent, CaptureEvent } from '../../shared/capture/events'
import { redactEvent, RedactionMemory } from '../../shared/capture/redaction'
import { redactionRules } from '../../shared/capture/redaction-rules'
import type { ReplayPlan } from '../../shared/replay/plan'
import type { OperationReport } from '../../shared/replay/report'
import { readCapture } from '../capture/capture-file'
import { writeOutput } from '../capture/export/output-file'
import type { OpenedCapture } from '../capture/opened/open-capture'
import { rowsOf } from './recorded-rows'
import type { ReplayTarget } from './replay-target'

/** Calls of a capture that give way to calls of a later run: numbers of those, to stand where the old one stood. */
type Replacements = ReadonlyMap<number, readonly number[]>

/**
 * Which calls of the capture are replaced by which new ones: those whose operation came out different. Calls that share
 * operations go together, and stay as they are when one of these was not sent.
 */
export function replacementsOf(
  plan: ReplayPlan,
  reports: readonly OperationReport[],
): { replacements: Map<number, number[]>; kept: number[] } {
  const byIndex = new Map(reports.map((report) => [report.index, report]))
  const ofCall = new Map<number, number[]>()
  for (const { index, call, rounds } of plan.operations)
    for (const number of new Set([call, ...rounds.map((round) => round.call)]))
      ofCall.set(number, [...(ofCall.get(number) ?? []), index])
  const replacements = new Map<number, number[]>()
  const kept: number[] = []
  const seen = new Set<number>()
  for (const { index, outcome } of reports) {
    if (outcome !== 'different' || seen.has(index)) continue
    const operations = together(index, plan, ofCall)
    for (const one of operations) seen.add(one)
    const olds = [
      ...new Set(operations.flatMap((one) => plan.operations[one]?.rounds.map(({ call }) => call) ?? [])),
    ].sort((a, b) => a - b)
    const sent = operations.every((one) => ['same', 'different'].includes(byIndex.get(one)?.outcome ?? ''))
    if (!sent) {
      kept.push(...olds)
      continue
    }
    const news = operations.flatMap((one) => byIndex.get(one)?.rounds.map(({ newCall }) => newCall) ?? [])
    for (const [at, old] of olds.entries())
      replacements.set(old, at < olds.length - 1 ? news.slice(at, at + 1) : news.slice(at))
  }
  return { replacements, kept }
}

/**
 * Keeps the answers of a replay in its capture, as what is expected from now on, in place of those that differed. Answers
 * with how many calls have new answers, and which ones stay as they are since a part of them was not sent.
 */
export async function keepAnswers(
  capture: Pick<OpenedCapture, 'path' | 'index'>,
  plan: ReplayPlan,
  reports: readonly OperationReport[],
  target: Pick<ReplayTarget, 'events'>,
): Promise<{ updated: number; kept: number[] }> {
  const { replacements, kept } = replacementsOf(plan, reports)
  const lastCall = [...rowsOf(capture)].at(-1)?.call ?? 0
  if (replacements.size > 0) await updateCapture(capture.path, replacements, (call) => target.events(call), lastCall)
  return { updated: replacements.size, kept }
}

/** Operations that share calls with this one, by way of others too; in order. */
function together(start: number, plan: ReplayPlan, ofCall: ReadonlyMap<number, readonly number[]>): number[] {
  const found = new Set([start])
  for (const one of found)
    for (const { call } of plan.operations[one]?.rounds ?? [])
      for (const other of ofCall.get(call) ?? []) found.add(other)
  return [...found].sort((a, b) => a - b)
}

/**
 * Writes the capture anew, with new calls in place of old ones and everything else as it was; events are in the order of
 * their times and numbered anew.
 * What the header says is redacted is redacted in the new calls too. Rejects with `CaptureFileError` or `OutputError`;
 * the file is the old one or the new one, nothing between.
 */
async function updateCapture(
  path: string,
  replacements: Replacements,
  eventsOf: (newCall: number) => Promise<readonly CallEvent[]>,
  lastCall: number,
): Promise<void> {
  const reader = await readCapture(path)
  const numbering = new Numbering()
  const rules = redactionRules(reader.header.redaction)
  const memory = new RedactionMemory()
  const begun = new Set<number>()
  const waiting = new WaitingCalls()
  /** When the new calls of an operation have ended. */
  const ends = new Map<string, number>()
  let spare = lastCall
  try {
    await writeOutput(path, { replace: true }, async (output) => {
      const write = (line: object): Promise<void> => output.write(`${JSON.stringify(line)}\n`)
      await write(reader.header)
      for await (const event of reader.events()) {
        const news = 'call' in event ? replacements.get(event.call) : undefined
        for (const line of waiting.until(event.at)) await write(line)
        if (!('call' in event) || news === undefined) {
          await write(numbering.next(event))
          continue
        }
        if (begun.has(event.call)) continue
        begun.add(event.call)
        for (const [index, newCall] of news.entries()) {
          const call = index === 0 ? event.call : ++spare
          const events = await eventsOf(newCall)
          const operation = operationOf(events)
          // A round begins when the one before it has ended, which may have taken longer now.
          const start = Math.max(event.at, ends.get(operation) ?? 0)
          let at = start
          const moved = events.map((one) => {
            at = Math.max(at, start + one.at - (events[0]?.at ?? 0))
            return { ...redactEvent(one, rules, memory), call, at } as CallEvent
          })
          ends.set(operation, at)
          waiting.add(moved, new Numbering(numbering))
        }
      }
      for (const line of waiting.until(Infinity)) await write(line)
    })
  } finally {
    await reader.close()
  }
}

function operationOf(events: readonly CallEvent[]): string {
  for (const event of events) if (event.kind === 'call.routed') return event.operation
  return ''
}

/** New calls whose events go between those of other calls, by their times. */
class WaitingCalls {
  /** The one whose next event comes first is the last. */
  private readonly calls: { events: readonly CallEvent[]; next: number; numbering: Numbering }[] = []

  /** The times of `events` do not fall. */
  add(events: readonly CallEvent[], numbering: Numbering): void {
    this.place({ events, next: 0, numbering })
  }

  /** Takes out what is not later than `at`, in order and numbered. */
  *until(at: number): Generator<CallEvent> {
    for (let call = this.calls.at(-1); call !== undefined; call = this.calls.at(-1)) {
      const event = call.events[call.next]
      if (event === undefined || event.at > at) return
      this.calls.pop()
      this.place({ ...call, next: call.next + 1 })
      yield call.numbering.next(event)
    }
  }

  private place(call: (typeof this.calls)[number]): void {
    const at = call.events[call.next]?.at
    if (at === undefined) return
    let from = 0
    let to = this.calls.length
    while (from < to) {
      const middle = (from + to) >> 1
      const other = this.calls[middle]
      if (other !== undefined && (other.events[other.next]?.at ?? 0) > at) from = middle + 1
      else to = middle
    }
    this.calls.splice(from, 0, call)
  }
}

/** Numbers events from 1 without gaps, and what refers to them with them. */
class Numbering {
  private readonly numbers = new Map<number, number>()
  private readonly counter: { last: number }

  /** With `beside`, for events of another capture between those of this one. */
  constructor(beside?: Numbering) {
    this.counter = beside?.counter ?? { last: 0 }
  }

  next<Event extends CaptureEvent>(event: Event): Event {
    const seq = ++this.counter.last
    this.numbers.set(event.seq, seq)
    const of = (old: number): number => this.numbers.get(old) ?? old
    const numbered = { ...event, seq }
    switch (numbered.kind) {
      case 'upstream.sent':
        if (numbered.bodyFrom !== undefined)
          numbered.bodyFrom = { ...numbered.bodyFrom, seq: of(numbered.bodyFrom.seq) }
        break
      case 'response.frame':
        if (numbered.rawFrom !== undefined) numbered.rawFrom = { ...numbered.rawFrom, seq: of(numbered.rawFrom.seq) }
        if (numbered.from !== undefined) numbered.from = of(numbered.from)
        break
      case 'request.answered':
        if (numbered.to !== undefined) numbered.to = of(numbered.to)
        break
      case 'response.withheld':
        numbered.from = of(numbered.from)
        break
      default:
        break
    }
    return numbered
  }
}
