import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { serve, text } from '../peers/scripted-server'
import type { Stub, StubRequest, StubStream } from '../peers/stub-backend'
import { startBackend } from './running-gateway'

export const KEY = 'io.modelcontextprotocol/subscriptionId'

/** A backend whose listen streams the test writes to. */
export interface Listening {
  backend: Stub
  /** The next listen stream, acknowledged with what the request asked for (or `honoured`). */
  opened(): Promise<{
    request: StubRequest
    stream: StubStream
    say(method: string, params?: JsonObject): void
    finish(): void
  }>
}

export async function listening(options: { acknowledge?: boolean; honoured?: JsonObject } = {}): Promise<Listening> {
  const streams: StubStream[] = []
  const backend = await startBackend(
    serve({
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
      tools: { t: { call: (_, reply) => reply.result(text('t')) } },
      resources: { 'a://x': {} },
      methods: {
        'subscriptions/listen': (request, reply) => {
          const stream = reply.sse()
          streams.push(stream)
          if (options.acknowledge === false) return
          stream.event({
            jsonrpc: '2.0',
            method: 'notifications/subscriptions/acknowledged',
            params: { notifications: options.honoured ?? request.params.notifications, _meta: { [KEY]: request.id } },
          })
        },
      },
    }),
  )
  return {
    backend,
    opened: async () => {
      const request = await backend.next('subscriptions/listen')
      await new Promise((resolve) => setImmediate(resolve))
      const stream = streams.shift()
      if (!stream) throw new Error('no listen stream is open')
      return {
        request,
        stream,
        say: (method, params = {}) =>
          stream.event({ jsonrpc: '2.0', method, params: { ...params, _meta: { [KEY]: request.id } } }),
        finish: () => {
          stream.event({
            jsonrpc: '2.0',
            id: request.id,
            result: { resultType: 'complete', _meta: { [KEY]: request.id } },
          })
          stream.end()
        },
      }
    },
  }
}
