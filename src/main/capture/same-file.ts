import { stat } from 'node:fs/promises'

/** True when both paths lead to one file, by links of either kind too. A file that is not there is no other one. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([identityOf(one), identityOf(other)])
  return first !== undefined && first === second
}

async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev} ${ino}`
  } catch (error) {
    // Whoever opens it says what is wrong with it.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
