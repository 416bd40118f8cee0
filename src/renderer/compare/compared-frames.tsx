import { FrameDetail } from '../stream/frame-detail'
import { frameRows } from '../stream/frame-rows'
import { FramesList } from '../stream/frames-list'
import type { CallLog, WholeText } from '../stores/call-logs'
import type { CallRecord } from '../../shared/capture/record'
import { useRevised } from './use-revised'
import styles from './compare.module.css'

/** Below it, offsets are told in milliseconds with decimals. In microseconds. */
const FINE_BELOW = 100_000

interface ComparedFramesProps {
  word: 'was' | 'now'
  record: CallRecord
  revision: number
  log: CallLog
  wholes: ReadonlyMap<number, WholeText>
  selected: number | null
  onSelect: (seq: number | null) => void
}

/** The frames of one of two calls, and below them the one that is opened. */
export function ComparedFrames({ word, record, revision, log, wholes, selected, onSelect }: ComparedFramesProps) {
  const frames = useRevised(String(revision), () => frameRows(record, 'both'))
  const index = selected === null ? undefined : frames.indexOf.get(selected)
  const row = index === undefined ? null : (frames.rows[index] ?? null)
  const fine = record.ended !== null && record.ended.offset < FINE_BELOW
  return (
    <section className={styles.column} aria-label={`frames, ${word}`} data-testid={`compared-frames-${word}`}>
      <FramesList frames={frames} grows={record.ended === null} fine={fine} selected={selected} onSelect={onSelect} />
      {row !== null && (
        <div className={styles.opened}>
          <FrameDetail
            record={record}
            row={row}
            wholes={wholes}
            onLoadWhole={(seq) => void log.loadWhole(seq)}
            onClose={() => onSelect(null)}
          />
        </div>
      )}
    </section>
  )
}
