import type { CallSummary } from '../../shared/capture/summary'

/** What a call without a JSON-RPC method is, in a word; null when nothing is known of it. */
export function methodWords(call: Pick<CallSummary, 'method' | 'httpMethod' | 'stream' | 'era'>): string | null {
  if (call.method !== null) return call.method
  if (call.httpMethod === 'GET' && call.stream !== null) return 'stream of a session'
  if (call.era !== 'legacy' || call.httpMethod === null) return null
  if (call.httpMethod === 'DELETE') return 'end of a session'
  return call.httpMethod === 'POST' ? 'answer' : call.httpMethod
}
