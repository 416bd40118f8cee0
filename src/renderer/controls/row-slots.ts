/**
 * Which element shows which row: a row that stays in sight keeps its element, and one that comes takes that of a row that
 * has left. Elements of a table that is scrolled are so drawn anew instead of made anew, which costs far less, and leaves
 * nothing to be collected.
 */
export class RowSlots {
  /** By rows, in their order. */
  #slots = new Map<number, number>()
  #spare: number[] = []
  #made = 0
  /** Elements in the order of the document. */
  #order: number[] = []

  /** The element, by a number of its own, of each of `rows`, which differ from each other. */
  assign(rows: readonly number[]): number[] {
    const before = this.#slots
    const coming = new Set(rows)
    // In their order, so that of rows that all give way to others each finds its element where it is to be.
    const free: number[] = []
    for (const [row, slot] of before) if (!coming.has(row)) free.push(slot)
    free.push(...this.#spare)
    let taken = 0
    const slots = rows.map((row) => before.get(row) ?? free[taken++] ?? this.#made++)
    this.#spare = free.slice(taken)
    this.#slots = new Map(rows.map((row, place) => [row, slots[place] ?? 0]))
    return slots
  }

  /**
   * The order of `slots`, as assigned, in the document, as indexes of them. `still`: that of the rows, as they are read
   * out; else the one before, since an element that is moved is laid out anew.
   */
  order(slots: readonly number[], still: boolean): number[] {
    const places = new Map(slots.map((slot, place) => [slot, place]))
    if (still) this.#order = [...slots]
    else {
      const known = new Set(this.#order)
      this.#order = [...this.#order.filter((slot) => places.has(slot)), ...slots.filter((slot) => !known.has(slot))]
    }
    return this.#order.map((slot) => places.get(slot) ?? 0)
  }
}
