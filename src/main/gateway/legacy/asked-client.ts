import { isObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../../shared/protocol/json-text'
import type { Backend } from '../../backends/backend'
import { EditedText } from '../edited-text'
import { answerText, type ClientSession } from './client-session'

/** What one backend asks one client, under the gateway's ids, until it is answered or the backend no longer wants to know. */
export class AskedClient {
  readonly #session: ClientSession
  readonly #backend: Backend
  /** The id that the client has, by the raw JSON of the backend's. */
  readonly #ids = new Map<string, string>()

  constructor(session: ClientSession, backend: Backend) {
    this.#session = session
    this.#backend = backend
  }

  /** Asks, for `call`, through `send`. Resolves with the response for the backend; undefined when that took the request back. */
  async ask(
    call: number,
    message: JsonObject,
    signal: AbortSignal,
    send: (text: string) => void,
  ): Promise<string | undefined> {
    const idRaw = JSON.stringify(message.id)
    const { method, params } = message
    const sent = (text: string, id: string): void => {
      this.#ids.set(idRaw, id)
      send(text)
    }
    const answer = await this.#session.ask(call, String(method), params, signal, sent, this.#backend)
    const wanted = this.#ids.delete(idRaw) || signal.aborted
    return wanted ? answerText(idRaw, answer) : undefined
  }

  /** `notifications/cancelled` for a request that the client was sent, as the client knows it; undefined for any other. */
  cancelled(message: JsonObject, text: string): EditedText | undefined {
    const requestId: JsonValue | undefined = isObject(message.params) ? message.params.requestId : undefined
    const idRaw = JSON.stringify(requestId) as string | undefined
    const id = idRaw === undefined ? undefined : this.#ids.get(idRaw)
    const params = memberOf(objectMembers(text), 'params')
    const member = params && memberOf(objectMembers(text, params.start), 'requestId')
    if (idRaw === undefined || id === undefined || member === undefined) return undefined
    this.#ids.delete(idRaw)
    const edited = new EditedText(text)
    edited.replace('id', '/params/requestId', member, JSON.stringify(id))
    return edited
  }
}
