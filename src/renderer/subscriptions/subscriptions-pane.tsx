import { useState } from 'react'
import type { BackendHealth } from '../../shared/capture/events'
import type { CallSummary } from '../../shared/capture/summary'
import { useCalls, useNow, useSelection, useSource, useStatus } from '../stores/desk-context'
import { selectCall } from '../stores/selection-store'
import { SubscriptionsView } from './subscriptions-view'

/** Streams that ended are shown up to so many. */
const MOST_ENDED = 200

/** What they announce meanwhile is lost. */
const AWAY = new Set<BackendHealth>(['starting', 'down', 'needs-sign-in'])

/** Open streams and those that ended, kept up to date. */
export function SubscriptionsPane() {
  const source = useSource()
  const selected = useSelection((selection) => selection.call)
  useCalls((state) => state.changes)
  const backends = useStatus((state) => state.status?.backends)
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
      away={new Set(backends?.filter(({ health }) => AWAY.has(health)).map(({ name }) => name))}
      shown={shown}
      selected={selected}
      now={useNow(true, 1)}
      startedAt={source.clock.startedAt}
      onShow={setShown}
      onSelect={(call) => selectCall(source.selection, call)}
    />
  )
}
