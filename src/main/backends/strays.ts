import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { Stray } from './backend'

/** So long a request waits for somebody who listens: a session is begun before its client is told of it. */
const HOLD_MS = 1_000
const MOST_HELD = 100

/** Those who listen for messages that belong to no exchange. */
export class StrayListeners {
  readonly #listeners = new Set<(stray: Stray) => void>()
  readonly #held = new Map<Stray, NodeJS.Timeout>()

  add(listener: (stray: Stray) => void): () => void {
    this.#listeners.add(listener)
    for (const [stray, late] of this.#held) {
      clearTimeout(late)
      listener(stray)
    }
    this.#held.clear()
    return () => this.#listeners.delete(listener)
  }

  /** A request that nobody hears soon is refused, so that the server does not wait for ever. */
  emit(stray: Stray, message: JsonObject): void {
    if (this.#listeners.size === 0 && stray.respond !== undefined) this.#hold(stray, stray.respond, message)
    for (const listener of this.#listeners) listener(stray)
  }

  #hold(stray: Stray, respond: (text: string) => void, message: JsonObject): void {
    const refuse = (): void => {
      this.#held.delete(stray)
      respond(refusal(message))
    }
    if (this.#held.size >= MOST_HELD) refuse()
    else this.#held.set(stray, setTimeout(refuse, HOLD_MS).unref())
  }
}

function refusal({ id, method }: JsonObject): string {
  const error = { code: -32603, message: `No client is there to answer ${String(method).slice(0, 100)}.` }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

/** Lets the first response through, and none after it. */
export function once(respond: (text: string) => void): (text: string) => void {
  let responded = false
  return (text) => {
    if (responded) return
    responded = true
    respond(text)
  }
}
