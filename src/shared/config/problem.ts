/** One thing that is wrong with a configuration, in words for the person who wrote it. Never carries a header's value. */
export interface ConfigurationProblem {
  /** Keys and indexes from the root of the document; empty for the document as a whole. */
  at: readonly (string | number)[]
  /** `at` in print, for instance `mcpServers.weather.headers["X-Key"]`. */
  path: string
  message: string
  /** What to do. */
  fix: string
  /** Position in the file, from 1, where it is known. */
  line?: number
  column?: number
  /** The text is right: what it refers to is not there in this run. */
  ofEnvironment?: true
}

export function configurationProblem(
  at: readonly (string | number)[],
  message: string,
  fix: string,
): ConfigurationProblem {
  return { at, path: printPath(at), message, fix }
}

function printPath(at: readonly (string | number)[]): string {
  if (at.length === 0) return '(the whole file)'
  return at
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (/^[A-Za-z0-9_$-]+$/.test(key)) return index === 0 ? key : `.${key}`
      return `[${JSON.stringify(key)}]`
    })
    .join('')
}
