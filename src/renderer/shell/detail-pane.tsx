import { PanelBottom, PanelRight } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { useCallback, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { useActions } from '../actions/use-actions'
import { AnnotateButtons } from '../annotations/annotate-buttons'
import { CommentBar } from '../annotations/comment-bar'
import { useAnnotate } from '../annotations/use-annotate'
import type { CallRecord } from '../../shared/capture/record'
import type { CallSummary } from '../../shared/capture/summary'
import { findingsOf } from '../../shared/findings'
import { methodWords } from '../calls/method-words'
import { CompareButton } from '../compare/compare-button'
import { ResendButtons } from '../compose/resend-buttons'
import controls from '../controls/controls.module.css'
import { ErrorBoundary } from '../controls/error-boundary'
import { Failure } from '../controls/failure'
import { FindingsTab } from '../findings/findings-tab'
import { withSuppression } from '../findings/suppression'
import { CopyCall } from '../messages/copy-call'
import { HeadersTab } from '../messages/headers-tab'
import { RawTab } from '../messages/raw-tab'
import { RequestTab, ResponseTab } from '../messages/request-tab'
import { RoundsPane } from '../rounds/rounds-pane'
import type { CallLog } from '../stores/call-logs'
import {
  useCall,
  useCallPart,
  useCallLog,
  useDesk,
  useLogState,
  useNow,
  usePreferences,
  useSelection,
  useSource,
} from '../stores/desk-context'
import { selectCall, TABS, type Tab } from '../stores/selection-store'
import { StreamTab } from '../stream/stream-tab'
import { formatDuration } from '../text/format'
import { visibleString } from '../text/visible-text'
import styles from './shell.module.css'

/** What is known of the selected call. */
export function DetailPane({ call }: { call: number }) {
  const log = useCallLog(call)
  // Not the whole of the summary, which is another one with every frame that comes.
  const known = useCallPart(call, (summary) => summary !== undefined)
  const annotation = useCallPart(call, (summary) => summary?.annotation ?? null)
  /** The call whose comment is being written. */
  const [commenting, setCommenting] = useState<number | null>(null)
  const annotate = useAnnotate(call, annotation)
  const tab = useSelection((selection) => selection.tab)
  const place = usePreferences((preferences) => preferences.detail)
  const { preferences } = useDesk()
  const { selection } = useSource()
  const choose = (next: Tab) => selection.setState({ tab: next })
  const Place = place === 'below' ? PanelRight : PanelBottom
  const otherPlace = place === 'below' ? 'right' : 'below'
  useActions({
    'call.stream': () => choose('stream'),
    'call.rounds': () => choose('rounds'),
    'call.request': () => choose('request'),
    'call.response': () => choose('response'),
    'call.headers': () => choose('headers'),
    'call.findings': () => choose('findings'),
    'call.raw': () => choose('raw'),
    'call.close': () => selection.setState({ call: null, seq: null }),
    'detail.place': () => preferences.setState({ detail: otherPlace }),
  })
  return (
    <Tabs.Root
      className={styles.detail}
      value={tab}
      onValueChange={(value) => choose(TABS.find((each) => each === value) ?? 'stream')}
      data-testid="detail"
      data-tour="detail"
    >
      <div className={styles.tabs}>
        <Tabs.List aria-label="parts of the call">
          {TABS.map((each) => (
            <Tabs.Trigger key={each} value={each} className={styles.tab} data-testid={`tab-${each}`}>
              {each.charAt(0).toUpperCase() + each.slice(1)}
              {each === 'findings' && <FindingsCount call={call} />}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <SummaryLine call={call} />
        {known && <AnnotateButtons annotate={annotate} onComment={() => setCommenting(call)} />}
        {log !== null && <CopyOfCall log={log} />}
        {known && <CompareButton call={call} />}
        {known && <ResendButtons call={call} />}
        <button
          type="button"
          className={controls.icon}
          aria-label={`put detail ${otherPlace === 'right' ? 'to the right' : 'below'}`}
          title={`Put detail ${otherPlace === 'right' ? 'to the right' : 'below'}`}
          onClick={() => preferences.setState({ detail: otherPlace })}
        >
          <Place size={14} aria-hidden />
        </button>
        <button
          type="button"
          className={controls.icon}
          aria-label="close detail"
          title="Close (Esc)"
          onClick={() => selection.setState({ call: null, seq: null })}
        >
          ✕
        </button>
      </div>
      <CommentBar
        key={call}
        annotate={annotate}
        editing={commenting === call}
        onEdit={(editing) => setCommenting(editing ? call : null)}
      />
      <Tabs.Content value={tab} className={styles.panel} tabIndex={-1}>
        {log !== null && (
          <ErrorBoundary key={`${call} ${tab}`} what="This part of the call could not be drawn.">
            <OpenCall log={log} tab={tab} />
          </ErrorBoundary>
        )}
      </Tabs.Content>
    </Tabs.Root>
  )
}

function CopyOfCall({ log }: { log: CallLog }) {
  // Not with every frame that comes.
  const record = useStore(log.store, (state) => state.record)
  return record === null ? null : <CopyCall record={record} />
}

function FindingsCount({ call }: { call: number }) {
  const count = useCallPart(call, (summary) => summary?.findings ?? 0)
  return count === 0 ? null : <span className={styles.count}>{count}</span>
}

function SummaryLine({ call }: { call: number }) {
  const summary = useCall(call)
  return summary === undefined ? null : <SummaryWords summary={summary} />
}

function SummaryWords({ summary }: { summary: CallSummary }) {
  const inFlight = summary.outcome === null
  const now = useNow(inFlight)
  const time = formatDuration((summary.endedAt ?? now) - summary.receivedAt)
  const target = summary.target === null ? '' : ` ${summary.target}`
  const to = summary.backend ?? (summary.backends.join(', ') || 'the gateway itself')
  const text = `#${summary.call} ${methodWords(summary) ?? ''}${target} → ${to} · ${inFlight ? `in flight ${time}` : time}`
  return (
    <span className={styles.sum} title={visibleString(text)}>
      {visibleString(text)}
    </span>
  )
}

function OpenCall({ log, tab }: { log: CallLog; tab: Tab }) {
  const { selection, clock } = useSource()
  const { status, error, record, revision, omitted, wholes } = useLogState(log)
  const seq = useSelection((state) => state.seq)
  // The same at every drawing, so that what has not changed is not drawn.
  const onSelect = useCallback((next: number | null) => selection.setState({ seq: next }), [selection])
  if (status === 'failed' && error !== null) {
    return (
      <div className={styles.failure}>
        <Failure what="This call could not be loaded." error={error} onRetry={() => void log.load()} />
      </div>
    )
  }
  if (record === null)
    return (
      <p className={styles.loading}>
        {status === 'ready' ? 'At this moment of the playback the call has not come yet.' : 'Loading…'}
      </p>
    )
  const onLoadWhole = (of: number) => void log.loadWhole(of)
  switch (tab) {
    case 'stream':
      return (
        <StreamTab
          key={log.call}
          record={record}
          revision={revision}
          omitted={omitted}
          selected={seq}
          wholes={wholes}
          onSelect={onSelect}
          onLoadWhole={onLoadWhole}
        />
      )
    case 'rounds':
      return <RoundsPane record={record} onOpen={(call) => selectCall(selection, call)} />
    case 'request':
      return <RequestTab key={log.call} record={record} wholes={wholes} onLoadWhole={onLoadWhole} />
    case 'response':
      return <ResponseTab key={log.call} record={record} wholes={wholes} onLoadWhole={onLoadWhole} />
    case 'headers':
      return <HeadersTab key={log.call} record={record} startedAt={clock.startedAt} />
    case 'findings':
      return (
        <FoundIn
          record={record}
          revision={revision}
          onJump={(frame) => selection.setState({ tab: 'stream', seq: frame })}
        />
      )
    case 'raw':
      return <RawTab key={log.call} record={record} wholes={wholes} onLoadWhole={onLoadWhole} />
  }
}

function FoundIn(props: { record: CallRecord; revision: number; onJump: (seq: number) => void }) {
  const { record, revision, onJump } = props
  // The record grows in place; its revision says that it did.
  const findings = useMemo(() => (revision > 0 ? findingsOf(record) : []), [record, revision])
  const { preferences } = useDesk()
  const suppressed = usePreferences((state) => state.suppressed)
  const { backend, target } = record.summary
  return (
    <FindingsTab
      key={record.call}
      findings={findings}
      place={{ backend, target }}
      inFlight={record.ended === null}
      suppressed={suppressed}
      onSuppress={(added) => preferences.setState({ suppressed: withSuppression(suppressed, added) })}
      onJump={onJump}
    />
  )
}
