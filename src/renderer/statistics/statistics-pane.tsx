import { useState } from 'react'
import type { Grouping } from '../../shared/capture/statistics'
import { useSource } from '../stores/desk-context'
import type { StatisticsOrder } from './group-order'
import { StatisticsView } from './statistics-view'
import { useStatistics } from './use-statistics'

/** Statistics of what is looked at, kept up to date. */
export function StatisticsPane() {
  const { calls, selection } = useSource()
  const [by, setBy] = useState<Grouping>('tool')
  const [order, setOrder] = useState<StatisticsOrder>({ column: 'calls', descending: true })
  const counted = useStatistics(by)
  return (
    <StatisticsView
      by={by}
      {...counted}
      order={order}
      onBy={setBy}
      onOrder={setOrder}
      onFilter={(text) => {
        calls.setFilter(text)
        selection.setState({ view: 'calls' })
      }}
    />
  )
}
