import { useMemo, useState, type KeyboardEvent } from 'react'
import { useActions } from '../actions/use-actions'
import { Failure } from '../controls/failure'
import { useElementWidth } from '../controls/use-element-width'
import {
  useCall,
  useCalls,
  useDesk,
  useNow,
  usePreferences,
  useRounds,
  useSelection,
  useSource,
  useStatus,
} from '../stores/desk-context'
import { DEFAULT_PREFERENCES, type Sort } from '../stores/preferences-store'
import { selectCall } from '../stores/selection-store'
import { plural } from '../text/format'
import { TimelinePane } from '../timeline/timeline-pane'
import { NothingMatches } from '../welcome/welcome'
import { CallRow } from './call-row'
import { CallsTable } from './calls-table'
import { ColumnMenu } from './column-menu'
import { COLUMNS, fitColumns, type Column, type ColumnId } from './columns'
import { stepTo, type Step } from './step'
import shell from '../shell/shell.module.css'

const LIFE = COLUMNS.find((column) => column.id === 'life')

/** The calls table with its store, its preferences and its keys. */
export function CallsPane() {
  const { preferences } = useDesk()
  const source = useSource()
  const { rows, pinned, revision, total, loading, error, filterText } = useCalls((state) => state)
  const selected = useSelection((selection) => (selection.backend === null ? selection.call : null))
  const { hiddenColumns, columnWidths, sort, pinInFlight, timeline } = usePreferences((preferences) => preferences)
  const [followPaused, setFollowPaused] = useState(false)
  const chosen = useMemo(() => COLUMNS.filter((column) => !hiddenColumns.includes(column.id)), [hiddenColumns])
  const [holder, available] = useElementWidth<HTMLDivElement>()
  const { columns, widths, withdrawn } = useMemo(
    () => fitColumns(chosen, columnWidths, available, sort.column),
    [chosen, columnWidths, available, sort.column],
  )
  const lifeWidth = Math.max(LIFE?.least ?? 0, widths.life ?? LIFE?.width ?? 0)

  const step = (by: Step) => {
    const call = stepTo(by, selected, rows, pinned, sort)
    if (call !== undefined) selectCall(source.selection, call)
  }
  useActions({
    'calls.next': () => step('next'),
    'calls.previous': () => step('previous'),
    'calls.first': () => step('first'),
    'calls.last': () => step('last'),
    'calls.follow': () => setFollowPaused(!followPaused),
    'calls.timeline': () => preferences.setState({ timeline: !timeline }),
  })

  // Arrows belong to what has the focus: elsewhere they scroll or move something else.
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 'next' : event.key === 'ArrowUp' ? 'previous' : null
    if (by === null || !(event.target instanceof Element) || event.target.role !== 'grid') return
    event.preventDefault()
    step(by)
  }
  const set = preferences.setState
  return (
    <div ref={holder} className={shell.table} onKeyDown={onKeyDown}>
      {error !== null && (
        <div className={shell.failure}>
          <Failure what="The calls could not be loaded." error={error} onRetry={() => void source.calls.load()} />
        </div>
      )}
      {timeline && source.playback === null && <TimelinePane />}
      <CallsTable
        rows={rows}
        pinned={pinned}
        revision={revision}
        columns={columns}
        widths={widths}
        sort={sort}
        selected={selected}
        followPaused={followPaused}
        onSort={(next: Sort) => set({ sort: next })}
        onResize={(column: ColumnId, width: number) =>
          set((preferences) => ({ columnWidths: { ...preferences.columnWidths, [column]: width } }))
        }
        onResumeFollow={() => setFollowPaused(false)}
        renderRow={(call, rowIndex) => (
          <RowOfCall
            call={call}
            rowIndex={rowIndex}
            columns={columns}
            selected={call === selected}
            lifeWidth={lifeWidth}
          />
        )}
        menu={
          <ColumnMenu
            hidden={hiddenColumns}
            withdrawn={withdrawn}
            pinInFlight={pinInFlight}
            onPinInFlight={(pin) => set({ pinInFlight: pin })}
            onToggleColumn={(column) =>
              set({
                hiddenColumns: hiddenColumns.includes(column)
                  ? hiddenColumns.filter((each) => each !== column)
                  : [...hiddenColumns, column],
              })
            }
            onReset={() => {
              const { hiddenColumns: none, columnWidths: own } = DEFAULT_PREFERENCES
              set({ hiddenColumns: none, columnWidths: own })
            }}
          />
        }
      />
      {rows.length === 0 && pinned.length === 0 && total > 0 && filterText !== '' && !loading && (
        <NothingMatches total={plural(total, 'call')} onClear={() => source.calls.setFilter('')} />
      )}
    </div>
  )
}

interface RowOfCallProps {
  call: number
  rowIndex: number
  columns: readonly Column[]
  selected: boolean
  lifeWidth: number
}

/** A row that draws itself anew when its call changes, and ten times a second while that is in flight. */
function RowOfCall({ call, rowIndex, columns, selected, lifeWidth }: RowOfCallProps) {
  const source = useSource()
  const summary = useCall(call)
  const rounds = useRounds(summary?.operation ?? null)
  const inFlight = summary !== undefined && summary.outcome === null
  const now = useNow(inFlight)
  // Drawn anew when the live run is another.
  useStatus((state) => state.status?.startedAt)
  const [onSelect] = useState(() => (number: number) => selectCall(source.selection, number))
  if (summary === undefined) return null
  return (
    <CallRow
      call={summary}
      columns={columns}
      rounds={rounds}
      selected={selected}
      now={inFlight ? now : 0}
      startedAt={source.clock.startedAt}
      lifeWidth={lifeWidth - 4}
      rowIndex={rowIndex}
      onSelect={onSelect}
    />
  )
}
