import { MULTI_ROUND_METHODS } from '../protocol/methods'
import { requestParams } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'
import type { RuleId } from './guide'

/** A retry repeats its request with the state exactly as it was given (basic/patterns/mrtr, "Client requirements"). */
export function requestState(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  const add = (rule: RuleId, message: string, seq: number | null): void => {
    findings.push(
      found({
        rule,
        message,
        seq,
      }),
    )
  }
  for (const state of call.states) {
    if (state.action !== 'refused') continue
    if (state.reason === 'malformed' || state.reason === 'unauthentic') {
      add(
        'state-not-echoed',
        'The request state is not, byte for byte, one that was given to a client: it was changed or invented.',
        state.seq,
      )
    } else if (state.reason === 'request_mismatch') {
      const field = state.differs === null ? '' : ` (${state.differs.field})`
      add('retry-differs', `The retry is not the request that the state was given for${field}.`, state.seq)
    } else if (state.reason === 'caller_mismatch') {
      add('state-of-another-caller', 'The request state was given to a caller with another authorization.', state.seq)
    }
  }
  const params = requestParams(call)
  const method = call.request?.message.method
  if (params === undefined || method === undefined || call.summary.era !== 'modern') return findings
  const has = (key: string): boolean => params[key] !== undefined
  if (!MULTI_ROUND_METHODS.has(method)) {
    if (has('requestState') || has('inputResponses')) {
      add('retry-not-allowed', `${method} takes neither inputResponses nor requestState.`, call.request?.seq ?? null)
    }
  } else if (has('inputResponses') && !has('requestState') && call.summary.round === 1) {
    // A later round that is known as one without a state, as in a HAR, was asked without: servers need not give one.
    add(
      'state-missing',
      'The retry has inputResponses, but not the requestState that came with the questions.',
      call.request?.seq ?? null,
    )
  }
  return findings
}
