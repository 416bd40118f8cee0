import { isObject, type JsonObject } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { metaForBackend, modernExchanges, resultOf, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'
import type { RuleId } from './guide'

const TASKS = 'io.modelcontextprotocol/tasks'

/** Every result has a `resultType` that the client knows (basic/index, "Results"; SEP-2663 for `task`). */
export function resultType(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    const ended = resultOf(exchange)
    if (ended === undefined) continue
    const { seq, result } = ended
    const add = (rule: RuleId, message: string): void => {
      findings.push(found({ rule, message, seq }))
    }
    const type = result.resultType
    if (type === undefined)
      add('result-type-missing', 'The result has no resultType; the SDK client refuses such a result.')
    else if (type === 'task') {
      if (!declaresTasks(metaForBackend(call, exchange))) {
        add('result-type-task-undeclared', 'The result is a task, but the client did not declare the tasks extension.')
      }
    } else if (type !== 'complete' && type !== 'input_required') {
      add('result-type-unknown', `The result has the resultType ${shown(type)}, which this client cannot know.`)
    }
  }
  return findings
}

function declaresTasks(meta: JsonObject | undefined): boolean {
  if (meta === undefined) return true
  const capabilities = meta[META.clientCapabilities]
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined
  return isObject(extensions) && extensions[TASKS] !== undefined
}
