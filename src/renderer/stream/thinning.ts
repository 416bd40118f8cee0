import type { Link } from './lanes-model'

/** Pixels: marks are three times as wide, and nearer to each other they are a band anyway. */
const LEAST_BETWEEN_MARKS = 3
const LEAST_BETWEEN_LINKS = 5

interface Placed {
  offset: number
  kind: string
}

/** A mark, where it is, and how many it stands for. */
export interface Thinned<T> {
  mark: T
  x: number
  stands: number
}

/** How lanes are drawn: where a moment is, and up to where. */
export interface Drawing {
  x: (offset: number) => number
  width: number
}

/** Of a growing list of marks those to draw: one of those on the same spot, the first, which tells how many it stands for. */
export class ThinMarks<T extends Placed> {
  readonly kept: Thinned<T>[] = []
  readonly #marks: readonly T[]
  readonly #drawing: Drawing
  readonly #lastOfKind = new Map<string, Thinned<T>>()
  #seen = 0

  constructor(marks: readonly T[], drawing: Drawing) {
    this.#marks = marks
    this.#drawing = drawing
  }

  /** Takes what has come since the last time. Returns where the first of the new ones to draw is; infinity for none. */
  grow(): number {
    const { x, width } = this.#drawing
    const before = this.kept.length
    for (; this.#seen < this.#marks.length; this.#seen++) {
      const mark = this.#marks[this.#seen]
      if (mark === undefined) continue
      const at = x(mark.offset)
      if (at < -10 || at > width + 10) continue
      const last = this.#lastOfKind.get(mark.kind)
      if (last !== undefined && at - last.x < LEAST_BETWEEN_MARKS) {
        last.stands++
        continue
      }
      const thinned = { mark, x: at, stands: 1 }
      this.#lastOfKind.set(mark.kind, thinned)
      this.kept.push(thinned)
    }
    return this.kept[before]?.x ?? Number.POSITIVE_INFINITY
  }
}

/** Leaves out links that would grow together to a block, and those that are not in sight. */
export class ThinLinks {
  readonly kept: Link[] = []
  readonly #links: readonly Link[]
  readonly #drawing: Drawing
  #last = Number.NEGATIVE_INFINITY
  #seen = 0

  constructor(links: readonly Link[], drawing: Drawing) {
    this.#links = links
    this.#drawing = drawing
  }

  /** Takes what has come since the last time. Returns where the leftmost of the new ones begins; infinity for none. */
  grow(): number {
    const { x, width } = this.#drawing
    let from = Number.POSITIVE_INFINITY
    for (; this.#seen < this.#links.length; this.#seen++) {
      const link = this.#links[this.#seen]
      if (link === undefined) continue
      const at = x(link.to)
      if (at < -10 || at > width + 10 || at - this.#last < LEAST_BETWEEN_LINKS) continue
      this.#last = at
      this.kept.push(link)
      from = Math.min(from, x(link.from), at)
    }
    return from
  }
}
