import { randomBytes } from 'node:crypto'
import { redactionRules, type RedactionRules } from '../../shared/capture/redaction-rules'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { compareExchanges } from '../../shared/replay/compare-answers'
import type { CompareRules } from '../../shared/replay/compare-rules'
import type { PlannedOperation, PlannedRound } from '../../shared/replay/plan'
import { inputRequestsOf, type RecordedExchange } from '../../shared/replay/recorded-exchange'
import type { OperationOutcome, OperationReport, RoundReport } from '../../shared/replay/report'
import { answeredIn, noServer } from '../../shared/replay/answered'
import { LegacyClient } from './legacy-client'
import { exchangeOf, type ReplayedCapture } from './recorded-rows'
import { REPLAY_ID, type ReplayTarget } from './replay-target'
import { modernRequest } from './resent-request'
import { GatewaySender } from './send-request'

/** What is recorded of a call is there soon after it has ended. */
const RECORDED_MS = 10_000

export interface OperationRunOptions {
  capture: ReplayedCapture
  target: ReplayTarget
  rules: CompareRules
  version: string
  /** How much longer than then an answer may take, in milliseconds. */
  patienceMs: number
  /** Gives up what is under way. */
  signal: AbortSignal
}

/** How a round went, beside its report. */
interface Sent {
  report: RoundReport
  response: JsonObject | undefined
  /** Why there is nothing to compare. */
  failed: string | undefined
  /** Worth saying, in words. */
  remark: string | undefined
}

/** Sends operations again, one after the other or at the same time, and compares what comes back. */
export class OperationRun {
  private readonly run = randomBytes(4).toString('hex')
  private readonly sender = new GatewaySender()
  private readonly clients = new Map<string, Promise<LegacyClient>>()
  /** What was redacted then is redacted now, before it is compared: no difference tells a secret that the capture keeps. */
  private readonly redaction: RedactionRules
  private ids = 0

  constructor(private readonly options: OperationRunOptions) {
    this.redaction = redactionRules(options.capture.header.redaction)
  }

  /** Never rejects: what went wrong is in the report. */
  async send(operation: PlannedOperation): Promise<OperationReport> {
    const { index, call, method, name, backend } = operation
    const rounds: RoundReport[] = []
    const report = (outcome: OperationOutcome, reason?: string): OperationReport => ({
      ...{ index, call, method, name, backend, outcome, rounds },
      ...(reason !== undefined && { reason }),
    })
    if (backend === null) return report('not-sent', operation.problem ?? 'there is no backend for it')
    try {
      const reason = await this.rounds(operation, backend, rounds)
      if (reason !== undefined && 'failed' in reason) return report('failed', reason.failed)
      const same = rounds.every(({ differences }) => differences.length === 0) && reason?.stopped === undefined
      return report(same ? 'same' : 'different', reason?.stopped ?? reason?.remark)
    } catch (error) {
      if (this.options.signal.aborted) return report('not-sent', 'the replay was stopped')
      return report('failed', error instanceof Error ? error.message : String(error))
    }
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled([...this.clients.values()])
    const open = clients.flatMap((client) => (client.status === 'fulfilled' ? [client.value] : []))
    await Promise.allSettled(open.map((client) => client.close()))
    await this.sender.close()
  }

  private async rounds(
    operation: PlannedOperation,
    backend: string,
    reports: RoundReport[],
  ): Promise<{ failed: string } | { stopped?: string; remark?: string } | undefined> {
    let requestState: string | undefined
    let remark: string | undefined
    for (const [index, planned] of operation.rounds.entries()) {
      const recorded = await exchangeOf(this.options.capture, planned.call, planned.exchange)
      if (recorded === undefined) return { failed: `call ${planned.call} is no longer in the capture` }
      const sent = await this.round(operation, backend, planned, recorded, requestState)
      if (sent.failed !== undefined) return { failed: sent.failed }
      reports.push(sent.report)
      remark ??= sent.remark
      const last = index === operation.rounds.length - 1
      const other = last ? undefined : asksSomethingElse(recorded, sent.response)
      if (other !== undefined) return { stopped: `it was stopped after round ${index + 1}: ${other}` }
      const result = sent.response?.result
      requestState = isObject(result) && typeof result.requestState === 'string' ? result.requestState : undefined
    }
    return remark === undefined ? undefined : { remark }
  }

  private async round(
    { era }: PlannedOperation,
    backend: string,
    { call }: PlannedRound,
    recorded: RecordedExchange,
    requestState: string | undefined,
  ): Promise<Sent> {
    const { target, version, signal, patienceMs, rules } = this.options
    const id = `${REPLAY_ID}${this.run}-${++this.ids}`
    const limitMs = patienceMs + durationOf(recorded)
    const timeout = AbortSignal.timeout(Math.ceil(limitMs))
    const limit = AbortSignal.any([signal, timeout])
    let response: JsonObject | undefined
    let remark: string | undefined
    try {
      if (era === 'legacy') {
        const client = await this.client(backend)
        response = await client.call(
          recorded,
          id,
          limit,
          (asked) => (remark = `it asks for ${asked}, as it did not then`),
        )
      } else {
        const { message, headers } = modernRequest(recorded, id, requestState, version)
        response = (await this.sender.post(target.endpoint(backend), message, headers, limit)).response
      }
    } catch (error) {
      if (!timeout.aborted || signal.aborted) throw error
      remark = `no answer came within ${Math.round(limitMs / 1_000)} s`
    }
    const recording = AbortSignal.any([signal, AbortSignal.timeout(RECORDED_MS)])
    const record = await target.recorded(id, this.redaction, recording)
    const now = answeredIn(record, backend)
    const comparison = compareExchanges(recorded, now, rules)
    return { report: { call, newCall: record.call, ...comparison }, response, failed: noServer(recorded, now), remark }
  }

  private client(backend: string): Promise<LegacyClient> {
    const known = this.clients.get(backend)
    if (known !== undefined) return known
    const { target, version, signal } = this.options
    const opening = LegacyClient.open(this.sender, target.endpoint(backend), `initialize-${this.run}`, version, signal)
    this.clients.set(backend, opening)
    opening.catch(() => this.clients.delete(backend))
    return opening
  }
}

/** How the questions of a round are not those that were answered then, in words. */
function asksSomethingElse(recorded: RecordedExchange, response: JsonObject | undefined): string | undefined {
  const was = questionsOf(inputRequestsOf(recorded.answer))
  const result = response?.result
  if (!isObject(result) || result.resultType !== 'input_required')
    return `then it asked for ${was.join(', ') || 'nothing by name'}, and now it does not ask`
  const now = questionsOf(isObject(result.inputRequests) ? result.inputRequests : {})
  if (was.join() === now.join()) return undefined
  return `then it asked for ${was.join(', ') || 'nothing by name'}, and now for ${now.join(', ') || 'nothing by name'}`
}

/** Keys with methods, in the order of the keys. */
function questionsOf(requests: JsonObject): string[] {
  return Object.entries(requests)
    .map(([key, request]) => `"${key}" (${isObject(request) ? String(request.method) : 'no request'})`)
    .sort()
}

function durationOf({ frames, ended }: RecordedExchange): number {
  return (ended?.offset ?? frames.at(-1)?.offset ?? 0) / 1_000
}
