import type { PartTest } from '../../shared/capture/call-selection'
import type { CallRecord } from '../../shared/capture/record'
import type { CallSummary } from '../../shared/capture/summary'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { consentNeeded, readOnlyHint, type ReadOnlyHint } from '../../shared/replay/consent'
import {
  asksInTheMiddle,
  mapBackends,
  problemOfRound,
  problemOfUnsent,
  type PlannedOperation,
  type ReplayPlan,
} from '../../shared/replay/plan'
import { recordedExchanges, type RecordedExchange } from '../../shared/replay/recorded-exchange'
import { recordOf, rowsOf, type ReplayedCapture } from './recorded-rows'

/** Lists of tools that are looked at for annotations: the newest count. */
const MAX_LISTS = 20

export interface PlanOptions {
  capture: Pick<ReplayedCapture, 'index' | 'events'>
  /** Which calls; a chain of rounds goes as a whole when one of its calls is selected. */
  selected: (row: CallSummary) => boolean
  /** Of a call that asked several backends: what of it is sent again. Where that is none of them, all of it is. */
  isPart?: PartTest
  /** Current names by recorded ones; an empty one leaves their calls out. */
  mapping?: Readonly<Record<string, string>>
  /** Names of the backends that there are now. */
  backends: readonly string[]
  /** The tools of a backend as it lists them now, by name; empty when it cannot be asked. */
  tools: (backend: string) => Promise<ReadonlyMap<string, JsonObject>>
  signal: AbortSignal
  /** Calls that were read, of how many. */
  onProgress?: (done: number, total: number) => void
}

/** An operation while it is put together. Nothing is kept of what was said: a capture may be far larger than memory. */
interface Chain {
  planned: PlannedOperation
  /** Its last round asked for input. */
  asks: boolean
}

/** What would be sent where, what needs consent, and what cannot be sent. Sends nothing but what `tools` does. */
export async function planReplay(options: PlanOptions): Promise<ReplayPlan> {
  const { capture, backends, mapping = {} } = options
  const calls = selectedCalls(options)
  const chains: Chain[] = []
  const open = new Map<string, Chain[]>()
  for (const [done, call] of calls.entries()) {
    options.signal.throwIfAborted()
    addCall(await recordOf(capture, call), chains, open, options.isPart)
    options.onProgress?.(done + 1, calls.length)
  }
  const recorded = new Map<string, number>()
  for (const { planned } of chains)
    if (planned.recordedBackend !== null && planned.problem === null)
      recorded.set(planned.recordedBackend, (recorded.get(planned.recordedBackend) ?? 0) + 1)
  const mapped = mapBackends(recorded, backends, mapping)
  const to = new Map(mapped.map((one) => [one.from, one.to]))
  const recordedTools = await toolsOfCapture(options)
  const currentTools = new Map<string, ReadonlyMap<string, JsonObject>>()
  for (const { planned } of chains) {
    const { recordedBackend: from, name, method } = planned
    if (from === null) continue
    planned.backend = to.get(from) ?? null
    if (planned.backend === null)
      planned.problem ??= mapping[from] === '' ? `calls of "${from}" are left out` : `there is no backend for "${from}"`
    if (planned.problem !== null || planned.backend === null) continue
    if (method === 'tools/call' && !currentTools.has(planned.backend))
      currentTools.set(planned.backend, await options.tools(planned.backend))
    const hints = {
      recorded: hintOf(recordedTools.get(from), name),
      current: hintOf(currentTools.get(planned.backend), name),
    }
    planned.consent = consentNeeded(method, hints) ?? null
  }
  const operations = chains.map(({ planned }) => planned)
  const sent = operations.filter(({ problem }) => problem === null)
  const consent = sent.filter((one) => one.consent !== null).length
  return {
    mapping: mapped,
    operations,
    counts: { sent: sent.length, consent, notSent: operations.length - sent.length },
  }
}

function selectedCalls({ capture, selected }: PlanOptions): number[] {
  const calls = new Set<number>()
  for (const row of rowsOf(capture)) {
    if (!selected(row)) continue
    calls.add(row.call)
    if (row.operation !== null) for (const call of capture.index.operation(row.operation)) calls.add(call)
  }
  return [...calls].sort((a, b) => a - b)
}

function addCall(record: CallRecord, chains: Chain[], open: Map<string, Chain[]>, isPart: PartTest | undefined): void {
  const { call, receivedAt, summary } = record
  const exchanges = partsOf(record, isPart)
  if (exchanges.length === 0) {
    const { method, upstreamTarget, target, era } = summary
    const named = { method: method ?? summary.httpMethod ?? '', name: upstreamTarget ?? target }
    const nowhere = { recordedBackend: null, backend: null, rounds: [], era, consent: null }
    chains.push({
      planned: { index: chains.length, call, ...named, ...nowhere, problem: problemOfUnsent(record) },
      asks: false,
    })
    return
  }
  for (const one of exchanges) {
    const key = JSON.stringify([one.operation, one.backend])
    const round = { call, exchange: one.exchange, at: receivedAt + one.sentAt }
    const asks = one.outcome === 'input-required'
    const ofOperation = open.get(key) ?? []
    const before = ofOperation.findLast((chain) => chain.asks && chain.planned.rounds.length === one.round - 1)
    if (one.round > 1 && before !== undefined) {
      before.planned.rounds.push(round)
      before.planned.problem ??= problemOfRound(one, one.round)
      before.asks = asks
      continue
    }
    const { method, name, backend } = one
    const planned: PlannedOperation = {
      index: chains.length,
      call,
      method,
      name,
      recordedBackend: backend,
      backend: null,
      rounds: [round],
      era: asksInTheMiddle(one) ? 'legacy' : 'modern',
      consent: null,
      problem: problemOfRound(one, 1),
    }
    const chain = { planned, asks }
    chains.push(chain)
    open.set(key, [...ofOperation, chain])
  }
}

function partsOf(record: CallRecord, isPart: PartTest | undefined): RecordedExchange[] {
  const all = recordedExchanges(record)
  const { summary } = record
  if (isPart === undefined || summary.backend !== null || summary.backends.length < 2) return all
  // Of those that were meant some may have been answered for by the gateway, which leaves nothing of them to send.
  const meant = summary.backends.filter((backend) => isPart(summary, backend))
  return meant.length === 0 ? all : all.filter(({ backend }) => meant.includes(backend))
}

/** Tools by recorded backend and name, as recorded lists have them. */
async function toolsOfCapture({ capture, signal }: PlanOptions): Promise<Map<string, Map<string, JsonObject>>> {
  const lists = [...rowsOf(capture)].filter(({ method }) => method === 'tools/list').slice(-MAX_LISTS)
  const found = new Map<string, Map<string, JsonObject>>()
  for (const { call } of lists) {
    signal.throwIfAborted()
    for (const { method, backend, answer } of recordedExchanges(await recordOf(capture, call))) {
      if (method !== 'tools/list') continue
      const tools = found.get(backend) ?? new Map<string, JsonObject>()
      found.set(backend, tools)
      for (const tool of toolsIn(answer?.result)) if (typeof tool.name === 'string') tools.set(tool.name, tool)
    }
  }
  return found
}

/** The entries of a result of `tools/list`. */
export function toolsIn(result: unknown): JsonObject[] {
  return isObject(result) && Array.isArray(result.tools) ? result.tools.filter(isObject) : []
}

function hintOf(tools: ReadonlyMap<string, JsonObject> | undefined, name: string | null): ReadOnlyHint {
  return readOnlyHint(name === null ? undefined : tools?.get(name))
}
