import { useState } from 'react'
import type { CallSummary } from '../../shared/capture/summary'
import { useCalls, useNow, useSelection, useSource } from '../stores/desk-context'
import { selectCall } from '../stores/selection-store'
import { SubscriptionsView } from './subscriptions-view'

/** Streams that ended are shown up to so many. */
const MOST_ENDED = 200

/** Open streams and those that ended, kept up to date. */
export function SubscriptionsPane() {
  const source = useSource()
  const selected = useSelection((selection) => selection.call)
  // `revision` moves with every change of a call.
  useCalls((state) => state.revision)
  const [shown, setShown] = useState<'open' | 'ended'>('open')
  const open: CallSummary[] = []
  const ended: CallSummary[] = []
  for (const call of source.calls.streams()) {
    if (call.endedAt === null) open.push(call)
    else if (ended.length < MOST_ENDED) ended.push(call)
  }
  return (
    <SubscriptionsView
      open={open}
      ended={ended}
      shown={shown}
      selected={selected}
      now={useNow(true, 1)}
      startedAt={source.clock.startedAt}
      onShow={setShown}
      onSelect={(call) => selectCall(source.selection, call)}
    />
  )
}
