import { describeCause, describeRefusal } from '../../shared/capture/describe'
import type { CallRecord, StateRecord } from '../../shared/capture/record'
import { Card, Facts, type Fact } from '../controls/card'
import { useNow } from '../stores/desk-context'
import { formatBytes, formatDuration, formatEras, formatOffset, formatSetting } from '../text/format'
import { describeNextPing } from './next-ping'

/** The call itself, shown while no frame is selected. */
export function CallCard({ record }: { record: CallRecord }) {
  const { summary, request } = record
  const facts: Fact[] = [
    { name: 'endpoint', value: summary.endpoint },
    { name: 'client', value: summary.client ?? 'did not say' },
    { name: 'id', value: summary.id === null ? 'none' : JSON.stringify(summary.id) },
  ]
  if (summary.target !== null) facts.push({ name: 'target', value: summary.target })
  if (summary.upstreamTarget !== null) facts.push({ name: 'at backend', value: summary.upstreamTarget })
  facts.push(
    { name: 'backend', value: summary.backend ?? (summary.backends.join(', ') || 'none: answered by the gateway') },
    { name: 'eras', value: formatEras(summary) },
    { name: 'bytes', value: `${formatBytes(summary.bytesIn)} in · ${formatBytes(summary.bytesOut)} out` },
  )
  if (request === null) facts.push({ name: 'note', value: 'the beginning of this call was not recorded', tone: 'warn' })
  return (
    <Card title="call" note="select a frame to open it">
      <Facts facts={facts} />
    </Card>
  )
}

export function CommitCard({ record }: { record: CallRecord }) {
  const { commit } = record.response
  const window = formatSetting(record.deferral.windowMs)
  if (commit === null) {
    const open = record.deferral.open
    return (
      <Card title="commit">
        <Facts
          facts={[
            { name: 'form', value: open ? 'not decided yet' : 'nothing was written to the client' },
            { name: 'window', value: window },
          ]}
        />
      </Card>
    )
  }
  return (
    <Card title="commit">
      <Facts
        facts={[
          {
            name: 'form',
            value: `${commit.form.toUpperCase()} ${commit.status}`,
            ...(commit.status >= 400 ? { tone: 'error' as const } : {}),
          },
          { name: 'cause', value: describeCause(commit.cause) },
          {
            name: 'at',
            value: `${formatOffset(commit.offset)}${commit.cause === 'mode' ? '' : ` of a ${window} window`}`,
          },
          ...(commit.form === 'sse' && record.ended === null
            ? [{ name: 'next ping', value: <NextPing record={record} /> }]
            : []),
        ]}
      />
    </Card>
  )
}

/** Counts down to the comment that keeps an open stream alive. */
function NextPing({ record }: { record: CallRecord }) {
  const now = useNow(true)
  return describeNextPing(record, now - record.receivedAt)
}

/** What did not pass, and why; `only` one of them. */
export function WithheldCard({ record, only }: { record: CallRecord; only?: number }) {
  const shown = record.withheld.filter((each) => only === undefined || each.seq === only)
  return (
    <Card title="withheld from the client" note={only === undefined ? shown.length : undefined}>
      <Facts
        facts={shown.slice(0, MOST_WITHHELD).map((each) => ({
          name: formatOffset(each.offset),
          value: `${each.method ?? 'frame'}: ${each.detail}`,
          tone: 'warn',
        }))}
      />
      {shown.length > MOST_WITHHELD && <p>and {shown.length - MOST_WITHHELD} more, in the list of frames</p>}
    </Card>
  )
}
const MOST_WITHHELD = 20

export function EndCard({ record }: { record: CallRecord }) {
  const { ended } = record
  if (ended === null) return null
  const facts: Fact[] = [
    { name: 'outcome', value: ended.outcome, ...(ended.outcome === 'error' ? { tone: 'error' as const } : {}) },
    { name: 'ended by', value: ended.by },
    { name: 'after', value: formatDuration(ended.offset) },
  ]
  if (ended.error !== undefined)
    facts.push({ name: 'error', value: `${ended.error.code} ${ended.error.message}`, tone: 'error' })
  if (ended.detail !== undefined) facts.push({ name: 'detail', value: ended.detail })
  return (
    <Card title="end">
      <Facts facts={facts} />
    </Card>
  )
}

/** A state that was sealed, opened or refused; its contents are on the Rounds tab. */
export function StateCard({ state }: { state: StateRecord }) {
  const facts: Fact[] = [{ name: 'token', value: `${formatBytes(state.outer.length)}` }]
  if (state.kid !== null) facts.push({ name: 'key', value: state.kid })
  if (state.sealed !== null) {
    facts.push({ name: 'backend', value: state.sealed.backend }, { name: 'round', value: String(state.sealed.round) })
  }
  if (state.reason !== null)
    facts.push({ name: 'refused', value: `it ${describeRefusal(state.reason)}`, tone: 'error' })
  if (state.differs !== null) {
    facts.push(
      { name: 'differs', value: state.differs.field, tone: 'error' },
      { name: 'sealed', value: JSON.stringify(state.differs.sealed) },
      { name: 'now', value: JSON.stringify(state.differs.now) },
    )
  }
  return (
    <Card title={`request state ${state.action}`} note="more on the Rounds tab">
      <Facts facts={facts} />
    </Card>
  )
}
