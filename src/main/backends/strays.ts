import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { Stray } from './backend'

/** Those who listen for messages that belong to no exchange. */
export class StrayListeners {
  readonly #listeners = new Set<(stray: Stray) => void>()

  add(listener: (stray: Stray) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A request that nobody hears is refused, so that the server does not wait for ever. */
  emit(stray: Stray, message: JsonObject): void {
    if (this.#listeners.size === 0) stray.respond?.(refusal(message))
    for (const listener of this.#listeners) listener(stray)
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
