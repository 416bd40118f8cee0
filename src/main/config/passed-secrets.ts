import { SCHEME } from '../../shared/config/secret-arguments'
import type { Configuration } from '../../shared/config/schema'
import { isSecretName } from '../../shared/config/secret-names'
import { isUncommon } from '../../shared/config/secret-shape'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { maskEntry } from './kept-values'

/** Each of them is looked for in every text that is recorded. */
const MOST_SECRETS = 1_000

/** What has more than one word is a list or a sentence. */
const SEVERAL_WORDS = /[\s,;()]/

/**
 * Secrets that a configuration hands to its backends, variables of the environment being in their places: values of variables
 * and arguments whose names say it, of header fields, parts of URLs, and what looks like a token. They are redacted wherever
 * they turn up, but for words, numbers, paths and addresses, which stand anywhere by chance.
 */
export function passedSecrets({ mcpServers }: Configuration): string[] {
  const found = new Set<string>()
  const note = (value: string): void => {
    const text = value.replace(SCHEME, '').trim()
    if (found.size < MOST_SECRETS && isUncommon(text)) found.add(text)
  }
  const noteWithin = (entry: JsonObject): void => {
    for (const { text } of maskEntry(entry, []).kept) note(text)
  }
  for (const config of Object.values(mcpServers)) {
    if ('env' in config) {
      // As in a member of another name, of which not everything is a secret.
      for (const [name, text] of Object.entries(config.env))
        if (isSecretName(name)) note(text)
        else noteWithin({ text })
    }
    if ('headers' in config) {
      for (const [name, text] of Object.entries(config.headers)) {
        if (isSecretName(name) || !SEVERAL_WORDS.test(text.replace(SCHEME, '').trim())) note(text)
        else noteWithin({ text })
      }
    }
    if ('command' in config) noteWithin({ command: config.command, args: config.args })
    else if ('url' in config) noteWithin({ url: config.url })
  }
  return [...found]
}
