import { SCHEME } from '../../shared/config/secret-arguments'
import type { Configuration } from '../../shared/config/schema'
import { isSecretName } from '../../shared/config/secret-names'
import { isUncommon, looksLikeToken } from '../../shared/config/secret-shape'
import { maskEntry } from './kept-values'

/** Each of them is looked for in every text that is recorded. */
const MOST_SECRETS = 1_000

/**
 * Secrets that a configuration hands to its backends, variables of the environment being in their places: values of variables
 * and arguments whose names say it, of header fields, parts of URLs, and what looks like a token. They are redacted wherever
 * they turn up, but for words, numbers, paths and addresses, which stand anywhere by chance.
 */
export function passedSecrets({ mcpServers }: Configuration): string[] {
  const found = new Set<string>()
  const note = (value: string, named: boolean): void => {
    const text = value.replace(SCHEME, '').trim()
    if (found.size < MOST_SECRETS && (named ? isUncommon(text) : looksLikeToken(text))) found.add(text)
  }
  for (const config of Object.values(mcpServers)) {
    if ('env' in config) for (const [name, value] of Object.entries(config.env)) note(value, isSecretName(name))
    if ('headers' in config) for (const value of Object.values(config.headers)) note(value, true)
    const words =
      'command' in config ? { command: config.command, args: config.args } : 'url' in config ? { url: config.url } : {}
    for (const { text } of maskEntry(words, []).kept) note(text, true)
  }
  return [...found]
}
