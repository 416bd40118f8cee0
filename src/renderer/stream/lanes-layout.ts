import type { Lanes } from './lanes-model'

/** Room for the names of the lanes, in pixels. */
export const LEFT = 100
/** Pixels right of the drawing. */
export const RIGHT = 16
/** Pixels that a character of the lanes' small fixed-width text takes, rather more than less. */
export const CHARACTER = 6.4

export interface LanesLayout {
  /** Middle of the client lane. */
  client: number
  backends: number[]
  /** Baseline of the note about lanes that are not drawn. */
  more: number
  /** Top of the progress row; null without progress. */
  progress: number | null
  height: number
}

const AXIS = 18
const CLIENT = 76
const BACKEND = 48
const PROGRESS = 58

export function layoutOf(lanes: Lanes): LanesLayout {
  const client = AXIS + 40
  const first = AXIS + CLIENT + 30
  const backends = lanes.backends.map((_, index) => first + index * BACKEND)
  let bottom = backends.length === 0 ? AXIS + CLIENT : first + (backends.length - 1) * BACKEND + 18
  const more = bottom + 10
  if (lanes.moreBackends > 0) bottom += 16
  const progress = lanes.progress.points.length === 0 ? null : bottom
  if (progress !== null) bottom += PROGRESS
  return { client, backends, more, progress, height: bottom + 8 }
}
