import { applyTextEdits, type TextEdit } from '../protocol/json-text'
import { mergeEdits } from './merge-edits'
import { hintsAtSecrets } from './secret-hints'
import { plainName, secretEdits } from './secret-keys'
import { wordEdits } from './secret-words'
import { holdsValue, spellingsOf, valueEdits } from './secret-values'
import { below, parseSecretPath, pathEdits, type SecretPath } from './secret-paths'

/** Header fields whose values never reach a capture. */
const SECRET_HEADERS: readonly string[] = [
  'authorization',
  'cookie',
  'mcp-session-id',
  'proxy-authorization',
  'set-cookie',
  'x-amz-security-token',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-goog-api-key',
  'api-key',
]

/** Names of query parameters that never reach a capture (RFC 6750 section 2.3, and what services made of it). */
const SECRET_PARAMETERS: readonly string[] = [
  'access_token',
  'api_key',
  'apikey',
  'token',
  'client_secret',
  'id_token',
  'refresh_token',
  'sig',
  'signature',
  'x-amz-security-token',
  'x-amz-signature',
  'x-goog-signature',
]

/** What is redacted. */
export interface RedactionRules {
  /** Header fields, in lower case. */
  headers: ReadonlySet<string>
  /** Header fields, in lower case, of requests to backends: an operator's values, whatever their names. */
  sent: ReadonlySet<string>
  /** Keys of JSON members, at any depth, as `plainName` gives them. */
  keys: ReadonlySet<string>
  /** Parameters of URLs and header fields, as `plainName` gives them. */
  parameters: ReadonlySet<string>
  /** Keys, and the names that credentials have as header fields: members that are secret wherever they stand. */
  members: ReadonlySet<string>
  /** True when no header field was added to the built-in ones. */
  builtIn: boolean
  /** Places in messages. */
  paths: readonly SecretPath[]
  /** Texts that are secret wherever they stand, in each of their spellings. */
  values: readonly string[]
}

/** What a configuration, or whoever exports, adds to the defaults. */
export interface RedactionNames {
  headers?: readonly string[]
  /** Header fields that the configuration sends to backends. */
  sent?: readonly string[]
  keys?: readonly string[]
  /** JSON Pointers into messages, with `*` for any one member or item. What is no pointer is left out. */
  paths?: readonly string[]
  /** Values of secrets. */
  values?: readonly string[]
}

/** The rules of a configuration: the defaults, and what it adds. */
export function redactionRules(configured: RedactionNames = {}): RedactionRules {
  const paths = (configured.paths ?? []).map(parseSecretPath).filter((path) => path !== undefined)
  const names = configured.keys ?? []
  const keys = new Set(names.map(plainName))
  const headers = new Set([...SECRET_HEADERS, ...(configured.headers ?? []).map((name) => name.toLowerCase())])
  // Arguments of tools may travel in headers too (streamable-http, `x-mcp-header`), and so may keys in a query.
  for (const name of names) headers.add(`mcp-param-${name.toLowerCase()}`)
  for (const path of paths) {
    if (path[0] === 'params') headers.add(`mcp-param-${path.at(-1)?.toLowerCase() ?? ''}`)
  }
  if (NAMES.some((name) => isSecret(paths, name))) headers.add('mcp-name')
  const sent = new Set((configured.sent ?? []).map((name) => name.toLowerCase()))
  return {
    headers,
    sent,
    keys,
    parameters: new Set([...SECRET_PARAMETERS.map(plainName), ...keys]),
    members: new Set([...SECRET_HEADERS.map(plainName), ...keys]),
    builtIn: headers.size === SECRET_HEADERS.length,
    paths,
    values: spellingsOf(configured.values ?? []),
  }
}

/** Where messages have what events and header fields repeat. */
const NAMES = [
  ['params', 'name'],
  ['params', 'uri'],
]
/** True when `segments` name a secret, or a place inside one. */
export function isSecret(paths: readonly SecretPath[], segments: readonly string[]): boolean {
  return below(paths, segments).some((rest) => rest.length === 0)
}

/** False when nothing in the text can be a secret by these rules, which is quick to say of most where nothing is configured. */
export function mayHoldSecrets(text: string, { keys, paths, builtIn, values }: RedactionRules): boolean {
  return keys.size > 0 || paths.length > 0 || !builtIn || hintsAtSecrets(text) || holdsValue(text, values)
}

/** The edits of a message, or of another text when `paths` are those that count there. */
export function editsOf(text: string, rules: RedactionRules, paths = rules.paths): TextEdit[] {
  if (paths.length === 0 && !mayHoldSecrets(text, rules)) return []
  const { members: keys, headers: fields } = rules
  const keyed = secretEdits(text, { keys, fields, words: (value) => wordEdits(value, rules) })
  const named = paths.length === 0 ? keyed : mergeEdits(pathEdits(text, paths), keyed)
  // Keys, numbers and what else is no text of a member.
  return rules.values.length === 0 ? named : mergeEdits(named, valueEdits(text, rules.values))
}

export function redactText(text: string, rules: RedactionRules, paths = rules.paths): string {
  return applyTextEdits(text, editsOf(text, rules, paths))
}

/** True when keys or places that rules name are in the text. */
export function hasSecrets(text: string, rules: RedactionRules, paths = rules.paths): boolean {
  const { members: keys, headers: fields } = rules
  return secretEdits(text, { keys, fields }).length > 0 || pathEdits(text, paths).length > 0
}

/** True when tools, prompts and resources are not to be named. */
export function nameIsSecret(rules: RedactionRules): boolean {
  return rules.headers.has('mcp-name')
}
