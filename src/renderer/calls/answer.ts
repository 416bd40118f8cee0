import type { CallSummary } from '../../shared/capture/summary'

export interface AnswerTag {
  text: string
  /** Drawn as a colour and, with `open`, as a dashed border; the text says the same. */
  tone: 'json' | 'sse' | 'error' | 'waiting' | 'none'
  open: boolean
  /** The same in a sentence, for titles and screen readers. */
  title: string
}

const TITLES: Record<NonNullable<CallSummary['answer']>['cause'], string> = {
  result: 'with the result',
  error: 'with an error',
  notification: 'by the first notification',
  window: 'when the deferral window ended',
  mode: 'by the response mode',
}

/** What the `answer` column says of a call at moment `now` (microseconds since the capture began). */
export function answerTag(call: CallSummary, now: number): AnswerTag {
  const { answer } = call
  if (answer === null) {
    if (call.outcome !== null) {
      return { text: 'none', tone: 'none', open: false, title: 'ended before anything was written to the client' }
    }
    const left = call.deferralWindowMs / 1000 - (now - call.receivedAt) / 1e6
    if (left <= 0) return { text: 'pending', tone: 'waiting', open: true, title: 'nothing written to the client yet' }
    return {
      text: `pending ${left < 10 ? left.toFixed(1) : Math.floor(left)} s`,
      tone: 'waiting',
      open: true,
      title: 'nothing written yet; plain JSON is still possible for this long',
    }
  }
  const form = answer.form === 'json' ? 'JSON' : 'SSE'
  const open = call.outcome === null
  const failed = answer.status >= 400 || call.outcome === 'error'
  const error = call.error === null ? '' : `; error ${call.error.code}`
  return {
    text: open && answer.form === 'sse' ? 'SSE open' : `${form} ${answer.status}`,
    tone: open && answer.form === 'sse' ? 'waiting' : failed ? 'error' : answer.form,
    open,
    title: `committed as ${form} ${answer.status} ${TITLES[answer.cause]}${error}`,
  }
}
