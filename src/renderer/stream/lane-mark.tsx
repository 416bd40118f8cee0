import { memo, useMemo } from 'react'
import { visibleString } from '../text/visible-text'
import { SHAPES } from './lane-looks'
import type { PlacedMark } from './lane-picture'
import type { LaneMark } from './lanes-model'
import { ThinMarks, type Drawing, type Thinned } from './thinning'
import styles from './lanes.module.css'

/** A frame that is under the pointer or selected, above all others. */
export function MarkInHand({ mark, lit }: { mark: PlacedMark; lit: boolean }) {
  return (
    <path
      className={styles.mark}
      data-look={mark.look}
      data-lit={lit || undefined}
      data-held={!lit || undefined}
      d={SHAPES[mark.look].path}
      transform={`translate(${mark.x} ${mark.y})`}
    />
  )
}

/** What a mark is, and how many are on its spot. */
export function tipOf({ mark, stands }: Thinned<LaneMark> | PlacedMark): string {
  return `${stands > 1 ? `${stands} × ` : ''}${visibleString(mark.tip)}`
}

interface WithheldProps {
  y: number
  selected: number | null
  onSelect: (seq: number) => void
}

/** What did not pass: hollow marks where it would have been, their reason on hover and focus. The list grows in place. */
export function WithheldMarks({
  marks,
  drawing,
  ...lane
}: WithheldProps & { marks: readonly LaneMark[]; drawing: Drawing }) {
  const thin = useMemo(() => new ThinMarks(marks, drawing), [marks, drawing])
  thin.grow()
  const selected = lane.selected === null ? undefined : marks.find((mark) => mark.seq === lane.selected)
  const beside = selected !== undefined && thin.kept.every(({ mark }) => mark !== selected)
  return (
    <>
      {thin.kept.map((thinned, index) => (
        // By their places: on another axis other marks are drawn, by the same elements.
        <WithheldMark key={index} mark={thinned.mark} x={thinned.x} tip={tipOf(thinned)} {...lane} />
      ))}
      {beside && <WithheldMark mark={selected} x={drawing.x(selected.offset)} tip={selected.tip} {...lane} />}
    </>
  )
}

const WithheldMark = memo(function WithheldMark(props: WithheldProps & { mark: LaneMark; x: number; tip: string }) {
  const { mark, x, y, tip, selected, onSelect } = props
  return (
    <g
      className={styles.withheld}
      role="img"
      aria-label={tip}
      tabIndex={0}
      data-lit={mark.seq === selected || undefined}
      data-testid="withheld-mark"
      data-tip={tip}
      onClick={() => onSelect(mark.seq)}
    >
      <path d={`M${x - 6} ${y}l6 -7 6 7 -6 7z`} />
    </g>
  )
})
