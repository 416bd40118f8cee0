import type { ComposeSettings } from '../../shared/api/compose'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { EndpointClient } from './endpoint-client'
import type { LegacyClient } from './legacy-client'
import type { ModernClient } from './modern-client'

/** A client that says nothing of itself but its name. */
export const PLAIN: ComposeSettings = { capabilities: {}, logLevel: null, progress: false, headers: [], meta: {} }

/** Who asks an endpoint in which era. */
export interface EndpointClients {
  modern: ModernClient
  legacy: LegacyClient
  /** A new id for a request. */
  nextId: () => string
}

/** The answer to a request that compose makes by itself; questions in between are refused. Rejects in words, also after `limitMs`. */
export function answerTo(
  client: EndpointClient,
  request: { endpoint: string; method: string; params: string; id: string },
  signal: AbortSignal,
  limitMs: number,
): Promise<JsonObject> {
  const late = (): Error => new Error(`it was not complete after ${limitMs / 1_000} s`)
  return new Promise((resolve, reject) => {
    if (signal.aborted) return void reject(late())
    const cancel = client.send(
      { ...request, settings: PLAIN },
      {
        status: () => undefined,
        asked: (_ask, answer) => answer(null),
        answered: (_text, message) => settle(() => resolve(message)),
        failed: (problem) => settle(() => reject(new Error(problem))),
      },
    )
    const abort = (): void => {
      cancel()
      settle(() => reject(late()))
    }
    const settle = (how: () => void): void => {
      signal.removeEventListener('abort', abort)
      how()
    }
    signal.addEventListener('abort', abort)
  })
}
