import { applyNamedEdits } from '../../shared/capture/body-reference'
import type { Edit } from '../../shared/capture/events'
import type { WholeText } from '../stores/call-logs'
import { readSseBlock } from '../../shared/capture/message'
import type {
  BodyText,
  CallRecord,
  ExchangeRecord,
  ResponseFrameRecord,
  UpstreamFrameRecord,
} from '../../shared/capture/record'

/** How a body of one leg compares with the same body on the other. */
export type LegVerdict =
  | { kind: 'same' }
  /** Equal but for the named edits. */
  | { kind: 'edited' }
  /** The gateway asked several backends in its own words, and merged what they answered: nothing was carried on. */
  | { kind: 'merged' }
  /** Something differs that no edit names: the stretches from the first to the last difference. */
  | { kind: 'differs'; before: string; after: string; offset: number }
  /** A text is not here whole. */
  | { kind: 'unknown' }
  /** There are no two legs to compare. */
  | { kind: 'none' }

/** Compares a body as it came with how it was carried on: only the named edits may differ. */
export function compareLegs(came: BodyText | null, went: BodyText | null, edits: readonly Edit[]): LegVerdict {
  if (came === null || went === null) return { kind: 'none' }
  if (came.clipped || went.clipped) return { kind: 'unknown' }
  if (came.text === went.text) return { kind: 'same' }
  const expected = applyNamedEdits(came.text, edits)
  if (expected === went.text) return { kind: 'edited' }
  let from = 0
  while (from < expected.length && expected[from] === went.text[from]) from++
  let tail = 0
  const most = Math.min(expected.length, went.text.length) - from
  while (tail < most && expected.at(-1 - tail) === went.text.at(-1 - tail)) tail++
  return {
    kind: 'differs',
    before: expected.slice(from, expected.length - tail),
    after: went.text.slice(from, went.text.length - tail),
    offset: from,
  }
}

/** True for a call that the gateway answered out of what several backends told it. */
export function isMerged({ route }: Pick<CallRecord, 'route'>): boolean {
  return route !== null && route.backend === null && (route.backends?.length ?? 0) > 0
}

/** The text of a body with the whole that was loaded in place of a clipped one. */
export function withWhole(
  body: BodyText | null,
  wholes: ReadonlyMap<number, WholeText>,
  extract: (text: string) => string = (text) => text,
): BodyText | null {
  const whole = body === null ? undefined : wholes.get(body.seq)
  if (body === null || whole?.state !== 'ready') return body
  const text = extract(whole.text)
  return { seq: body.seq, text, length: text.length, clipped: false }
}

/** The frame that ended an exchange: its result or error, or what came instead. */
export function answerOf(exchange: ExchangeRecord): UpstreamFrameRecord | null {
  const { frames } = exchange
  const answer = frames.findLast((frame) => frame.message?.result !== undefined || frame.message?.error !== undefined)
  return (
    answer ?? frames.findLast((frame) => frame.form !== 'comment' && frame.message?.kind !== 'notification') ?? null
  )
}

/** The message of a backend's frame as a body: of an event its data. */
export function messageText(frame: UpstreamFrameRecord): BodyText {
  if (frame.form !== 'event') return frame.raw
  const text = readSseBlock(frame.raw.text).data ?? ''
  return { ...frame.raw, text, length: frame.raw.clipped ? frame.raw.length : text.length }
}

/** The frame that answered the client. */
export function clientAnswer(record: CallRecord): ResponseFrameRecord | null {
  const { frames } = record.response
  return frames.findLast(({ message }) => message.kind !== 'notification' && message.method === undefined) ?? null
}
