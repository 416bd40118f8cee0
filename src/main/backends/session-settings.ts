import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import type { UpstreamRequest } from './backend'
import type { OwnAnswer } from './era'
import { errorOf, parsed } from './messages'

/** As many resources of one session are subscribed to anew; those beyond are named as lost. */
const MOST_SUBSCRIPTIONS = 1_000

/** Sends a request on the new session, which must not be begun anew for it. */
export type AskAnew = (method: string, params: JsonObject) => Promise<OwnAnswer>

/**
 * What was set on a legacy session and is lost with it: the log level (2025-11-25 server/utilities/logging) and the
 * resources subscribed to (server/resources, "Subscriptions"). A session begun anew in its place gets it again.
 */
export class SessionSettings {
  #level: JsonObject | undefined
  readonly #subscriptions = new Map<string, JsonObject>()

  /** The server took a request: if it set something, that is remembered. */
  taken({ method, body }: Pick<UpstreamRequest, 'method' | 'body'>): void {
    if (method === 'logging/setLevel') {
      this.#level = paramsOf(body)
      return
    }
    if (method !== 'resources/subscribe' && method !== 'resources/unsubscribe') return
    const params = paramsOf(body)
    if (typeof params.uri !== 'string') return
    if (method === 'resources/subscribe') this.#subscriptions.set(params.uri, params)
    else this.#subscriptions.delete(params.uri)
  }

  /** Sets the log level again. Resolves with what became of it, in words; undefined when none was set. */
  async restoreLevel(ask: AskAnew): Promise<string | undefined> {
    if (this.#level === undefined) return undefined
    const problem = problemOf(await ask('logging/setLevel', this.#level))
    return problem === undefined ? 'its log level was set again' : `its log level could not be set again: ${problem}`
  }

  /** Subscribes again, one after the other, for as long as `going` says. The same in words. */
  async restoreSubscriptions(ask: AskAnew, going: () => boolean): Promise<string | undefined> {
    const wanted = [...this.#subscriptions]
    if (wanted.length === 0) return undefined
    const renewed = wanted.slice(0, MOST_SUBSCRIPTIONS)
    const failed: string[] = []
    let problem = `only ${MOST_SUBSCRIPTIONS} of a session are`
    for (const [uri, params] of renewed) {
      if (!going()) return undefined
      const found = problemOf(await ask('resources/subscribe', params))
      if (found === undefined) continue
      failed.push(uri)
      problem = found
    }
    failed.push(...wanted.slice(MOST_SUBSCRIPTIONS).map(([uri]) => uri))
    const all = wanted.length === 1 ? 'its resource was' : `its ${wanted.length} resources were`
    if (failed.length === 0) return `${all} subscribed to again`
    return `${failed.length} of its ${wanted.length} resources could not be subscribed to again (${String(failed[0]).slice(0, 200)}): ${problem}`
  }
}

function paramsOf(body: string): JsonObject {
  const params = parsed(body)?.params
  return isObject(params) ? params : {}
}

function problemOf({ message, failure }: OwnAnswer): string | undefined {
  const error = errorOf(message)
  if (error !== undefined) return `error ${String(error.code)}: ${String(error.message).slice(0, 200)}`
  return message === undefined ? (failure ?? 'no answer') : undefined
}
