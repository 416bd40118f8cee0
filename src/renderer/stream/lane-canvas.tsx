import { memo, useLayoutEffect, useRef, useState, type MouseEvent, type RefObject } from 'react'
import type { CallRecord } from '../../shared/capture/record'
import { useCanvasSurroundings } from '../theme/use-canvas-surroundings'
import { LINK_LOOKS, MARK_LOOKS } from './lane-looks'
import { LanePainter, type Ink, type Inked, type Inks } from './lane-painter'
import { PICTURE_LEFT, pictureWidth, type LanePicture, type PlacedMark } from './lane-picture'
import { useEndOrNow } from './live-layer'
import styles from './lanes.module.css'

interface LaneCanvasProps {
  picture: LanePicture
  /** What it shows, for those who do not see it. */
  label: string
  /** Width of the axis. */
  room: number
  height: number
  record: CallRecord
  /** The moment at which the picture stands still; null while it moves. */
  frozenAt: number | null
  /** The mark under the pointer. */
  held: PlacedMark | null
  onHold: (mark: PlacedMark | null) => void
  onSelect: (seq: number) => void
}

/** The frames of a call, thousands as cheaply as ten. The list below the lanes is their keyboard way. */
export function LaneCanvas(props: LaneCanvasProps) {
  const { picture, label, room, height, record, frozenAt, held, onHold, onSelect } = props
  const end = useEndOrNow(record, frozenAt)
  const canvas = useRef<HTMLCanvasElement>(null)
  const samples = useRef<SVGSVGElement>(null)
  const painter = useRef<LanePainter | null>(null)
  const { pixels, theme } = useCanvasSurroundings()
  const [inks, setInks] = useState<Inks | null>(null)
  const width = pictureWidth(room)
  useLayoutEffect(() => {
    if (samples.current !== null) setInks(inksOf(samples.current))
  }, [theme])
  // At each drawing, since the picture grows in place.
  useLayoutEffect(() => {
    if (canvas.current === null || inks === null) return
    painter.current ??= new LanePainter(canvas.current)
    painter.current.paint(picture, inks, { width, height, pixels }, end)
  })
  const markAt = (event: MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    return picture.at({ x: event.clientX - box.left + PICTURE_LEFT, y: event.clientY - box.top })
  }
  return (
    <>
      <Samples all={samples} />
      <canvas
        ref={canvas}
        className={styles.canvas}
        style={{ left: PICTURE_LEFT, width, height }}
        role="img"
        aria-label={label}
        data-over={held !== null || undefined}
        onPointerMove={(event) => {
          const mark = markAt(event)
          if (mark === null || mark.mark !== held?.mark) onHold(mark)
        }}
        onPointerLeave={() => onHold(null)}
        onClick={(event) => {
          // What the tip tells of, since a click says less exactly where it was.
          const mark = held ?? markAt(event)
          if (mark !== null) onSelect(mark.mark.seq)
        }}
      />
    </>
  )
}

/** Not drawn: what the style sheet says of each look, from which the canvas takes its colours. */
const SAMPLES: readonly { inked: Inked; className: string | undefined; look?: string }[] = [
  ...MARK_LOOKS.map((look) => ({ inked: `mark ${look}` as const, className: styles.mark, look })),
  ...LINK_LOOKS.map((look) => ({ inked: `link ${look}` as const, className: styles.link, look })),
  { inked: 'progress area', className: styles.area },
  { inked: 'progress line', className: styles.steps },
]

const Samples = memo(function Samples({ all }: { all: RefObject<SVGSVGElement | null> }) {
  return (
    <svg ref={all} className={styles.samples} aria-hidden="true">
      {SAMPLES.map(({ inked, className, look }) => (
        <path key={inked} className={className} data-look={look} />
      ))}
    </svg>
  )
})

function inksOf(samples: SVGSVGElement): Inks {
  const inks = SAMPLES.map(({ inked }, index): [Inked, Ink] => {
    const sample = samples.children[index]
    if (sample === undefined) throw new Error(`there is no sample of ${inked}`)
    const { fill, stroke, strokeWidth, opacity } = getComputedStyle(sample)
    return [inked, { fill, stroke, width: parseFloat(strokeWidth), opacity: Number(opacity) }]
  })
  return Object.fromEntries(inks) as Record<Inked, Ink>
}
