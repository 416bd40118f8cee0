import { useMemo, useState } from 'react'
import type { ReplayStatus } from '../../shared/api/replay'
import type { DifferenceGroup } from '../../shared/replay/group-differences'
import type { OperationOutcome, OperationReport, ReplayReport } from '../../shared/replay/report'
import { DynamicRows } from '../controls/dynamic-rows'
import { Segments } from '../controls/segments'
import { useFocusWhenLost } from '../controls/use-focus-when-lost'
import page from '../controls/page.module.css'
import { formatCount, formatDuration, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { OperationDiff } from './operation-diff'
import { placeWords, valueText } from './value-text'
import { KeepAnswers } from './keep-answers'
import { SaveReport } from './save-report'
import styles from './replay.module.css'

type Shown = OperationOutcome | 'all'
const WORDS: Record<OperationOutcome, string> = {
  different: 'different',
  failed: 'failed',
  same: 'same',
  'not-sent': 'not sent',
}

/** How a replay went: what differs, grouped, and each operation. */
export function ReplayReportView({ status, report }: { status: ReplayStatus; report: ReplayReport }) {
  const { counts, groups, operations, more, stopped, durationMs } = report
  const sum = useFocusWhenLost<HTMLDivElement>()
  const [shown, setShown] = useState<Shown>('all')
  const [inCalls, setInCalls] = useState<ReadonlySet<number> | null>(null)
  const [open, setOpen] = useState<OperationReport | null>(null)
  const listed = useMemo(
    () =>
      operations.filter(
        (one) =>
          (shown === 'all' || one.outcome === shown) &&
          (inCalls === null || one.rounds.some(({ call }) => inCalls.has(call)) || inCalls.has(one.call)),
      ),
    [operations, shown, inCalls],
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
        <ul className={styles.groups} aria-label="differences">
          {groups.map((group, index) => {
            const on =
              inCalls !== null &&
              group.inCalls.every((call) => inCalls.has(call)) &&
              group.inCalls.length === inCalls.size
            return (
              <li key={index}>
                <Group group={group} on={on} onClick={() => setInCalls(on ? null : new Set(group.inCalls))} />
              </li>
            )
          })}
        </ul>
      )}
      <div className={styles.listBar}>
        <Segments<Shown>
          label="outcome"
          value={shown}
          options={[
            { value: 'all', label: 'all' },
            ...(Object.keys(WORDS) as OperationOutcome[]).map((value) => ({
              value,
              label: `${WORDS[value]} ${formatCount(counts[value])}`,
            })),
          ]}
          onChange={setShown}
        />
        {more > 0 && <span className={page.quiet}>{formatCount(more)} more are not listed</span>}
      </div>
      <div className={styles.halves}>
        <DynamicRows
          className={styles.list}
          role="list"
          aria-label="operations"
          tabIndex={0}
          count={listed.length}
          rowHeight={28}
          rowKey={(index) => listed[index]?.index ?? index}
          renderRow={(index) => {
            const one = listed[index]
            return one === undefined ? null : (
              <Row operation={one} on={open?.index === one.index} onClick={() => setOpen(one)} />
            )
          }}
        />
        {open !== null && <OperationDiff operation={open} capture={status.capture} onClose={() => setOpen(null)} />}
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

function Group({ group, on, onClick }: { group: DifferenceGroup; on: boolean; onClick: () => void }) {
  const { kind, path, names, moreNames, calls, count, constant, example } = group
  const where = names.map(({ name, calls: number }) => `${name} (${number})`).join(', ')
  return (
    <button type="button" className={styles.group} aria-pressed={on} onClick={onClick} data-testid="difference-group">
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

function Row({ operation, on, onClick }: { operation: OperationReport; on: boolean; onClick: () => void }) {
  const { call, method, name, backend, outcome, reason, rounds } = operation
  const differences = rounds.reduce((sum, round) => sum + round.differences.length + round.more, 0)
  const about = reason ?? (outcome === 'different' ? plural(differences, 'difference') : '')
  return (
    <div role="listitem">
      <button
        type="button"
        className={styles.row}
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
