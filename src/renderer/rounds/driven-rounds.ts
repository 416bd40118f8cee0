import { readMessage, resultTypeOf } from '../../shared/capture/message'
import type { CallRecord, ExchangeRecord, QuestionRecord } from '../../shared/capture/record'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { asksOf, answersOf, resultText, type Answer, type Ask } from './rounds-model'

/** A question of a round and what became of it at the client. */
export interface DrivenAsk {
  ask: Ask
  /** Null when the client was not asked. */
  question: QuestionRecord | null
}

/** One round that the gateway drove within a call, for a client that knows no `input_required`. */
export interface DrivenRound {
  round: number
  exchange: number
  /** Microseconds since the call was received. */
  began: number
  /** When the backend answered; null while it has not. */
  answered: number | null
  /** What the client had answered, as it went to the backend. */
  answers: Answer[]
  /** State of the backend that came back to it with this round; null when there was none to bring. */
  stateCame: string | null
  asks: DrivenAsk[]
  /** State that the backend gave for the next round. */
  stateGiven: string | null
  /** Whether the state that came back is the one given by the round before; null when there is nothing to compare. */
  echoed: boolean | null
  outcome: 'in flight' | 'input required' | 'complete' | 'error' | 'no answer'
  result: string | null
}

/** The rounds of a call that the gateway drove; null when it drove none. */
export function drivenRounds(record: CallRecord): DrivenRound[] | null {
  if (record.summary.era !== 'legacy') return null
  const exchanges = record.exchanges.filter(({ route, backend }) => route !== null && route.backend === backend)
  const asked = exchanges.some((exchange) => questionsOf(answerOf(exchange)?.result) !== null)
  if (record.summary.drivenRounds === 0 && !asked) return null
  const rounds: DrivenRound[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const next = exchanges[index + 1]
    rounds.push(roundOf(record, exchange, next?.sent?.offset ?? Number.POSITIVE_INFINITY, rounds.at(-1)))
  }
  return rounds
}

function roundOf(
  record: CallRecord,
  exchange: ExchangeRecord,
  until: number,
  before: DrivenRound | undefined,
): DrivenRound {
  const answer = answerOf(exchange)
  const questions = questionsOf(answer?.result)
  const params = paramsOf(exchange)
  const came = typeof params.requestState === 'string' ? params.requestState : null
  const given = questions?.requestState
  const answered = answer?.offset ?? null
  const began = exchange.sent?.offset ?? 0
  // One after the other the client is asked what the backend asks, in its order.
  const asked = record.questions.filter(
    ({ by, asked: at }) =>
      by === 'gateway' && at !== null && answered !== null && at.offset >= answered && at.offset < until,
  )
  return {
    round: exchange.route?.round ?? 1,
    exchange: exchange.exchange,
    began,
    answered,
    answers: answersOf(params.inputResponses),
    stateCame: came,
    asks: asksOf(questions?.inputRequests).map((ask, index) => ({ ask, question: asked[index] ?? null })),
    stateGiven: typeof given === 'string' ? given : null,
    echoed: came === null || before === undefined ? null : came === before.stateGiven,
    outcome: outcomeOf(answer, exchange),
    result: questions === null ? (answer?.error?.message ?? resultText(answer?.result)) : null,
  }
}

function answerOf(exchange: ExchangeRecord) {
  const frame = exchange.frames.findLast(({ message }) => message?.kind === 'result' || message?.kind === 'error')
  if (frame === undefined || frame.message === null) return undefined
  const { result, error } = frame.message
  return { offset: frame.offset, type: resultTypeOf(frame.message), result, error }
}

/** The result, when it asks for input. */
function questionsOf(result: unknown): JsonObject | null {
  return isObject(result) && result.resultType === 'input_required' ? result : null
}

function paramsOf({ sent }: ExchangeRecord): JsonObject {
  const body = sent?.body
  return body === null || body === undefined || body.clipped ? {} : (readMessage(body.text).params ?? {})
}

function outcomeOf(answer: ReturnType<typeof answerOf>, { ended }: ExchangeRecord): DrivenRound['outcome'] {
  if (answer === undefined) return ended === null ? 'in flight' : 'no answer'
  if (answer.type === 'input_required') return 'input required'
  return answer.error === undefined ? 'complete' : 'error'
}
