/**
 * Text of servers and clients is hostile: it may hide, reorder or fake what is read. Here every character that draws
 * nothing or moves its neighbours gets a sign of its own, so that what is on screen is what crossed the wire.
 */
export interface TextPart {
  text: string
  /** Set for a sign that stands for a character: what that character is, for instance `U+202E right-to-left override`. */
  stands?: string
}

const NAMES: Record<number, string> = {
  0x09: 'tab',
  0x0a: 'line feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x00ad: 'soft hyphen',
  0x034f: 'combining grapheme joiner',
  0x061c: 'Arabic letter mark',
  0x115f: 'Hangul filler',
  0x1160: 'Hangul filler',
  0x180e: 'Mongolian vowel separator',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0x3164: 'Hangul filler',
  0xfeff: 'zero width no-break space',
  0xffa0: 'Hangul filler',
}

/** Printable ASCII: nothing hidden in it, and it runs one way wherever it stands. Most text is such. */
const PLAIN = /^[ -~]*$/
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

// Controls, format characters, fillers, tags and lone surrogates. Tab and line feed are looked at one by one.
const HIDDEN =
  /[\p{Cc}\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu
const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u
// Scripts in whose ordinary spelling the two joiners have a meaning.
const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Khmer}]/u

/**
 * Splits `text` into plain parts and signs. In a `block` line feeds and tabs stay what they are; in a `line` (names,
 * cells) they get signs too.
 */
export function visibleParts(text: string, where: 'line' | 'block' = 'line'): TextPart[] {
  if (text.search(HIDDEN) < 0) return [{ text }]
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    const code = match[0].codePointAt(0) ?? 0
    if (where === 'block' && (code === 0x0a || code === 0x09)) continue
    if (isOrdinaryJoiner(text, match.index, code)) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: signFor(code), stands: nameOf(code) })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

/** The same as one string, for attributes (`title`, `aria-label`). */
export function visibleString(text: string): string {
  if (isPlain(text)) return text
  return visibleParts(text)
    .map((part) => part.text)
    .join('')
}

/** Signs that every font has; the pictures of control characters are boxes in most. */
function signFor(code: number): string {
  if (code === 0x0a) return '↵'
  if (code === 0x09) return '⇥'
  return `⟨${hex(code)}⟩`
}

function nameOf(code: number): string {
  const name = NAMES[code] ?? (code >= 0xd800 && code <= 0xdfff ? 'lone surrogate' : 'control character')
  return `${hex(code)} ${name}`
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

function isOrdinaryJoiner(text: string, index: number, code: number): boolean {
  if (code !== 0x200c && code !== 0x200d) return false
  const before = text.slice(Math.max(0, index - 2), index)
  const after = text.slice(index + 1, index + 3)
  if (JOINING_SCRIPT.test(before) && JOINING_SCRIPT.test(after)) return true
  return code === 0x200d && EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)
}

/** The same for a title of several lines: line breaks and tabs stay. */
export function visibleBlock(text: string): string {
  return visibleParts(text, 'block')
    .map((part) => part.text)
    .join('')
}

/** Prose in one line: breaks of lines say nothing there, so they are spaces. */
export function onOneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim()
}
