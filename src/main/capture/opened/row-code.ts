import type { CallSummary, LifeMark } from '../../../shared/capture/summary'

/**
 * A row as the text in which an index keeps it: the values of its members without their names, which is read faster and
 * is half as long. Another order, or another member, needs another `VERSION` of index files.
 */
export function encodeRow(row: CallSummary): string {
  return JSON.stringify([
    row.call,
    row.receivedAt,
    row.endpoint,
    row.era,
    row.backendEra,
    row.id,
    row.method,
    row.target,
    row.upstreamTarget,
    row.backend,
    sameAs(row.backend, row.backends) ? 0 : row.backends,
    row.client,
    row.deferralWindowMs,
    row.answer,
    row.committedAt,
    row.outcome,
    row.endedBy,
    row.endedAt,
    row.error,
    row.frames,
    row.pings,
    row.progress,
    row.logs,
    row.withheld,
    row.bytesIn,
    row.bytesOut,
    row.lastProgress,
    row.operation,
    row.round,
    row.input,
    row.asked,
    row.drivenRounds,
    row.httpMethod,
    row.stream,
    row.findings,
    row.life.flatMap(({ at, mark }) => [at, MARKS.indexOf(mark)]),
    row.lifeDropped,
    row.annotation,
  ] satisfies Values)
}

/** The row again. `text` is one that `encodeRow` made. */
export function decodeRow(text: string): CallSummary {
  const values = JSON.parse(text) as Values
  const backend = values[9]
  return {
    call: values[0],
    receivedAt: values[1],
    endpoint: values[2],
    era: values[3],
    backendEra: values[4],
    id: values[5],
    method: values[6],
    target: values[7],
    upstreamTarget: values[8],
    backend,
    backends: values[10] === 0 ? (backend === null ? [] : [backend]) : values[10],
    client: values[11],
    deferralWindowMs: values[12],
    answer: values[13],
    committedAt: values[14],
    outcome: values[15],
    endedBy: values[16],
    endedAt: values[17],
    error: values[18],
    frames: values[19],
    pings: values[20],
    progress: values[21],
    logs: values[22],
    withheld: values[23],
    bytesIn: values[24],
    bytesOut: values[25],
    lastProgress: values[26],
    operation: values[27],
    round: values[28],
    input: values[29],
    asked: values[30],
    drivenRounds: values[31],
    httpMethod: values[32],
    stream: values[33],
    findings: values[34],
    life: marksOf(values[35]),
    lifeDropped: values[36],
    annotation: values[37],
  }
}

type Row = CallSummary
type Values = [
  Row['call'],
  Row['receivedAt'],
  Row['endpoint'],
  Row['era'],
  Row['backendEra'],
  Row['id'],
  Row['method'],
  Row['target'],
  Row['upstreamTarget'],
  Row['backend'],
  /** 0: the one of `backend`. */
  Row['backends'] | 0,
  Row['client'],
  Row['deferralWindowMs'],
  Row['answer'],
  Row['committedAt'],
  Row['outcome'],
  Row['endedBy'],
  Row['endedAt'],
  Row['error'],
  Row['frames'],
  Row['pings'],
  Row['progress'],
  Row['logs'],
  Row['withheld'],
  Row['bytesIn'],
  Row['bytesOut'],
  Row['lastProgress'],
  Row['operation'],
  Row['round'],
  Row['input'],
  Row['asked'],
  Row['drivenRounds'],
  Row['httpMethod'],
  Row['stream'],
  Row['findings'],
  /** Times and numbers of marks, in turns. */
  number[],
  Row['lifeDropped'],
  Row['annotation'],
]

const MARKS: readonly LifeMark['mark'][] = ['progress', 'log', 'ping', 'withheld', 'notification', 'question', 'answer']

function sameAs(backend: string | null, backends: readonly string[]): boolean {
  return backend === null ? backends.length === 0 : backends.length === 1 && backends[0] === backend
}

function marksOf(numbers: readonly number[]): LifeMark[] {
  const life: LifeMark[] = []
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    life.push({ at: numbers[at] ?? 0, mark: MARKS[numbers[at + 1] ?? 0] ?? 'notification' })
  }
  return life
}
