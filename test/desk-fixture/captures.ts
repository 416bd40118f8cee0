import type { OpenedCaptureStatus } from '../../src/shared/api/contract'

const base: OpenedCaptureStatus = {
  id: 'c1',
  name: 'friday-booking-bug.ndjson',
  file: '/home/ada/captures/friday-booking-bug.ndjson',
  state: 'open',
  progress: null,
  problem: null,
  calls: 23,
  bytes: 18_400_000,
  startedAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  writtenBy: 'sluice 0.1.0',
  backends: ['weather', 'booking', 'archive', 'faults'],
  notes: ['Redacted when it was recorded: authorization, cookie.'],
  damaged: false,
  passedOver: [],
  handedOverAt: null,
}

/** One capture in each state, with a hostile name among them. */
export const CAPTURES: OpenedCaptureStatus[] = [
  base,
  {
    ...base,
    id: 'c2',
    name: 'from-a-colleague\u202Enosdj.exe with a name that is rather long.ndjson',
    file: '/home/ada/captures/from-a-colleague.ndjson',
    damaged: true,
    passedOver: ['line 17: no JSON', 'line 18: "kind" is "call.recieved", which is not known there'],
    notes: [
      'The last line is torn, as after a crash; it was passed over.',
      '3 lines are no events and were passed over; their calls may lack something.',
      '12 events were not recorded (no space left on device).',
    ],
  },
  {
    ...base,
    id: 'c3',
    name: 'a-long-weekend.ndjson',
    file: '/home/ada/captures/a-long-weekend.ndjson',
    state: 'opening',
    progress: { done: 412e6, total: 1_041e6 },
  },
  {
    ...base,
    id: 'c4',
    name: 'devtools.har',
    file: '/home/ada/devtools.har',
    state: 'failed',
    problem: '/home/ada/devtools.har is a HAR file, not a capture; turn it into one with "sluice capture import"',
  },
]
