import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { isObject, type JsonObject, type RequestId } from '../../src/shared/protocol/json-rpc'

/** What the stub received, exactly: header fields in wire order and spelling, the body's bytes. */
export interface StubRequest {
  httpMethod: string
  path: string
  headers: IncomingHttpHeaders
  rawHeaders: [name: string, value: string][]
  bytes: Buffer
  /** `bytes` as UTF-8 text. */
  body: string
  /** The parsed body, `{}` when it is no JSON object. */
  json: JsonObject
  id: RequestId | undefined
  method: string
  params: JsonObject
  /** `params.name` or `params.uri`, "" when absent. */
  name: string
  /** `performance.now()` when the body was complete. */
  at: number
  /** Resolves with `performance.now()` when the peer went away before the reply was ended. */
  abandoned: Promise<number>
  /** True once the peer went away before the reply was ended. */
  isAbandoned: () => boolean
}

export interface StubStream {
  /** Writes one event: an object is serialised, a text is written as it is (one `data:` line for each of its lines). */
  event(message: string | object, lineEnd?: '\n' | '\r\n' | '\r'): void
  comment(text: string): void
  /** Writes bytes without any framing; resolves when the socket took them, or the peer went away. */
  raw(bytes: string | Uint8Array): Promise<void>
  /** Ends the body properly. */
  end(): void
  /** Resets the connection in the middle of the body. */
  destroy(): void
}

export interface StubReply {
  /** Writes a whole JSON body. A text is sent byte for byte. */
  json(status: number, body: string | object, headers?: Record<string, string>): void
  /** Answers this request's id with a result; `resultType: "complete"` is added when none is given. */
  result(result: JsonObject): void
  /** Answers this request's id with an error. */
  error(status: number, error: { code: number; message: string; data?: unknown }): void
  /** Writes a whole body of any type, e.g. an HTML page of a proxy. */
  page(status: number, contentType: string, body: string | Uint8Array): void
  /** Sends an event-stream head at once and hands out the stream. */
  sse(headers?: Record<string, string>): StubStream
  /** Resets the connection before any head. */
  reset(): void
  /** For replies that are no HTTP at all. */
  socket: Socket
  response: ServerResponse
}

export type StubHandler = (request: StubRequest, reply: StubReply) => void | Promise<void>

export interface Stub {
  readonly url: string
  readonly port: number
  /** Every request so far, in order of arrival. */
  readonly requests: StubRequest[]
  /** Requests of one JSON-RPC method. */
  of(method: string): StubRequest[]
  /** The next request of `method` that has not been handed out by this function yet. */
  next(method: string): Promise<StubRequest>
  /** Replaces the script for requests that arrive from now on. */
  script(handler: StubHandler): void
  /** Connections open at this moment. */
  connections(): number
  /** Errors that scripts threw; a test should find none. */
  readonly failures: unknown[]
  close(): Promise<void>
}

/** Starts a scripted HTTP peer on 127.0.0.1. It knows no MCP: whatever the script writes is what the gateway gets. */
export async function startStub(handler: StubHandler, port = 0): Promise<Stub> {
  let current = handler
  const requests: StubRequest[] = []
  const failures: unknown[] = []
  const sockets = new Set<Socket>()
  const handedOut = new Set<StubRequest>()
  const waiting = new Set<() => void>()

  const server = createServer((message, response) => {
    receive(message, response)
      .then(
        async ([request, reply]) => {
          requests.push(request)
          for (const wake of [...waiting]) wake()
          await current(request, reply)
        },
        () => response.destroy(),
      )
      .catch((error: unknown) => {
        failures.push(error)
        response.destroy()
      })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const bound = (server.address() as AddressInfo).port

  const take = (method: string): StubRequest | undefined => {
    const found = requests.find((request) => request.method === method && !handedOut.has(request))
    if (found) handedOut.add(found)
    return found
  }
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    port: bound,
    requests,
    failures,
    of: (method) => requests.filter((request) => request.method === method),
    next: (method) =>
      new Promise((resolve) => {
        const wake = (): void => {
          const found = take(method)
          if (!found) return
          waiting.delete(wake)
          resolve(found)
        }
        waiting.add(wake)
        wake()
      }),
    script: (next) => {
      current = next
    },
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function receive(message: IncomingMessage, response: ServerResponse): Promise<[StubRequest, StubReply]> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece as Buffer)
  const bytes = Buffer.concat(pieces)
  const body = bytes.toString('utf8')
  const json = parsed(body)
  const params = isObject(json.params) ? json.params : {}
  let gone = false
  const abandoned = new Promise<number>((resolve) => {
    response.on('close', () => {
      if (response.writableEnded) return
      gone = true
      resolve(performance.now())
    })
  })
  const request: StubRequest = {
    httpMethod: message.method ?? '',
    path: message.url ?? '',
    headers: message.headers,
    rawHeaders: pairs(message.rawHeaders),
    bytes,
    body,
    json,
    id: json.id as RequestId | undefined,
    method: typeof json.method === 'string' ? json.method : '',
    params,
    name: typeof params.name === 'string' ? params.name : typeof params.uri === 'string' ? params.uri : '',
    at: performance.now(),
    abandoned,
    isAbandoned: () => gone,
  }
  return [request, replyTo(request, response)]
}

function replyTo(request: StubRequest, response: ServerResponse): StubReply {
  const json: StubReply['json'] = (status, body, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const { socket } = response
  if (!socket) throw new Error('the peer closed its connection before the stub could answer')
  return {
    json,
    result: (result) => json(200, { jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', ...result } }),
    error: (status, error) => json(status, { jsonrpc: '2.0', id: request.id, error }),
    page: (status, contentType, body) => {
      response.writeHead(status, { 'content-type': contentType })
      response.end(body)
    },
    sse: (headers = {}) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
      response.flushHeaders()
      return streamOn(response)
    },
    reset: () => socket.resetAndDestroy(),
    socket,
    response,
  }
}

function streamOn(response: ServerResponse): StubStream {
  return {
    event: (message, lineEnd = '\n') => {
      const text = typeof message === 'string' ? message : JSON.stringify(message)
      const lines = text.split('\n').map((line) => `data: ${line}${lineEnd}`)
      response.write(`event: message${lineEnd}${lines.join('')}${lineEnd}`)
    },
    comment: (text) => {
      response.write(`: ${text}\n\n`)
    },
    raw: (bytes) => new Promise((resolve) => response.write(bytes, () => resolve())),
    end: () => {
      response.end()
    },
    destroy: () => {
      response.socket?.resetAndDestroy()
    },
  }
}

function parsed(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function pairs(rawHeaders: string[]): [string, string][] {
  const list: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) list.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return list
}
