import type { JsonObject } from '../../../shared/protocol/json-rpc'
import type { Withheld } from './cell'

/** Answers a ping of a legacy backend, which no client has to see. Undefined when the message is another request. */
export function answeredPing({ method, id }: JsonObject, respond?: (text: string) => void): Withheld | undefined {
  if (method !== 'ping') return undefined
  respond?.(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`)
  return { reason: 'server-request', detail: 'a ping of the backend: answered by the gateway' }
}
