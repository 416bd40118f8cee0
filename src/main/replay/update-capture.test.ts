import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CallScript, plainCall, result } from '../../../test/capture/call-script'
import { captureText, HEADER } from '../../../test/capture/capture-text'
import type { CallEvent } from '../../shared/capture/events'
import { foldCall } from '../../shared/capture/fold'
import { noNotes } from '../../shared/capture/notes'
import type { PlannedOperation, ReplayPlan } from '../../shared/replay/plan'
import type { OperationOutcome, OperationReport } from '../../shared/replay/report'
import { verifyCapture } from '../capture/export/verify-capture'
import { openCapture } from '../capture/opened/open-capture'
import { keepAnswers, replacementsOf } from './update-capture'

const planned = (index: number, calls: number[]): PlannedOperation => ({
  index,
  call: calls[0] ?? 0,
  method: 'tools/call',
  name: 'forecast',
  recordedBackend: 'weather',
  backend: 'weather',
  rounds: calls.map((call) => ({ call, exchange: 1, at: 0 })),
  era: 'modern',
  consent: null,
  problem: null,
})
const planOf = (...operations: PlannedOperation[]): ReplayPlan => ({
  mapping: [],
  operations,
  counts: { sent: operations.length, consent: 0, notSent: 0 },
})
const timing = { first: null, answer: null, frames: 0 }
const reported = (index: number, outcome: OperationOutcome, news: [old: number, now: number][]): OperationReport => ({
  index,
  call: news[0]?.[0] ?? 0,
  method: 'tools/call',
  name: 'forecast',
  backend: 'weather',
  outcome,
  rounds: news.map(([call, newCall]) => ({
    call,
    newCall,
    differences: [],
    more: 0,
    ignored: 0,
    timing: { was: timing, now: timing },
  })),
})

describe('replacementsOf', () => {
  it('replaces what differed, call by call, also where a chain became shorter', () => {
    const plan = planOf(planned(0, [1]), planned(1, [2, 3, 5]), planned(2, [4]))
    const reports = [
      reported(2, 'different', [[4, 11]]),
      reported(0, 'same', [[1, 10]]),
      reported(1, 'different', [
        [2, 12],
        [3, 13],
      ]),
    ]
    const { replacements, kept } = replacementsOf(plan, reports)
    expect([...replacements].sort(([a], [b]) => a - b)).toEqual([
      [2, [12]],
      [3, [13]],
      [4, [11]],
      [5, []],
    ])
    expect(kept).toEqual([])
  })

  it('replaces a call that asked several backends as a whole, or not at all', () => {
    const plan = planOf(planned(0, [1]), planned(1, [1]))
    const both = [reported(0, 'same', [[1, 10]]), reported(1, 'different', [[1, 11]])]
    expect([...replacementsOf(plan, both).replacements]).toEqual([[1, [10, 11]]])
    const one = [reported(0, 'not-sent', []), reported(1, 'different', [[1, 11]])]
    expect(replacementsOf(plan, one)).toEqual({ replacements: new Map(), kept: [1] })
  })
})

describe('keepAnswers', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-update-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('puts the new calls in the place of the old ones, numbered anew and redacted as the header says', async () => {
    const path = join(folder, 'c.ndjson')
    const old = [
      ...plainCall({ call: 1 }),
      ...plainCall({ call: 2, operation: 'op-2' }, 8),
      ...plainCall({ call: 3, operation: 'op-3' }, 16),
    ]
    const header = { ...HEADER, redaction: { headers: [], keys: ['pin'] } }
    await writeFile(path, captureText(old, header))
    const news = new CallScript({ call: 40, operation: 'new' }, 900)
      .received()
      .routed()
      .sent(40)
      .head('application/json', 200, 40)
    const answer = JSON.stringify(result({ structuredContent: { pin: '1234', unit: 'F' } }))
    news.upstream(answer, 'body', 40).committed('json').frame(result(), 'result', 'body').ended()
    const capture = await openCapture(path)
    const plan = planOf(planned(0, [1]), planned(1, [2]), planned(2, [3]))
    const reports = [
      reported(0, 'same', [[1, 39]]),
      reported(1, 'different', [[2, 40]]),
      reported(2, 'same', [[3, 41]]),
    ]
    const target = { events: () => Promise.resolve(news.events) }
    expect(await keepAnswers(capture, plan, reports, target)).toEqual({ updated: 1, kept: [] })
    await capture.close()

    const written = await openCapture(path)
    expect([written.notes, written.index.size]).toEqual([noNotes(), 3])
    const record = foldCall(await written.events(2))
    expect(record.exchanges[0]?.frames[0]?.raw.text).toContain('"unit":"F"')
    expect(record.exchanges[0]?.frames[0]?.raw.text).not.toContain('1234')
    expect(record.response.frames[0]?.from).toBe(record.exchanges[0]?.frames[0]?.seq)
    expect(record.receivedAt).toBe(old[8]?.at)
    const seqs = (await Promise.all([1, 2, 3].map((call) => written.events(call)))).flat().map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    expect(foldCall(await written.events(3)).summary.outcome).toBe('result')
    await written.close()
  })

  it('keeps the order of time where rounds take longer than then, and other calls go on meanwhile', async () => {
    const path = join(folder, 'c.ndjson')
    const old = [1, 2, 3].flatMap((call) =>
      plainCall({ call, operation: call === 3 ? 'op-3' : 'op-1' }, (call - 1) * 8).map((event) => ({
        ...event,
        at: event.at + call * 1_000_000,
      })),
    )
    await writeFile(path, captureText(old))
    const round = (call: number, after: number): CallEvent[] => {
      const script = new CallScript({ call, operation: 'new' }, after)
        .received()
        .routed()
        .sent(call)
        .head('x/y', 200, call)
      script.wait(60_000_000).upstream(JSON.stringify(result()), 'body', call)
      return script.committed('json').frame(result(), 'result', 'body').ended().events
    }
    const news = new Map([
      [40, round(40, 900)],
      [41, round(41, 950)],
    ])
    const capture = await openCapture(path)
    const reports = [
      reported(0, 'different', [
        [1, 40],
        [2, 41],
      ]),
      reported(1, 'same', [[3, 42]]),
    ]
    const target = { events: (call: number) => Promise.resolve(news.get(call) ?? []) }
    const plan = planOf(planned(0, [1, 2]), planned(1, [3]))
    expect(await keepAnswers(capture, plan, reports, target)).toEqual({ updated: 2, kept: [] })
    await capture.close()
    expect(await verifyCapture(path)).toMatchObject({ intact: true, examples: [] })
    const written = await openCapture(path)
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(async (call) => foldCall(await written.events(call))),
    )
    expect(first?.response.frames[0]?.from).toBe(first?.exchanges[0]?.frames[0]?.seq)
    expect(second?.receivedAt).toBeGreaterThanOrEqual((first?.receivedAt ?? 0) + 60_000_000)
    expect(third?.receivedAt).toBeLessThan(second?.receivedAt ?? 0)
    await written.close()
  })
})
