import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import { checkValue, type Problem } from './schema-check'

/** What is asked of the worker. */
export interface CheckRequest {
  schema: JsonObject
  value: JsonValue
}
export type CheckAnswer = { problems: Problem[] } | { unusable: string }

/** A worker of its own: patterns of servers can take for ever, and then only this is ended. */
self.addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => {
  self.postMessage(answerTo(data))
})

function answerTo({ schema, value }: CheckRequest): CheckAnswer {
  try {
    return { problems: checkValue(schema, value) }
  } catch (error) {
    return { unusable: error instanceof Error ? error.message : String(error) }
  }
}
