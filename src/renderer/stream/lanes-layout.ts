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

/** Of so many backend lanes; `isMore`: there are some beyond those that are drawn. */
export function layoutOf(count: number, isMore: boolean, hasProgress: boolean): LanesLayout {
  const client = AXIS + 40
  const first = AXIS + CLIENT + 30
  const backends = Array.from({ length: count }, (_, index) => first + index * BACKEND)
  let bottom = count === 0 ? AXIS + CLIENT : first + (count - 1) * BACKEND + 18
  const more = bottom + 10
  if (isMore) bottom += 16
  const progress = hasProgress ? bottom : null
  if (progress !== null) bottom += PROGRESS
  return { client, backends, more, progress, height: bottom + 8 }
}

/** A text of so many characters at most. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
