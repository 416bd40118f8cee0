import { isObject } from '../../../shared/protocol/json-rpc'

const PREFIX = 'replay.'
const MAX_LENGTH = 1_000

/** The place in a recorded chain that a request state of a replayed server names. */
export interface MockState {
  /** `startedAt` of the capture. */
  capture: string
  call: number
  exchange: number
}

/** The request state that a replayed server gives instead of the recorded one: `replay.` and its facts, in base64url JSON. */
export function writeMockState(state: MockState): string {
  return PREFIX + Buffer.from(JSON.stringify(state)).toString('base64url')
}

export function readMockState(text: unknown): MockState | undefined {
  if (typeof text !== 'string' || !text.startsWith(PREFIX) || text.length > MAX_LENGTH) return undefined
  try {
    const value: unknown = JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString())
    if (!isObject(value)) return undefined
    const { capture, call, exchange } = value
    if (typeof capture !== 'string' || typeof call !== 'number' || typeof exchange !== 'number') return undefined
    return { capture, call, exchange }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
