import type { ReplayStatus, ShownPlan } from '../../src/shared/api/replay'
import type { PlannedOperation } from '../../src/shared/replay/plan'
import type { OperationReport, ReplayReport } from '../../src/shared/replay/report'

export const REPLAY: ReplayStatus = {
  id: 'r1',
  capture: 'c1',
  name: 'friday-booking-bug.ndjson',
  state: 'planned',
  problem: null,
  done: 0,
  total: 31,
  stopped: false,
  counts: { same: 0, different: 0, failed: 0, 'not-sent': 0 },
}

function operation(call: number, name: string, more: Partial<PlannedOperation> = {}): PlannedOperation {
  const rounds = [{ call, exchange: 1, at: call * 1_000_000 }]
  return {
    index: call,
    call,
    method: 'tools/call',
    name,
    recordedBackend: 'weather',
    backend: 'weather',
    rounds,
    era: 'modern',
    consent: null,
    problem: null,
    ...more,
  }
}

const trip = { recordedBackend: 'booking', backend: 'booking', consent: 'its list does not say that it is read-only' }
const asking = [
  operation(3, 'book_trip', {
    ...trip,
    rounds: [1, 2, 3].map((exchange) => ({ call: exchange + 2, exchange, at: 0 })),
  }),
  operation(9, 'delete_file', {
    recordedBackend: 'files',
    backend: 'weather',
    consent: 'its list says that it is not read-only',
  }),
  operation(15, 'a_name_without_end_'.repeat(12), trip),
]
const unsent = [
  operation(1, '', { method: 'subscriptions/listen', name: null, problem: 'a stream of subscriptions has no answer' }),
  operation(22, 'login\u202Egnp', { problem: 'a value in its params was redacted' }),
]
const reading = Array.from({ length: 28 }, (_, index) =>
  operation(30 + index, index % 3 === 0 ? 'current' : 'forecast'),
)

export const PLAN: ShownPlan = {
  mapping: [
    { from: 'weather', to: 'weather', calls: 29 },
    { from: 'booking', to: 'booking', calls: 2 },
    { from: 'files-of-a-colleague', to: null, calls: 2 },
  ],
  operations: [...asking, ...unsent, ...reading],
  more: 0,
  counts: { sent: 31, consent: 3, notSent: 2 },
  backends: ['weather', 'booking', 'archive', 'faults'],
}

const timing = { was: { first: 12_000, answer: 41_000, frames: 1 }, now: { first: 9_000, answer: 52_000, frames: 1 } }
const same = (call: number): OperationReport => ({
  index: call,
  call,
  method: 'tools/call',
  name: 'current',
  backend: 'weather',
  outcome: 'same',
  rounds: [{ call, newCall: call + 400, differences: [], more: 0, ignored: 2, timing }],
})
const differences = [
  { path: '/result/structuredContent/unit', was: 'celsius', now: 'kelvin' },
  { path: '/result/content/0/text', was: 'Tromsø: 4 °C, rain', now: 'Tromsø: 277 K, rain' },
  { path: '/frames/2', now: { method: 'notifications/message', params: { level: 'info', data: 'converted' } } },
]
const different = (call: number): OperationReport => ({
  ...same(call),
  name: 'forecast',
  outcome: 'different',
  rounds: [{ call, newCall: call + 400, differences, more: 0, ignored: 1, timing }],
})

const operations: OperationReport[] = [
  ...Array.from({ length: 9 }, (_, index) => different(30 + index)),
  {
    ...same(3),
    name: 'book_trip',
    backend: 'booking',
    outcome: 'failed',
    reason: 'the backend "booking" is down: connection refused',
    rounds: [],
  },
  ...Array.from({ length: 18 }, (_, index) => same(40 + index)),
  { ...same(9), name: 'delete_file', outcome: 'not-sent', reason: 'it was not agreed to', rounds: [] },
]
export const REPORT_COUNTS = { same: 18, different: 9, failed: 1, 'not-sent': 1 }

const inCalls = operations.slice(0, 9).map(({ call }) => call)
const groupOf = (index: number) => ({
  kind: index === 2 ? ('new' as const) : ('changed' as const),
  path: differences[index]?.path.replace(/\/\d+/g, '/*') ?? '',
  names: [{ name: 'forecast', calls: 9 }],
  moreNames: 0,
  calls: 9,
  count: index === 1 ? 14 : 9,
  constant: index !== 1,
  example: { ...differences[index]!, call: 30, name: 'forecast' },
  inCalls,
})

export const REPORT: ReplayReport = {
  counts: { total: 29, ...REPORT_COUNTS },
  groups: [0, 1, 2].map(groupOf),
  operations,
  more: 0,
  stopped: false,
  durationMs: 4_210,
}
