import type { CallSummary } from '../../shared/capture/summary'
import page from '../controls/page.module.css'
import { Segments } from '../controls/segments'
import { formatAge, formatBytes, formatClock, formatCount, formatSince, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { flowedWords, honouredWords, refusedMembers } from './stream-words'
import styles from './subscriptions.module.css'

export interface SubscriptionsViewProps {
  /** Streams that are open, the newest first. */
  open: readonly CallSummary[]
  /** Those that ended, the newest first; as many as are worth a look. */
  ended: readonly CallSummary[]
  /** Names of the backends that cannot be heard now. */
  away: ReadonlySet<string>
  shown: 'open' | 'ended'
  selected: number | null
  /** Microseconds since the capture began. */
  now: number
  /** Unix milliseconds of the capture's beginning. */
  startedAt: number
  onShow: (shown: 'open' | 'ended') => void
  onSelect: (call: number) => void
}

/** The streams on which clients hear of changes: who listens, to what, and what flowed. */
export function SubscriptionsView(props: SubscriptionsViewProps) {
  const { open, ended, away, shown, selected, now, startedAt, onShow, onSelect } = props
  const calls = shown === 'open' ? open : ended
  return (
    <div className={page.page} data-testid="subscriptions-view">
      <div className={page.bar}>
        <h2>Subscriptions</h2>
        <Segments
          label="which subscriptions"
          value={shown}
          options={[
            { value: 'open', label: `open ${formatCount(open.length)}` },
            { value: 'ended', label: `ended ${formatCount(ended.length)}` },
          ]}
          onChange={onShow}
        />
        <span className={page.quiet}>
          <code>subscriptions/listen</code> of modern clients, GET streams of legacy sessions
        </span>
      </div>
      {calls.length === 0 ? (
        <p className={page.empty}>
          {shown === 'open'
            ? 'No client listens now. When one opens subscriptions/listen or the GET stream of its session, it stands here with what it hears of.'
            : 'No such stream has ended in this run.'}
        </p>
      ) : (
        <div className={page.scroll}>
          <table className={`${page.table ?? ''} ${styles.table ?? ''}`}>
            <thead>
              <tr>
                <th scope="col">#</th>
                <th scope="col">client</th>
                <th scope="col">endpoint</th>
                <th scope="col">kind</th>
                <th scope="col">{shown === 'open' ? 'since' : 'from'}</th>
                <th scope="col">honoured</th>
                <th scope="col">what flowed</th>
                <th scope="col">last</th>
              </tr>
            </thead>
            <tbody>
              {calls.map((call) => (
                <Row
                  key={call.call}
                  call={call}
                  away={away}
                  selected={call.call === selected}
                  now={now}
                  startedAt={startedAt}
                  onSelect={onSelect}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

interface RowProps {
  call: CallSummary
  away: ReadonlySet<string>
  selected: boolean
  now: number
  startedAt: number
  onSelect: (call: number) => void
}

function Row({ call, away, selected, now, startedAt, onSelect }: RowProps) {
  const { stream } = call
  if (stream === null) return null
  const backends = call.backends.join(', ')
  const unheard = call.endedAt === null ? call.backends.filter((name) => away.has(name)) : []
  return (
    <tr
      aria-selected={selected}
      data-testid="subscription-row"
      data-call={call.call}
      onMouseDown={() => onSelect(call.call)}
    >
      <td>
        <button type="button" className={styles.number} onClick={() => onSelect(call.call)}>
          {call.call}
        </button>
      </td>
      <td className={styles.name}>
        {call.client === null ? <span className={page.quiet}>did not say</span> : <Visible text={call.client} />}
      </td>
      <td className={styles.mono} title={visibleString(backends)}>
        <Visible text={call.endpoint} />
        {call.backends.length > 0 && <small>{plural(call.backends.length, 'backend')}</small>}
        {unheard.length > 0 && (
          <small data-tone="warn" title={visibleString(`not heard now: ${unheard.join(', ')}`)}>
            {unheard.length} away
          </small>
        )}
      </td>
      <td className={styles.short}>
        {stream.kind === 'listen' ? 'listen' : 'GET'}
        <small>
          {call.era}
          {stream.resumed ? ', resumed' : ''}
        </small>
      </td>
      <td className={styles.short}>
        {formatClock(startedAt, call.receivedAt).slice(0, 8)}
        <small>
          {call.endedAt === null
            ? formatSince((now - call.receivedAt) / 1000)
            : `${formatAge((call.endedAt - call.receivedAt) / 1000)}, ended by ${call.endedBy ?? 'nobody known'}`}
        </small>
      </td>
      <Honoured call={call} />
      <td>
        <Flowed call={call} />
      </td>
      <td className={styles.mono}>
        {stream.lastAt === null ? (
          <span className={page.quiet}>—</span>
        ) : call.endedAt === null ? (
          `${formatAge((now - stream.lastAt) / 1000)}${now - stream.lastAt < 5e6 ? '' : ' ago'}`
        ) : (
          formatClock(startedAt, stream.lastAt).slice(0, 8)
        )}
      </td>
    </tr>
  )
}

function Honoured({ call }: { call: CallSummary }) {
  const { stream } = call
  if (stream === null) return <td />
  const refused = refusedMembers(stream)
  const more = stream.uriCount > stream.uris.length ? `\n… ${stream.uriCount - stream.uris.length} more` : ''
  return (
    <td title={stream.uris.length === 0 ? undefined : visibleString(stream.uris.join('\n')) + more}>
      <span data-tone={stream.kind === 'listen' && stream.honoured === null ? 'warn' : undefined}>
        <Visible text={honouredWords(stream)} />
      </span>
      {refused.length > 0 && (
        <small data-tone="warn">
          not: <Visible text={refused.join(', ')} />
        </small>
      )}
    </td>
  )
}

function Flowed({ call }: { call: CallSummary }) {
  const words = call.stream === null ? [] : flowedWords(call.stream)
  return (
    <>
      {words.length === 0 ? (
        <span className={page.quiet}>nothing yet</span>
      ) : (
        <span className={styles.mono}>
          <Visible text={words.slice(0, 3).join(', ')} />
          {words.length > 3 ? `, ${words.length - 3} more` : ''}
        </span>
      )}
      <small>
        {plural(call.pings, 'ping')}
        {call.withheld > 0 ? ` · ${formatCount(call.withheld)} withheld` : ''}
        {` · ${formatBytes(call.bytesOut)}`}
      </small>
    </>
  )
}
