import { expect, it } from 'vitest'
import { CallScript } from '../../../test/capture/call-script'
import { CallFold } from '../capture/fold'
import type { CallEvent, EndedBy } from '../capture/events'
import { problemOfRound } from './plan'
import { recordedExchanges } from './recorded-exchange'

/** Why a call is not sent again whose only exchange was cancelled, and which `by` ended. */
function problemOf(by: EndedBy | null): string | null {
  const { events } = new CallScript().received().routed().sent()
  const stamp = { at: 10_000, call: 1 }
  const ends: CallEvent[] = [{ ...stamp, seq: 10, kind: 'upstream.ended', exchange: 1, reason: 'cancelled' }]
  if (by !== null) ends.push({ ...stamp, seq: 11, kind: 'call.ended', outcome: 'cancelled', by })
  const fold = new CallFold(undefined, false)
  for (const event of [...events, ...ends]) fold.add(event)
  const [exchange] = recordedExchanges(fold.record)
  if (exchange === undefined) throw new Error('the script has no exchange')
  return problemOfRound(exchange, 1)
}

it.each<[EndedBy | null, string]>([
  ['client', 'its client gave up before the answer came'],
  ['gateway', 'the gateway ended it before the answer came'],
  ['backend', 'its backend ended it without an answer'],
  [null, 'the capture ends before the answer came'],
])('a call without an answer that %s ended is not sent again, and the words say why', (by, words) => {
  expect(problemOf(by)).toBe(words)
})
