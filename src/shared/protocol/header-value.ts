/**
 * The value codec of `Mcp-Name` and `Mcp-Param-*` (transports/streamable-http, SEP-2243): plain printable ASCII travels
 * as is, everything else as `=?base64?<base64 of UTF-8>?=`.
 */
const PREFIX = '=?base64?'
const SUFFIX = '?='
const PLAIN = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function encodeHeaderValue(value: string): string {
  if (PLAIN.test(value) && !looksEncoded(value)) return value
  const bytes = new TextEncoder().encode(value)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return PREFIX + btoa(binary) + SUFFIX
}

/** The decoded value, or undefined when the sentinel form carries invalid base64 or invalid UTF-8 (-32020). */
export function decodeHeaderValue(header: string): string | undefined {
  const value = header.replace(/^[ \t]+|[ \t]+$/g, '')
  if (!looksEncoded(value)) return value
  const payload = value.slice(PREFIX.length, -SUFFIX.length)
  if (!BASE64.test(payload)) return undefined
  try {
    const binary = atob(payload)
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function looksEncoded(value: string): boolean {
  return value.startsWith(PREFIX) && value.endsWith(SUFFIX) && value.length >= PREFIX.length + SUFFIX.length
}
