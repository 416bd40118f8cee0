import type { CallRecord } from '../capture/record'
import { outcomeOf, recordedExchanges, type RecordedExchange } from './recorded-exchange'

export type Answered = Pick<RecordedExchange, 'era' | 'head' | 'frames' | 'answer' | 'outcome' | 'ended'>

/**
 * What the backend answered to a call that was made again, or any backend when none is named; what the client got, where
 * no backend was asked.
 */
export function answeredIn(record: CallRecord, backend: string | null): Answered {
  const exchanges = recordedExchanges(record).filter((one) => backend === null || one.backend === backend)
  const answered = exchanges.findLast(({ answer }) => answer !== null) ?? exchanges.at(-1)
  return answered ?? onClientLeg(record)
}

/** Of a list that the gateway had kept, for instance. */
function onClientLeg({ response, ended }: CallRecord): Answered {
  const answer = response.frames.findLast(({ message }) => message.kind === 'result' || message.kind === 'error')
  const message = answer?.message ?? null
  return {
    era: 'modern',
    head: response.commit && { status: response.commit.status, headers: [], offset: response.commit.offset },
    frames: response.frames.map(({ offset, body, message: one }) => ({
      offset,
      form: 'body',
      raw: body.text,
      message: one,
    })),
    answer: message,
    outcome: outcomeOf(message),
    ended: ended && {
      reason: ended.outcome === 'cancelled' ? 'cancelled' : 'complete',
      detail: null,
      offset: ended.offset,
    },
  }
}

/** Why there was no server to answer, in words; undefined when one did, or did not then either. */
export function noServer(was: Answered, now: Answered): string | undefined {
  if (now.answer !== null) return undefined
  const status = now.head?.status ?? 0
  if ((status === 401 || status === 403) && was.head?.status !== status)
    return `the backend answers HTTP ${status}: it wants credentials, which a capture does not have; give them in "headers"`
  if (now.ended?.reason === 'refused' && was.ended?.reason !== 'refused')
    return `the backend cannot be reached: ${now.ended.detail ?? 'it refuses connections'}`
  return undefined
}
