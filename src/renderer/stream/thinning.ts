import type { Link } from './lanes-model'

/** Pixels: marks are three times as wide, and nearer to each other they are a band anyway. */
const LEAST_BETWEEN_MARKS = 3
const LEAST_BETWEEN_LINKS = 5
/** So many are drawn together: those that have not changed are not looked at again. */
const CHUNK = 64

interface Placed {
  offset: number
  kind: string
  seq: number
}
/** A mark, and how many it stands for. */
export type Thinned<T> = T & { stands: number }

/** How lanes are drawn: where a moment is, up to where, and which event is drawn whatever is around it. */
export interface Drawing {
  x: (offset: number) => number
  width: number
  keep: number | null
}

/** A list in pieces that are made anew when something in them changes. */
class Chunks<T> {
  readonly chunks: (readonly T[])[] = []
  length = 0

  at(index: number): T | undefined {
    return this.chunks[Math.floor(index / CHUNK)]?.[index % CHUNK]
  }

  set(index: number, value: T): void {
    const place = Math.floor(index / CHUNK)
    const chunk = [...(this.chunks[place] ?? [])]
    chunk[index % CHUNK] = value
    this.chunks[place] = chunk
    this.length = Math.max(this.length, index + 1)
  }
}

/** Of a growing list of marks those to draw: one of those on the same spot, the first, which tells how many it stands for. */
export class ThinMarks<T extends Placed> {
  readonly #marks: readonly T[]
  readonly #drawing: Drawing
  readonly #kept = new Chunks<Thinned<T>>()
  readonly #lastOfKind = new Map<string, { index: number; x: number }>()
  #seen = 0

  constructor(marks: readonly T[], drawing: Drawing) {
    this.#marks = marks
    this.#drawing = drawing
  }

  /** Takes what has come since the last time. */
  grow(): readonly (readonly Thinned<T>[])[] {
    const { x, width, keep } = this.#drawing
    for (; this.#seen < this.#marks.length; this.#seen++) {
      const mark = this.#marks[this.#seen]
      if (mark === undefined) continue
      const at = x(mark.offset)
      if (at < -10 || at > width + 10) continue
      const last = this.#lastOfKind.get(mark.kind)
      const before = last === undefined ? undefined : this.#kept.at(last.index)
      if (last !== undefined && before !== undefined && at - last.x < LEAST_BETWEEN_MARKS && mark.seq !== keep) {
        this.#kept.set(last.index, { ...before, stands: before.stands + 1 })
      } else {
        this.#lastOfKind.set(mark.kind, { index: this.#kept.length, x: at })
        this.#kept.set(this.#kept.length, { ...mark, stands: 1 })
      }
    }
    return this.#kept.chunks
  }
}

/** Leaves out links that would grow together to a block, and those that are not in sight. */
export class ThinLinks {
  readonly #links: readonly Link[]
  readonly #drawing: Drawing
  readonly #kept = new Chunks<Link>()
  #last = Number.NEGATIVE_INFINITY
  #seen = 0

  constructor(links: readonly Link[], drawing: Drawing) {
    this.#links = links
    this.#drawing = drawing
  }

  grow(): readonly (readonly Link[])[] {
    const { x, width } = this.#drawing
    for (; this.#seen < this.#links.length; this.#seen++) {
      const link = this.#links[this.#seen]
      if (link === undefined) continue
      const at = x(link.to)
      if (at < -10 || at > width + 10 || at - this.#last < LEAST_BETWEEN_LINKS) continue
      this.#last = at
      this.#kept.set(this.#kept.length, link)
    }
    return this.#kept.chunks
  }
}
