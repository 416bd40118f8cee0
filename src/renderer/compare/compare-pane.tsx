import { Columns2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { CallRecord } from '../../shared/capture/record'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import page from '../controls/page.module.css'
import type { CallLog } from '../stores/call-logs'
import { SourceProvider, useCaptures, useDesk, useLogOf } from '../stores/desk-context'
import { selectCall } from '../stores/selection-store'
import type { Source } from '../stores/source'
import { LanesView } from '../stream/lanes'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import type { CallPlace, ComparedCalls } from './comparison'
import { differencesOf, endWords } from './compare-records'
import { ComparedFrames } from './compared-frames'
import { useRevised } from './use-revised'
import { DifferenceList } from './difference-list'
import styles from './compare.module.css'

/** Two calls side by side: what differs, both on one time axis, and their frames. */
export function ComparePane({ calls }: { calls: ComparedCalls }) {
  const { comparison } = useDesk()
  const was = usePlaceOf(calls.was)
  const now = usePlaceOf(calls.now)
  const before = useLogOf(was.source?.logs ?? null, calls.was.call)
  const after = useLogOf(now.source?.logs ?? null, calls.now.call)
  const close = () => comparison.close()
  useActions({ 'call.close': close })
  return (
    <div className={page.page} data-testid="compare-pane" data-gives-back>
      <div className={page.bar}>
        <Columns2 size={14} aria-hidden className={page.sign} />
        <h2>Side by side</h2>
        <span className={page.spring} />
        <button
          type="button"
          className={controls.icon}
          aria-label="close comparison"
          title="Close (Esc)"
          onClick={close}
        >
          ✕
        </button>
      </div>
      {was.source === null || now.source === null ? (
        <p className={styles.middle}>
          The capture of one of these calls is not open any more. Open it again, then compare anew.
        </p>
      ) : before === null || after === null ? (
        <p className={styles.middle}>Loading…</p>
      ) : (
        <Both
          was={{ ...was, source: was.source, place: calls.was, log: before, word: 'was' }}
          now={{ ...now, source: now.source, place: calls.now, log: after, word: 'now' }}
        />
      )}
    </div>
  )
}

interface OpenSide {
  word: 'was' | 'now'
  place: CallPlace
  source: Source
  /** Of the capture, or of this run. */
  name: string
  log: CallLog
}

function Both({ was, now }: { was: OpenSide; now: OpenSide }) {
  const before = useStore(was.log.store)
  const after = useStore(now.log.store)
  const [selected, setSelected] = useState<{ was: number | null; now: number | null }>({ was: null, now: null })
  const failed = before.error ?? after.error
  if (failed !== null)
    return (
      <div className={styles.failure}>
        <Failure
          what="One of these calls could not be read."
          error={failed}
          onRetry={() => void Promise.all([was.log.load(), now.log.load()])}
        />
      </div>
    )
  if (before.record === null || after.record === null)
    return (
      <p className={styles.middle}>
        {before.status === 'ready' && after.status === 'ready'
          ? 'One of these calls lies behind the moment at which its capture is played. Move the player on.'
          : 'Loading…'}
      </p>
    )
  const wasSide = { ...was, record: before.record, revision: before.revision, wholes: before.wholes }
  const nowSide = { ...now, record: after.record, revision: after.revision, wholes: after.wholes }
  return (
    <div className={styles.whole} tabIndex={0} role="region" aria-label="two calls">
      <Compared was={wasSide} now={nowSide} selected={selected} onSelect={setSelected} />
      <div className={styles.frames}>
        <ComparedFrames
          {...wasSide}
          selected={selected.was}
          onSelect={(seq) => setSelected({ ...selected, was: seq })}
        />
        <ComparedFrames
          {...nowSide}
          selected={selected.now}
          onSelect={(seq) => setSelected({ ...selected, now: seq })}
        />
      </div>
    </div>
  )
}

export interface RecordSide extends OpenSide {
  record: CallRecord
  /** The record grows in place: this says when to look again. */
  revision: number
}

interface ComparedProps {
  was: RecordSide
  now: RecordSide
  selected: { was: number | null; now: number | null }
  onSelect: (selected: { was: number | null; now: number | null }) => void
}

function Compared({ was, now, selected, onSelect }: ComparedProps) {
  const compared = useRevised(`${was.revision} ${now.revision}`, () => differencesOf(was.record, now.record))
  const until = Math.max(endOf(was.record), endOf(now.record))
  return (
    <>
      <div className={styles.lanes}>
        {[was, now].map((side) => (
          <SourceProvider key={side.word} source={side.source}>
            <SideHead side={side} />
            <LanesView
              record={side.record}
              revision={side.revision}
              selected={selected[side.word]}
              until={until}
              onSelect={(seq) => onSelect({ ...selected, [side.word]: seq })}
            />
          </SourceProvider>
        ))}
      </div>
      {compared !== null && <DifferenceList {...compared} />}
    </>
  )
}

/** Microseconds since the call was received: its end, or the last that was seen of it. */
function endOf({ ended, timeline }: CallRecord): number {
  return ended?.offset ?? timeline.at(-1)?.offset ?? 0
}

function SideHead({ side }: { side: RecordSide }) {
  const { captures, replays, comparison, selection } = useDesk()
  const { record, word, name, place, source } = side
  const open = () => {
    comparison.close()
    replays.show(null)
    captures.show(place.capture)
    if (place.capture === null) selection.setState({ view: 'calls' })
    selectCall(source.selection, place.call)
  }
  const { method, target, backend } = record.summary
  return (
    <div className={styles.sideHead} data-testid={`compared-${word}`}>
      <span className={styles.word} data-word={word}>
        {word}
      </span>
      <button type="button" className={controls.link} onClick={open} title="Open this call">
        #{place.call}
      </button>
      <span className={styles.name}>
        <Visible text={[method ?? '', target ?? ''].join(' ').trim()} />
      </span>
      <span
        className={`${page.quiet ?? ''} ${styles.quiet ?? ''}`}
        title={visibleString(`${backend ?? 'no backend'} · ${name}`)}
      >
        <Visible text={`${backend ?? 'no backend'} · ${name}`} />
      </span>
      <span className={page.spring} />
      <span className={styles.end}>{endWords(record)}</span>
    </div>
  )
}

function usePlaceOf({ capture }: CallPlace): { source: Source | null; name: string } {
  const desk = useDesk()
  const status = useCaptures(({ captures }) => captures.find(({ id }) => id === capture))
  if (capture === null) return { source: desk, name: 'this run' }
  return { source: desk.captures.source(capture) ?? null, name: status?.name ?? 'closed' }
}
