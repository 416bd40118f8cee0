/** Length in UTF-8 bytes, without encoding. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    // A surrogate pair is 4 bytes for 2 units, everything else above U+07FF 3 bytes for one.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2
  }
  return bytes
}
