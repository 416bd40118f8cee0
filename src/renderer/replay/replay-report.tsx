import { useMemo } from 'react'
import type { ReplayStatus } from '../../shared/api/replay'
import type { DifferenceGroup } from '../../shared/replay/group-differences'
import type { OperationOutcome, OperationReport, ReplayReport } from '../../shared/replay/report'
import { DynamicRows } from '../controls/dynamic-rows'
import { Segments } from '../controls/segments'
import { useFocusWhenLost } from '../controls/use-focus-when-lost'
import { useRoving, type Roving } from '../controls/use-roving'
import page from '../controls/page.module.css'
import { useDesk, useReplays } from '../stores/desk-context'
import { formatCount, formatDuration, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { OperationDiff } from './operation-diff'
import { placeWords, valueText } from './value-text'
import { WHOLE_REPORT, type ReportView } from './replays'
import { KeepAnswers } from './keep-answers'
import { SaveReport } from './save-report'
import styles from './replay.module.css'

const WORDS: Record<OperationOutcome, string> = {
  different: 'different',
  failed: 'failed',
  same: 'same',
  'not-sent': 'not sent',
}

/** How a replay went: what differs, grouped, and each operation. */
export function ReplayReportView({ status, report }: { status: ReplayStatus; report: ReplayReport }) {
  const { counts, groups, operations, more, stopped, durationMs } = report
  const { replays } = useDesk()
  const view = useReplays(({ views }) => views.get(status.id))
  const { outcome, group, open } = view ?? WHOLE_REPORT
  // Who comes back to it from two calls side by side goes on at the button that showed them.
  const sum = useFocusWhenLost<HTMLDivElement>(view === undefined)
  const look = (change: Partial<ReportView>) => replays.look(status.id, change)
  const inCalls = useMemo(() => (group === null ? null : new Set(groups[group]?.inCalls)), [groups, group])
  const listed = useMemo(
    () =>
      operations.filter(
        (one) =>
          (outcome === 'all' || one.outcome === outcome) &&
          (inCalls === null || one.rounds.some(({ call }) => inCalls.has(call)) || inCalls.has(one.call)),
      ),
    [operations, outcome, inCalls],
  )
  const opened = operations.find(({ index }) => index === open)
  const ofGroups = useRoving(
    groups.map((_group, index) => String(index)),
    group === null ? undefined : String(group),
  )
  const ofOperations = useRoving(
    listed.map(({ index }) => String(index)),
    opened === undefined ? undefined : String(opened.index),
  )
  return (
    <div className={`${page.page ?? ''} ${styles.report ?? ''}`}>
      <div ref={sum} className={styles.sum} role="status" tabIndex={-1} data-testid="replay-sum">
        <strong data-tone={counts.different + counts.failed > 0 ? 'warn' : stopped ? undefined : 'ok'}>
          {sumWords(report)}
        </strong>
        <span>
          {formatCount(counts.same)} same · {formatCount(counts.failed)} failed · {formatCount(counts['not-sent'])} not
          sent · took {formatDuration(durationMs * 1000)}
        </span>
        <span className={page.spring} />
        <KeepAnswers status={status} different={counts.different} />
        <SaveReport status={status} />
      </div>
      {groups.length > 0 && (
        <ul className={styles.groups} aria-label="differences" {...ofGroups.list}>
          {groups.map((each, index) => (
            <li key={index}>
              <Group
                group={each}
                on={index === group}
                stop={ofGroups.item(String(index))}
                onClick={() => look({ group: index === group ? null : index })}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.listBar}>
        <Segments<ReportView['outcome']>
          label="outcome"
          value={outcome}
          options={[
            { value: 'all', label: 'all' },
            ...(Object.keys(WORDS) as OperationOutcome[]).map((value) => ({
              value,
              label: `${WORDS[value]} ${formatCount(counts[value])}`,
            })),
          ]}
          onChange={(next) => look({ outcome: next })}
        />
        {more > 0 && <span className={page.quiet}>{formatCount(more)} more are not listed</span>}
      </div>
      <div className={styles.halves}>
        <DynamicRows
          className={styles.list}
          role="list"
          aria-label="operations"
          tabIndex={0}
          {...ofOperations.list}
          reveal={opened === undefined ? null : listed.indexOf(opened)}
          count={listed.length}
          rowHeight={28}
          rowKey={(index) => listed[index]?.index ?? index}
          renderRow={(index) => {
            const one = listed[index]
            return one === undefined ? null : (
              <Row
                operation={one}
                on={open === one.index}
                stop={ofOperations.item(String(one.index))}
                onClick={() => look({ open: one.index })}
              />
            )
          }}
        />
        {opened !== undefined && (
          <OperationDiff operation={opened} capture={status.capture} onClose={() => look({ open: null })} />
        )}
      </div>
    </div>
  )
}

function sumWords({ counts: { same, different, failed }, stopped }: ReplayReport): string {
  const words =
    different + failed > 0
      ? `${plural(different, 'operation')} differ${different === 1 ? 's' : ''}`
      : same === 0
        ? 'Nothing was compared'
        : stopped
          ? `No differences in ${plural(same, 'operation')}`
          : 'No differences'
  return stopped ? `${words}, then it was stopped` : words
}

interface GroupProps {
  group: DifferenceGroup
  on: boolean
  /** Of the Tab key. */
  stop: ReturnType<Roving['item']>
  onClick: () => void
}

function Group({ group, on, stop, onClick }: GroupProps) {
  const { kind, path, names, moreNames, calls, count, constant, example } = group
  const where = names.map(({ name, calls: number }) => `${name} (${number})`).join(', ')
  return (
    <button
      {...stop}
      type="button"
      className={styles.group}
      aria-pressed={on}
      onClick={onClick}
      data-testid="difference-group"
    >
      <span className={styles.kind} data-kind={kind}>
        {kind}
      </span>
      <span className={styles.path} title={visibleString(path)}>
        <Visible text={placeWords(path)} />
      </span>
      <span className={styles.values} title={visibleString(`${valueText(example.was)} → ${valueText(example.now)}`)}>
        {!constant && <span className={page.quiet}>for instance </span>}
        <del>
          <Visible text={valueText(example.was)} />
        </del>{' '}
        <ins>
          <Visible text={valueText(example.now)} />
        </ins>
      </span>
      <span className={styles.where} title={visibleString(where)}>
        {plural(calls, 'call')}
        {count > calls ? `, ${formatCount(count)} times` : ''} · <Visible text={where} />
        {moreNames > 0 ? ` and ${formatCount(moreNames)} more` : ''}
      </span>
    </button>
  )
}

interface RowProps {
  operation: OperationReport
  on: boolean
  /** Of the Tab key. */
  stop: ReturnType<Roving['item']>
  onClick: () => void
}

function Row({ operation, on, stop, onClick }: RowProps) {
  const { call, method, name, backend, outcome, reason, rounds } = operation
  const differences = rounds.reduce((sum, round) => sum + round.differences.length + round.more, 0)
  const about = reason ?? (outcome === 'different' ? plural(differences, 'difference') : '')
  return (
    <div role="listitem">
      <button
        {...stop}
        type="button"
        className={styles.row}
        aria-current={on || undefined}
        data-on={on || undefined}
        data-testid="replayed-operation"
        onClick={onClick}
      >
        <span className={styles.outcome} data-outcome={outcome}>
          {WORDS[outcome]}
        </span>
        <span className={styles.number}>#{call}</span>
        <span className={styles.method}>
          <Visible text={method} />
        </span>
        <span className={styles.target} title={visibleString(name ?? '')}>
          <Visible text={name ?? ''} />
          {rounds.length > 1 && <span className={page.quiet}> · {rounds.length} rounds</span>}
        </span>
        <span className={styles.to} title={visibleString(backend ?? '')}>
          <Visible text={backend ?? ''} />
        </span>
        <span className={styles.why} title={visibleString(about)}>
          <Visible text={about} />
        </span>
      </button>
    </div>
  )
}
