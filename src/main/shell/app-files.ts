import { readAsset } from '../control/assets'

export const APP_SCHEME = 'app'
/** Origin of the desk's page. A scheme of its own, because `file:` pages share an origin with every other file. */
export const APP_ORIGIN = `${APP_SCHEME}://desk`

/** The page may use its own files and nothing else: no network, no frames, no plug-ins, no inline script. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  // Sound in results.
  'media-src data:',
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Answers one request of the page: a file of `directory` with its type and the policy, else 404. */
export async function answerAppRequest(directory: string, url: string): Promise<Response> {
  const path = pathOf(url)
  const asset = path === undefined ? undefined : await readAsset(directory, path)
  if (asset === undefined) return new Response('not found', { status: 404, headers: { 'content-type': 'text/plain' } })
  return new Response(new Uint8Array(asset.bytes), {
    headers: {
      'content-type': asset.type,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    },
  })
}

/** The path that a URL of the page's own origin names. */
function pathOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}` === APP_ORIGIN ? pathname : undefined
}
