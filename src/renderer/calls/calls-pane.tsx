import { useMemo, useState, type CSSProperties, type KeyboardEvent } from 'react'
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
import type { CallsState } from '../stores/calls-store'
import { DEFAULT_PREFERENCES, type Sort } from '../stores/preferences-store'
import { isByNumber } from '../stores/table-rows'
import { selectCall } from '../stores/selection-store'
import { plural } from '../text/format'
import { TimelinePane } from '../timeline/timeline-pane'
import { NothingMatches } from '../welcome/welcome'
import type { TableGrouping } from './call-groups'
import { CallMenu } from './call-menu'
import { CallRow } from './call-row'
import { CallsTable } from './calls-table'
import { ColumnMenu } from './column-menu'
import { COLUMNS, fitColumns, type Column, type ColumnId } from './columns'
import { GroupRow } from './group-row'
import { nextOf, stepTo, type Step } from './step'
import { edgeOf } from './use-follow'
import { useGroupCursor } from './use-group-cursor'
import shell from '../shell/shell.module.css'

const LIFE = COLUMNS.find((column) => column.id === 'life')

/** Not with every change of a call, of which only its own row is drawn. */
const tableOf = ({ rows, pinned, revision, grouping, total, loading, error, filterText }: CallsState) => ({
  rows,
  pinned,
  revision,
  grouping,
  total,
  loading,
  error,
  filterText,
})

/** The calls table with its store, its preferences and its keys. */
export function CallsPane() {
  const { preferences } = useDesk()
  const source = useSource()
  const { rows, pinned, revision, grouping, total, loading, error, filterText } = useCalls(tableOf)
  // Drawn anew when the live run is another.
  useStatus((state) => state.status?.startedAt)
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

  const edge = edgeOf(sort, grouping)
  const cursor = useGroupCursor(selected)
  const newest = useMemo(() => {
    const { groups } = source.calls
    if (revision < 0 || groups === null || groups.newest === null || !isByNumber(sort)) return null
    return { ...groups.newest, after: (call: number) => groups.newerThan(call) }
    // The groups change in place; the revision says that they did.
  }, [source, sort, revision])
  const goTo = (row: number | undefined) => {
    if (row === undefined) return
    if (row < 0) return cursor.standAt(row)
    cursor.leave()
    selectCall(source.selection, row)
  }
  const step = (by: Step) => goTo(stepTo(by, cursor.at, rows, pinned, edge))
  const nextAnnotated = (direction: 1 | -1) =>
    nextOf([...pinned, ...rows], cursor.at, direction, (row) => (source.calls.get(row)?.annotation ?? null) !== null)
  const group = (by: TableGrouping | null) => {
    cursor.leave()
    source.calls.setGrouping(by)
    preferences.setState({ grouping: by })
  }
  const toggleGroup = (row: number) => {
    const shown = source.calls.group(row)
    if (shown !== undefined) source.calls.expandGroup(row, !shown.expanded)
    cursor.standAt(row)
  }
  const expandAll = (expanded: boolean) => source.calls.expandAllGroups(expanded)
  useActions({
    'calls.next': () => step('next'),
    'calls.previous': () => step('previous'),
    'calls.first': () => step('first'),
    'calls.last': () => step('last'),
    'calls.nextMarked': () => goTo(nextAnnotated(1)),
    'calls.previousMarked': () => goTo(nextAnnotated(-1)),
    'calls.follow': () => setFollowPaused(!followPaused),
    'calls.timeline': () => preferences.setState({ timeline: !timeline }),
    'calls.groupOperation': () => group('operation'),
    'calls.groupBackend': () => group('backend'),
    'calls.groupClient': () => group('client'),
    'calls.groupTool': () => group('tool'),
    ...(grouping !== null && {
      'calls.ungroup': () => group(null),
      'calls.collapseAll': () => expandAll(false),
      'calls.expandAll': () => expandAll(true),
    }),
  })

  /** As in a tree: → opens a group, then goes into it; ← goes from a call to its group, then closes that. */
  const fold = (open: boolean) => {
    const { at } = cursor
    if (at === null) return
    const shown = source.calls.group(at)
    if (shown === undefined) {
      if (!open) goTo(source.calls.groupRowOf(at))
    } else if (shown.expanded !== open) source.calls.expandGroup(at, open)
    else if (open) step('next')
  }
  // Arrows belong to what has the focus: elsewhere they scroll or move something else.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (!(event.target instanceof Element) || event.target.closest('[role=grid], [role=treegrid]') !== event.target)
      return
    const { at } = cursor
    if (event.key === 'ArrowDown') step('next')
    else if (event.key === 'ArrowUp') step('previous')
    else if (grouping !== null && event.key === 'ArrowRight') fold(true)
    else if (grouping !== null && event.key === 'ArrowLeft') fold(false)
    else if (at !== null && at < 0 && (event.key === 'Enter' || event.key === ' ')) toggleGroup(at)
    else return
    event.preventDefault()
  }
  const set = preferences.setState
  return (
    <CallMenu at={cursor.at}>
      <div ref={holder} className={shell.table} style={inSight(available)} onKeyDown={onKeyDown}>
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
          edge={edge}
          grouped={grouping !== null}
          newest={newest}
          groupOf={(row) => (row < 0 ? row : source.calls.groupRowOf(row))}
          at={cursor.at}
          followPaused={followPaused}
          live={source.playback === null}
          onSort={(next: Sort) => set({ sort: next })}
          onResize={(column: ColumnId, width: number) =>
            set((preferences) => ({ columnWidths: { ...preferences.columnWidths, [column]: width } }))
          }
          onResumeFollow={() => setFollowPaused(false)}
          renderRow={(row, rowIndex) =>
            row < 0 ? (
              <RowOfGroup
                row={row}
                rowIndex={rowIndex}
                columns={columns.length}
                current={row === cursor.at}
                onToggle={toggleGroup}
              />
            ) : (
              <RowOfCall
                call={row}
                rowIndex={rowIndex}
                columns={columns}
                selected={row === selected}
                level={grouping === null ? undefined : source.calls.groupRowOf(row) === undefined ? 1 : 2}
                lifeWidth={lifeWidth}
              />
            )
          }
          renderGroup={(row) => (
            <RowOfGroup row={row} columns={columns.length} current={false} onToggle={toggleGroup} />
          )}
          menu={
            <ColumnMenu
              hidden={hiddenColumns}
              withdrawn={withdrawn}
              pinInFlight={pinInFlight}
              grouping={grouping}
              onGrouping={group}
              onExpandAll={expandAll}
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
          empty={
            rows.length === 0 &&
            pinned.length === 0 &&
            total > 0 &&
            filterText !== '' &&
            !loading && <NothingMatches total={plural(total, 'call')} onClear={() => source.calls.setFilter('')} />
          }
        />
      </div>
    </CallMenu>
  )
}

