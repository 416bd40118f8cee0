/** The same rule as in the configuration (`BackendName`), which the desk does not load with its schema library. */
const NAME = /^(?![0-9]+$)[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?=[A-Za-z0-9.-]))*$/
const LONGEST_NAME = 64

/** What is wrong with the name of a new backend, in words; null when nothing is. */
export function checkName(given: string, names: readonly string[]): string | null {
  const name = given.trim()
  if (name === '') return 'Give it a name.'
  if (name.length > LONGEST_NAME) return `Use at most ${LONGEST_NAME} characters.`
  if (!NAME.test(name)) return 'Use letters, digits, ".", "-" and single "_" between them, and not digits alone.'
  return names.includes(name) ? 'There is a backend of this name.' : null
}

/** A URL with variables is checked where the environment is known. */
export function checkUrl(given: string): string | null {
  const url = given.trim()
  if (url.includes('${')) return null
  if (!URL.canParse(url)) return 'Give a whole URL, for instance http://127.0.0.1:3000/mcp.'
  const { protocol } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? null : 'Only http and https URLs can be backends.'
}

export function checkCommand(command: string): string | null {
  return command.trim() === '' ? 'Give a program, for instance npx.' : null
}

/** One variable of a process, or one header field, as it is edited. */
export interface Variable {
  name: string
  value: string
}

export function checkFile(file: string): string | null {
  return file.trim() === '' ? 'Give a capture file.' : null
}

/** RFC 9110, section 5.1. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

export function checkHeaders(headers: readonly Variable[]): string | null {
  const names = headers.map(({ name }) => name.trim().toLowerCase())
  const faulty = headers.find(({ name, value }) => (name.trim() === '' ? value !== '' : !FIELD_NAME.test(name.trim())))
  if (faulty !== undefined) return 'Give each header field a name of letters, digits and "-".'
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  return twice === undefined ? null : `"${twice}" is there twice.`
}

export function checkVariables(variables: readonly Variable[]): string | null {
  const names = variables.map(({ name }) => name.trim())
  const faulty = variables.find(({ name, value }) => (name.trim() === '' && value !== '') || name.includes('='))
  if (faulty !== undefined) return 'Give each variable a name without "=".'
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  return twice === undefined ? null : `"${twice}" is there twice.`
}

/** The words of a command line as a shell would part them: at spaces, but not within quotes. */
export function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [, double, single, plain] of line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g))
    words.push(double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '')
  return words
}
