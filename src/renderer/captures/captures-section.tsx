import {
  BookOpenCheck,
  ChartNoAxesColumn,
  ChevronDown,
  ChevronRight,
  FileText,
  FolderOpen,
  Radio,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import type { OpenedCaptureStatus, RecentCapture } from '../../shared/api/contract'
import shell from '../shell/shell.module.css'
import type { Selection } from '../stores/selection-store'
import { formatBytes, formatCount, formatDay } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'

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
  const on = (which: Selection['view']) => view === which || undefined
  const earlier = recent.filter(({ file }) => !captures.some((each) => each.file === file))
  const Fold = unfolded ? ChevronDown : ChevronRight
  return (
    <section>
      <h2 className={shell.railTitle}>Captures</h2>
      <button
        type="button"
        className={shell.item}
        data-on={on('calls')}
        aria-current={on('calls')}
        data-testid="live-item"
        onClick={() => onView('calls')}
      >
        <span className={shell.run} aria-hidden="true" />
        this run
        <small>{formatCount(calls)}</small>
      </button>
      <button
        type="button"
        className={shell.item}
        data-on={on('subscriptions')}
        aria-current={on('subscriptions')}
        data-testid="subscriptions-item"
        title="streams on which clients hear of changes"
        onClick={() => onView('subscriptions')}
      >
        <Radio size={12} aria-hidden />
        subscriptions
        <small>{streams === 0 ? '' : `${formatCount(streams)} open`}</small>
      </button>
      <button
        type="button"
        className={shell.item}
        data-on={on('statistics')}
        aria-current={on('statistics')}
        data-testid="statistics-item"
        title="how often tools are called, fail, and how long they take"
        onClick={() => onView('statistics')}
      >
        <ChartNoAxesColumn size={12} aria-hidden />
        statistics
      </button>
      <button
        type="button"
        className={shell.item}
        data-on={on('findings')}
        aria-current={on('findings')}
        data-testid="findings-item"
        title="the rules of the protocol, and how often each was broken"
        onClick={() => onView('findings')}
      >
        <BookOpenCheck size={12} aria-hidden />
        findings
      </button>
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
      <button
        type="button"
        className={shell.item}
        data-testid="open-capture"
        title="Open a capture (o)"
        onClick={onOpen}
      >
        <FolderOpen size={12} aria-hidden /> open…
      </button>
      {earlier.length > 0 && (
        <button
          type="button"
          className={shell.item}
          aria-expanded={unfolded}
          data-testid="recent-captures"
          onClick={() => setUnfolded(!unfolded)}
        >
          <Fold size={12} aria-hidden /> earlier runs
          <small>{formatCount(earlier.length)}</small>
        </button>
      )}
      {unfolded &&
        earlier.map(({ file, bytes, modifiedAt }) => (
          <button
            key={file}
            type="button"
            className={`${shell.item ?? ''} ${shell.nested ?? ''}`}
            title={visibleString(file)}
            onClick={() => onOpenFile(file)}
          >
            {formatDay(modifiedAt)}
            <small>{formatBytes(bytes)}</small>
          </button>
        ))}
    </section>
  )
}

interface CaptureItemProps {
  capture: OpenedCaptureStatus
  on: boolean
  onShow: (capture: string) => void
}

function CaptureItem({ capture, on, onShow }: CaptureItemProps) {
  const { id, name, file, state, calls, progress, problem } = capture
  const failed = state === 'failed'
  const Sign = failed ? TriangleAlert : FileText
  const share = progress === null || progress.total === 0 ? 0 : progress.done / progress.total
  const words = failed ? 'failed' : state === 'opening' ? `${Math.round(share * 100)} %` : formatCount(calls)
  return (
    <button
      type="button"
      className={shell.item}
      data-on={on || undefined}
      aria-current={on || undefined}
      data-testid="capture-item"
      title={visibleString(problem === null ? file : `${file}: ${problem}`)}
      onClick={() => onShow(id)}
    >
      <Sign size={12} aria-hidden {...(failed ? { color: 'var(--error)' } : {})} />
      <span className={shell.itemName}>
        <Visible text={name} />
      </span>
      <small>{words}</small>
    </button>
  )
}
