/**
 * Which element shows which row: a row that stays in sight keeps its element, and one that comes takes that of a row that
 * has left. Elements of a table that is scrolled are so drawn anew instead of made anew, which costs far less, and leaves
 * nothing to be collected.
 */
export class RowSlots {
  #slots = new Map<number, number>()
  #free: number[] = []
  #made = 0

  /** The element, by a number of its own, of each of `rows`, which differ from each other. */
  assign(rows: readonly number[]): number[] {
    const before = this.#slots
    const kept = new Map<number, number>()
    for (const row of rows) {
      const slot = before.get(row)
      if (slot !== undefined) kept.set(row, slot)
    }
    for (const [row, slot] of before) if (!kept.has(row)) this.#free.push(slot)
    for (const row of rows) if (!kept.has(row)) kept.set(row, this.#free.pop() ?? this.#made++)
    this.#slots = kept
    return rows.map((row) => kept.get(row) ?? 0)
  }
}
