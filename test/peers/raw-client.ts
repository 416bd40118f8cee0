import {
  Agent,
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { connect } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { JsonObject, RequestId } from '../../src/shared/protocol/json-rpc'

/** One block of an event stream, as it arrived. */
export interface Frame {
  /** The block without its closing blank line. */
  raw: string
  event?: string
  /** The joined `data:` lines; absent for a block of comments only. */
  data?: string
  comments: string[]
  id?: string
  retry?: string
  /** `performance.now()` when the block was complete. */
  at: number
}

export interface Head {
  status: number
  headers: IncomingHttpHeaders
  /** Names as spelled, in wire order. */
  rawHeaders: [name: string, value: string][]
  /** `performance.now()` when the head arrived. */
  at: number
}

export interface Exchange {
  /** Rejects when the connection ended before a head. */
  head: Promise<Head>
  /** `performance.now()` when the request was sent. */
  sentAt: number
  /** Body pieces as they came off the socket, with their arrival time. */
  chunks: { at: number; bytes: Buffer }[]
  /** Resolves with the whole body at its end; rejects when the connection broke in the middle. */
  text(): Promise<string>
  /** The body as JSON object. */
  json(): Promise<JsonObject>
  /** The next block, or undefined at the end of the body (also when it broke). */
  nextFrame(): Promise<Frame | undefined>
  /** All blocks that `nextFrame` has not handed out, after the end of the body. */
  frames(): Promise<Frame[]>
  /** All JSON-RPC messages: of the events, or the one of a JSON body. */
  messages(): Promise<JsonObject[]>
  /** The last of `messages()`. */
  answer(): Promise<JsonObject>
  /** Stops and goes on reading from the socket. */
  pause(): void
  resume(): void
  /** Closes the connection, at any time. */
  destroy(): void
}

export interface Answer extends Exchange, Omit<Head, 'at'> {}

/** Starts a POST and returns at once. A text body is sent byte for byte. `http` changes method, header spelling or agent. */
export function send(
  url: string,
  body: string | Uint8Array | object,
  headers: Record<string, string | string[]> = {},
  http: { method?: string; agent?: Agent; startPaused?: boolean } = {},
): Exchange {
  const bytes =
    body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const chunks: Exchange['chunks'] = []
  const queue: Frame[] = []
  let wake: () => void = () => undefined
  let finished = false
  let broken: Error | undefined
  let message: IncomingMessage | undefined
  let paused = http.startPaused ?? false
  const decoder = new StringDecoder('utf8')
  let pending = ''

  const onChunk = (chunk: Buffer): void => {
    const at = performance.now()
    chunks.push({ at, bytes: chunk })
    // Only the new end can complete a block: a block of megabytes is not searched again with each chunk.
    const searchFrom = Math.max(0, pending.length - 3)
    pending += decoder.write(chunk)
    const { blocks, rest } = splitBlocks(pending, searchFrom)
    pending = rest
    for (const block of blocks) queue.push(frameOf(block, at))
    wake()
  }
  let resolveEnd: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    resolveEnd = resolve
  })
  const finish = (error?: Error): void => {
    if (finished) return
    finished = true
    broken = error
    resolveEnd()
    wake()
  }

  let client: ClientRequest | undefined
  const head = new Promise<Head>((resolve, reject) => {
    client = httpRequest(
      url,
      {
        method: http.method ?? 'POST',
        agent: http.agent ?? new Agent({ keepAlive: false }),
        headers: { 'content-length': String(bytes.length), ...headers },
      },
      (incoming) => {
        message = incoming
        incoming.on('data', onChunk)
        if (paused) incoming.pause()
        incoming.on('end', () => finish())
        incoming.on('close', () => finish(new Error('the connection broke in the middle of the body')))
        incoming.on('error', (error) => finish(error))
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          rawHeaders: pairs(incoming.rawHeaders),
          at: performance.now(),
        })
      },
    )
    client.on('error', (error) => {
      finish(error)
      reject(error)
    })
    client.end(bytes)
  })
  // A test that only destroys the exchange need not look at `head`.
  head.catch(() => undefined)

  const exchange: Exchange = {
    head,
    sentAt: performance.now(),
    chunks,
    text: async () => {
      await head
      await ended
      if (broken) throw broken
      return Buffer.concat(chunks.map((chunk) => chunk.bytes)).toString('utf8')
    },
    json: async () => JSON.parse(await exchange.text()) as JsonObject,
    nextFrame: async () => {
      for (;;) {
        const frame = queue.shift()
        if (frame) return frame
        if (finished) return undefined
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    frames: async () => {
      await head
      await ended
      return queue.splice(0)
    },
    messages: async () => {
      const { headers: received } = await head
      if (!received['content-type']?.startsWith('text/event-stream')) return [await exchange.json()]
      const frames = await exchange.frames()
      return frames.flatMap((frame) =>
        frame.data === undefined || frame.data === '' ? [] : [JSON.parse(frame.data) as JsonObject],
      )
    },
    answer: async () => {
      const last = (await exchange.messages()).at(-1)
      if (!last) throw new Error('the answer carried no JSON-RPC message')
      return last
    },
    pause: () => {
      paused = true
      message?.pause()
    },
    resume: () => {
      paused = false
      message?.resume()
    },
    destroy: () => {
      client?.destroy()
    },
  }
  return exchange
}

/** As `send`, but waits for the head. */
export async function post(
  url: string,
  body: string | Uint8Array | object,
  headers: Record<string, string | string[]> = {},
  http: Parameters<typeof send>[3] = {},
): Promise<Answer> {
  const exchange = send(url, body, headers, http)
  const { status, headers: received, rawHeaders } = await exchange.head
  return { ...exchange, status, headers: received, rawHeaders }
}

export interface ModernOptions {
  id?: RequestId
  progressToken?: RequestId
  logLevel?: string
  capabilities?: JsonObject
  /** More `_meta` members. */
  meta?: JsonObject
  /** More or other header fields; a value of undefined leaves the field out. */
  headers?: Record<string, string | undefined>
  inputResponses?: JsonObject
  requestState?: string
}

export interface ModernRequest {
  body: string
  headers: Record<string, string>
}

let lastId = 0

/** A request of revision 2026-07-28 with every header field that it needs (transports/streamable-http). */
export function modernRequest(method: string, params: JsonObject = {}, options: ModernOptions = {}): ModernRequest {
  const meta: JsonObject = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': options.capabilities ?? {},
    'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1.0.0' },
    ...(options.logLevel === undefined ? {} : { 'io.modelcontextprotocol/logLevel': options.logLevel }),
    ...(options.progressToken === undefined ? {} : { progressToken: options.progressToken }),
    ...options.meta,
  }
  const { inputResponses, requestState } = options
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: options.id ?? ++lastId,
    method,
    params: { ...params, inputResponses, requestState, _meta: meta },
  })
  const mirrored =
    method === 'resources/read'
      ? params.uri
      : ['tools/call', 'prompts/get'].includes(method)
        ? params.name
        : params.taskId
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': typeof mirrored === 'string' ? mirroredValue(mirrored) : undefined,
    ...options.headers,
  }
  const headers = Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return { body, headers }
}

