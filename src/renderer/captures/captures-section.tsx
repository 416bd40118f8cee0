import {
  BookOpenCheck,
  ChartNoAxesColumn,
  ChevronDown,
  ChevronRight,
  FileText,
  FolderOpen,
  Play,
  Radio,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { OpenedCaptureStatus, RecentCapture } from '../../shared/api/contract'
import { ViewItem } from '../shell/rail'
import { RailItem } from '../shell/rail-item'
import shell from '../shell/shell.module.css'
import { useDesk } from '../stores/desk-context'
import type { Selection } from '../stores/selection-store'
import { formatBytes, formatCount, formatDay } from '../text/format'
import { Visible } from '../text/visible'

export interface CapturesSectionProps {
  /** What of the live run is looked at; null while a backend or another capture is. */
  view: Selection['view'] | null
  calls: number
  /** Open streams of subscriptions. */
  streams: number
  captures: readonly OpenedCaptureStatus[]
  recent: readonly RecentCapture[]
  current: string | null
  /** A file that is being handed over. */
  upload: { name: string; share: number } | null
  onView: (view: Selection['view']) => void
  onShow: (capture: string) => void
  onOpen: () => void
  onOpenFile: (file: string) => void
}

/** The part of the rail with the live run, the captures that are open, and those of earlier runs. */
export function CapturesSection(props: CapturesSectionProps) {
  const { view, calls, streams, captures, recent, current, upload, onView, onShow, onOpen, onOpenFile } = props
  const [unfolded, setUnfolded] = useState(false)
  const earlier = recent.filter(({ file }) => !captures.some((each) => each.file === file))
  const Fold = unfolded ? ChevronDown : ChevronRight
  return (
    <section data-tour="captures">
      <h2 className={shell.railTitle}>Captures</h2>
      <RailItem
        sign={<span className={shell.run} data-sign aria-hidden="true" />}
        name="this run"
        words={formatCount(calls)}
        on={view === 'calls'}
        testId="live-item"
        onClick={() => onView('calls')}
      />
      <ViewItem
        view="subscriptions"
        shown={view}
        title="streams on which clients hear of changes"
        icon={Radio}
        words={streams === 0 ? '' : `${formatCount(streams)} open`}
        onView={onView}
      />
      <ViewItem
        view="statistics"
        shown={view}
        title="how often tools are called, fail, and how long they take"
        icon={ChartNoAxesColumn}
        onView={onView}
      />
      <ViewItem
        view="findings"
        shown={view}
        title="the rules of the protocol, and how often each was broken"
        icon={BookOpenCheck}
        tour="findings"
        onView={onView}
      />
      <ul>
        {captures.map((capture) => (
          <li key={capture.id}>
            <CaptureItem capture={capture} on={capture.id === current} onShow={onShow} />
          </li>
        ))}
      </ul>
      {upload !== null && (
        <p className={shell.item} role="status">
          <span className={shell.itemName}>
            <Visible text={upload.name} />
          </span>
          <small>{Math.round(upload.share * 100)} %</small>
        </p>
      )}
      <RailItem
        sign={<FolderOpen size={12} aria-hidden />}
        name="open…"
        title="Open a capture (o)"
        testId="open-capture"
        onClick={onOpen}
      />
      {earlier.length > 0 && (
        <RailItem
          sign={<Fold size={12} aria-hidden />}
          name="earlier runs"
          words={formatCount(earlier.length)}
          expanded={unfolded}
          testId="recent-captures"
          onClick={() => setUnfolded(!unfolded)}
        />
      )}
      {unfolded &&
        earlier.map(({ file, bytes, modifiedAt }) => (
          <RailItem
            key={file}
            name={formatDay(modifiedAt)}
            words={formatBytes(bytes)}
            title={file}
            nested
            onClick={() => onOpenFile(file)}
          />
        ))}
    </section>
  )
}

interface CaptureItemProps {
  capture: OpenedCaptureStatus
  on: boolean
  onShow: (capture: string) => void
}

/** Of a capture that was not looked at yet. */
const NOT_PLAYED = createStore<{ playing: boolean }>(() => ({ playing: false }))

function CaptureItem({ capture, on, onShow }: CaptureItemProps) {
  const { id, name, file, state, calls, progress, problem } = capture
  // It goes on playing while something else is looked at.
  const playing = useStore(useDesk().captures.playback(id)?.store ?? NOT_PLAYED, (playback) => playback.playing)
  const failed = state === 'failed'
  const Sign = failed ? TriangleAlert : FileText
  const share = progress === null || progress.total === 0 ? 0 : progress.done / progress.total
  const words = failed ? 'failed' : state === 'opening' ? `${Math.round(share * 100)} %` : formatCount(calls)
  return (
    <RailItem
      sign={
        playing ? (
          <Play size={12} role="img" aria-label="playing" color="var(--accent)" />
        ) : (
          <Sign size={12} aria-hidden {...(failed ? { color: 'var(--error)' } : {})} />
        )
      }
      name={<Visible text={name} />}
      words={words}
      on={on}
      title={problem === null ? `${file}${playing ? ', playing' : ''}` : `${file}: ${problem}`}
      testId="capture-item"
      named
      onClick={() => onShow(id)}
    />
  )
}
