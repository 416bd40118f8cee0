import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** True when both paths lead to one file, by links of either kind too; also to one that is not there yet. */
export function isSameFile(one: string, other: string): boolean {
  return identityOf(one) === identityOf(other)
}

function identityOf(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return `${dev} ${ino}`
  } catch (error) {
    // Whoever opens it says what is wrong with it.
    if (error instanceof Error && 'code' in error) return placeOf(resolve(path))
    throw error
  }
}

/** Where a file would be made. */
function placeOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return path
    throw error
  }
}
