import { useMemo, useState } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import type { CallRecord } from '../../shared/capture/record'
import { Segments } from '../controls/segments'
import { useActions } from '../actions/use-actions'
import { useLayout } from '../controls/use-layout'
import type { WholeText } from '../stores/call-logs'
import { plural } from '../text/format'
import { FrameDetail } from './frame-detail'
import { GrowingFrameRows, type FrameRows, type LegChoice } from './frame-rows'
import { FramesList } from './frames-list'
import { LanesView } from './lanes'
import { useElementWidth } from '../controls/use-element-width'
import styles from './stream-tab.module.css'

/** Microseconds. */
const FINE_BELOW = 100_000
/** Below this width the opened frame stands under the list instead of beside it. */
const NARROW = 720

export interface StreamTabProps {
  record: CallRecord
  revision: number
  /** Events in the middle that did not come. */
  omitted: number
  selected: number | null
  wholes: ReadonlyMap<number, WholeText>
  onSelect: (seq: number | null) => void
  onLoadWhole: (seq: number) => void
}

/** The call as it moves: lanes above, frames below, the selected frame beside. */
export function StreamTab(props: StreamTabProps) {
  const { record, revision, omitted, selected, wholes, onSelect, onLoadWhole } = props
  const [legs, setLegs] = useState<LegChoice>('both')
  const frames = useFrames(record, revision, legs)
  const [holder, width] = useElementWidth<HTMLDivElement>()
  const narrow = width > 0 && width < NARROW
  const layout = useLayout(
    narrow ? 'stream-narrow' : 'stream',
    narrow ? { frames: 60, side: 40 } : { frames: 68, side: 32 },
  )
  const index = selected === null ? undefined : frames.indexOf.get(selected)
  const row = useMemo(() => (index === undefined ? null : (frames.rows[index] ?? null)), [frames, index])
  const step = (by: 1 | -1) => {
    const next = frames.rows[index === undefined ? (by > 0 ? 0 : frames.rows.length - 1) : index + by]
    if (next !== undefined) onSelect(next.seq)
  }
  useActions({ 'call.previousFrame': () => step(-1), 'call.nextFrame': () => step(1) })
  return (
    <div ref={holder} className={styles.holder} data-narrow={narrow || undefined}>
      <Group key={String(narrow)} className={styles.group} orientation={narrow ? 'vertical' : 'horizontal'} {...layout}>
        <Panel id="frames" minSize={200} className={styles.main}>
          <LanesView record={record} revision={revision} selected={selected} onSelect={onSelect} />
          <div className={styles.tools}>
            <span>
              {plural(frames.rows.length, 'line')}
              {omitted > 0 && <span className={styles.omitted}>{omittedWords(omitted)}</span>}
            </span>
            <Segments
              label="legs"
              value={legs}
              options={[
                { value: 'both', label: 'both legs' },
                { value: 'client', label: 'client' },
                { value: 'backend', label: 'backend' },
              ]}
              onChange={setLegs}
            />
          </div>
          <FramesList
            frames={frames}
            grows={record.ended === null}
            fine={record.ended !== null && record.ended.offset < FINE_BELOW}
            selected={selected}
            onSelect={onSelect}
          />
        </Panel>
        <Separator aria-label="width of the lanes and frames" />
        <Panel id="side" minSize={120}>
          <FrameDetail
            record={record}
            row={row}
            wholes={wholes}
            onLoadWhole={onLoadWhole}
            onClose={() => onSelect(null)}
          />
        </Panel>
      </Group>
    </div>
  )
}

function omittedWords(omitted: number): string {
  return ` · ${plural(omitted, 'event')} in the middle left out: the capture has them`
}

/** The lines of a record that grows in place: those that are new when its revision changes. */
function useFrames(record: CallRecord, revision: number, legs: LegChoice): FrameRows {
  const growing = useMemo(() => new GrowingFrameRows(record, legs), [record, legs])
  return useMemo(() => (revision < 0 ? NO_FRAMES : growing.grow()), [growing, revision])
}
const NO_FRAMES: FrameRows = { rows: [], indexOf: new Map() }
