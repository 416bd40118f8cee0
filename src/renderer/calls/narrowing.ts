import type { CallSummary } from '../../shared/capture/summary'
import { filterTerm } from '../../shared/capture/filter-writing'

/** Something that a call has in common with others, and the term of the filter that says it. */
export interface Common {
  what: string
  name: string
  term: string
}

/** By what the table can be narrowed to calls like this one, or to all others. */
export function commonOf({ method, target, backend, client, endpoint }: CallSummary): Common[] {
  const named = (key: string, what: string, name: string | null): Common[] =>
    name === null || name === '' ? [] : [{ what, name, term: filterTerm(key, name) }]
  return [
    ...named('tool', targetWord(method), target),
    ...named('backend', 'backend', backend),
    ...named('method', 'method', method),
    ...named('client', 'client', client),
    ...named('endpoint', 'endpoint', endpoint),
  ]
}

function targetWord(method: string | null): string {
  if (method === 'tools/call') return 'tool'
  if (method === 'prompts/get') return 'prompt'
  return method?.startsWith('resources/') === true ? 'resource' : 'target'
}
