import { formatBytes } from '../text/format'

/** A backend's own state, when it reads as `v1.<base64url JSON>.<mac>` (the form of the TypeScript SDK's codec). */
export interface ReadableState {
  version: string
  /** JSON text of the payload. */
  payload: string
  mac: string
}

/** Reads the payload of a state in that form. Nobody here can verify its signature. */
export function readInnerState(state: string): ReadableState | null {
  const parts = /^(v\d+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(state)
  if (parts === null) return null
  const [, version = '', body = '', mac = ''] = parts
  try {
    const binary = atob(body.replaceAll('-', '+').replaceAll('_', '/'))
    const payload = new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(binary, (char) => char.charCodeAt(0)),
    )
    JSON.parse(payload)
    return { version, payload, mac }
  } catch (error) {
    // Not base64, not UTF-8 or not JSON: then it is in another form, which is the backend's own affair.
    if (error instanceof DOMException || error instanceof TypeError || error instanceof SyntaxError) return null
    throw error
  }
}

const HEAD = 18
const TAIL = 5
/** A token short enough to be told from another: its begin, its end and its length. */
export function shortToken(token: string): string {
  if (token.length <= HEAD + TAIL + 4) return token
  return `${token.slice(0, HEAD)}…${token.slice(-TAIL)} · ${formatBytes(token.length)}`
}
