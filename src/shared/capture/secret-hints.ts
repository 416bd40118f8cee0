const WITH_K =
  /cookie|api[-_]?key|(?:(?<![a-z])|(?<=\\[nrt]))token(?![a-z])|(?:access|id|refresh|security|auth|csrf)[-_]?token(?![a-z])/i
const NAMED = /(?:sig|signature|secret|session[-_]?id)["'`\\\]]{0,4} {0,4}$/i
const ESCAPED = /^(?:\\u00|%[2-7][0-9a-f])/i

/** Letters and signs that few texts have, and everything below has one of. */
const TRIGGER = /[kz@:=\\%]|[rc] /gi

/**
 * True when a text has something in which the built-in rules may find a secret: the words of credentials, the names of
 * header fields and parameters that carry them, a user in a URL, or escapes that may hide any of these. Many times
 * cheaper than reading the text by tokens.
 */
export function hintsAtSecrets(text: string): boolean {
  TRIGGER.lastIndex = 0
  for (let found = TRIGGER.exec(text); found !== null; found = TRIGGER.exec(text)) {
    if (hints(text, found.index, found[0])) return true
  }
  return false
}

function hints(text: string, at: number, trigger: string): boolean {
  switch (trigger) {
    case 'k':
    case 'K':
      return beginsKnown(text, at) && WITH_K.test(text.slice(Math.max(0, at - 14), at + 5))
    case 'z':
    case 'Z':
      return /authoriz/i.test(text.slice(Math.max(0, at - 7), at + 1))
    case '@':
      return text.slice(Math.max(0, at - 1_000), at).includes('://')
    case '=':
    case ':':
      return endsName(text, at) && NAMED.test(text.slice(Math.max(0, at - 24), at))
    case '%':
    case '\\':
      return ESCAPED.test(text.slice(at, at + 4))
    default:
      return endsScheme(text, at) && /bearer$|basic$/i.test(text.slice(Math.max(0, at - 5), at + 1))
  }
}

/** True when what is around a `k` may be that of cookie, token or key: a look at two letters, since texts have many. */
function beginsKnown(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1) | 0x20
  const after = text.charCodeAt(at + 1) | 0x20
  // o, i, - or _ (with the bit that makes letters small), and e or i.
  return (
    (before === 0x6f || before === 0x69 || before === 0x2d || before === 0x7f) && (after === 0x65 || after === 0x69)
  )
}

/** True when the two letters before the last of a scheme's name are there: `…rer`, `…sic`. */
function endsScheme(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1) | 0x20
  const first = text.charCodeAt(at - 2) | 0x20
  return (first === 0x72 && before === 0x65) || (first === 0x73 && before === 0x69)
}

/** True when the name before a separator ends with the last two letters of one of `NAMED`. */
function endsName(text: string, separator: number): boolean {
  let at = separator - 1
  while (at >= 0 && separator - at < 10 && !isLetter(text.charCodeAt(at))) at--
  const before = text.charCodeAt(at - 1) | 0x20
  switch (text.charCodeAt(at) | 0x20) {
    case 0x67:
    case 0x64:
      return before === 0x69
    case 0x65:
      return before === 0x72
    case 0x74:
      return before === 0x65
    default:
      return false
  }
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}