/** How much of the table's width is in sight, for what stays there when it is scrolled sideways. */
function inSight(pixels: number): CSSProperties & Record<'--in-sight', string> {
  return { '--in-sight': pixels === 0 ? '100%' : `${pixels}px` }
}

interface RowOfGroupProps {
  row: number
  /** Left out for the one that stands above the rows. */
  rowIndex?: number
  columns: number
  current: boolean
  onToggle: (row: number) => void
}

/** Drawn anew with the table, whose every change may be one of the group. */
function RowOfGroup({ row, onToggle, ...shown }: RowOfGroupProps) {
  const group = useSource().calls.group(row)
  if (group === undefined) return null
  return <GroupRow group={group} {...shown} onToggle={() => onToggle(row)} />
}

interface RowOfCallProps {
  call: number
  rowIndex: number
  columns: readonly Column[]
  selected: boolean
  /** Below a group, or beside groups; undefined in a table without groups. */
  level: 1 | 2 | undefined
  lifeWidth: number
}

/** A row that draws itself anew when its call changes, and ten times a second while that is in flight. */
function RowOfCall({ call, rowIndex, columns, selected, level, lifeWidth }: RowOfCallProps) {
  const source = useSource()
  const summary = useCall(call)
  const rounds = useRounds(summary?.operation ?? null)
  const inFlight = summary !== undefined && summary.outcome === null
  const now = useNow(inFlight)
  const [onSelect] = useState(() => (number: number) => selectCall(source.selection, number))
  if (summary === undefined) return null
  return (
    <CallRow
      call={summary}
      columns={columns}
      rounds={rounds}
      selected={selected}
      level={level}
      now={inFlight ? now : 0}
      startedAt={source.clock.startedAt}
      lifeWidth={lifeWidth - 4}
      rowIndex={rowIndex}
      onSelect={onSelect}
    />
  )
}
