/** Hears of calls of the tool `wait`, which never answers. */
export interface Waits {
  /** The tool was called. */
  began?: (name: string) => void
  /** Its call was cancelled. */
  cancelled?: (name: string) => void
}
