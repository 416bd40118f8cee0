import { redactWords } from '../../shared/capture/redact-fields'
import { redactionRules } from '../../shared/capture/redaction-rules'
import { isSecretName } from '../../shared/config/secret-names'

const RULES = redactionRules()
const PLAIN = /^[A-Za-z0-9_@%+=:,./\\-]+$/

/**
 * A command line for people to read. Arguments that seem to be secrets (`--api-key X`, `--token=X`, `TOKEN=X`), and secrets
 * within others (`https://user:X@host`, `Authorization: Bearer X`) are not shown: it stands in captures and on the desk.
 */
export function commandLine(command: string, args: readonly string[]): string {
  const shown: string[] = [command]
  let secretNext = false
  for (const argument of args) {
    const assigned = /^(-{0,2}[A-Za-z0-9_.-]+)=(.*)$/s.exec(argument)
    if (secretNext && !argument.startsWith('-')) shown.push('«secret»')
    else if (assigned?.[1] !== undefined && isSecretName(assigned[1])) shown.push(`${assigned[1]}=«secret»`)
    else shown.push(redactWords(argument, RULES))
    secretNext = /^-{1,2}/.test(argument) && assigned === null && isSecretName(argument)
  }
  return shown
    .map((word) =>
      PLAIN.test(word) || word.includes('=«secret»') || word === '«secret»' ? word : JSON.stringify(word),
    )
    .join(' ')
}
