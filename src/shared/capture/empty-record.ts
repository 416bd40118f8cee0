import type { CallRecord, ExchangeRecord, QuestionRecord, RouteRecord } from './record'
import { emptySummary } from './summarise'

/** The record of a call of which nothing is known yet. `questions` is the list that grows with it. */
export function emptyRecord(questions: QuestionRecord[]): CallRecord {
  return {
    call: 0,
    summary: emptySummary(0, 0),
    begun: false,
    receivedAt: 0,
    request: null,
    route: null,
    exchanges: [],
    response: { commit: null, frames: [], pings: [], pingIntervalMs: null },
    questions,
    withheld: [],
    states: [],
    progress: [],
    logs: [],
    deferral: { windowMs: 0, start: 0, end: null, latest: 0, open: false },
    ended: null,
    timeline: [],
  }
}

export function emptyExchange(exchange: number, route: RouteRecord | null): ExchangeRecord {
  return {
    exchange,
    backend: null,
    era: null,
    route,
    sent: null,
    sentAgain: [],
    head: null,
    headsBefore: [],
    frames: [],
    ended: null,
  }
}
