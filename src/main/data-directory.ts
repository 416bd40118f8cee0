import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { makeFolder } from './capture/make-folder'

/** Makes the data folder where it is missing. Throws an error whose message says why it cannot be used, and what to do. */
export function makeDataDirectory(directory: string): void {
  try {
    makeFolder(resolve(directory))
    accessSync(directory, constants.W_OK)
  } catch (error) {
    throw new Error(`the data folder ${directory} cannot be used: ${whyNoFolder(error)}; give another one with --data`)
  }
}

function whyNoFolder(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it, or what it lies in, is a file'
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there'
    case 'EROFS':
      return 'its disk can only be read'
    case 'ENOSPC':
      return 'its disk is full'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
