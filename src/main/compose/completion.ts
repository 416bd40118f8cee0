import {
  LONGEST_SUGGESTION,
  MOST_SUGGESTIONS,
  type Completion,
  type CompletionQuestion,
} from '../../shared/api/compose'
import { isObject } from '../../shared/protocol/json-rpc'
import { errorOf } from '../backends/messages'
import { answerTo, type EndpointClients } from './plain-request'

const LIMIT_MS = 5_000

/**
 * Asks an endpoint what an argument may go on with (server/utilities/completion), as any client does. Never rejects: what
 * went wrong stands in `problem`.
 */
export async function complete(question: CompletionQuestion, clients: EndpointClients): Promise<Completion> {
  const { endpoint, era, ref, argument, known } = question
  const context = Object.keys(known).length === 0 ? {} : { context: { arguments: known } }
  const request = {
    endpoint,
    method: 'completion/complete',
    params: JSON.stringify({ ref, argument, ...context }),
    id: clients.nextId(),
  }
  try {
    const message = await answerTo(clients[era], request, AbortSignal.timeout(LIMIT_MS), LIMIT_MS)
    const error = errorOf(message)
    if (error !== undefined) return { values: [], problem: String(error.message) }
    const result = isObject(message.result) ? message.result : {}
    const completion = isObject(result.completion) ? result.completion : {}
    const values = Array.isArray(completion.values) ? completion.values : []
    return {
      values: values
        .filter((value) => typeof value === 'string' && value.length <= LONGEST_SUGGESTION)
        .slice(0, MOST_SUGGESTIONS) as string[],
      problem: null,
    }
  } catch (error) {
    return { values: [], problem: error instanceof Error ? error.message : String(error) }
  }
}