/** `modernRequest` and `post` in one. */
export function call(
  url: string,
  method: string,
  params: JsonObject = {},
  options: ModernOptions = {},
): Promise<Answer> {
  const request = modernRequest(method, params, options)
  return post(url, request.body, request.headers)
}

/** Writes a text to a plain TCP connection and returns everything that comes back until the peer closes. */
export function rawExchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => {
      received += piece
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}

function mirroredValue(value: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

function splitBlocks(text: string, searchFrom: number): { blocks: string[]; rest: string } {
  const blocks: string[] = []
  const blankLine = /\r\n\r\n|\n\n|\r\r/g
  blankLine.lastIndex = searchFrom
  let start = 0
  for (;;) {
    const end = blankLine.exec(text)
    if (!end) return { blocks, rest: start === 0 ? text : text.slice(start) }
    blocks.push(text.slice(start, end.index))
    start = end.index + end[0].length
  }
}

function frameOf(raw: string, at: number): Frame {
  const frame: Frame = { raw, comments: [], at }
  const data: string[] = []
  for (const line of raw.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === '') frame.comments.push(value)
    else if (field === 'data') data.push(value)
    else if (field === 'event') frame.event = value
    else if (field === 'id') frame.id = value
    else if (field === 'retry') frame.retry = value
  }
  if (data.length > 0) frame.data = data.join('\n')
  return frame
}

function pairs(rawHeaders: string[]): [string, string][] {
  const list: [string, string][] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) list.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return list
}
