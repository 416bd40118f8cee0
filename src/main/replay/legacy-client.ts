import { ErrorCode } from '../../shared/protocol/errors'
import type { HeaderList } from '../../shared/capture/events'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import type { RecordedExchange } from '../../shared/replay/recorded-exchange'
import { legacyRequest } from './resent-request'
import type { GatewaySender } from './send-request'

const VERSION = '2025-11-25'

/** A client that can be asked in the middle of a call, as only legacy ones can. One session with one endpoint. */
export class LegacyClient {
  private constructor(
    private readonly sender: GatewaySender,
    private readonly url: string,
    private readonly headers: HeaderList,
  ) {}

  static async open(
    sender: GatewaySender,
    url: string,
    id: string,
    version: string,
    signal: AbortSignal,
  ): Promise<LegacyClient> {
    const params = {
      protocolVersion: VERSION,
      clientInfo: { name: 'sluice-replay', version },
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    }
    const message = { jsonrpc: '2.0', id, method: 'initialize', params }
    const { response, headers } = await sender.post(url, message, [], signal)
    const session = headers['mcp-session-id']
    const version_ = isObject(response.result) ? response.result.protocolVersion : undefined
    if (typeof session !== 'string' || typeof version_ !== 'string')
      throw new Error(`the gateway did not open a session: ${JSON.stringify(response).slice(0, 300)}`)
    const fields: HeaderList = [
      ['mcp-session-id', session],
      ['mcp-protocol-version', version_],
    ]
    await sender.tell(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, fields)
    return new LegacyClient(sender, url, fields)
  }

  /**
   * Sends a recorded request again. What the server asks is answered as it was, in order by method; `unexpected` is told
   * of what it did not ask then.
   */
  async call(
    recorded: RecordedExchange,
    id: string,
    signal: AbortSignal,
    unexpected: (method: string) => void,
  ): Promise<JsonObject> {
    const questions = recorded.frames.filter(({ message }) => message?.kind === 'request')
    const answered: Promise<void>[] = []
    const { response } = await this.sender.post(
      this.url,
      legacyRequest(recorded, id),
      this.headers,
      signal,
      (request) => {
        const index = questions.findIndex(({ message }) => message?.method === request.method)
        const [question] = index < 0 ? [] : questions.splice(index, 1)
        const answer = question?.answer
        if (answer === undefined || answer === null) unexpected(String(request.method))
        const said: JsonObject =
          answer?.result !== undefined
            ? { result: answer.result }
            : { error: answer?.error === undefined ? refusal(request) : { ...answer.error } }
        answered.push(this.sender.tell(this.url, { jsonrpc: '2.0', id: request.id ?? null, ...said }, this.headers))
      },
    )
    await Promise.all(answered)
    return response
  }

  close(): Promise<void> {
    return this.sender.tell(this.url, undefined, this.headers)
  }
}

function refusal({ method }: JsonObject): JsonObject {
  const message = `Sluice: the recorded server did not ask for ${String(method)} here, so that there is no answer to it.`
  return { code: ErrorCode.MethodNotFound, message }
}
