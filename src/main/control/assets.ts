import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

export interface Asset {
  type: string
  bytes: Buffer
}

/** The file of `directory` that the path of a request names; undefined when there is none that may be served. */
export async function readAsset(directory: string, path: string): Promise<Asset | undefined> {
  const name = decodePath(path)
  if (name === undefined) return undefined
  const type = TYPES[extname(name)]
  if (type === undefined) return undefined
  try {
    const root = await realpath(directory)
    const file = await realpath(join(root, name))
    // By real paths, so that neither `..` nor a link leads out of the folder.
    if (!file.startsWith(root + sep)) return undefined
    return { type, bytes: await readFile(file) }
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(String(error.code))
    ) {
      return undefined
    }
    throw error
  }
}

/** The decoded path of a request; undefined for what no page of ours asks for. */
function decodePath(path: string): string | undefined {
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // Malformed escapes name no file.
    return undefined
  }
  if (decoded.includes('\0') || decoded.includes('\\') || decoded.split('/').includes('..')) return undefined
  return decoded === '/' ? '/index.html' : decoded
}
