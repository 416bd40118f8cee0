import { CallsPane } from '../calls/calls-pane'
import { FindingsPane } from '../findings/findings-pane'
import { StatisticsPane } from '../statistics/statistics-pane'
import { useSelection, useSource } from '../stores/desk-context'
import { SubscriptionsPane } from '../subscriptions/subscriptions-pane'

/** What stands above the detail: the calls, or another view of them. */
export function TableOfView() {
  const { id } = useSource()
  const view = useSelection((selection) => selection.view)
  if (view === 'statistics') return <StatisticsPane />
  if (view === 'findings') return <FindingsPane />
  // Of a capture nothing is open any more.
  return view === 'subscriptions' && id === null ? <SubscriptionsPane /> : <CallsPane />
}
