import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder'

/** A file that is only ever appended to, and read by position. Every function rejects with the error of the system. */
export interface AppendFile {
  /** Bytes that are in the file. */
  size(): Promise<{ bytes: number; /** False when the file was deleted or moved away by name. */ linked: boolean }>
  /** Appends; returns how many bytes went in, which may be fewer than given. */
  append(bytes: Buffer): Promise<number>
  /** Up to `length` bytes at `offset`. */
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}
export type OpenAppendFile = (path: string) => Promise<AppendFile>

/** Opens `path` for this user only, with its folder. */
export const openAppendFile: OpenAppendFile = async (path) => {
  makeFolder(dirname(path))
  const handle = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)
  return new HandleFile(handle)
}

class HandleFile implements AppendFile {
  constructor(private readonly handle: FileHandle) {}

  async size(): Promise<{ bytes: number; linked: boolean }> {
    const { size, nlink } = await this.handle.stat()
    return { bytes: size, linked: nlink > 0 }
  }

  async append(bytes: Buffer): Promise<number> {
    return (await this.handle.write(bytes)).bytesWritten
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const { bytesRead } = await this.handle.read(buffer, filled, length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

/** An error of the file system in words: what happened and what helps. A recording goes on when it can; other output does not. */
export function describeFileError(error: unknown, path: string, written: 'recording' | 'output' = 'recording'): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of ${path} is full; free some space, ${written === 'recording' ? 'recording goes on by itself' : 'then try again'}`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${path} may not be written; change its permissions or ${written === 'recording' ? 'record elsewhere' : 'name another file'}`
    case 'EISDIR':
      return `${path} is a folder; name a file`
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return `the folder of ${path} is not there and cannot be made`
    default:
      return `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`
  }
}
