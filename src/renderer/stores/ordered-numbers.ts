/** Keeps lists of different numbers in order (rising, or falling when `descending`), changing them in place. */
export function binaryInsert(list: number[], value: number, descending: boolean): void {
  const index = placeOf(list, value, descending)
  if (list[index] !== value) list.splice(index, 0, value)
}

export function binaryRemove(list: number[], value: number, descending: boolean): void {
  const index = placeOf(list, value, descending)
  if (list[index] === value) list.splice(index, 1)
}

/** Index of `value`, or where it would be. */
export function placeOf(list: readonly number[], value: number, descending: boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const at = list[middle] ?? 0
    if (descending ? at > value : at < value) low = middle + 1
    else high = middle
  }
  return low
}
