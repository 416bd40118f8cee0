import type { ReactNode } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useLayout } from '../controls/use-layout'
import { usePreferences } from '../stores/desk-context'

/** The table, and below or beside it what is open; `detail` null when nothing is. */
export function TableAndDetail({ table, detail }: { table: ReactNode; detail: ReactNode }) {
  const place = usePreferences((preferences) => preferences.detail)
  const layout = useLayout(place, { table: 42, detail: 58 })
  // The table stays the same element whether something is open or not: it keeps its place and the focus.
  return (
    <Group orientation={place === 'below' ? 'vertical' : 'horizontal'} {...layout}>
      <Panel id="table" minSize={110} data-part="view">
        {table}
      </Panel>
      {detail !== null && <Separator aria-label="size of the table" />}
      {detail !== null && (
        <Panel id="detail" minSize={160} defaultSize={`${layout.defaultLayout.detail ?? 58}`} data-part="detail">
          {detail}
        </Panel>
      )}
    </Group>
  )
}
