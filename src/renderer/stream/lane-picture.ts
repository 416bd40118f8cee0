import { LEFT, type LanesLayout } from './lanes-layout'
import type { LaneMark, Lanes } from './lanes-model'
import { besideLane, linkLook, markLook, REACH, SHAPES, type LinkLook, type MarkLook } from './lane-looks'
import { StepLine, type Point } from './progress-steps'
import { ThinLinks, ThinMarks, type Drawing } from './thinning'

/** A mark where it is drawn. */
export interface PlacedMark {
  mark: LaneMark
  look: MarkLook
  x: number
  y: number
  /** How many are on this spot. */
  stands: number
}
export interface PlacedLink {
  look: LinkLook
  from: Point
  to: Point
}

interface Lane {
  marks: readonly LaneMark[]
  thin: ThinMarks<LaneMark>
  leg: 'client' | 'backend'
  middle: number
}

/** Of the steps of progress, in pixels. */
export const PROGRESS_HEIGHT = 28
/** Pixels around a mark that still answer to the pointer. */
const NEAR = 1.5

/** The frames of a call on one axis, their ways between the lanes, and progress. Grows with the call. */
export class LanePicture {
  readonly #lanes: readonly Lane[]
  readonly #links: ThinLinks
  readonly #steps: StepLine | null
  readonly #layout: LanesLayout
  readonly #drawing: Drawing

  constructor(
    lanes: Pick<Lanes, 'client' | 'backendMarks' | 'links' | 'progress'>,
    layout: LanesLayout,
    drawing: Drawing,
  ) {
    this.#layout = layout
    this.#drawing = drawing
    this.#links = new ThinLinks(lanes.links, drawing)
    const lane = (marks: readonly LaneMark[], leg: Lane['leg'], middle: number): Lane => ({
      marks,
      thin: new ThinMarks(marks, drawing),
      leg,
      middle,
    })
    this.#lanes = [
      lane(lanes.client, 'client', layout.client),
      ...layout.backends.map((middle, index) => lane(lanes.backendMarks[index] ?? [], 'backend', middle)),
    ]
    this.#steps =
      layout.progress === null ? null : new StepLine(lanes.progress, drawing.x, layout.progress + 47, PROGRESS_HEIGHT)
  }

  /** Where progress is nothing; null without progress. */
  get base(): number | null {
    return this.#steps?.base ?? null
  }

  /** Takes what has come since the last time. Returns from where on the picture is another one than before. */
  grow(): number {
    let from = Math.min(this.#links.grow(), ...this.#lanes.map(({ thin }) => thin.grow()))
    if (this.#steps !== null) from = Math.min(from, this.#steps.grow())
    return from - REACH
  }

  /** What is to be drawn right of `from`. */
  *links(from: number): Generator<PlacedLink> {
    const { x } = this.#drawing
    const { kept } = this.#links
    let first = kept.length
    while (first > 0 && x(kept[first - 1]?.to ?? 0) >= from) first--
    for (let index = first; index < kept.length; index++) {
      const link = kept[index]
      if (link === undefined) continue
      yield {
        look: linkLook(link.kind),
        from: { x: x(link.from), y: (this.#layout.backends[link.lane] ?? 0) - 6 },
        to: { x: x(link.to), y: this.#layout.client + 6 },
      }
    }
  }

  *marks(from: number): Generator<PlacedMark> {
    for (const { thin, leg, middle } of this.#lanes) {
      const { kept } = thin
      let first = kept.length
      while (first > 0 && (kept[first - 1]?.x ?? 0) + REACH >= from) first--
      for (let index = first; index < kept.length; index++) {
        const thinned = kept[index]
        if (thinned === undefined) continue
        yield { ...placed(thinned.mark, leg, middle), x: thinned.x, stands: thinned.stands }
      }
    }
  }

  /** The corners of the line of progress up to the moment `end`. */
  steps(from: number, end: number): Point[] {
    return this.#steps?.corners(from, this.#drawing.x(end)) ?? []
  }

  /** The mark at a place, of several the one whose middle is nearest. */
  at({ x, y }: Point): PlacedMark | null {
    let best: PlacedMark | null = null
    for (const mark of this.marks(x - 2 * REACH)) {
      const { half, top, bottom } = SHAPES[mark.look]
      const away = Math.abs(mark.x - x)
      if (away > half + NEAR || y < mark.y + top - NEAR || y > mark.y + bottom + NEAR) continue
      if (best === null || away <= Math.abs(best.x - x)) best = mark
    }
    return best
  }

  /** A mark, drawn or not, by its event. */
  markOf(seq: number): PlacedMark | null {
    for (const { marks, leg, middle } of this.#lanes) {
      const mark = marks.find((each) => each.seq === seq)
      if (mark !== undefined) return { ...placed(mark, leg, middle), x: this.#drawing.x(mark.offset), stands: 1 }
    }
    return null
  }
}

function placed(mark: LaneMark, leg: 'client' | 'backend', middle: number): Pick<PlacedMark, 'mark' | 'look' | 'y'> {
  const look = markLook(mark.kind, mark.level)
  return { mark, look, y: middle + besideLane(look, leg) }
}

/** The left edge of what the picture is cut to. */
export const PICTURE_LEFT = LEFT - 1
/** Its width, of which `room` is the axis: marks at its end are seen whole. */
export function pictureWidth(room: number): number {
  return room + 17
}
