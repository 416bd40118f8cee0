/** Of a body that is no text so many bytes are kept: enough to see what it is. */
export const MAX_KEPT_BYTES = 65_536

/** True for what Sluice writes as the bytes of a frame; a file from anywhere may have anything there. */
export function isKeptBytes(bytes: string): boolean {
  const most = Math.ceil(MAX_KEPT_BYTES / 3) * 4
  return bytes.length <= most && bytes.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bytes)
}

/**
 * The bytes of a frame as a string of one character a byte. JSON reads the same in it as in the text, but for what is no
 * ASCII.
 */
export function binaryOf(bytes: string): string {
  return atob(bytes)
}

/** True when the bytes are all that the body had. */
export function isWhole(binary: string): boolean {
  return binary.length < MAX_KEPT_BYTES
}

/** A text as a string of one character for each byte of its UTF-8. */
export function binaryOfText(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return binary
}

export function base64Of(binary: string): string {
  return btoa(binary)
}
