/** The same rule as in the configuration (`BackendName`), which the desk does not load with its schema library. */
const NAME = /^(?![0-9]+$)[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?=[A-Za-z0-9.-]))*$/
const LONGEST_NAME = 64

/** What is wrong with the fields of a new backend, in words; null where nothing is. */
export function checkBackend(
  name: string,
  url: string,
  names: readonly string[],
): { name: string | null; url: string | null } {
  return { name: checkName(name.trim(), names), url: checkUrl(url.trim()) }
}

function checkName(name: string, names: readonly string[]): string | null {
  if (name === '') return 'Give it a name.'
  if (name.length > LONGEST_NAME) return `Use at most ${LONGEST_NAME} characters.`
  if (!NAME.test(name)) return 'Use letters, digits, ".", "-" and single "_" between them, and not digits alone.'
  return names.includes(name) ? 'There is a backend of this name.' : null
}

function checkUrl(url: string): string | null {
  if (!URL.canParse(url)) return 'Give a whole URL, for instance http://127.0.0.1:3000/mcp.'
  const { protocol } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? null : 'Only http and https URLs can be backends.'
}
