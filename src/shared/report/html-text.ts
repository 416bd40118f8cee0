/** Control characters, and those that change the direction of text, which could make it read as something else. */
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const SPECIAL = /[&<>"']/g
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for the inside of an element or of a quoted attribute. Whatever it is, it stays text, and nothing of it is invisible. */
export function escapeHtml(text: string): string {
  return text
    .replace(SPECIAL, (char) => ENTITIES[char] ?? '')
    .replace(INVISIBLE, (char) => `[U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}
