import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import type { HeaderList } from './events'
import { mergeEdits } from './merge-edits'
import { editsOf, mayHoldSecrets, type RedactionRules } from './redaction-rules'
import { plainName, redactedMark } from './secret-keys'
import { valueEdits } from './secret-values'
import { wordEdits } from './secret-words'

/** A text of any kind with its secrets marked: a header field, a message for people, a line that a server printed. */
export function redactWords(text: string, rules: RedactionRules): string {
  return mayHoldSecrets(text, rules) ? applyTextEdits(text, sentenceEdits(text, rules)) : text
}

/** Messages for people quote JSON, too. */
export function sentenceEdits(text: string, rules: RedactionRules): TextEdit[] {
  const words = wordEdits(text, rules)
  return text.includes('"') ? mergeEdits(editsOf(text, rules, []), words) : words
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/** The fields with their secrets marked; of those named in `further` (lower case) the whole value. */
export function redactHeaders(
  headers: HeaderList,
  rules: RedactionRules,
  further: ReadonlySet<string> = NO_FIELDS,
): HeaderList {
  let redacted: HeaderList | undefined
  for (let index = 0; index < headers.length; index++) {
    const [name, value] = headers[index] ?? ['', '']
    const plain = redactField(name, value, rules, further)
    if (plain === value) continue
    redacted ??= headers.slice()
    redacted[index] = [name, plain]
  }
  return redacted ?? headers
}

/** The value of the header field `name`. */
export function redactField(
  name: string,
  value: string,
  rules: RedactionRules,
  further: ReadonlySet<string> = NO_FIELDS,
): string {
  const field = name.toLowerCase()
  return rules.headers.has(field) || further.has(field) ? redactHeaderValue(value) : redactWords(value, rules)
}

const SCHEMES = /^(Basic|Bearer|Digest|DPoP|Negotiate) +/i

/** The scheme of an authorization says how a client authenticates, and nothing secret. */
function redactHeaderValue(value: string): string {
  if (value === '') return value
  const scheme = SCHEMES.exec(value)?.[0] ?? ''
  const secret = value.slice(scheme.length)
  return secret.startsWith('«redacted ') ? value : scheme + redactedMark(secret.length)
}

/** Replaces user information and the values of secret parameters; everything else keeps its spelling. */
export function redactUrl(url: string, rules: RedactionRules): string {
  let text = applyTextEdits(url, mergeEdits(valueEdits(url, rules.values), []))
  if (text.includes('@'))
    text = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/?#]+)@/i, (all, scheme: string, user: string) =>
      user.startsWith('«') ? all : `${scheme}${redactedMark(user.length)}@`,
    )
  const query = text.search(/[?#]/)
  if (query < 0) return text
  return text.slice(0, query) + text.slice(query).replace(/[?&#][^&#]*/g, (part) => redactParameter(part, rules))
}

/** One parameter with the character before it. */
function redactParameter(part: string, rules: RedactionRules): string {
  const equals = part.indexOf('=')
  if (equals < 0 || !isParameter(part.slice(1, equals), rules)) return part
  const value = part.slice(equals + 1)
  return value === '' || value.startsWith('«') ? part : part.slice(0, equals + 1) + redactedMark(value.length)
}

function isParameter(raw: string, rules: RedactionRules): boolean {
  try {
    return rules.parameters.has(plainName(decodeURIComponent(raw)))
  } catch {
    // Not decodable is not secret by any name that a server could read.
    return rules.parameters.has(plainName(raw))
  }
}
