/** Colours that a reader can mark a call with. The desk draws each in a shape of its own. */
export const MARKS = ['red', 'orange', 'green', 'blue', 'violet'] as const
export type Mark = (typeof MARKS)[number]

/** UTF-16 code units of a comment; rows stay in memory. */
export const MAX_COMMENT_LENGTH = 1_000

/** What a reader has put on a call. */
export interface Annotation {
  mark: Mark | null
  /** Kept in sight above the table. */
  pinned: boolean
  /** Null for none; of several lines perhaps. In a capture from elsewhere it is hostile, as all of its text. */
  comment: string | null
}

export const NO_ANNOTATION: Annotation = { mark: null, pinned: false, comment: null }

/** The members of an annotation as they are written: those that say something. */
export interface WrittenAnnotation {
  mark?: string
  pinned?: boolean
  comment?: string
}

export function isMark(value: unknown): value is Mark {
  return typeof value === 'string' && (MARKS as readonly string[]).includes(value)
}

/** What was written, as far as it is known and fits; null when it says nothing (a mark of a newer Sluice's, for instance). */
export function readAnnotation({ mark, pinned, comment }: WrittenAnnotation): Annotation | null {
  const text = comment?.trim() ?? ''
  const read: Annotation = {
    mark: isMark(mark) ? mark : null,
    pinned: pinned === true,
    comment: text === '' ? null : cut(text),
  }
  return read.mark === null && !read.pinned && read.comment === null ? null : read
}

export function writeAnnotation(annotation: Annotation | null): WrittenAnnotation {
  if (annotation === null) return {}
  const { mark, pinned, comment } = annotation
  return { ...(mark !== null && { mark }), ...(pinned && { pinned }), ...(comment !== null && { comment }) }
}

function cut(text: string): string {
  if (text.length <= MAX_COMMENT_LENGTH) return text
  // Taken apart and joined, since a plain slice would keep the whole text alive.
  return `${text
    .slice(0, MAX_COMMENT_LENGTH - 1)
    .split('')
    .join('')}…`
}
