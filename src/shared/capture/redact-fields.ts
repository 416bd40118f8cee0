import type { HeaderList } from './events'
import type { RedactionRules } from './redaction-rules'
import { redactedMark } from './secret-keys'

const CREDENTIALS = /\b(Basic|Bearer) +([A-Za-z0-9._~+/=-]{4,})/gi
const PARAMETER = /([?&])([^=&\s"'<>]{1,100})=([^&\s"'<>#]+)/g

/** Text for people (what a process prints, why something failed) may quote URLs and header fields. */
export function redactWords(text: string, rules: RedactionRules): string {
  return text
    .replace(CREDENTIALS, (_all, scheme: string, secret: string) => `${scheme} ${redactedMark(secret.length)}`)
    .replace(PARAMETER, (all, mark: string, name: string, value: string) =>
      rules.parameters.has(parameterName(name)) && !value.startsWith('«')
        ? `${mark}${name}=${redactedMark(value.length)}`
        : all,
    )
}

export function redactHeaders(headers: HeaderList, rules: RedactionRules): HeaderList {
  let redacted: HeaderList | undefined
  for (let index = 0; index < headers.length; index++) {
    const header = headers[index]
    if (header === undefined || !rules.headers.has(header[0].toLowerCase())) continue
    redacted ??= headers.slice()
    redacted[index] = [header[0], redactHeaderValue(header[1])]
  }
  return redacted ?? headers
}

const SCHEMES = /^(Basic|Bearer|Digest|DPoP|Negotiate) +/i

/** The scheme of an authorization says how a client authenticates, and nothing secret. */
export function redactHeaderValue(value: string): string {
  if (value === '') return value
  const scheme = SCHEMES.exec(value)?.[0] ?? ''
  const secret = value.slice(scheme.length)
  return secret.startsWith('«redacted ') ? value : scheme + redactedMark(secret.length)
}

/** Replaces user information and the values of secret parameters; everything else keeps its spelling. */
export function redactUrl(url: string, rules: RedactionRules): string {
  let text = url
  if (url.includes('@'))
    text = text.replace(/^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]+)@/i, (_all, scheme: string, user: string) =>
      user.startsWith('«') ? _all : `${scheme}${redactedMark(user.length)}@`,
    )
  const query = text.indexOf('?')
  if (query < 0) return text
  const fragment = text.indexOf('#', query)
  const end = fragment < 0 ? text.length : fragment
  const parameters = text
    .slice(query + 1, end)
    .split('&')
    .map((parameter) => {
      const equals = parameter.indexOf('=')
      if (equals < 0 || !rules.parameters.has(parameterName(parameter.slice(0, equals)))) return parameter
      const value = parameter.slice(equals + 1)
      return value === '' || value.startsWith('«')
        ? parameter
        : parameter.slice(0, equals + 1) + redactedMark(value.length)
    })
  return text.slice(0, query + 1) + parameters.join('&') + text.slice(end)
}

function parameterName(raw: string): string {
  try {
    return decodeURIComponent(raw).toLowerCase()
  } catch {
    // Not decodable is not secret by any name that a server could read.
    return raw.toLowerCase()
  }
}
