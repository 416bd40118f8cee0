/** Numbers that look random and are the same in every run. */
export interface Random {
  /** From 0 up to, but not, `bound`. */
  below(bound: number): number
  pick<T>(items: readonly T[]): T
  /** A short text, with characters that need care. */
  text(): string
}

const CHARACTERS = [...'abcxyz019 _-/~"\\{}[]:,\n\r\té🌦«»\u2028\u0000<>&\'']

/** A generator of the family of Park and Miller. */
export function randomFrom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1
  const below = (bound: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
  return { below, pick, text: () => Array.from({ length: 1 + below(8) }, () => pick(CHARACTERS)).join('') }
}
