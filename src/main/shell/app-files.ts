import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

export const APP_SCHEME = 'app'
/** Origin of the desk's page. A scheme of its own, because `file:` pages share an origin with every other file. */
export const APP_ORIGIN = `${APP_SCHEME}://desk`

/** The page may use its own files and nothing else: no network, no frames, no plug-ins, no inline script. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * The file below `directory` that a URL of the app's scheme names, or null when it names another host, leaves the
 * directory, or cannot be decoded.
 */
export function fileFor(directory: string, url: string): string | null {
  if (!URL.canParse(url)) return null
  const address = new URL(url)
  if (`${address.protocol}//${address.host}` !== APP_ORIGIN) return null
  let path: string
  try {
    path = decodeURIComponent(address.pathname)
  } catch {
    // Malformed percent escapes name no file.
    return null
  }
  if (path.includes('\0')) return null
  const file = normalize(join(directory, path === '/' ? 'index.html' : path))
  return file.startsWith(normalize(directory) + sep) ? file : null
}

/** Answers one request of the page: a file of `directory` with its type and the policy, else 404. */
export async function answerAppRequest(directory: string, url: string): Promise<Response> {
  const file = fileFor(directory, url)
  const type = file === null ? undefined : TYPES[extname(file)]
  if (file === null || type === undefined) return notFound()
  try {
    return new Response(new Uint8Array(await readFile(file)), {
      headers: {
        'content-type': type,
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      },
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR'))
      return notFound()
    throw error
  }
}

function notFound(): Response {
  return new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } })
}
