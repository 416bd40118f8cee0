import { JsonTextError, memberOf, objectMembers } from '../../shared/protocol/json-text'

/** The structured content of an answer as it was sent, digit by digit; undefined when it has none. */
export function structuredText(answer: string): string | undefined {
  try {
    const result = memberOf(objectMembers(answer), 'result')
    const found = result && memberOf(objectMembers(answer, result.start), 'structuredContent')
    return found && answer.slice(found.start, found.end)
  } catch (error) {
    // Not JSON: the tree of the whole body says where.
    if (error instanceof JsonTextError) return undefined
    throw error
  }
}
