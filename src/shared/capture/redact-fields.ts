import type { HeaderList } from './events'
import type { RedactionRules } from './redaction-rules'
import { plainName, redactedMark } from './secret-keys'

/** Not of a challenge (`WWW-Authenticate`), which names no secret behind its scheme but parameters. */
const CREDENTIALS =
  /\b(Basic|Bearer) +(?!(?:realm|scope|charset|error|error_description|error_uri|resource_metadata|token) *=)([A-Za-z0-9._~+/=-]{4,})/gi
const USER = /:\/\/([^/?#\s"'<>«]+)@/g
const PARAMETER = /([?&#])([^=&#?\s"'<>]{1,100})=([^&\s"'<>#]+)/g
/** A parameter of a header field, as of `WWW-Authenticate`, or one that a message quotes. */
const QUOTED = /\b([A-Za-z0-9_-]{1,100}) ?= ?"([^"\\]+)"/g
const UNQUOTED = /(^|[\s,;(])([A-Za-z0-9_-]{1,100})=([^\s"'«,;&)]+)/g
/** Without one of these, none of the patterns fits. */
const SUSPICIOUS = /[=@]|basic |bearer /i

/** Secrets in a text of any kind: credentials, and user information and parameters of the URLs in it. */
export function redactWords(text: string, rules: RedactionRules): string {
  if (!SUSPICIOUS.test(text)) return text
  const secret = (name: string, value: string): boolean => isParameter(name, rules) && !value.startsWith('«')
  return text
    .replace(CREDENTIALS, (_all, scheme: string, value: string) => `${scheme} ${redactedMark(value.length)}`)
    .replace(USER, (_all, user: string) => `://${redactedMark(user.length)}@`)
    .replace(PARAMETER, (all, mark: string, name: string, value: string) =>
      secret(name, value) ? `${mark}${name}=${redactedMark(value.length)}` : all,
    )
    .replace(QUOTED, (all: string, name: string, value: string) =>
      secret(name, value) ? `${all.slice(0, -value.length - 1)}${redactedMark(value.length)}"` : all,
    )
}

/** A header field or a message for people, where parameters stand without a URL, too: `invalid_token; token=abc`. */
export function redactSentence(text: string, rules: RedactionRules): string {
  if (!SUSPICIOUS.test(text)) return text
  return redactWords(text, rules).replace(UNQUOTED, (all, before: string, name: string, value: string) =>
    isParameter(name, rules) ? `${before}${name}=${redactedMark(value.length)}` : all,
  )
}

/** The fields with their secrets marked; of those named in `further` (lower case) the whole value. */
export function redactHeaders(
  headers: HeaderList,
  rules: RedactionRules,
  further: ReadonlySet<string> = new Set(),
): HeaderList {
  let redacted: HeaderList | undefined
  for (const [index, [name, value]] of headers.entries()) {
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
  further: ReadonlySet<string> = new Set(),
): string {
  const field = name.toLowerCase()
  return rules.headers.has(field) || further.has(field) ? redactHeaderValue(value) : redactSentence(value, rules)
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
  let text = url
  if (url.includes('@'))
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
