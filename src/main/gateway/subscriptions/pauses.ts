/** Milliseconds before a subscription that was lost is begun anew the first, second, … time; the last one repeats. */
export const RENEWAL_PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/** The pause after so many failures in a row. */
export function renewalPauseMs(failures: number, pausesMs: readonly number[] = RENEWAL_PAUSES_MS): number {
  return pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0
}
