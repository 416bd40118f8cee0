import type { ConfigurationProblem } from '../../shared/config/problem'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { maskEntry, type KeptValue } from './kept-values'
import { problemsWithoutValues } from './problems-without-values'

/**
 * The problems of a document with backends as they may be told: they stand in logs, in the status and on the desk, where
 * nothing of the values is to be seen that the desk hides of an entry. `check`: the problems of another document.
 */
export function hiddenProblems(
  document: JsonValue,
  problems: readonly ConfigurationProblem[],
  check: (document: JsonObject) => readonly ConfigurationProblem[],
): ConfigurationProblem[] {
  if (!isObject(document)) return [...problems]
  const kept = new Map<string, readonly KeptValue[]>()
  const masked = Object.fromEntries(
    Object.entries(document).map(([key, servers]): [string, JsonValue | undefined] => {
      if ((key !== 'mcpServers' && key !== 'servers') || !isObject(servers)) return [key, servers]
      const entries = Object.entries(servers).map(([name, entry]): [string, JsonValue | undefined] => {
        if (!isObject(entry)) return [name, entry]
        const shown = maskEntry(entry, [])
        kept.set(JSON.stringify([key, name]), shown.kept)
        return [name, shown.entry]
      })
      return [key, Object.fromEntries(entries)]
    }),
  )
  const ofMasked = check(masked)
  return problems.flatMap((problem) => {
    const values = kept.get(JSON.stringify(problem.at.slice(0, 2))) ?? []
    return problemsWithoutValues([problem], ofMasked, values)
  })
}
