import type { NewCaptureEvent } from '../../shared/capture/events'

/**
 * Where the gateway and the backends write what they see. `record` never throws and never waits: if recording fails,
 * the relay goes on and the loss is counted.
 */
export interface Tap {
  /** Stamps and keeps the event; returns its `seq`. */
  record(event: NewCaptureEvent): number
  /** The next call number, from 1. */
  nextCall(): number
  /** The next upstream exchange number, from 1. */
  nextExchange(): number
}
