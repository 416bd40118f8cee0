import { ErrorCode } from '../../shared/protocol/errors'
import type { SealedState, StateRefusedReason } from '../../shared/capture/events'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import type { Call } from './call'
import { callerDigest, paramsDigest } from './digests'
import { GatewayError } from './gateway-error'
import { openState, sealState, type StateBinding } from './request-state'
import type { StateKeys } from './state-keys'

const EXPLANATIONS: Record<StateRefusedReason, string> = {
  malformed: 'it is no state of this gateway. Echo requestState byte for byte as it was received',
  unauthentic:
    'it was changed on its way, or sealed with another key. Echo requestState byte for byte as it was received',
  unknown_key:
    'it was sealed with a key that this gateway does not have. Start the operation anew, or give all instances the same SLUICE_STATE_KEYS',
  expired: 'it has expired. Start the operation anew',
  caller_mismatch: 'the Authorization of the re-issued call differs from that of the call that got it',
  request_mismatch:
    'the re-issued call differs from the one that got it. Re-issue it on the same endpoint with the same method and params',
  backend_gone: 'its backend is no longer configured. Start the operation anew',
}

/** Seals and opens the request states of calls, and records both. Holds keys, and nothing of any call. */
export class StateSealer {
  constructor(
    readonly keys: StateKeys,
    /** Life of a state in seconds. */
    public ttlSeconds: number,
    readonly now: () => number = Date.now,
  ) {}

  /** The outer state for the client, around the backend's own. */
  async seal(call: Call, given: Pick<SealedState, 'backend' | 'operation' | 'round' | 'inner'>): Promise<string> {
    const issuedAt = Math.floor(this.now() / 1000)
    const sealed: SealedState = {
      version: 1,
      ...bindingOf(call),
      ...given,
      issuedAt,
      expiresAt: issuedAt + this.ttlSeconds,
    }
    const { outer, kid } = await sealState(sealed, this.keys)
    call.tap.record({ kind: 'state.sealed', call: call.number, outer, kid, sealed })
    return outer
  }

  /** Opens what the client brought back; throws -32602 with `data.reason` before anything reaches a backend. */
  async open(call: Call, outer: JsonValue, knowsBackend: (name: string) => boolean): Promise<SealedState> {
    if (typeof outer !== 'string') return this.refuse(call, JSON.stringify(outer).slice(0, 1000), 'malformed')
    const opened = await openState(outer, this.keys, bindingOf(call), Math.floor(this.now() / 1000))
    if (!opened.ok) return this.refuse(call, outer, opened.reason, opened)
    const { sealed, kid } = opened
    if (!knowsBackend(sealed.backend)) return this.refuse(call, outer, 'backend_gone', { sealed })
    call.tap.record({ kind: 'state.opened', call: call.number, outer, kid, sealed })
    return sealed
  }

  /** Records the refusal and throws it. */
  refuse(
    call: Call,
    outer: string,
    reason: StateRefusedReason,
    known: { sealed?: SealedState; differs?: { field: string; sealed: JsonValue; now: JsonValue } } = {},
  ): never {
    const { sealed, differs } = known
    call.tap.record({
      kind: 'state.refused',
      call: call.number,
      outer,
      reason,
      ...(sealed === undefined ? {} : { sealed }),
      ...(differs === undefined ? {} : { differs }),
    })
    const field = differs === undefined || reason !== 'request_mismatch' ? '' : ` (differs: ${differs.field})`
    throw new GatewayError(
      ErrorCode.InvalidParams,
      `Client leg: requestState refused: ${EXPLANATIONS[reason]}${field}.`,
      {
        reason,
        ...(field === '' ? {} : { field: differs?.field }),
      },
    )
  }
}

function bindingOf(call: Call): StateBinding {
  const { request, endpoint, headers } = call
  return {
    endpoint,
    method: request.method,
    target: request.target ?? '',
    paramsDigest: paramsDigest(request.params),
    callerDigest: callerDigest(headers.authorization),
  }
}
