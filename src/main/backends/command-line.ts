import { mergeEdits } from '../../shared/capture/merge-edits'
import { sentenceEdits } from '../../shared/capture/redact-fields'
import { redactionRules } from '../../shared/capture/redaction-rules'
import { argumentSecrets, SCHEME } from '../../shared/config/secret-arguments'
import { namedSecretEdits } from '../../shared/config/secret-names'
import { tokenEdits } from '../../shared/config/secret-shape'
import { applyTextEdits } from '../../shared/protocol/json-text'

const RULES = redactionRules()
const SECRET = '«secret»'
const PLAIN = /^[A-Za-z0-9_@%+=:,./\\-]+$/

/**
 * A command line for people to read. Arguments that seem to be secrets (`--api-key X`, `--token=X`, `TOKEN=X`, `-k X`), secrets
 * within others (`https://user:X@host`, `Authorization: Bearer X`) and words that look like tokens are not shown: it stands in
 * captures and on the desk.
 */
export function commandLine(command: string, args: readonly string[]): string {
  const secrets = argumentSecrets(command, args)
  const shown = args.map((argument, index) => {
    const from = secrets[index] ?? null
    if (from !== null && from < argument.length) {
      const scheme = SCHEME.exec(argument.slice(from))?.[0] ?? ''
      return argument.slice(0, from) + scheme + SECRET
    }
    const further = mergeEdits(namedSecretEdits(argument), tokenEdits(argument)).map((edit) => ({
      ...edit,
      text: SECRET,
    }))
    return applyTextEdits(argument, mergeEdits(sentenceEdits(argument, RULES), further))
  })
  return [command, ...shown]
    .map((word) => (PLAIN.test(word.replaceAll(SECRET, 'x')) ? word : JSON.stringify(word)))
    .join(' ')
}
