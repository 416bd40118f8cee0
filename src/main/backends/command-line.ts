const SECRET_NAME = /token|secret|password|passwd|api-?_?key|credential|auth/i
const PLAIN = /^[A-Za-z0-9_@%+=:,./\\-]+$/

/**
 * A command line for people to read. Arguments that seem to be secrets (`--api-key X`, `--token=X`, `TOKEN=X`) are not
 * shown: it stands in captures and on the desk.
 */
export function commandLine(command: string, args: readonly string[]): string {
  const shown: string[] = [command]
  let secretNext = false
  for (const argument of args) {
    const assigned = /^(-{0,2}[A-Za-z0-9_.-]+)=(.*)$/s.exec(argument)
    if (secretNext && !argument.startsWith('-')) shown.push('«secret»')
    else if (assigned?.[1] !== undefined && SECRET_NAME.test(assigned[1])) shown.push(`${assigned[1]}=«secret»`)
    else shown.push(argument)
    secretNext = /^-{1,2}/.test(argument) && assigned === null && SECRET_NAME.test(argument)
  }
  return shown.map((word) => (PLAIN.test(word) || word.includes('«secret»') ? word : JSON.stringify(word))).join(' ')
}
