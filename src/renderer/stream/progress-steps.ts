import type { ProgressPoint } from '../../shared/capture/record'

/** Progress of one leg as heights: in proportion to its totals, and without them to the highest value seen. */
export class ProgressSteps {
  readonly points: ProgressPoint[] = []
  #highest = 0

  add(point: ProgressPoint): void {
    this.points.push(point)
    this.#highest = Math.max(this.#highest, point.progress)
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

/**
 * The step line of progress as an SVG path, from the first moment to `end`. Steps within a pixel are one line there, from
 * the lowest to the highest of them, so that the path does not grow with the call.
 */
export function stepPath(
  steps: Pick<ProgressSteps, 'points' | 'level'>,
  x: (offset: number) => number,
  base: number,
  height: number,
  end: number,
): string {
  if (steps.points.length === 0) return ''
  let path = `M${round(x(0))} ${round(base)}`
  let before = base
  let column = { x: Number.NEGATIVE_INFINITY, low: base, high: base, y: base }
  const draw = () => {
    if (column.low > Math.max(before, column.y)) path += `V${column.low}`
    if (column.high < Math.min(before, column.y)) path += `V${column.high}`
    path += `V${column.y}`
    before = column.y
  }
  for (const point of steps.points) {
    const at = round(x(point.offset))
    const y = round(base - steps.level(point) * height)
    if (at - column.x < 1) {
      column.low = Math.max(column.low, y)
      column.high = Math.min(column.high, y)
      column.y = y
      continue
    }
    if (column.x > Number.NEGATIVE_INFINITY) draw()
    path += `H${at}`
    column = { x: at, low: y, high: y, y }
  }
  draw()
  return `${path}H${round(Math.max(column.x, x(end)))}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
