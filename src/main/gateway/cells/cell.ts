import type { WithheldReason } from '../../../shared/capture/events'
import type { JsonObject, JsonValue } from '../../../shared/protocol/json-rpc'
import type { UpstreamPart, UpstreamRequest } from '../../backends/backend'
import type { EditedText } from '../edited-text'
import type { UpstreamMessage } from '../upstream-message'
import type { CancelSignal } from '../../backends/cancel-signal'

/** A notification that does not reach the client, and why. */
export interface Withheld {
  reason: WithheldReason
  detail: string
}

/**
 * What to do with a backend's response: pass it on, or ask the backend again: a round that the gateway drives, or, when
 * `repeats` says why, the same round once more.
 */
export type Answered = { pass: EditedText } | { again: Again; repeats?: string } | { fail: CellFailure }

/** What to send in a further exchange, under its id. */
export type Again = (upstreamId: number) => EditedText

/** An error of the gateway's own that ends the call. */
export interface CellFailure {
  code: number
  message: string
  data?: JsonValue
}

/**
 * How one call crosses from the era of its client to the era of its backend (architecture 3.8). One object a call; the
 * relay moves and records the messages, the cell says what they become.
 */
export interface Cell {
  /** The client's request as the backend gets it, under `upstreamId`. */
  request(upstreamId: number): EditedText
  /** Sends it. Rejects when there is no connection to send it on. */
  exchange(
    request: UpstreamRequest,
    signal: CancelSignal,
  ): Promise<AsyncIterableIterator<UpstreamPart>> | AsyncIterableIterator<UpstreamPart>
  /** A notification as the client gets it. */
  notification(message: JsonObject, text: string, upstreamId: number): EditedText | Withheld
  /**
   * A request of the backend. `respond` answers it, where the backend's era knows such requests. What the cell returns is
   * why the request did not go to the client; undefined when it did.
   */
  serverRequest(
    message: JsonObject,
    text: string,
    seq: number,
    respond: ((text: string) => void) | undefined,
  ): Withheld | undefined
  /**
   * The backend's stream ended without a terminal response. Resolves with what to send to go on; undefined, as without
   * this member, when the call ends by it.
   */
  lost?(): Promise<Again | undefined>
  /** The terminal response. */
  response(read: UpstreamMessage & { kind: 'response' }, text: string): Promise<Answered> | Answered
}
