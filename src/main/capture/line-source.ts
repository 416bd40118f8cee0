/** Where lines of a capture are read from by position: the file that this run writes, or one that was opened. */
export interface LineSource {
  /** Bytes that can be read. */
  readonly bytes: number
  /** In words, while reading fails. */
  readonly problem: string | null
  /** Up to `length` bytes at `offset`; rejects with the error of the system. */
  read(offset: number, length: number): Promise<Buffer>
  /** The line of an event that is not yet in the file. */
  waitingLine(seq: number): string | undefined
  /** Resolves when nothing waits, or writing fails. */
  flush(): Promise<void>
}
