const NOBODY = 65_534

/** Runs `work` as a user whom permissions of files bind: they do not bind root, as whom tests run in containers. */
export async function asUser(work: () => void | Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(NOBODY)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}
