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

/**
 * The step line of progress as an SVG path, from the first moment on. Steps within a pixel are one line there, from the
 * lowest to the highest of them, so that the path does not grow with the call.
 */
export class StepPath {
  readonly #steps: Pick<ProgressSteps, 'points' | 'level' | 'scale'>
  readonly #x: (offset: number) => number
  readonly #base: number
  readonly #height: number
  #scale = 0
  #seen = 0
  /** Up to the last column, which may still change. */
  #path = ''
  #before = 0
  #column: Column | null = null

  constructor(
    steps: Pick<ProgressSteps, 'points' | 'level' | 'scale'>,
    x: (offset: number) => number,
    base: number,
    height: number,
  ) {
    this.#steps = steps
    this.#x = x
    this.#base = base
    this.#height = height
  }

  /** Takes the points that have come since the last time; the path to `end`. */
  grow(end: number): string {
    const { points, scale } = this.#steps
    if (this.#seen === 0 || scale !== this.#scale) this.#begin(scale)
    for (; this.#seen < points.length; this.#seen++) {
      const point = points[this.#seen]
      if (point === undefined) continue
      const at = round(this.#x(point.offset))
      const y = round(this.#base - this.#steps.level(point) * this.#height)
      const column = this.#column
      if (column !== null && at - column.x < 1) {
        column.low = Math.max(column.low, y)
        column.high = Math.min(column.high, y)
        column.y = y
        continue
      }
      if (column !== null) {
        this.#path += drawn(column, this.#before)
        this.#before = column.y
      }
      this.#path += `H${at}`
      this.#column = { x: at, low: y, high: y, y }
    }
    if (this.#column === null) return ''
    return `${this.#path}${drawn(this.#column, this.#before)}H${round(Math.max(this.#column.x, this.#x(end)))}`
  }

  #begin(scale: number): void {
    this.#scale = scale
    this.#seen = 0
    this.#path = `M${round(this.#x(0))} ${round(this.#base)}`
    this.#before = this.#base
    this.#column = null
  }
}

function drawn({ low, high, y }: Column, before: number): string {
  let path = ''
  if (low > Math.max(before, y)) path += `V${low}`
  if (high < Math.min(before, y)) path += `V${high}`
  return `${path}V${y}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
