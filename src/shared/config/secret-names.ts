import { decodedName } from '../capture/secret-words'
import type { TextEdit } from '../protocol/json-text'

/** Authors are no authorization. */
const WITHIN =
  /token|secret|passw|passphrase|api-?_?key|credential|auth(?!or(?!i[sz]))|cookie|private|bearer|signature/i
/** Words of a name: `--access-key`, `sshKey`, `PGPASS`, `MYSQL_PWD`. */
const WORD = /^(?:.*(?:pass|pwd|key)|keys|pw|pat|creds?|pin|sig|jwt|otp|psk)$/

/** Whether an option of a command line, a variable, a member or a parameter of this name has a secret. */
export function isSecretName(name: string): boolean {
  if (WITHIN.test(name)) return true
  const words = name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter}`).split(/[^A-Za-z0-9]+/)
  return words.some((word) => WORD.test(word.toLowerCase()))
}

const VALUE = /("[^"]*"|'[^']*'|[^\s&#;"'`]+)/.source
/** `KEY=value`, `--key=value`, `?key=value`; the behind-look keeps the time linear. */
const ASSIGNED = new RegExp(`(?<![\\w.%[\\]-])([\\w.%[\\]-]{1,200})=${VALUE}`, 'g')
/** An option within a line of a shell. */
const OPTION = new RegExp(`(?<![\\w-])(--[A-Za-z][\\w.-]{0,200}) {1,4}(?!-)${VALUE}`, 'g')
/** A member of JSON in a text. */
const MEMBER = /"([^"\\]{1,200})"\s{0,4}:\s{0,4}("(?:[^"\\]|\\.)*")/g

/** Where a text has values behind names of secrets, as command lines and URLs write them. */
export function namedSecretEdits(text: string): TextEdit[] {
  return [ASSIGNED, OPTION, MEMBER].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const [whole, name = '', value = ''] = match
      const end = match.index + whole.length
      const quotes = /^["']/.test(value) ? 1 : 0
      return isSecretName(decodedName(name))
        ? [{ start: end - value.length + quotes, end: end - quotes, text: '' }]
        : []
    }),
  )
}
