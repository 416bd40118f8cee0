/** Resolves when `work` is done, or after `limitMs`, whichever comes first. Rejects as `work` does in that time. */
export async function settleWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)))
  try {
    await Promise.race([work.then(() => undefined), limit])
  } finally {
    clearTimeout(timer)
  }
}
