import type { ProgressPoint } from '../../shared/capture/record'

/** Progress of one leg as heights: in proportion to its totals, and without them to the highest value seen. */
export class ProgressSteps {
  readonly points: ProgressPoint[] = []
  #highest = 0
  #allWithTotals = true

  /** Changes when points that were there before have another level. */
  get scale(): number {
    return this.#allWithTotals ? 0 : this.#highest
  }

  add(point: ProgressPoint): void {
    this.points.push(point)
    this.#highest = Math.max(this.#highest, point.progress)
    if (point.total === null || point.total <= 0) this.#allWithTotals = false
  }

  /** 0 to 1. */
  level({ progress, total }: ProgressPoint): number {
    const whole = total !== null && total > 0 ? total : this.#highest
    return whole > 0 ? Math.min(1, Math.max(0, progress / whole)) : 0
  }

  /** What a point says; hostile text. */
  label(point: ProgressPoint): string {
    const { progress, total, message } = point
    const share = total !== null && total > 0 ? ` · ${Math.round(this.level(point) * 100)} %` : ''
    return `${progress}${total === null ? '' : `/${total}`}${share}${message === null ? '' : ` “${message}”`}`
  }
}

interface Column {
  x: number
  low: number
  high: number
  y: number
}
export interface Point {
  x: number
  y: number
}

/**
 * The step line of progress, from the first moment on. Steps within a pixel are one line there, from the lowest to the
 * highest of them, so that the line does not grow with the call.
 */
export class StepLine {
  readonly #steps: Pick<ProgressSteps, 'points' | 'level' | 'scale'>
  readonly #x: (offset: number) => number
  readonly #height: number
  readonly #columns: Column[] = []
  readonly base: number
  #scale = 0
  #seen = 0

  constructor(
    steps: Pick<ProgressSteps, 'points' | 'level' | 'scale'>,
    x: (offset: number) => number,
    base: number,
    height: number,
  ) {
    this.#steps = steps
    this.#x = x
    this.base = base
    this.#height = height
  }

  /** Takes the points that have come since the last time. Returns from where on the line is another one than before. */
  grow(): number {
    const { points, scale } = this.#steps
    const last = this.#columns.at(-1)
    if (scale !== this.#scale) this.#begin(scale)
    // What ran on from the last step to the end is another line whenever the end is.
    const from = this.#seen === 0 ? Number.NEGATIVE_INFINITY : (last?.x ?? Number.NEGATIVE_INFINITY)
    for (; this.#seen < points.length; this.#seen++) {
      const point = points[this.#seen]
      if (point !== undefined) this.#add(this.#x(point.offset), this.base - this.#steps.level(point) * this.#height)
    }
    return from
  }

  /** The corners of the line to `end`, without those that are left of `from`; none before the first step. */
  corners(from: number, end: number): Point[] {
    let first = this.#columns.length
    while (first > 0 && (this.#columns[first - 1]?.x ?? 0) >= from) first--
    const columns = this.#columns.slice(Math.max(0, first - 1))
    const [start] = columns
    const last = columns.at(-1)
    if (start === undefined || last === undefined) return []
    const corners: Point[] = first <= 1 ? [{ x: this.#x(0), y: this.base }] : [{ x: start.x, y: start.y }]
    let before = first <= 1 ? this.base : start.y
    for (const { x, low, high, y } of first <= 1 ? columns : columns.slice(1)) {
      corners.push({ x, y: before })
      if (low > Math.max(before, y)) corners.push({ x, y: low })
      if (high < Math.min(before, y)) corners.push({ x, y: high })
      corners.push({ x, y })
      before = y
    }
    corners.push({ x: Math.max(last.x, end), y: before })
    return corners
  }

  #begin(scale: number): void {
    this.#scale = scale
    this.#seen = 0
    this.#columns.length = 0
  }

  #add(x: number, y: number): void {
    const column = this.#columns.at(-1)
    if (column === undefined || x - column.x >= 1) {
      this.#columns.push({ x, low: y, high: y, y })
      return
    }
    column.low = Math.max(column.low, y)
    column.high = Math.min(column.high, y)
    column.y = y
  }
}
